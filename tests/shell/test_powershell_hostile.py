"""The PowerShell reader under hostile text: it never raises, its cost is linear, its spans are in order."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardhook.shell.commands import LITERAL, OPAQUE, UNKNOWN, VARIABLE, Command, Compound, Reading, Word
from guardhook.shell.powershell import lexer
from guardhook.shell.powershell.records import Expression
from tests.shell.hostile import seconds
from tests.shell.powershell_hostile import WORDS, kinds

SMALL, LARGE = 25_000, 200_000
SMALL_KINDS, LARGE_KINDS = kinds(SMALL), kinds(LARGE)
CALLER = 150  # frames that the hook may have below the reader
FLOOR = 0.04  # seconds below which a ratio says nothing
FLAWS = {
    "",
    "a quote that is never closed",
    "a here-string that is never closed",
    "a block comment that is never closed",
    "a bracket that is never closed",
    "nesting deeper than 120 levels",
}


def words_of(command: Command) -> list[Word]:
    """The words of a command, of its value, of its assignments' values and elements, and its redirections' targets."""
    words = list(command.words)
    if isinstance(command, Expression):
        words += [command.value, *command.elements]
    for assignment in command.assignments:
        words += [assignment.value] if assignment.value is not None else []
        words += assignment.elements or []
    return words + [redirection.target for redirection in command.redirections]


def assert_consistent(reading: Reading) -> None:
    """What holds for every reading: spans in range and in order, texts that match their parts, scopes with a root."""
    size = len(reading.text)
    assert reading.flaw in FLAWS
    for command in reading.commands:
        assert 0 <= command.start <= command.end <= size
        starts = [word.start for word in command.words]
        assert starts == sorted(starts)
        for word in words_of(command):
            assert 0 <= word.start <= word.end <= size
            assert_word(word)
        assert all(command.start <= word.start and word.end <= command.end for word in command.words)
        assert not isinstance(command.feeder, Compound)
        assert command.feeder is None or command.feeder in reading.commands
        assert command.words or command.assignments or command.redirections or command.carrier
        scope = command.scope
        while scope.parent is not None:
            scope = scope.parent
        assert scope.kind == ""


def assert_word(word: Word) -> None:
    if word.parts:
        assert word.text == "".join([part.text if part.kind == LITERAL else UNKNOWN for part in word.parts])
        assert {part.kind for part in word.parts} <= {LITERAL, VARIABLE, OPAQUE}
        assert all(part.quoted for part in word.parts)


def deep(frames: int, action: "Callable[[], Reading]") -> Reading:
    return action() if frames == 0 else deep(frames - 1, action)


@pytest.mark.parametrize("name", SMALL_KINDS)
def test_never_raises(name: str) -> None:
    """Also when called from deep inside, with the default recursion limit."""
    reading = deep(CALLER, lambda: lexer.read(SMALL_KINDS[name]))
    assert reading.text == SMALL_KINDS[name]
    assert reading.flaw in FLAWS


@pytest.mark.parametrize("name", LARGE_KINDS)
def test_linear(name: str) -> None:
    """Eight times the text takes less than twelve times as long, in the best of a few tries on a noisy machine."""
    for _ in range(4):
        large = seconds(LARGE_KINDS[name], lexer.read)
        small = seconds(SMALL_KINDS[name], lexer.read) if large > FLOOR else large
        if large <= 12 * small:
            return
    pytest.fail(f"{small:.3f} s for {SMALL} characters, {large:.3f} s for {LARGE}")


# What is open at the end of the text is a flaw; the first one met is named.
OPEN = [
    ("a 'b", "a quote that is never closed"),
    ('a "b', "a quote that is never closed"),
    ("a \u2018b", "a quote that is never closed"),
    ("a b'c", "a quote that is never closed"),
    ("a @'\nb", "a here-string that is never closed"),
    ('a @"\nb\n "@', "a here-string that is never closed"),
    ("a <# b", "a block comment that is never closed"),
    ("a (b", "a bracket that is never closed"),
    ("a $(b", "a bracket that is never closed"),
    ("a @(b", "a bracket that is never closed"),
    ("a { b", "a bracket that is never closed"),
    ("a @{ b = c", "a bracket that is never closed"),
    ("$x[1", "a bracket that is never closed"),
    ("$x.M(1", "a bracket that is never closed"),
    ("a (b 'c", "a quote that is never closed"),
    ("if (a) { b", "a bracket that is never closed"),
    ("a " + "(" * 130 + "b" + ")" * 130, "nesting deeper than 120 levels"),
]
CLOSED = [
    "a )",
    "a }",
    "a |",
    "a &&",
    "& ",
    "a ;",
    "a &",
    "a '`'",
    "a `",
    "a ]",
    "a b#",
    "a # '(",
    "a '' \"\"",
    "",
    "\0",
]


@pytest.mark.parametrize(("text", "flaw"), OPEN)
def test_open_text_is_flawed(text: str, flaw: str) -> None:
    reading = lexer.read(text)
    assert reading.flaw == flaw
    assert_consistent(reading)


@pytest.mark.parametrize("text", CLOSED)
def test_stray_text_is_not(text: str) -> None:
    assert lexer.read(text).flaw == ""


def test_names_survive_what_is_open() -> None:
    """A flaw hides nothing that stands in front of it, and brackets that are never closed hide nothing in them."""
    for opener in ("(", "$(", "@(", "{", "@{ k = ", "'", '"', "@'\n", "<#"):
        reading = lexer.read(f"git push; c {opener} git pull; d")
        assert [word.text for word in reading.commands[0].words] == ["git", "push"], opener
    for opener in ("(", "$(", "@(", "{"):
        names = [command.words[0].text for command in lexer.read(f"a {opener} git pull").commands if command.words]
        assert sorted(names) == ["a", "git"], opener


texts = st.lists(
    st.sampled_from([*WORDS, " ", "  ", "\t", "\r", "\0", "é", "\ud800", "2", "-x:", "a b", "$x[", ".a", ".M(", "[X("])
)


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(texts.map("".join))
def test_random_tokens(text: str) -> None:
    assert_consistent(lexer.read(text))


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(texts.map(" ".join))
def test_random_words(text: str) -> None:
    assert_consistent(lexer.read(text))


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.text())
def test_random_text(text: str) -> None:
    assert_consistent(lexer.read(text))
