"""What is wired for Codex: the command of the guard's one handler, and how it is recognised later (SPEC X1, A5)."""

import os
import re
import shlex

from guardhook.install import InstallError
from guardhook.install.places import Places, means

MATCHER = "Bash|apply_patch"
TIMEOUT = 10  # seconds; the client's own default is 600
AGENT = ["--agent", "codex"]
# `sh -c <this> guardhook <interpreter> ...`: one simple command, since the user's shell may not know `||` or `case`.
# The guard itself ends with 0 or 2. Codex's own time limit lets the call run, so a shorter one comes before it.
FAIL_CLOSED = (
    'command -v timeout >/dev/null && set -- timeout 8 "$@"; "$@"; s=$?; case $s in 0|2) exit $s;; esac; '
    'echo "guardhook could not run (status $s), so this call is blocked." >&2; exit 2'
)
_SHELL = ["/bin/sh", "-c"]
_NAMED = "guardhook"
_PYTHON = re.compile(r"(?i)(py|python|pypy)w?[0-9.]*(\.exe)?")
# What cmd or PowerShell would take for something else than a part of a path.
_UNSAFE = frozenset('"%$`&|<>^!,;=\r\n')


class Handler:
    """What is wired. closed: does Codex block a call when the guard cannot start (SPEC A5)? windows: with a command for
    Windows, too."""

    __slots__ = ("closed", "command", "windows")

    def __init__(self, interpreter: str, where: Places, closed: bool = False, windows: bool = False) -> None:
        """interpreter: absolute path. Raises InstallError for a path that cannot be wired."""
        words = [interpreter, "-I", "-S", where.guard, *AGENT]
        self.closed = closed
        self.command = shlex.join([*_SHELL, FAIL_CLOSED, _NAMED, *words] if closed else words)
        self.windows = _for_windows(interpreter, where.guard) if windows else ""
        try:
            self.command.encode("utf-8")
        except UnicodeEncodeError:
            raise InstallError(f"A path is not valid UTF-8 and cannot be wired: {self.command!r}.") from None

    def value(self) -> dict[str, object]:
        fields: dict[str, object] = {"type": "command", "command": self.command, "timeout": TIMEOUT}
        return {**fields, "commandWindows": self.windows} if self.windows else fields

    def group(self) -> dict[str, object]:
        return {"matcher": MATCHER, "hooks": [self.value()]}


def is_own(handler: object, where: Places, exactly: bool = False) -> bool:
    """Does this handler start our launcher: a Python, options, the script? Or, unless exactly, one elsewhere by
    exactly the command that we write?"""
    words = _words(handler)
    if words[1:3] == ["-I", "-S"] and words[4:] == AGENT and not exactly:
        return words[3].replace(os.sep, "/").endswith("/hooks/guard.py")
    index = next((number for number, word in enumerate(words) if number and not word.startswith("-")), 0)
    if not index or not _PYTHON.fullmatch(os.path.basename(words[0])):
        return False
    # Anything behind the script but its own option is a command of the user's around the guard.
    behind = words[index + 1 :]
    if behind and (behind[0].partition("=")[0] != AGENT[0] or len(behind) > 2 - ("=" in behind[0])):
        return False
    return means(words[index], where.guard)


def is_closed(command: str) -> bool:
    """Is this a command of ours that blocks the call when the guard cannot start?"""
    return _shell_around(_split(command))


def _words(handler: object) -> list[str]:
    """The words that start the guard, those of the shell around it left out."""
    words = _split(handler.get("command") if isinstance(handler, dict) else None)
    return words[4:] if _shell_around(words) else words


def _split(command: object) -> list[str]:
    try:
        return shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return []


def _shell_around(words: list[str]) -> bool:
    return words[:2] == _SHELL and words[3:4] == [_NAMED]


def _for_windows(interpreter: str, guard: str) -> str:
    """A command that cmd and PowerShell read alike; `call`, since cmd /c takes quotes off what begins with one."""
    if _UNSAFE & set(interpreter + guard):
        raise InstallError(f"One of these paths cannot be put into a command for Windows: {interpreter}, {guard}.")
    return f'cmd /d /c call "{interpreter}" -I -S "{guard}" {" ".join(AGENT)}'
