"""The check of the wired guard: the command that the settings hold must deny one call and let another pass (SPEC G4).

Both are fired at once, without the escape hatches, from the root of the file system: no project's files are near. What
must be denied is a compound `cd`, whose gate looks at the text alone.
"""

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from typing import Any

from guardhook import hatches
from guardhook.prose import scope

DENIED = "cd sub && make"
PASSED = "ls -la"
# Seconds for both shots; the whole hook of a session's start ends within one.
LIMIT = 0.6

# Bytes of an answer that are read; an answer of the guard has some thousand.
MAX_OUTPUT = 100_000
# Tools whose calls the guard has to see: its matcher may leave out none of them.
TOOLS = ("Bash", "Write", "Edit")

OK, FAILED, UNWIRED = "ok", "failed", "not wired"


_PLAIN = re.compile(r"[\w |,-]+", re.ASCII)
_SEPARATORS = re.compile(r"[ |,]+")


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
    wired, why = wiring(settings)
    if wired is None:
        return Check(UNWIRED, why, 0.0)
    start = time.perf_counter()
    shots: list[subprocess.Popen[bytes]] = []
    try:
        shots.extend(_start(wired, settings.environment) for _ in (DENIED, PASSED))
        readers = [_Reader(shot, text) for shot, text in zip(shots, (DENIED, PASSED), strict=True)]
        denied, passed = (reader.answer(start + limit) for reader in readers)
    except OSError as error:
        return Check(FAILED, f"the wired command cannot be started ({error.strerror})", 0.0)
    finally:
        for shot in shots:
            _end(shot)
    milliseconds = (time.perf_counter() - start) * 1000
    detail = flaw(denied, passed, limit)
    return Check(FAILED if detail else OK, detail, milliseconds)


def wiring(settings: Settings) -> "tuple[str | list[str] | None, str]":
    """(the wired command that starts the guard, ""), or (None, why there is none for every call).

    The command is a shell line, or an argument list where the settings have `args`.
    """
    try:
        document = json.loads(scope.open_text(settings.path) or "null")
        groups = [(group.get("matcher"), group["hooks"]) for group in document["hooks"]["PreToolUse"]]
        handlers = [(matcher, handler) for matcher, group in groups for handler in group]
        if document.get("disableAllHooks") is True:
            return None, f"{settings.path} has disableAllHooks"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None, f"{settings.path} does not wire {settings.guard}"
    missing: list[str] = []
    for matcher, handler in handlers:
        found = _words(handler)
        if found and any(_normal(word) == settings.guard for word in found[1]):
            left_out = [tool for tool in TOOLS if handler.get("if") or not matches(matcher, tool)]
            if not left_out:
                return found[0], ""
            missing = left_out
    if missing:
        return None, f"the matcher or condition in {settings.path} keeps these from the guard: {', '.join(missing)}"
    return None, f"{settings.path} does not wire {settings.guard}"


def matches(matcher: object, tool: str) -> bool:
    """Whether a matcher of the settings lets a hook see the calls of a tool (measured on Claude Code 2.1.332)."""
    if not isinstance(matcher, str) or matcher in ("", "*"):
        return matcher is None or isinstance(matcher, str)
    if _PLAIN.fullmatch(matcher):
        return tool in _SEPARATORS.split(matcher)
    try:  # of JavaScript's patterns, those with flags in front are the ones that Python takes and JavaScript does not
        return "(?i" not in matcher and re.search(matcher, tool) is not None
    except re.error:
        return False


def flaw(denied: tuple[int | None, bytes], passed: tuple[int | None, bytes], limit: float = LIMIT) -> str:
    """What is wrong with the two answers, each an exit status and an output; a status of None is no end in time."""
    for text, (status, output) in ((DENIED, denied), (PASSED, passed)):
        if len(output) > MAX_OUTPUT:
            return f"more than {MAX_OUTPUT:,} bytes in answer to a test call ({text})"
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
        bufsize=0,
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


class _Reader:
    """Hands a shot its payload and reads what it answers, up to a limit: a guard that floods must not hold a session.

    The thread may outlive a shot whose pipe somebody else holds open; it is a daemon, and reads the bare descriptor.
    """

    __slots__ = ("output", "shot", "thread")

    def __init__(self, shot: "subprocess.Popen[bytes]", text: str) -> None:
        self.shot = shot
        self.output: bytes | None = None
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()
        if shot.stdin is not None:
            with contextlib.suppress(OSError):
                shot.stdin.write(_payload(text))  # it fits into a pipe
            with contextlib.suppress(OSError):
                shot.stdin.close()

    def _read(self) -> None:
        output = b""
        with contextlib.suppress(OSError):
            while self.shot.stdout is not None and len(output) <= MAX_OUTPUT:
                piece = os.read(self.shot.stdout.fileno(), 65_536)
                if not piece:
                    break
                output += piece
        self.output = output

    def answer(self, until: float) -> tuple[int | None, bytes]:
        """(exit status, output); a status of None: no end in time. until: of `time.perf_counter`."""
        self.thread.join(max(until - time.perf_counter(), 0.001))
        if self.output is None or len(self.output) > MAX_OUTPUT:
            return None, self.output or b""
        try:
            return self.shot.wait(max(until - time.perf_counter(), 0.001)), self.output
        except subprocess.TimeoutExpired:
            return None, b""


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
