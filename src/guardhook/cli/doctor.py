"""`guardhook doctor`: fire the wired commands as the agents do, and name what is broken with the step that mends it."""

import json
import os

import click

import guardhook
from guardhook.cli import output
from guardhook.health import examination, findings, survey
from guardhook.health.examination import Examination
from guardhook.health.findings import Finding
from guardhook.health.probe import Probe
from guardhook.health.shooting import Result
from guardhook.install import claude
from guardhook.verdict import shown

_COLOURS = {findings.FAULT: "red", findings.WARNING: "yellow"}


@click.command(name="doctor")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document for programs.")
@click.option(
    "--config-dir", metavar="DIR", default="", help="Claude Code's folder [default: $CLAUDE_CONFIG_DIR or ~/.claude]."
)
def command(as_json: bool, config_dir: str) -> None:
    """Find out whether the guard works, and say how to mend what does not.

    Runs the very commands that the settings name, with made-up calls that must be denied, asked about and let pass.
    Changes nothing. Exit status 1 if something that guards is broken.
    """
    try:
        found = examination.examine(config_dir, survey.here(), os.environ, fire=True)
    except OSError as error:
        raise output.Failure(f"There is no place for temporary files: {error}.") from None
    for finding in found.findings:
        finding.mend = _aimed(finding.mend, config_dir)
    if as_json:
        click.echo(json.dumps(_values(found), indent=2))
    else:
        if found.probe:
            _fired(found.probe)
        for finding in found.findings:
            _named(finding)
        output.line(f"{found.tally}." if found.findings else "Nothing is wrong.")
    raise SystemExit(1 if found.faults else 0)


def _values(found: Examination) -> dict[str, object]:
    probe = found.probe or Probe()
    return {
        "guardhook": guardhook.__version__,
        "findings": [finding.value() for finding in found.findings],
        "probes": [result.value() for result in probe.results],
        "bare_start_milliseconds": {path: round(milliseconds, 1) for path, milliseconds in probe.bare.items()},
    }


def _fired(probe: Probe) -> None:
    entry = None
    for result in probe.results:
        if result.entry is not entry:
            entry = result.entry
            output.heading(f"{result.agent}: {entry.event}, entry {entry.number} of {shown(entry.file, 1000)}")
        output.row(f"{result.call:<26}", _answer(result))
    for path, milliseconds in probe.bare.items():
        output.line(f"For comparison, a bare start of {path}: {milliseconds:.0f} ms.")
    if probe.results:
        output.line()


def _answer(result: Result) -> str:
    if result.run is None:
        return f"not fired: {result.note}"
    answer = result.answer or f"exit status {result.run.status}"
    wrong = f" (expected: {result.expected})" if result.answer != result.expected else ""
    note = f" ({result.note})" if result.note else ""
    return f"{answer:<5} {result.milliseconds:>5.0f} ms{wrong}{note}"


def _named(finding: Finding) -> None:
    click.secho(f"{finding.severity} {finding.code}: {finding.meaning}", fg=_COLOURS[finding.severity], bold=True)
    if finding.file:
        output.row("where", shown(finding.file, 1000))
    if finding.detail:
        output.row("seen", finding.detail)
    output.row("mend", finding.mend)


def _aimed(mend: str, config_dir: str) -> str:
    """The step as it can be typed here: for another folder than the usual one, and by a path where that is needed."""
    more = f" --config-dir {claude.quoted(config_dir)}" if config_dir else ""
    return mend.replace(findings.INSTALL, f"{output.own_command()} install{more}")
