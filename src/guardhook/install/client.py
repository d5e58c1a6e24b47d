"""Which Claude Code is installed, read from files: starting it could update it, log in, or take a second."""

import json
import os
import re
import shutil

# The first release that knows `"onFailure": "block"` on a hook.
KNOWS_ON_FAILURE = (2, 1, 295)
PACKAGE = "@anthropic-ai/claude-code"
_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?")
_PARENTS = 6  # how far above the program its package.json may lie


def version(config: str, path: str | None = None) -> tuple[int, int, int] | None:
    """The client's version, None if there is no client or it does not show which it is.

    config: Claude Code's configuration folder, which can hold an installation of its own. path: a PATH to search, None
    for that of the process.
    """
    for program in (shutil.which("claude", path=path), os.path.join(config, "local", "node_modules", ".bin", "claude")):
        if program and os.path.exists(program):
            found = of_program(os.path.realpath(program))
            if found:
                return found
    return None


def of_program(program: str) -> tuple[int, int, int] | None:
    """The version of a program whose links are followed: an npm package's, or a folder or file named by its version.

    The native installer keeps `.../claude/versions/2.1.332`, Homebrew `.../claude-code/2.1.332/claude`.
    """
    folder = program
    for _ in range(_PARENTS):
        named = parse(os.path.basename(folder))
        if named and "claude" in os.path.dirname(folder):
            return named
        folder = os.path.dirname(folder)
        packaged = _of_package(os.path.join(folder, "package.json"))
        if packaged:
            return packaged
    return None


def parse(text: str) -> tuple[int, int, int] | None:
    """`2.1.332` -> (2, 1, 332); None for anything else."""
    match = _VERSION.fullmatch(text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def blocks_on_failure(found: tuple[int, int, int] | None) -> bool:
    """Shall `onFailure` be written? Yes where the version is unknown: a client that does not know a handler's field was
    measured to ignore it, and without the field a guard that cannot start lets everything run (SPEC A5)."""
    return found is None or found >= KNOWS_ON_FAILURE


def _of_package(path: str) -> tuple[int, int, int] | None:
    try:
        with open(path, encoding="utf-8") as file:
            fields = json.load(file)
        name, text = str(fields["name"]), str(fields["version"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return parse(text) if name == PACKAGE or name.startswith(PACKAGE + "-") else None
