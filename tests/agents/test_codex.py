"""Codex's payloads and its one document (SPEC A3, A4, X3, X4)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.agents import codex
from guardhook.call import BASH, OTHER, UNKNOWN_SHELL, ToolCall
from guardhook.verdict import ADVISE, ASK, DENY, Decision, Verdict

PATCH_TEXT = "*** Begin Patch\n*** Add File: docs/new.md\n+Blåbær 日本\0\n*** End Patch\n"


def _call(**document: object) -> ToolCall:
    call = codex.parse(json.dumps(document).encode())
    assert call is not None
    return call


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ({"tool_name": "Bash", "tool_input": {"command": "ls"}}, BASH),
        ({"tool_input": {"command": "ls"}}, BASH),
        ({"tool_name": "apply_patch", "tool_input": {"command": PATCH_TEXT}}, codex.PATCH),
        ({"tool_name": "apply_patch", "tool_input": {"input": PATCH_TEXT}}, OTHER),
        ({"tool_name": "mcp__x__run", "tool_input": {"command": "ls"}}, UNKNOWN_SHELL),
        ({"tool_name": "bash", "tool_input": {"command": "ls"}}, UNKNOWN_SHELL),
        ({"tool_name": ["Bash"], "tool_input": {"command": "ls"}}, UNKNOWN_SHELL),
        ({"tool_name": "mcp__fs__write_file", "tool_input": {"path": "a.md"}}, OTHER),
        ({"tool_name": "view_image", "tool_input": {"path": "a.png"}}, OTHER),
        ({"tool_name": "Bash", "tool_input": {"command": ["ls"]}}, OTHER),
        ({"tool_name": "Bash", "tool_input": "ls"}, OTHER),
        ({"tool_name": "Bash"}, OTHER),
        ({}, OTHER),
    ],
)
def test_tool_classes(document: dict[str, object], kind: str) -> None:
    assert _call(**document).kind == kind


def test_fields_of_a_shell_call() -> None:
    """As the client writes it, with the keys that are not used."""
    call = _call(
        session_id="01a2",
        turn_id="01a3",
        transcript_path="/s/rollout.jsonl",
        cwd="/proj",
        hook_event_name="PreToolUse",
        model="gpt-5.5",
        permission_mode="bypassPermissions",
        tool_name="Bash",
        tool_input={"command": "echo a\0b"},
        tool_use_id="exec-1",
    )
    assert (call.agent, call.tool, call.command, call.cwd, call.session) == (
        "codex",
        "Bash",
        "echo ab",
        "/proj",
        "01a2",
    )
    assert (_call(cwd=5, session_id=[]).cwd, _call(cwd=5, session_id=[]).session) == ("", "")


def test_a_patch_is_kept_as_it_is() -> None:
    assert _call(tool_name="apply_patch", tool_input={"command": PATCH_TEXT}).command == PATCH_TEXT


def test_bytes_are_utf8_whatever_they_hold() -> None:
    call = codex.parse(b'\xef\xbb\xbf{"tool_name":"Bash","tool_input":{"command":"caf\xe9 \\ud800"}}\r\n')
    assert call is not None
    assert call.command == "caf\ufffd \ud800"


@pytest.mark.parametrize(
    "data",
    [b"", b"x", b'{"a":"b', b"[]", b"5", b"null", b'{"a":1} {"b":2}', b'{"a":' * 200_000, b"[" * 200_000, b"\xff\xfe{"],
)
def test_not_one_object(data: bytes) -> None:
    assert codex.parse(data) is None


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    call = codex.parse(data)
    assert call is None or call.agent == "codex"


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.sampled_from(["tool_name", "tool_input", "command", "cwd"]), x),
    )
)
def test_any_document(value: object) -> None:
    call = codex.parse(json.dumps(value).encode())
    assert (call is not None) == isinstance(value, dict)
    if call is not None:
        assert all(isinstance(text, str) for text in (call.tool, call.kind, call.command, call.cwd, call.session))


@pytest.mark.parametrize(
    "decision",
    [
        Decision(None, "", []),
        Decision(None, "advice", []),
        Decision(Verdict(ASK, "git.push", "why"), "", []),
        Decision(Verdict(ASK, "git.push", "why"), "advice", []),
        Decision(Verdict(ADVISE, "x", "why"), "", []),
    ],
)
def test_nothing_but_a_denial_is_said(decision: Decision) -> None:
    assert codex.render(decision) == (b"", 0, "")


def test_a_denial_is_said_twice() -> None:
    reason = 'no "é"\nSuggested rewrite: x'
    data, status, error = codex.render(Decision(Verdict(DENY, "prose.word", reason), "advice", []))
    assert json.loads(data) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }
    assert (status, error) == (2, reason)


@pytest.mark.parametrize("reason", ["", " \n\t", "\xa0\u3000", "\x1c"])
def test_a_blank_reason_would_let_the_call_run(reason: str) -> None:
    data, status, error = codex.render(Decision(Verdict(DENY, "prose.word", reason), "", []))
    assert "prose.word" in error
    assert json.loads(data)["hookSpecificOutput"]["permissionDecisionReason"] == error
    assert status == 2


@given(st.text(st.characters(exclude_categories=())))
def test_any_reason_can_be_written(reason: str) -> None:
    data, status, error = codex.render(Decision(Verdict(DENY, "x", reason), "", []))
    assert data.isascii()
    assert json.loads(data)["hookSpecificOutput"]["permissionDecisionReason"] == error
    assert error.encode().strip()
    assert status == 2
