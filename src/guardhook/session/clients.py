"""Which agents are installed, and their versions, read from files: starting one could update it or take a second."""

import json
import os
import re
import shutil

_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?")
_PARENTS = 6  # how far above the program its package.json may lie


class Client:
    """title: for people. program: its name on PATH. package: on npm. mark: in the path of other installations."""

    __slots__ = ("mark", "package", "program", "title")

    def __init__(self, title: str, program: str, package: str) -> None:
        self.title = title
        self.program = program
        self.package = package
        self.mark = program


CLAUDE = Client("Claude Code", "claude", "@anthropic-ai/claude-code")
CODEX = Client("Codex", "codex", "@openai/codex")
ALL = (CLAUDE, CODEX)


def programs(client: Client, config: str = "", path: str | None = None) -> list[str]:
    """Where the client's program really lies, links followed: the one on PATH, then the one in `config`.

    config: a configuration folder, which can hold an installation of its own, "" for none. path: a PATH to search, None
    for that of the process.
    """
    own = os.path.join(config, "local", "node_modules", ".bin", client.program) if config else ""
    found = (shutil.which(client.program, path=path), own)
    return [os.path.realpath(program) for program in found if program and os.path.exists(program)]


def version(client: Client, program: str) -> tuple[int, int, int] | None:
    """The version of a program whose links are followed: an npm package's, or a folder or file named by its version.

    The native installer keeps `.../claude/versions/2.1.332`, Homebrew `.../claude-code/2.1.332/claude`.
    """
    folder = program
    for _ in range(_PARENTS):
        named = parse(os.path.basename(folder))
        if named and client.mark in os.path.dirname(folder):
            return named
        folder = os.path.dirname(folder)
        packaged = _of_package(os.path.join(folder, "package.json"), client.package)
        if packaged:
            return packaged
    return None


def parse(text: str) -> tuple[int, int, int] | None:
    """`2.1.332` -> (2, 1, 332); None for anything else."""
    match = _VERSION.fullmatch(text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def _of_package(path: str, package: str) -> tuple[int, int, int] | None:
    try:
        with open(path, encoding="utf-8") as file:
            fields = json.load(file)
        name, text = str(fields["name"]), str(fields["version"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return parse(text) if name == package or name.startswith(package + "-") else None
