"""One run of the real client: temporary folders, programs on PATH that only log, a clean environment, a time limit."""

import sys
import time
from pathlib import Path

from tests.live.mock_messages import MessagesMock
from tests.live.npm import SYSTEM_PATH, run_limited

SOURCES = Path(__file__).resolve().parents[2] / "src"
STUBS = ("git", "gh", "npm")
CLIENT_SECONDS = 40
INSTALLER_SECONDS = 60
SWITCHES = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "IS_SANDBOX": "1",  # without it the client refuses bypassPermissions to root
}


class Sandbox:
    """The folders of one run, all below one root, which must be a temporary one."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home, self.config, self.tmp = root / "home", root / "config", root / "tmp"
        self.work, self.bin, self.log = root / "work", root / "bin", root / "stubs.log"
        for folder in (self.home, self.config, self.tmp, self.work / "sub", self.bin):
            folder.mkdir(parents=True)
        for name in STUBS:
            self._stub(name)

    @property
    def settings(self) -> Path:
        return self.config / "settings.json"

    @property
    def hooks(self) -> Path:
        return self.config / "hooks"

    def _stub(self, name: str) -> None:
        """Shadow a program by one that does nothing but log and print how it was called."""
        path = self.bin / name
        path.write_text(f"#!/bin/sh\nprintf '%s\\n' \"{name} $*\" >>'{self.log}'\nprintf '%s\\n' \"stub: {name} $*\"\n")
        path.chmod(0o755)

    def calls(self) -> list[str]:
        """How the stubs were called, in order, words joined by one space."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def environment(self, **more: str) -> dict[str, str]:
        """The whole environment of a program in here. Raises AssertionError if it leads out of the root."""
        env = {
            "PATH": f"{self.bin}:{SYSTEM_PATH}",
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.config),
            "CODEX_HOME": str(self.root / "codex"),
            "TMPDIR": str(self.tmp),
            **more,
        }
        require_below(self.root, env)
        return env

    def install_guard(self, client: Path, *options: str) -> str:
        """Wire the guard by its own installer, the client on PATH, and give what it printed. Raises AssertionError."""
        argv = [sys.executable, "-m", "guardhook", "install", "--config-dir", str(self.config), *options]
        env = self.environment(PYTHONPATH=str(SOURCES), PATH=f"{client.parent}:{SYSTEM_PATH}", COLUMNS="200")
        status, output = run_limited(argv, env, self.work, INSTALLER_SECONDS)
        assert status == 0, f"guardhook install ended with {status}:\n{output}"
        return output


def require_below(root: Path, env: dict[str, str]) -> None:
    """Raise AssertionError unless each folder that the client or the guard may write to lies below root."""
    for name in ("HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "TMPDIR"):
        value = env.get(name)
        inside = value is not None and Path(value).resolve().is_relative_to(root.resolve())
        assert inside, f"{name}={value!r} is not below {root}, so nothing is started"


class Run:
    """What came of a run: the client's status and output, what the model was told, how the stubs were called."""

    def __init__(self, status: "int | None", output: str, mock: MessagesMock, calls: list[str], seconds: float) -> None:
        self.status, self.output, self.calls, self.seconds = status, output, calls, seconds
        self.results, self.conversation, self.requests = mock.results(), mock.conversation(), mock.requests

    def __repr__(self) -> str:
        ended = "was stopped" if self.status is None else f"ended with {self.status}"
        told = "\n".join(f"  {result}" for result in self.results)
        return f"<client {ended} after {self.seconds:.1f} s, stubs called: {self.calls}\n{told}\n{self.output}>"


def drive(client: Path, sandbox: Sandbox, mock: MessagesMock, flags: list[str]) -> Run:
    """Run `claude -p` against the mock, for at most CLIENT_SECONDS.

    Raises AssertionError if it did not end well by itself, or did not play the whole plan and nothing else.
    """
    env = sandbox.environment(ANTHROPIC_BASE_URL=mock.url, ANTHROPIC_API_KEY="sk-made-up", **SWITCHES)
    start = time.monotonic()
    status, output = run_limited([str(client), "-p", "go", *flags], env, sandbox.work, CLIENT_SECONDS)
    run = Run(status, output, mock, sandbox.calls(), time.monotonic() - start)
    assert status == 0, run
    assert mock.turns_taken() > len(mock.plan), run
    assert len(run.results) == len(mock.calls()), run
    assert mock.strays() == [], run
    return run
