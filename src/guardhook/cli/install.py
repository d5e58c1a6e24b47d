"""`guardhook install`: deploy the hook, wire it into Claude Code and Codex, and prove that it answers."""

import contextlib
import os
import time

import click

import guardhook
from guardhook.cli import codex_target, output
from guardhook.cli.codex_target import Wishes
from guardhook.install import (
    InstallError,
    apply,
    claude,
    client,
    codex_rules,
    deploy,
    interpreter,
    lock,
    places,
    plan,
    selftest,
    snippet,
    style,
)
from guardhook.install.interpreter import Interpreter
from guardhook.install.places import Places
from guardhook.install.plan import Plan

_PASTE = "Put this into {settings} by hand, each entry behind those that stand there already:"
_BY_HAND = (
    "Claude Code does not take such a file either: no hook and no permission rule in it is in force. Take out what is "
    "not JSON (comments, commas before a closing bracket …) and run `guardhook install` again. If something else "
    "writes that file for you, run `guardhook install --by-hand` and let it write this, each entry behind those that "
    "are there:"
)


@click.command(name="install")
@click.option("--dry-run", is_flag=True, help="Show what would be written, as a diff for each file, and write nothing.")
@click.option("--fail-open", is_flag=True, help="Let tool calls run when the guard itself cannot start or is killed.")
@click.option("--python", metavar="PATH", default="", help="The Python (3.11 or later) that runs the hook.")
@click.option(
    "--config-dir", metavar="DIR", default="", help="Claude Code's folder [default: $CLAUDE_CONFIG_DIR or ~/.claude]."
)
@click.option(
    "--agent-style",
    "style_folder",
    metavar="DIR",
    default="",
    help="The folder that holds the package agent_style, for the style advisory [default: where Python finds it].",
)
@click.option("--by-hand", is_flag=True, help="Leave settings.json alone and print what to paste into it.")
@click.option("--no-proof", is_flag=True, help="Do not fire the wired command at two test calls.")
@click.option("--codex-trust", is_flag=True, help="Let Codex record that you trust the guard, by its own app server.")
@click.option(
    "--codex-fail-closed/--no-codex-fail-closed",
    default=None,
    help="Let Codex block tool calls when the guard cannot start or is killed [default: as it is wired, else no].",
)
@click.option(
    "--codex-ask/--no-codex-ask",
    default=None,
    help="Have Codex ask a person before what cannot be taken back, by rules of its own [default: as it is].",
)
@click.option("--codex-windows", is_flag=True, help="Register with Codex on Windows, too.")
def command(
    dry_run: bool,
    fail_open: bool,
    python: str,
    config_dir: str,
    style_folder: str,
    by_hand: bool,
    no_proof: bool,
    codex_trust: bool,
    codex_fail_closed: bool | None,
    codex_ask: bool | None,
    codex_windows: bool,
) -> None:
    """Install the guard for Claude Code and, where there is one, for Codex, or bring it up to date.

    Adds one entry each to hooks.PreToolUse, hooks.SessionStart and hooks.ConfigChange in settings.json, and one group
    to Codex's hooks.json; keeps every other byte of these files, of which dated copies are made first. Permission
    lists are never touched. Running it again changes nothing that is already right.
    """
    try:
        where = Places(config_dir) if config_dir else places.from_environment()
        found = interpreter.find(python)
        choice = Choice(dry_run, fail_open, not no_proof, found, config_dir)
        choice.style_folder = style.find(found.path, style_folder)
        choice.codex = Wishes(codex_fail_closed, codex_windows, codex_trust)
        choice.codex.ask = codex_ask
        choice.by_hand = by_hand
        with contextlib.nullcontext() if dry_run else lock.held(where.config, "guardhook install"):
            _install(where, choice)
    except InstallError as error:
        raise output.Failure(str(error)) from None


class Choice:
    """What the user asked for, and the interpreter that was found for it."""

    __slots__ = ("by_hand", "codex", "config_dir", "dry_run", "fail_open", "interpreter", "proof", "style_folder")

    def __init__(self, dry_run: bool, fail_open: bool, proof: bool, interpreter: Interpreter, config_dir: str) -> None:
        self.dry_run = dry_run
        self.fail_open = fail_open
        self.proof = proof
        self.interpreter = interpreter
        self.config_dir = config_dir
        self.style_folder = ""
        self.by_hand = False
        self.codex = Wishes(None, False, False)


def _install(where: Places, choice: Choice) -> None:
    version = client.version(where.config)
    release = deploy.compose(choice.interpreter, style_folder=choice.style_folder)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    handlers = _handlers(where, choice, version)
    launchers = deploy.launcher(release.name), deploy.session_launcher(release.name)
    wanted = plan.Wanted(launchers[0], release.name, launchers[1], handlers, stamp)
    planned = _planned(where, choice, wanted)
    codex = codex_target.install(where, choice.interpreter.path, choice.codex)
    codex_target.add(planned, codex)
    asks = codex_rules.add(planned, where.releases, choice.codex.ask, choice.interpreter.path, deploy.ask_program())
    output.heading(f"guardhook {guardhook.__version__} for Claude Code in {where.config}")
    if choice.dry_run:
        codex_target.report(codex)
        _preview(planned, release, where)
        return
    built = deploy.build(release, where)
    try:
        copies = apply.apply(planned, stamp)
    except InstallError:
        if built:
            apply.remove_folder(os.path.join(where.releases, release.name))
        raise
    output.row("code", f"{os.path.join(where.releases, release.name)} ({'new' if built else 'unchanged'})")
    _report(planned, where, copies)
    output.row("Python", f"{choice.interpreter.path} ({'.'.join(map(str, choice.interpreter.version))})")
    output.row("agent-style", choice.style_folder or "not found; writes get no style advisory")
    output.row("command", handlers[0].command)
    output.row("on failure", _failure(choice.fail_open, version))
    codex_target.report(codex)
    output.row("Codex asks", asks)
    output.notes([*planned.notes, *_lacks(version, handlers)])
    if choice.by_hand:
        output.line(f"\n{_PASTE.format(settings=where.settings)}\n\n{snippet.settings(handlers)}")
    if choice.proof:
        _prove(handlers[0].command if choice.by_hand else selftest.wired_command(where), _undo(choice))
    output.line()
    if choice.codex.trust:
        codex_target.report(codex_target.trust(codex, where, choice.interpreter.path, choice.codex))
    clients = "Claude Code and Codex" if codex.states else "Claude Code"
    output.line(f"Restart {clients}; sessions that are open now may still run without the guard.")
    output.line(f"To undo: {_undo(choice)}")


def _handlers(where: Places, choice: Choice, version: tuple[int, int, int] | None) -> list[claude.Handler]:
    """What this client takes: for an event that it does not know, an old one drops the whole settings file.

    A field that it does not know it ignores, so `onFailure` is written in any case: the client updates itself.
    """
    watches = client.knows_config_change(version, where.config)
    starts = client.knows_session_start(version)
    return claude.handlers(choice.interpreter.path, where, not choice.fail_open, watches, starts)


def _planned(where: Places, choice: Choice, wanted: plan.Wanted) -> Plan:
    """The plan for Claude Code; where only a person can edit its settings, the error says what to paste."""
    found = places.snapshot(where)
    found.others |= codex_target.naming(where)
    try:
        return plan.deploy(found, where, wanted) if choice.by_hand else plan.install(found, where, wanted)
    except claude.UnreadableError as error:
        entries = snippet.settings(list(wanted.handlers.values()))
        raise InstallError(f"{error}\n{_BY_HAND}\n\n{entries}") from None


def _lacks(version: tuple[int, int, int] | None, handlers: list[claude.Handler]) -> list[str]:
    """What this client cannot do for the guard, a note each."""
    name = f"Claude Code {_dotted(version)}" if version else "A Claude Code that does not show its version"
    events = [handler.event for handler in handlers]
    notes = []
    if version and version < client.KNOWS_DENY:
        notes.append(
            f"{name} runs calls that a hook denies, so nothing is guarded; {_dotted(client.KNOWS_DENY)} blocks them."
        )
    if not client.asks(version):
        least = _dotted(client.KNOWS_ASK)
        notes.append(f"{name} runs what the guard asks about where your permission rules allow it; {least} asks.")
    if claude.START not in events:
        notes.append(f"{name} does not know {claude.START}, so no session is checked at its start.")
    if claude.CONFIG not in events:
        notes.append(
            f"{name} may not know {claude.CONFIG}, and would then drop all its settings for it. So it is not wired: a "
            "change of the settings that switches the guard off is not stopped. Update to "
            f"{_dotted(client.KNOWS_CONFIG_CHANGE)} or later and run `guardhook install` again."
        )
    return notes


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _preview(planned: Plan, release: deploy.Release, where: Places) -> None:
    folder = os.path.join(where.releases, release.name)
    if deploy.is_whole(folder, release):
        output.line(f"{folder} is there already.")
    else:
        output.line(f"These files, and what is compiled from them, would go to {folder}:")
        for path in release.files:
            output.line(f"  {path}")
    for edit in planned.edits:
        output.diff(edit)
    for folder in planned.folders:
        output.line(f"{folder} would be removed: no launcher names it any more.")
    output.notes(planned.notes)
    output.line("Nothing was written." if planned.edits else "Nothing was written, and no file would change.")


def _report(planned: Plan, where: Places, copies: list[str]) -> None:
    notes = {edit.path: edit.note for edit in planned.edits}
    for path in (where.guard, where.session):
        output.row("launcher", f"{path} ({'written' if path in notes else 'unchanged'})")
    output.row("settings", f"{where.settings} ({notes.get(where.settings, 'unchanged')})")
    for copy in copies:
        output.row("backup", copy)
    codex_target.prune(planned)
    for folder in planned.folders:
        output.row("removed", f"{folder} (an older release)")
    for path in planned.litter:
        output.row("removed", f"{path} (left by an installation that was cut off)")


def _failure(fail_open: bool, version: tuple[int, int, int] | None) -> str:
    name = f"Claude Code {_dotted(version)}" if version else ""
    if fail_open:
        return "a tool call runs unguarded when the guard cannot start (--fail-open)"
    if not client.blocks_on_failure(version):
        least = _dotted(client.KNOWS_ON_FAILURE)
        return f"a tool call runs unguarded when the guard cannot start: {name} cannot block it, {least} and later can"
    found = name or "no Claude Code of a known version was found; 2.1.295 and later do this"
    return f"a tool call is blocked when the guard cannot start ({found})"


def _prove(wired: str, undo: str) -> None:
    proof = selftest.Proof(selftest.fire(wired, selftest.DENIED), selftest.fire(wired, selftest.PASSED))
    output.line()
    output.heading("Proof: the wired command, fired from an empty folder")
    for shot in (proof.denied, proof.passed):
        answer = shot.output or "no output"
        output.row(f"{shot.command:<14}", f"exit status {shot.status} after {shot.milliseconds:.0f} ms: {answer}")
        if shot.error:
            output.line(f"  standard error: {shot.error}")
    if proof.flaw:
        raise InstallError(f"The proof failed: {proof.flaw}.\nThe guard is wired all the same; to undo: {undo}")


def _undo(choice: Choice) -> str:
    return f"{output.own_command()} uninstall" + (
        f" --config-dir {claude.quoted(choice.config_dir)}" if choice.config_dir else ""
    )
