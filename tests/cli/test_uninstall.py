"""`guardhook uninstall` gives back what was there before."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guardhook.cli import main
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
