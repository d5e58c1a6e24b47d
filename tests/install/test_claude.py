"""The settings file: what is added, what is recognised, what is refused, and that nothing else changes."""

import json

import pytest
from hypothesis import given
from hypothesis import settings as settled

from guardhook.install import InstallError, claude, jsontext
from guardhook.install.places import Places
from tests.install import simulation
from tests.install.settings_files import files
from tests.install.simulation import PYTHON, WHERE

COMMAND = f"{PYTHON} -I -S /home/u/.claude/hooks/guard.py"
GROUP = {"matcher": "*", "hooks": [{"type": "command", "command": COMMAND, "timeout": 10, "onFailure": "block"}]}
START = {"hooks": [{"type": "command", "command": f"{PYTHON} -I -S {WHERE.session}", "timeout": 5}]}
CONFIG = {"hooks": GROUP["hooks"]}
HOOKS = {"PreToolUse": [GROUP], "SessionStart": [START], "ConfigChange": [CONFIG]}
FOREIGN = {"matcher": "Bash", "hooks": [{"type": "command", "command": "/opt/other/guard.py"}]}


def own(command: str, **fields: object) -> dict[str, object]:
    return {"matcher": "*", "hooks": [{"type": "command", "command": command, **fields}]}


def settings(*groups: object) -> bytes:
    return json.dumps({"permissions": {"allow": ["Bash(*)"]}, "hooks": {"PreToolUse": groups}}, indent=1).encode()


@settled(deadline=None)
@given(files())
def test_installing_adds_one_entry_once_and_uninstalling_gives_the_same_bytes(data: bytes) -> None:
    before = jsontext.value(jsontext.read(data).root)
    one = simulation.install(simulation.snapshot(data))
    assert simulation.own_entries(one.settings) == 1
    assert simulation.groups(one.settings)[-1] == GROUP
    again = simulation.install(one)
    assert json.loads((one.settings or b"").decode("utf-8-sig"))["hooks"]["SessionStart"][-1] == START
    assert (again.settings, again.guard, again.record) == (one.settings, one.guard, one.record)
    left = simulation.uninstall(again)
    assert (left.settings, left.guard, left.record) == (data, None, None)
    installed = jsontext.value(jsontext.read(one.settings or b"").root)
    assert isinstance(before, dict)
    assert isinstance(installed, dict)
    assert {key for key in installed if key != "hooks"} == {key for key in before if key != "hooks"}
    assert all(jsontext.same(installed[key], before[key]) for key in before if key != "hooks")
    assert jsontext.same(foreign_hooks(installed), foreign_hooks(before))


def foreign_hooks(fields: dict[str, object]) -> list[object]:
    """All hooks but our groups, empty containers left out."""
    hooks = fields.get("hooks")
    assert hooks is None or isinstance(hooks, dict)
    found: list[object] = []
    for event, groups in (hooks or {}).items():
        ours = event in claude.TIMEOUTS
        found += [
            [event, group]
            for group in groups
            if not (ours and any(claude.is_own(handler, WHERE, event) for handler in group["hooks"]))
        ]
    return found


def test_a_missing_file_is_made_and_goes_again() -> None:
    made = simulation.install(simulation.snapshot(None))
    assert made.settings is not None
    assert json.loads(made.settings) == {"hooks": HOOKS}
    assert made.settings.startswith(b'{\n  "hooks": {\n') and made.settings.endswith(b"}\n")
    assert simulation.uninstall(made).settings is None


def test_a_file_that_was_made_stays_once_something_else_is_in_it() -> None:
    made = simulation.install(simulation.snapshot(None))
    made.settings = (made.settings or b"").replace(b'{\n  "hooks"', b'{\n  "model": "x",\n  "hooks"', 1)
    assert simulation.uninstall(made).settings == b'{\n  "model": "x"\n}\n'


def test_empty_containers_of_the_user_stay() -> None:
    for data in (b'{"hooks": {"PreToolUse": []}}', b'{"hooks": {}}', b"{}", b"{\n}", b"{ }"):
        assert simulation.uninstall(simulation.install(simulation.snapshot(data))).settings == data


def test_an_installation_without_a_session_s_start_gets_one_and_gives_all_of_it_back() -> None:
    first = simulation.install(simulation.snapshot(b"{}"))
    old = json.loads(first.settings or b"")
    del old["hooks"]["SessionStart"], old["hooks"]["ConfigChange"]
    record = json.loads(first.record or b"")
    record["created"] = [name for name in record["created"] if name not in ("hooks.SessionStart", "hooks.ConfigChange")]
    del record["moved_session"]
    first.settings, first.record, first.session = json.dumps(old).encode(), json.dumps(record).encode(), None
    new = simulation.install(first)
    assert json.loads(new.settings or b"")["hooks"] == {**HOOKS, "SessionStart": [START]}
    assert (new.session, simulation.uninstall(new).settings) == (simulation.SESSION, b"{}")


STARTS = [
    {"hooks": [{"type": "command", "command": f"/old/python3 -I -S {WHERE.session}", "timeout": 60}]},
    {"matcher": "startup", **START},
]


@pytest.mark.parametrize("outdated", STARTS)
def test_an_outdated_start_is_brought_up_to_date_beside_others(outdated: object) -> None:
    other = {"matcher": "resume", "hooks": [{"type": "command", "command": "true"}]}
    data = json.dumps({"hooks": {"SessionStart": [other, outdated, START]}}).encode()
    one = simulation.install(simulation.snapshot(data))
    assert json.loads(one.settings or b"")["hooks"]["SessionStart"] == [other, START]
    assert json.loads(simulation.uninstall(one).settings or b"")["hooks"] == {"SessionStart": [other]}


@pytest.mark.parametrize("value", ['"x"', "{}", "[1]", '[{"hooks": {}}]', "[{}]"])
def test_starts_of_a_wrong_type_are_refused(value: str) -> None:
    with pytest.raises(InstallError, match="SessionStart"):
        simulation.install(simulation.snapshot(b'{"hooks": {"SessionStart": %s}}' % value.encode()))


def test_containers_filled_by_others_meanwhile_stay() -> None:
    made = simulation.install(simulation.snapshot(b"{}"))
    fields = json.loads(made.settings or b"")
    fields["hooks"]["Stop"] = []
    made.settings = json.dumps(fields).encode()
    assert json.loads(simulation.uninstall(made).settings or b"") == {"hooks": {"Stop": []}}


OUTDATED = [
    own("/old/python3 -I -S /home/u/.claude/hooks/guard.py", timeout=10, onFailure="block"),
    own("'/a b/python3' -IS '/home/u/.claude/hooks/guard.py' --agent claude", timeout=10),
    own("/usr/bin/python3", args=["-I", "-S", "/home/u/.claude/hooks/guard.py"]),
    {**own(COMMAND, timeout=10, onFailure="block"), "matcher": "Bash"},
    own(COMMAND, timeout=10, onFailure="block", **{"async": True}),
    own(COMMAND, timeout=600, onFailure="continue"),
]


@pytest.mark.parametrize("outdated", OUTDATED)
def test_an_outdated_entry_is_brought_up_to_date_where_it_stands(outdated: object) -> None:
    data = settings(FOREIGN, outdated, FOREIGN)
    one = simulation.install(simulation.snapshot(data))
    assert simulation.groups(one.settings) == [FOREIGN, GROUP, FOREIGN]
    assert simulation.install(one).settings == one.settings
    left = simulation.uninstall(one)
    assert simulation.groups(left.settings) == [FOREIGN, FOREIGN]


def test_a_second_entry_of_ours_is_removed() -> None:
    data = settings(OUTDATED[0], FOREIGN, OUTDATED[1])
    assert simulation.groups(simulation.install(simulation.snapshot(data)).settings) == [GROUP, FOREIGN]


def test_an_entry_beside_other_handlers_is_updated_alone() -> None:
    other = {"type": "command", "command": "log-it"}
    shared = {"matcher": "Bash|Read", "hooks": [other, *OUTDATED[0]["hooks"], other]}  # type: ignore[misc]
    wiring = claude.wire(settings(shared), WHERE, claude.Handler(PYTHON, WHERE, True))
    assert simulation.groups(wiring.data) == [{"matcher": "Bash|Read", "hooks": [other, *GROUP["hooks"], other]}]
    assert any("Bash|Read" in note for note in wiring.notes)
    data, count = claude.unwire(wiring.data, WHERE, ())
    assert (simulation.groups(data), count) == ([{"matcher": "Bash|Read", "hooks": [other, other]}], 1)


def test_fail_open_leaves_the_blocking_out_and_takes_it_out() -> None:
    one = simulation.install(simulation.snapshot(b"{}"))
    two = simulation.install(one, simulation.wanted(blocks=False))
    assert "onFailure" not in simulation.groups(two.settings)[0]["hooks"][0]
    assert simulation.install(two).settings == one.settings


NOT_OURS = [
    {"command": "/usr/bin/python3 /home/u/.claude/hooks/guard.py"},
    {"command": "/usr/bin/python3 -I -S /opt/hooks/guard.py"},
    {"command": "/usr/bin/python3 -I -S /home/u/.claude/hooks/other.py /home/u/.claude/hooks/guard.py"},
    {"command": "/home/u/.claude/hooks/guard.py"},
    {"command": "echo 'unbalanced"},
    {"command": ""},
    {"command": 5},
    {"type": "http", "url": "/home/u/.claude/hooks/guard.py"},
    "python3 -I -S /home/u/.claude/hooks/guard.py",
    None,
]


@pytest.mark.parametrize("handler", NOT_OURS)
def test_handlers_of_others_are_not_taken_for_ours(handler: object) -> None:
    assert not claude.is_own(handler, WHERE)


def test_our_entry_is_recognised_behind_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/u")
    for path in (
        "~/.claude/hooks/guard.py",
        '"$HOME/.claude/hooks/guard.py"',
        "/home/u/.claude/hooks/../hooks/guard.py",
    ):
        assert claude.is_own({"command": f"python3 -I -S {path}"}, WHERE), path


REFUSED = [
    (b'{\n  "a": 1,\n}', "line 3, column 1", "a name in double quotes"),
    (b"", "line 1, column 1", "a JSON value"),
    (b"[]", "line 1, column 1", "an object"),
    (b'{"hooks": []}', "line 1, column 11", "an object"),
    (b'{"hooks": null}', "line 1, column 11", "an object"),
    (b'{"hooks": {\n"PreToolUse": {}}}', "line 2, column 15", "an array"),
    (b'{"hooks": {"PreToolUse": ["x"]}}', "line 1, column 27", "an object"),
    (b'{"hooks": {"PreToolUse": [{"matcher": "*"}]}}', "line 1, column 27", "an array"),
    (b'{"hooks": {"PreToolUse": [{"hooks": {}}]}}', "line 1, column 37", "an array"),
]


@pytest.mark.parametrize(("data", "place", "expected"), REFUSED)
def test_what_the_client_would_not_take_is_refused_with_its_place(data: bytes, place: str, expected: str) -> None:
    for act in (simulation.install, simulation.uninstall):
        with pytest.raises(InstallError) as raised:
            act(simulation.snapshot(data))
        assert f"{place}: expected {expected}" in str(raised.value)
        assert WHERE.settings in str(raised.value)


def test_disabled_hooks_and_a_stranger_on_our_launcher_are_pointed_out() -> None:
    stranger = own("python3 /home/u/.claude/hooks/guard.py")
    data = json.dumps({"disableAllHooks": True, "hooks": {"PreToolUse": [stranger]}}).encode()
    wiring = claude.wire(data, WHERE, claude.Handler(PYTHON, WHERE, True))
    assert [("disableAllHooks" in note, "left alone" in note) for note in wiring.notes] == [
        (True, False),
        (False, True),
    ]
    assert simulation.groups(wiring.data) == [stranger, GROUP]


def test_paths_are_quoted_for_the_shell_and_unreadable_ones_refused() -> None:
    spaced = Places("/home/u v/it's/.claude")
    command = claude.Handler("/opt/my python/python3", spaced, True).command
    assert command == """'/opt/my python/python3' -I -S '/home/u v/it'"'"'s/.claude/hooks/guard.py'"""
    assert claude.is_own({"command": command}, spaced)
    with pytest.raises(InstallError, match="UTF-8"):
        claude.Handler("/opt/\udcff/python3", spaced, True)


def test_how_the_three_entries_differ() -> None:
    for blocks in (True, False):
        guard, start, config = claude.handlers(PYTHON, WHERE, blocks, True)
        assert (guard.command, guard.blocks) == (config.command, config.blocks) == (COMMAND, blocks)
        assert config.group() == {"hooks": [guard.value()]}
        assert "onFailure" not in start.value()
    assert [handler.event for handler in claude.handlers(PYTHON, WHERE, True, False)] == [claude.GUARD, claude.START]


def test_a_client_that_does_not_know_the_event_gets_no_entry_and_loses_an_older_one() -> None:
    old = simulation.wanted(watches=False)
    plain = simulation.install(simulation.snapshot(b"{}"), old)
    assert json.loads(plain.settings or b"")["hooks"] == {"PreToolUse": [GROUP], "SessionStart": [START]}
    assert "hooks.ConfigChange" not in json.loads(plain.record or b"")["created"]
    watched = simulation.install(simulation.snapshot(b"{}"))
    back = simulation.install(watched, old)
    assert (back.settings, back.record) == (plain.settings, plain.record)
    assert simulation.uninstall(back).settings == b"{}"
    mine = {"hooks": [{"type": "command", "command": "log-it"}]}
    data = json.dumps({"hooks": {"ConfigChange": [mine, CONFIG]}}).encode()
    kept = simulation.install(simulation.snapshot(data), old)
    assert json.loads(kept.settings or b"")["hooks"]["ConfigChange"] == [mine]


@pytest.mark.parametrize(
    "outdated",
    [
        {"hooks": [{"type": "command", "command": f"/old/python3 -I -S {WHERE.guard}", "timeout": 600}]},
        {"matcher": "user_settings", **CONFIG},
        {"hooks": [{"type": "command", "command": "/usr/bin/python3", "args": ["-I", "-S", WHERE.guard]}]},
    ],
)
def test_an_outdated_entry_for_changed_settings_is_brought_up_to_date(outdated: object) -> None:
    other = {"hooks": [{"type": "command", "command": "true"}]}
    data = json.dumps({"hooks": {"ConfigChange": [other, outdated, other]}}).encode()
    one = simulation.install(simulation.snapshot(data))
    assert json.loads(one.settings or b"")["hooks"]["ConfigChange"] == [other, CONFIG, other]
    assert json.loads(simulation.uninstall(one).settings or b"")["hooks"] == {"ConfigChange": [other, other]}


def test_two_of_ours_in_one_entry_become_one_at_once() -> None:
    twice = {"matcher": "Bash", "hooks": [OUTDATED[0]["hooks"][0], OUTDATED[1]["hooks"][0]]}  # type: ignore[index]
    one = simulation.install(simulation.snapshot(settings(twice, FOREIGN)))
    assert simulation.groups(one.settings) == [GROUP, FOREIGN]
    assert simulation.install(one).settings == one.settings


def test_of_members_of_one_name_the_last_counts_and_the_first_stays() -> None:
    data = b'{"hooks": {"PreToolUse": 5}, "hooks": {"PreToolUse": [], "PreToolUse": []}}'
    one = simulation.install(simulation.snapshot(data))
    assert simulation.groups(one.settings) == [GROUP]
    assert (one.settings or b"").startswith(
        b'{"hooks": {"PreToolUse": 5}, "hooks": {"PreToolUse": [], "PreToolUse": [{'
    )
    assert simulation.uninstall(one).settings == data


def test_our_entries_come_out_of_a_file_that_the_client_would_drop() -> None:
    one = simulation.install(simulation.snapshot(b"{}"))
    broken = json.loads(one.settings or b"")
    broken["model"] = 5
    broken["hooks"]["PreToolUse"][:0] = [5, {"hooks": {}}]
    data, count = claude.unwire(json.dumps(broken).encode(), WHERE, ())
    assert (json.loads(data or b"")["hooks"]["PreToolUse"], count) == ([5, {"hooks": {}}], 3)
