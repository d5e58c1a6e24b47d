"""`guardhook doctor` from the outside: what it prints, for people and for programs, and its exit status."""

import json

from click.testing import CliRunner, Result

import guardhook
from guardhook.cli import main, output
from tests.health.installation import Installation


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main.commands, ["doctor", *arguments])


def test_a_healthy_installation(installation: Installation) -> None:
    result = run()
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == f"Claude Code: PreToolUse, entry 1 of {installation.settings}"
    assert [line.split("  ")[1].strip() for line in lines[1:4]] == ["cd sub && make", "git push", "ls -la"]
    assert [words in line for words, line in zip((" deny ", " ask ", " pass "), lines[1:4], strict=True)] == [True] * 3
    assert f"Codex: PreToolUse, entry 1 of {installation.hooks_file}" in lines
    assert f"a bare start of {installation.python}" in result.output
    assert lines[-1] == "Nothing is wrong."


def test_a_fault_is_named_with_its_mend_and_ends_with_1(installation: Installation) -> None:
    installation.edit(lambda settings: settings["hooks"]["PreToolUse"][0].update(matcher="Bash"))
    result = run()
    assert result.exit_code == 1
    for line in (
        "fault claude.matcher: the matcher keeps tools from the guard",
        f"  where       {installation.settings}",
        f"  mend        {output.own_command()} install",
        "1 fault, 0 warnings.",
    ):
        assert line in result.output.splitlines()
    assert "'Bash' does not match Write, Edit, Read" in result.output


def test_a_warning_alone_ends_with_0(installation: Installation) -> None:
    installation.edit(lambda settings: settings.update(env={"AGENT_STYLE_HOOK": "off"}))
    result = run()
    assert result.exit_code == 0
    assert "warning hatch.settings" in result.output
    assert "AGENT_STYLE_HOOK=off (user)" in result.output
    assert result.output.endswith("0 faults, 1 warning.\n")


def test_an_open_hatch_is_said_beside_the_call(installation: Installation) -> None:
    installation.edit(lambda settings: settings.update(env={"AGENT_COMPOUND_CD_HOOK": "off"}))
    result = run()
    assert result.exit_code == 0
    assert "git init below" in result.output
    assert "(AGENT_COMPOUND_CD_HOOK open: cd sub && make would pass)" in result.output


def test_for_programs(installation: Installation) -> None:
    installation.guard.unlink()
    result = run("--json")
    assert result.exit_code == 1
    document = json.loads(result.output)
    assert document["guardhook"] == guardhook.__version__
    first = document["findings"][0]
    assert set(first) == {"code", "severity", "file", "meaning", "detail", "mend"}
    assert {finding["code"] for finding in document["findings"]} >= {"guard.missing", "probe.status"}
    assert document["probes"][0]["call"] == "cd sub && make"
    assert (document["probes"][0]["status"], document["probes"][0]["expected"]) == (2, "deny")
    assert list(document["bare_start_milliseconds"]) == [installation.python]


def test_what_is_not_fired_says_why(installation: Installation) -> None:
    installation.wire(f"{installation.home}/gone/python3")
    result = run()
    assert result.exit_code == 1
    assert "not fired: its interpreter cannot run it" in result.output
    assert "it is gone; Claude Code blocks every call" in result.output


def test_the_step_names_another_folder(installation: Installation) -> None:
    other = installation.home / "other folder"
    result = run("--config-dir", str(other))
    assert result.exit_code == 1
    assert "fault claude.no-folder" in result.output
    assert f"  mend        {output.own_command()} install --config-dir '{other}'" in result.output.splitlines()


def test_nothing_invisible_is_printed(installation: Installation) -> None:
    other = {"hooks": [{"type": "command", "command": "x \u001b[2J\ud800"}]}
    installation.edit(lambda settings: settings["hooks"]["PreToolUse"].append(other))
    result = run()
    assert "\\u{1b}[2J\\u{d800}" in result.output
    assert "\u001b[2J" not in result.output
