"""Let Codex record its own trust, over its app server: JSON lines on the standard streams (SPEC X2; 0.171.0).

Only when the user asks for it. The hash that is recorded is the one the client names itself, and the record is read
back; comments and everything else in config.toml stay.
"""

import contextlib
import json
import os
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import Any

import guardhook
from guardhook.install import InstallError
from guardhook.install.codex_places import CodexHome

PROGRAM = "codex"
LIMIT = 30.0  # seconds for everything


def record_trust(home: CodexHome, key: str, command: str, program: str = "") -> str:
    """Trust the hook with this key, if it is still this command, and give the hash that Codex recorded.

    program: Codex, by default the one on PATH. Raises InstallError, with nothing recorded unless the text says so.
    """
    found = program or shutil.which(PROGRAM)
    if not found:
        raise InstallError("`codex` is not on PATH, so it cannot be asked to record trust.")
    with _server(found, home) as server:
        hook = _hook(server, home, key)
        if hook.get("command") != command:
            raise InstallError(f"Codex sees another command in the guard's place: {hook.get('command')}")
        current = str(hook["currentHash"])
        edit = {"keyPath": "hooks.state", "mergeStrategy": "upsert", "value": {key: {"trusted_hash": current}}}
        server.request("config/batchWrite", {"edits": [edit], "reloadUserConfig": True})
        status = _hook(server, home, key).get("trustStatus")
    if status != "trusted":
        raise InstallError(f"Codex was asked to trust the guard, and now says that it is {status!r}.")
    return current


class _Server:
    """One `codex app-server`. A thread reads, since a pipe cannot be waited for with a limit on every system."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._number = 0
        self._end = time.monotonic() + LIMIT
        threading.Thread(target=self._read, daemon=True).start()

    def request(self, method: str, params: dict[str, Any]) -> Any:
        """The result of one call. Raises InstallError."""
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._message(method)
            if message.get("id") == self._number and "method" not in message:
                break
        if "result" not in message:
            raise InstallError(f"Codex's app server refused {method}: {message.get('error')}")
        return message["result"]

    def send(self, message: dict[str, Any]) -> None:
        stream = self._process.stdin
        try:
            if stream:
                stream.write(json.dumps(message).encode() + b"\n")
                stream.flush()
        except OSError:
            raise InstallError("Codex's app server ended before it was asked anything.") from None

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line)
        self._lines.put(b"")

    def _message(self, method: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=max(0.0, self._end - time.monotonic()))
            message = json.loads(line) if line else None
        except queue.Empty:
            raise InstallError(f"Codex's app server did not answer {method} within {LIMIT:.0f} seconds.") from None
        except ValueError:
            return {}
        if message is None:
            raise InstallError(f"Codex's app server ended without an answer to {method}; is this Codex too old?")
        return message if isinstance(message, dict) else {}


@contextlib.contextmanager
def _server(program: str, home: CodexHome) -> Iterator[_Server]:
    environment = {**os.environ, **({"CODEX_HOME": home.home} if home.named else {})}
    try:
        process = subprocess.Popen(
            [program, "app-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=home.home,
            env=environment,
        )
    except OSError as error:
        raise InstallError(f"{program} cannot be started: {error.strerror}.") from None
    with process:
        try:
            server = _Server(process)
            client = {"name": "guardhook", "title": "guardhook", "version": guardhook.__version__}
            server.request("initialize", {"clientInfo": client})
            server.send({"method": "initialized"})
            yield server
        finally:
            with contextlib.suppress(OSError):
                process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()


def _hook(server: _Server, home: CodexHome, key: str) -> dict[str, Any]:
    """What the client says about the hook with this key. Raises InstallError if it does not see it."""
    try:
        (found,) = server.request("hooks/list", {"cwds": [home.home]})["data"]
        hooks, trouble = {hook["key"]: hook for hook in found["hooks"]}, [*found["warnings"], *found["errors"]]
    except (KeyError, TypeError, ValueError):
        raise InstallError("Codex's app server listed its hooks in a form that is not known here.") from None
    if key not in hooks:
        more = f" It says: {'; '.join(map(str, trouble))}" if trouble else ""
        raise InstallError(f"Codex does not see the guard in {home.hooks}.{more}")
    return dict(hooks[key])
