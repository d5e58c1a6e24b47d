"""hooks.json: one group of ours, nobody else's moved or changed, and the same bytes afterwards (SPEC X1, X2)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardhook.install import (
    InstallError,
    codex,
    codex_form,
    codex_hooks,
    codex_places,
    codex_trust,
    jsonedit,
    jsontext,
)
from guardhook.install.codex_handler import FAIL_CLOSED, Handler, is_own
from guardhook.install.codex_places import CodexHome, Found
from guardhook.install.places import Places
from guardhook.install.plan import COPY
from tests.install.settings_files import DEEP, VALUES, Pairs, files

WHERE = Places("/home/u/.claude")
HOME = CodexHome("/home/u/.codex")
PYTHON = "/usr/bin/python3.11"
COMMAND = f"{PYTHON} -I -S /home/u/.claude/hooks/guard.py --agent codex"
GROUP = {"matcher": "Bash|apply_patch", "hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}
FOREIGN = {"matcher": "Bash", "hooks": [{"type": "command", "command": "/opt/other/hook"}]}
RECORD = codex_places.record_path(WHERE)


def handler(python: str = PYTHON, *, closed: bool = False, windows: bool = False) -> Handler:
    return Handler(python, WHERE, closed, windows)


def install(found: Found, wanted: Handler | None = None) -> Found:
    return after(found, codex.install(found, HOME, WHERE, wanted or handler()))


def uninstall(found: Found) -> Found:
    return after(found, codex.uninstall([(HOME, found)], WHERE))


def after(found: Found, outcome: codex.Outcome) -> Found:
    """The files that carrying out a plan would leave."""
    left = Found(found.hooks, found.config, found.record)
    for edit in outcome.plan.edits:
        name = {HOME.hooks: "hooks", RECORD: "record"}[edit.path]
        assert getattr(left, name) == edit.old
        setattr(left, name, edit.new)
    return left


def hooks(*groups: object, **more: object) -> bytes:
    return json.dumps({"hooks": {"PreToolUse": groups}, **more}, indent=1).encode()


def groups(data: bytes | None) -> list[Any]:
    found: list[Any] = json.loads(data or b"")["hooks"]["PreToolUse"]
    return found


def own(command: str, matcher: str = "Bash|apply_patch", **fields: object) -> dict[str, object]:
    return {"matcher": matcher, "hooks": [{"type": "command", "command": command, **fields}]}


TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
UNKNOWN = st.lists(st.tuples(st.sampled_from(["x", "note", "enabled"]), VALUES | DEEP), max_size=2)
HANDLERS = st.one_of(
    st.builds(
        lambda command, fields, more: Pairs([("type", "command"), *fields, ("command", command), *more]),
        TEXT,
        st.sampled_from([[], [("async", True)], [("statusMessage", "s")], [("commandWindows", None)]]),
        UNKNOWN,
    ),
    st.builds(lambda more: Pairs([*more, ("type", "prompt")]), UNKNOWN),
)


def codex_groups(handlers: st.SearchStrategy[Pairs]) -> st.SearchStrategy[Pairs]:
    return st.builds(
        lambda before, matcher, inner: Pairs(
            [*before, *([("matcher", matcher)] if matcher else []), *([] if inner is None else [("hooks", inner)])]
        ),
        UNKNOWN,
        st.sampled_from(["", "Bash", "(", None]),
        st.none() | st.lists(handlers, max_size=2),
    )


@st.composite
def hooks_values(draw: st.DrawFn, ours: st.SearchStrategy[Pairs] | None = None) -> Pairs:
    """A hooks.json that Codex takes: known fields once and well typed, unknown ones anywhere else.

    ours: handlers of which one or two stand before a tool call, alone or beside those of others.
    """
    names = draw(st.lists(st.sampled_from(["PreToolUse", "Stop", "SessionStart"]), unique=True, max_size=3))
    events: list[tuple[str, object]] = [
        (name, draw(st.lists(codex_groups(HANDLERS), max_size=3)))
        for name in names
        if ours is None or name != "PreToolUse"
    ]
    if ours is not None:
        own = st.tuples(st.lists(HANDLERS, max_size=1), ours, st.lists(HANDLERS | ours, max_size=1))
        group = Pairs([("matcher", "Bash"), ("hooks", [*(parts := draw(own))[0], parts[1], *parts[2]])])
        others = draw(st.lists(codex_groups(HANDLERS), max_size=2))
        others.insert(draw(st.integers(0, len(others))), group)
        events.append(("PreToolUse", others))
    events += draw(st.lists(st.tuples(st.sampled_from(["Foo", "Bar"]), VALUES), max_size=2))
    members: list[tuple[str, object]] = (
        [("hooks", Pairs(draw(st.permutations(events))))] if ours is not None or draw(st.integers(0, 4)) else []
    )
    if draw(st.booleans()):
        members.insert(draw(st.integers(0, len(members))), ("description", draw(st.none() | TEXT)))
    return Pairs(members)


@settings(max_examples=600)
@given(files(hooks_values()))
def test_installing_appends_one_group_once_and_uninstalling_gives_the_same_bytes(data: bytes) -> None:
    data = data.removeprefix(jsontext.BOM)
    one = install(Found(data))
    assert groups(one.hooks)[-1] == GROUP
    codex_form.read(one.hooks or b"")
    before, installed = (jsontext.value(jsontext.read(text).root) for text in (data, one.hooks or b""))
    assert isinstance(installed, dict) and isinstance(before, dict)
    del installed["hooks"]["PreToolUse"][-1]
    for fields in (installed, before):
        fields["hooks"] = {**fields.get("hooks", {})}
        fields["hooks"].setdefault("PreToolUse", [])
    assert jsontext.same(installed, before)
    assert codex.install(one, HOME, WHERE, handler()).plan.edits == []
    left = uninstall(one)
    assert (left.hooks, left.record) == (data, None)


@settings(max_examples=50)
@given(files(hooks_values()), st.integers(1, 2))
def test_groups_that_came_later_keep_their_places(data: bytes, later: int) -> None:
    """Their trust records name their index."""
    one = install(Found(data.removeprefix(jsontext.BOM)))
    count = len(groups(one.hooks))
    for _ in range(later):
        document = jsontext.read(one.hooks or b"")
        array = document.root.items[document.root.index("hooks")].node.member("PreToolUse")
        assert array
        one.hooks = jsonedit.append(document, array, FOREIGN).encode()
    left = groups(uninstall(one).hooks)
    assert left[count - 1 :] == [{"hooks": []}, *[FOREIGN] * later]
    assert left[: count - 1] == groups(one.hooks)[: count - 1]


def test_a_missing_file_is_made_and_goes_again() -> None:
    outcome = codex.install(Found(), HOME, WHERE, handler())
    assert [(edit.path, edit.keep, edit.mode) for edit in outcome.plan.edits] == [
        (RECORD, "", 0o644),
        (HOME.hooks, COPY, 0o600),
    ]
    made = after(Found(), outcome)
    assert json.loads(made.hooks or b"") == {"hooks": {"PreToolUse": [GROUP]}}
    assert (uninstall(made).hooks, uninstall(made).record) == (None, None)


def test_a_file_that_was_made_stays_once_something_else_is_in_it() -> None:
    made = install(Found())
    made.hooks = (made.hooks or b"").replace(b"{\n", b'{\n  "description": "mine",\n', 1)
    assert uninstall(made).hooks == b'{\n  "description": "mine"\n}\n'


def test_without_a_codex_home_nothing_happens_and_that_is_said() -> None:
    outcome = codex.install(Found(exists=False), HOME, WHERE, handler())
    assert (outcome.plan.edits, outcome.plan.notes, outcome.line) == ([], [], f"skipped: there is no {HOME.home}")


OUTDATED = [
    own("/old/python3 -I -S /home/u/.claude/hooks/guard.py --agent codex", timeout=10),
    own("python3 /home/u/.claude/hooks/guard.py --agent codex"),
    own("'/a b/python3' -IS '/home/u/.claude/hooks/guard.py' --agent claude", timeout=10),
    own("/usr/bin/python3 -I -S /home/u/.other-claude/hooks/guard.py --agent codex", timeout=10),
    own(COMMAND),
    own(COMMAND, timeout=600),
    own(COMMAND, matcher="Bash", timeout=10),
    {"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]},
    own(handler(closed=True).command, timeout=10),
]


@pytest.mark.parametrize("outdated", OUTDATED)
def test_an_outdated_group_is_brought_up_to_date_where_it_stands(outdated: object) -> None:
    one = install(Found(hooks(FOREIGN, outdated, FOREIGN)))
    assert groups(one.hooks) == [FOREIGN, GROUP, FOREIGN]
    assert install(one).hooks == one.hooks
    assert groups(uninstall(one).hooks) == [FOREIGN, {"hooks": []}, FOREIGN]


@pytest.mark.parametrize(
    "command",
    [
        COMMAND + " && /opt/audit/log.sh",
        COMMAND + " 2>>/tmp/log",
        "pylint /home/u/.claude/hooks/guard.py",
        "pytest -q /home/u/.claude/hooks/guard.py",
        "python3 /opt/other.py /home/u/.claude/hooks/guard.py",
    ],
)
def test_a_longer_command_around_the_guard_is_the_users_own(command: str) -> None:
    theirs = own(command, timeout=10)
    one = install(Found(hooks(theirs)))
    assert groups(one.hooks)[0] == theirs
    assert groups(uninstall(one).hooks)[0] == theirs
    wiring = codex_hooks.unwire(one.hooks or b"", WHERE, ())
    (note,) = wiring.notes
    assert note.startswith("This hook of Codex starts /home/u/.claude/hooks/guard.py, which goes now")
    assert note.endswith(command)


def test_what_the_user_added_to_our_group_stays_but_nothing_that_disarms_it() -> None:
    fields: dict[str, Any] = {"statusMessage": "Guarding", "async": True, "mine": [1.5]}
    data = hooks({"note": 1e3, **own("/old/python3 -I -S /home/u/.claude/hooks/guard.py --agent codex", **fields)})
    (group,) = groups(install(Found(data)).hooks)
    assert group["note"] == 1e3
    assert group["hooks"] == [{**GROUP["hooks"][0], **fields, "async": False}]  # type: ignore[dict-item]


def test_only_the_bytes_of_what_is_outdated_change() -> None:
    old = b"python3 /home/u/.claude/hooks/guard.py --agent codex"
    handler = b'{"type":"command","timeout":\t10,"command":"%s"}' % old
    data = b'{"hooks":{"PreToolUse":[{"matcher" : "Bash|apply_patch", "hooks":[ %s ]}]} }' % handler
    assert install(Found(data)).hooks == data.replace(old, COMMAND.encode())


SHARED = {
    "matcher": "Bash",
    "hooks": [FOREIGN["hooks"][0], {"type": "command", "command": COMMAND}, FOREIGN["hooks"][0]],
}


def test_a_group_shared_with_other_handlers_is_left_alone_with_a_warning() -> None:
    outcome = codex.install(Found(hooks(SHARED)), HOME, WHERE, handler())
    assert outcome.plan.edits == []
    assert "entry 1 of PreToolUse; that entry is left as it is" in outcome.plan.notes[0]
    assert [state.key for state in outcome.states] == [f"{HOME.hooks}:pre_tool_use:0:1"]


def test_uninstalling_takes_the_guard_out_of_a_shared_group_too() -> None:
    outcome = codex.uninstall([(HOME, Found(hooks(SHARED)))], WHERE)
    assert groups(outcome.plan.edits[0].new) == [{"matcher": "Bash", "hooks": [FOREIGN["hooks"][0]] * 2}]
    assert "trust them again" in outcome.plan.notes[0]


def test_a_second_group_of_ours_is_named_and_moves_nobody() -> None:
    outcome = codex.install(Found(hooks(GROUP, OUTDATED[0], FOREIGN)), HOME, WHERE, handler())
    assert groups(outcome.plan.edits[-1].new) == [GROUP, GROUP, FOREIGN]
    assert any("starts the guard 2 times" in note for note in outcome.plan.notes)


def test_another_entry_that_may_be_the_launcher_is_named() -> None:
    data = hooks(own("uv run /home/u/.claude/hooks/guard.py"))
    outcome = codex.install(Found(data), HOME, WHERE, handler())
    assert groups(outcome.plan.edits[-1].new) == [*groups(data), GROUP]
    assert "uv run" in outcome.plan.notes[0]


@pytest.mark.parametrize("data", [b"{", b'{"$schema": 1}', b'{"hooks": null}', jsontext.BOM + b"{}", b"\xff"])
def test_a_file_that_codex_refuses_is_left_alone_with_the_reason(data: bytes) -> None:
    outcome = codex.install(Found(data), HOME, WHERE, handler())
    assert (outcome.plan.edits, outcome.states) == ([], [])
    (note,) = outcome.plan.notes
    assert note.startswith(f"{HOME.hooks} was left as it is, so Codex does not run the guard: ")
    assert outcome.refused and outcome.refused in note


def test_uninstalling_works_on_a_file_that_codex_refuses_and_leaves_alone_what_is_no_json() -> None:
    installed = install(Found(hooks(FOREIGN)))
    broken = (installed.hooks or b"").replace(b"{", b'{"$schema": "x",', 1)
    installed.hooks = broken
    assert uninstall(installed).hooks == hooks(FOREIGN).replace(b"{", b'{"$schema": "x",', 1)
    installed.hooks = b"{"
    outcome = codex.uninstall([(HOME, installed)], WHERE)
    assert outcome.plan.edits == []
    assert "not valid JSON" in outcome.plan.notes[0]


def test_uninstalling_reaches_every_home_that_was_installed_to() -> None:
    other = CodexHome("/home/u/other")
    one = install(Found(b"{}"))
    two = codex.install(Found(b"{}", record=one.record), other, WHERE, handler()).plan.edits
    record, elsewhere = (edit.new for edit in two)
    assert set(codex_places.decode_record(record)) == {HOME.hooks, other.hooks}
    homes = [(HOME, Found(one.hooks, record=record)), (other, Found(elsewhere, record=record))]
    edits = codex.uninstall(homes, WHERE).plan.edits
    assert [(edit.path, edit.new) for edit in edits] == [(HOME.hooks, b"{}"), (other.hooks, b"{}"), (RECORD, None)]


@pytest.mark.parametrize("data", [b"[]", b'{"hooks": []}', b'{"hooks": {"PreToolUse": {"a": {"hooks": {}}}}}', b"5"])
def test_uninstalling_finds_nothing_in_other_forms(data: bytes) -> None:
    assert uninstall(Found(data)).hooks == data


def test_the_reminder_comes_until_the_current_definition_is_trusted() -> None:
    installed = install(Found(hooks(FOREIGN)))
    (state,) = codex.install(installed, HOME, WHERE, handler()).states
    assert (state.name, state.key) == (codex_trust.UNTRUSTED, f"{HOME.hooks}:pre_tool_use:1:0")
    own_group = codex_hooks.find(jsontext.read(installed.hooks or b""), WHERE)[0]
    config = f'[hooks.state."{state.key}"]\ntrusted_hash = "{codex_trust.own_hash(own_group)}"\n'
    installed.config = config.encode()
    outcome = codex.install(installed, HOME, WHERE, handler())
    assert ([state.name for state in outcome.states], outcome.plan.notes) == ([codex_trust.TRUSTED], [])
    moved = codex.install(installed, HOME, WHERE, handler("/opt/python3"))
    assert [state.name for state in moved.states] == [codex_trust.MODIFIED]
    assert "does not run the guard yet (modified)" in moved.plan.notes[0]
    installed.config = (config + "enabled = false\n").encode()
    disabled = codex.install(installed, HOME, WHERE, handler("/opt/python3"))
    assert ([state.name for state in disabled.states], disabled.plan.notes) == ([codex_trust.DISABLED], [])


def test_a_configuration_that_cannot_be_read_is_said() -> None:
    found = Found(b"{}")
    found.broken = "config.toml is not a regular file."
    outcome = codex.install(found, HOME, WHERE, handler())
    assert [state.name for state in outcome.states] == [codex_trust.UNREADABLE]
    assert found.broken in outcome.plan.notes[0]


def test_how_the_guard_fails_is_kept_by_its_wiring() -> None:
    closed, opened = install(Found(b"{}"), handler(closed=True)), install(Found(b"{}"))
    assert codex_hooks.is_closed(closed.hooks, WHERE)
    assert not codex_hooks.is_closed(opened.hooks, WHERE)
    assert not codex_hooks.is_closed(None, WHERE)
    assert not codex_hooks.is_closed(b"{", WHERE)
    assert json.loads(closed.hooks or b"")["hooks"]["PreToolUse"][0]["hooks"][0]["command"].startswith("/bin/sh -c ")
    assert uninstall(closed).hooks == b"{}"


def test_the_command_for_windows() -> None:
    where = Places("/home/u/.claude")
    value = Handler("C:\\Program Files\\py\\python.exe", where, windows=True).value()
    windows = f'cmd /d /c call "C:\\Program Files\\py\\python.exe" -I -S "{where.guard}" --agent codex'
    assert value["commandWindows"] == windows
    assert is_own({"command": Handler("C:\\py\\python.exe", where).command}, where)
    with pytest.raises(InstallError, match="for Windows"):
        Handler("C:\\100%\\python.exe", where, windows=True)


@pytest.mark.parametrize(
    ("platform", "asked", "registers"), [("win32", False, False), ("win32", True, True), ("linux", False, True)]
)
def test_on_windows_only_when_asked_for(platform: str, asked: bool, registers: bool) -> None:
    assert codex.registers(platform, asked) is registers


@pytest.mark.parametrize(
    "command",
    [
        "",
        "'",
        "cat /home/u/.claude/hooks/guard.py",
        "python3 /else/hooks/guard.py --agent codex",
        "python3",
        "/bin/sh -c x guardhook",
    ],
)
def test_what_is_not_ours(command: str) -> None:
    assert not is_own({"type": "command", "command": command}, WHERE)
    assert not is_own(command, WHERE)


def test_a_guard_elsewhere_is_brought_here_but_never_taken_away() -> None:
    elsewhere = hooks(OUTDATED[3])
    assert groups(install(Found(elsewhere)).hooks) == [GROUP]
    assert uninstall(Found(elsewhere)).hooks == elsewhere


def test_a_path_that_is_not_unicode_is_refused() -> None:
    with pytest.raises(InstallError, match="UTF-8"):
        handler("/bin/\udcffpython3")


def test_the_closed_form_is_one_simple_command_for_any_shell() -> None:
    assert "'" not in FAIL_CLOSED and "\n" not in FAIL_CLOSED
