"""The table of findings, and the page that shows it to people."""

import re
from pathlib import Path

import pytest

from guardhook.health import findings
from guardhook.health.findings import FAULT, INSTALL, WARNING, Finding, Row

PAGE = Path(__file__).parents[2] / "docs" / "doctor.md"


def test_the_page_has_the_table() -> None:
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    rows = [
        f"| `{row.code}` | {row.severity} | {row.meaning} | {row.mend.format(file='FILE')} |"
        for row in findings.ROWS.values()
    ]
    assert lines == rows


@pytest.mark.parametrize("row", findings.ROWS.values(), ids=lambda row: row.code)
def test_a_row_is_one_line_of_plain_words(row: Row) -> None:
    assert re.fullmatch(r"[a-z]+\.[a-z-]+", row.code)
    assert row.severity in (FAULT, WARNING)
    for text in (row.meaning, row.mend):
        assert text
        assert "|" not in text and "\n" not in text and not text.endswith(".")


def test_a_finding_names_its_file_in_the_step() -> None:
    finding = Finding("claude.disabled", "/h/settings.json", "seen")
    assert finding.mend == 'take "disableAllHooks" out of /h/settings.json'
    assert finding.value() == {
        "code": "claude.disabled",
        "severity": FAULT,
        "file": "/h/settings.json",
        "meaning": "every hook is switched off",
        "detail": "seen",
        "mend": finding.mend,
    }
    assert Finding("guard.empty", "/h/guard.py").mend == INSTALL
    assert Finding("hatch.environment", mend="unset X").mend == "unset X"


def test_what_one_step_mends_is_one_finding() -> None:
    found = [
        Finding("claude.twice", "/a", "one"),
        Finding("claude.twice", "/b", "two"),
        Finding("claude.twice", "/a", "three"),
        Finding("claude.twice", "/a", "", "another step"),
    ]
    assert [(one.file, one.detail) for one in findings.joined(found)] == [
        ("/a", "one; three"),
        ("/b", "two"),
        ("/a", ""),
    ]


def test_a_code_without_a_row_is_an_error() -> None:
    with pytest.raises(KeyError):
        Finding("guard.unknown")
