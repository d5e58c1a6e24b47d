"""What is fired, how, and which answers are wrong. Stand-ins for the interpreter wrap the real guard."""

import json
from pathlib import Path
from typing import Any

import pytest

from guardhook.health import payloads, probe_rules, shooting
from tests.health.installation import Installation

REAL = '"$PYTHON" "$@"'
# What stands in the interpreter's place -> what is found of it in Claude Code's settings.
WRONG = [
    (f"echo hello; exec {REAL}", {"probe.output", "probe.session"}),
    (f"{REAL}; s=$?; echo hello; exit $s", {"probe.output", "probe.session"}),
    (f'input=$(cat); for i in 1 2; do printf %s "$input" | {REAL}; s=$?; done; exit $s', {"probe.output"}),
    ("echo '[]'", {"probe.output", "probe.session", "probe.change"}),
    ("echo '{'", {"probe.output", "probe.session", "probe.change"}),
    (f"{REAL}; exit 1", {"probe.status", "probe.session", "probe.change"}),
    ("kill -9 $$", {"probe.status", "probe.session", "probe.change"}),
    ("cat >/dev/null", {"probe.verdict", "probe.change"}),
    ("exit 127", {"probe.start", "probe.session"}),
    (f"{REAL} 2>/dev/null", {"probe.change"}),
]


@pytest.fixture
def stub(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> Installation:
    monkeypatch.setenv("PYTHON", installation.python)
    return installation


@pytest.mark.parametrize(("script", "expected"), WRONG)
def test_every_wrong_answer_is_named(stub: Installation, script: str, expected: set[str]) -> None:
    stub.wire(stub.stub(script))
    assert stub.codes() - {"python.script"} == expected


def test_a_right_answer_by_a_roundabout_way_is_right(stub: Installation) -> None:
    stub.wire(stub.stub(f"sleep 0; {REAL}; exit $?"))
    assert stub.codes() == {"python.script"}


def test_no_answer_in_time(stub: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shooting, "LIMIT", 0.2)
    stub.wire(stub.stub("exec sleep 30"))
    found = stub.examine()
    details = [finding.detail for finding in found.findings if finding.code == "probe.timeout"]
    assert len(details) == 1
    assert "PreToolUse, entry 1: cd sub && make: no answer within 0.2 seconds" in details[0]
    assert "ConfigChange, entry 1: settings that wire nothing: no answer" in details[0]


def test_a_slow_guard_is_a_warning(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe_rules, "SLOW", 0.0)
    found = installation.examine()
    assert {(finding.code, finding.severity) for finding in found.findings} == {("probe.slow", "warning")}
    assert all(f"for a bare start of {installation.python}" in finding.detail for finding in found.findings)


def test_it_is_fired_as_claude_code_does(stub: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    log = stub.home / "log"
    monkeypatch.setenv("INHERITED", "yes")
    monkeypatch.setenv("OVERRIDDEN", "by nobody")
    stub.edit(lambda settings: settings.update(env={"OVERRIDDEN": "by the user", "OF_THE_USER": "1"}))
    stub.edit(lambda settings: settings.update(env={"OF_THE_USER": "2"}), stub.work / ".claude/settings.json")
    script = f'input=$(cat); {{ pwd; env; echo "$input"; }} >>{log}; printf %s "$input" | {REAL}'
    stub.wire(stub.stub(script))
    assert stub.codes() == {"python.script"}
    lines = log.read_text("utf-8").splitlines()
    for line in ("INHERITED=yes", "OVERRIDDEN=by the user", "OF_THE_USER=2", "CLAUDECODE=1"):
        assert line in lines
    calls = [json.loads(line) for line in lines if line.startswith('{"session_id"')]
    first = calls[0]
    assert f"CLAUDE_PROJECT_DIR={first['cwd']}" in lines
    assert first["cwd"] in lines
    assert not Path(first["cwd"]).exists()
    assert list(first) == [
        "session_id",
        "transcript_path",
        "cwd",
        "prompt_id",
        "permission_mode",
        "effort",
        "hook_event_name",
        "tool_name",
        "tool_input",
        "tool_use_id",
    ]
    events = [call["hook_event_name"] for call in calls]
    assert events == ["PreToolUse"] * 5 + ["SessionStart"] + ["ConfigChange"] * 2


def test_an_argument_list_needs_no_shell(stub: Installation) -> None:
    def listed(settings: Any) -> None:
        for groups in settings["hooks"].values():
            handler = groups[0]["hooks"][0]
            words = handler["command"].split()
            handler.update(command=words[0], args=[*words[1:], "$HOME;", "${CLAUDE_PROJECT_DIR}"])

    log = stub.home / "log"
    stub.wire(stub.stub(f'echo "$4|$5" >>{log}; exec {REAL}'))
    stub.edit(listed)
    assert stub.codes() == {"python.script", "claude.command"}  # more words than the guard wants
    for line in log.read_text("utf-8").splitlines():
        literal, folder = line.split("|")
        assert literal == "$HOME;"
        assert Path(folder).name.startswith("guardhook-doctor-")


def test_codex_gets_the_fields_that_it_sends(stub: Installation) -> None:
    log = stub.home / "log"
    python = stub.stub(f'input=$(cat); printf "%s\\n" "$input" >>{log}; printf %s "$input" | {REAL}')
    stub.edit_hooks(
        lambda groups: groups[0]["hooks"][0].update(
            command=groups[0]["hooks"][0]["command"].replace(stub.python, python)
        )
    )
    assert stub.codes() == {"python.script"}
    calls = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [call["tool_name"] for call in calls] == ["apply_patch", "Bash", "Bash", "Bash", "Bash"]
    assert set(calls[0]) == {
        "session_id",
        "transcript_path",
        "cwd",
        "turn_id",
        "hook_event_name",
        "model",
        "permission_mode",
        "tool_name",
        "tool_input",
        "tool_use_id",
    }


OFF = [
    ((), "cd sub && make"),
    (("AGENT_STYLE_HOOK",), "cd sub && make"),
    (("AGENT_COMPOUND_CD_HOOK",), "git init below"),
    (("AGENT_COMPOUND_CD_HOOK", "AGENT_NESTED_GIT_INIT_HOOK"), "a file with 'delve'"),
]


@pytest.mark.parametrize(("off", "call"), OFF)
def test_an_open_hatch_has_another_call_denied(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, off: tuple[str, ...], call: str
) -> None:
    for name in off:
        monkeypatch.setenv(name, "no")
    found = installation.examine()
    assert {finding.code for finding in found.findings} == ({"hatch.environment"} if off else set())
    assert found.probe
    first = found.probe.results[0]
    assert (first.call, first.expected, first.answer) == (call, "deny", "deny")
    opened = "AGENT_COMPOUND_CD_HOOK open: cd sub && make would pass"
    assert first.note == (opened if "AGENT_COMPOUND_CD_HOOK" in off else "")


def test_no_call_is_denied_where_every_hatch_is_open() -> None:
    off = ("AGENT_COMPOUND_CD_HOOK", "AGENT_NESTED_GIT_INIT_HOOK", "AGENT_CONFIG_GATES")
    assert payloads.chosen(payloads.CLAUDE_DENIED, off) is None
    assert payloads.chosen(payloads.CODEX_DENIED, off) is None
    assert payloads.chosen(payloads.CODEX_DENIED, off[:2]) is payloads.CODEX_DENIED[0]


def test_what_wants_another_shell_is_not_fired(installation: Installation) -> None:
    installation.edit(lambda s: s["hooks"]["PreToolUse"][0]["hooks"][0].update(shell="powershell"))
    found = installation.examine()
    assert found.probe
    assert (found.probe.results[0].note, found.probe.results[0].run) == ("it wants another shell", None)


def test_nothing_of_anybody_else_is_fired(installation: Installation) -> None:
    mark = installation.home / "fired"
    other = {"matcher": "*", "hooks": [{"type": "command", "command": f"touch {mark}", "timeout": 5}]}
    installation.edit(lambda settings: settings["hooks"]["PreToolUse"].append(other))
    installation.edit_hooks(lambda groups: groups.append(other))
    assert installation.codes() == {"claude.other-guard"}
    assert not mark.exists()


def test_a_project_that_takes_part_is_left_alone(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    project = installation.home.parent / "tmp"
    (project / ".agent-config").mkdir()
    (project / ".agent-config/bootstrap.sh").touch()
    try:
        found = installation.examine()
    finally:
        left = sorted(path.name for path in (project / ".agent-config").iterdir())
        (project / ".agent-config/bootstrap.sh").unlink()
        (project / ".agent-config").rmdir()
    assert left == ["bootstrap.sh"]
    assert found.probe
    assert any("takes part" in result.note for result in found.probe.results)
