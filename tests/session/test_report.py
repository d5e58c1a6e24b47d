"""The report's lines, and that what is published is what the gate accepts (SPEC G4, G5)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import guardhook
from guardhook.gates import banner
from guardhook.install.places import Places
from guardhook.session import acceptance, event, report, shots

SOURCES = Path(__file__).resolve().parents[2] / "src"
OK = shots.Check(shots.OK, "", 41.7)
FAILED = shots.Check(shots.FAILED, "exit status 3 for a test call (ls -la)", 20.0)
UNWIRED = shots.Check(shots.UNWIRED, "x does not wire y", 0.0)


def test_all_lines(home: Path, where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    program = home / "claude/versions/2.1.332"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    (home / "bin").mkdir()
    (home / "bin/claude").symlink_to(program)
    (home / "bin/codex").write_text("#!/bin/sh\nexit 1\n")
    (home / "bin/codex").chmod(0o755)
    monkeypatch.setenv("PATH", f"{home}/bin")
    run = report.Run(1.0, 2.0, OK)
    lines = report.compose(run, shots.Settings(os.environ))
    assert lines[0] == f"Session banner (guardhook {guardhook.__version__})"
    assert lines[1] == f"OS: {report.system()}"
    assert lines[2:] == [
        "Agents: Claude Code 2.1.332, Codex of unknown version",
        "Hooks: PreToolUse guard answered as it must, a deny and a pass (42 ms); SessionStart answered",
        "agent-style: not found",
        f"Session check: passed (run {run.id})",
    ]


CHECKS = [
    (FAILED, "DID NOT ANSWER AS IT MUST", "FAILED: exit status 3 for a test call (ls -la)"),
    (UNWIRED, "NOT WIRED", "NOT WIRED: x does not wire y"),
]


@pytest.mark.parametrize(("check", "hooks", "outcome"), CHECKS)
def test_a_check_that_failed_is_not_hidden(check: shots.Check, hooks: str, outcome: str) -> None:
    run = report.Run(1.0, 2.0, check)
    assert hooks in report.hooks(check)
    assert report.outcome(run).startswith(outcome)
    assert "`guardhook install`" in report.outcome(run)
    assert run.id in report.outcome(run)


def test_open_hatches_are_named() -> None:
    assert report.gates_off({"AGENT_STYLE_HOOK": "on", "PATH": "off"}) == []
    off = {"AGENT_STYLE_HOOK": "off", "AGENT_CONFIG_GATES": "0"}
    assert report.gates_off(off) == ["Switched off by environment: AGENT_STYLE_HOOK, AGENT_CONFIG_GATES"]


def test_the_system_is_named() -> None:
    assert os.uname().release in report.system()
    assert os.uname().machine in report.system()


# What stands in `agent_style/__init__.py`, and the release that it names.
STYLES = [
    ('"""Doc."""\n__version__ = "0.8.0"\n', "0.8.0"),
    ("__version__: str = '0.10.0rc1'  # of today\n", "0.10.0rc1"),
    ('version = "1"\n', ""),
    ("", ""),
]


@pytest.mark.parametrize(("text", "release"), STYLES)
def test_the_release_of_agent_style(tmp_path: Path, text: str, release: str) -> None:
    (tmp_path / "agent_style").mkdir()
    (tmp_path / "agent_style/__init__.py").write_text(text)
    assert report.style((str(tmp_path / "none"), str(tmp_path))) == release
    assert report.style(()) == ""


def run_of(check: shots.Check = OK) -> report.Run:
    return report.Run(1000.1234, 1000.2, check)


def test_what_is_published_is_accepted(folder: Path) -> None:
    at = event.record(str(folder), "startup", "a", lambda: 1000.125)
    assert at == 1000.125
    run = run_of()
    report.publish(str(folder), run, ["one", "two"], 1000.25)
    head = f"<!-- guardhook banner event_ts=1000.125 run_id={run.id} completed=1000.2 rendered_at=1000.25 -->"
    assert (folder / acceptance.REPORT).read_text() == f"{head}\none\ntwo\n"
    fields = {"run_id": run.id, "ts": 1000.123, "result": "ok", "detail": "", "milliseconds": 42}
    assert json.loads((folder / acceptance.LAST_RUN).read_text()) == fields
    assert acceptance.lines(str(folder), at) == ("one", "two")
    later = event.record(str(folder), "startup", "b", lambda: 1001.0)
    assert later is not None
    assert acceptance.lines(str(folder), later) == acceptance.FALLBACK
    report.publish(str(folder), run_of(FAILED), ["three"], 1001.5)
    assert acceptance.lines(str(folder), later) == ("three",)


def test_a_run_that_ends_after_another_session_began_speaks_for_that_one(folder: Path) -> None:
    event.record(str(folder), "startup", "a", lambda: 1000.0)
    run = run_of()
    later = event.record(str(folder), "startup", "b", lambda: 1000.1)
    assert later is not None
    report.publish(str(folder), run, ["one"], 1000.25)
    assert acceptance.lines(str(folder), later) == ("one",)


def test_without_an_event_nothing_is_published(folder: Path) -> None:
    report.publish(str(folder), run_of(), ["one"], 1000.25)
    assert sorted(os.listdir(folder)) == [event.LOCK, "bootstrap.sh"]


PUBLISHER = """
import sys
sys.path.insert(0, sys.argv[1])
from guardhook.session import event, report, shots
event.PATIENCE = 20.0
for number in range(10):
    event.record(sys.argv[2], "startup", f"{sys.argv[3]}-{number}")
    run = report.Run(1.0, 2.0, shots.Check(shots.OK, "", 1.0))
    report.publish(sys.argv[2], run, [f"run {run.id}"], 3.0)
"""


def test_sessions_side_by_side_end_with_a_report_that_is_accepted(folder: Path) -> None:
    argv = [sys.executable, "-I", "-S", "-c", PUBLISHER, str(SOURCES), str(folder)]
    publishers = [subprocess.Popen([*argv, str(number)]) for number in range(4)]
    assert [publisher.wait() for publisher in publishers] == [0, 0, 0, 0]
    pending = banner.moment(f"{folder}/{banner.EVENT}")
    assert pending is not None
    last = json.loads((folder / acceptance.LAST_RUN).read_text())["run_id"]
    assert acceptance.lines(str(folder), pending) == (f"run {last}",)
