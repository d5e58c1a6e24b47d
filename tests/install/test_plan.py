"""Plans: which files, in which order, and what is kept of somebody else's."""

import json

import pytest

from guardhook.install import InstallError, claude, places, plan
from tests.install import simulation
from tests.install.simulation import LAUNCHER, STAMP, WHERE


def test_the_settings_are_written_last_and_taken_back_first() -> None:
    found = simulation.snapshot(b"{}")
    planned = plan.install(found, WHERE, simulation.wanted())
    assert [edit.path for edit in planned.edits] == [WHERE.record, WHERE.guard, WHERE.session, WHERE.settings]
    kept = [("", 0o644), ("", 0o644), ("", 0o644), (plan.COPY, 0o600)]
    assert [(edit.keep, edit.mode) for edit in planned.edits] == kept
    entries = ("the guard's entry", "the entry for a session's start", "the entry for changed settings")
    assert planned.edits[-1].note == "; ".join(f"{entry} is added" for entry in entries)
    removal = plan.uninstall(simulation.after(found, planned), WHERE)
    assert [edit.path for edit in removal.edits] == [WHERE.settings, WHERE.guard, WHERE.session, WHERE.record]
    assert removal.edits[0].keep == plan.COPY


def test_a_second_installation_plans_nothing() -> None:
    installed = simulation.install(simulation.snapshot(b'{"a": 1}'))
    planned = plan.install(installed, WHERE, simulation.wanted())
    assert (planned.edits, planned.folders, planned.empty, planned.restore) == ([], [], [], [])


def test_a_foreign_launcher_is_put_aside_and_comes_back() -> None:
    foreign = b"#!/usr/bin/env python3\nprint('mine')\n"
    installed = simulation.install(simulation.snapshot(b"{}", guard=foreign))
    assert (installed.guard, installed.moved_guard) == (LAUNCHER, foreign)
    assert json.loads(installed.record or b"")["moved_guard"] == f"guard.py.guardhook-{STAMP}.bak"
    again = simulation.install(installed)
    assert (again.record, again.moved_guard) == (installed.record, foreign)
    left = simulation.uninstall(again)
    assert (left.guard, left.moved_guard, left.settings) == (foreign, None, b"{}")


def test_a_foreign_session_start_is_put_aside_and_comes_back() -> None:
    foreign = b"print('mine')\n"
    installed = simulation.install(simulation.snapshot(b"{}", session=foreign))
    assert (installed.session, installed.moved_session) == (simulation.SESSION, foreign)
    assert json.loads(installed.record or b"")["moved_session"] == f"session_start.py.guardhook-{STAMP}.bak"
    left = simulation.uninstall(simulation.install(installed))
    assert (left.session, left.moved_session, left.settings) == (foreign, None, b"{}")


def test_uninstalling_leaves_a_foreign_launcher_alone() -> None:
    mine = b"print('mine')\n"
    left = simulation.uninstall(simulation.snapshot(b"{}", guard=mine, session=mine))
    assert (left.guard, left.session, left.settings) == (mine, mine, b"{}")


def test_folders_that_installing_made_are_removed_if_nothing_is_left_in_them() -> None:
    made = simulation.install(simulation.snapshot(None, folders=()))
    assert plan.uninstall(made, WHERE).empty == [WHERE.hooks, WHERE.config]
    kept = simulation.install(simulation.snapshot(None))
    assert plan.uninstall(kept, WHERE).empty == []


def test_older_releases_go_after_a_day_and_all_of_them_with_uninstalling() -> None:
    found = simulation.snapshot(b"{}", guard=LAUNCHER.replace(b"0123456789ab", b"aaaaaaaaaaaa"))
    ages = {"0123456789ab": 9e9, "aaaaaaaaaaaa": 9e9, "bbbbbbbbbbbb": plan.DAY + 1, "cccccccccccc": plan.DAY - 1}
    found.releases = {f"guardhook-0.1.0-{digest}": age for digest, age in ages.items()}
    planned = plan.install(found, WHERE, simulation.wanted())
    assert planned.folders == [f"{WHERE.hooks}/guardhook-0.1.0-bbbbbbbbbbbb"]
    assert plan.uninstall(found, WHERE).folders == [f"{WHERE.hooks}/{name}" for name in sorted(found.releases)]


def test_a_record_that_belongs_to_an_entry_no_longer_there_is_not_believed() -> None:
    installed = simulation.install(simulation.snapshot(None))
    installed.settings = b'{"hooks": {"PreToolUse": []}}'
    assert simulation.uninstall(simulation.install(installed)).settings == b'{"hooks": {"PreToolUse": []}}'


def test_a_broken_record_is_an_empty_one() -> None:
    for data in (None, b"", b"[]", b"{", b'{"created": 5}', b'{"moved_guard": "../../x"}', b'{"created": ["all"]}'):
        record = places.decode_record(data)
        assert (record.created, record.moved_guard) == ((), ""), data


def release(letter: str) -> str:
    return f"guardhook-0.1.0-{letter * 12}"


def test_a_release_that_anything_names_stays() -> None:
    wired = {"type": "command", "command": f"/usr/bin/python3 {WHERE.hooks}/{release('b')}/guard.py"}
    settings = json.dumps({"hooks": {"PreToolUse": [{"hooks": [wired]}]}}).encode()
    found = simulation.snapshot(settings, session=LAUNCHER.replace(b"0123456789ab", b"c" * 12))
    found.others = {"/home/u/.codex/hooks.json": release("d").encode(), f"{WHERE.hooks}/mine.py": release("e").encode()}
    found.releases = {release(letter): 9e9 for letter in "bcdef"}
    assert plan.install(found, WHERE, simulation.wanted()).folders == [f"{WHERE.hooks}/{release('f')}"]
    removal = plan.uninstall(found, WHERE)
    assert removal.folders == [f"{WHERE.hooks}/{release(letter)}" for letter in "cf"]
    assert [note for note in removal.notes if "another file names it" in note] == [
        f"{WHERE.hooks}/{release(letter)} stays: another file names it." for letter in "bde"
    ]


def test_a_file_that_may_name_the_launchers_keeps_them() -> None:
    installed = simulation.install(simulation.snapshot(b"{}"))
    installed.settings = b"// mine\n" + (installed.settings or b"")
    kept = plan.uninstall(installed, WHERE)
    assert (kept.edits, kept.folders) == ([], [])
    assert "not valid JSON" in kept.refused and "line 1, column 1" in kept.refused
    assert "Take guardhook's entries out by hand" in kept.notes[0]
    installed.settings = b"// mine\n{}"
    gone = plan.uninstall(installed, WHERE)
    assert [edit.path for edit in gone.edits] == [WHERE.guard, WHERE.session, WHERE.record]
    assert "not valid JSON" in gone.refused
    with pytest.raises(InstallError, match="not valid JSON"):
        plan.uninstall(simulation.snapshot(b"// mine\n{}"), WHERE)


def test_settings_behind_a_link_are_emptied_and_not_removed() -> None:
    made = simulation.install(simulation.snapshot(None))
    made.links = {WHERE.settings: "/home/u/dotfiles/claude.json"}
    edit = plan.uninstall(made, WHERE).edits[0]
    assert (edit.path, edit.new, edit.keep) == (WHERE.settings, b"{}\n", plan.COPY)


def test_a_stranger_that_starts_the_launcher_is_named_when_that_goes() -> None:
    stranger = {"type": "command", "command": f"uv run {WHERE.guard}"}
    data = json.dumps({"hooks": {"PreToolUse": [{"hooks": [stranger]}]}}).encode()
    installed = simulation.install(simulation.snapshot(data))
    (note,) = plan.uninstall(installed, WHERE).notes
    assert "Claude Code will block what it matches" in note and f"uv run {WHERE.guard}" in note


def test_deploying_alone_touches_no_settings_and_keeps_what_the_record_says() -> None:
    found = simulation.snapshot(b"// mine\n{}", folders=())
    planned = plan.deploy(found, WHERE, simulation.wanted())
    assert [edit.path for edit in planned.edits] == [WHERE.record, WHERE.guard, WHERE.session]
    assert json.loads(planned.edits[0].new or b"")["created"] == ["config folder", "hooks folder"]
    installed = simulation.install(simulation.snapshot(None))
    assert plan.deploy(installed, WHERE, simulation.wanted()).edits == []
    with pytest.raises(claude.UnreadableError):
        plan.install(found, WHERE, simulation.wanted())
