"""Which Python is wired: a base interpreter by its absolute path, never a shim or an environment's link.

A pyenv shim costs ten starts of Python on every tool call, and an environment can be deleted under the hook.
"""

import json
import os
import re
import shutil
import subprocess
import sys

from guardhook.install import InstallError

MINIMUM = (3, 11)
_QUESTION = (
    "import json, sys; print(json.dumps({'version': sys.version_info[:3], 'hexversion': sys.hexversion,"
    " 'tag': sys.implementation.cache_tag, 'base': getattr(sys, '_base_executable', '') or sys.executable}))"
)
# Homebrew deletes a patch release's folder on upgrade; `opt/<formula>` follows to the next one.
_CELLAR = re.compile(r"(?P<prefix>.*)/Cellar/(?P<formula>[^/]+)/[^/]+/.*bin/(?P<name>python[\d.]+)")


class Interpreter:
    """path: absolute. version: such as (3, 11, 2). pack: the name the launcher expects its pack to have."""

    __slots__ = ("base", "pack", "path", "version")

    def __init__(self, path: str, version: tuple[int, ...], pack: str, base: str) -> None:
        self.path = path
        self.version = version
        self.pack = pack
        self.base = base


def find(wanted: str = "") -> Interpreter:
    """The interpreter to wire: the base of `wanted` (a path or a name on PATH), or of the running Python.

    It has answered under `-I -S`, is a program and not a script, and is at least 3.11. Raises InstallError.
    """
    start = wanted or getattr(sys, "_base_executable", "") or sys.executable
    found = shutil.which(os.path.expanduser(start))
    if found is None:
        raise InstallError(f"{start} is not a program that can be run.")
    base = os.path.realpath(ask(os.path.abspath(found)).base)
    interpreter = ask(_lasting(base))
    if _is_script(interpreter.path):
        raise InstallError(
            f"{interpreter.path} is a script that looks for a Python; give the interpreter itself with --python."
        )
    if interpreter.version[:2] < MINIMUM:
        version = ".".join(map(str, interpreter.version))
        raise InstallError(
            f"{interpreter.path} is Python {version}; guardhook needs 3.11 or later. Give another with --python."
        )
    return interpreter


def ask(path: str) -> Interpreter:
    """Start the program as the hook is started and let it say what it is. Raises InstallError if it is no Python."""
    try:
        run = subprocess.run(
            [path, "-I", "-S", "-c", _QUESTION], stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False
        )
        fields = json.loads(run.stdout)
        version, tag, base = tuple(map(int, fields["version"])), str(fields["tag"]), str(fields["base"])
        return Interpreter(path, version, f"{tag}-{int(fields['hexversion']):x}.pack", base or path)
    except (OSError, ValueError, KeyError, TypeError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"{path} does not answer as a Python interpreter ({type(error).__name__}).") from None


def _lasting(path: str) -> str:
    """A path to the same program that outlives its next patch release, if there is one."""
    match = _CELLAR.fullmatch(path)
    if match:
        lasting = f"{match['prefix']}/opt/{match['formula']}/bin/{match['name']}"
        if os.path.realpath(lasting) == path:
            return lasting
    return path


def _is_script(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(2) == b"#!"
