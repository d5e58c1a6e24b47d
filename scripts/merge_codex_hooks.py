#!/usr/bin/env python3
"""From a checkout: register the deployed guard in Codex's hooks.json (SPEC X1). Needs Python 3.11 and nothing else."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "src"))

if __name__ == "__main__":
    from guardhook.install import codex_merge

    sys.exit(codex_merge.main(sys.argv[1:]))
