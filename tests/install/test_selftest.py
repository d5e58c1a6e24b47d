"""The proof, fired at stand-ins for the interpreter: what it sends, and which answers it does not accept."""

import json
import os
from pathlib import Path

import pytest

from guardhook.install import InstallError, claude, selftest
from guardhook.install.places import Places

DENY = (
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}'
)


def wire(where: Places, script: str) -> None:
    """Settings whose guard is a shell script in the interpreter's place."""
    os.makedirs(where.hooks)
    stub = Path(where.hooks, "python stub")
    stub.write_text(f"#!/bin/sh\nread -r payload\n{script}\n", encoding="utf-8")
    stub.chmod(0o755)
    Path(where.settings).write_bytes(claude.wire(None, where, claude.Handler(str(stub), where, True)).data)


GOOD = f"case $payload in *make*) echo '{DENY}';; esac"


def test_both_shots_are_reported(where: Places) -> None:
    wire(where, GOOD)
    proof = selftest.prove(where)
    assert proof.flaw == ""
    assert (proof.denied.command, proof.denied.output, proof.denied.status) == ("cd sub && make", DENY, 0)
    assert (proof.passed.command, proof.passed.output, proof.passed.status) == ("ls -la", "", 0)
    assert 0 < proof.denied.milliseconds < 5000


def test_it_fires_from_an_empty_folder_without_a_hatch(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Path(where.config, "log")
    monkeypatch.setenv("AGENT_COMPOUND_CD_HOOK", "off")
    monkeypatch.setenv("KEPT", "yes")
    wire(where, f'{{ pwd; ls -a | wc -l; env; echo "$*"; echo "$payload"; }} >>{str(log)!r}\n{GOOD}')
    assert selftest.prove(where).flaw == ""
    text = log.read_text(encoding="utf-8")
    lines = text.splitlines()
    assert "AGENT_" not in text
    assert lines.count("KEPT=yes") == 2
    assert lines.count(f"-I -S {where.guard}") == 2
    assert lines[1].strip() == "2"  # . and ..
    assert not os.path.exists(lines[0])
    payload = json.loads(lines[-1])
    assert (payload["tool_name"], payload["tool_input"], payload["cwd"]) == (
        "Bash",
        {"command": "ls -la"},
        payload["cwd"],
    )
    assert os.path.basename(payload["cwd"]).startswith("guardhook-proof-")


FAULTS = [
    (f"echo '{DENY}'", "`ls -la` should have got no answer at all"),
    ("true", "`cd sub && make` should have got one JSON document"),
    (f"{GOOD}; exit 1", "exit status 0"),
    (f"case $payload in *make*) echo '{DENY}'; echo '{DENY}';; esac", "one JSON document"),
    (GOOD.replace('"deny"', '"ask"'), '"permissionDecision": "deny"'),
    ("echo '[]'", "one JSON document"),
    ("exit 127", "one JSON document"),
]


@pytest.mark.parametrize(("script", "flaw"), FAULTS)
def test_any_other_answer_is_a_flaw_that_says_what_was_expected(where: Places, script: str, flaw: str) -> None:
    wire(where, script)
    assert flaw in selftest.prove(where).flaw


def test_no_answer_in_time_is_a_flaw(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    wire(where, "exec sleep 5")
    monkeypatch.setattr(selftest, "LIMIT", 0.2)
    proof = selftest.prove(where)
    assert (proof.denied.status, proof.denied.error) == (-1, "no answer within 0.2 seconds")
    assert proof.flaw


def test_without_a_wired_guard_there_is_nothing_to_prove(where: Places) -> None:
    with pytest.raises(InstallError, match="does not wire the guard"):
        selftest.prove(where)
    os.makedirs(where.config)
    Path(where.settings).write_bytes(b"{")
    with pytest.raises(InstallError, match="line 1, column 2"):
        selftest.prove(where)
