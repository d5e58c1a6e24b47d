"""The real Codex CLI, at one version, installed from npm on first use.

Asked for is the platform's own release of the package, which holds the executable: the package of the plain version is
a launcher in JavaScript that names it as an optional dependency, which npm would leave out in silence.
"""

import json
import sys
from pathlib import Path

from tests.live import npm

VERSION = "0.171.0"
TRIPLES = {"linux": "unknown-linux-musl", "darwin": "apple-darwin"}


def platform_release() -> tuple[str, str]:
    """The version of the package for this machine, and where its executable is. Raises UnavailableError if none is."""
    machine = npm.architecture("Codex")
    triple = f"{'x86_64' if machine == 'x64' else 'aarch64'}-{TRIPLES[sys.platform]}"
    return f"{VERSION}-{sys.platform}-{machine}", f"vendor/{triple}/bin/codex"


def executable() -> Path:
    """The path of the pinned client, installed on first use. Raises UnavailableError, or RuntimeError if npm fails."""
    release, program = platform_release()
    home = npm.CACHE / f"codex-{VERSION}"
    package = home / "node_modules" / "@openai" / "codex"
    if not (package / program).exists():
        npm.fetch(f"Codex {VERSION}", home, f"@openai/codex@{release}")
    found = json.loads((package / "package.json").read_text())["version"]
    if found != release:
        raise RuntimeError(f"{package} is version {found}, not {release}")
    return package / program
