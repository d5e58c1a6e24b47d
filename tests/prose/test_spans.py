"""Blanking in general: what it must keep, whatever the text holds (SPEC W3)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardhook.prose.spans import blank
from guardhook.prose.words import hits

EXTENSIONS = (".md", ".rst", ".txt", ".tex")

PIECES = (
    "` `` ``` ~~~ ~~~~ > - 1. # :: \\ \\` \\verb \\verb* | \\texttt { } % \\begin{verbatim} \\end{verbatim} "
    "\\begin{minted*} \\end{minted*} .. * = --- pivotal delve x_ é İ \0 \ud800 \r \r\n"
).split(" ")
TEXTS = (
    st.lists(st.sampled_from([*PIECES, " ", "  ", "    ", "\t", "\n", "\n\n"]), max_size=40).map("".join) | st.text()
)


@given(TEXTS, st.sampled_from(EXTENSIONS))
@settings(max_examples=600)
def test_only_blanks_are_put_in(text: str, extension: str) -> None:
    got = blank(text, extension)
    assert len(got) == len(text)
    for before, after in zip(text, got, strict=True):
        assert after == before or (after == " " and before not in "\r\n")


@given(TEXTS, st.sampled_from(EXTENSIONS))
@settings(max_examples=600)
def test_blanking_adds_no_hit(text: str, extension: str) -> None:
    """So a gate need not look for code in a text without hits."""
    before = {(hit.start, hit.word) for hit in hits(text)}
    assert {(hit.start, hit.word) for hit in hits(blank(text, extension))} <= before


@given(TEXTS)
@settings(max_examples=300)
def test_line_ends_make_no_difference(text: str) -> None:
    text = text.replace("\r", "")
    for extension in EXTENSIONS:
        marked = blank(text.replace("\n", "\r\n"), extension)
        assert marked.replace("\r\n", "\n") == blank(text, extension)


@pytest.mark.parametrize(
    ("extension", "text", "expected"),
    [
        (".md", "a `b\nc` d", "a   \n   d"),
        (".md", "> `b\n> c` d", ">   \n>    d"),
        (".md", "```x\n\tb\r\n```\r\nc", "    \n\t \r\n   \r\nc"),
        (".tex", "\\begin{verbatim}a\nb\\end{verbatim}", "\\begin{verbatim} \n \\end{verbatim}"),
        (".rst", "a::\n\n  b\n\n  c\nd", "a::\n\n   \n\n   \nd"),
        (".md", "", ""),
        (".tex", "", ""),
        (".rst", "", ""),
    ],
)
def test_line_ends_stay(extension: str, text: str, expected: str) -> None:
    assert blank(text, extension) == expected
