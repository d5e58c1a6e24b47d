"""The answer to a changed settings file (SPEC P3): whole processes, whose status and standard error are the answer."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from guardhook import hook
from guardhook.protect import config_change
from tests.protect.test_parts import GROUP, HANDLER, WIRED

GUARD = Path(__file__).parent.parent.parent / "scripts" / "guard.py"


def _run(source: str, path: Path, **environment: str) -> tuple[int, str, str]:
    event = {"session_id": "s", "hook_event_name": "ConfigChange", "source": source, "file_path": str(path), "cwd": "/"}
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(GUARD)],
        input=json.dumps(event, separators=(",", ":")) + "\n",
        capture_output=True,
        text=True,
        check=False,
        env={"HOME": "/nowhere", **environment},
    )
    return run.returncode, run.stdout, run.stderr


def _hooks(**group: Any) -> str:
    return json.dumps({"hooks": {"PreToolUse": [{**GROUP, **group}]}})


CHANGED: list[tuple[str, str | None, str]] = [
    # source, the file's text (None: it is gone), part of the refusal ("": there is none)
    ("user_settings", json.dumps(WIRED), ""),
    ("user_settings", json.dumps({**WIRED, "model": "x"}), ""),
    ("user_settings", _hooks(matcher=""), ""),
    ("user_settings", None, "the guard is not wired any more"),
    ("user_settings", "", "the guard is not wired any more"),
    ("user_settings", "{}", "the guard is not wired any more"),
    ("user_settings", "{", "nothing can be read as JSON"),
    ("user_settings", _hooks(matcher="Bash"), "the guard is not wired any more"),
    ("user_settings", _hooks(hooks=[{**HANDLER, "async": True}]), "the guard is not wired any more"),
    ("user_settings", _hooks(hooks=[{**HANDLER, "if": "Bash(x)"}]), "the guard is not wired any more"),
    ("user_settings", _hooks(hooks=[{"type": "command", "command": "true"}]), "the guard is not wired any more"),
    ("user_settings", json.dumps({**WIRED, "permissions": {"allow": "Bash"}}), "drops the whole file"),
    ("user_settings", _hooks(hooks=[HANDLER, {"type": "command", "command": "x", "timeout": "1"}]), "drops the whole"),
    ("user_settings", _hooks(hooks=[{**HANDLER, "type": "prompt", "prompt": "x"}]), "the guard is not wired any more"),
    ("user_settings", _hooks(hooks=[{**HANDLER, "asyncRewake": True}]), "the guard is not wired any more"),
    ("user_settings", _hooks(hooks=[{**HANDLER, "async": False}]), ""),
    ("project_settings", '{"env": ["A"]}', "drops the whole file"),
    ("user_settings", json.dumps({**WIRED, "disableAllHooks": True}), '"disableAllHooks" is set'),
    ("user_settings", json.dumps({**WIRED, "env": {"AGENT_STYLE_HOOK": "off"}}), '"env" sets AGENT_STYLE_HOOK'),
    ("project_settings", None, ""),
    ("project_settings", "{}", ""),
    ("project_settings", '{"permissions": {}}', ""),
    ("project_settings", '{"hooks": {"PostToolUse": []}}', ""),
    ("project_settings", '{"env": {"EDITOR": "vi"}}', ""),
    ("project_settings", '{"disableAllHooks": true}', '"disableAllHooks" is set'),
    ("local_settings", '{"disableAllHooks": true}', '"disableAllHooks" is set'),
    ("local_settings", '{"env": {"AGENT_CONFIG_GATES": "off"}}', '"env" sets AGENT_CONFIG_GATES'),
    ("local_settings", "nonsense", "nothing can be read as JSON"),
]


@pytest.mark.parametrize(("source", "text", "refused"), CHANGED)
def test_changes(tmp_path: Path, source: str, text: str | None, refused: str) -> None:
    path = tmp_path / "settings.json"
    if text is not None:
        path.write_text(text)
    status, output, error = _run(source, path)
    assert (status, output) == (2 if refused else 0, "")
    assert refused in error
    assert error.startswith(f"guardhook does not let this change into the session: in {path} ") is bool(refused)


def test_a_variable_that_was_there_is_no_change(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({**WIRED, "env": {"AGENT_STYLE_HOOK": "off"}}))
    assert _run("user_settings", path, AGENT_STYLE_HOOK="off") == (0, "", "")
    assert _run("user_settings", path, AGENT_STYLE_HOOK="on")[0] == 2


def test_every_file_is_judged_each_time(tmp_path: Path) -> None:
    """A change that is let in would bring an earlier one with it, which was refused."""
    (tmp_path / ".claude").mkdir()
    (tmp_path / "settings.json").write_text(json.dumps(WIRED))
    local = tmp_path / ".claude/settings.local.json"
    local.write_text("{}")
    assert _run("user_settings", tmp_path / "settings.json", CLAUDE_PROJECT_DIR=str(tmp_path)) == (0, "", "")
    local.write_text('{"disableAllHooks": true}')
    status, _, error = _run("user_settings", tmp_path / "settings.json", CLAUDE_PROJECT_DIR=str(tmp_path))
    assert (status, str(local) in error) == (2, True)


def test_the_file_that_wires_the_deployed_guard_is_judged_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the path that it was started by: the launcher may be a link to another folder."""
    monkeypatch.setattr(sys, "argv", [f"{tmp_path}/hooks/guard.py"])
    event: dict[str, object] = {"source": "project_settings", "file_path": f"{tmp_path}/.claude/settings.json"}
    (tmp_path / "settings.json").write_text("{}")
    assert f"in {tmp_path}/settings.json the guard is not wired" in config_change.refusal(event, {})
    (tmp_path / "settings.json").write_text(json.dumps(WIRED))
    assert config_change.refusal(event, {}) == ""


def test_a_skill_is_no_settings_file(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text("# A skill")
    assert _run("skills", tmp_path / "SKILL.md") == (0, "", "")


def test_a_fifo_is_unreadable(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "settings.json")
    assert _run("user_settings", tmp_path / "settings.json")[0] == 2
    assert _run("local_settings", tmp_path / "settings.json")[0] == 2


def test_a_call_that_only_speaks_of_the_event_is_judged_as_one() -> None:
    command = 'cd a && echo \'"hook_event_name":"ConfigChange"\''
    payload = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}}
    output, status = hook.answer(json.dumps(payload).encode(), [])
    assert (status, b'"permissionDecision":"deny"' in output) == (0, True)
    payload["tool_input"] = {"command": "cd a && ls", "x": {"hook_event_name": "ConfigChange"}}
    output, status = hook.answer(json.dumps(payload, separators=(",", ":")).encode(), [])
    assert (status, b'"permissionDecision":"deny"' in output) == (0, True)


def test_a_fault_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("guardhook.protect.config_change.answer", broken)
    assert hook.answer(b'{"hook_event_name":"ConfigChange"}', [])[1] == 2
