"""The registration with Codex by itself, for a script that deploys the guard in its own way (SPEC X1, X2)."""

import sys
import time

from guardhook.install import InstallError, apply, backups, codex, codex_hooks, codex_places, interpreter, lock, places
from guardhook.install.codex_handler import Handler

OPTIONS = {"--codex-fail-closed", "--codex-windows"}


def main(options: list[str], platform: str = sys.platform) -> int:
    """Add the guard's group to hooks.json, or bring it up to date, and print what happened.

    options: some of OPTIONS. The result is an exit status: 1 if hooks.json was left alone, 2 for an unknown option.
    """
    if not OPTIONS.issuperset(options):
        print(f"merge_codex_hooks.py: it takes {' and '.join(sorted(OPTIONS))}, and nothing else", file=sys.stderr)
        return 2
    try:
        with lock.held(places.from_environment().config, "merge_codex_hooks.py"):
            outcome = _merge(options, platform)
    except InstallError as error:
        print(f"merge_codex_hooks.py: {error}", file=sys.stderr)
        return 1
    print(f"Codex: {outcome.line}")
    for note in outcome.plan.notes:
        print(f"note: {note}")
    return 1 if outcome.refused else 0


def _merge(options: list[str], platform: str) -> codex.Outcome:
    where, home = places.from_environment(), codex_places.from_environment()
    if not codex.registers(platform, "--codex-windows" in options):
        return codex.Outcome(codex.NOT_ON_WINDOWS)
    found = codex_places.find(home, where)
    closed = "--codex-fail-closed" in options or codex_hooks.is_closed(found.hooks, where)
    handler = Handler(interpreter.find().path, where, closed, platform == "win32")
    outcome = codex.install(found, home, where, handler)
    apply.apply(outcome.plan, time.strftime("%Y%m%d-%H%M%S"))
    backups.prune(home.hooks)
    if outcome.states and places.read_file(where.guard) is None:
        outcome.plan.notes.append(f"{where.guard} is not there yet; until `guardhook install` it denies every call.")
    return outcome
