"""One run of a wired command, as an agent starts it: one line on standard input, and an end in any case.

A guard may hang, flood its output, or leave a child behind that holds it open; none of that may hold the one who looks.
"""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping

MOST = 1_000_000  # bytes that are kept of each stream
_GRACE = 0.3  # seconds for output that is still on its way when the process has ended


class Run:
    """output, error: the streams' first MOST bytes. milliseconds: until its end.

    status: None where it did not end in time. flaw: "" or why it could not be started.
    """

    __slots__ = ("error", "flaw", "milliseconds", "output", "status")

    def __init__(self) -> None:
        self.output = b""
        self.error = b""
        self.status: int | None = None
        self.milliseconds = 0.0
        self.flaw = ""

    @property
    def ended(self) -> bool:
        """Did it start and end in time?"""
        return self.status is not None


def run(argv: list[str], data: bytes, cwd: str, environment: Mapping[str, str], limit: float) -> Run:
    """Start a program in a folder, hand it data, and wait for its end. limit: seconds, then it is killed with all its
    children. Raises nothing: what cannot be started says so."""
    found = Run()
    start = time.perf_counter()
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=cwd,
            env=dict(environment),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        found.flaw = f"{argv[0]}: {getattr(error, 'strerror', None) or error}"
        return found
    streams = [_Stream(process.stdout), _Stream(process.stderr)]
    threading.Thread(target=_feed, args=(process, data), daemon=True).start()
    end = _End(process)
    end.thread.join(limit)
    if end.status is None:
        _kill(process)
        found.milliseconds = limit * 1000
    else:
        found.status, found.milliseconds = end.status, (end.at - start) * 1000
    found.output, found.error = (stream.taken(_GRACE) for stream in streams)
    return found


class _Stream:
    """Reads one pipe to its end, and keeps the first MOST bytes. The thread is a daemon: a child may hold the pipe."""

    def __init__(self, pipe: object) -> None:
        self._pipe = pipe
        self._data = b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def taken(self, seconds: float) -> bytes:
        """What came until the end of the stream, or until these seconds are over."""
        self._thread.join(seconds)
        return self._data

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._pipe as pipe:  # type: ignore[attr-defined]
            while piece := os.read(pipe.fileno(), 65_536):
                self._data += piece[: MOST - len(self._data)]


class _End:
    """Waits for a process in a thread of its own: a wait with a limit polls, and is late by as much as it took."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.status: int | None = None
        self.at = 0.0
        self._process = process
        self.thread = threading.Thread(target=self._wait, daemon=True)
        self.thread.start()

    def _wait(self) -> None:
        status = self._process.wait()
        self.at = time.perf_counter()
        self.status = status


def _feed(process: "subprocess.Popen[bytes]", data: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):
        if process.stdin:
            with process.stdin as pipe:
                pipe.write(data)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
