"""scripts/merge_codex_hooks.py as a process: the registration by itself (SPEC X1, X2)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from guardhook.install import codex_merge

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts" / "merge_codex_hooks.py"


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Path:
    (tmp_path / "home" / ".codex").mkdir(parents=True)
    return tmp_path / "home"


def merge(home: Path, *options: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    env = {"PATH": "/usr/bin:/bin", "HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8", **environment}
    return subprocess.run(
        [sys.executable, "-S", str(SCRIPT), *options], env=env, cwd=home, capture_output=True, text=True, check=False
    )


def test_it_is_short_and_needs_no_site_packages(home: Path) -> None:
    assert SCRIPT.read_text().count("\n") <= 20
    run = merge(home)
    assert (run.returncode, run.stderr) == (0, "")


def test_one_group_is_added_once_and_the_reminder_comes_each_time(home: Path) -> None:
    hooks = home / ".codex" / "hooks.json"
    hooks.write_text('{"hooks": {"PreToolUse": [{"hooks": []}]}}')
    first = merge(home, CLAUDE_CONFIG_DIR=str(home / "claude"))
    groups = json.loads(hooks.read_text())["hooks"]["PreToolUse"]
    (handler,) = groups[1]["hooks"]
    assert (groups[0], groups[1]["matcher"]) == ({"hooks": []}, "Bash|apply_patch")
    assert handler["command"].endswith(f" -I -S {home}/claude/hooks/guard.py --agent codex")
    before = hooks.read_bytes(), sorted(path.name for path in hooks.parent.iterdir())
    second = merge(home, CLAUDE_CONFIG_DIR=str(home / "claude"))
    assert (hooks.read_bytes(), sorted(path.name for path in hooks.parent.iterdir())) == before
    assert len(before[1]) == 2  # the file and its dated copy
    assert "the guard's group is added" in first.stdout and "unchanged" in second.stdout
    for run in (first, second):
        assert "Codex does not run the guard yet (untrusted)" in run.stdout
        assert f"{home}/claude/hooks/guard.py is not there yet" in run.stdout


def test_without_a_codex_home_it_is_skipped_and_said(home: Path) -> None:
    (home / ".codex").rmdir()
    run = merge(home)
    assert (run.returncode, run.stdout) == (0, f"Codex: skipped: there is no {home}/.codex\n")
    assert list(home.iterdir()) == []


def test_codex_home_is_heeded(home: Path) -> None:
    (home / "other").mkdir()
    merge(home, CODEX_HOME=str(home / "other"))
    assert (home / "other" / "hooks.json").exists()
    assert list((home / ".codex").iterdir()) == []


def test_a_file_that_codex_refuses_is_named_and_left_alone(home: Path) -> None:
    hooks = home / ".codex" / "hooks.json"
    hooks.write_text('{"$schema": "x", "hooks": {}}')
    run = merge(home)
    assert run.returncode == 1
    assert f"{hooks} was left as it is" in run.stdout and "line 1, column 2" in run.stdout
    assert hooks.read_text() == '{"$schema": "x", "hooks": {}}'
    assert [path.name for path in hooks.parent.iterdir()] == ["hooks.json"]


def test_failing_closed_is_kept_by_later_runs(home: Path) -> None:
    hooks = home / ".codex" / "hooks.json"
    merge(home, "--codex-fail-closed")
    before = hooks.read_bytes()
    assert b"/bin/sh -c" in before
    merge(home)
    assert hooks.read_bytes() == before


def test_an_unknown_option_is_refused(home: Path) -> None:
    run = merge(home, "--all")
    assert (run.returncode, run.stdout) == (2, "")
    assert list((home / ".codex").iterdir()) == []


def test_on_windows_only_when_asked_for(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("HOME", "TMPDIR"):
        monkeypatch.setenv(name, str(home))
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.setenv(name, "")
    assert codex_merge.main([], "win32") == 0
    assert "only by --codex-windows" in capsys.readouterr().out
    assert list((home / ".codex").iterdir()) == []
    assert codex_merge.main(["--codex-windows"], "win32") == 0
    (group,) = json.loads((home / ".codex" / "hooks.json").read_text())["hooks"]["PreToolUse"]
    assert group["hooks"][0]["commandWindows"].startswith("cmd /d /c call ")
