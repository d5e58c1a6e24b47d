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

    launcher: the bytes of `guard.py`. release: the folder's name that these bytes name. handler: see claude.Handler.
    stamp: `YYYYMMDD-HHMMSS` for names of files put aside. session, session_handler: the same for `session_start.py`.
    """

    __slots__ = ("handler", "launcher", "release", "session", "session_handler", "stamp")

    def __init__(
        self,
        launcher: bytes,
        release: str,
        handler: "claude.Handler",
        stamp: str,
        session: bytes,
        session_handler: "claude.Handler",
    ) -> None:
        self.launcher = launcher
        self.release = release
        self.handler = handler
        self.stamp = stamp
        self.session = session
        self.session_handler = session_handler


def backup_name(name: str, stamp: str) -> str:
    """The name of the dated copy of a file. stamp: `YYYYMMDD-HHMMSS`."""
    return f"{name}.guardhook-{stamp}.bak"


def install(found: Snapshot, where: Places, wanted: Wanted) -> Plan:
    """Edits that deploy the launchers and wire them (SPEC A1, G4). Raises InstallError if settings cannot be edited.

    A launcher is written before the settings name it, the record before both: whatever is interrupted, no wired
    command points to nothing.
    """
    plan = Plan()
    wiring = claude.wire(found.settings, where, wanted.handler)
    start = claude.wire(wiring.data, where, wanted.session_handler)
    plan.notes.extend(wiring.notes)
    before = places.decode_record(found.record)
    moved_guard = _aside(where.guard, found.guard, before.moved_guard, wanted.stamp)
    moved_session = _aside(where.session, found.session, before.moved_session, wanted.stamp)
    record = Record(_created(before, wiring.missing, start.missing, found, where), moved_guard, moved_session)
    plan.add(Edit(where.record, found.record, record.encode(), "what uninstalling must know"))
    for path, old, new, moved, what in (
        (where.guard, found.guard, wanted.launcher, moved_guard, "the launcher"),
        (where.session, found.session, wanted.session, moved_session, "the launcher for a session's start"),
    ):
        foreign = _is_foreign(old)
        if foreign:
            plan.notes.append(
                f"{path} was not guardhook's; it is kept as {moved} and comes back with `guardhook uninstall`."
            )
        plan.add(Edit(path, old, new, what, keep=MOVE if foreign else ""))
    note = "; ".join(part.note for part in (wiring, start) if part.changed)
    plan.add(Edit(where.settings, found.settings, start.data, note, keep=COPY, mode=0o600))
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
    for path, old, name, moved, what in (
        (where.guard, found.guard, record.moved_guard, found.moved_guard, "the launcher"),
        (where.session, found.session, record.moved_session, found.moved_session, "the launcher for a session's start"),
    ):
        if places.release_of(old) is not None:
            plan.add(Edit(path, old, None, what))
            if moved is not None:
                plan.restore.append((os.path.join(where.hooks, name), path))
    plan.add(Edit(where.record, found.record, None, "what uninstalling must know"))
    plan.folders.extend(os.path.join(where.releases, name) for name in sorted(found.releases))
    plan.empty.extend(path for name, path in reversed(_folders(where)) if name in record.created)
    return plan


def _is_foreign(data: bytes | None) -> bool:
    return data is not None and places.release_of(data) is None


def _aside(path: str, data: bytes | None, before: str, stamp: str) -> str:
    """The name under which somebody else's file at a launcher's path is kept. before: the name of an earlier one."""
    return backup_name(os.path.basename(path), stamp) if _is_foreign(data) else before


def _created(
    before: Record, guard: tuple[str, ...] | None, start: tuple[str, ...] | None, found: Snapshot, where: Places
) -> tuple[str, ...]:
    """What did not exist before the first installation, now that this was found missing in the settings.

    guard, start: `Wiring.missing` of the two entries; where an entry was there, the record is believed.
    """
    folders = dict(_folders(where))
    created = {name for name, path in folders.items() if path not in found.folders}
    for name in before.created:
        missing = start if name == f"hooks.{claude.START}" else guard
        if missing is None or name in folders:
            created.add(name)
    created.update(guard or (), start or ())
    return tuple(name for name in Record.CREATABLE if name in created)


def _folders(where: Places) -> tuple[tuple[str, str], ...]:
    return (("config folder", where.config), ("hooks folder", where.hooks))
