"""`guardhook status`: one screen that says what is installed, wired, trusted and alive."""

import json
import os
from typing import Any

import click

import guardhook
from guardhook.cli import output
from guardhook.health import examination, summary, survey
from guardhook.health.examination import Examination
from guardhook.verdict import shown

_UNKNOWN = "(none found, or of unknown version)"
_LONGEST = 1000  # characters of a line; some of it comes from files of anybody's


@click.command(name="status")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document for programs.")
@click.option(
    "--config-dir", metavar="DIR", default="", help="Claude Code's folder [default: $CLAUDE_CONFIG_DIR or ~/.claude]."
)
def command(as_json: bool, config_dir: str) -> None:
    """Show what is installed, wired, trusted and alive, for each agent.

    Reads files and starts the wired interpreter once; runs no hook, and no agent. `guardhook doctor` looks closer.
    """
    found = examination.examine(config_dir, survey.here(), os.environ, fire=False)
    values: dict[str, Any] = summary.compose(found.survey) if found.survey else {}
    if as_json:
        values["findings"] = [finding.code for finding in found.findings]
        click.echo(json.dumps(values, indent=2))
        return
    output.heading(f"guardhook {guardhook.__version__}")
    if found.survey:
        _claude(values["claude"])
        _code(values)
        _codex(values["codex"])
        _surroundings(values)
    _end(found)


def _claude(values: dict[str, Any]) -> None:
    output.heading(_text(f"Claude Code {values['version'] or _UNKNOWN} in {values['folder']}"))
    wired = ", ".join(values["wired"]) or "nothing"
    lacking = f"; not {', '.join(values['not_wired'])}" if values["not_wired"] else ""
    _row("wired", f"{wired}{lacking} (in {values['settings']})")
    _row("hooks", f"switched off in {', '.join(values['disabled_in'])}" if values["disabled_in"] else "on")
    version = values["version"]
    unknown = f": {version} does not know onFailure" if version and values["ignores_on_failure"] else ""
    _row("on failure", _failure(values["on_failure"]) + unknown)


def _code(values: dict[str, Any]) -> None:
    for python in values["pythons"]:
        said = f"Python {python['version']}" if python["version"] else ""
        _row("Python", f"{python['path']} ({', '.join(filter(None, (said, python['detail']))) or 'no answer'})")
    code = values["code"]
    fits = {True: "as the installed program has it", None: "not comparable with the installed program"}
    state = fits.get(code["current"], f"the installed program is {values['guardhook']}, and would deploy another")
    _row("code", f"{code['release']} ({state})" if code["release"] else "nothing is deployed")
    style = f"{code['agent_style'] or 'gone'} in {code['agent_style_folder']}"
    _row("agent-style", style if code["agent_style_folder"] else "not used")


def _codex(values: dict[str, Any]) -> None:
    if not values["folder"]:
        output.heading("Codex: none here")
        return
    output.heading(_text(f"Codex {values['version'] or _UNKNOWN} in {values['folder']}"))
    if values["refused"]:
        _row("wired", f"nothing: Codex refuses {values['hooks_file']}")
    elif not values["hooks"]:
        _row("wired", f"nothing (in {values['hooks_file']})")
    for hook in values["hooks"]:
        _row("wired", f"PreToolUse, entry {hook['entry']} (in {values['hooks_file']})")
        _row("trust", hook["trust"])
        _row("on failure", _failure(hook["on_failure"]))
    _row("asks", "yes, by rules of Codex" if values["asks"] else "no: what would be asked about runs")


def _surroundings(values: dict[str, Any]) -> None:
    output.heading("Environment")
    hatches = [f"{hatch['name']} ({hatch['place']})" for hatch in values["hatches"]]
    _row("hatches", f"open: {', '.join(hatches)}" if hatches else "none open")
    _row("BASH_ENV", values["bash_env"] or "not set")


def _row(label: str, text: str) -> None:
    output.row(label, _text(text))


def _text(text: str) -> str:
    return shown(text, _LONGEST)


def _failure(what: str) -> str:
    if what == summary.NOT_WIRED:
        return "every call runs: no guard is wired"
    verb = "is blocked" if what == summary.BLOCKED else what
    return f"a call {verb} when the guard cannot start"


def _end(found: Examination) -> None:
    if not found.findings:
        output.line("Nothing is wrong, as far as can be seen without firing a hook (guardhook doctor does that).")
        return
    codes = ", ".join(dict.fromkeys(finding.code for finding in found.findings))
    output.line(f"{found.tally}: {codes}. `guardhook doctor` says what to do.")
