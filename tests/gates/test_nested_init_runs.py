"""Which parts of a call run for sure, and which moves matter where they do not happen (SPEC N5)."""

import pytest

from guardhook.call import BASH
from guardhook.gates import WATCHED
from guardhook.shell import elsewhere, runs, unwrap

# A call; its parts that may not run, and the moves that are loose.
CALLS = [
    ("a; b && c", "", ""),
    ("a || b", "b", ""),
    ("a || b; c", "b", ""),
    ("a || b && c", "b", ""),
    ("true || b", "", ""),
    ("test x && b && c; d", "b c", ""),
    ("test x || b", "b", ""),
    ("! a && b", "b", ""),
    ("[[ x ]] && b; c", "b", ""),
    ("a | grep x && b | c; d", "b c", ""),
    ("a && grep x | b", "", ""),
    ("a || { b; c; }; d", "b c", ""),
    ("a || (b)", "b", ""),
    ("if a; then b; elif c; then d; else e; fi; f", "b c d e", ""),
    ("if true; then b; else c; fi", "c", ""),
    ("while a; do b; done; c", "a b", ""),
    ("f() { a; exit; }; b", "a exit", ""),
    ("exit; a; b", "a b", ""),
    ("(exit; a); b", "a", ""),
    ("a || exit; b", "exit", ""),
    ("bash -c 'test x && a'; b", "a", ""),
    ("cd x; a", "", ""),
    ("cd x && cd y; a", "", ""),
    ("make && cd y; a", "", "cd"),
    ("mkdir x && cd x; a", "", ""),
    ("[[ x ]] && cd y; a", "cd", "cd"),
]


def read(text: str) -> unwrap.Unwrapped:
    return unwrap.unwrap(text, WATCHED, BASH)


@pytest.mark.parametrize(("text", "doubted", "loose"), CALLS)
def test_what_may_not_run(text: str, doubted: str, loose: str) -> None:
    found = read(text)
    seen = runs.Runs(found)
    names = [(part.command, part.command.words[0].text) for part in found.invocations]
    assert " ".join(name for command, name in names if command in seen.doubted) == doubted
    assert " ".join(name for command, name in names if command in seen.loose) == loose


def test_a_move_and_what_is_chained_to_it() -> None:
    found = read("make && cd y && a; b")
    seen = runs.Runs(found)
    _, move, chained, other = (part.command for part in found.invocations)
    assert seen.loose[move] in seen.chains[chained]
    assert seen.loose[move] not in seen.chains[other]


# A wrapper, a command, whether what it runs may start in another directory.
STARTS = [
    ("env", "env A=1 -u git git init", False),
    ("env", "env -u X A=1 git init", False),
    ("env", "env -vC x git init", True),
    ("env", "env -S 'A=1 git' init", False),
    ("env", "env -S '-i -C x git' init", True),
    ("env", "$E git init", True),
    ("env", "env $O git init", True),
    ("sudo", "sudo -u git git init", False),
    ("sudo", "sudo -u $U git init", False),
    ("sudo", "sudo A=1 -D x git init", True),
    ("sudo", "sudo --chd x git init", True),
    ("pwsh", "pwsh -wo x -c 'git init'", True),
    ("pwsh", "pwsh -c 'git init'", False),
    ("uv", "uv --directory x run git init", True),
    ("uv", "uv run git init", False),
    ("pnpm", "pnpm -r exec git init", True),
    ("find", "find . -execdir git init ';'", True),
    ("find", "find . -exec git init ';'", False),
]


@pytest.mark.parametrize(("name", "text", "expected"), STARTS)
def test_wrappers_that_move(name: str, text: str, expected: bool) -> None:
    assert elsewhere.may_start(name, read(text)) is expected
