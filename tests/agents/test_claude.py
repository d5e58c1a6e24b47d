"""Claude Code's payloads and documents (SPEC A2 to A4)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.agents import claude
from guardhook.call import BASH, MONITOR, OTHER, POWERSHELL, UNKNOWN_SHELL, ToolCall
from guardhook.verdict import Decision, Verdict


def _call(**document: object) -> ToolCall:
    call = claude.parse(json.dumps(document).encode())
    assert call is not None
    return call


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ({"tool_name": "Bash", "tool_input": {"command": "ls"}}, BASH),
        ({"tool_input": {"command": "ls"}}, BASH),
        ({"tool_name": None, "tool_input": {"command": "ls"}}, BASH),
        ({"tool_name": "Monitor", "tool_input": {"command": "ls"}}, MONITOR),
        ({"tool_name": "PowerShell", "tool_input": {"command": "ls"}}, POWERSHELL),
        ({"tool_name": "mcp__x__run", "tool_input": {"command": "ls"}}, UNKNOWN_SHELL),
        ({"tool_name": " Bash", "tool_input": {"command": "ls"}}, UNKNOWN_SHELL),
        ({"tool_name": 5, "tool_input": {"command": "ls"}}, UNKNOWN_SHELL),
        ({"tool_name": "mcp__x__run", "tool_input": {"cmd": "ls"}}, OTHER),
        ({"tool_name": "Read", "tool_input": {"command": "ls"}}, OTHER),
        ({"tool_name": "Bash", "tool_input": {"command": ["ls"]}}, OTHER),
        ({"tool_name": "Bash", "tool_input": "ls"}, OTHER),
        ({"tool_name": "Bash"}, OTHER),
        ({}, OTHER),
    ],
)
def test_tool_classes(document: dict[str, object], kind: str) -> None:
    assert _call(**document).kind == kind


def test_fields() -> None:
    call = _call(tool_name="Bash", tool_input={"command": "a\0b"}, cwd="/srv", session_id="s1")
    assert (call.agent, call.tool, call.command, call.cwd, call.session) == ("claude", "Bash", "ab", "/srv", "s1")
    assert _call(cwd=5, session_id=[], tool_input=None).cwd == ""


def test_bytes_are_utf8_whatever_they_hold() -> None:
    text = '{"tool_name":"Bash","tool_input":{"command":"echo ü"}}'
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode(), b"\n " + text.encode() + b"\r\n"):
        call = claude.parse(data)
        assert call is not None
        assert call.command == "echo ü"
    call = claude.parse(b'{"tool_name":"Bash","tool_input":{"command":"caf\xe9 \\ud800"}}')
    assert call is not None
    assert call.command == "caf\ufffd \ud800"


@pytest.mark.parametrize(
    "data",
    [b"x", b'{"a":"b', b'{"a":{"b":1}', b"[]", b"5", b"null", b"{", b'{"a":1} {"b":2}', b"\xff\xfe{\x00}\x00", b'"s"'],
)
def test_not_one_object(data: bytes) -> None:
    assert claude.parse(data) is None


def test_huge_numbers_do_not_matter() -> None:
    assert claude.parse(b'{"x":' + b"9" * 5000 + b',"y":1e999,"z":-0.5}') is not None


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
    )
)
def test_the_reader_agrees_with_the_json_package(value: object) -> None:
    text = json.dumps(value)
    assert json.dumps(claude.load(text)) == json.dumps(json.loads(text, parse_int=float))


@given(st.text())
def test_the_writer_agrees_with_the_json_package(text: str) -> None:
    assert json.loads(claude.quote(text)) == text


def test_documents() -> None:
    assert claude.render(Decision(None, "", [])) == b""
    deny = json.loads(claude.render(Decision(Verdict("deny", "x", 'say "no"\n'), "", [])))
    assert deny == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": 'say "no"\n',
        }
    }
    ask = json.loads(claude.render(Decision(Verdict("ask", "x", "why"), "note", [])))
    assert ask["hookSpecificOutput"]["additionalContext"] == "note"
    advice = json.loads(claude.render(Decision(None, "note", [])))
    assert advice == {
        "systemMessage": "note",
        "hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "note"},
    }
