"""The hook of a session's start, in process and with a clock of its own: what it writes and what it says (SPEC G4)."""

import json
import os
import shlex
from pathlib import Path

import pytest

from guardhook.gates import banner
from guardhook.install.places import Places
from guardhook.session import acceptance, event, shots, start
from tests.session.test_shots import GOOD, stub

RECORDED = sorted([event.LOCK, "bootstrap.sh", acceptance.REPORT, acceptance.LAST_RUN, banner.EVENT])


def begin(folder: Path, source: object = "startup", session: str = "s", at: float = 1000.0, **more: object) -> str:
    """What the model is told at a start in a folder below the project; "" for nothing."""
    (folder.parent / "sub").mkdir(exist_ok=True)
    payload = {"session_id": session, "cwd": str(folder.parent / "sub"), "hook_event_name": "SessionStart", **more}
    output = start.answer(json.dumps({"source": source, **payload}).encode(), os.environ, lambda: at)
    if not output:
        return ""
    document = json.loads(output)
    assert list(document) == ["hookSpecificOutput"]
    assert document["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    text: str = document["hookSpecificOutput"]["additionalContext"]
    assert "\n" not in text
    return text


def acknowledge(folder: Path, ts: float) -> None:
    (folder / banner.ACKNOWLEDGEMENT).write_text(acceptance.content(ts))


def pending(folder: Path) -> bool:
    seen = banner.moment(f"{folder}/{banner.ACKNOWLEDGEMENT}")
    ts = banner.moment(f"{folder}/{banner.EVENT}")
    return ts is not None and (seen is None or seen < ts)


def test_a_start_leaves_an_event_a_run_and_a_report(home: Path, where: Places, folder: Path) -> None:
    stub(where, GOOD)
    told = begin(folder, at=1000.5)
    assert sorted(os.listdir(folder)) == RECORDED
    for text in (f"{folder}/banner.txt", "event_ts=1000.5", f"{folder}/banner-emitted.json", '{"ts": 1000.5}'):
        assert text in told
    assert json.loads((folder / acceptance.LAST_RUN).read_text())["result"] == "ok"
    lines = acceptance.lines(str(folder), 1000.5)
    assert lines[-1].startswith("Session check: passed")


def test_a_guard_that_does_not_answer_is_reported(home: Path, where: Places, folder: Path) -> None:
    stub(where, "exit 3")
    assert begin(folder)
    assert json.loads((folder / acceptance.LAST_RUN).read_text())["result"] == "failed"
    assert acceptance.lines(str(folder), 1000.0)[-1].startswith("Session check: FAILED: exit status 3")


def test_the_line_says_what_to_do_in_each_case(home: Path, folder: Path) -> None:
    told = begin(folder)
    assert f"else these: {' | '.join(acceptance.FALLBACK)}; then write {folder}/banner-emitted.json with" in told
    acknowledge(folder, 1000)
    assert f"; then Read the file {folder}/banner-emitted.json, which is there, and Write it with" in begin(
        folder, "clear", at=2000
    )


def test_a_session_id_of_any_length_leaves_an_event_that_can_be_read(home: Path, folder: Path) -> None:
    begin(folder, session="x" * 3_000_000)
    assert banner.moment(f"{folder}/{banner.EVENT}") == 1000
    assert begin(folder, session="x" * 3_000_000, at=1001.0) == ""


def test_a_resumed_session_is_asked_again_where_the_acknowledgement_is_of_no_time(home: Path, folder: Path) -> None:
    begin(folder)
    acknowledge(folder, 1e12)
    assert begin(folder, "resume", at=1900.0)
    assert banner.moment(f"{folder}/{banner.EVENT}") == 1000


# Starts one after the other: source, session, seconds; told and pending afterwards; "ack" writes the acknowledgement.
LIVES: dict[str, list[tuple[str, str, float, bool, bool]]] = {
    "resumed later": [
        ("startup", "a", 0, True, True),
        ("ack", "", 0, False, False),
        ("resume", "a", 900, False, False),
    ],
    "resumed before it was shown": [("startup", "a", 0, True, True), ("resume", "a", 900, True, True)],
    "compacted": [("startup", "a", 0, True, True), ("ack", "", 0, False, False), ("compact", "a", 900, False, False)],
    "compacted before": [("startup", "a", 0, True, True), ("compact", "a", 900, False, True)],
    "cleared": [("startup", "a", 0, True, True), ("ack", "", 0, False, False), ("clear", "b", 3, True, True)],
    "reported twice": [("startup", "a", 0, True, True), ("startup", "a", 1, False, True)],
    "a second session": [
        ("startup", "a", 0, True, True),
        ("ack", "", 0, False, False),
        ("startup", "b", 1, True, True),
    ],
    "resumed first of all": [("resume", "a", 0, True, True), ("ack", "", 0, False, False)],
    "compacted first of all": [("compact", "a", 0, False, False)],
}


@pytest.mark.parametrize("name", LIVES)
def test_lives(home: Path, folder: Path, name: str) -> None:
    for source, session, later, told, waits in LIVES[name]:
        if source == "ack":
            acknowledge(folder, banner.moment(f"{folder}/{banner.EVENT}") or 0)
        else:
            assert bool(begin(folder, source, session, 1000.0 + later)) is told, source
        assert pending(folder) is waits, source


@pytest.mark.parametrize("cwd", [None, 5, "", "/", "/nowhere", "\0"])
def test_outside_a_project_nothing_happens(
    home: Path, folder: Path, cwd: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    assert begin(folder, cwd=cwd) == ""
    assert os.listdir(folder) == ["bootstrap.sh"]


def test_the_switched_off_banner_is_not_asked_for(home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_CONFIG_GATES", "off")
    assert begin(folder) == ""
    assert sorted(os.listdir(folder)) == RECORDED
    assert "Switched off by environment: AGENT_CONFIG_GATES" in acceptance.lines(str(folder), 1000.0)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"5", b"\xff\xfe"])
def test_a_payload_that_is_none_is_a_fault(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"payload|Expecting"):
        start.answer(data, {})


def test_other_types_count_as_absent(home: Path, folder: Path) -> None:
    assert begin(folder, source=5, session_id=["x"])
    assert json.loads((folder / banner.EVENT).read_text()) == {"ts": 1000, "source": "", "session_id": ""}


def test_the_wired_guard_of_an_installation_is_the_one_that_is_fired(home: Path, where: Places, folder: Path) -> None:
    log = home / "fired"
    stub(where, f"echo x >>{shlex.quote(str(log))}\n{GOOD}")
    begin(folder, "startup", "a")
    begin(folder, "resume", "a", 2000.0)
    begin(folder, "compact", "a", 2000.0)
    begin(folder, "startup", "a", 1005.0)
    assert log.read_text() == "x\nx\n"
    assert shots.wiring(shots.Settings(os.environ))[0] == f"/bin/sh {where.guard}"
