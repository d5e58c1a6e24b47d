"""Where things lie, and reading them as they are."""

import os
import time
from pathlib import Path

import pytest

from guardhook.install import InstallError, places
from guardhook.install.places import Places

LAUNCHER = b'"""guardhook"""\nRELEASE = "guardhook-0.1.0-0123456789ab"\n'


def test_the_folder_is_that_of_the_client(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert places.from_environment().settings == f"{home}/.claude/settings.json"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{home}/x/../other")
    assert places.from_environment().guard == f"{home}/other/hooks/guard.py"
    monkeypatch.chdir(home)
    assert Places("here").config == f"{home}/here"
    assert Places("~/there").record == f"{home}/there/hooks/guardhook.json"


def test_nothing_there_is_an_empty_snapshot(where: Places) -> None:
    found = places.snapshot(where)
    assert (found.settings, found.guard, found.record, found.releases, found.folders) == (None, None, None, {}, ())


def test_releases_are_known_by_name_and_age(where: Places) -> None:
    ours, other = "guardhook-0.1.0-0123456789ab", "guardhook-notes"
    for name in (ours, other):
        os.makedirs(f"{where.hooks}/{name}")
    Path(where.hooks, "guardhook-0.1.0-0123456789ac").write_text("a file", encoding="utf-8")
    os.symlink(ours, f"{where.hooks}/guardhook-0.1.0-0123456789ad")
    os.utime(f"{where.hooks}/{ours}", (time.time() - 1000, time.time() - 1000))
    found = places.snapshot(where)
    assert list(found.releases) == [ours]
    assert 990 < found.releases[ours] < 1100
    assert found.folders == (where.config, where.hooks)


@pytest.mark.parametrize("kind", ["fifo", "folder"])
def test_what_is_no_file_is_refused_without_opening_it(where: Places, kind: str) -> None:
    os.makedirs(where.config)
    (os.mkfifo if kind == "fifo" else os.mkdir)(where.settings)
    with pytest.raises(InstallError, match="not a regular file"):
        places.snapshot(where)


def test_a_launcher_that_is_a_link_has_its_releases_beside_the_real_file(where: Places, tmp_path: Path) -> None:
    os.makedirs(where.hooks)
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles/guard.py").write_bytes(LAUNCHER)
    os.symlink(tmp_path / "dotfiles/guard.py", where.guard)
    assert Places(where.config).releases == str(tmp_path / "dotfiles")
    (tmp_path / "dotfiles/guard.py").write_bytes(b"print('foreign')\n")
    assert Places(where.config).releases == where.hooks


def test_our_launcher_names_its_release() -> None:
    assert places.release_of(LAUNCHER) == "guardhook-0.1.0-0123456789ab"
    assert places.release_of(LAUNCHER.replace(b"guardhook", b"other")) is None
    assert places.release_of(b"guardhook") is None
    assert places.release_of(None) is None


def test_what_a_killed_installer_left_is_known_and_nothing_else_is(where: Places) -> None:
    os.makedirs(where.hooks)
    litter = [
        Path(where.config, ".settings.json.guardhook-0123456789ab.tmp"),
        Path(where.hooks, ".guardhook-0.1.0-0123456789ab.a1b2_c3d.tmp"),
        Path(where.hooks, ".guard.py.guardhook-0123456789ab.tmp"),
    ]
    for path in litter:
        path.write_bytes(b"")
    for name in (
        ".guardhook-notes.tmp",
        "settings.json.guardhook-0123456789ab.tmp",
        ".guardhook-0.1.0-0123456789ab.tmp",
    ):
        Path(where.hooks, name).write_bytes(b"")
    assert places.snapshot(where).litter == sorted(map(str, litter))


def test_other_files_that_name_a_release_are_found(where: Places) -> None:
    os.makedirs(f"{where.hooks}/guardhook-0.1.0-0123456789ab")
    name = b"guardhook-0.1.0-0123456789ab"
    for path, data in {
        f"{where.hooks}/mine.sh": b"python3 hooks/" + name + b"/guard.py",
        f"{where.config}/settings.local.json": name,
        f"{where.hooks}/other.sh": b"guardhook",
        f"{where.hooks}/guard.py.guardhook-20260102-030405.bak": name,
        f"{where.hooks}/large": name + b" " * (1 << 20),
        where.settings: name,
    }.items():
        Path(path).write_bytes(data)
    os.mkfifo(f"{where.hooks}/fifo")
    found = places.snapshot(where)
    assert set(found.others) == {f"{where.hooks}/mine.sh", f"{where.config}/settings.local.json"}
    assert places.named(b"x" + name + b"/guardhook/" + name) == {name.decode()}


def test_links_are_known(where: Places) -> None:
    os.makedirs(where.hooks)
    os.symlink("nowhere", where.settings)
    assert places.snapshot(where).links == {where.settings: f"{where.config}/nowhere"}
