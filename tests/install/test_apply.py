"""The writer: atomic, careful with links, modes and copies, and all or nothing."""

import errno
import os
import stat
from pathlib import Path

import pytest

from guardhook.install import InstallError, apply, places, plan
from guardhook.install.places import Places
from guardhook.install.plan import COPY, MOVE, Edit, Plan

STAMP = "20260102-030405"


def of(*edits: Edit) -> Plan:
    planned = Plan()
    for edit in edits:
        planned.add(edit)
    return planned


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_replaced_in_one_step_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    opened = path.open("rb")
    backups = apply.apply(of(Edit(str(path), b"old", b"new", "", keep=COPY)), STAMP)
    with opened:
        assert opened.read() == b"old"
    backup = tmp_path / f"settings.json.guardhook-{STAMP}.bak"
    assert backups == [str(backup)]
    assert (path.read_bytes(), mode(path)) == (b"new", 0o640)
    assert (backup.read_bytes(), mode(backup)) == (b"old", 0o640)
    assert names(tmp_path) == ["settings.json", backup.name]


def test_a_new_file_gets_its_folders_and_the_mode_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "settings.json"
    assert apply.apply(of(Edit(str(path), None, b"new", "", keep=COPY, mode=0o600)), STAMP) == []
    assert (path.read_bytes(), mode(path), names(path.parent)) == (b"new", 0o600, ["settings.json"])


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "config").mkdir()
    target, link = tmp_path / "dotfiles/claude.json", tmp_path / "config/settings.json"
    target.write_bytes(b"old")
    link.symlink_to("../dotfiles/claude.json")
    apply.apply(of(Edit(str(link), b"old", b"new", "", keep=COPY)), STAMP)
    assert os.readlink(link) == "../dotfiles/claude.json"
    assert target.read_bytes() == b"new"
    assert names(tmp_path / "dotfiles") == ["claude.json"]
    assert names(tmp_path / "config") == ["settings.json", f"settings.json.guardhook-{STAMP}.bak"]


def test_a_link_to_nothing_makes_its_target(tmp_path: Path) -> None:
    link = tmp_path / "settings.json"
    link.symlink_to("real.json")
    apply.apply(of(Edit(str(link), None, b"new", "")), STAMP)
    assert (tmp_path / "real.json").read_bytes() == b"new"
    assert link.is_symlink()


def test_two_copies_in_one_second_are_both_kept(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"1")
    apply.apply(of(Edit(str(path), b"1", b"2", "", keep=COPY)), STAMP)
    apply.apply(of(Edit(str(path), b"2", b"3", "", keep=COPY)), STAMP)
    assert (tmp_path / f"f.guardhook-{STAMP}.bak").read_bytes() == b"1"
    assert (tmp_path / f"f.guardhook-{STAMP}-2.bak").read_bytes() == b"2"


def test_a_file_that_changed_meanwhile_stops_everything(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    two.write_bytes(b"changed")
    with pytest.raises(InstallError, match="changed by somebody else"):
        apply.apply(of(Edit(str(one), None, b"x", ""), Edit(str(two), b"as planned", b"y", "")), STAMP)
    assert names(tmp_path) == ["two"]
    assert two.read_bytes() == b"changed"


def test_when_one_file_cannot_be_written_the_others_are_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, old, moved, gone = (tmp_path / name for name in ("new", "old", "moved", "gone"))
    for path in (old, moved, gone):
        path.write_bytes(path.name.encode())
    edits = [
        Edit(str(new), None, b"x", ""),
        Edit(str(old), b"old", b"x", "", keep=COPY),
        Edit(str(moved), b"moved", b"x", "", keep=MOVE),
        Edit(str(gone), b"gone", None, ""),
        Edit(str(tmp_path / "last"), None, b"x", ""),
    ]
    replace = os.replace

    def full(source: str, target: str) -> None:
        if target.endswith("last"):
            assert not gone.exists()
            raise OSError(errno.ENOSPC, "No space left on device", target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InstallError, match=r"last cannot be written: No space left on device\. Nothing was changed"):
        apply.apply(of(*edits), STAMP)
    assert names(tmp_path) == ["gone", "moved", "old"]
    assert [path.read_bytes() for path in (old, moved, gone)] == [b"old", b"moved", b"gone"]


def test_a_moved_file_is_not_put_over_an_older_one(tmp_path: Path) -> None:
    path, backup = tmp_path / "guard.py", tmp_path / f"guard.py.guardhook-{STAMP}.bak"
    path.write_bytes(b"now")
    backup.write_bytes(b"then")
    with pytest.raises(InstallError, match="exists"):
        apply.apply(of(Edit(str(path), b"now", b"new", "", keep=MOVE)), STAMP)
    assert (path.read_bytes(), backup.read_bytes()) == (b"now", b"then")


def test_folders_are_removed_whole_or_only_if_empty(tmp_path: Path) -> None:
    for name in ("release/guardhook/shell", "empty", "full"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "full/mine").write_bytes(b"")
    planned = Plan()
    planned.folders = [str(tmp_path / "release"), str(tmp_path / "absent")]
    planned.empty = [str(tmp_path / "empty"), str(tmp_path / "full")]
    apply.apply(planned, STAMP)
    assert names(tmp_path) == ["full"]


def test_a_file_put_aside_is_renamed_back(where: Places) -> None:
    os.makedirs(where.hooks)
    moved = os.path.join(where.hooks, plan.backup_name("guard.py", STAMP))
    Path(moved).write_bytes(b"mine")
    planned = Plan()
    planned.restore = [(moved, where.guard)]
    apply.apply(planned, STAMP)
    assert places.read_file(where.guard) == b"mine"
    assert not os.path.exists(moved)


def owner(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_uid, found.st_gid


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_owner_and_group_are_kept_through_a_link_and_by_the_copy(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "settings.json"
    target.write_bytes(b"old")
    link.symlink_to(target)
    os.chown(target, 12345, 23456)
    target.chmod(0o4640)
    (backup,) = apply.apply(of(Edit(str(link), b"old", b"new", "", keep=COPY)), STAMP)
    for path in (target, Path(backup)):
        assert (owner(path), mode(path)) == ((12345, 23456), 0o4640)
    assert link.is_symlink() and link.read_bytes() == b"new"


def test_what_cannot_be_given_away_loses_the_right_to_run_as_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    path.chmod(0o6750)
    apply.write(str(path), b"new", 0o600)
    assert mode(path) == 0o6750
    refused: list[tuple[int, int]] = []

    def refuse(descriptor: int, uid: int, gid: int) -> None:
        refused.append((uid, gid))
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "fchown", refuse)
    stranger = os.stat_result((0o106750, 0, 0, 1, os.geteuid() + 1, os.getegid() + 1, 0, 0, 0, 0))
    apply.write(str(tmp_path / "new"), b"new", 0o600, stranger)
    assert mode(tmp_path / "new") == 0o750
    assert refused == [(os.geteuid() + 1, os.getegid() + 1), (-1, os.getegid() + 1)]


def test_a_file_that_was_removed_comes_back_with_its_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone, last = tmp_path / "gone", tmp_path / "last"
    gone.write_bytes(b"secret")
    gone.chmod(0o600)
    replace = os.replace

    def full(source: str, target: str) -> None:
        if target.endswith("last"):
            raise OSError(errno.ENOSPC, "No space left on device", target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InstallError, match="Nothing was changed"):
        apply.apply(of(Edit(str(gone), b"secret", None, ""), Edit(str(last), None, b"x", "")), STAMP)
    assert (gone.read_bytes(), mode(gone)) == (b"secret", 0o600)


def test_litter_goes_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/x").write_bytes(b"")
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to("kept")
    (tmp_path / "kept").mkdir()
    planned = Plan()
    planned.litter = [str(tmp_path / name) for name in ("folder", "file", "link", "absent")]
    apply.apply(planned, STAMP)
    assert names(tmp_path) == ["kept"]
