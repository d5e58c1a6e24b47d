"""Banned words in file tools (SPEC W4, W5): where the message says they are, and what it says to do."""

from pathlib import Path

import pytest

from guardhook import engine
from guardhook.call import EDITOR, ToolCall
from guardhook.hatches import Settings
from guardhook.prose import placing, words
from guardhook.prose.words import Hit
from guardhook.verdict import Verdict


def _call(path: Path | str, *edits: tuple[str | None, str] | tuple[str | None, str, bool]) -> ToolCall:
    call = ToolCall("claude", "Edit", EDITOR)
    call.path = str(path)
    call.edits = [(edit[0], edit[1], len(edit) > 2 and edit[2] is True) for edit in edits]
    return call


def _judge(call: ToolCall) -> Verdict | None:
    return engine.decide(call, Settings({})).verdict


def test_a_write_is_denied_with_words_lines_and_what_to_write() -> None:
    verdict = _judge(_call("/srv/a.md", (None, "one\na pivotal step\nvast, and Vast\n")))
    assert verdict is not None
    assert verdict.reason == (
        "guardhook denies this write to /srv/a.md: its text has 3 banned words: "
        '"pivotal" (line 2), "vast" (line 3) and "Vast" (line 3). '
        "Such words read as filler, and plain ones say the same.\n"
        'Suggested rewrite: the same text with other words: "pivotal" -> key, central; "vast" -> large, wide.\n'
        "Code spans are exempt, and so is text that is only carried: a file under a directory agent-io of a temporary "
        "folder. If this text must hold the word, a person can set AGENT_STYLE_HOOK=off in the env block of Claude "
        "Code's settings, and remove it again after the write."
    )


def test_many_words_are_counted() -> None:
    verdict = _judge(_call("/srv/a.md", (None, "delve\n" * 40)))
    assert verdict is not None
    assert '40 banned words: "delve" (line 1),' in verdict.reason
    assert "and 30 more." in verdict.reason


EDITS = [
    # file, edits, lines of the hits; None where the call passes
    ("a\nb\nc\n", [("b", "pivotal")], [2]),
    ("a\npivotal b\nc\n", [("c", "d")], None),  # the word was there before
    ("a\npivotal b\nc\n", [("b", "vast")], [2]),
    ("pivot b", [("b", "al")], None),
    ("pivotb", [("b", "al")], None),  # the new text alone has no such word
    ("dexation", [("x", "vast")], None),  # nor has the file
    ("pivotal b", [(" b", "ly")], None),
    ("```\nb\n```\n", [("b", "pivotal")], None),
    ("```\nb\n```\nc\n", [("c", "pivotal")], [4]),
    ("b\nb\n", [("b", "pivotal")], [1]),  # two places: the new text alone
    ("```\nb\n```\nb\n", [("b", "pivotal", True)], [4]),
    ("`b` x\n", [("b", "pivotal")], None),
    ("`b` x\n", [("`b`", "pivotal")], [1]),
    ("a\nb\n", [("a", "```"), ("b", "pivotal")], None),
    ("q\nb\n", [("b", "pivotal"), ("q", "x\n\ny")], [4]),
    ("a\nb\n", [("b", "pivotal"), ("pivotal", "fine")], None),
    ("a\nb\n", [("", "pivotal")], [1]),
    ("a\n", [("absent", "x\npivotal")], [2]),
    ("\ufeffa\r\nb\r\n", [("b", "pivotal")], [2]),
    ("```\r\na\r\nb\r\n```\r\n", [("a\nb", "pivotal")], None),
    ("a\r\nb\r\n", [("a\nb", "x\npivotal")], [2]),
]


@pytest.mark.parametrize(("text", "edits", "lines"), EDITS)
def test_an_edit_is_placed_in_its_file(
    tmp_path: Path, text: str, edits: list[tuple[str, str]], lines: list[int] | None
) -> None:
    path = tmp_path / "a.md"
    path.write_text(text, "utf-8", newline="")
    verdict = _judge(_call(path, *edits))
    if lines is None:
        assert verdict is None, verdict.reason
    else:
        assert verdict is not None
        for line in lines:
            assert f"(line {line})" in verdict.reason


def test_a_file_that_is_no_text_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "d.md").mkdir()
    assert _judge(_call(tmp_path / "d.md", ("b", "fine"))) is None
    verdict = _judge(_call(tmp_path / "d.md", ("b", "pivotal")))
    assert verdict is not None
    assert verdict.code == "prose.word"


@pytest.mark.parametrize("text", ["", "x", "ab" * 50, "aXbXc"])
@pytest.mark.parametrize("new", ["", "Y", "long text"])
def test_placing_is_what_the_edit_does(text: str, new: str) -> None:
    placed = placing.place(text, [("X", new, True)]) if "X" in text else None
    if placed is not None:
        result, spans = placed
        assert result == text.replace("X", new)
        assert [result[start:end] for start, end in spans] == [new] * text.count("X")


def test_spans_move_with_later_edits() -> None:
    placed = placing.place("a b c", [("b", "BBB", False), ("a", "AAAAA", False), ("c", "", False)])
    assert placed is not None
    result, spans = placed
    assert result == "AAAAA BBB "
    assert [result[start:end] for start, end in spans] == ["AAAAA", "BBB", ""]


def test_an_edit_inside_an_earlier_one_counts_once() -> None:
    placed = placing.place("x", [("x", "one two three", False), ("two", "2", False)])
    assert placed is not None
    result, spans = placed
    assert result == "one 2 three"
    hits = [Hit(letter, 1, at + 1, "", at) for at, letter in enumerate(result)]
    assert placing.written(hits, spans) == hits


def test_only_hits_in_the_new_text_count() -> None:
    hits = [Hit("ab", 1, 1, "", start) for start in (0, 4, 5, 9, 12)]
    assert [hit.start for hit in placing.written(hits, [(2, 3), (5, 6), (5, 8), (10, 10), (13, 20)])] == [4, 5, 12]


def test_many_places_take_time_in_proportion() -> None:
    placed = placing.place("x y\n" * 25_000, [("x", "vast", True), ("y", "z", True)])
    assert placed is not None
    assert len(placing.written(words.hits(placed[0]), placed[1])) == 25_000
