"""Which hooks.json files Codex takes. tests/live/test_codex.py asks the real client about the same ones."""

import pytest

from guardhook.install import codex_form, jsontext
from guardhook.install.codex_form import RefusedError

HANDLER = '{"type": "command", "command": "true"}'
GROUP = f'{{"matcher": "Bash", "hooks": [{HANDLER}]}}'


def pre(*groups: str) -> str:
    return f'{{"hooks": {{"PreToolUse": [{", ".join(groups)}]}}}}'


def command(**fields: str) -> str:
    """A file with one handler of type `command`; fields as JSON text."""
    members = {"type": '"command"', "command": '"x"', **fields}
    return pre(f'{{"hooks": [{{{", ".join(f"{chr(34)}{name}{chr(34)}: {text}" for name, text in members.items())}}}]}}')


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


TAKEN = [
    "{}",
    '{"description": null, "hooks": {}}',
    '{"hooks": {"PreToolUse": []}}',
    '{"hooks": {"Foo": null, "Foo": 1, "pre_tool_use": 5, "state": {}}}',
    pre(GROUP),
    pre("{}", '{"matcher": "Bash"}', '{"hooks": []}'),
    pre(f'{{"matcher": null, "hooks": [{HANDLER}]}}'),
    pre(f'{{"x": 1, "x": 2, "y": 1e400, "z": "\\ud800", "deep": {nested(200)}, "hooks": [{HANDLER}]}}'),
    pre(f'{{"matcher": "(", "hooks": [{HANDLER}]}}', GROUP),
    pre('{"hooks": [{"type": "prompt", "prompt": 5}, {"type": "agent"}]}'),
    pre('{"hooks": [{"type": "prompt", "command": 1, "command": 2}]}'),
    pre('{"hooks": [{"type": "mcp_tool", "server": "a", "tool": "b", "input": {}, "async": 1}]}'),
    pre('{"hooks": [{"type": "command", "command": "x", "f": 1, "f": 2}]}'),
    '{"hooks": {"PreToolUs\\u0065": []}}',
    command(command='" "'),
    command(command='"\\ud83d\\ude00 a\\u0000b"'),
    command(timeout="0"),
    command(timeout="-0"),
    command(timeout="null"),
    command(timeout=str(2**63 - 1)),
    command(timeoutSec='"5"', onFailure='"block"'),
    command(statusMessage="null", additionalContextLimit="null", commandWindows="null"),
    command(statusMessage='""', additionalContextLimit="5", commandWindows='"y"'),
    command(**{"async": "true"}),
    command(command_windows='"y"'),
    command(f=nested(121)),
]
REFUSED = [
    "",
    "null",
    "{} x",
    "{,}",
    "﻿{}",
    '{"$schema": "x", "hooks": {}}',
    '{"PreToolUse": []}',
    '{"description": 1}',
    '{"description": "\\ud800"}',
    '{"description": "a", "description": "b"}',
    '{"hooks": null}',
    '{"hooks": "x"}',
    '{"hooks": {}, "hooks": {}}',
    '{"hooks": {"\\ud800": []}}',
    '{"hooks": {"PreToolUse": null}}',
    '{"hooks": {"Stop": null}}',
    '{"hooks": {"PreToolUse": {}}}',
    '{"hooks": {"PreToolUse": [], "PreToolUse": []}}',
    '{"hooks": {"Stop": [{"matcher": 1, "hooks": []}]}}',
    pre("null"),
    pre('"x"'),
    pre('{"hooks": null}'),
    pre('{"hooks": {}}'),
    pre('{"matcher": 1}'),
    pre('{"matcher": ["Bash"]}'),
    pre('{"matcher": "a", "matcher": "b"}'),
    pre('{"hooks": [], "hooks": []}'),
    pre('{"\\ud800": 1}'),
    pre('{"hooks": [null]}'),
    pre('{"hooks": ["x"]}'),
    pre('{"hooks": [{}]}'),
    pre('{"hooks": [{"command": "true"}]}'),
    pre('{"hooks": [{"type": "command"}]}'),
    pre('{"hooks": [{"type": "http", "url": "x"}]}'),
    pre('{"hooks": [{"type": "Command", "command": "x"}]}'),
    pre('{"hooks": [{"type": null, "command": "x"}]}'),
    pre('{"hooks": [{"type": "command", "type": "command", "command": "x"}]}'),
    pre('{"hooks": [{"type": "command", "command": "x", "command": "y"}]}'),
    pre('{"hooks": [{"type": "mcp_tool", "tool": "b"}]}'),
    pre('{"hooks": [{"type": "mcp_tool", "server": "a", "tool": "b", "input": null}]}'),
    command(command="null"),
    command(command='"\\ud800"'),
    command(timeout="1.0"),
    command(timeout="1e2"),
    command(timeout="-1"),
    command(timeout='"5"'),
    command(timeout="true"),
    command(timeout=str(2**63)),
    command(timeout=str(2**64)),
    command(additionalContextLimit=str(2**63)),
    command(additionalContextLimit="-1"),
    command(statusMessage="1"),
    command(commandWindows="true"),
    command(commandWindows='"a"', command_windows='"b"'),
    command(f=nested(122)),
    command(f='["\\ud800"]'),
    command(**{"async": "null"}),
    command(**{"async": "1"}),
]


@pytest.mark.parametrize("text", TAKEN)
def test_what_codex_takes_is_read(text: str) -> None:
    assert codex_form.read(text.encode()).text == text


@pytest.mark.parametrize("text", REFUSED)
def test_what_codex_refuses_is_refused_with_the_place(text: str) -> None:
    with pytest.raises(RefusedError, match=r"line \d+, column \d+: expected .+, found|byte order mark"):
        codex_form.read(text.encode())


def test_text_that_is_no_utf_8_is_refused() -> None:
    with pytest.raises(RefusedError, match="text in UTF-8"):
        codex_form.read(b'{"description": "\xe9"}')


@pytest.mark.parametrize("text", ["[]", f'[null, {{"PreToolUse": [{GROUP}]}}]', '{"hooks": []}'])
def test_a_file_in_another_form_than_objects_is_left_alone(text: str) -> None:
    """Codex takes fields in their order, too. Nobody writes that, and it is not edited."""
    with pytest.raises(RefusedError, match="an object"):
        codex_form.read(text.encode())


def test_a_group_or_handler_in_that_form_does_not_stand_in_the_way() -> None:
    text = pre(f'["Bash", [{HANDLER}]]', '{"hooks": [["command", "x"]]}')
    assert codex_form.read(text.encode()).text == text


def test_the_reason_names_what_is_wrong() -> None:
    with pytest.raises(RefusedError, match=r"""line 1, column 2: .*\(not '\$schema'\)"""):
        codex_form.read(b'{"$schema": 1}')
    with pytest.raises(RefusedError, match=r"""line 2, column 2: .*\(not 'x'\)"""):
        codex_form.read(b'{\n "x": 1}')


def test_parsing_alone_takes_any_json() -> None:
    assert codex_form.parse(b'{"$schema": 1}').root.kind == "object"
    with pytest.raises(RefusedError, match="not valid JSON"):
        codex_form.parse(b"{")
    assert isinstance(codex_form.parse(jsontext.BOM + b"{}"), jsontext.Document)
