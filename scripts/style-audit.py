#!/usr/bin/env python3
"""The pre-review audit from a checkout: `guardhook audit` under its own name (SPEC T1)."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "src"))

if __name__ == "__main__":
    try:
        from guardhook.cli.audit import command
    except ModuleNotFoundError as error:  # this Python has no click or rich; an installed guardhook brings its own
        program = shutil.which("guardhook")
        if program is None:
            sys.exit(f"style-audit.py: {error}; install guardhook, or run this with a Python that has it")
        sys.exit(os.spawnv(os.P_WAIT, program, [program, "audit", *sys.argv[1:]]))
    command(prog_name="style-audit.py")
