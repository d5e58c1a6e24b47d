"""`guardhook audit` and `scripts/style-audit.py`: what they print; only a wrong question is an error (SPEC T1, T4)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from guardhook.cli.audit import command
from tests.style.repository import Repository, isolate_git, made_up

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def repository(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository, current folder of the test, with a staged, an unstaged and an untracked change of prose."""
    isolate_git(monkeypatch, home)
    made = Repository(tmp_path / "work")
    made.commit(**{"a.md": "We delve.\n", "b.md": "b\n"})
    made.stage("a.md", "We delve.\nA vast plain.\nKeen.\n")
    made.write("b.md", "b\nIt is pivotal.\n")
    made.write("sub/Ü c.md", "A new realm.\n")
    monkeypatch.chdir(made.path)
    return made


def audit(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, env={"COLUMNS": "40"})


def document(*arguments: str) -> dict[str, Any]:
    result = audit("--json", *arguments)
    assert result.exit_code == 0, result.output
    parsed: dict[str, Any] = json.loads(result.stdout)
    return parsed


def places(*arguments: str) -> list[tuple[str, int]]:
    return [(item["path"], item["line"]) for item in document(*arguments)["findings"]]


@pytest.mark.usefixtures("repository")
def test_which_change() -> None:
    assert places() == [("a.md", 2), ("a.md", 3)]
    assert places("--all-lines") == [("a.md", 1), ("a.md", 2), ("a.md", 3)]
    assert places("--worktree") == [("b.md", 2), ("sub/Ü c.md", 1)]
    assert places("--base", "HEAD") == [("a.md", 2), ("a.md", 3), ("b.md", 2)]
    assert places("--base", "HEAD", "b.md") == [("b.md", 2)]
    assert places("--worktree", "sub") == [("sub/Ü c.md", 1)]
    assert places("a.md", "sub/Ü c.md") == [("a.md", 1), ("a.md", 2), ("a.md", 3), ("sub/Ü c.md", 1)]


def test_another_folder(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert places("--repo", "work") == [("a.md", 2), ("a.md", 3)]
    assert places("--repo", str(repository.path / "sub"), "--worktree", "Ü c.md") == [("sub/Ü c.md", 1)]
    assert places("--repo", "work", "sub/Ü c.md") == [("sub/Ü c.md", 1)]
    assert places("work/a.md") == [("work/a.md", 1), ("work/a.md", 2), ("work/a.md", 3)]


@pytest.mark.usefixtures("repository")
def test_document() -> None:
    report = document("--limit", "1")
    assert report["change"] == "staged changes"
    assert report["lines"] == "changed"
    assert report["files"] == [{"path": "a.md", "added_lines": [2, 3]}]
    assert report["agent_style"] is None
    assert report["count"] == 2
    assert report["findings"] == [
        {
            "path": "a.md",
            "line": 2,
            "column": 3,
            "rule": "banned words",
            "document": False,
            "detail": report["findings"][0]["detail"],
        }
    ]
    assert report["findings"][0]["detail"].startswith("vast: ")
    assert report["rules"][0] == {"rule": "banned words", "status": "ran", "why": None}
    assert {(rule["status"], rule["why"]) for rule in report["rules"][1:]} == {
        ("did not run", "agent-style is not installed")
    }
    assert len(document("--limit", "0")["findings"]) == 2


def test_page(repository: Repository, tmp_path: Path) -> None:
    body = "def _rule_12_profile(text, file_path): return [Finding('Across \\x1b[2Kthe document, x', 9)]\n"
    body += "def _rule_i(text): raise ValueError('x')\n"
    repository.stage("binary.md", b"\0")
    result = audit("--agent-style", made_up(tmp_path / "pk", "'0.8.1'", body))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Audit     staged changes: 1 prose file, 3 findings"
    assert lines[1] == "a.md"
    assert lines[2] == "  document  RULE-12       Across \\u{1b}[2Kthe document, x"
    assert lines[3].startswith("  line 2    banned words  vast: ")
    assert "Not read  binary.md: it is binary" in lines
    assert "Rules     agent-style 0.8.1" in lines
    assert "  ran          banned words, RULE-03, RULE-A, RULE-08, RULE-05, RULE-06, RULE-B, RULE-D" in lines
    assert "  did not run  RULE-I: not on a.md (ValueError: x)" in lines
    assert "can stay" in lines[-1]
    assert max(map(len, lines)) > 80  # nothing is wrapped


def test_limit(repository: Repository) -> None:
    repository.stage("many.md", "delve\n" * 60)
    page = audit("many.md").stdout
    assert (page.count("delve:"), "and 10 more; --limit 0 prints all" in page) == (50, True)
    assert audit("--limit", "0", "many.md").stdout.count("delve:") == 60
    assert audit("--limit", "2", "many.md").stdout.count("delve:") == 2
    assert len(places("many.md")) == 60


def test_nothing_to_report(repository: Repository) -> None:
    repository.commit()
    result = audit()
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "Audit     staged changes: 0 prose files, 0 findings"
    assert "the change holds no prose" in result.stdout


def test_a_wrong_question(repository: Repository, tmp_path: Path) -> None:
    cases = [
        (("--repo", str(tmp_path)), "not a git repository"),
        (("--repo", "absent"), "there is no folder absent"),
        (("--base", "no-such"), "no-such is no revision"),
        (("--base", ""), "is no revision"),
        (("absent.md",), "there is no file absent.md"),
        (("sub",), "sub is a folder"),
        (("--worktree", "--base", "HEAD"), "either --worktree or --base"),
        (("--limit", "-1"), "-1"),
    ]
    for arguments, said in cases:
        for form in ((), ("--json",)):
            result = audit(*arguments, *form)
            assert (result.exit_code, result.stdout) == (2, ""), arguments
            assert said in result.stderr


def script(*arguments: str, python: tuple[str, ...] = (sys.executable,), path: str = os.defpath) -> Any:
    argv = [*python, str(ROOT / "scripts" / "style-audit.py"), *arguments]
    return subprocess.run(argv, capture_output=True, text=True, env={**os.environ, "PATH": path}, check=False)


def test_script(repository: Repository) -> None:
    done = script("--json", "--repo", str(repository.path))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == document()
    done = script("--repo", str(repository.path), "--base", "absent")
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: style-audit.py ")
    text = (ROOT / "scripts" / "style-audit.py").read_text("utf-8")
    assert text.count("\n") <= 20


@pytest.mark.usefixtures("repository")
def test_script_without_click(tmp_path: Path) -> None:
    """A Python that lacks click hands over to an installed guardhook, or says what is needed."""
    bare = (sys.executable, "-I", "-S")
    done = script(python=bare)
    assert done.returncode == 1
    assert "install guardhook" in done.stderr
    stub = tmp_path / "bin" / "guardhook"
    stub.parent.mkdir()
    stub.write_text('#!/bin/sh\necho "$@"\n')
    stub.chmod(0o755)
    done = script("--worktree", "a b", python=bare, path=f"{stub.parent}:{os.defpath}")
    assert (done.returncode, done.stdout) == (0, "audit --worktree a b\n")
