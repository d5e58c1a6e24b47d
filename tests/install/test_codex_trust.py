"""The trust of Codex, computed: the client's example, what counts for the hash, and each state with its step."""

import hashlib
from typing import Any

import pytest

from guardhook.install import codex_trust
from guardhook.install.codex_trust import DISABLED, HOOKS_OFF, MODIFIED, TRUSTED, UNREADABLE, UNTRUSTED

KEY = "/home/u/.codex/hooks.json:pre_tool_use:0:0"
HASH = codex_trust.handler_hash("Bash|apply_patch", {"command": "python3 /home/u/hook.py"})


def test_the_hash_is_that_of_one_line_of_json() -> None:
    """tests/live/test_codex.py asks the client itself."""
    handler = '{"async":false,"command":"python3 /home/u/hook.py","timeout":600,"type":"command"}'
    line = '{"event_name":"pre_tool_use","hooks":[' + handler + '],"matcher":"Bash|apply_patch"}'
    assert f"sha256:{hashlib.sha256(line.encode()).hexdigest()}" == HASH
    assert codex_trust.key("/home/u/.codex/hooks.json", 0, 0) == KEY


SAME: list[dict[str, Any]] = [
    {"timeout": 600},
    {"timeout": None},
    {"async": False},
    {"statusMessage": None},
    {"additionalContextLimit": 2500},
]
SAME += [{"commandWindows": "x"}, {"mine": 1}, {"timeout": "600"}]
OTHER: list[dict[str, Any]] = [
    {"timeout": 10},
    {"async": True},
    {"statusMessage": ""},
    {"additionalContextLimit": 0},
    {"command": "x"},
]


def test_what_counts_for_the_hash() -> None:
    hook: dict[str, Any] = {"type": "command", "command": "python3 /home/u/hook.py"}
    for more in SAME:
        assert codex_trust.handler_hash("Bash|apply_patch", hook | more, windows=False) == HASH, more
    hashes = {codex_trust.handler_hash("Bash|apply_patch", hook | more) for more in OTHER}
    hashes |= {codex_trust.handler_hash(matcher, hook) for matcher in (None, "", "*")}
    assert len(hashes | {HASH}) == len(OTHER) + 4
    zero, one = ({**hook, "timeout": seconds} for seconds in (0, 1))
    assert codex_trust.handler_hash(None, zero) == codex_trust.handler_hash(None, one)


def test_on_windows_the_other_command_counts() -> None:
    plain = codex_trust.handler_hash(None, {"command": "there"}, windows=False)
    for name in ("commandWindows", "command_windows"):
        assert codex_trust.handler_hash(None, {"command": "here", name: "there"}, windows=True) == plain
    assert codex_trust.handler_hash(None, {"command": "there", "commandWindows": None}, windows=True) == plain


RECORD = f'[hooks.state."{KEY}"]\n'
STATES = [
    ("", UNTRUSTED),
    ("[hooks.state]\n", UNTRUSTED),
    (RECORD + "enabled = true\n", UNTRUSTED),
    (f'[hooks.state."~{KEY}"]\ntrusted_hash = "{HASH}"\n', UNTRUSTED),
    (RECORD + f'trusted_hash = "{HASH}"\n', TRUSTED),
    (f"[hooks.state]\n' {KEY} ' = {{ trusted_hash = '{HASH}', more = 1 }}\n", TRUSTED),
    (RECORD + f'trusted_hash = "{HASH.upper()}"\n', MODIFIED),
    (RECORD + f'trusted_hash = "{HASH[7:]}"\n', MODIFIED),
    (RECORD + 'trusted_hash = ""\n', MODIFIED),
    (RECORD + "enabled = false\n", DISABLED),
    (RECORD + f'trusted_hash = "{HASH}"\nenabled = false\n', DISABLED),
    (f'[features]\nhooks = false\n{RECORD}trusted_hash = "{HASH}"\n', HOOKS_OFF),
    ("[features]\ncodex_hooks = false\n", HOOKS_OFF),
    (f'[features]\nhooks = true\ncodex_hooks = false\n{RECORD}trusted_hash = "{HASH}"\n', TRUSTED),
    ("features.hooks = false\n", HOOKS_OFF),
    ("hooks = \n", UNREADABLE),
    ("hooks = 1\n", UNREADABLE),
    ("features = []\n", UNREADABLE),
    ("[hooks]\nstate = 1\n", UNREADABLE),
    (f'[hooks.state]\n"{KEY}" = 1\n', UNREADABLE),
    (RECORD + "trusted_hash = 1\n", UNREADABLE),
    (RECORD + "enabled = 'no'\n", UNREADABLE),
    ("[features]\nhooks = 0\n", UNREADABLE),
]


@pytest.mark.parametrize(("config", "name"), STATES)
def test_states(config: str, name: str) -> None:
    found = codex_trust.state(config.encode(), KEY, HASH)
    assert (found.name, found.key) == (name, KEY)
    reminder = codex_trust.reminder(found)
    if name in (TRUSTED, DISABLED):
        assert reminder == ""
    else:
        assert f"({name})" in reminder and found.step in reminder


def test_no_configuration_is_no_trust_and_bytes_that_are_no_text_are_unreadable() -> None:
    assert codex_trust.state(None, KEY, HASH).name == UNTRUSTED
    assert codex_trust.state(b"\xff", KEY, HASH).name == UNREADABLE


def test_each_state_has_a_step_of_its_own() -> None:
    steps = [
        codex_trust.State(name, KEY).step for name in (TRUSTED, MODIFIED, UNTRUSTED, DISABLED, HOOKS_OFF, UNREADABLE)
    ]
    assert len(set(steps)) == 6
    assert all(steps)
    for step in steps[1:3]:
        assert "--codex-trust" in step and "/hooks" in step
