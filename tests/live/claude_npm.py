"""The real Claude Code, at one version, installed from npm on first use into the ignored cache folder of the checkout.

The platform package (one executable) is asked for by name, so that npm fails when it cannot be had; as the optional
dependency that it is, npm would leave it out in silence. npm runs inside the target folder and never with --prefix:
that would also move its global configuration, and with it a machine's way to the registry.
"""

import contextlib
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

VERSION = "2.1.332"
CACHE = Path(__file__).resolve().parents[2] / ".cache"
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
INSTALL_SECONDS = 300
# The npm error codes that mean "the registry was not reached", from node's error names and npm's E<status>.
UNREACHED = re.compile(
    r"npm (?:error|ERR!) code (E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH|PROTO)"
    r"|ERR_SOCKET_TIMEOUT|E40[137]|E5\d\d|\w*CERT\w*|UNABLE_TO_\w+)"
)
# A machine's way to its registry, where that is told by the environment; handed to npm and to nothing else.
NETWORK = re.compile(r"(?i)(https?|all|no)_proxy|node_extra_ca_certs|ssl_cert_(file|dir)|npm_config_(registry|cafile)")


class UnavailableError(Exception):
    """The client cannot be had here; the text is the reason to skip with."""


def platform_package() -> str:
    """The name of the package with the executable for this machine. Raises UnavailableError where there is none."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine().lower())
    if machine is None or sys.platform not in ("linux", "darwin"):
        raise UnavailableError(f"the live tests know no Claude Code for {sys.platform} on {platform.machine()}")
    musl = "-musl" if sys.platform == "linux" and list(Path("/lib").glob("ld-musl-*")) else ""
    return f"@anthropic-ai/claude-code-{sys.platform}-{machine}{musl}"


def executable() -> Path:
    """The path of the pinned client, installed on first use. Raises UnavailableError, or RuntimeError if npm fails."""
    package = platform_package()
    home = CACHE / f"claude-code-{VERSION}"
    path = home / "node_modules" / package / "claude"
    if not path.exists():
        CACHE.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f"claude-code-{VERSION}.", dir=CACHE) as scratch:
            npm_install(Path(scratch), package)
            put(Path(scratch) / "tree", home)
    found = json.loads((path.parent / "package.json").read_text())["version"]
    if found != VERSION:
        raise RuntimeError(f"{path} is version {found}, not {VERSION}")
    return path


def npm_install(scratch: Path, package: str) -> None:
    """Fill scratch/tree. npm gets an empty home of its own, runs no package script, and keeps its cache in scratch."""
    npm = shutil.which("npm")
    if npm is None:
        raise UnavailableError("npm is not installed")
    tree, home = scratch / "tree", scratch / "home"
    tree.mkdir()
    home.mkdir()
    (tree / "package.json").write_text('{"private": true}\n')
    flags = "--omit=optional --ignore-scripts --no-audit --no-fund --no-update-notifier --no-package-lock"
    flags += " --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=1000"
    names = [f"@anthropic-ai/claude-code@{VERSION}", f"{package}@{VERSION}"]
    env = {name: value for name, value in os.environ.items() if NETWORK.fullmatch(name)}
    env |= {"PATH": f"{Path(npm).parent}:{SYSTEM_PATH}", "HOME": str(home), "TMPDIR": str(home)}
    argv = [npm, "install", *flags.split(), *names]
    status, output = run_limited(argv, env, tree, INSTALL_SECONDS)
    if status == 0:
        return
    unreached = UNREACHED.search(output)
    if status is not None and unreached is None:
        raise RuntimeError(f"npm install ended with {status}:\n{output}")
    cause = unreached[1] if unreached else f"no end after {INSTALL_SECONDS} s"
    raise UnavailableError(f"npm could not fetch Claude Code {VERSION} from its registry: {cause}")


def put(tree: Path, home: Path) -> None:
    """Move a finished tree into place; where another run was faster, its tree stays."""
    try:
        tree.rename(home)
    except OSError:
        if not home.is_dir():
            raise


def run_limited(argv: list[str], env: dict[str, str], cwd: Path, seconds: float) -> "tuple[int | None, str]":
    """Run a program in a process group of its own; its status (None: it was stopped at the limit) and its output."""
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output,
        subprocess.Popen(
            argv, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        ) as process,
    ):
        try:
            status: int | None = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        output.seek(0)
        return status, output.read()
