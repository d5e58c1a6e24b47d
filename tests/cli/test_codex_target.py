"""Codex in `guardhook install` and `uninstall`, from the outside (SPEC X1, X2)."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from guardhook.cli import main
from guardhook.install import codex_hooks, jsontext
from guardhook.install.codex_trust import own_hash
from guardhook.install.places import Places
from tests.install.deployment import tree

FOREIGN = '{\n  "hooks": {\n    "PreToolUse": [\n      {"matcher": "Bash", "hooks": []}\n    ]\n  }\n}\n'

# A `codex app-server` that names a given hash as the hook's, and writes it down when it is asked to trust.
STAND_IN = """\
#!{python}
import json, os, sys
home, command = os.environ["CODEX_HOME"], open(os.environ["CODEX_HOME"] + "/hooks.json").read()
group = json.loads(command)["hooks"]["PreToolUse"][-1]
hook = {{"key": home + "/hooks.json:pre_tool_use:1:0", "command": group["hooks"][0]["command"]}}
hook |= {{"currentHash": {hash!r}, "trustStatus": "untrusted"}}
for line in sys.stdin:
    message, result = json.loads(line), {{}}
    if message["method"] == "hooks/list":
        result = {{"data": [{{"hooks": [hook], "warnings": [], "errors": []}}]}}
    if message["method"] == "config/batchWrite":
        for key, record in message["params"]["edits"][0]["value"].items():
            open(home + "/config.toml", "a").write("[hooks.state.%s]\\ntrusted_hash = %s\\n"
                % (json.dumps(key), json.dumps(record["trusted_hash"])))
        hook["trustStatus"] = "trusted"
    if "id" in message:
        print(json.dumps({{"id": message["id"], "result": result}}), flush=True)
"""


@pytest.fixture(name="codex")
def _codex(home: Path) -> Path:
    folder = home / ".codex"
    folder.mkdir()
    (folder / "hooks.json").write_text(FOREIGN)
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main.commands, list(arguments))


def current(codex: Path, home: Path) -> str:
    (own,) = codex_hooks.find(jsontext.read((codex / "hooks.json").read_bytes()), Places(str(home / ".claude")))
    return own_hash(own)


def test_both_agents_are_wired_to_one_launcher_and_untrusted_is_said_each_time(home: Path, codex: Path) -> None:
    for _ in range(2):
        result = run("install", "--no-proof")
        assert result.exit_code == 0, result.output
        assert "trust       untrusted: " in result.output
        assert "note: Codex does not run the guard yet (untrusted)" in result.output
        assert "Restart Claude Code and Codex" in result.output
    groups = json.loads((codex / "hooks.json").read_text())["hooks"]["PreToolUse"]
    assert groups[0] == {"matcher": "Bash", "hooks": []}
    settings = json.loads((home / ".claude/settings.json").read_text())
    command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    assert groups[1]["hooks"][0]["command"] == f"{command} --agent codex"


def test_a_second_run_changes_nothing_and_uninstalling_gives_the_same_bytes(home: Path, codex: Path) -> None:
    run("install", "--no-proof")
    before = tree(home)
    assert run("install", "--no-proof").exit_code == 0
    assert tree(home) == before
    result = run("uninstall")
    assert result.exit_code == 0, result.output
    assert (codex / "hooks.json").read_text() == FOREIGN
    backups = set(codex.glob("hooks.json.guardhook-*.bak"))
    assert len(backups) == 2  # of the file as it was, and with the guard in it
    assert all(f"{backup} (a copy of your file)" in result.output for backup in backups)
    assert set(codex.iterdir()) == {codex / "hooks.json", *backups}
    assert not (home / ".claude").exists()


def test_without_a_codex_home_it_is_skipped_and_said(home: Path) -> None:
    result = run("install", "--no-proof")
    assert f"Codex       skipped: there is no {home}/.codex" in result.output
    assert not (home / ".codex").exists()


def test_a_file_that_codex_refuses_does_not_keep_claude_code_unguarded(home: Path, codex: Path) -> None:
    (codex / "hooks.json").write_text('{"$schema": 1}')
    result = run("install", "--no-proof")
    assert result.exit_code == 0
    assert "hooks.json was left as it is, so Codex does not run the guard" in result.output
    assert (codex / "hooks.json").read_text() == '{"$schema": 1}'
    assert (home / ".claude/settings.json").exists()


def test_a_dry_run_shows_the_diff_and_writes_nothing(home: Path, codex: Path) -> None:
    before = tree(home)
    result = run("install", "--dry-run")
    assert result.exit_code == 0
    assert tree(home) == before
    assert f"+++ {codex}/hooks.json" in result.output and "--agent codex" in result.output


def test_failing_closed_stays_until_it_is_taken_back(codex: Path) -> None:
    closed = {}
    for option in ("--codex-fail-closed", "", "--no-codex-fail-closed"):
        assert run("install", "--no-proof", *filter(None, [option])).exit_code == 0
        closed[option] = "/bin/sh -c" in (codex / "hooks.json").read_text()
    assert closed == {"--codex-fail-closed": True, "": True, "--no-codex-fail-closed": False}


def stand_in(home: Path, hash_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = home / "bin" / "codex"
    program.parent.mkdir()
    program.write_text(STAND_IN.format(python=sys.executable, hash=hash_))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


def test_codex_records_the_trust_when_the_user_asks_for_it(
    home: Path, codex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("install", "--no-proof")
    stand_in(home, current(codex, home), monkeypatch)
    assert not (codex / "config.toml").exists()
    result = run("install", "--no-proof", "--codex-trust")
    assert result.exit_code == 0, result.output
    assert "trust       trusted" in result.output
    again = run("install", "--no-proof")
    assert "does not run the guard yet" not in again.output


def test_a_trust_that_our_own_reading_does_not_find_is_a_failure(
    home: Path, codex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(home, "sha256:00", monkeypatch)
    result = run("install", "--no-proof", "--codex-trust")
    assert result.exit_code == 1
    assert "Codex still does not run the guard (modified)" in result.output


def test_without_codex_there_is_nothing_to_trust(home: Path) -> None:
    result = run("install", "--no-proof", "--codex-trust")
    assert result.exit_code == 1
    assert "nothing for Codex to trust: skipped" in result.output
