"""One run of the real Codex: folders of its own, stubs for its shell, its configuration, `exec` and the app server."""

import contextlib
import json
import os
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.live.mock_responses import DIRECT_MODEL, ResponsesMock
from tests.live.npm import SYSTEM_PATH, run_limited
from tests.live.sandbox import INSTALLER_SECONDS, SOURCES, Sandbox

MERGE = SOURCES.parent / "scripts" / "merge_codex_hooks.py"
CLIENT_SECONDS = 40
ANSWER_SECONDS = 20
PROFILES = (".profile", ".bash_profile", ".zprofile")  # what a login shell reads last
PROVIDER = """\
[model_providers.mock]
name = "mock"
base_url = "{url}"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0
"""


class CodexSandbox(Sandbox):
    """A Sandbox with a Codex home. The stubs are seen by the shell that Codex starts, not by Codex itself."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.codex = root / "codex"
        self.codex.mkdir()
        self.shell_path = f"{self.bin}:{SYSTEM_PATH}"
        for name in PROFILES:  # a distribution's /etc/profile sets PATH anew
            (self.home / name).write_text(f"export PATH={shlex.quote(self.shell_path)}\n")

    @property
    def hooks_file(self) -> Path:
        return self.codex / "hooks.json"

    @property
    def config_file(self) -> Path:
        return self.codex / "config.toml"

    def codex_environment(self, **more: str) -> dict[str, str]:
        """The whole environment of Codex: no account, no stubs, a made-up key. Raises AssertionError as ever."""
        return self.environment(PATH=SYSTEM_PATH, MOCK_KEY="made-up", NO_COLOR="1", **more)

    def configure(self, url: str, *, model: str = DIRECT_MODEL, more: str = "", **settings: str) -> None:
        """Write config.toml: the mock as the only provider. settings: further top-level strings. more: TOML tables.

        Trust that was recorded before is lost, so this comes first.
        """
        top = {"model": model, "model_provider": "mock", "approval_policy": "never"}
        top |= {"sandbox_mode": "danger-full-access", **settings}
        lines = [f"{name} = {json.dumps(value)}" for name, value in top.items()]
        lines += ["[shell_environment_policy.set]", f"PATH = {json.dumps(self.shell_path)}", PROVIDER.format(url=url)]
        self.config_file.write_text("\n".join(lines) + more)

    def wire(self) -> str:
        """Deploy the guard, register it with Codex, and give what the second printed. It is not trusted by that.

        Deploying is done by the installer and once a sandbox. Raises AssertionError if a program failed.
        """
        if not (self.hooks / "guard.py").exists():
            self.install_guard(Path("/bin/true"), "--no-proof")
        env = self.environment(PATH=SYSTEM_PATH)
        status, output = run_limited([sys.executable, str(MERGE)], env, self.work, INSTALLER_SECONDS)
        assert status == 0, f"{MERGE.name} ended with {status}:\n{output}"
        return output

    def exec(self, client: Path, mock: ResponsesMock, *flags: str, **more: str) -> "CodexRun":
        """Run `codex exec` on the mock's plan, for at most CLIENT_SECONDS. more: environment variables.

        Raises AssertionError if it did not end well by itself, or did not play the whole plan and nothing else.
        """
        argv = [str(client), "exec", "--skip-git-repo-check", "-C", str(self.work), *flags, "go"]
        start = time.monotonic()
        status, output = run_limited(argv, self.codex_environment(**more), self.work, CLIENT_SECONDS)
        run = CodexRun(status, output, mock, self.calls(), time.monotonic() - start)
        assert status == 0, run
        assert mock.turns_taken() > len(mock.plan), run
        assert len(run.results) == len(mock.calls()), run
        assert mock.strays() == [], run
        return run


class CodexRun:
    """What came of a run: status and output, what the model was told about each call, how the stubs were called."""

    def __init__(
        self, status: "int | None", output: str, mock: ResponsesMock, calls: list[str], seconds: float
    ) -> None:
        self.status, self.output, self.calls, self.seconds = status, output, calls, seconds
        self.results, self.conversation, self.requests = mock.results(), mock.conversation(), mock.requests

    def __repr__(self) -> str:
        ended = "was stopped" if self.status is None else f"ended with {self.status}"
        told = "\n".join(f"  {result!r}" for result in self.results)
        return f"<codex {ended} after {self.seconds:.1f} s, stubs called: {self.calls}\n{told}\n{self.output}>"


class AppServer:
    """`codex app-server` on its standard streams. A context manager; the process group is killed on exit.

    notes: every notification and request that came from it. decide: answers its requests (an approval), by method and
    parameters; by default each is declined. env: its whole environment, by default the sandbox's.
    """

    def __init__(
        self,
        client: Path,
        sandbox: CodexSandbox,
        decide: Callable[[str, dict[str, Any]], dict[str, Any]] = lambda method, params: {"decision": "decline"},
        env: "dict[str, str] | None" = None,
    ) -> None:
        self.notes: list[dict[str, Any]] = []
        self._decide, self._sandbox, self._buffer, self._number = decide, sandbox, b"", 0
        self._argv = [str(client), "app-server"]
        self._env = sandbox.codex_environment() if env is None else env

    def __enter__(self) -> "AppServer":
        self._errors = open(self._sandbox.root / "app-server.log", "ab")
        self._process = subprocess.Popen(
            self._argv,
            env=self._env,
            cwd=self._sandbox.work,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        self.request("initialize", clientInfo={"name": "test", "title": "test", "version": "0"})
        self._send({"method": "initialized"})
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin and self._process.stdout
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(3)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()
        self._errors.close()

    def request(self, method: str, **params: Any) -> Any:
        """The result of one call. Raises AssertionError for an error, or if there is no answer in ANSWER_SECONDS."""
        message = self.reply(method, **params)
        assert "error" not in message, message
        return message["result"]

    def reply(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole answer to one call, with a `result` or an `error`."""
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, "params": params})
        return self._until(lambda message: message.get("id") == number and "method" not in message)

    def hooks(self) -> dict[str, Any]:
        """What the client says about the hooks of the work folder: `hooks`, `warnings`, `errors`."""
        (found,) = self.request("hooks/list", cwds=[str(self._sandbox.work)])["data"]
        return dict(found)

    def trust_all(self) -> None:
        """Record trust for every hook as the client's own review does, from the hashes that it gives itself."""
        state = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in self.hooks()["hooks"]}
        edit = {"keyPath": "hooks.state", "mergeStrategy": "upsert", "value": state}
        self.request("config/batchWrite", edits=[edit], reloadUserConfig=True)

    def turn(self, **params: Any) -> None:
        """Start a thread, with these further parameters, send it "go", and wait until its turn is over."""
        thread = self.request("thread/start", cwd=str(self._sandbox.work), **params)["thread"]["id"]
        self.request("turn/start", threadId=thread, input=[{"type": "text", "text": "go"}])
        if not any(note.get("method") == "turn/completed" for note in self.notes):
            self._until(lambda message: message.get("method") == "turn/completed", CLIENT_SECONDS)

    def asked(self) -> list[dict[str, Any]]:
        """The parameters of the approvals that the client asked for."""
        return [note["params"] for note in self.notes if note.get("method", "").endswith("/requestApproval")]

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _until(self, wanted: Callable[[dict[str, Any]], bool], seconds: float = ANSWER_SECONDS) -> dict[str, Any]:
        """Read on to the wanted message; others are kept in notes, and requests are answered."""
        end = time.monotonic() + seconds
        while (message := self._message(end)) is not None:
            if "method" in message:
                self.notes.append(message)
                if "id" in message:
                    answer = self._decide(message["method"], message.get("params", {}))
                    self._send({"id": message["id"], "result": answer})
            if wanted(message):
                return message
        log = (self._sandbox.root / "app-server.log").read_text("utf-8", "replace")
        raise AssertionError(f"app-server ended or was silent for {seconds} s; it sent {self.notes}\n{log}")

    def _message(self, end: float) -> "dict[str, Any] | None":
        assert self._process.stdout
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self._process.stdout.fileno(), 65536) if ready else b""
            if not data:
                return None
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        return dict(json.loads(line))
