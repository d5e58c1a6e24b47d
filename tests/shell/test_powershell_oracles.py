"""The PowerShell reader against what the grammar meant, and against tree-sitter-powershell, on random valid text."""

from typing import Any

import pytest

from guardhook.shell.commands import UNKNOWN, Reading, Word
from guardhook.shell.powershell import lexer
from guardhook.shell.powershell.records import Expression, ListItem
from tests.shell.powershell_grammar import Grammar, Program
from tests.shell.powershell_misread import MISREAD, Misreading
from tests.shell.powershell_oracle import SAME, Tree

PLAIN = 2500
BEYOND = 2000
CURLY = 1000

Redirections = list[tuple[str, str, str]]


def commands(reading: Reading) -> list[tuple[str, ...]]:
    """The words of each command, in the reading's order."""
    return [
        tuple([(SAME if isinstance(word, ListItem) else "") + word.text for word in command.words])
        for command in reading.commands
        if command.words
    ]


def redirections(reading: Reading) -> Redirections:
    return [
        (redirection.operator, redirection.descriptor, redirection.target.text)
        for command in reading.commands
        for redirection in command.redirections
    ]


def values(reading: Reading) -> list[list[str]]:
    """What stands as a statement of its own or is assigned, as far as it is known."""
    found: list[tuple[Word, ...]] = []
    for command in reading.commands:
        found += [command.elements] if isinstance(command, Expression) else []
        for assignment in command.assignments:
            found.append(tuple(assignment.elements or ()) if assignment.value is None else (assignment.value,))
    texts = [[SAME * bool(number) + word.text for number, word in enumerate(words)] for words in found]
    return [text for text in texts if any(value.strip(SAME + UNKNOWN) for value in text)]


def singly(values: list[list[str]]) -> list[str]:
    """Every value by itself: `@('a'; 'b')` is one list to the reader, and two statements to tree-sitter."""
    return sorted(value.removeprefix(SAME) for value in (text for known in values for text in known))


def same(found: list[Any], expected: list[Any]) -> bool:
    """Equality that pytest does not explain: it would take minutes over such lists, and the text says more."""
    return found == expected


def programs(seed: int, count: int, **features: bool) -> list[Program]:
    grammar = Grammar(seed, **features)
    return [grammar.program() for _ in range(count)]


PROGRAMS = programs(20, PLAIN)
PROGRAMS_BEYOND = programs(21, BEYOND, beyond=True)
PROGRAMS_CURLY = programs(22, CURLY, beyond=True, curly=True)


@pytest.mark.parametrize("said", [PROGRAMS, PROGRAMS_BEYOND, PROGRAMS_CURLY], ids=["plain", "beyond", "curly"])
def test_what_was_meant(said: list[Program]) -> None:
    """Every command with its words, inner ones first, and every redirection, and nothing else."""
    seen = 0
    for program in said:
        reading = lexer.read(program.text)
        assert reading.flaw == "", program.text
        assert same(commands(reading), program.commands), program.text
        assert same(sorted(redirections(reading)), sorted(program.redirections)), program.text
        seen += len(program.commands)
    assert seen > 10 * len(said)


def test_tree_sitter() -> None:
    """Commands, redirections and values are those that tree-sitter sees, where it has no error and no known fault."""
    compared = errors = misread = 0
    for program in [*PROGRAMS, *PROGRAMS_BEYOND, *PROGRAMS_CURLY]:
        tree = Tree(program.text)
        facts = tree.facts()
        if facts is None:
            errors += program in PROGRAMS
            continue
        if any(misreading.within(tree) for misreading in MISREAD):
            misread += program in PROGRAMS
            continue
        compared += 1
        reading = lexer.read(program.text)
        assert same(sorted(commands(reading)), sorted(facts.commands)), program.text
        assert same(sorted(redirections(reading)), sorted(facts.redirections)), program.text
        assert same(singly(values(reading)), singly(facts.values)), program.text
    assert compared >= 2000
    assert errors <= PLAIN * 0.03
    assert misread <= PLAIN * 0.1


@pytest.mark.parametrize("misreading", MISREAD, ids=lambda misreading: misreading.name)
def test_misreading_is_still_one(misreading: Misreading) -> None:
    tree = Tree(misreading.example)
    facts = tree.facts()
    assert facts is not None
    assert misreading.within(tree)
    assert sorted(facts.commands) != misreading.says
    assert sorted(commands(lexer.read(misreading.example))) == misreading.says


def test_misreadings_are_narrow() -> None:
    """Each shape stands out in its own example alone."""
    for misreading in MISREAD:
        tree = Tree(misreading.example)
        assert [other.name for other in MISREAD if other.within(tree)] == [misreading.name]
