"""Codex as a target: what installing there and taking away again changes, and what the user is told (SPEC X1, X2, A5).

`install` and `uninstall` are pure, as `plan` is. Whatever is wrong with Codex's files is said and left alone, and
Claude Code is guarded all the same.
"""

import os

from guardhook.install import codex_form, codex_hooks, codex_places, codex_trust, snippet
from guardhook.install.codex_form import RefusedError
from guardhook.install.codex_handler import Handler
from guardhook.install.codex_places import CodexHome, Found
from guardhook.install.codex_trust import State
from guardhook.install.places import Places
from guardhook.install.plan import COPY, Edit, Plan

NOT_ON_WINDOWS = "skipped: on Windows the guard is registered with Codex only by --codex-windows"
_RECORD = "what uninstalling must know of Codex"


class Outcome:
    """plan: the edits and the notes. line: what happens in Codex's home, in words. states: of each place where the
    guard stands afterwards. refused: "" or why hooks.json was left alone, with the guard in it or without."""

    __slots__ = ("line", "plan", "refused", "states")

    def __init__(self, line: str) -> None:
        self.plan = Plan()
        self.line = line
        self.states: list[State] = []
        self.refused = ""


def install(found: Found, home: CodexHome, where: Places, handler: Handler) -> Outcome:
    """Wire the guard into hooks.json, and say whether Codex will run it. Raises InstallError for an edit gone wrong."""
    if not found.exists:
        return Outcome(f"skipped: there is no {home.home}")
    try:
        if found.flaw:
            raise RefusedError(found.flaw)
        wiring = codex_hooks.wire(found.hooks, where, handler)
        document = codex_form.read(wiring.data or b"{}")
    except RefusedError as error:
        return _refused(home, str(error), handler)
    outcome = Outcome(f"{home.hooks} ({wiring.note})")
    record = codex_places.decode_record(found.record)
    if wiring.missing is not None:
        record[home.hooks] = wiring.missing
    new = codex_places.encode_record(record)
    outcome.plan.add(Edit(codex_places.record_path(where), found.record, new, _RECORD))
    outcome.plan.add(Edit(home.hooks, found.hooks, wiring.data, wiring.note, keep=COPY, mode=0o600))
    outcome.plan.notes += wiring.notes
    guards = codex_hooks.find(document, where)
    outcome.states = [codex_trust.own_state(own, home.hooks, found.config, found.broken) for own in guards]
    outcome.plan.notes += dict.fromkeys(filter(None, map(codex_trust.reminder, outcome.states)))
    return outcome


def uninstall(homes: list[tuple[CodexHome, Found]], where: Places) -> Outcome:
    """Take the guard out of each hooks.json again, and forget what was remembered of it.

    Raises InstallError for an edit gone wrong.
    """
    outcome = Outcome("")
    record = before = homes[0][1].record if homes else None
    for home, found in homes:
        created = codex_places.decode_record(record)
        try:
            if found.flaw:
                raise RefusedError(found.flaw)
            if found.hooks is not None:
                wiring = codex_hooks.unwire(found.hooks, where, created.get(home.hooks, ()))
                keep = "" if wiring.data is None else COPY
                outcome.plan.add(Edit(home.hooks, found.hooks, wiring.data, wiring.note, keep=keep))
                outcome.plan.notes += wiring.notes
        except RefusedError as error:
            outcome.plan.notes.append(f"{home.hooks} was left as it is: {error}")
            if b"guard.py" in (found.hooks or b""):
                outcome.refused = f"{home.hooks} may still start the guard; take that out by hand: {error}"
            continue
        created.pop(home.hooks, None)
        record = codex_places.encode_record(created)
    outcome.plan.add(Edit(codex_places.record_path(where), before, record, _RECORD))
    return outcome


def registers(platform: str, windows: bool) -> bool:
    """Is the guard registered here? On Windows only when asked for. platform: as `sys.platform` has it."""
    return platform != "win32" or windows


def homes(where: Places) -> list[tuple[CodexHome, Found]]:
    """Every Codex home that may hold the guard: the one of the environment and those of the record.

    Reads the disk. Raises InstallError if the record is there and cannot be read.
    """
    own = codex_places.from_environment()
    found = codex_places.find(own, where)
    others = [path for path in codex_places.decode_record(found.record) if path != own.hooks]
    more = [CodexHome(os.path.dirname(path)) for path in others]
    return [(own, found), *((home, codex_places.find(home, where)) for home in more)]


def _refused(home: CodexHome, reason: str, handler: Handler) -> Outcome:
    outcome = Outcome(f"{home.hooks} (left alone)")
    outcome.refused = reason
    outcome.plan.notes.append(
        f"{home.hooks} was left as it is, so Codex does not run the guard: {reason}\n  Mend it and run `guardhook "
        f"install` again, or put this into it by hand, the group behind those that are there:\n{snippet.codex(handler)}"
    )
    return outcome
