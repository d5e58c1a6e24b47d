"""Code that is not ours, kept away from the answer, the exit status and the time of the hook (SPEC V7)."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from guardhook.style import isolation

Send = Callable[[bytes], object]
SOURCES = Path(__file__).resolve().parents[2] / "src"
needs_fork = pytest.mark.skipif(not isolation.FORKS, reason="there is no fork here")


def collect(task: Callable[[Send], None], silence: float = 10.0) -> bytes:
    data = bytearray()
    isolation.run(task, data.extend, silence)
    return bytes(data)


def noisy(send: Send) -> None:
    os.write(1, b"descriptor")
    os.write(2, b"descriptor")
    print("stream")
    print("stream", file=sys.__stdout__)
    send(b"a" * 300_000)
    send(b"b")


@pytest.mark.parametrize("forks", [pytest.param(True, marks=needs_fork), False])
def test_what_is_sent_arrives_and_what_is_printed_does_not(
    forks: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(isolation, "FORKS", forks)
    streams = (sys.stdout, sys.stderr)
    assert collect(noisy) == b"a" * 300_000 + b"b"
    assert (sys.stdout, sys.stderr) == streams
    print("seen")
    os.write(1, b"too")
    sys.stdout.flush()
    captured = capfd.readouterr()
    assert ("descriptor" in captured.out + captured.err, "stream" in captured.out) == (False, False)
    assert "seen" in captured.out
    assert "too" in captured.out


@needs_fork
@pytest.mark.parametrize("end", [lambda: os._exit(0), lambda: os.kill(os.getpid(), 9), lambda: sys.exit(3)])
def test_a_task_that_ends_its_process(end: Callable[[], None]) -> None:
    def task(send: Send) -> None:
        send(b"before")
        end()

    data = bytearray()
    with pytest.raises(isolation.UnfinishedError, match="ended the process"):
        isolation.run(task, data.extend, 10)
    assert data == b"before"


@needs_fork
def test_a_task_that_takes_too_long_ends_with_all_it_started(tmp_path: Path) -> None:
    written = tmp_path / "late"

    def task(send: Send) -> None:
        subprocess.Popen(["/bin/sh", "-c", f"sleep 0.6; echo late >'{written}'"])
        time.sleep(60)

    start = time.monotonic()
    with pytest.raises(isolation.UnfinishedError, match=r"no answer for 0\.2 s"):
        isolation.run(task, bytearray().extend, 0.2)
    assert time.monotonic() - start < 5
    time.sleep(0.8)
    assert not written.exists()


@needs_fork
def test_no_child_and_no_descriptor_is_left() -> None:
    before = len(os.listdir("/dev/fd"))
    for _ in range(5):
        collect(noisy)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    assert len(os.listdir("/dev/fd")) == before


WHOLE = """
import sys
sys.path.insert(0, sys.argv[1])
from guardhook.style import isolation
def task(send):
    import atexit, os, threading, time
    def forever():
        while True:
            os.write(1, b"thread")
    threading.Thread(target=forever).start()
    atexit.register(lambda: os.write(1, b"atexit"))
    print("held back in the buffer")
    send(b"answer")
data = bytearray()
isolation.run(task, data.extend, 10)
sys.stdout.buffer.write(bytes(data))
"""


@needs_fork
def test_threads_and_exit_handlers_do_not_reach_the_answer() -> None:
    command = [sys.executable, "-I", "-S", "-c", WHOLE, str(SOURCES)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=20)
    assert (done.stdout, done.stderr) == (b"answer", b"")
