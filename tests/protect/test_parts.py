"""Which parts of a configuration file an edit changes (SPEC P1, P2)."""

import json
import sys
from typing import Any

import pytest

from guardhook.protect import parts
from guardhook.protect.places import CONFIG, HOOKS, SETTINGS

HANDLER = {"type": "command", "command": "python3 /h/guard.py", "timeout": 10}
GROUP: dict[str, Any] = {"matcher": "*", "hooks": [HANDLER]}
WIRED = {"model": "opus", "env": {"EDITOR": "vi"}, "hooks": {"PreToolUse": [GROUP]}}


def _settings(**changes: object) -> str:
    return json.dumps({**WIRED, **changes}, indent=3)


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (_settings(), []),
        (json.dumps(WIRED, sort_keys=True), []),
        ("\ufeff" + _settings(), []),
        (_settings(model="sonnet", permissions={"allow": []}), []),
        (_settings(env={"EDITOR": "nano", "PATH": "/x"}), []),
        (_settings(disableAllHooks=False), []),
        (_settings(disableAllHooks=True), ['"disableAllHooks"']),
        (_settings(disableAllHooks=1), [parts.DROPPED]),
        (_settings(permissions={"allow": "Bash(npm:*)"}), [parts.DROPPED]),
        (_settings(model=5), [parts.DROPPED]),
        (_settings(env=["A=1"]), [parts.DROPPED]),
        (_settings(env={"EDITOR": "vi", "PORT": 3000}), []),
        (_settings(allowManagedHooksOnly=True), ['"allowManagedHooksOnly"']),
        (_settings(hooks={}), ['"hooks"']),
        (_settings(hooks={"PreToolUse": [{**GROUP, "matcher": "Bash"}]}), ['"hooks"']),
        (_settings(hooks={"PreToolUse": [GROUP, GROUP]}), ['"hooks"']),
        (_settings(env={"AGENT_STYLE_HOOK": "off"}), ['AGENT_STYLE_HOOK in "env"']),
        (_settings(env={"CLAUDE_CONFIG_DIR": "/x"}), ['CLAUDE_CONFIG_DIR in "env"']),
        (_settings(env={"LD_PRELOAD": "/x"}), ['LD_PRELOAD in "env"']),
        ("{}", ['"hooks"']),
        ("", ['"hooks"']),
        ("[]", [parts.UNREADABLE[SETTINGS]]),
        ("{", [parts.UNREADABLE[SETTINGS]]),
        ("// x\n" + _settings(), [parts.UNREADABLE[SETTINGS]]),
        (_settings()[:-1] + ",}", [parts.UNREADABLE[SETTINGS]]),
        (_settings(x=float("nan")), [parts.UNREADABLE[SETTINGS]]),
        (_settings().replace("opus", "o\npus"), [parts.UNREADABLE[SETTINGS]]),
        ("[" * 100_000, [parts.UNREADABLE[SETTINGS]]),
        (_settings()[:-1] + ', "hooks": {}}', ['"hooks"']),  # of two equal names the last one counts
    ],
)
def test_settings_of_claude_code(new: str, expected: list[str]) -> None:
    assert parts.changed(SETTINGS, _settings(), new) == expected


def test_settings_that_are_made_or_mended() -> None:
    assert parts.changed(SETTINGS, "", '{"model": "x"}') == []
    assert parts.changed(SETTINGS, "", '{"hooks": {"PreToolUse": []}}') == ['"hooks"']
    assert parts.changed(SETTINGS, "{broken", _settings()) == ['"hooks"']
    assert parts.changed(SETTINGS, _settings(), _settings().replace("10", "true")) == [parts.DROPPED]
    assert parts.changed(SETTINGS, _settings(model=5), _settings(model=6)) == []


OTHER = {"matcher": "Bash", "hooks": [{"type": "command", "command": "notes"}]}
OURS = {"matcher": "Bash|apply_patch", "hooks": [{"type": "command", "command": "python3 /h/guard.py --agent codex"}]}


def _hooks(*groups: object, **more: object) -> str:
    return json.dumps({"hooks": {"PreToolUse": list(groups)}, **more})


@pytest.mark.parametrize(
    ("new", "changes"),
    [
        (_hooks(OTHER, OURS), False),
        (_hooks({**OTHER, "matcher": "x"}, OURS), False),
        (_hooks(OTHER, OURS, OTHER), False),
        (_hooks(OTHER, OURS, description="x"), False),
        (_hooks(OURS), True),  # the index is part of the trust record's name
        (_hooks(OTHER, OTHER, OURS), True),
        (_hooks(OTHER, {**OURS, "matcher": "none"}), True),
        (_hooks(OTHER), True),
        (_hooks(OTHER, OURS, version=1), True),
        ("{}", True),
        ("{", True),
    ],
)
def test_hooks_of_codex(new: str, changes: bool) -> None:
    assert bool(parts.changed(HOOKS, _hooks(OTHER, OURS), new)) is changes


TRUST = '[hooks.state."/h/.codex/hooks.json:pre_tool_use:1:0"]\ntrusted_hash = "sha256:ab"\n'
OTHERS = '[hooks.state."/h/.codex/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:cd"\n'


@pytest.mark.parametrize(
    ("new", "changes"),
    [
        (TRUST, False),
        ('model = "x"\n' + TRUST + OTHERS, False),
        (TRUST.replace("\n", "\r\n"), False),
        ("[features]\nhooks = true\nweb = false\n" + TRUST, False),
        ("[features]\nhooks = false\n" + TRUST, True),
        ("[[features]]\nhooks = true\n" + TRUST, True),
        ("[features]\ncodex_hooks = false\n" + TRUST, True),
        ("[profiles.x.features]\nhooks = false\n" + TRUST, True),
        (TRUST.replace("ab", "cd"), True),
        (TRUST + "enabled = false\n", True),
        ("", True),
        ("model = \n" + TRUST, True),
    ],
)
def test_configuration_of_codex(new: str, changes: bool) -> None:
    assert bool(parts.changed(CONFIG, TRUST, new, _hooks(OTHER, OURS))) is changes


def test_without_a_guard_only_the_switch_counts() -> None:
    assert parts.changed(CONFIG, TRUST, "", _hooks(OTHER)) == []
    assert parts.changed(CONFIG, "", "[features]\nhooks = false\n", "") == ["the switch of all hooks"]


def test_json_without_the_private_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_json", None)
    assert parts.settings('{"a": 1}') == {"a": 1}
    assert [parts.settings(text) for text in ("{", '{"a": NaN}', "[1]")] == [None, None, None]
