"""Files as they are found: whatever lies there, looking at it ends, and says what is wrong."""

import os
from pathlib import Path

import pytest

from guardhook.health import files


def test_a_plain_file_and_a_link_to_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    (tmp_path / "b").symlink_to("a")
    for name in ("a", "b"):
        found = files.read(str(tmp_path / name))
        assert (found.data, found.exists, found.flaw) == (b"x", True, "")


def test_nothing_there_is_no_flaw(tmp_path: Path) -> None:
    found = files.read(str(tmp_path / "a" / "b"))
    assert (found.data, found.exists, found.flaw) == (None, False, "")


def test_what_is_no_file_is_a_flaw(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "large").write_bytes(b"12345")
    (tmp_path / "sealed").write_bytes(b"x")
    (tmp_path / "sealed").chmod(0)
    flaws = {
        "fifo": "it is not a regular file",
        ".": "it is not a regular file",
        "link": "it is a link to nothing",
        "loop": "it cannot be read: Too many levels of symbolic links",
        "large": "it has more than 4 bytes",
        "a\0b": "it cannot be read: embedded null byte",
    }
    for name, flaw in flaws.items():
        found = files.read(f"{tmp_path}/{name}", 4)
        assert (found.data, found.flaw) == (None, flaw), name
    assert files.read(str(tmp_path / "sealed")).flaw
    assert files.read(str(tmp_path / "large"), 5).data == b"12345"


@pytest.mark.parametrize("name", ["folder", "file"])
def test_what_nobody_may_write_to_is_sealed(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.mkdir() if name == "folder" else path.write_bytes(b"")
    assert files.sealed(str(path)) == ""
    path.chmod(0o555)
    assert files.sealed(str(path)) == "nobody is permitted to write to it"
    path.chmod(0o755)
    assert files.sealed(str(tmp_path / "nothing")) == ""
