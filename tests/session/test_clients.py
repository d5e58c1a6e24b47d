"""Versions of agents, read from every way they are commonly installed; no program is started."""

import json
from pathlib import Path

import pytest

from guardhook.session import clients

PROGRAM = "#!/bin/sh\nexit 1\n"  # starting it would be an error

# Client, the program's place, a package.json (place, name, version), the version.
INSTALLED: list[tuple[clients.Client, str, tuple[str, str, str] | None, tuple[int, int, int] | None]] = [
    (clients.CLAUDE, "m/p/bin/claude.exe", ("m/p", "@anthropic-ai/claude-code", "2.1.332"), (2, 1, 332)),
    (clients.CLAUDE, "m/p/claude", ("m/p", "@anthropic-ai/claude-code-linux-x64", "2.1.294"), (2, 1, 294)),
    (clients.CLAUDE, "share/claude/versions/2.1.300", None, (2, 1, 300)),
    (clients.CLAUDE, "Caskroom/claude-code/2.1.300/claude", None, (2, 1, 300)),
    (clients.CODEX, "m/p/bin/codex.js", ("m/p", "@openai/codex", "0.171.0"), (0, 171, 0)),
    (clients.CODEX, "m/p/vendor/musl/bin/codex", ("m/p", "@openai/codex-linux-x64", "0.171.0"), (0, 171, 0)),
    (clients.CODEX, "Caskroom/codex/0.153.3/codex", None, (0, 153, 3)),
    (clients.CODEX, "m/p/bin/codex.js", ("m/p", "@anthropic-ai/claude-code", "2.1.332"), None),
    (clients.CODEX, "share/claude/versions/2.1.300", None, None),
    (clients.CLAUDE, "opt/claude-wrapper", ("opt", "other", "9.9.9"), None),
]


@pytest.mark.parametrize(("client", "place", "package", "version"), INSTALLED, ids=range(len(INSTALLED)))
def test_installations(
    tmp_path: Path,
    client: clients.Client,
    place: str,
    package: tuple[str, str, str] | None,
    version: tuple[int, int, int] | None,
) -> None:
    target = tmp_path / "root" / place
    target.parent.mkdir(parents=True)
    target.write_text(PROGRAM)
    target.chmod(0o755)
    if package:
        fields = {"name": package[1], "version": package[2]}
        (tmp_path / "root" / package[0] / "package.json").write_text(json.dumps(fields))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / client.program).symlink_to(target)
    found = clients.programs(client, path=str(tmp_path / "bin"))
    assert found == [str(target.resolve())]
    assert clients.version(client, found[0]) == version


def test_a_configuration_folder_can_hold_a_program(tmp_path: Path) -> None:
    own = tmp_path / "config/local/node_modules/.bin/claude"
    own.parent.mkdir(parents=True)
    own.write_text(PROGRAM)
    assert clients.programs(clients.CLAUDE, str(tmp_path / "config"), str(tmp_path)) == [str(own.resolve())]
    assert clients.programs(clients.CLAUDE, str(tmp_path), str(tmp_path)) == []


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"name": "@openai/codex"}', '{"name": "@openai/codex", "version": "x"}']
)
def test_a_package_that_says_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "package.json").write_text(text)
    assert clients.version(clients.CODEX, str(tmp_path / "bin" / "tool")) is None


@pytest.mark.parametrize(
    ("text", "version"),
    [("2.1.332", (2, 1, 332)), ("2.0.1-beta.2", (2, 0, 1)), ("2.1", None), ("v2.1.3", None), ("", None)],
)
def test_versions(text: str, version: tuple[int, int, int] | None) -> None:
    assert clients.parse(text) == version
