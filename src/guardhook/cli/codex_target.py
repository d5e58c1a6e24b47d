"""Codex in `guardhook install` and `uninstall`: what the user asked for there, what is printed, and the trust."""

import sys

from guardhook.cli import output
from guardhook.install import InstallError, backups, codex, codex_app_server, codex_hooks, codex_places, codex_trust
from guardhook.install.codex_handler import Handler
from guardhook.install.places import Places
from guardhook.install.plan import COPY, Plan


class Wishes:
    """fail_closed: None for "as it is wired". windows: register there. trust: let Codex record it.

    ask: have Codex ask a person (SPEC X5), None for "as it is".
    """

    __slots__ = ("ask", "fail_closed", "trust", "windows")

    def __init__(self, fail_closed: bool | None, windows: bool, trust: bool) -> None:
        self.fail_closed = fail_closed
        self.windows = windows
        self.trust = trust
        self.ask: bool | None = None


def install(where: Places, python: str, wishes: Wishes) -> codex.Outcome:
    """What installing for Codex would change (SPEC X1). Reads the disk. Raises InstallError."""
    if not codex.registers(sys.platform, wishes.windows):
        return codex.Outcome(codex.NOT_ON_WINDOWS)
    home = codex_places.from_environment()
    found = codex_places.find(home, where)
    closed = codex_hooks.is_closed(found.hooks, where) if wishes.fail_closed is None else wishes.fail_closed
    return codex.install(found, home, where, Handler(python, where, closed, sys.platform == "win32"))


def report(outcome: codex.Outcome) -> None:
    """What happened in Codex's home, and whether it runs the guard."""
    output.row("Codex", outcome.line)
    for state in outcome.states:
        output.row("trust", f"{state.name}: {state.step}")


def trust(outcome: codex.Outcome, where: Places, python: str, wishes: Wishes) -> codex.Outcome:
    """Let Codex record its trust in the guard, and give what is so afterwards, as its files say (SPEC X2).

    Raises InstallError where there is nothing to trust, Codex did not record it, or it would not run the guard yet.
    """
    if not outcome.states:
        raise InstallError(f"There is nothing for Codex to trust: {outcome.refused or outcome.line}.")
    for state in outcome.states:
        if state.name in (codex_trust.UNTRUSTED, codex_trust.MODIFIED):
            codex_app_server.record_trust(codex_places.from_environment(), state.key, state.command)
    after = install(where, python, wishes)
    for state in after.states:
        if state.name != codex_trust.TRUSTED:
            raise InstallError(f"Codex still does not run the guard ({state.name}): {state.step}.")
    return after


def add(planned: Plan, outcome: codex.Outcome, *, first: bool = False) -> None:
    """Carry the edits for Codex in the plan for Claude Code, so that all of them are made, or none.

    first: no hook may be wired to a launcher that is gone already.
    """
    at = 0 if first else len(planned.edits)
    planned.edits[at:at] = outcome.plan.edits
    planned.notes += outcome.plan.notes


def naming(where: Places) -> dict[str, bytes]:
    """Every hooks.json that may hold the guard -> its bytes. Raises InstallError as `codex.homes` does."""
    return {home.hooks: found.hooks for home, found in codex.homes(where) if found.hooks is not None}


def prune(planned: Plan) -> None:
    """Remove the copies of edited files, of either agent, that are too many, and name them."""
    for edit in planned.edits:
        for copy in backups.prune(edit.path) if edit.keep == COPY else []:
            output.row("removed", f"{copy} (the first copy and the newest {backups.KEPT} are kept)")
