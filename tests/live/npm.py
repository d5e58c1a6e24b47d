"""Real clients from npm: installed at one version, on first use, into the ignored cache folder of the checkout.

npm runs inside the target folder and never with --prefix: that would also move its global configuration, and with it a
machine's way to the registry.
"""

import contextlib
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

FLAGS = (
    "--ignore-scripts --no-audit --no-fund --no-update-notifier --no-package-lock --loglevel=error"
    " --fetch-retries=1 --fetch-retry-mintimeout=1000"
)
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


def architecture(client: str) -> str:
    """This machine's processor as npm names it: "x64" or "arm64". Raises UnavailableError where no client is for it."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine().lower())
    if machine is None or sys.platform not in ("linux", "darwin"):
        raise UnavailableError(f"the live tests know no {client} for {sys.platform} on {platform.machine()}")
    return machine


def fetch(client: str, home: Path, *arguments: str) -> None:
    """Install what the arguments of npm install name into the folder home: whole, or not at all.

    Raises UnavailableError if the registry cannot be reached, RuntimeError if npm fails.
    """
    CACHE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{home.name}.", dir=CACHE) as scratch:
        npm_install(client, Path(scratch), arguments)
        put(Path(scratch) / "tree", home)


def npm_install(client: str, scratch: Path, arguments: tuple[str, ...]) -> None:
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
    argv = [npm, "install", *FLAGS.split(), *arguments]
    status, output = run_limited(argv, env, tree, INSTALL_SECONDS)
    if status == 0:
        return
    unreached = UNREACHED.search(output)
    if status is not None and unreached is None:
        raise RuntimeError(f"npm install ended with {status}:\n{output}")
    cause = unreached[1] if unreached else f"no end after {INSTALL_SECONDS} s"
    raise UnavailableError(f"npm could not fetch {client} from its registry: {cause}")


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
