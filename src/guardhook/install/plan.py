"""Planning: the files as they are -> the edits that install or remove the guard. Pure: it reads and writes nothing."""

import os

from guardhook.install import claude, places
from guardhook.install.places import Places, Record, Snapshot

DAY = 86400.0

# How an edit keeps what it replaces.
COPY = "copy"  # a dated copy beside it
MOVE = "move"  # the file itself gets a dated name and stays


class Edit:
    """One file to write (new) or to remove (new is None). old: the bytes it must still have, None if there is no file.

    note: what happens, in plain words. keep: "" or COPY or MOVE. mode: permission bits of a file that is new.
    """

    __slots__ = ("keep", "mode", "new", "note", "old", "path")

    def __init__(
        self, path: str, old: bytes | None, new: bytes | None, note: str, *, keep: str = "", mode: int = 0o644
    ) -> None:
        self.path = path
        self.old = old
        self.new = new
        self.note = note
        self.keep = keep
        self.mode = mode


class Plan:
    """edits: in the order in which they must happen. folders: to remove afterwards. notes: for the user, a line each.

    restore: (from, to) pairs of files to rename after the edits. empty: folders to remove if nothing is left in them.
    """

    __slots__ = ("edits", "empty", "folders", "notes", "restore")

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self.folders: list[str] = []
        self.empty: list[str] = []
        self.restore: list[tuple[str, str]] = []
        self.notes: list[str] = []

    def add(self, edit: Edit) -> None:
        if edit.new != edit.old:
            self.edits.append(edit)


class Wanted:
    """What shall be there afterwards.

    launcher: the bytes of `guard.py`. release: the folder's name that these bytes name. handler: see claude.handler.
    stamp: `YYYYMMDD-HHMMSS` for names of files put aside.
    """

    __slots__ = ("handler", "launcher", "release", "stamp")

    def __init__(self, launcher: bytes, release: str, handler: "claude.Handler", stamp: str) -> None:
        self.launcher = launcher
        self.release = release
        self.handler = handler
        self.stamp = stamp


def backup_name(name: str, stamp: str) -> str:
    """The name of the dated copy of a file. stamp: `YYYYMMDD-HHMMSS`."""
    return f"{name}.guardhook-{stamp}.bak"


def install(found: Snapshot, where: Places, wanted: Wanted) -> Plan:
    """Edits that deploy the launcher and wire it (SPEC A1). Raises InstallError if the settings file cannot be edited.

    The launcher is written before the settings name it, the record before both: whatever is interrupted, no wired
    command points to nothing.
    """
    plan = Plan()
    wiring = claude.wire(found.settings, where, wanted.handler)
    plan.notes.extend(wiring.notes)
    before = places.decode_record(found.record)
    foreign = found.guard is not None and places.release_of(found.guard) is None
    moved = backup_name("guard.py", wanted.stamp) if foreign else before.moved_guard
    record = Record(_created(before, wiring.missing, found, where), moved)
    plan.add(Edit(where.record, found.record, record.encode(), "what uninstalling must know"))
    if foreign:
        plan.notes.append(
            f"{where.guard} was not guardhook's; it is kept as {moved} and comes back with `guardhook uninstall`."
        )
    plan.add(Edit(where.guard, found.guard, wanted.launcher, "the launcher", keep=MOVE if foreign else ""))
    plan.add(Edit(where.settings, found.settings, wiring.data, wiring.note, keep=COPY, mode=0o600))
    for name, age in sorted(found.releases.items()):
        if name not in (wanted.release, places.release_of(found.guard)) and age > DAY:
            plan.folders.append(os.path.join(where.releases, name))
    return plan


def uninstall(found: Snapshot, where: Places) -> Plan:
    """Edits that take the guard away; the settings first, so that no wired command points to nothing.

    Raises InstallError if the settings file cannot be edited.
    """
    plan = Plan()
    record = places.decode_record(found.record)
    if found.settings is not None:
        data, count = claude.unwire(found.settings, where, record.created)
        note = "the guard's entry is taken out" if data is not None else "it held the guard's entry alone"
        plan.add(Edit(where.settings, found.settings, data, note, keep="" if data is None else COPY))
        if not count:
            plan.notes.append(f"{where.settings} does not wire the guard.")
    if places.release_of(found.guard) is not None:
        plan.add(Edit(where.guard, found.guard, None, "the launcher"))
        if found.moved_guard is not None:
            plan.restore.append((os.path.join(where.hooks, record.moved_guard), where.guard))
    plan.add(Edit(where.record, found.record, None, "what uninstalling must know"))
    plan.folders.extend(os.path.join(where.releases, name) for name in sorted(found.releases))
    plan.empty.extend(path for name, path in reversed(_folders(where)) if name in record.created)
    return plan


def _created(before: Record, missing: tuple[str, ...] | None, found: Snapshot, where: Places) -> tuple[str, ...]:
    """What did not exist before the first installation, now that `missing` was found missing in the settings."""
    folders = dict(_folders(where))
    created = {name for name, path in folders.items() if path not in found.folders}
    created.update(name for name in before.created if missing is None or name in folders)
    created.update(missing or ())
    return tuple(name for name in Record.CREATABLE if name in created)


def _folders(where: Places) -> tuple[tuple[str, str], ...]:
    return (("config folder", where.config), ("hooks folder", where.hooks))
