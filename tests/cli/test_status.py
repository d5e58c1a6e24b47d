"""`guardhook status` from the outside: one screen, whatever the state, and exit status 0."""

import json

import pytest
from click.testing import CliRunner, Result

import guardhook
from guardhook.cli import main
from tests.health.installation import CLAUDE_VERSION, CODEX_VERSION, Installation, remove
from tests.health.test_examination import BROKEN, Change


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main.commands, ["status", *arguments])


def test_a_healthy_installation(installation: Installation) -> None:
    result = run()
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == f"guardhook {guardhook.__version__}"
    for line in (
        f"Claude Code {CLAUDE_VERSION} in {installation.where.config}",
        f"  wired       PreToolUse, SessionStart, ConfigChange (in {installation.settings})",
        "  hooks       on",
        "  on failure  a call is blocked when the guard cannot start",
        f"  code        {installation.release.name} (as the installed program has it)",
        "  agent-style  not used",
        f"Codex {CODEX_VERSION} in {installation.codex}",
        f"  wired       PreToolUse, entry 1 (in {installation.hooks_file})",
        "  trust       trusted",
        "  on failure  a call runs unguarded when the guard cannot start",
        "  asks        no: what would be asked about runs",
        "  hatches     none open",
        "  BASH_ENV    not set",
    ):
        assert line in lines
    assert f"  Python      {installation.python} (Python " in result.output
    assert lines[-1].startswith("Nothing is wrong, as far as")
    assert len(lines) < 24


SOME = BROKEN[::5]


@pytest.mark.parametrize("change", [row[1] for row in SOME], ids=[row[0] for row in SOME])
def test_it_is_one_screen_whatever_is_broken(
    installation: Installation, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BASH_ENV", "")
    change(installation)
    result = run()
    assert result.exit_code == 0, result.output
    assert result.output.count("\n") <= 26


def test_nothing_but_the_interpreter_is_started(installation: Installation) -> None:
    log = installation.home / "log"
    stub = installation.stub(f"echo fired >>{log}; exit 1")
    installation.wire(stub)
    assert run().exit_code == 0
    assert not log.exists()


def test_what_is_said_of_a_client_that_does_not_know_on_failure(installation: Installation) -> None:
    installation.client("2.1.200")
    output = run().output
    assert "Claude Code 2.1.200 in" in output
    assert "a call runs unguarded when the guard cannot start: 2.1.200 does not know onFailure" in output
    assert "1 warning: claude.ignores-on-failure" in output.replace("0 faults, ", "")


def test_without_agents_and_installation(installation: Installation) -> None:
    remove(installation.home / "bin")
    remove(installation.codex)
    installation.settings.unlink()
    lines = run().output.splitlines()
    assert f"Claude Code (none found, or of unknown version) in {installation.where.config}" in lines
    assert "  on failure  every call runs: no guard is wired" in lines
    assert "Codex: none here" in lines


def test_open_hatches_and_their_places(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_STYLE_HOOK", "off")
    monkeypatch.setenv("BASH_ENV", "/etc/profile")
    installation.edit(lambda settings: settings.update(env={"AGENT_CONFIG_GATES": "0"}))
    monkeypatch.chdir(installation.work)
    local = installation.work / ".claude/settings.local.json"
    installation.edit(lambda settings: settings.update(disableAllHooks=True), local)
    lines = run().output.splitlines()
    hatches = f"open: AGENT_STYLE_HOOK (the environment), AGENT_CONFIG_GATES ({installation.settings})"
    assert f"  hatches     {hatches}" in lines
    assert f"  hooks       switched off in {local}" in lines
    assert "  BASH_ENV    /etc/profile" in lines


def test_for_programs(installation: Installation) -> None:
    installation.hooks_file.unlink()
    document = json.loads(run("--json").output)
    assert document["guardhook"] == guardhook.__version__
    assert document["claude"]["version"] == CLAUDE_VERSION
    assert document["claude"]["wired"] == ["PreToolUse", "SessionStart", "ConfigChange"]
    assert document["claude"]["on_failure"] == "blocked"
    assert document["codex"]["hooks"] == []
    assert document["code"]["current"] is True
    assert document["pythons"][0]["alive"] is True
    assert document["findings"] == ["codex.not-wired"]
