"""The real Claude Code, at one version, installed from npm on first use.

The platform package (one executable) is asked for by name, so that npm fails when it cannot be had; as the optional
dependency that it is, npm would leave it out in silence.
"""

import json
import sys
from pathlib import Path

from tests.live import npm

VERSION = "2.1.332"


def platform_package() -> str:
    """The name of the package with the executable for this machine. Raises UnavailableError where there is none."""
    machine = npm.architecture("Claude Code")
    musl = "-musl" if sys.platform == "linux" and list(Path("/lib").glob("ld-musl-*")) else ""
    return f"@anthropic-ai/claude-code-{sys.platform}-{machine}{musl}"


def executable() -> Path:
    """The path of the pinned client, installed on first use. Raises UnavailableError, or RuntimeError if npm fails."""
    package = platform_package()
    home = npm.CACHE / f"claude-code-{VERSION}"
    path = home / "node_modules" / package / "claude"
    if not path.exists():
        names = [f"@anthropic-ai/claude-code@{VERSION}", f"{package}@{VERSION}"]
        npm.fetch(f"Claude Code {VERSION}", home, "--omit=optional", *names)
    found = json.loads((path.parent / "package.json").read_text())["version"]
    if found != VERSION:
        raise RuntimeError(f"{path} is version {found}, not {VERSION}")
    return path
