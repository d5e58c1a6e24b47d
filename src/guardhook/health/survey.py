"""What is: every file and interpreter that takes part in guarding, read once, as plain records."""

import os
from collections.abc import Mapping

from guardhook import hatches
from guardhook.health import codex_side, deployed, pythons, settings
from guardhook.health.codex_side import CodexSide
from guardhook.health.deployed import Deployed
from guardhook.health.pythons import Python
from guardhook.health.settings import Entry, Layer
from guardhook.install import client
from guardhook.install.places import Places
from guardhook.session import clients


class Survey:
    """layers: Claude Code's settings files, the user's first. pythons: path as wired -> what is known of it.

    version, codex_version: of the clients, None where there is none or it does not show. environment: of this process.
    """

    __slots__ = ("codex", "codex_version", "deployed", "environment", "layers", "pythons", "version", "where")

    def __init__(self, where: Places, environment: Mapping[str, str], layers: list[Layer]) -> None:
        self.where = where
        self.environment = environment
        self.layers = layers
        self.version = client.version(where.config)
        found = (clients.version(clients.CODEX, program) for program in clients.programs(clients.CODEX))
        self.codex_version = next(filter(None, found), None)
        self.deployed: Deployed = deployed.look(where)
        self.codex: CodexSide = codex_side.look(where)
        self.pythons: dict[str, Python] = {}

    @property
    def user(self) -> Layer:
        """The user's settings."""
        return self.layers[0]

    def own(self, event: str) -> list[Entry]:
        """Our entries of an event in the user's settings."""
        return [entry for entry in self.user.entries if entry.own and entry.event == event]

    @property
    def is_installed(self) -> bool:
        """Is anything of guardhook wired or deployed here?"""
        wired = any(entry.own for entry in self.user.entries) or bool(self.codex.hooks)
        return wired or self.deployed.guard.exists

    @property
    def open_hatches(self) -> list[tuple[str, str]]:
        """(hatch, where it is opened) of this process's environment and of the settings (SPEC E1)."""
        found = [(name, "the environment") for name in hatches.Settings(dict(self.environment)).off]
        return found + [(name, layer.file.path) for layer in self.layers for name in layer.hatches]

    def claude_environment(self) -> dict[str, str]:
        """The environment of a hook of Claude Code: inherited, with the `env` blocks of the settings over it."""
        merged = dict(self.environment)
        for layer in self.layers:
            for name, value in layer.environment.items():
                if name and "=" not in name and "\0" not in name:  # no variable can be called so
                    merged[name] = value.encode("utf-8", "replace").decode()
        return merged


def look(where: Places, cwd: str, environment: Mapping[str, str]) -> Survey:
    """Look at everything. cwd: the folder whose project settings count. Starts the wired interpreters, nothing else."""
    found = Survey(where, environment, settings.look(where, cwd))
    wired = [entry.interpreter for entry in found.user.entries if entry.own]
    wired += [hook.interpreter for hook in found.codex.hooks]
    for path in dict.fromkeys(filter(None, wired)):
        found.pythons[path] = pythons.look(path)
    return found


def here() -> str:
    """The current folder, the file system's root where it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return os.path.abspath(os.sep)
