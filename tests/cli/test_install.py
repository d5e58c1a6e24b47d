"""`guardhook install` from the outside: what it writes, what it says, and what it leaves alone."""

import json
import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from guardhook.cli import main
from guardhook.install import InstallError, apply, deploy, lock, selftest
from guardhook.install.places import Places, release_of
from tests.install.deployment import tree

SETTINGS = '\ufeff{\r\n\t"permissions": {"allow": ["Bash(*)"]},\r\n\t"env": {"A": "é"}\r\n}'.encode()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main.commands, list(arguments))


@pytest.fixture
def settings(where: Places) -> Path:
    os.makedirs(where.config)
    path = Path(where.settings)
    path.write_bytes(SETTINGS)
    return path


def handler(path: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(path.read_text("utf-8-sig"))["hooks"]["PreToolUse"][0]["hooks"][0]
    return found


def own_command() -> str:
    """The way back is a command that the user's shell finds."""
    return "guardhook" if shutil.which("guardhook") else shlex.quote(os.path.abspath(sys.argv[0]))


def test_a_fresh_home_is_guarded_and_the_proof_is_shown(home: Path) -> None:
    result = run("install")
    assert result.exit_code == 0, result.output
    settings = home / ".claude/settings.json"
    assert settings.stat().st_mode & 0o777 == 0o600
    command = f"-I -S {home}/.claude/hooks/guard.py"
    assert str(handler(settings)["command"]).endswith(command)
    assert os.path.isabs(str(handler(settings)["command"]).removesuffix(command).strip())
    for words in (
        command,
        "cd sub && make",
        '"permissionDecision":"deny"',
        "ls -la",
        "no output",
        "Restart Claude Code",
    ):
        assert words in result.output
    assert result.output.rstrip().endswith(f"To undo: {own_command()} uninstall")


def test_every_other_byte_stays_and_a_copy_is_kept(home: Path, settings: Path) -> None:
    result = run("install", "--no-proof")
    assert result.exit_code == 0, result.output
    data = settings.read_bytes()
    start = SETTINGS.index(b"\r\n}")
    assert data[:start] == SETTINGS[:start]
    assert data.endswith(b"\r\n}")
    added = data[start : len(data) - len(b"\r\n}")]
    assert added.startswith(b',\r\n\t"hooks": {\r\n\t\t"PreToolUse": [\r\n\t\t\t{\r\n\t\t\t\t"matcher": "*",\r\n')
    (backup,) = settings.parent.glob("settings.json.guardhook-????????-??????.bak")
    assert backup.read_bytes() == SETTINGS
    assert str(backup) in result.output


def test_a_second_run_changes_nothing(home: Path, settings: Path) -> None:
    run("install", "--no-proof")
    before = tree(home)
    result = run("install", "--no-proof")
    assert result.exit_code == 0
    assert tree(home) == before
    assert result.output.count("(unchanged)") == 4


def test_a_dry_run_shows_a_diff_and_writes_nothing(home: Path, settings: Path) -> None:
    before = tree(home)
    result = run("install", "--dry-run")
    assert result.exit_code == 0
    assert tree(home) == before
    assert f"--- {settings}\n+++ {settings}\n@@" in result.output
    assert '\n+\t"hooks": {\n' in result.output
    assert f"--- /dev/null\n+++ {home}/.claude/hooks/guard.py\n" in result.output
    assert "\n  guardhook/hook.py\n" in result.output
    assert "guardhook/install" not in result.output
    assert result.output.endswith("Nothing was written.\n")
    run("install", "--no-proof")
    assert "no file would change" in run("install", "--dry-run").output


MALFORMED = [
    (b'{"a": 1,\n  "b": }', "line 2, column 8"),
    (b"[]", "line 1, column 1"),
    (b'{"hooks": 1}', "line 1, column 11"),
    (b'{"hooks": {"PreToolUse": {}}}', "line 1, column 26"),
]


@pytest.mark.parametrize(("data", "place"), MALFORMED)
@pytest.mark.parametrize("verb", [["install"], ["install", "--dry-run"], ["uninstall"]])
def test_a_malformed_file_is_refused_and_nothing_is_touched(
    home: Path, settings: Path, data: bytes, place: str, verb: list[str]
) -> None:
    settings.write_bytes(data)
    before = tree(home)
    result = run(*verb)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert place in result.stderr
    assert str(settings) in result.stderr
    assert tree(home) == before


def test_fail_open_and_back(home: Path, settings: Path) -> None:
    assert "runs unguarded" in run("install", "--no-proof", "--fail-open").output
    assert "onFailure" not in handler(settings)
    assert "is blocked" in run("install", "--no-proof").output
    assert handler(settings)["onFailure"] == "block"


@pytest.mark.parametrize(("version", "blocks"), [("2.1.294", False), ("2.1.295", True)])
def test_blocking_is_wired_and_said_where_the_client_does_it(
    home: Path, settings: Path, monkeypatch: pytest.MonkeyPatch, version: str, blocks: bool
) -> None:
    program = home / f"share/claude/versions/{version}"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    (home / "bin").mkdir()
    (home / "bin/claude").symlink_to(program)
    monkeypatch.setenv("PATH", f"{home}/bin:/usr/bin:/bin")
    result = run("install", "--no-proof")
    assert handler(settings)["onFailure"] == "block"  # ignored where it is not known, until the client updates itself
    assert ("a tool call is blocked when the guard cannot start" in result.output) is blocks
    assert f"Claude Code {version}" in result.output


def test_another_folder_is_named_in_the_way_back(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other claude"
    result = run("install", "--config-dir", str(folder))
    assert result.exit_code == 0, result.output
    assert (folder / "hooks/guard.py").exists()
    assert f"To undo: {own_command()} uninstall --config-dir '{folder}'" in result.output
    assert not (home / ".claude").exists()


def test_a_link_to_the_settings_stays_a_link(home: Path, settings: Path, tmp_path: Path) -> None:
    settings.rename(tmp_path / "dotfiles.json")
    settings.symlink_to(tmp_path / "dotfiles.json")
    assert run("install", "--no-proof").exit_code == 0
    assert settings.is_symlink()
    assert handler(tmp_path / "dotfiles.json")["timeout"] == 10


def test_an_interpreter_that_is_none_is_refused(home: Path) -> None:
    result = run("install", "--python", "/bin/true")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "does not answer as a Python" in result.stderr
    assert not (home / ".claude").exists()


def test_a_failed_proof_ends_with_status_1_and_the_way_back(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "DENIED", "ls")
    result = run("install")
    assert result.exit_code == 1
    assert '`ls` should have got one JSON document with "permissionDecision": "deny"' in result.stderr
    assert f"{own_command()} uninstall" in result.stderr


def test_when_the_settings_cannot_be_written_the_release_goes_again(
    home: Path, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> list[str]:
        raise InstallError("disk full")

    monkeypatch.setattr(apply, "apply", refuse)
    result = run("install", "--no-proof")
    assert result.exit_code == 1
    assert "disk full" in result.stderr
    assert os.listdir(settings.parent / "hooks") == []


def test_an_update_deploys_beside_the_old_release(home: Path, settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("install", "--no-proof")
    hooks = settings.parent / "hooks"
    (old,) = hooks.glob("guardhook-*")
    before = tree(old)
    compose = deploy.compose

    def next_version(*arguments: object, **more: object) -> deploy.Release:
        release = compose(*arguments, **more)  # type: ignore[arg-type]
        return deploy.Release(release.name.replace("-0.1.0-", "-0.1.1-"), release.files, release.interpreter)

    monkeypatch.setattr(deploy, "compose", next_version)
    assert run("install").exit_code == 0
    assert tree(old) == before
    assert f'RELEASE = "{old.name.replace("-0.1.0-", "-0.1.1-")}"' in (hooks / "guard.py").read_text(encoding="utf-8")
    assert f"removed     {old}" not in run("install", "--no-proof").output
    os.utime(old, (0, 0))
    assert f"removed     {old}" in run("install", "--no-proof").output
    assert not old.exists()


def test_the_ask_on_codex_is_installed_kept_and_taken_away(home: Path, where: Places) -> None:
    assert "where a person should be asked, calls run" in run("install", "--no-proof").output
    (home / ".codex").mkdir()
    rules = home / ".codex" / "rules" / "guardhook.rules"
    own = [Path(where.hooks) / name for name in ("guardhook-ask", "guardhook-ask.rules")]
    preview = run("install", "--codex-ask", "--dry-run")
    assert f"+++ {rules}" in preview.output
    assert not rules.exists()
    assert run("install", "--no-proof", "--codex-ask").exit_code == 0
    before = rules.read_bytes()
    rules.write_bytes(b"# The rules of guardhook for nobody\n")
    assert f"yes, by {rules}" in run("install", "--no-proof").output
    assert rules.read_bytes() == own[1].read_bytes() == before
    assert run("install", "--no-proof", "--no-codex-ask").exit_code == 0
    assert not any(path.exists() for path in (*own, rules.parent))


def test_the_ask_needs_a_home_of_codex(home: Path) -> None:
    result = run("install", "--codex-ask")
    assert result.exit_code == 1
    assert "There is no Codex home" in result.output
    assert not (home / ".claude").exists()


COMMENTED = b'{\n  // mine\n  "env": {},\n}\n'


@pytest.mark.parametrize("data", [COMMENTED, b'{"env": {},}', b"{'env': {}}", b""])
def test_a_file_with_comments_is_left_alone_and_the_entries_are_there_to_paste(
    home: Path, settings: Path, data: bytes
) -> None:
    settings.write_bytes(data)
    result = run("install")
    assert (result.exit_code, result.stdout, settings.read_bytes()) == (1, "", data)
    start = result.stderr.index('  "hooks": {\n')
    pasted = json.loads("{" + result.stderr[start:] + "}")
    settings.write_bytes(b"{}")
    assert run("install", "--no-proof").exit_code == 0
    assert pasted == json.loads(settings.read_bytes())


def test_by_hand_deploys_proves_and_prints_and_the_settings_stay(home: Path, settings: Path) -> None:
    settings.write_bytes(COMMENTED)
    result = run("install", "--by-hand")
    assert result.exit_code == 0, result.output
    assert settings.read_bytes() == COMMENTED
    assert (settings.parent / "hooks/guard.py").exists()
    assert f"Put this into {settings} by hand" in result.output
    assert '"permissionDecision":"deny"' in result.output
    pasted = "{" + result.output[result.output.index('  "hooks": {\n') :].partition("\n\n")[0] + "}"
    settings.write_text(pasted, encoding="utf-8")
    again = run("install", "--no-proof")
    assert again.output.count("(unchanged)") == 4
    assert run("uninstall").exit_code == 0
    assert json.loads(settings.read_bytes()) == {"hooks": {"PreToolUse": [], "SessionStart": [], "ConfigChange": []}}


def test_a_file_that_the_client_would_drop_is_refused_with_the_place(home: Path, settings: Path) -> None:
    settings.write_text('{"hooks": {"PreToolUse": [\n {"hooks": [{"type": "command"}]}]}}', encoding="utf-8")
    before = tree(home)
    result = run("install")
    assert (result.exit_code, result.stdout) == (1, "")
    assert 'line 2, column 13: a handler of "hooks.PreToolUse" of type "command" must have "command".' in result.stderr
    assert tree(home) == before


def test_a_second_installer_waits_and_then_gives_up(
    home: Path, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = lock.held
    monkeypatch.setattr(lock, "held", lambda config, name: held(config, name, patience=0))
    before = tree(home)
    with held(str(settings.parent), "guardhook uninstall"):
        for verb in ("install", "uninstall"):
            result = run(verb)
            assert (result.exit_code, result.stdout) == (1, "")
            assert "`guardhook uninstall` (process " in result.stderr
        assert run("install", "--dry-run").exit_code == 0
    assert tree(home) == before


def client_of(home: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = home / f"share/claude/versions/{version}"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    (home / "bin").mkdir(exist_ok=True)
    (home / "bin/claude").unlink(missing_ok=True)
    (home / "bin/claude").symlink_to(program)
    monkeypatch.setenv("PATH", f"{home}/bin:/usr/bin:/bin")


def test_what_a_client_does_not_know_is_not_wired_and_what_it_lacks_is_said(
    home: Path, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = []
    for version in ("2.1.332", "1.0.5", "2.1.47"):
        client_of(home, version, monkeypatch)
        result = run("install", "--no-proof")
        assert result.exit_code == 0, result.output
        assert ("is not stopped" in result.output) is (version != "2.1.332")
        assert ("so nothing is guarded" in result.output) is (version == "1.0.5")
        assert ("runs what the guard asks about" in result.output) is (version != "2.1.332")
        known.append(list(json.loads(settings.read_text("utf-8-sig"))["hooks"]))
    assert known == [["PreToolUse", "SessionStart", "ConfigChange"], ["PreToolUse"], ["PreToolUse", "SessionStart"]]


def test_the_copies_of_the_settings_are_capped_and_those_that_go_are_named(home: Path, settings: Path) -> None:
    copies = [settings.with_name(f"settings.json.guardhook-202001{day:02}-000000.bak") for day in range(1, 13)]
    for copy in copies:
        copy.write_bytes(b"{}")
    result = run("install", "--no-proof")
    assert [f"removed     {copy} (the first copy" in result.output for copy in copies] == [False, True, True] + [
        False
    ] * 9
    assert len(list(settings.parent.glob("settings.json.guardhook-*.bak"))) == 11
    assert copies[0].exists()


def test_what_a_killed_installer_left_goes(home: Path, settings: Path) -> None:
    left = settings.parent / "hooks/.guardhook-0.1.0-0123456789ab.a1b2c3.tmp"
    left.mkdir(parents=True)
    result = run("install", "--no-proof")
    assert f"removed     {left} (left by an installation that was cut off)" in result.output
    assert not left.exists()


def test_a_hooks_file_that_codex_refuses_gets_a_group_to_paste(home: Path) -> None:
    hooks = home / ".codex/hooks.json"
    hooks.parent.mkdir()
    hooks.write_text("// mine\n{}\n", encoding="utf-8")
    output = run("install", "--no-proof").output
    pasted = json.loads("{" + output[output.index('  "hooks": {\n') :].partition("\n  }\n")[0] + "}}")
    hooks.write_text("{}", encoding="utf-8")
    assert run("install", "--no-proof").exit_code == 0
    assert json.loads(hooks.read_text("utf-8")) == pasted


def entries(settings: Path) -> list[int]:
    """How many handlers each of our events has."""
    hooks = json.loads(settings.read_text("utf-8"))["hooks"]
    return [
        sum(len(group["hooks"]) for group in hooks[event]) for event in ("PreToolUse", "SessionStart", "ConfigChange")
    ]


@pytest.mark.parametrize("name", ["a$HOME b", "${PATH}", "a\\b", "it's"])
def test_a_folder_whose_name_a_shell_would_expand(home: Path, tmp_path: Path, name: str) -> None:
    """It is quoted in the command line, and our entries are known again."""
    folder = tmp_path / name
    for _ in range(2):
        result = run("install", "--config-dir", str(folder))
        assert result.exit_code == 0, result.output
    assert entries(folder / "settings.json") == [1, 1, 1]
    assert run("uninstall", "--config-dir", str(folder)).exit_code == 0
    assert not folder.exists()


def test_a_launcher_that_is_a_link_to_nothing(home: Path, where: Places) -> None:
    """The launcher goes where the link leads, and so does its release: it looks beside its real file."""
    real = home / "dotfiles" / "guard.py"
    os.makedirs(where.hooks)
    os.symlink(real, where.guard)
    result = run("install")
    assert result.exit_code == 0, result.output
    assert "cd sub && make  exit status 0" in result.output
    assert '"permissionDecision":"deny"' in result.output
    assert [path.name for path in real.parent.iterdir() if path.is_dir()] == [release_of(real.read_bytes())]


def test_a_fifo_in_the_release_does_not_hold_the_installer(home: Path, where: Places) -> None:
    assert run("install", "--no-proof").exit_code == 0
    for name in ("manifest.json", "guardhook/hook.py"):
        (release,) = Path(where.hooks).glob("guardhook-*-*/")
        (release / name).unlink()
        os.mkfifo(release / name)
        result = run("install")
        assert result.exit_code == 0, result.output
        assert (release / name).is_file()
