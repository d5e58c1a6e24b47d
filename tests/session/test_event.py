"""Which starts of a session get an event, and that sessions side by side leave whole files and lose none (SPEC G4)."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from guardhook.gates import banner
from guardhook.session import event

SOURCES = Path(__file__).resolve().parents[2] / "src"
A = event.Event(1000.0, "startup", "a")

# Source, session, the event before, whether an acknowledgement is there, seconds since that event, an event or none.
RULES = [
    ("startup", "a", None, False, 0.0, True),
    ("startup", "a", None, True, 0.0, True),
    ("clear", "a", None, False, 0.0, True),
    ("startup", "b", A, True, 0.0, True),
    ("clear", "a", A, True, 0.0, True),
    ("startup", "a", A, False, 0.0, False),
    ("startup", "a", A, True, 9.9, False),
    ("startup", "a", A, True, 10.0, True),
    ("startup", "a", A, True, -1.0, True),
    ("compact", "a", None, False, 0.0, False),
    ("compact", "b", A, True, 99.0, False),
    ("resume", "a", None, False, 0.0, True),
    ("resume", "a", None, True, 0.0, False),
    ("resume", "a", A, False, 99.0, False),
    ("resume", "b", A, True, 99.0, False),
    ("", "a", None, False, 0.0, True),
    ("something new", "a", A, False, 99.0, False),
]


@pytest.mark.parametrize(("source", "session", "before", "acknowledged", "later", "expected"), RULES)
def test_rules(
    source: str, session: str, before: "event.Event | None", acknowledged: bool, later: float, expected: bool
) -> None:
    assert event.is_event(source, session, before, acknowledged, 1000.0 + later) is expected


def recorded(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / banner.EVENT).read_text("utf-8"))
    return found


def test_an_event_is_written_whole(folder: Path) -> None:
    assert event.record(str(folder), "startup", 'a "b"\ud800', lambda: 1764524000.12345) == 1764524000.123
    assert recorded(folder) == {"ts": 1764524000.123, "source": "startup", "session_id": 'a "b"\ud800'}
    assert sorted(os.listdir(folder)) == [event.LOCK, "bootstrap.sh", banner.EVENT]


def test_the_same_start_twice_is_one(folder: Path) -> None:
    clock = [1000.0]
    starts = [("startup", "a", 0), ("startup", "a", 3), ("startup", "b", 3), ("resume", "a", 4), ("startup", "b", 14)]
    found = []
    for source, session, later in starts:
        clock[0] = 1000.0 + later
        found.append(event.record(str(folder), source, session, lambda: clock[0]))
    assert found == [1000.0, None, 1003.0, None, 1014.0]


@pytest.mark.parametrize("at", [1000.0, 999.0, 5.0])
def test_a_later_event_has_a_later_time_whatever_the_clock_says(folder: Path, at: float) -> None:
    event.record(str(folder), "startup", "a", lambda: 1000.0)
    assert event.record(str(folder), "startup", "b", lambda: at) == 1000.001


# What stands in the event's place before a resumed session: of no use, so that the session is taken for the first.
USELESS = ["", "{", "[]", '{"ts": "5"}', '{"ts": 1e400}', '{"ts": true}']


@pytest.mark.parametrize("text", USELESS)
def test_an_event_of_no_use_counts_as_none(folder: Path, text: str) -> None:
    (folder / banner.EVENT).write_text(text)
    assert event.record(str(folder), "resume", "a", lambda: 1000.0) == 1000.0
    assert recorded(folder)["source"] == "resume"


def test_fields_of_other_types_are_left_out(folder: Path) -> None:
    (folder / banner.EVENT).write_text('{"ts": 5, "source": 3, "session_id": ["a"], "note": "a\tb"}')
    found = event.last(str(folder))
    assert found is not None
    assert (found.ts, found.source, found.session) == (5.0, "", "")


def test_a_link_in_the_event_s_place_is_replaced_and_not_followed(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("mine")
    for name in (banner.EVENT, event.LOCK):
        (folder / name).symlink_to(other)
    assert event.record(str(folder), "startup", "a", lambda: 1000.0) == 1000.0
    assert other.read_text() == "mine"
    assert recorded(folder)["ts"] == 1000


def test_a_fifo_is_replaced_and_a_folder_is_a_fault_that_leaves_nothing(folder: Path) -> None:
    os.mkfifo(folder / banner.EVENT)
    os.mkfifo(folder / event.LOCK)
    assert event.record(str(folder), "startup", "a", lambda: 1000.0) == 1000.0
    (folder / banner.EVENT).unlink()
    (folder / banner.EVENT).mkdir()
    with pytest.raises(OSError, match=banner.EVENT):
        event.record(str(folder), "startup", "a", lambda: 1000.0)
    assert [name for name in os.listdir(folder) if name.endswith(".tmp")] == []


def test_a_held_lock_delays_and_does_not_stop(folder: Path) -> None:
    with event.locked(str(folder), patience=0.1) as first:
        start = time.monotonic()
        with event.locked(str(folder), patience=0.1) as second:
            assert (first, second) == (True, False)
        assert 0.1 <= time.monotonic() - start < 1
    with event.locked(str(folder), patience=0.1) as again:
        assert again
    with event.locked(str(folder / "nowhere"), patience=0.1) as impossible:
        assert not impossible


WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from guardhook.session import event
event.PATIENCE = 20.0  # so that a busy machine is no reason to go on without the lock
sys.stdin.read(1)
for number in range(20):
    print(repr(event.record(sys.argv[2], "startup", f"{sys.argv[3]}-{number}")))
"""


def test_sessions_side_by_side_leave_whole_files_and_lose_no_event(folder: Path) -> None:
    """Six processes, 20 starts each: every start got a time of its own, and the last of all is what is recorded."""
    argv = [sys.executable, "-I", "-S", "-c", WRITER, str(SOURCES), str(folder)]
    writers = [
        subprocess.Popen([*argv, str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for number in range(6)
    ]
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("x")
        writer.stdin.flush()
    seen: list[float] = []
    while any(writer.poll() is None for writer in writers):
        if (folder / banner.EVENT).exists():
            found = banner.moment(f"{folder}/{banner.EVENT}")
            assert found is not None, "half a file"
            seen.append(found)
    times = [float(line) for writer in writers for line in writer.communicate()[0].split()]
    assert len(times) == len(set(times)) == 120
    assert seen == sorted(seen)
    assert recorded(folder)["ts"] == max(times)
    assert sorted(os.listdir(folder)) == [event.LOCK, "bootstrap.sh", banner.EVENT]
