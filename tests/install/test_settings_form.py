"""What Claude Code 2.1.332 was seen to drop a whole file for, and what it was seen to take."""

import json

import pytest

from guardhook.install import InstallError, claude, jsontext, settings_form
from guardhook.protect import form, parts
from tests.install.simulation import PYTHON, WHERE

COMMAND = {"type": "command", "command": "true"}
HTTP = {"type": "http", "url": "http://127.0.0.1:1/"}
PROMPT = {"type": "prompt", "prompt": "x"}
AGENT = {"type": "agent", "prompt": "x"}
TOOL = {"type": "mcp_tool", "server": "s", "tool": "t"}


def flaws(**fields: object) -> list[str]:
    """Of both readers: the hook's own, which only says whether the file is taken, must agree."""
    text = json.dumps(fields)
    found = settings_form.flaws(jsontext.read(text.encode()))
    values = parts.settings(text)
    assert values is not None
    assert form.is_taken(values) is (found == [])
    return found


def of_handler(handler: object, event: str = "PreToolUse") -> list[str]:
    return flaws(hooks={event: [{"hooks": [handler]}]})


DROPPED: list[tuple[dict[str, object], dict[str, list[object]]]] = [
    (
        COMMAND,
        {
            "onFailure": ["deny", None, True, ""],
            "timeout": ["10", 0, -1, None, True],
            "type": ["foo", None, 5, "Command"],
            "command": [5, None, ["true"]],
            "args": ["a", [1], None],
            "shell": ["sh", None],
            "async": ["yes", None, 1],
            "asyncRewake": ["yes"],
            "rewakeMessage": [5],
            "rewakeSummary": [5],
            "statusMessage": [5, None],
            "once": ["x"],
            "if": [5, None],
        },
    ),
    (
        HTTP,
        {
            "url": [None, 5, "nope", "", "$URL", "//x/y", "http://"],
            "headers": [5, {"a": 5}],
            "allowedEnvVars": [5, [5]],
            "onFailure": ["deny"],
            "timeout": ["5"],
            "once": [5],
        },
    ),
    (TOOL, {"input": [5, []], "timeout": [0], "once": [5], "statusMessage": [5], "if": [5]}),
    (PROMPT, {"model": [5], "continueOnBlock": [5], "timeout": ["1"], "once": [5], "statusMessage": [5]}),
    (AGENT, {"model": [5], "if": [5], "timeout": ["1", 0], "once": [5], "statusMessage": [5]}),
]
TAKEN: list[tuple[dict[str, object], dict[str, list[object]]]] = [
    (
        COMMAND,
        {
            "onFailure": ["continue", "block"],
            "timeout": [10, 1.5, 1e9, 1e-7],
            "command": ["", "true \ud800"],
            "args": [["a"], []],
            "shell": ["bash", "powershell"],
            "async": [True],
            "once": [True],
            "if": ["Bash(x)"],
            "futureField": [[1]],
            "url": [5],
            "prompt": [5],
            "model": [5],
        },
    ),
    (HTTP, {"url": ["localhost:1", "http:x", "ftp://x"], "async": [5]}),
    (TOOL, {"onFailure": ["x"], "input": [{}]}),
    (PROMPT, {"onFailure": ["x"]}),
    (AGENT, {"onFailure": [5]}),
]


def each(table: list[tuple[dict[str, object], dict[str, list[object]]]]) -> list[dict[str, object]]:
    return [{**base, name: value} for base, fields in table for name, values in fields.items() for value in values] + [
        base for base, _ in table if table is TAKEN
    ]


@pytest.mark.parametrize("handler", each(DROPPED), ids=json.dumps)
def test_a_handler_that_costs_the_file(handler: dict[str, object]) -> None:
    assert len(of_handler(handler)) == 1
    assert len(of_handler(handler, "PermissionRequest")) == 1
    for event in ("Stop", "PostToolUse", "SessionStart", "ConfigChange", "NotAnEvent"):
        assert of_handler(handler, event) == []  # the client leaves out that entry alone


@pytest.mark.parametrize("handler", each(TAKEN), ids=json.dumps)
def test_a_handler_that_the_client_takes(handler: dict[str, object]) -> None:
    assert of_handler(handler) == []


@pytest.mark.parametrize(
    "handler", [{"command": "x"}, {"type": "command"}, {"type": "http"}, {"type": "prompt"}, {"type": "agent"}]
)
def test_what_a_handler_must_have(handler: dict[str, object]) -> None:
    (flaw,) = of_handler(handler)
    assert " must have " in flaw


GROUPS: list[tuple[object, bool]] = [
    ([], True),
    (None, True),
    ([{"hooks": []}], True),
    ([{"matcher": "[", "hooks": [], "futureField": 5}], True),
    ([{"matcher": None, "hooks": []}], False),
    ([{"matcher": 5, "hooks": []}], False),
    ([{"matcher": ["Bash"], "hooks": []}], False),
    ([{"matcher": "*"}], False),
    *(([{"hooks": value}], False) for value in ({}, None, "x", [5], ["x"], [None])),
    *((value, False) for value in ({}, "x", ["x"], [None], [[]])),
]


@pytest.mark.parametrize(("groups", "taken"), GROUPS)
def test_entries(groups: object, taken: bool) -> None:
    assert (flaws(hooks={"PreToolUse": groups}) == []) is taken


ROOTS: list[tuple[dict[str, object], bool]] = [
    ({"permissions": {}, "env": {"A": 5, "B": None}, "model": "", "disableAllHooks": False, "unknown": 5}, True),
    ({"permissions": {"allow": [5, "Bash(("], "deny": [5], "unknown": 5}}, True),
    *(({name: None}, False) for name in ("permissions", "env", "model", "disableAllHooks", "statusLine")),
    ({"apiKeyHelper": None}, False),
    *(({"permissions": {name: 5}}, False) for name in ("allow", "deny", "ask", "additionalDirectories", "defaultMode")),
    ({"permissions": []}, False),
    ({"permissions": {"additionalDirectories": [5]}}, False),
    ({"cleanupPeriodDays": "x"}, False),
    ({"includeCoAuthoredBy": None}, False),
    ({"hooks": []}, False),
]


@pytest.mark.parametrize(("fields", "taken"), ROOTS)
def test_the_rest_of_the_file(fields: dict[str, object], taken: bool) -> None:
    assert (flaws(**fields) == []) is taken


def test_of_members_of_one_name_the_last_counts_and_infinity_is_no_time() -> None:
    form = '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", %s}]}]}}'
    for fields, count in (
        ('"onFailure": "x", "onFailure": "block"', 0),
        ('"onFailure": "block", "onFailure": "x"', 1),
        ('"timeout": 1e400', 1),
        ('"timeout": -0', 1),
    ):
        assert len(settings_form.flaws(jsontext.Document(form % fields))) == count, fields
    assert len(settings_form.flaws(jsontext.Document("[]"))) == 1


def test_every_flaw_has_its_place_in_the_order_of_the_file() -> None:
    text = '{\n "hooks": {"PreToolUse": [\n  {"hooks": [{"type": "command", "command": "x", "onFailure": "deny"}]},'
    text += '\n  {}]},\n "model": [1,\n  2]}'
    assert settings_form.flaws(jsontext.Document(text)) == [
        'line 3, column 63: "onFailure" of a handler of "hooks.PreToolUse" must be "continue" or "block", not "deny"',
        'line 4, column 3: an entry of "hooks.PreToolUse" must have "hooks"',
        'line 5, column 11: "model" must be a string, not [1, 2]',
    ]


def test_installing_refuses_a_file_that_the_client_would_drop_with_every_reason() -> None:
    data = json.dumps({"model": 5, "hooks": {"PermissionRequest": {}}}).encode()
    with pytest.raises(InstallError) as raised:
        claude.wire(data, WHERE, claude.Handler(PYTHON, WHERE, True))
    assert 'line 1, column 11: "model" must be a string, not 5.' in str(raised.value)
    assert '"hooks.PermissionRequest" must be an array' in str(raised.value)
    assert WHERE.settings in str(raised.value)


def test_a_flaw_of_our_own_older_entry_is_mended() -> None:
    handler = claude.Handler(PYTHON, WHERE, True)
    group = {"matcher": None, "hooks": [{**handler.value(), "onFailure": "deny", "timeout": "10"}]}
    data = json.dumps({"hooks": {"PreToolUse": [group]}}).encode()
    assert json.loads(claude.wire(data, WHERE, handler).data)["hooks"]["PreToolUse"] == [handler.group()]
