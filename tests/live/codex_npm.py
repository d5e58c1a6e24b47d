"""The real Codex CLI, at one version, installed from npm on first use into the ignored cache folder of the checkout.

Asked for is the platform's own release of the package, which holds the executable: the package of the plain version is
a launcher in JavaScript that names it as an optional dependency, which npm would leave out in silence.
"""

import json
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from tests.live.claude_npm import (
    CACHE,
    INSTALL_SECONDS,
    NETWORK,
    SYSTEM_PATH,
    UNREACHED,
    UnavailableError,
    put,
    run_limited,
)

VERSION = "0.171.0"
FLAGS = (
    "--ignore-scripts --no-audit --no-fund --no-update-notifier --no-package-lock --loglevel=error"
    " --fetch-retries=1 --fetch-retry-mintimeout=1000"
)
TRIPLES = {"linux": "unknown-linux-musl", "darwin": "apple-darwin"}


def platform_release() -> tuple[str, str]:
    """The version of the package for this machine, and where its executable is. Raises UnavailableError if none is."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine().lower())
    if machine is None or sys.platform not in TRIPLES:
        raise UnavailableError(f"the live tests know no Codex for {sys.platform} on {platform.machine()}")
    triple = f"{'x86_64' if machine == 'x64' else 'aarch64'}-{TRIPLES[sys.platform]}"
    return f"{VERSION}-{sys.platform}-{machine}", f"vendor/{triple}/bin/codex"


def executable() -> Path:
    """The path of the pinned client, installed on first use. Raises UnavailableError, or RuntimeError if npm fails."""
    release, program = platform_release()
    package = CACHE / f"codex-{VERSION}" / "node_modules" / "@openai" / "codex"
    if not (package / program).exists():
        CACHE.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f"codex-{VERSION}.", dir=CACHE) as scratch:
            npm_install(Path(scratch), release)
            put(Path(scratch) / "tree", CACHE / f"codex-{VERSION}")
    found = json.loads((package / "package.json").read_text())["version"]
    if found != release:
        raise RuntimeError(f"{package} is version {found}, not {release}")
    return package / program


def npm_install(scratch: Path, release: str) -> None:
    """Fill scratch/tree. npm gets an empty home of its own, runs no package script, and keeps its cache in scratch."""
    npm = shutil.which("npm")
    if npm is None:
        raise UnavailableError("npm is not installed")
    tree, home = scratch / "tree", scratch / "home"
    tree.mkdir()
    home.mkdir()
    (tree / "package.json").write_text('{"private": true}\n')
    env = {name: value for name, value in os.environ.items() if NETWORK.fullmatch(name)}
    env |= {"PATH": f"{Path(npm).parent}:{SYSTEM_PATH}", "HOME": str(home), "TMPDIR": str(home)}
    argv = [npm, "install", *FLAGS.split(), f"@openai/codex@{release}"]
    status, output = run_limited(argv, env, tree, INSTALL_SECONDS)
    if status == 0:
        return
    unreached = UNREACHED.search(output)
    if status is not None and unreached is None:
        raise RuntimeError(f"npm install ended with {status}:\n{output}")
    cause = unreached[1] if unreached else f"no end after {INSTALL_SECONDS} s"
    raise UnavailableError(f"npm could not fetch Codex {VERSION} from its registry: {cause}")
