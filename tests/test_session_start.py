"""The launcher of a session's start as a whole process: it ends in time, with status 0, whatever it meets (SPEC G4)."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from guardhook.gates import banner
from guardhook.install.places import Places
from guardhook.session import acceptance
from tests.session.conftest import folder, home, where
from tests.session.test_shots import GOOD, stub

__all__ = ["folder", "home", "where"]

LAUNCHER = Path(__file__).resolve().parents[1] / "scripts" / "session_start.py"
SECONDS = 0.9  # what the launcher gives itself, behind the start of the interpreter


def payload(folder: Path, source: str = "startup") -> bytes:
    return json.dumps({"session_id": "s", "cwd": str(folder.parent), "source": source}).encode() + b"\n"


def run(data: bytes, launcher: Path = LAUNCHER, cwd: Path | None = None) -> str:
    """What the model is told; one document or nothing, nothing on standard error, status 0."""
    argv = [sys.executable, "-I", "-S", str(launcher)]
    done = subprocess.run(argv, input=data, capture_output=True, check=False, cwd=cwd, timeout=20)
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    text: str = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert "\n" not in text
    assert "Traceback" not in text
    return text


def test_a_start(home: Path, where: Places, folder: Path) -> None:
    stub(where, GOOD)
    before = time.time()
    assert "before other work" in run(payload(folder))
    ts = banner.moment(f"{folder}/{banner.EVENT}")
    assert ts is not None
    assert before - 1 <= ts <= time.time()
    assert acceptance.lines(str(folder), ts)[-1].startswith("Session check: passed")


def test_a_plain_project(home: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert run(payload(tmp_path / "plain" / ".agent-config")) == ""
    assert os.listdir(tmp_path / "plain") == []


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b"[" * 200_000], ids=range(5))
def test_a_payload_that_is_none_gets_a_remark(home: Path, data: bytes) -> None:
    assert run(data).startswith("guardhook: the check at the start of this session failed (")


def test_a_file_that_cannot_be_written_gets_a_remark(home: Path, folder: Path) -> None:
    (folder / banner.EVENT).mkdir()
    assert "failed (IsADirectoryError" in run(payload(folder))


def test_a_missing_package_gets_a_remark(home: Path, folder: Path, tmp_path: Path) -> None:
    alone = tmp_path / "a" / "session_start.py"
    alone.parent.mkdir()
    shutil.copy(LAUNCHER, alone)
    assert "failed (ModuleNotFoundError: No module named 'guardhook')" in run(payload(folder), alone)


def test_the_deployed_form_finds_its_release_beside_it_and_nothing_in_the_working_directory(
    home: Path, folder: Path, tmp_path: Path
) -> None:
    release = tmp_path / "hooks" / "release-1"
    shutil.copytree(LAUNCHER.parents[1] / "src" / "guardhook", release / "guardhook")
    (release / "guardhook/session/start.py").write_text("def answer(data, environment):\n    return b'{}'[:0]\n")
    deployed = tmp_path / "hooks" / "session_start.py"
    deployed.write_text('RELEASE = "release-1"\n' + LAUNCHER.read_text("utf-8"), "utf-8")
    (tmp_path / "link.py").symlink_to(deployed)
    planted = tmp_path / "planted"
    for name in ("guardhook", "json", "signal"):
        (planted / name).mkdir(parents=True)
        (planted / name / "__init__.py").write_text("raise SystemExit(9)\n")
    assert run(payload(folder), tmp_path / "link.py", planted) == ""
    assert os.listdir(folder) == ["bootstrap.sh"]


def test_a_launcher_belongs_to_the_configuration_that_it_lies_in(
    home: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    other = Places(str(tmp_path / "other"))
    stub(other, GOOD)
    shutil.copytree(LAUNCHER.parents[1] / "src" / "guardhook", Path(other.hooks) / "release-1" / "guardhook")
    deployed = Path(other.hooks) / "session_start.py"
    deployed.write_text('RELEASE = "release-1"\n' + LAUNCHER.read_text("utf-8"), "utf-8")
    assert "before other work" in run(payload(folder), deployed)
    assert json.loads((folder / acceptance.LAST_RUN).read_text())["result"] == "ok"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "none"))
    run(payload(folder, "clear"), deployed)
    assert json.loads((folder / acceptance.LAST_RUN).read_text())["result"] == "not wired"


def test_a_guard_that_hangs_does_not_hold_a_session(home: Path, where: Places, folder: Path) -> None:
    stub(where, "sleep 30")
    start = time.monotonic()
    assert "before other work" in run(payload(folder))
    assert time.monotonic() - start < SECONDS + 0.6
    result = json.loads((folder / acceptance.LAST_RUN).read_text())
    assert (result["result"], "no answer to a test call" in result["detail"]) == ("failed", True)


def test_standard_input_that_stays_open_does_not_hold_a_session(home: Path) -> None:
    start = time.monotonic()
    argv = [sys.executable, "-I", "-S", str(LAUNCHER)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        told = process.stdout.read()
        assert process.wait() == 0
    assert b"failed (Late: it took longer than 0.9 seconds)" in told
    assert time.monotonic() - start < SECONDS + 0.6


def test_a_closed_standard_output_is_no_fault(home: Path, folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    argv = [sys.executable, "-I", "-S", str(LAUNCHER)]
    done = subprocess.run(argv, input=payload(folder), stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
    assert banner.moment(f"{folder}/{banner.EVENT}") is not None


def test_it_is_short() -> None:
    assert LAUNCHER.read_text("utf-8").count("\n") <= 80
