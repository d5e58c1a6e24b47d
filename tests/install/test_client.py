"""The client's version, read from every way it is commonly installed."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from guardhook.install import client

PROGRAM = "#!/bin/sh\nexit 1\n"  # starting it would be an error


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PROGRAM, encoding="utf-8")
    path.chmod(0o755)
    return path


def linked(root: Path, target: Path) -> str:
    (root / "bin").mkdir()
    (root / "bin/claude").symlink_to(target)
    return str(root / "bin")


def package(folder: Path, name: str, version: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"name": name, "version": version}), encoding="utf-8")


def test_npm(tmp_path: Path) -> None:
    folder = tmp_path / "lib/node_modules/@anthropic-ai/claude-code"
    package(folder, "@anthropic-ai/claude-code", "2.1.332")
    path = linked(tmp_path, program(folder / "bin/claude.exe"))
    assert client.version(str(tmp_path / "none"), path) == (2, 1, 332)


def test_npm_with_the_program_in_a_package_of_its_platform(tmp_path: Path) -> None:
    folder = tmp_path / "node_modules/@anthropic-ai/claude-code-linux-x64"
    package(folder, "@anthropic-ai/claude-code-linux-x64", "2.1.294")
    path = linked(tmp_path, program(folder / "claude"))
    assert client.version(str(tmp_path / "none"), path) == (2, 1, 294)


@pytest.mark.parametrize("place", ["share/claude/versions/2.1.300", "Caskroom/claude-code/2.1.300/claude"])
def test_native_installer_and_homebrew(tmp_path: Path, place: str) -> None:
    path = linked(tmp_path, program(tmp_path / place))
    assert client.version(str(tmp_path / "none"), path) == (2, 1, 300)


def test_an_installation_inside_the_configuration_folder(tmp_path: Path) -> None:
    modules = tmp_path / "config/local/node_modules"
    package(modules / "@anthropic-ai/claude-code", "@anthropic-ai/claude-code", "2.0.1-beta.2")
    target = program(modules / "@anthropic-ai/claude-code/cli.js")
    (modules / ".bin").mkdir()
    (modules / ".bin/claude").symlink_to(target)
    assert client.version(str(tmp_path / "config"), str(tmp_path)) == (2, 0, 1)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"name": "other", "version": "9.9.9"}', '{"name": "@anthropic-ai/claude-code"}']
)
def test_a_program_that_does_not_show_its_version_is_unknown(tmp_path: Path, text: str) -> None:
    path = linked(tmp_path, program(tmp_path / "opt/x/claude-wrapper"))
    (tmp_path / "opt/package.json").write_text(text, encoding="utf-8")
    assert client.version(str(tmp_path / "none"), path) is None


def test_no_client_is_unknown(tmp_path: Path) -> None:
    assert client.version(str(tmp_path), str(tmp_path)) is None


@pytest.mark.parametrize(
    ("version", "blocks"),
    [
        (None, True),
        ((2, 1, 295), True),
        ((2, 1, 332), True),
        ((3, 0, 0), True),
        ((2, 1, 294), False),
        ((1, 9, 999), False),
    ],
)
def test_blocking_is_wired_unless_the_client_is_known_to_be_too_old(
    version: tuple[int, int, int] | None, blocks: bool
) -> None:
    assert client.blocks_on_failure(version) is blocks


@pytest.mark.parametrize(
    ("judge", "first"),
    [
        (client.knows_session_start, (1, 0, 62)),
        (client.knows_config_change, (2, 1, 48)),
        (client.asks, (2, 1, 85)),
        (client.blocks_on_failure, (2, 1, 295)),
    ],
)
def test_each_first_release_as_measured(
    judge: Callable[[tuple[int, int, int]], bool], first: tuple[int, int, int]
) -> None:
    before = (*first[:2], first[2] - 1)
    assert (judge(before), judge(first), judge((3, 0, 0)), judge((1, 0, 38))) == (False, True, True, False)


def test_no_config_change_for_a_client_that_may_drop_the_file_for_it(tmp_path: Path) -> None:
    path = linked(tmp_path, program(tmp_path / "opt/x/claude-wrapper"))
    assert client.version("", path) is None
    assert client.knows_config_change(None, "", path) is False
    modules = tmp_path / "config/local/node_modules/.bin"
    program(modules / "claude")
    assert client.knows_config_change(None, str(tmp_path / "config"), str(tmp_path)) is False


def test_config_change_where_no_client_is_installed_yet(tmp_path: Path) -> None:
    assert client.knows_config_change(None, str(tmp_path), str(tmp_path)) is True


@pytest.mark.parametrize(
    ("version", "events", "dropped"),
    [
        ((1, 0, 53), ["PreToolUse", "SessionStart", "ConfigChange"], "SessionStart"),
        ((1, 0, 62), ["PreToolUse", "SessionStart"], ""),
        ((2, 1, 47), ["PreToolUse", "SessionStart", "ConfigChange"], "ConfigChange"),
        ((2, 1, 47), ["PreToolUse"], ""),
        ((2, 1, 48), ["PreToolUse", "SessionStart", "ConfigChange"], ""),
        ((2, 1, 332), ["ConfigChange"], ""),
        (None, ["ConfigChange"], ""),
    ],
)
def test_for_which_event_a_client_drops_the_whole_file(
    version: tuple[int, int, int] | None, events: list[str], dropped: str
) -> None:
    assert client.dropped_for(version, events) == dropped
