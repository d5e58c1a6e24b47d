"""Where agent_style is, for the style advisory: the hook runs without site-packages and is told the one folder (V1)."""

import importlib.util
import os
import shutil
import subprocess

from guardhook.install import InstallError

_QUESTION = "import agent_style, os; print(os.path.dirname(os.path.dirname(os.path.abspath(agent_style.__file__))))"
_PACKAGE = "agent_style"


def find(python: str, wanted: str = "") -> str:
    """The folder that holds the package agent_style, absolute; "" if there is none, which is no fault.

    python: the interpreter that is wired; it is asked first, then this program's environment, then the one of a program
    `agent-style` on PATH. wanted: the folder that the user named; raises InstallError if the package is not in it.
    """
    if wanted:
        folder = os.path.abspath(os.path.expanduser(wanted))
        if not os.path.isdir(os.path.join(folder, _PACKAGE)):
            raise InstallError(f"{folder} does not hold the package {_PACKAGE}.")
        return folder
    return _asked(python) or _own() or _asked(_interpreter_of(shutil.which("agent-style") or ""))


def recorded(folder: str) -> bytes:
    """The module `guardhook.style.recorded` for a folder."""
    return (
        '"""Where agent_style was when guardhook was installed; the installer writes this module anew (SPEC V1)."""\n\n'
        f"FOLDERS: tuple[str, ...] = ({folder!r},)\n"
    ).encode("utf-8", "surrogatepass")


def _asked(python: str) -> str:
    """Where this Python would import the package from, with its own site-packages and nothing of ours."""
    if not python:
        return ""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        run = subprocess.run(
            [python, "-P", "-c", _QUESTION],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=30,
            check=False,
            env=environment,
        )
        folder = run.stdout.decode("utf-8").strip().rpartition("\n")[2]
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    return folder if run.returncode == 0 and os.path.isdir(os.path.join(folder, _PACKAGE)) else ""


def _own() -> str:
    spec = importlib.util.find_spec(_PACKAGE)
    return os.path.dirname(os.path.dirname(os.path.abspath(spec.origin))) if spec is not None and spec.origin else ""


def _interpreter_of(program: str) -> str:
    """The Python in the first line of a program that pip, pipx or uv made; "" if it has none."""
    try:
        with open(program, "rb") as file:
            line = file.readline(4096)
    except OSError:
        return ""
    words = line[2:].decode("utf-8", "replace").strip()
    return words if line.startswith(b"#!") and os.path.isfile(words) else ""
