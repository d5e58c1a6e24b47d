"""Names against file-name patterns, compared with the standard library's own matching."""

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.protect.patterns import is_match, is_pattern

NAMES = st.text("ab.", max_size=8)
PATTERNS = st.text("ab.*?", max_size=8)


@given(NAMES, PATTERNS)
def test_stars_and_question_marks(name: str, pattern: str) -> None:
    assert is_match(name, pattern, hidden=True) == fnmatch.fnmatchcase(name, pattern)


@pytest.mark.parametrize(
    ("name", "pattern", "expected"),
    [
        ("settings.json", "s*.json", True),
        ("settings.json", "[st]ettings.json", True),
        ("settings.json", "[!a]ettings.json", True),
        ("settings.json", "[]s]ettings.json", True),
        ("settings.json", "settings.jso[n", False),
        ("settings.json", "[[:alpha:]]*.json", True),
        ("settings.json", "[[:alpha:][:digit:]_]*.toml", False),
        ("settings.json", "*.toml", False),
        (".claude", "*", False),
        (".claude", ".*", True),
        ("a", "*" * 1000, True),
    ],
)
def test_a_shell_s_rules(name: str, pattern: str, expected: bool) -> None:
    assert is_match(name, pattern) is expected


def test_what_is_a_pattern() -> None:
    assert [is_pattern(text) for text in ("a", "a*", "a?", "[a]")] == [False, True, True, True]
