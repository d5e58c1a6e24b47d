"""The Bash lexer under hostile text: it never raises, its cost is linear, its spans are in order."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from guardhook.shell.bash import lexer
from guardhook.shell.commands import LITERAL, OPAQUE, UNKNOWN, VARIABLE, Command, Compound, Reading, Word
from tests.shell.hostile import WORDS, kinds, seconds

SMALL, LARGE = 25_000, 200_000
SMALL_KINDS, LARGE_KINDS = kinds(SMALL), kinds(LARGE)
CALLER = 150  # frames that the hook may have below the lexer
FLOOR = 0.04  # seconds below which a ratio says nothing


def words_of(command: Command) -> list[Word]:
    """The words of a command, of its assignments' values and elements, and of its redirections' targets."""
    words = list(command.words)
    for assignment in command.assignments:
        words += [assignment.value] if assignment.value is not None else assignment.elements or []
    return words + [redirection.target for redirection in command.redirections]


def assert_consistent(reading: Reading) -> None:
    """What holds for every reading: spans in range and in order, texts that match their parts, scopes with a root."""
    text = reading.text
    for command in reading.commands:
        assert 0 <= command.start <= command.end <= len(text)
        words = sorted(words_of(command), key=lambda word: (word.start, word.end))
        assert all(first.end <= second.start for first, second in pairwise(words))
        assert [word.start for word in command.words] == sorted(word.start for word in command.words)
        for word in words:
            assert command.start <= word.start <= word.end <= command.end
            assert_word(word, text)
        feeder = command.feeder
        if isinstance(feeder, Compound):
            first, behind = feeder.commands
            assert 0 <= first <= behind <= len(reading.commands)
            assert all(inside.within is not None for inside in reading.commands[first:behind])
        else:
            assert feeder is None or feeder in reading.commands
        assert command.words or command.assignments or command.redirections or command.carrier
        scope = command.scope
        while scope.parent is not None:
            scope = scope.parent
        assert scope.kind == ""


def assert_word(word: Word, text: str) -> None:
    source = text[word.start : word.end]
    if word.parts:
        assert word.text == "".join([part.text if part.kind == LITERAL else UNKNOWN for part in word.parts])
        assert {part.kind for part in word.parts} <= {LITERAL, VARIABLE, OPAQUE}
    elif "\\" not in source:
        assert word.text == source


def deep(frames: int, action: "Callable[[], Reading]") -> Reading:
    return action() if frames == 0 else deep(frames - 1, action)


@pytest.mark.parametrize("name", SMALL_KINDS)
def test_never_raises(name: str) -> None:
    """Also when called from deep inside, with the default recursion limit."""
    reading = deep(CALLER, lambda: lexer.read(SMALL_KINDS[name]))
    assert reading.text == SMALL_KINDS[name]


@pytest.mark.parametrize("name", LARGE_KINDS)
def test_linear(name: str) -> None:
    """Eight times the text takes less than twelve times as long, in the best of a few tries on a noisy machine."""
    for _ in range(4):
        large = seconds(LARGE_KINDS[name], lexer.read)
        small = seconds(SMALL_KINDS[name], lexer.read)
        if large < FLOOR or large < 12 * small:
            return
    pytest.fail(f"{small:.3f} s for {SMALL} characters, {large:.3f} s for {LARGE}")


texts = st.lists(
    st.sampled_from([*WORDS, " ", "  ", "\t", "\r", "\0", "é", "\ud800", "$x", "2", "x@(", "${", "|&", "{fd}>"])
)


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(texts.map("".join))
@example("a=(`b=(c)`)")
@example("`\\`a\\``")
@example("for x in `\\`a b\\``; do c; done")
def test_random_tokens(text: str) -> None:
    assert_consistent(lexer.read(text))


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(texts.map(" ".join))
def test_random_words(text: str) -> None:
    assert_consistent(lexer.read(text))


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.text())
def test_random_text(text: str) -> None:
    assert_consistent(lexer.read(text))
