"""Two installers at once: one waits, and nobody waits for the dead."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from guardhook.install import InstallError, lock

HOLD = """
import sys, time
from guardhook.install import lock
with lock.held(sys.argv[1], "guardhook uninstall"):
    print("held", flush=True)
    sys.stdin.read()
"""


def refusal(config: str, patience: float = 0.0) -> str:
    """What a second installer says."""
    with pytest.raises(InstallError) as raised, lock.held(config, "guardhook install", patience):
        pass
    return str(raised.value)


@pytest.fixture(params=[True, False], ids=["by the kernel", "by the file"])
def config(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if not request.param:
        monkeypatch.setattr(lock, "fcntl", None)
    return str(tmp_path / "config")


def test_nothing_is_left_behind_not_even_after_an_error(config: str, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), lock.held(config, "guardhook install"):
        assert os.listdir(tmp_path) == ["config.guardhook.lock"]
        raise ZeroDivisionError
    assert os.listdir(tmp_path) == []
    with lock.held(config, "guardhook install"):
        assert os.listdir(tmp_path) == ["config.guardhook.lock"]


def test_the_second_waits_and_then_says_who_holds_it(config: str) -> None:
    with lock.held(config, "guardhook install"):
        assert f"`guardhook install` (process {os.getpid()}, since " in refusal(config, 0.1)
        with lock.held(config + "2", "guardhook install", patience=0):
            pass
        assert os.path.exists(lock.place(config))


def test_another_process_holds_it_until_it_ends_and_a_killed_one_blocks_nobody(tmp_path: Path) -> None:
    config = str(tmp_path / "config")
    argv = [sys.executable, "-c", HOLD, config]
    for kill in (False, True):
        with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            assert other.stdin and other.stdout
            other.stdout.readline()
            assert f"`guardhook uninstall` (process {other.pid}, " in refusal(config)
            if kill:
                other.kill()
        assert os.path.exists(lock.place(config)) is kill
        with lock.held(config, "guardhook install", patience=1):
            pass
        assert os.listdir(tmp_path) == []


def test_without_a_kernel_lock_an_old_file_is_nobody_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "fcntl", None)
    config = str(tmp_path / "config")
    Path(lock.place(config)).write_bytes(b"\xff\n")
    assert "Another guardhook installer is at work" in refusal(config)
    os.utime(lock.place(config), (time.time() - lock.STALE - 5,) * 2)
    with lock.held(config, "guardhook install", patience=0):
        pass
    assert os.listdir(tmp_path) == []


def test_the_file_lies_beside_the_real_folder_or_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert lock.place(str(tmp_path / "link")) == str(tmp_path / "real.guardhook.lock")
    monkeypatch.setattr(os, "access", lambda path, mode: path != str(tmp_path))
    assert lock.place(str(tmp_path / "link")) == str(tmp_path / "real/.guardhook.lock")


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    config = str(tmp_path / "config")
    (tmp_path / "mine").write_bytes(b"mine")
    os.symlink(tmp_path / "mine", lock.place(config))
    assert "cannot be made" in refusal(config)
    assert (tmp_path / "mine").read_bytes() == b"mine"
