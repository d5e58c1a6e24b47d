"""`guardhook uninstall`: take the guard out of Claude Code and Codex again, and say what is left."""

import contextlib
import os
import sys
import time

import click

from guardhook.cli import codex_target, output
from guardhook.install import InstallError, apply, backups, codex, codex_rules, lock, places, plan
from guardhook.install.places import Places
from guardhook.install.plan import Plan


@click.command(name="uninstall")
@click.option(
    "--dry-run", is_flag=True, help="Show what would be removed, as a diff for each file, and change nothing."
)
@click.option(
    "--config-dir", metavar="DIR", default="", help="Claude Code's folder [default: $CLAUDE_CONFIG_DIR or ~/.claude]."
)
def command(dry_run: bool, config_dir: str) -> None:
    """Remove the guard's entries from settings.json and Codex's hooks.json, its launchers and its code.

    What installing had to create goes too, if nothing else is in it. Dated copies of your files stay, and your own
    configuration of guardhook; what is left is listed. Exit status 1 if something could not be taken out.
    """
    try:
        where = Places(config_dir) if config_dir else places.from_environment()
        with contextlib.nullcontext() if dry_run else lock.held(where.config, "guardhook uninstall"):
            _uninstall(where, dry_run)
    except InstallError as error:
        raise output.Failure(str(error)) from None


def _uninstall(where: Places, dry_run: bool) -> None:
    found = places.snapshot(where)
    found.others |= codex_target.naming(where)
    planned = plan.uninstall(found, where)
    homes = codex.homes(where)
    outcome = codex.uninstall(homes, where)
    codex_target.add(planned, outcome, first=True)
    codex_rules.remove(planned, where.releases)
    output.heading(f"guardhook for Claude Code in {where.config}")
    if dry_run:
        _preview(planned)
    elif planned.edits or planned.folders or planned.litter:
        apply.apply(planned, time.strftime("%Y%m%d-%H%M%S"))
        _report(planned)
    elif not planned.refused:
        output.line("Nothing of guardhook is installed there.")
    output.notes(planned.notes)
    if not dry_run:
        left = _leavings([where.settings, where.guard, where.session, *(home.hooks for home, _ in homes)])
        complete = not (planned.refused or outcome.refused) and len(planned.folders) == len(found.releases) + len(
            found.strays
        )
        if complete and (planned.edits or left):
            output.line(f"Nothing {'else ' if left else ''}of guardhook is left there.")
        if any(edit.path == where.settings for edit in planned.edits):
            output.line(
                "Restart Claude Code: a session that is open now still looks for the guard and blocks every call."
            )
    if flaws := [flaw for flaw in (planned.refused, outcome.refused) if flaw]:
        raise InstallError("\n".join(flaws))


def _report(planned: Plan) -> None:
    for edit in planned.edits:
        output.row("changed" if edit.new is not None else "removed", f"{edit.path} ({edit.note})")
    codex_target.prune(planned)
    for folder in planned.folders:
        output.row("removed", folder)
    for path in planned.litter:
        output.row("removed", f"{path} (left by an installation that was cut off)")
    for _, target in planned.restore:
        output.row("restored", f"{target} (what was there before guardhook)")


def _preview(planned: Plan) -> None:
    for edit in planned.edits:
        output.diff(edit)
    for path in planned.folders + planned.litter:
        output.line(f"{path} would be removed.")
    for source, target in planned.restore:
        output.line(f"{source} would become {target} again.")
    output.line("Nothing was changed.")


def _leavings(files: list[str]) -> list[str]:
    """Name what stays on the disk: copies of the user's files, their configuration, the program that is running."""
    left = [(copy, "a copy of your file") for path in files for copy in backups.of(path)]
    for folder in sorted({os.environ.get("XDG_CONFIG_HOME") or "~/.config", "~/.config"}):
        if os.path.isdir(own := os.path.join(os.path.expanduser(folder), "guardhook")):
            left.append((own, "your own configuration of guardhook"))
    if sys.prefix.endswith(os.path.join("", "guardhook", "venv")):  # made by bootstrap.sh
        link = os.path.expanduser("~/.local/bin/guardhook")
        more = f" and the link {link}" if os.path.realpath(link).startswith(sys.prefix) else ""
        left.append((sys.prefix, f"the guardhook program; remove this folder{more}, if you want"))
    output.line()
    for path, why in left:
        output.row("left", f"{path} ({why})")
    return [path for path, _ in left]
