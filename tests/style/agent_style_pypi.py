"""The real agent-style at fixed releases, installed on first use into the ignored cache folder of the checkout.

pip gets an empty home of its own and no more of the environment than a machine's way to its registry.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RELEASES = ("0.5.0", "0.6.0", "0.7.0", "0.8.0", "0.9.0")
CACHE = Path(__file__).resolve().parents[2] / ".cache" / "agent-style"
INSTALL_SECONDS = 90
# A machine's way to its registry, where that is told by the environment.
NETWORK = re.compile(r"(?i)(https?|all|no)_proxy|ssl_cert_(file|dir)|requests_ca_bundle|(pip|uv)_\w+")
# How pip and uv say that no registry answered, or that it has not this package.
UNREACHED = re.compile(
    r"(?i)no matching distribution|could not find a version|connection|timed? ?out|name resolution|proxy|certificate"
    r"|failed to (fetch|download)|not found in the package registry|error sending request"
)
_unavailable: dict[str, str] = {}


class UnavailableError(Exception):
    """The package cannot be had here; the text is the reason to skip with."""


def folder(version: str) -> Path:
    """The folder to put on the module path for a release. Raises UnavailableError, or RuntimeError if pip fails."""
    home = CACHE / version
    if not (home / "agent_style").is_dir():
        if version in _unavailable:
            raise UnavailableError(_unavailable[version])
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f"{version}.", dir=CACHE) as scratch:
            _install(Path(scratch), version)
            _put(Path(scratch) / "tree", home)
    return home


def _install(scratch: Path, version: str) -> None:
    installer, path = _installer(version), os.environ.get("PATH", os.defpath)
    env = {name: value for name, value in os.environ.items() if NETWORK.fullmatch(name)}
    env |= {"HOME": str(scratch), "TMPDIR": str(scratch), "PATH": path}
    command = [*installer, "--no-deps", "--target", str(scratch / "tree"), f"agent-style=={version}"]
    try:
        done = subprocess.run(
            command, env=env, cwd=scratch, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        _unavailable[version] = f"agent-style {version} was not installed within {INSTALL_SECONDS} s"
        raise UnavailableError(_unavailable[version]) from None
    if done.returncode == 0:
        return
    if not UNREACHED.search(done.stdout + done.stderr):
        raise RuntimeError(f"the installation of agent-style {version} failed:\n{done.stdout}{done.stderr}")
    _unavailable[version] = f"agent-style {version} could not be fetched from a registry"
    raise UnavailableError(_unavailable[version])


def _installer(version: str) -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    uv = shutil.which("uv")
    if uv is None:
        raise UnavailableError(f"neither pip nor uv is here to install agent-style {version}")
    return [uv, "pip", "install", "--quiet", "--python", sys.executable]


def _put(tree: Path, home: Path) -> None:
    """Move a finished tree into place; where another run was faster, its tree stays."""
    try:
        tree.rename(home)
    except OSError:
        if not home.is_dir():
            raise
