"""A healthy installation in a home of its own, and the ways in which tests break it."""

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from guardhook.cli import main
from guardhook.health import examination, settings
from guardhook.health.examination import Examination
from guardhook.install import codex_form, codex_hooks, codex_rules, codex_trust, deploy, places
from guardhook.install.codex_rules import AskPlaces
from guardhook.install.places import Places

CLAUDE_VERSION, CODEX_VERSION = "2.1.332", "0.171.0"


class Installation:
    """home: everything lies below it. work: the current folder of a session. where, codex: the agents' folders."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.work = home / "work"
        self.codex = home / ".codex"
        self.where = Places(str(home / ".claude"))
        self.settings = Path(self.where.settings)
        self.hooks_file = self.codex / "hooks.json"
        self.config_file = self.codex / "config.toml"
        self.guard = Path(self.where.guard)
        self.session = Path(self.where.session)

    def make(self) -> None:
        """Both agents, installed and trusted, by the program's own installer."""
        for folder in (self.home / "bin", self.work, self.codex):
            folder.mkdir(parents=True)
        self.client(CLAUDE_VERSION)
        package = self.home / "lib/node_modules/@openai/codex"
        program(package / "bin/codex.js", "exit 1")
        (package / "package.json").write_text(json.dumps({"name": "@openai/codex", "version": CODEX_VERSION}))
        (self.home / "bin/codex").symlink_to(package / "bin/codex.js")
        result = CliRunner().invoke(main.commands, ["install", "--no-proof"])
        assert result.exit_code == 0, result.output
        self.trust()

    def client(self, version: str) -> None:
        """A Claude Code of this version on PATH."""
        made = program(self.home / f"share/claude/versions/{version}", "exit 1")
        link = self.home / "bin/claude"
        link.unlink(missing_ok=True)
        link.symlink_to(made)

    @property
    def release(self) -> Path:
        """The deployed release's folder."""
        return Path(self.where.releases, places.release_of(self.guard.read_bytes()) or "none")

    @property
    def pack(self) -> Path:
        """Its packed code."""
        (found,) = self.release.glob("*.pack")
        return found

    @property
    def python(self) -> str:
        """The wired interpreter."""
        return str(self.entry("PreToolUse")["command"]).split()[0]

    def entry(self, event: str) -> Any:
        """The guard's handler of an event, as the settings have it."""
        return json.loads(self.settings.read_bytes())["hooks"][event][0]["hooks"][0]

    def edit(self, change: Callable[[Any], object], path: Path | None = None) -> None:
        """Change a JSON file by a function on its value."""
        path = path or self.settings
        fields = json.loads(path.read_bytes()) if path.exists() else {}
        change(fields)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(fields, indent=2), encoding="utf-8")

    def edit_hooks(self, change: Callable[[Any], object]) -> None:
        """Change the groups of Codex's PreToolUse, and trust what is ours among them."""
        self.edit(lambda fields: change(fields["hooks"]["PreToolUse"]), self.hooks_file)
        self.trust()

    def wire(self, python: str) -> None:
        """Another interpreter in every entry of Claude Code's settings."""
        text = self.settings.read_text("utf-8")
        self.settings.write_text(text.replace(self.python, python), encoding="utf-8")

    def trust(self) -> None:
        """Have Codex trust what is wired there now."""
        document = codex_form.read(self.hooks_file.read_bytes())
        text = ""
        for own in codex_hooks.find(document, self.where):
            key = codex_trust.key(str(self.hooks_file), own.group_index, own.index)
            text += f'[hooks.state."{key}"]\ntrusted_hash = "{codex_trust.own_hash(own)}"\n'
        self.config_file.write_text(text, encoding="utf-8")

    def ask(self) -> AskPlaces:
        """Install the real ask on Codex, and give its places."""
        places = AskPlaces(self.where.releases, str(self.codex))
        for edit in codex_rules.install(places, self.python, deploy.ask_program()):
            path = Path(edit.path)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(edit.new or b"")
            path.chmod(edit.mode)
        return places

    def stub(self, script: str) -> str:
        """A program in the interpreter's place: a Python when it is asked what it is, else this shell script."""
        text = f'case "$*" in *" -c "*) exec {self.python} "$@";; esac\n{script}'
        return str(program(self.home / "stub" / "python3", text))

    def examine(self, fire: bool = True) -> Examination:
        """What doctor finds."""
        return examination.examine("", str(self.work), os.environ, fire)

    def codes(self, fire: bool = True) -> set[str]:
        """The codes of everything that doctor finds."""
        return {finding.code for finding in self.examine(fire).findings}


def program(path: Path, script: str) -> Path:
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def set_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of everything in a home: no escape hatch, and nothing that leads out of it."""
    for name in [name for name in os.environ if name.startswith(("AGENT_", "CLAUDE", "CODEX", "PYTHON", "BASH_ENV"))]:
        monkeypatch.delenv(name)
    folders = {"HOME": home, "CODEX_HOME": home / ".codex", "TMPDIR": home.parent / "tmp"}
    for name, folder in folders.items():
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setenv("PATH", f"{home}/bin:/usr/bin:/bin")
    monkeypatch.setattr(tempfile, "tempdir", None)  # it was chosen before
    monkeypatch.setattr(settings, "MANAGED_FILE", str(home / "managed-settings.json"))


def remove(folder: Path) -> None:
    """Remove a folder with everything in it, whatever its permissions."""
    for at, folders, _ in os.walk(folder):
        for path in (Path(at), *(Path(at, name) for name in folders)):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | stat.S_IRWXU)
    shutil.rmtree(folder)
