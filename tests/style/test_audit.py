"""The audit: the hook's set and the banned words over a change, limited to its lines (SPEC T1-T4)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from guardhook.style import audit, changes, releases
from guardhook.style.audit import DID_NOT_RUN, IN_PART, RAN, WORDS, Report
from tests.style.repository import Repository, made_up

Release = Callable[[str], str]
Found = tuple[str, str, int, bool]


def staged(repository: Repository, folder: str, all_lines: bool = False) -> Report:
    return audit.audit(changes.Repository(str(repository.path), []).staged(), (folder,), all_lines)


def found(report: Report) -> list[Found]:
    return [(item.path, item.rule, item.line, item.document) for item in report.findings]


def went(report: Report) -> dict[str, tuple[str, str]]:
    return {rule.name: (rule.status, rule.why) for rule in report.rules}


FORTY = "word " * 40 + "end."
NINETY = "word " * 90 + "end."


@pytest.mark.parametrize(("version", "rule_12"), [("0.7.0", [1, 3]), ("0.8.0", [3]), ("0.9.0", [3])])
def test_t2_rule_12_comes_from_the_profile_where_there_is_one(
    release: Release, repository: Repository, version: str, rule_12: list[int]
) -> None:
    repository.stage("a.md", f"{FORTY}\n\n{NINETY}\n")
    report = staged(repository, release(version))
    profile = version != "0.7.0"
    assert found(report) == [("a.md", "RULE-12", line, profile) for line in rule_12]
    status, why = went(report)["RULE-12"]
    assert (status, "profile" in why) == (RAN, profile)
    assert report.version == version


CAVEAT = "These results do not establish a causal effect of sleep on memory in adults.\n\n"


def _paper(first: str, changed: str) -> str:
    """A whole LaTeX document of 60 short sentences; `first` is one early paragraph, `changed` the last."""
    body = "".join(f"We measured the group number {number} twice in the lab.\n\n" for number in range(60))
    head = "\\documentclass{article}\n\\begin{document}\n\\section{Introduction}\n"
    return f"{head}{first}\n\n{body}{changed}\n\\end{{document}}\n"


@pytest.mark.parametrize("version", ["0.8.0", "0.9.0"])
def test_t3_what_is_about_the_document_stays(release: Release, repository: Repository, version: str) -> None:
    old = f"This paves the way, and we delve into it. It doesn't stop.\n\n{NINETY}\n\n" + CAVEAT * 3
    repository.commit(a__tex=_paper(old, "The end is near."))
    repository.stage("a.tex", _paper(old, "The end paves the way, so we delve on."))
    folder = release(version)
    report = staged(repository, folder)
    last = _paper(old, "").count("\n") - 1
    places = [(item.rule, item.line) for item in report.findings if not item.document]
    assert sorted(places) == [("RULE-05", last), ("RULE-06", last), (WORDS, last), (WORDS, last)]
    documents = [item for item in report.findings if item.document]
    assert [item.rule for item in documents if item.detail.startswith("Across the document, ")] == [
        "RULE-12",
        "RULE-08",
    ]
    assert [item.line for item in documents if "91 words" in item.detail] == [6], "anchored at an unchanged line"
    everything = [item[1] for item in found(staged(repository, folder, all_lines=True)) if item[2] == 4]
    assert sorted(everything) == sorted(["RULE-05", "RULE-06", "RULE-I", WORDS, WORDS, "RULE-12"])


def test_t3_a_document_without_a_change_is_not_read(release: Release, repository: Repository) -> None:
    repository.commit(a__tex=_paper(NINETY, "The end."), b__md="x\n")
    repository.stage("b.md", "x\ny\n")
    assert found(staged(repository, release("0.9.0"))) == []


@pytest.mark.parametrize("version", ["0.5.0", "0.6.0", "0.7.0", "0.8.0", "0.9.0"])
def test_t4_every_rule_is_named(release: Release, repository: Repository, version: str) -> None:
    repository.stage("a.md", "A text.\n")
    report = staged(repository, release(version))
    ran = {row.label for row in releases.detectors(version)}
    later = dict(releases.absent(version))
    assert {name for name, (status, _) in went(report).items() if status == RAN} == ran | {WORDS}
    expected = {name: (DID_NOT_RUN, f"it comes with agent-style {first}") for name, first in later.items()}
    assert {name: how for name, how in went(report).items() if how[0] != RAN} == expected
    assert len(ran | set(later)) == 9


def test_words_and_lines(repository: Repository, tmp_path: Path) -> None:
    folder = made_up(tmp_path / "pk", "'0.9'")
    repository.commit(a__md="We delve.\nfine\n`delve`\n")
    repository.stage("a.md", "We delve.\r\nWe Delve, vast\x0cly.\r\n`delve`\r\n")
    repository.stage("b.tex", b"\xef\xbb\xbfdelve \\texttt{delve}\n\xff\xfe pivotal\n")
    report = staged(repository, folder)
    assert [(item.path, item.line, item.column, item.detail.partition(":")[0]) for item in report.findings] == [
        ("a.md", 2, 4, "Delve"),
        ("a.md", 2, 11, "vast"),
        ("b.tex", 1, 1, "delve"),
        ("b.tex", 2, 4, "pivotal"),
    ]
    assert "look into" in report.findings[0].detail
    assert [item.line for item in staged(repository, folder, all_lines=True).findings] == [1, 2, 2, 1, 2]


def test_no_package_and_no_prose(repository: Repository, tmp_path: Path) -> None:
    empty = staged(repository, str(tmp_path))
    assert set(went(empty).values()) == {(DID_NOT_RUN, "the change holds no prose")}
    repository.stage("a.md", "delve\n")
    report = staged(repository, str(tmp_path))
    assert [item.rule for item in report.findings] == [WORDS]
    assert went(report) == {
        WORDS: (RAN, ""),
        **{row.label: (DID_NOT_RUN, "agent-style is not installed") for row in releases.SETS[0][1]},
    }


def test_a_rule_that_fails_is_named_and_the_others_count(
    repository: Repository, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    body = "def _rule_i(text):\n    if 'bad' in text: raise ValueError('no\\nidea')\n    return [Finding('i', 1)]\n"
    body += "def _rule_b(text): raise SystemExit(2)\ndef _rule_05(text): print('x'); return [Finding('five', 1)]"
    folder = made_up(tmp_path / "pk", "'0.7'", body, without="_rule_d")
    repository.stage("a.md", "good\n")
    repository.stage("b.md", "this is bad\n")
    report = staged(repository, folder)
    assert [(path, rule) for path, rule, *_ in found(report)] == [
        ("a.md", "RULE-05"),
        ("a.md", "RULE-I"),
        ("b.md", "RULE-05"),
    ]
    rules = went(report)
    assert rules["RULE-I"] == (IN_PART, "not on b.md (ValueError: no ⏎ idea)")
    assert rules["RULE-B"] == (DID_NOT_RUN, "not on a.md (SystemExit: 2), b.md (SystemExit: 2)")
    assert rules["RULE-D"] == (DID_NOT_RUN, "this agent-style lacks _rule_d, which its release should have")
    assert rules["RULE-08"] == (DID_NOT_RUN, "it comes with agent-style 0.8.0")
    assert rules["RULE-05"] == (RAN, "")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("act", "cause"),
    [
        ("import os; os._exit(0)", "the package ended the process it ran in"),
        ("while True: pass", "the package gave no answer for 0.5 s"),
    ],
)
def test_a_package_that_goes_down(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str, cause: str
) -> None:
    monkeypatch.setattr(audit, "SILENCE", 0.5)
    body = (
        f"def _rule_05(text): return [Finding('five', 1)]\ndef _rule_06(text):\n    if 'bad' in text:\n        {act}\n"
    )
    folder = made_up(tmp_path / "pk", "''", body + "    return []\n")
    repository.stage("c.md", "short\n")
    repository.stage("b.md", "this is bad\n")
    repository.stage("a.md", "this comes last, for its length\n")
    report = staged(repository, folder)
    assert [(path, rule) for path, rule, *_ in found(report)] == [("b.md", "RULE-05"), ("c.md", "RULE-05")]
    rules = went(report)
    assert rules["RULE-06"] == (IN_PART, f"not on a.md (it was not reached), b.md ({cause})")
    assert rules["RULE-05"] == (IN_PART, "not on a.md (it was not reached)")
    assert rules["RULE-12"] == (IN_PART, "not on a.md (it was not reached), b.md (it was not reached)")
    assert rules[WORDS] == (RAN, "")


@pytest.mark.parametrize("init", ["import os; os._exit(0)", "raise RuntimeError('x')", "import sys; sys.exit()"])
def test_a_package_that_cannot_be_imported(repository: Repository, tmp_path: Path, init: str) -> None:
    repository.stage("a.md", "delve\n")
    report = staged(repository, made_up(tmp_path / "pk", "''", init=init))
    causes = {why for name, (status, why) in went(report).items() if status == DID_NOT_RUN}
    expected = {
        "os._exit": "the package ended the process it ran in",
        "raise": "RuntimeError: x",
        "sys.exit": "SystemExit",
    }
    assert causes == {next(why for name, why in expected.items() if name in init)}
    assert [item.rule for item in report.findings] == [WORDS]


def test_carried_text(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder agent-io ends the style rules anywhere, the banned words only outside every repository (SPEC I1, I2)."""
    folder = made_up(tmp_path / "pk", "''", "def _rule_05(text): return [Finding('five', 1)]")
    repository.stage("Agent-IO/a.md", "delve\n")
    repository.stage("b.md", "fine\n")
    report = staged(repository, folder)
    assert [(path, rule) for path, rule, *_ in found(report)] == [("Agent-IO/a.md", WORDS), ("b.md", "RULE-05")]
    why = "not on Agent-IO/a.md (carried text, in a folder agent-io)"
    assert went(report)["RULE-05"] == (IN_PART, why)
    assert went(report)[WORDS] == (RAN, "")
    scratch = tmp_path / "tmp" / "agent-io"
    scratch.mkdir()
    (scratch / "c.md").write_text("delve\n")
    report = audit.audit(changes.named(str(scratch), ["c.md"]), (folder,))
    assert (found(report), {status for status, _ in went(report).values()}) == ([], {DID_NOT_RUN})


@pytest.mark.usefixtures("without_fork")
def test_without_fork(repository: Repository, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    body = "def _rule_05(text): print('x'); return [Finding('five', 1)]\ndef _rule_06(text): raise SystemExit"
    repository.stage("a.md", "fine\n")
    report = staged(repository, made_up(tmp_path / "pk", "'0.9'", body, without="_rule_i"))
    assert found(report) == [("a.md", "RULE-05", 1, False)]
    assert {name for name, (status, _) in went(report).items() if status == DID_NOT_RUN} == {"RULE-06", "RULE-I"}
    assert capfd.readouterr() == ("", "")


def test_the_detector_gets_the_place_of_the_file(repository: Repository, tmp_path: Path) -> None:
    body = "def _rule_03(text, file_path): return [Finding(file_path, 1)]"
    repository.stage("sub/a.md", "x\n")
    report = staged(repository, made_up(tmp_path / "pk", "'0.6'", body))
    assert [item.detail for item in report.findings] == [str(repository.path.resolve() / "sub/a.md")]
