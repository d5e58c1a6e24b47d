"""Prose takes time in proportion to its length, whatever it holds (SPEC A4, W3)."""

import gc
import time
from collections.abc import Callable

import pytest

from guardhook.prose.spans import blank
from guardhook.prose.words import hits

SMALL, LARGE = 30_000, 240_000
# Eight times the text; twelve times the time leaves room for a noisy machine, sixty-four would be quadratic.
RATIO = 12

# What a document consists of: a piece that is repeated, or a function of the piece's number.
MARKDOWN: dict[str, str | Callable[[int], str]] = {
    "quotes": "> a `b` c\n",
    "open quotes": ">",
    "nested items": "- ",
    "items with blank lines": "- a\n\n\n\n",
    "fences": "```\na\n```\n",
    "open fences": lambda number: "`" * (3 + number % 50) + "\na\n",
    "tilde fences of growing length": lambda number: "~" * (3 + number % 200) + "\n",
    "runs that never close": lambda number: "`" * (number % 300 + 1) + "a",
    "runs that close": lambda number: "`" * (number % 300 + 1) + "a" + "`" * (number % 300 + 1) + " ",
    "runs of all lengths, each once": lambda number: "`" * number + " ",
    "backticks": "`",
    "single runs": "` a\n",
    "escapes": "\\`",
    "backslashes": "\\",
    "blanks": " ",
    "tabs and marks": "\t>",
    "rules": "- - - ",
    "headings": "# `a` `\n",
    "lines": "a\n",
    "carriage returns": "`a\r",
}
RST: dict[str, str | Callable[[int], str]] = {
    "literal blocks": "a::\n\n  b\n\n",
    "announcements": "a::\n",
    "announcements with blanks": "a::\n\n",
    "an open block": lambda number: "  b\n\n" if number else "a::\n\n",
}
TEX: dict[str, str | Callable[[int], str]] = {
    "verbatims": "\\begin{verbatim}\na\n\\end{verbatim}\n",
    "open verbatims": "\\begin{verbatim}\n",
    "begins": "\\begin{",
    "begins without brace": "\\begin",
    "texttt": "\\texttt{a}",
    "open texttt": "\\texttt{",
    "open texttt, one a line": "\\texttt{\n",
    "texttt and blanks": "\\texttt ",
    "braces": "{",
    "closed braces": "}",
    "verbs": "\\verb|a|",
    "open verbs of many marks": lambda number: "\\verb" + chr(0xF0000 + number % 60000),
    "open verbs, one a line": "\\verb|\n",
    "comments": "% {\n",
    "a comment": "%{}",
    "backslashes": "\\",
    "letters": "\\a",
}
WORDS: dict[str, str | Callable[[int], str]] = {
    "hits": "vast ",
    "hits by line": "pivotal\n",
    "hits without end": "vast-",
    "stems": "hon",
    "stems apart": "hon ",
    "one word": "vast",
    "game": "game-",
    "long letters": "İ",
}

# Where one part of a document makes the other dear: a function of the size.
WHOLE: dict[str, Callable[[int], str]] = {
    "deep items, then blank lines": lambda size: "1. " * (size // 6) + "a" + "\n" * (size // 2),
    "deep quotes, then text": lambda size: ">" * (size // 2) + "a\n" * (size // 4),
    "deep items and a quote, then marks": lambda size: "> " + "1. " * (size // 6) + "a" + "\n>" * (size // 4),
    "a long fence, then short ones": lambda size: "`" * (size // 2) + "\n" + "```\n" * (size // 8),
    "a long run, then short ones": lambda size: "a" + "`" * (size // 2) + "\n" + "` `` " * (size // 10),
}
CASES = [
    *((f".md {name}", piece, ".md") for name, piece in MARKDOWN.items()),
    *((f".rst {name}", piece, ".rst") for name, piece in RST.items()),
    *((f".tex {name}", piece, ".tex") for name, piece in TEX.items()),
    *((f"words: {name}", piece, "") for name, piece in WORDS.items()),
]


def _document(piece: str | Callable[[int], str], size: int) -> str:
    if isinstance(piece, str):
        return piece * (size // len(piece))
    pieces: list[str] = []
    length = number = 0
    while length < size:
        pieces.append(piece(number))
        length += len(pieces[-1])
        number += 1
    return "".join(pieces)


def _seconds(text: str, extension: str) -> float:
    gc.collect()
    gc.disable()  # as the launcher does
    begin = time.process_time()
    if extension:
        blank(text + "\n`a`", extension)  # without a backtick Markdown is not even read
    else:
        hits(text)
    taken = time.process_time() - begin
    gc.enable()
    return taken


@pytest.mark.parametrize(("piece", "extension"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_time_is_linear(piece: str | Callable[[int], str], extension: str) -> None:
    _assert_linear(_document(piece, SMALL), _document(piece, LARGE), extension)


@pytest.mark.parametrize("name", WHOLE)
def test_time_is_linear_in_parts(name: str) -> None:
    _assert_linear(WHOLE[name](SMALL), WHOLE[name](LARGE), ".md")


def _assert_linear(small: str, large: str, extension: str) -> None:
    before = min(_seconds(small, extension) for _ in range(3))
    assert min(_seconds(large, extension) for _ in range(2)) < RATIO * max(before, 0.002)
