"""Planning: the files as they are -> the edits that install or remove the guard. Pure: it reads and writes nothing."""

import os

from guardhook.install import InstallError, claude, jsontext, places
from guardhook.install.places import Places, Record, Snapshot

DAY = 86400.0

# How an edit keeps what it replaces.
COPY = "copy"  # a dated copy beside it
MOVE = "move"  # the file itself gets a dated name and stays

_STAYS = (
    "{settings} may still start {guard}, so that file and its code stay: without them every call would be blocked. "
    "Take guardhook's entries out by hand, or mend the file, and run `guardhook uninstall` again."
)


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
    litter: what a killed installer left, to remove. refused: "" or why a file that should be edited stays as it is.
    """

    __slots__ = ("edits", "empty", "folders", "litter", "notes", "refused", "restore")

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self.folders: list[str] = []
        self.litter: list[str] = []
        self.refused = ""
        self.empty: list[str] = []
        self.restore: list[tuple[str, str]] = []
        self.notes: list[str] = []

    def add(self, edit: Edit) -> None:
        if edit.new != edit.old:
            self.edits.append(edit)


class Wanted:
    """What shall be there afterwards.

    launcher: the bytes of `guard.py`. release: the folder's name that these bytes name. session: the bytes of
    `session_start.py`. handlers: what is wired, one an event; an event without one is not wired. stamp:
    `YYYYMMDD-HHMMSS` for names of files put aside.
    """

    __slots__ = ("handlers", "launcher", "release", "session", "stamp")

    def __init__(
        self, launcher: bytes, release: str, session: bytes, handlers: list[claude.Handler], stamp: str
    ) -> None:
        self.launcher = launcher
        self.release = release
        self.session = session
        self.handlers = {handler.event: handler for handler in handlers}
        self.stamp = stamp


def backup_name(name: str, stamp: str) -> str:
    """The name of the dated copy of a file. stamp: `YYYYMMDD-HHMMSS`."""
    return f"{name}.guardhook-{stamp}.bak"


def install(found: Snapshot, where: Places, wanted: Wanted) -> Plan:
    """Edits that deploy the launchers and wire them (SPEC A1, G4, P3).

    A launcher is written before the settings name it, the record before both: whatever is interrupted, no wired
    command points to nothing. Raises InstallError if the settings cannot be edited or the client would drop them.
    """
    plan = Plan()
    before = places.decode_record(found.record)
    data, wirings = _wire(found, where, wanted, before)
    plan.notes.extend(wirings[claude.GUARD].notes)
    _deploy(plan, found, where, wanted, _created(before, wirings, found, where))
    note = "; ".join(part.note for part in wirings.values() if part.changed)
    plan.add(Edit(where.settings, found.settings, data, note, keep=COPY, mode=0o600))
    used = {wanted.release} | _named_by(found, data) | places.named(found.settings)
    used |= places.named(found.guard) | places.named(found.session)
    for name, age in sorted(found.releases.items()):
        if name not in used and age > DAY:
            plan.folders.append(os.path.join(where.releases, name))
    return plan


def deploy(found: Snapshot, where: Places, wanted: Wanted) -> Plan:
    """Edits that put the launchers in place and leave every settings file to the user."""
    plan = Plan()
    before = places.decode_record(found.record)
    _deploy(plan, found, where, wanted, _created(before, {}, found, where))
    return plan


def uninstall(found: Snapshot, where: Places) -> Plan:
    """Edits that take the guard away; the settings first, so that no wired command points to nothing.

    A settings file that cannot be edited stays, with the launchers if it may name them, and `refused` says so. Raises
    InstallError for such a file where nothing else of guardhook's is there.
    """
    plan = Plan()
    plan.litter = found.litter
    record = places.decode_record(found.record)
    left = found.settings
    if found.settings is not None:
        try:
            left = _unwire(plan, found, where, record.created)
        except InstallError as error:
            if not (found.releases or found.record or _is_ours(found.guard) or _is_ours(found.session)):
                raise
            plan.refused = str(error)
            if b"guard.py" in found.settings or b"session_start.py" in found.settings:
                plan.notes.append(_STAYS.format(settings=where.settings, guard=where.guard))
                return plan
    _undeploy(plan, found, where, record)
    used = _named_by(found, left)
    for folder in [os.path.join(where.releases, name) for name in sorted(found.releases)] + found.strays:
        if os.path.basename(folder) in used:
            plan.notes.append(f"{folder} stays: another file names it.")
        else:
            plan.folders.append(folder)
    plan.empty.extend(path for name, path in reversed(_folders(where)) if name in record.created)
    return plan


def _wire(
    found: Snapshot, where: Places, wanted: Wanted, before: Record
) -> tuple[bytes | None, dict[str, claude.Wiring]]:
    """The settings with each wanted handler in them and no other of ours, and what happened to each event."""
    data = found.settings
    wirings: dict[str, claude.Wiring] = {}
    for event in claude.TIMEOUTS:
        handler = wanted.handlers.get(event)
        if handler:
            wirings[event] = claude.wire(data, where, handler)
        elif data is not None:
            wirings[event] = claude.drop(data, where, event, before.created)
        data = wirings[event].data if event in wirings else data
    return data, wirings


def _deploy(plan: Plan, found: Snapshot, where: Places, wanted: Wanted, created: tuple[str, ...]) -> None:
    before = places.decode_record(found.record)
    moved_guard = _aside(where.guard, found.guard, before.moved_guard, wanted.stamp)
    moved_session = _aside(where.session, found.session, before.moved_session, wanted.stamp)
    record = Record(created, moved_guard, moved_session)
    plan.litter = found.litter
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


def _unwire(plan: Plan, found: Snapshot, where: Places, created: tuple[str, ...]) -> bytes | None:
    """Take our entries out of the settings. A link to them is the user's: the file behind it is never removed."""
    made = tuple(name for name in created if name != "settings" or where.settings not in found.links)
    data, count = claude.unwire(found.settings or b"", where, made)
    note = "the guard's entry is taken out" if data is not None else "it held the guard's entry alone"
    plan.add(Edit(where.settings, found.settings, data, note, keep="" if data is None else COPY))
    if not count:
        plan.notes.append(f"{where.settings} does not wire the guard.")
    if data is not None and _is_ours(found.guard):
        plan.notes += [
            f"This hook starts {where.guard}, which goes now, so Claude Code will block what it matches; take it out "
            f"of {where.settings} by hand: {command}"
            for command in claude.strangers(jsontext.read(data), where)
            if where.guard in os.path.expandvars(os.path.expanduser(command))
        ]
    return data


def _undeploy(plan: Plan, found: Snapshot, where: Places, record: Record) -> None:
    for path, old, name, moved, what in (
        (where.guard, found.guard, record.moved_guard, found.moved_guard, "the launcher"),
        (where.session, found.session, record.moved_session, found.moved_session, "the launcher for a session's start"),
    ):
        if _is_ours(old) or (found.record is not None and old is not None and not _is_foreign(old)):
            if path in found.links:
                plan.add(Edit(found.links[path], old, None, what))
            plan.add(Edit(path, old, None, what))
            if moved is not None:
                plan.restore.append((os.path.join(where.hooks, name), path))
    plan.add(Edit(where.record, found.record, None, "what uninstalling must know"))


def _named_by(found: Snapshot, settings: bytes | None) -> set[str]:
    """The releases that settings and the other files found name."""
    return places.named(settings).union(*map(places.named, found.others.values()))


def _is_ours(data: bytes | None) -> bool:
    return places.release_of(data) is not None


def _is_foreign(data: bytes | None) -> bool:
    """Is this somebody else's? An empty file is nobody's: it is a launcher of ours that lost its text."""
    return bool(data and data.strip()) and not _is_ours(data)


def _aside(path: str, data: bytes | None, before: str, stamp: str) -> str:
    """The name under which somebody else's file at a launcher's path is kept. before: the name of an earlier one."""
    return backup_name(os.path.basename(path), stamp) if _is_foreign(data) else before


def _created(before: Record, wirings: dict[str, claude.Wiring], found: Snapshot, where: Places) -> tuple[str, ...]:
    """What did not exist before the first installation, now that `Wiring.missing` of each event was found missing.

    Where an entry of ours was, or nothing is wired, the record is believed.
    """
    folders = dict(_folders(where))
    created = {name for name, path in folders.items() if path not in found.folders}
    for name in before.created:
        wiring = wirings.get(name.removeprefix("hooks."), wirings.get(claude.GUARD))
        if wiring is None or wiring.missing is None or name in folders:
            created.add(name)
    created.update(name for wiring in wirings.values() for name in wiring.missing or ())
    return tuple(name for name in Record.CREATABLE if name in created)


def _folders(where: Places) -> tuple[tuple[str, str], ...]:
    return (("config folder", where.config), ("hooks folder", where.hooks))
