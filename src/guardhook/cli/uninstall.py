"""`guardhook uninstall`: take the guard out of Claude Code and Codex again, and say what is left."""

import glob
import os
import sys
import time

import click

from guardhook.cli import codex_target, output
from guardhook.install import InstallError, apply, codex, codex_rules, places, plan
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
    """Remove the guard's entries from settings.json and Codex's hooks.json, its launcher and its code.

    What installing had to create goes too, if nothing else is in it. Dated copies of your files stay.
    """
    try:
        where = Places(config_dir) if config_dir else places.from_environment()
        _uninstall(where, dry_run)
    except InstallError as error:
        raise output.Failure(str(error)) from None


def _uninstall(where: Places, dry_run: bool) -> None:
    planned = plan.uninstall(places.snapshot(where), where)
    homes = codex.homes(where)
    codex_target.add(planned, codex.uninstall(homes, where), first=True)
    codex_rules.remove(planned, where.releases)
    output.heading(f"guardhook for Claude Code in {where.config}")
    if not planned.edits and not planned.folders:
        output.line("Nothing of guardhook is installed there.")
    elif dry_run:
        _preview(planned)
    else:
        apply.apply(planned, time.strftime("%Y%m%d-%H%M%S"))
        for edit in planned.edits:
            output.row("changed" if edit.new is not None else "removed", f"{edit.path} ({edit.note})")
        for folder in planned.folders:
            output.row("removed", folder)
        for _, target in planned.restore:
            output.row("restored", f"{target} (what was there before guardhook)")
    output.notes(planned.notes)
    if not dry_run:
        _leavings(where, codex_target.backups(homes))


def _preview(planned: Plan) -> None:
    for edit in planned.edits:
        output.diff(edit)
    for folder in planned.folders:
        output.line(f"{folder} would be removed.")
    for source, target in planned.restore:
        output.line(f"{source} would become {target} again.")
    output.line("Nothing was changed.")


def _leavings(where: Places, more: list[str]) -> None:
    """Say what stays on the disk: copies of the user's files, more of them, and the program that is running."""
    pattern = glob.escape(where.config)
    backups = sorted(
        glob.glob(f"{pattern}/settings.json.guardhook-*.bak") + glob.glob(f"{pattern}/hooks/*.py.guardhook-*.bak")
    )
    backups += more
    output.line()
    for backup in backups:
        output.row("left", f"{backup} (a copy of your file)")
    if sys.prefix.endswith(os.path.join("", "guardhook", "venv")):  # made by bootstrap.sh
        output.row("left", f"{sys.prefix} (the guardhook program; remove this folder and the link to it, if you want)")
    if os.path.exists(where.settings):
        output.line("Restart Claude Code; sessions that are open now may still look for the guard.")
