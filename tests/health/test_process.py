"""One run of a command: it ends in any case, and says how."""

import time
from pathlib import Path

import pytest

from guardhook.health import process


def shell(script: str, tmp_path: Path, limit: float = 20.0, data: bytes = b"line\n") -> process.Run:
    return process.run(["/bin/sh", "-c", script], data, str(tmp_path), {"PATH": "/usr/bin:/bin", "A": "b"}, limit)


def test_both_streams_the_status_the_folder_and_the_environment(tmp_path: Path) -> None:
    run = shell('cat; pwd; echo "$A" >&2; exit 3', tmp_path)
    assert (run.output, run.error, run.status) == (f"line\n{tmp_path}\n".encode(), b"b\n", 3)
    assert run.ended and not run.flaw
    assert run.milliseconds > 0


def test_input_that_nobody_reads(tmp_path: Path) -> None:
    assert shell("exit 0", tmp_path, data=b"x" * 1_000_000).status == 0


def test_what_cannot_be_started(tmp_path: Path) -> None:
    for argv, flaw in (
        (["/nowhere/x"], "/nowhere/x: No such file or directory"),
        (["a\0b"], "a\0b: embedded null byte"),
    ):
        run = process.run(argv, b"", str(tmp_path), {}, 5.0)
        assert (run.flaw, run.status, run.ended) == (flaw, None, False)


def test_a_program_that_hangs_is_killed_with_its_children(tmp_path: Path) -> None:
    run = shell("echo so far; sleep 60 & echo $! >child; wait", tmp_path, 0.5)
    assert (run.status, run.ended, run.output, run.milliseconds) == (None, False, b"so far\n", 500.0)
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or "Z" in Path(f"/proc/{child}/stat").read_text().split()[2]:
            break
        time.sleep(0.05)
    else:
        pytest.fail("the child still runs")


def test_a_child_that_holds_the_output_holds_nobody(tmp_path: Path) -> None:
    run = shell("echo done; sleep 3 >&2 & exit 0", tmp_path)
    assert (run.status, run.output) == (0, b"done\n")


def test_a_flood_is_cut(tmp_path: Path) -> None:
    run = shell("head -c 3000000 /dev/zero", tmp_path)
    assert (run.status, len(run.output)) == (0, process.MOST)


def test_a_signal_is_a_status(tmp_path: Path) -> None:
    run = shell("kill -9 $$", tmp_path)
    assert (run.status, run.ended) == (-9, True)
