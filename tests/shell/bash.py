"""The bash that the lexer is compared with. Older ones than 5.2 (macOS has 3.2) read some of the texts otherwise."""

import shutil
import subprocess
from pathlib import Path

import pytest

BASH = shutil.which("bash") or ""


def version() -> tuple[int, int]:
    """Major and minor version; zeros without a bash."""
    if not BASH:
        return 0, 0
    script = 'echo "${BASH_VERSINFO[0]} ${BASH_VERSINFO[1]}"'
    major, minor = subprocess.run([BASH, "-c", script], capture_output=True, check=True).stdout.split()
    return int(major), int(minor)


needs_bash = pytest.mark.skipif(version() < (5, 2), reason="needs bash 5.2 or later")


def accepted(texts: list[str], folder: Path, *options: str) -> list[str]:
    """Those texts in which `bash -n` finds no error, each looked at alone; warnings do not count.

    The status does not tell: it is 0 for some errors in `[[ ]]`.
    """
    for number, text in enumerate(texts):
        (folder / str(number)).write_bytes(text.encode("utf-8", "surrogateescape"))
    script = """for ((i = 0; i < $1; i++)); do
        said=$("$0" "${@:2}" -n "$i" 2>&1)
        while [[ $said == *": warning: "* && $said == *$'\\n'* ]]; do said=${said#*$'\\n'}; done
        [[ $said && $said != *": warning: "* ]] || echo "$i"
    done"""
    command = [BASH, "-c", script, BASH, str(len(texts)), *options]
    run = subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return [texts[int(number)] for number in run.stdout.split()]
