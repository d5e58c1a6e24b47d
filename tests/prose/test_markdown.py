"""Fences and inline code of Markdown, by hand and beside markdown-it-py (SPEC W3)."""

import re

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from guardhook.prose.spans import blank
from tests.prose.documents import Writer

WORD = re.compile(r"w\d+w")

# (document, the words that are left): `c…` stands in code, `t…` is text.
READINGS = [
    ("`c` t", "t"),
    ("`` c ` c `` t", "t"),
    ("``` c ``` t", "t"),
    ("`t", "t"),
    ("a `` t ` u", "a t u"),
    ("\\`t`", "t"),
    ("\\\\`c` t", "t"),
    ("\\``c` t", "t"),
    ("`c\\` t", "t"),
    ("`c\nc` t", "t"),
    ("`t\n\nt`", "t t"),
    ("`t\n# t`\nt", "t t t"),
    ("`t\n***\nt`", "t t"),
    ("`t\n===\nt`", "t t"),
    ("`t\n---\nt`", "t t"),
    ("`t\n- t`", "t t"),
    ("`c\n2. c`", ""),
    ("`c\n+\n c`", ""),
    ("`t\n> t`", "t t"),
    ("> `c\nc` t", "t"),
    ("> `c\n> c` t", "t"),
    ("> - `c\n  c` t", "t"),
    ("# `c` t `t", "t t"),
    ("####### `c\nc`", ""),
    ("```\nc\n```\nt", "t"),
    ("``` c c\nc\n```\nt", "t"),
    ("``` t` t\nt", "t t t"),
    ("~~~ c ` c\nc\n~~~\nt", "t"),
    ("```\nc\n~~~\nc\n``` c\nc", ""),
    ("````\nc\n```\nc\n`````   \nt", "t"),
    ("   ```\nc\n   ```\nt", "t"),
    ("```\nc\n    ```\nc", ""),
    ("``\nc\n``\nt", "t"),
    ("~~\nt\n~~", "t"),
    ("t\n```\nc\n```\nt", "t t"),
    ("`t\n```\nc", "t"),
    ("> ```\n> c\nt", "t"),
    ("> ```\n> c\n> ```\n> t", "t"),
    ("> ```\n>\n> c\n\nt", "t"),
    ("- ```\n  c\n\n  c\n  ```\n  t", "t"),
    ("- ```\n  c\nt", "t"),
    ("- a\n  - b\n\n    ```\n    c\n    ```\n    t", "a b t"),
    ("1. ```\n   c\n  t", "t"),
    ("10) ```\n    c", ""),
    ("1234567890. ```\nt", "t"),
    ("-\n  ```\n  c", ""),
    ("-\n\n  ```\n  c\n  ```\n  t", "t"),
    ("-\n\n    ``` t\n    t", "t t"),
    ("-     ```\n      t\n  ``", "t"),
    ("-\t```\n\tc\nt", "t"),
    (">\t```\n> c\n\nt", "t"),
    ("* * *\n```\nc", ""),
    ("```\nc\r\n```\r\nt", "t"),
    ("```\rc\r```\rt", "t"),
    ("```\r\nc\r\n```\r\nt\r\n", "t"),
    ("\\texttt{t}", "texttt t"),
    ("---\ntitle: t\n---\n", "title t"),
    ("    t\n\nt", "t t"),
    ("```", ""),
    ("`", ""),
]


@pytest.mark.parametrize(("document", "left"), READINGS)
def test_reading(document: str, left: str) -> None:
    assert " ".join(re.findall("[a-z]+", blank(document, ".md"))) == left


@pytest.mark.parametrize(("document", "left"), READINGS)
def test_txt_and_rst_follow(document: str, left: str) -> None:
    for extension in (".txt", ".rst"):
        assert blank(document, extension) == blank(document, ".md")


def _code(document: str) -> tuple[set[str], set[str]]:
    """(words in fences and inline code, words in what SPEC W3 leaves as text or has no word for)."""
    code: set[str] = set()
    other: set[str] = set()

    def walk(tokens: list[Token]) -> None:
        for token in tokens:
            if token.type in ("fence", "code_inline"):
                code.update(WORD.findall(token.content + token.info))
            elif token.type == "code_block":  # indented code
                other.update(WORD.findall(token.content))
            walk(token.children or [])

    walk(MarkdownIt("commonmark").parse(document))
    return code, other


# A line that is indented four columns or more and then begins like a block. Where it follows a paragraph of a quote or
# item that it is not in, CommonMark has it continue that paragraph; markdown-it-py begins a block or goes on with the
# quote instead. commonmark.js's Python port reads those lines as we do.
OUTDENTED = re.compile(r"(?: {4}|\t)[ \t]*(?:[->#*+=_]|~~|`{3}|\d+[.)])")
DOCUMENTS = 3000


def test_same_code_as_markdown_it() -> None:
    seen_code = seen_text = 0
    apart = []
    for seed in range(DOCUMENTS):
        document = Writer(seed).document()
        left = set(WORD.findall(blank(document, ".md")))
        blanked = set(WORD.findall(document)) - left
        code, other = _code(document)
        seen_code += len(code)
        seen_text += len(left)
        if (blanked ^ code) - other:
            apart.append((seed, document))
    assert [(seed, document) for seed, document in apart if not OUTDENTED.search(document)] == []
    assert len(apart) < DOCUMENTS / 100
    assert min(seen_code, seen_text) > 2 * DOCUMENTS


# What SPEC W3 does not exempt although CommonMark reads no prose there, or reads backticks as something else:
# (document, the words that are left).
DEPARTURES = {
    "indented code is text": ("w1w\n\n    w2w\n", "w1w w2w"),
    "backticks in indented code are inline code": ("    `w1w` w2w\n", "w2w"),
    "a fence in an HTML block is one": ("<div>\n```\nw1w\n```\n</div>\n", "div div"),
    "backticks in HTML are inline code": ('<b a="`w1w`">w2w</b>', "b a w2w b"),
    "backticks in an autolink are inline code": ("<https://`w1w`>", "https"),
    "backticks in a link target are inline code": ("[w1w](`w2w`)", "w1w"),
    "backticks in a reference are inline code": ("[w1w]: `w2w`\n", "w1w"),
}


@pytest.mark.parametrize("name", DEPARTURES)
def test_departures(name: str) -> None:
    document, left = DEPARTURES[name]
    got = blank(document, ".md")
    assert " ".join(re.findall(r"\w+", got)) == left
    code, other = _code(document)
    blanked = set(WORD.findall(document)) - set(WORD.findall(got))
    assert blanked != code | other
