"""Dated copies: the oldest and the newest ten stay."""

import os
from pathlib import Path

from guardhook.install import backups


def name(number: int) -> str:
    return f"settings.json.guardhook-202601{number:02}-030405.bak"


def test_the_oldest_and_the_newest_ten_stay(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for number in range(1, 15):
        (tmp_path / name(number)).write_bytes(b"")
        assert backups.prune(str(path)) == ([str(tmp_path / name(number - 10))] if number > 11 else [])
    kept = [name(1), *map(name, range(5, 15))]
    assert [os.path.basename(copy) for copy in backups.of(str(path))] == kept
    assert sorted(os.listdir(tmp_path)) == kept


def test_copies_of_one_second_are_in_their_order(tmp_path: Path) -> None:
    stem = "f.guardhook-20260102-030405"
    for end in ("-10", "-9", "-2", ""):
        (tmp_path / f"{stem}{end}.bak").write_bytes(b"")
    found = [os.path.basename(copy) for copy in backups.of(str(tmp_path / "f"))]
    assert found == [f"{stem}{end}.bak" for end in ("", "-2", "-9", "-10")]


def test_nobody_else_s_files_are_counted_or_removed(tmp_path: Path) -> None:
    others = [
        "f.bak",
        "f.guardhook-20260102.bak",
        "f.guardhook-20260102-030405.bak.old",
        "xf.guardhook-20260102-030405.bak",
        "f.guardhook-20260102-030405-x.bak",
        "F.guardhook-20260102-030405.bak",
    ]
    for other in others:
        (tmp_path / other).write_bytes(b"")
    (tmp_path / "f.guardhook-20260103-030405.bak").symlink_to("f.bak")
    (tmp_path / "f.guardhook-20260104-030405.bak").mkdir()
    assert backups.of(str(tmp_path / "f")) == []
    assert backups.of(str(tmp_path / "absent" / "f")) == []
