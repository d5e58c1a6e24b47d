"""`guardhook uninstall` gives back what was there before."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guardhook.cli import main
from guardhook.install import apply
from guardhook.install.places import Places
from tests.install.deployment import tree
from tests.install.settings_files import files


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main.commands, list(arguments))


def contents(folder: Path) -> dict[str, bytes]:
    return {name: data for name, (data, _) in tree(folder).items() if not name.endswith(".bak")}


def test_a_home_without_anything_is_without_anything_again(home: Path) -> None:
    assert run("install", "--no-proof").exit_code == 0
    result = run("uninstall")
    assert result.exit_code == 0, result.output
    assert tree(home) == {}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=files(), hooks=st.booleans())
def test_the_folder_is_byte_for_byte_what_it_was(home: Path, data: bytes, hooks: bool) -> None:
    config = home / ".claude"
    (config / "hooks").mkdir(parents=True, exist_ok=True)
    (config / "hooks/mine.sh").write_bytes(b"#!/bin/sh\n")
    if not hooks:
        (config / "hooks/mine.sh").unlink()
        (config / "hooks").rmdir()
    (config / "settings.json").write_bytes(data)
    before = contents(config)
    assert run("install", "--no-proof").exit_code == 0
    installed = contents(config)
    assert installed != before
    assert run("install", "--no-proof").exit_code == 0
    assert contents(config) == installed
    result = run("uninstall")
    assert result.exit_code == 0, result.output
    assert contents(config) == before


def test_it_says_what_is_removed_and_what_is_left(home: Path, where: Places) -> None:
    os.makedirs(where.hooks)
    Path(where.settings).write_bytes(b"{}")
    Path(where.guard).write_bytes(b"print('mine')\n")
    installed = run("install", "--no-proof").output
    assert "was not guardhook's" in installed
    result = run("uninstall")
    assert f"changed     {where.settings} (the guard's entry is taken out)" in result.output
    assert f"removed     {where.guard} (the launcher)" in result.output
    assert f"restored    {where.guard} (what was there before guardhook)" in result.output
    backups = sorted(Path(where.config).glob("settings.json.guardhook-*.bak"))
    assert len(backups) == 2
    for backup in backups:
        assert f"left        {backup} (a copy of your file)" in result.output
    assert Path(where.guard).read_bytes() == b"print('mine')\n"
    assert os.listdir(where.hooks) == ["guard.py"]


def test_a_dry_run_shows_what_would_go(home: Path, where: Places) -> None:
    run("install", "--no-proof")
    before = tree(home)
    result = run("uninstall", "--dry-run")
    assert result.exit_code == 0
    assert tree(home) == before
    assert f"--- {where.settings}\n+++ /dev/null\n" in result.output
    assert f"--- {where.guard}\n+++ /dev/null\n" in result.output
    assert "would be removed" in result.output
    assert result.output.endswith("Nothing was changed.\n")


def test_where_nothing_is_installed_nothing_happens(home: Path, where: Places) -> None:
    result = run("uninstall")
    assert (result.exit_code, tree(home)) == (0, {})
    assert "Nothing of guardhook is installed there." in result.output


@pytest.mark.parametrize("data", [b"{}", b'{"hooks": {"PreToolUse": []}}', b'{"hooks":{}}\n'])
def test_files_without_our_entry_are_left_alone(home: Path, where: Places, data: bytes) -> None:
    os.makedirs(where.config)
    Path(where.settings).write_bytes(data)
    before = tree(home)
    assert "does not wire the guard" in run("uninstall").output
    assert tree(home) == before


def inventory(folder: Path) -> dict[str, tuple[str, int, bytes]]:
    """Path -> kind, mode and bytes (or link target) of everything below a folder, dated copies left out."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.name.endswith(".bak"):
            kind = "link" if path.is_symlink() else "folder" if path.is_dir() else "file"
            data = os.readlink(path).encode() if kind == "link" else path.read_bytes() if kind == "file" else b""
            found[str(path.relative_to(folder))] = (kind, path.lstat().st_mode, data)
    return found


def fill(home: Path) -> None:
    """A home that has been lived in: settings behind a link, other hooks, Codex with rules of its own, own config."""
    for name in (
        ".claude/hooks",
        ".claude/projects/x",
        ".codex/rules",
        ".config/guardhook",
        "dotfiles",
        "work/.claude",
    ):
        (home / name).mkdir(parents=True)
    (home / "dotfiles/claude.json").write_bytes(
        b'\xef\xbb\xbf{\r\n\t"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "a"}]}]}\r\n}'
    )
    (home / "dotfiles/claude.json").chmod(0o640)
    (home / ".claude/settings.json").symlink_to("../dotfiles/claude.json")
    (home / ".claude/hooks/guard.py").write_bytes(b"print('mine')\n")
    (home / ".claude/hooks/guard.py").chmod(0o755)
    (home / ".claude/hooks/other.sh").write_bytes(b"#!/bin/sh\n")
    (home / ".codex/hooks.json").write_bytes(b'{"hooks": {"PreToolUse": []}}')
    (home / ".codex/hooks.json").chmod(0o600)
    (home / ".codex/rules/mine.rules").write_bytes(b"# mine\n")
    (home / ".codex/config.toml").write_bytes(b'model = "x"\n')
    (home / ".config/guardhook/config.toml").write_bytes(b"")
    (home / "work/.claude/settings.json").write_bytes(b"{}")


@pytest.mark.parametrize("lived_in", [True, False])
def test_the_whole_home_is_what_it_was(home: Path, lived_in: bool) -> None:
    fill(home) if lived_in else (home / ".codex").mkdir()
    before = inventory(home)
    assert run("install", "--no-proof", "--codex-ask").exit_code == 0
    assert run("install", "--no-proof").exit_code == 0
    assert inventory(home).keys() > before.keys()
    result = run("uninstall")
    assert result.exit_code == 0, result.output
    assert inventory(home) == before
    backups = list(home.rglob("*.bak"))
    assert bool(backups) is lived_in
    for path in (*backups, *([home / ".config/guardhook"] if lived_in else [])):
        assert f"left        {path} (" in result.output
    assert ("Nothing else of guardhook is left there." if lived_in else "Nothing of guardhook is left") in result.output
    assert ".lock" not in str(list(home.rglob("*")))


def test_what_can_be_taken_out_of_a_broken_installation_is(home: Path, where: Places) -> None:
    (home / ".codex").mkdir()
    run("install", "--no-proof")
    Path(where.settings).write_bytes(b"{\n")
    result = run("uninstall")
    assert result.exit_code == 1
    assert "line 2, column 1" in result.stderr
    assert inventory(home).keys() == {".claude", ".claude/settings.json", ".codex"}
    assert run("uninstall").exit_code == 1  # that file is all there is, and nothing is known of it


def test_a_broken_file_that_may_wire_the_guard_keeps_the_launchers(home: Path, where: Places) -> None:
    (home / ".codex").mkdir()
    run("install", "--no-proof")
    data = Path(where.settings).read_bytes()
    Path(where.settings).write_bytes(b"// mine\n" + data)
    result = run("uninstall")
    assert result.exit_code == 1
    assert f"{where.settings} may still start {where.guard}" in result.stdout
    assert "Nothing else" not in result.stdout
    assert os.path.exists(where.guard) and not (home / ".codex/hooks.json").exists()
    Path(where.settings).write_bytes(data)
    assert run("uninstall").exit_code == 0
    assert inventory(home).keys() == {".codex"}


def test_a_missing_release_keeps_nobody_from_uninstalling(home: Path, where: Places) -> None:
    run("install", "--no-proof")
    (release,) = Path(where.hooks).glob("guardhook-*")
    apply.remove_folder(str(release))
    assert run("uninstall").exit_code == 0
    assert tree(home) == {}


def test_a_broken_hooks_file_that_may_start_the_guard_is_named(home: Path, where: Places) -> None:
    (home / ".codex").mkdir()
    run("install", "--no-proof")
    hooks = home / ".codex/hooks.json"
    hooks.write_bytes(b"// mine\n" + hooks.read_bytes())
    result = run("uninstall")
    assert result.exit_code == 1
    assert f"{hooks} may still start the guard; take that out by hand" in result.stderr
    assert not os.path.exists(where.guard)


def test_a_launcher_that_lost_its_text_is_ours(home: Path, where: Places) -> None:
    run("install", "--no-proof")
    Path(where.guard).write_bytes(b"")
    Path(where.session).write_bytes(b"\n")
    again = run("install", "--no-proof")
    assert "was not guardhook's" not in again.output
    assert Path(where.guard).stat().st_size > 1000
    Path(where.guard).write_bytes(b"")
    assert run("uninstall").exit_code == 0
    assert tree(home) == {}


def test_launchers_behind_links_go_with_their_links(home: Path, where: Places) -> None:
    run("install", "--no-proof")
    dotfiles = home / "dotfiles"
    dotfiles.mkdir()
    for path in map(Path, (where.guard, where.session)):
        path.rename(dotfiles / path.name)
        path.symlink_to(dotfiles / path.name)
    assert run("install", "--no-proof").exit_code == 0
    assert len(list(dotfiles.glob("guardhook-*"))) == 1
    assert run("uninstall").exit_code == 0
    assert list(dotfiles.iterdir()) == []
    assert not os.path.lexists(where.config)
