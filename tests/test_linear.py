"""Judging takes time in proportion to the command's length, whatever it holds (SPEC A4)."""

import gc
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardhook import engine
from guardhook.call import BASH, ToolCall
from guardhook.hatches import Settings
from tests.corpus_cases import answer, payload

SMALL, LARGE = 25_000, 200_000
# Eight times the text; twelve times the time leaves room for a noisy machine, sixty-four would be quadratic.
RATIO = 12

SHAPES = [
    "echo x; ",
    "git push; ",
    "git push a$b; ",
    "git push {number}; ",
    "cd a; ",
    "cd a && ",
    "A=1 ",
    "A=1; ",
    "a{number}=1; ",
    "a=$a$a; ",
    "a+=$a; git $a; ",
    "true && a={number}; ",
    "export a=$b; ",
    "git $a{number} ",
    "a=(x y) ",
    "sudo ",
    "sudo env ",
    "xargs ",
    "git -c alias.a=b a; ",
    "find . -exec git push ';' ",
    "find . -exec rm {{}} ';' ",
    "xargs sh -c 'rm \"$1\"' ; ",
    "find . -exec sed --silent p {{}} ';' ",
    "env -C a rm b; ",
    "find . -name '*' -exec rm {{}} ';' -delete ; ",
    "cp a{number} b > c; ",
    "rm /tmp/a{number}/b ",
    "rm $HOME/{number}; ",
    "cd a; rm b; ",
    "bash -c 'git push'; ",
    "echo a | ",
    "echo a | bash; ",
    "cat | ",
    "{{a,b}} ",
    "rm -{{r,f}} x; ",
    "${{x:-a}} ",
    "for a in b c; do ",
    "gh api -f a=b ",
    "npm --tag x ",
    "cat <<E | bash\ngit push\nE\n",
]


def _seconds(command: str) -> float:
    gc.collect()
    gc.disable()  # as the launcher does
    begin = time.process_time()
    engine.decide(ToolCall("claude", "Bash", BASH, command), Settings({}))
    taken = time.process_time() - begin
    gc.enable()
    return taken


def _repeat(shape: str, size: int) -> str:
    pieces = []
    length = number = 0
    while length < size:
        pieces.append(shape.format(number=number))
        length += len(pieces[-1])
        number += 1
    return "".join(pieces)


@pytest.mark.parametrize("shape", SHAPES)
def test_time_is_linear(shape: str) -> None:
    small, large = _repeat(shape, SMALL) + "git push", _repeat(shape, LARGE) + "git push"
    before = min(_seconds(small) for _ in range(3))
    assert min(_seconds(large) for _ in range(2)) < RATIO * max(before, 0.004)


WORDS = (
    "git push rm -rf x cd a && || ; | & ( ) { } ' \" ` $ $x $( << E\n> < # \\ sudo bash -c for in do done if a=b".split(
        " "
    )
)


@given(st.lists(st.sampled_from([*WORDS, "\n"]), max_size=40), st.sampled_from(["", " "]))
@settings(max_examples=400)
def test_one_document_or_nothing_for_any_command(words: list[str], glue: str) -> None:
    decision, reason = answer(payload({"tool_name": "Bash", "tool_input": {"command": glue.join(words)}}), {})
    assert decision in ("pass", "ask", "deny")
    assert "guard.fault" not in reason
    assert "could not judge" not in reason


@given(st.binary(max_size=200))
def test_one_document_or_nothing_for_any_bytes(data: bytes) -> None:
    assert answer(data, {})[0] in ("pass", "ask", "deny", "advise")
