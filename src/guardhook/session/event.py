"""The event: that a session has begun in a project, and which starts count as one (SPEC G4).

Sessions may start side by side, so looking and writing happen under a lock, and every file appears whole or not at all.
"""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator

from guardhook.agents import claude
from guardhook.gates import banner
from guardhook.prose import scope
from guardhook.session.acceptance import written

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK = ".session.lock"
# Seconds. The same start reported again so soon is one start, from a hook that is wired twice.
REPEATED = 10.0
# Seconds to wait for another session, which holds the lock for some milliseconds. After that, without it.
PATIENCE = 0.3

# Characters of a source or a session's id that are kept: an event is read to a limit, and has to fit into it.
MAX_NAME = 200

STARTS = ("startup", "clear")
NEVER = ("compact",)

_TICK = 0.001


class Event:
    """ts: seconds. source, session: as the client named them, "" if it did not."""

    __slots__ = ("session", "source", "ts")

    def __init__(self, ts: float, source: str, session: str) -> None:
        self.ts = ts
        self.source = source
        self.session = session


def record(folder: str, source: str, session: str, now: Callable[[], float] = time.time) -> float | None:
    """Write the event of a start if it is one; the result is its `ts`, in seconds, or None.

    folder: the project's `.agent-config`. now: the clock. A later event has a later time, whatever the clock does.
    Raises OSError if the file cannot be written.
    """
    source, session = source[:MAX_NAME], session[:MAX_NAME]
    with locked(folder, PATIENCE):
        before = last(folder)
        at = round(now(), 3)
        if not is_event(source, session, before, banner.is_acknowledged(folder), at):
            return None
        if before is not None and before.ts >= at:
            at = round(before.ts + _TICK, 3)
        fields = f'"ts": {written(at)}, "source": {json.dumps(source)}, "session_id": {json.dumps(session)}'
        write(os.path.join(folder, banner.EVENT), f"{{{fields}}}\n")
        return at


def is_event(source: str, session: str, before: Event | None, acknowledged: bool, at: float) -> bool:
    """Whether a start at `at` gets an event. before: the last event, if it is usable. acknowledged: the file exists.

    A resumed session has shown its banner, unless nobody ever recorded or acknowledged one; the same holds for a
    source that no client is known to send.
    """
    if source in NEVER:
        return False
    if source not in STARTS:
        return before is None and not acknowledged
    if before is None or (before.source, before.session) != (source, session):
        return True
    return not 0 <= at - before.ts < REPEATED


def last(folder: str) -> Event | None:
    """The recorded event; None if there is none or its time is of no use."""
    path = f"{folder}/{banner.EVENT}"
    ts = banner.moment(path)
    if ts is None:
        return None
    fields = claude.load(scope.open_text(path) or "")
    source, session = (fields.get("source"), fields.get("session_id")) if isinstance(fields, dict) else ("", "")
    return Event(ts, source if isinstance(source, str) else "", session if isinstance(session, str) else "")


def write(path: str, text: str) -> None:
    """Put text in a file in one step, in place of whatever has its name: a link there is replaced, not followed.

    Raises OSError.
    """
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}-{os.urandom(6).hex()}.tmp")
    try:
        with open(temporary, "x", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


@contextlib.contextmanager
def locked(folder: str, patience: float) -> Iterator[bool]:
    """Hold the project's lock, which the system takes back from a process that dies. Gives whether it is held.

    patience: seconds to wait for it. Where there is no lock to be had, the files are still written whole.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(os.path.join(folder, LOCK), flags, 0o600)
    except OSError:
        yield False
        return
    try:
        yield _take(handle, time.monotonic() + patience)
    finally:
        os.close(handle)


def _take(handle: int, until: float) -> bool:
    while True:
        try:
            if sys.platform == "win32":
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() >= until:
                return False
            time.sleep(0.002)
        else:
            return True
