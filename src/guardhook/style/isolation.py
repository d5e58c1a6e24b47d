"""Run code that is not ours where it cannot touch the hook's answer, its exit status or its time (SPEC V7).

A forked child is the only place where that holds against everything: what it prints, its threads, its atexit functions,
`os._exit` and a crash all stay in there. It costs about a millisecond. Where there is no fork (Windows), the code
runs here with the standard streams shut away; a thread that it leaves behind is then not held back.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Send = Callable[[bytes], object]

try:
    import posix as system
except ImportError:  # Windows
    import nt as system  # type: ignore[no-redef]

FORKS = hasattr(system, "fork")
_NULL = "/dev/null" if FORKS else "nul"
_END = b"\0"
_SIGKILL = 9


class UnfinishedError(Exception):
    """The code did not come to its end; the text says how, as the end of a sentence."""


def run(task: "Callable[[Send], None]", receive: "Send", silence: float) -> None:
    """Run `task(send)` apart; each `send(data)` is handed on to `receive` in pieces of any size.

    task: must not raise. The data must not hold a zero byte, which marks the end.
    silence: the task is ended when nothing came from it for so many seconds; only where there is fork.
    Raises UnfinishedError.
    """
    if not FORKS:
        _run_here(task, receive)
        return
    reader, writer = system.pipe()
    child = system.fork()
    if child == 0:
        _live(task, writer)
    system.close(writer)
    try:
        _listen(reader, receive, silence)
    finally:
        system.close(reader)
        _end(child)


def _live(task: "Callable[[Send], None]", writer: int) -> None:
    """The whole life of the child. It leaves without a traceback, a flush or an exit handler, whatever happens."""
    try:
        system.setsid()  # so that what it starts ends with it
        null = open(_NULL, "w", encoding="utf-8", errors="replace")  # noqa: SIM115
        for stream in (0, 1, 2):
            if stream != writer:
                system.dup2(null.fileno(), stream)
        sys.stdout = sys.stderr = null  # whatever stood there need not lead to descriptor 1
        task(lambda data: _write(writer, data))
        _write(writer, _END)
    finally:
        system._exit(0)


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[system.write(descriptor, data) :]


def _listen(reader: int, receive: "Send", silence: float) -> None:
    from select import POLLIN, poll

    ready = poll()
    ready.register(reader, POLLIN)
    while True:
        if not ready.poll(silence * 1000):
            raise UnfinishedError(f"gave no answer for {silence:g} s")
        data = system.read(reader, 65_536)
        if not data:
            raise UnfinishedError("ended the process it ran in")
        receive(data.removesuffix(_END))
        if data.endswith(_END):
            return


def _end(child: int) -> None:
    for kill in (system.killpg, system.kill):  # the group does not exist until the child has made it
        try:
            kill(child, _SIGKILL)
        except OSError:
            continue
    system.waitpid(child, 0)


def _run_here(task: "Callable[[Send], None]", receive: "Send") -> None:
    streams = (sys.stdout, sys.stderr)
    _flush(streams)
    kept = [(number, system.dup(number)) for number in (1, 2)]
    with open(_NULL, "w", encoding="utf-8", errors="replace") as null:
        try:
            for number, _ in kept:
                system.dup2(null.fileno(), number)
            sys.stdout = sys.stderr = null
            task(receive)
        finally:
            _flush((sys.__stdout__, sys.__stderr__, *streams))  # what was printed past the replacement goes away, too
            sys.stdout, sys.stderr = streams
            for number, copy in kept:
                system.dup2(copy, number)
                system.close(copy)


def _flush(streams) -> None:  # type: ignore[no-untyped-def]
    for stream in streams:
        if stream is not None and not stream.closed:
            stream.flush()
