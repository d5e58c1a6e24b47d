"""The interpreters that the wired commands name: are they there, do they start, and what are they?"""

import os
import shutil

from guardhook.install import InstallError, interpreter

MISSING, DEAD, SCRIPT, OLD = "missing", "dead", "script", "old"


class Python:
    """path: as it is wired. version: such as (3, 11, 2), () where it did not say. pack: the name it expects its pack to
    have. state: "" or one of the constants. detail: of the state, in words."""

    __slots__ = ("detail", "pack", "path", "state", "version")

    def __init__(self, path: str) -> None:
        self.path = path
        self.version: tuple[int, ...] = ()
        self.pack = ""
        self.state = ""
        self.detail = ""

    @property
    def answers(self) -> bool:
        """Does it start, as a Python?"""
        return bool(self.version)

    @property
    def runs_guard(self) -> bool:
        """Does it start, and is it new enough?"""
        return self.answers and self.state != OLD


def look(path: str) -> Python:
    """Start the interpreter as the hook is started, with nothing to do."""
    found = Python(path)
    program = shutil.which(path)
    if program is None:
        found.state, found.detail = MISSING, "it is no program" if os.path.lexists(path) else "it is gone"
        return found
    try:
        answer = interpreter.ask(program)
    except InstallError as error:
        found.state, found.detail = DEAD, str(error)
        return found
    found.version, found.pack = answer.version, answer.pack
    if found.version[:2] < interpreter.MINIMUM:
        found.state, found.detail = OLD, f"it is Python {number(found.version)}"
    elif _is_script(program):
        found.state = SCRIPT
    return found


def number(version: tuple[int, ...]) -> str:
    """(3, 11, 2) -> `3.11.2`."""
    return ".".join(map(str, version))


def _is_script(program: str) -> bool:
    try:
        with open(program, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False
