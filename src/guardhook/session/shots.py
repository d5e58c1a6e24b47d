"""The check of the wired guard: the command that the settings hold must deny one call and let another pass (SPEC G4).

Both are fired at once, without the escape hatches, from the root of the file system: no project's files are near. What
must be denied is a compound `cd`, whose gate looks at the text alone.
"""

import json
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping
from typing import Any

from guardhook import hatches
from guardhook.prose import scope

DENIED = "cd sub && make"
PASSED = "ls -la"
# Seconds for both shots; the whole hook of a session's start ends within one.
LIMIT = 0.6

OK, FAILED, UNWIRED = "ok", "failed", "not wired"


class Check:
    """result: OK, FAILED or UNWIRED. detail: what was expected and did not come, "" if all is well.

    milliseconds: until both shots had ended.
    """

    __slots__ = ("detail", "milliseconds", "result")

    def __init__(self, result: str, detail: str, milliseconds: float) -> None:
        self.result = result
        self.detail = detail
        self.milliseconds = milliseconds


class Settings:
    """Where a client's settings file is and which launcher it must name. environment: of this process."""

    __slots__ = ("environment", "guard", "path")

    def __init__(self, environment: Mapping[str, str]) -> None:
        config = environment.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
        self.path = os.path.join(os.path.abspath(config), "settings.json")
        self.guard = os.path.join(os.path.abspath(config), "hooks", "guard.py")
        self.environment = environment


def prove(settings: Settings, limit: float = LIMIT) -> Check:
    """Fire the wired command twice. limit: seconds until both must have answered; what still runs then is killed."""
    wired = command(settings)
    if wired is None:
        return Check(UNWIRED, f"{settings.path} does not wire {settings.guard}", 0.0)
    start = time.perf_counter()
    shots: list[subprocess.Popen[bytes]] = []
    try:
        shots.extend(_start(wired, settings.environment) for _ in (DENIED, PASSED))
        denied = _answer(shots[0], _payload(DENIED), start + limit)
        passed = _answer(shots[1], _payload(PASSED), start + limit)
    except OSError as error:
        return Check(FAILED, f"the wired command cannot be started ({error.strerror})", 0.0)
    finally:
        for shot in shots:
            _end(shot)
    milliseconds = (time.perf_counter() - start) * 1000
    detail = flaw(denied, passed, limit)
    return Check(FAILED if detail else OK, detail, milliseconds)


def command(settings: Settings) -> "str | list[str] | None":
    """The wired command that starts the guard: a shell line, or an argument list where the settings have `args`.

    None if the settings cannot be read or no PreToolUse hook of theirs names the launcher.
    """
    try:
        document = json.loads(scope.open_text(settings.path) or "null")
        groups = document["hooks"]["PreToolUse"]
        handlers = [handler for group in groups for handler in group["hooks"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    for handler in handlers:
        found = _words(handler)
        if found and any(_normal(word) == settings.guard for word in found[1]):
            return found[0]
    return None


def flaw(denied: tuple[int | None, bytes], passed: tuple[int | None, bytes], limit: float = LIMIT) -> str:
    """What is wrong with the two answers, each an exit status and an output; a status of None is no end in time."""
    for text, (status, _) in ((DENIED, denied), (PASSED, passed)):
        if status is None:
            return f"no answer to a test call ({text}) within {limit:g} seconds"
        if status != 0:
            return f"exit status {status} for a test call ({text})"
    try:
        decision = json.loads(denied[1])["hookSpecificOutput"]["permissionDecision"]
    except (ValueError, KeyError, TypeError, RecursionError):
        decision = None
    if decision != "deny":
        return f"a test call that must be denied ({DENIED}) was not"
    return f"a test call that must pass ({PASSED}) got an answer" if passed[1].strip() else ""


def _words(handler: Any) -> "tuple[str | list[str], list[str]] | None":
    line = handler.get("command") if isinstance(handler, dict) else None
    if not isinstance(line, str):
        return None
    arguments = handler.get("args")
    if isinstance(arguments, list):
        listed = [line, *(word for word in arguments if isinstance(word, str))]
        return listed, listed
    try:
        return line, shlex.split(line)
    except ValueError:
        return None


def _normal(word: str) -> str:
    return os.path.normpath(os.path.expandvars(os.path.expanduser(word)))


def _start(wired: "str | list[str]", environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    closed = {name: value for name, value in environment.items() if name not in hatches._ESCAPE_HATCH_ENV_NAMES}
    return subprocess.Popen(
        wired,
        shell=isinstance(wired, str),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=os.path.abspath(os.sep),
        env=closed,
        start_new_session=True,
    )


def _payload(text: str) -> bytes:
    fields = {
        "session_id": "session check",
        "cwd": os.path.abspath(os.sep),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": text},
    }
    return json.dumps(fields).encode() + b"\n"


def _answer(shot: "subprocess.Popen[bytes]", payload: bytes, until: float) -> tuple[int | None, bytes]:
    try:
        output, _ = shot.communicate(payload, max(until - time.perf_counter(), 0.001))
    except subprocess.TimeoutExpired:
        return None, b""
    return shot.returncode, output


def _end(shot: "subprocess.Popen[bytes]") -> None:
    """Kill what still runs, with everything that it started, and close the pipes."""
    if shot.poll() is None:
        try:
            os.killpg(shot.pid, signal.SIGKILL)
        except (OSError, AttributeError):  # gone, or Windows
            shot.kill()
        shot.wait()
    for pipe in (shot.stdin, shot.stdout):
        if pipe is not None and not pipe.closed:
            pipe.close()
