"""Installations broken on purpose: each is found, by the codes that belong to it, and a healthy one has none."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from guardhook.cli import main
from guardhook.health import findings
from guardhook.install.places import Places
from tests.health.installation import Installation, program, remove

Change = Callable[[Installation], object]


def guard_entry(**fields: Any) -> Change:
    """Fields of the guard's handler in Claude Code's settings; None takes one out."""
    return lambda it: it.edit(lambda settings: _put(settings["hooks"]["PreToolUse"][0]["hooks"][0], fields))


def guard_group(**fields: Any) -> Change:
    return lambda it: it.edit(lambda settings: settings["hooks"]["PreToolUse"][0].update(fields))


def codex_handler(**fields: Any) -> Change:
    return lambda it: it.edit_hooks(lambda groups: _put(groups[0]["hooks"][0], fields))


def _put(handler: dict[str, Any], fields: dict[str, Any]) -> None:
    handler.update(fields)
    for name in [name for name, value in fields.items() if value is None]:
        del handler[name]


def in_settings(name: str, **fields: Any) -> Change:
    """Top-level fields in the file `name` of the current folder, or in the user's settings for ""."""
    return lambda it: it.edit(lambda settings: settings.update(fields), it.work / ".claude" / name if name else None)


def unwired(event: str) -> Change:
    return lambda it: it.edit(lambda settings: settings["hooks"].pop(event))


def replaced(text: str, by: str) -> Change:
    """Text in the user's settings."""
    return lambda it: it.settings.write_text(it.settings.read_text("utf-8").replace(text, by, 1), encoding="utf-8")


def fifo(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def huge(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(2**33)  # a hole


def aged(it: Installation) -> None:
    """The release and both launchers of an older version."""
    old = it.release
    new = old.with_name(old.name.replace("-0.1.0-", "-0.0.9-"))
    for path in (it.guard, it.session):
        path.write_text(path.read_text("utf-8").replace(old.name, new.name), encoding="utf-8")
    old.rename(new)


def another(it: Installation) -> None:
    """A Python of another version than the pack's, by its own account."""
    account = '{"version": [3, 12, 1], "hexversion": 51118576, "tag": "cpython-312", "base": ""}'
    script = f"""case "$*" in *" -c "*json*) echo '{account}'; exit;; esac\nexec {it.python} "$@" """
    it.wire(str(program(it.home / "other/python3", script)))


def old(it: Installation) -> None:
    account = '{"version": [3, 9, 1], "hexversion": 50921968, "tag": "cpython-39", "base": ""}'
    it.wire(str(program(it.home / "old/python3", f"echo '{account}'")))


def appended(path: Path, text: str) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


def moved(it: Installation) -> None:
    """Somebody's group in front of ours, and no review since."""
    it.edit(lambda hooks: hooks["hooks"]["PreToolUse"].insert(0, {"hooks": []}), it.hooks_file)


def elsewhere(it: Installation) -> None:
    """Codex starts the guard of a folder that Claude Code has left."""
    other = it.home / "other/hooks"
    shutil.copytree(it.where.hooks, other)
    it.edit_hooks(
        lambda groups: groups[0]["hooks"][0].update(
            command=groups[0]["hooks"][0]["command"].replace(it.where.hooks, str(other))
        )
    )


def asked_and_changed(it: Installation) -> None:
    appended(Path(it.ask().rules), "# mine\n")


def asked_and_gone(it: Installation) -> None:
    Path(it.ask().rules).unlink()


def asked_without_program(it: Installation) -> None:
    Path(it.ask().program).unlink()


def printing(it: Installation) -> None:
    """What BASH_ENV names prints; `examine` reads the environment."""
    appended(it.home / "rc", "echo hello\n")
    os.environ["BASH_ENV"] = str(it.home / "rc")  # taken back by the test's monkeypatch


def printing_where_it_asks(it: Installation) -> None:
    it.ask()
    printing(it)


def linked(it: Installation) -> None:
    """The launchers and their release lie in another folder, as in a repository of somebody's dotfiles."""
    real = it.home / "dotfiles/hooks"
    real.parent.mkdir()
    shutil.move(it.where.hooks, real)
    os.mkdir(it.where.hooks)
    for launcher in (it.guard, it.session):
        launcher.symlink_to(real / launcher.name)
    it.where = Places(it.where.config)


def in_group(event: str, **fields: object) -> Change:
    return lambda it: it.edit(lambda settings: settings["hooks"][event][0].update(fields))


def behind(text: str) -> Change:
    def change(settings: dict[str, Any]) -> None:
        handler = settings["hooks"]["PreToolUse"][0]["hooks"][0]
        handler["command"] += text

    return lambda it: it.edit(change)


OTHER = {"matcher": "Bash", "hooks": [{"type": "command", "command": "other-guard --check", "timeout": 5}]}
EFFECTS = {"probe.change", "probe.verdict"}  # of a guard that judges nothing
BROKEN: list[tuple[str, Change, set[str]]] = [
    # the interpreter
    ("interpreter gone", lambda it: it.wire(f"{it.home}/gone/python3"), {"python.missing"}),
    (
        "interpreter a stub that exits 49",
        lambda it: it.wire(str(program(it.home / "s/python3", "exit 49"))),
        {"python.dead"},
    ),
    (
        "interpreter a shim",
        lambda it: it.wire(str(program(it.home / "s/python3", f'exec {it.python} "$@"'))),
        {"python.script"},
    ),
    ("interpreter too old", old, {"python.old"}),
    ("interpreter of another version than the pack", another, {"python.script", "release.pack"}),
    # the deployed code
    ("release folder gone", lambda it: remove(it.release), {"release.missing", "probe.session", *EFFECTS}),
    ("pack gone", lambda it: it.pack.unlink(), {"release.pack"}),
    ("pack damaged", lambda it: it.pack.write_bytes(b"\0" * 100), {"release.pack"}),
    ("source changed", lambda it: appended(it.release / "guardhook/hook.py", "#\n"), {"release.changed"}),
    ("source gone", lambda it: (it.release / "guardhook/verdict.py").unlink(), {"release.changed", "probe.session"}),
    ("file added", lambda it: appended(it.release / "unknown.py", ""), {"release.added"}),
    ("list of files gone", lambda it: (it.release / "manifest.json").unlink(), {"release.changed"}),
    ("older release", aged, {"release.stale"}),
    ("launcher gone", lambda it: it.guard.unlink(), {"guard.missing", "probe.status", *EFFECTS}),
    ("launcher empty", lambda it: it.guard.write_bytes(b""), {"guard.empty", *EFFECTS}),
    (
        "launcher foreign",
        lambda it: it.guard.write_text("print('guarded')"),
        {"guard.foreign", "probe.output", "probe.change", "probe.stray-output"},
    ),
    ("launcher a folder", lambda it: folder(it.guard), {"guard.unreadable"}),
    ("launcher a FIFO", lambda it: fifo(it.guard), {"guard.unreadable"}),
    ("launchers that are links", linked, set()),
    ("a folder linked into the release", lambda it: (it.release / "json").symlink_to("/"), {"release.added"}),
    ("launcher rewritten", lambda it: appended(it.guard, "#\n"), {"guard.rewritten"}),
    ("launcher of a start gone", lambda it: it.session.unlink(), {"session.missing", "probe.session"}),
    ("launcher of a start rewritten", lambda it: appended(it.session, "#\n"), {"session.rewritten"}),
    ("hooks folder read-only", lambda it: os.chmod(it.where.hooks, 0o555), {"folder.read-only"}),
    ("config folder read-only", lambda it: os.chmod(it.where.config, 0o555), {"folder.read-only"}),
    ("Codex's folder read-only", lambda it: it.codex.chmod(0o555), {"folder.read-only"}),
    # the settings
    ("settings gone", lambda it: it.settings.unlink(), {"claude.not-wired"}),
    ("settings truncated", lambda it: os.truncate(it.settings, 200), {"settings.not-json"}),
    ("settings with a comment", replaced("{", "{ // mine\n"), {"settings.not-json"}),
    ("settings an array", lambda it: it.settings.write_text("[]"), {"settings.not-json"}),
    ("settings a FIFO", lambda it: fifo(it.settings), {"settings.unreadable"}),
    ("settings a folder", lambda it: folder(it.settings), {"settings.unreadable"}),
    ("settings huge", lambda it: huge(it.settings), {"settings.unreadable"}),
    ("settings dropped for a value", guard_entry(onFailure="deny"), {"settings.dropped"}),
    (
        "settings dropped for another hook",
        lambda it: it.edit(lambda s: s["hooks"]["PreToolUse"].append({"hooks": [{"command": "x"}]})),
        {"settings.dropped"},
    ),
    ("hooks off in the user's settings", in_settings("", disableAllHooks=True), {"claude.disabled"}),
    ("hooks off in the project", in_settings("settings.json", disableAllHooks=True), {"claude.disabled"}),
    ("hooks off locally", in_settings("settings.local.json", disableAllHooks=True), {"claude.disabled"}),
    (
        "hooks off by an administrator",
        lambda it: it.edit(lambda s: s.update(disableAllHooks=True), it.home / "managed-settings.json"),
        {"claude.disabled"},
    ),
    (
        "an administrator's hooks only",
        lambda it: it.edit(lambda s: s.update(allowManagedHooksOnly=True), it.home / "managed-settings.json"),
        {"claude.managed-only"},
    ),
    ("such a switch in the user's settings", in_settings("", allowManagedHooksOnly=True), set()),
    ("matcher for one tool", guard_group(matcher="Bash"), {"claude.matcher"}),
    ("matcher of another case", guard_group(matcher="bash"), {"claude.matcher"}),
    ("matcher no pattern", guard_group(matcher="["), {"claude.matcher"}),
    ("matcher without end", guard_group(matcher=r"(\w*\w*)*!"), {"claude.matcher"}),
    (
        "variables that nobody can set",
        in_settings("", env={"A=B": "1", "": "2", "A\0": "3", "C": "\ud800", "D": 4}),
        set(),
    ),
    ("matcher of ConfigChange", in_group("ConfigChange", matcher="project_settings"), {"claude.matcher"}),
    ("matcher of SessionStart", in_group("SessionStart", matcher="resume"), {"claude.start-matcher"}),
    ("matchers that see all", in_group("ConfigChange", matcher="*"), set()),
    ("another shell", guard_entry(shell="powershell"), {"claude.shell"}),
    ("a shell's `or` behind the guard", behind(" || true"), {"claude.command"}),
    ("a condition", guard_entry(**{"if": "Bash(git *)"}), {"claude.if"}),
    ("once", guard_entry(once=True), {"claude.once"}),
    ("async", guard_entry(**{"async": True}), {"claude.async"}),
    ("too little time", guard_entry(timeout=1), {"claude.timeout-short"}),
    ("no time limit", guard_entry(timeout=None), {"claude.timeout-long"}),
    ("fail-open", guard_entry(onFailure=None), {"claude.fail-open"}),
    ("a client without onFailure", lambda it: it.client("2.1.200"), {"claude.ignores-on-failure"}),
    (
        "a client without ConfigChange",
        lambda it: it.client("2.1.40"),
        {"claude.event-unknown", "claude.ignores-on-failure", "claude.weak-ask"},
    ),
    (
        "a client that no hook can deny",
        lambda it: it.client("1.0.50"),
        {"claude.event-unknown", "claude.ignores-on-failure", "claude.weak-ask", "claude.no-deny"},
    ),
    ("guard not wired", unwired("PreToolUse"), {"claude.not-wired"}),
    ("change of settings not wired", unwired("ConfigChange"), {"claude.change-not-wired"}),
    ("session's start not wired", unwired("SessionStart"), {"claude.start-not-wired"}),
    (
        "wired twice",
        lambda it: it.edit(lambda s: s["hooks"]["PreToolUse"].append(s["hooks"]["PreToolUse"][0])),
        {"claude.twice"},
    ),
    (
        "another guard",
        lambda it: it.edit(lambda s: s["hooks"]["PreToolUse"].append(OTHER)),
        {"claude.other-guard"},
    ),
    ("a hatch in the settings", in_settings("", env={"AGENT_STYLE_HOOK": "off"}), {"hatch.settings"}),
    (
        "the denying hatch in the project",
        in_settings("settings.json", env={"AGENT_COMPOUND_CD_HOOK": "0"}),
        {"hatch.settings"},
    ),
    ("nothing installed", lambda it: (remove(Path(it.where.config)), remove(it.codex)), {"claude.no-folder"}),
    # Codex
    ("Codex without hooks.json", lambda it: it.hooks_file.unlink(), {"codex.not-wired"}),
    ("Codex not wired", lambda it: it.hooks_file.write_text("{}"), {"codex.not-wired"}),
    (
        "Codex: an unknown key",
        lambda it: it.edit(lambda h: h.update({"$schema": "x"}), it.hooks_file),
        {"codex.refused"},
    ),
    ("Codex: hooks.json a FIFO", lambda it: fifo(it.hooks_file), {"codex.refused"}),
    ("Codex: untrusted", lambda it: it.config_file.unlink(), {"codex.untrusted"}),
    (
        "Codex: modified",
        lambda it: it.edit(lambda h: h["hooks"]["PreToolUse"][0]["hooks"][0].update(timeout=20), it.hooks_file),
        {"codex.modified"},
    ),
    ("Codex: moved by somebody", moved, {"codex.moved"}),
    ("Codex: disabled", lambda it: appended(it.config_file, "enabled = false\n"), {"codex.disabled"}),
    ("Codex: hooks off", lambda it: appended(it.config_file, "[features]\nhooks = false\n"), {"codex.hooks-off"}),
    ("Codex: config.toml broken", lambda it: it.config_file.write_text("a = "), {"codex.config"}),
    ("Codex: config.toml a FIFO", lambda it: fifo(it.config_file), {"codex.config"}),
    (
        "Codex: interpreter moved",
        lambda it: it.edit_hooks(
            lambda g: g[0]["hooks"][0].update(command=g[0]["hooks"][0]["command"].replace(it.python, "/gone/python3"))
        ),
        {"python.missing"},
    ),
    ("Codex: matcher", lambda it: it.edit_hooks(lambda groups: groups[0].update(matcher="Bash")), {"codex.matcher"}),
    ("Codex: async", codex_handler(**{"async": True}), {"codex.async"}),
    ("Codex: too little time", codex_handler(timeout=2), {"codex.timeout-short"}),
    ("Codex: no time limit", codex_handler(timeout=None), {"codex.timeout-long"}),
    ("Codex: another installation's guard", elsewhere, {"codex.other-launcher"}),
    ("Codex: twice", lambda it: it.edit_hooks(lambda groups: groups.append(groups[0])), {"codex.twice"}),
    ("Codex: rules changed", asked_and_changed, {"codex.ask-rules"}),
    ("Codex: rules gone", asked_and_gone, {"codex.ask-rules"}),
    ("Codex: no program to run", asked_without_program, {"codex.ask-program"}),
    ("BASH_ENV prints", printing, {"codex.bash-env", "probe.stray-output"}),
    ("BASH_ENV prints, with the ask", printing_where_it_asks, {"codex.bash-env", "probe.stray-output", "probe.output"}),
]


def test_a_healthy_installation_has_no_finding(installation: Installation) -> None:
    found = installation.examine()
    assert [finding.value() for finding in found.findings] == []
    assert found.probe
    answers = [(result.agent, result.call, result.answer) for result in found.probe.results]
    assert answers == [
        ("Claude Code", "cd sub && make", "deny"),
        ("Claude Code", "git push", "ask"),
        ("Claude Code", "ls -la", "pass"),
        ("Claude Code", "a session's start", "pass"),
        ("Claude Code", "settings that wire nothing", "block"),
        ("Claude Code", "the settings as they are", "keep"),
        ("Codex", "a patch with 'delve'", "deny"),
        ("Codex", "git push", "pass"),
        ("Codex", "ls -la", "pass"),
    ]


@pytest.mark.parametrize(("change", "expected"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_what_is_broken_is_named(
    installation: Installation, change: Change, expected: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BASH_ENV", "")
    change(installation)
    found = installation.examine()
    assert {finding.code for finding in found.findings} == expected
    assert all(finding.mend and "{" not in finding.mend for finding in found.findings)
    faults = {code for code in expected if findings.ROWS[code].severity == findings.FAULT}
    assert bool(found.faults) is bool(faults)


BY_HAND = {"guard.unreadable", "codex.bash-env", "claude.no-deny"}  # something else comes first
MENDED = [
    row
    for row in BROKEN
    if any(findings.ROWS[code].mend == findings.INSTALL for code in row[2]) and not row[2] & BY_HAND
]


@pytest.mark.parametrize(("change", "expected"), [row[1:] for row in MENDED], ids=[row[0] for row in MENDED])
def test_what_installing_shall_mend_it_mends(
    installation: Installation, change: Change, expected: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Codex has to be asked again for what was changed there, and that alone is left."""
    monkeypatch.setenv("BASH_ENV", "")
    change(installation)
    (installation.home / "bin/codex").unlink(missing_ok=True)  # a stand-in, which knows no rules
    result = CliRunner().invoke(main.commands, ["install", "--no-proof"])
    assert result.exit_code == 0, result.output
    other = {"codex.modified", "codex.untrusted", "hatch.settings"}
    by_hand = {code for code in expected if findings.ROWS[code].mend != findings.INSTALL}
    fired = any(code.startswith("probe.") for code in expected)
    assert installation.codes(fired) - other <= by_hand


def test_nobody_reads_what_nobody_is_permitted_to(installation: Installation) -> None:
    """Root reads it all the same, so that the probes may well pass."""
    installation.guard.chmod(0)
    assert "guard.unreadable" in installation.codes()


def test_a_machine_without_codex_is_healthy(installation: Installation) -> None:
    remove(installation.codex)
    assert installation.codes() == set()


def test_a_guard_that_fails_closed_on_codex_is_healthy(installation: Installation) -> None:
    from guardhook.install.codex_handler import Handler

    closed = Handler(installation.python, installation.where, closed=True).value()
    installation.edit_hooks(lambda groups: groups[0]["hooks"][0].update(closed))
    assert installation.codes() == set()


def test_with_the_ask_codex_is_asked(installation: Installation) -> None:
    installation.ask()
    found = installation.examine()
    assert found.findings == []
    assert found.probe
    codex = [result for result in found.probe.results if result.agent == "Codex" and result.call == "git push"]
    assert [result.answer for result in codex] == ["ask"]


def test_every_hatch_open_leaves_no_denial_to_try(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    from guardhook.hatches import _ESCAPE_HATCH_ENV_NAMES

    for name in _ESCAPE_HATCH_ENV_NAMES:
        monkeypatch.setenv(name, "off")
    found = installation.examine()
    assert {finding.code for finding in found.findings} == {"hatch.environment"}
    assert found.probe
    untried = [result.note for result in found.probe.results if result.run is None]
    assert len(untried) == 2
    assert all("AGENT_COMPOUND_CD_HOOK" in note for note in untried)


def test_the_home_of_a_session_is_not_read_twice(installation: Installation) -> None:
    """A session in the home folder: its project settings are the user's."""
    installation.work = installation.home
    installation.edit(lambda settings: settings.update(disableAllHooks=True))
    assert [finding.code for finding in installation.examine(fire=False).findings] == ["claude.disabled"]


def test_a_style_folder_that_is_gone(installation: Installation) -> None:
    style = installation.home / "style"
    (style / "agent_style").mkdir(parents=True)
    assert CliRunner().invoke(main.commands, ["install", "--no-proof", "--agent-style", str(style)]).exit_code == 0
    assert "style.gone" not in installation.codes(fire=False)
    remove(style)
    assert installation.codes(fire=False) == {"style.gone"}


def test_a_link_to_what_cannot_be_read(installation: Installation) -> None:
    """Where the launcher is a link, its target says where the release lies."""
    fifo(installation.home / "fifo")
    installation.guard.unlink()
    installation.guard.symlink_to(installation.home / "fifo")
    assert installation.codes() == {"guard.unreadable"}


def test_the_table_of_this_test_makes_most_findings() -> None:
    made = set().union(*(row[2] for row in BROKEN)) | {"hatch.environment", "style.gone", "guard.unreadable"}
    stubs = {"probe.start", "probe.timeout", "probe.slow"}  # in test_probe
    assert set(findings.ROWS) - made == stubs
