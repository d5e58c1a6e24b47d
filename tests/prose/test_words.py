"""The word table and its matcher (SPEC W2)."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.prose.table import TABLE
from guardhook.prose.words import hits

FORMS = [(form, replacement) for _, forms, replacement in TABLE for form in forms]

MATCHES = [
    "A VAST change",
    "Vast",
    "vast's",
    "vast/keen",
    "“pivotal”",
    "(pivotal)",
    "pre-game-changing",
    "pivotal-ish",
    "non-pivotal",
    "**pivotal**",
    "delve\u200b",
    "delve\u0301",
    "x\tdelve\r\n",
    "\ud800delve",
    "\0delve\0",
    "İ delve",
    "PIVOTAL",
    "\u212aeen",
]

MISSES = [
    "faceted",
    "multi-faceted",
    "honest",
    "vastness",
    "vastly",
    "evastate",
    "pivotal_x",
    "_pivotal",
    "pivotal2",
    "2pivotal",
    "ævast",
    "vasté",
    "vast文",
    "İpivotal",
    "pivotalİ",
    "game changing",
    "game‑changing",
    "game-changer",
    "game-changingly",
    "endgame-changing",
    "pіvotal",
    "del\u00advé",
    "harmonise",
    "Vas t pivot al",
    "delvedelve",
    "",
]


@pytest.mark.parametrize("text", MATCHES)
def test_matches(text: str) -> None:
    assert hits(text)


@pytest.mark.parametrize("text", MISSES)
def test_misses(text: str) -> None:
    assert not hits(text)


@pytest.mark.parametrize(("form", "replacement"), FORMS)
def test_every_form_fires_alone_and_passes_inside_another_word(form: str, replacement: str) -> None:
    for word in (form, form.upper(), form.capitalize()):
        for shape in ("{}", "It {} here.", "({})", "- {}\n", "a {}, b", "“{}”", "x-{}"):
            (hit,) = hits(shape.format(word))
            assert (hit.word, hit.replacement) == (word, replacement)
        for shape in ("a{}", "{}_", "_{}", "{}x", "7{}", "{}7", "é{}", "{}é", "{}ness"):
            assert not hits(shape.format(word))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_only_listed_endings(row: tuple[str, tuple[str, ...], str]) -> None:
    stem, forms, _ = row
    built = [stem + ending for ending in ("", "e", "s", "es", "ed", "ing", "er", "ly", "ation", "al")]
    assert [word for word in built if hits(word)] == [word for word in built if word in forms]


def test_table() -> None:
    assert len(TABLE) == 45
    every = [form for _, forms, _ in TABLE for form in forms]
    assert len(every) == len(set(every))
    for stem, forms, replacement in TABLE:
        longest = max(length for length in range(99) if len({form[:length] for form in forms}) == 1)
        assert forms[0][:longest] == stem
        assert all(re.fullmatch("[a-z]+(-[a-z]+)*", form) for form in forms)
        assert not hits(replacement), "a replacement is not banned itself"


def test_places() -> None:
    text = "One pivotal\r\nline.\n\nİ and a VAST realm, game-changing."
    found = [(hit.word, hit.line, hit.column, hit.replacement) for hit in hits(text)]
    assert found == [
        ("pivotal", 1, 5, "key, central"),
        ("VAST", 4, 9, "large, wide"),
        ("realm", 4, 14, "area, field"),
        ("game-changing", 4, 21, "major"),
    ]
    assert all(text[hit.start :].startswith(hit.word) for hit in hits(text))


def test_another_table() -> None:
    (hit,) = hits("A state-of-the-art thing, pivotal.", (("state-of-the-art", ("state-of-the-art",), "new"),))
    assert (hit.word, hit.replacement) == ("state-of-the-art", "new")


def test_one_letter_alone_changes_length_when_lowered() -> None:
    assert [code for code in range(sys.maxunicode + 1) if len(chr(code).lower()) != 1] == [0x130]


PIECES = [form for form, _ in FORMS] + [" ", "-", "_", "\n", "\r\n", "\0", "\ud800", "İ", "é", "e", "7", ".", "'"]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text())
def test_as_a_pattern_would(text: str) -> None:
    """The same by another way: one alternation of all forms, between characters that are no part of a word."""
    lowered = text.replace("İ", "ı").lower()
    forms = sorted((re.escape(form) for form, _ in FORMS), key=len, reverse=True)
    pattern = re.compile(rf"(?<![^\W]){'(?:' + '|'.join(forms) + ')'}(?![^\W])")
    expected = [(found.start(), text[found.start() : found.end()]) for found in pattern.finditer(lowered)]
    got = hits(text)
    assert [(hit.start, hit.word) for hit in got] == expected
    for hit in got:
        before = text[: hit.start]
        assert hit.line == before.count("\n") + 1
        assert hit.column == len(before) - (before.rfind("\n") + 1) + 1
