"""`guardhook explain`: what the guard makes of a command, and why (SPEC K2).

It prints the trace of `engine.judge` and what the shared readers saw, and decides nothing itself.
"""

import json
import os
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from guardhook import engine, hatches
from guardhook.agents import claude, codex, codex_ask
from guardhook.call import BASH, POWERSHELL, SHELLS, ToolCall
from guardhook.context import Context
from guardhook.gates import risk
from guardhook.install import places
from guardhook.shell.unwrap import Invocation
from guardhook.verdict import Decision, shown

# So much of a command is printed for a person, in characters.
SHOWN = 2_000

# --shell -> the tool that runs such a command, with its class.
_TOOLS = {"bash": ("Bash", BASH), "powershell": ("PowerShell", POWERSHELL)}

_AGENTS = {"claude": claude, "codex": codex}

_STYLES = {
    "deny": "bold red",
    "ask": "bold yellow",
    "advise": "cyan",
    "pass": "green",
    "declined": "blue",
    "off": "dim",
}
_MEANINGS = {
    "deny": "the agent is told no, and how to do it instead",
    "ask": "a person is asked before it runs",
    "advise": "it goes on, with a remark for the agent",
    "pass": "guardhook has nothing to say; the agent's own permissions decide",
}


@click.command(name="explain")
@click.argument("words", metavar="COMMAND", nargs=-1)
@click.option(
    "--payload", type=click.File("rb"), help="Judge a hook payload from a file (- for standard input) instead."
)
@click.option(
    "--shell",
    type=click.Choice(list(_TOOLS)),
    default="bash",
    show_default=True,
    help="The shell that COMMAND is written for.",
)
@click.option(
    "--agent",
    type=click.Choice(list(_AGENTS)),
    default="claude",
    show_default=True,
    help="The agent that would run it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def command(words: tuple[str, ...], payload: Any, shell: str, agent: str, as_json: bool) -> None:
    """Show how guardhook reads COMMAND, what each gate says of it, and what the agent would be told.

    Nothing is run. The escape hatches of this terminal's environment count, as they would for the hook.
    """
    if len(words) > 1:
        raise click.UsageError("give the COMMAND as one argument, in quotes: guardhook explain 'git push'")
    if bool(words) == (payload is not None):
        raise click.UsageError("give either a COMMAND, in quotes, or --payload FILE")
    tool = _TOOLS[shell]
    call = ToolCall(agent, *tool, words[0], os.getcwd()) if words else _AGENTS[agent].parse(payload.read())
    if call is None:
        raise click.ClickException("the payload is not one JSON object")
    context = Context(call, hatches.from_process())
    if agent == "codex":
        context.ask = _asker(context)
        codex_ask.unwrap(context)
    decision = engine.judge(call, context)
    handed_on = codex_ask.handed_on(decision, context)
    if as_json:
        click.echo(json.dumps({**_document(call, context, decision), "handed_on": handed_on or None}, indent=2))
    else:
        _Page().show(call, context, decision)
        if handed_on:
            click.echo(f"\nCodex is handed this instead, and asks:\n  {shown(handed_on, SHOWN)}")


def _asker(context: Context) -> str:
    """The program that Codex's rules ask about, if the ask is installed (SPEC X5); the hook finds it beside itself."""
    if not codex_ask.speaks(context.call):
        return ""
    return codex_ask.find(context.settings.environment, places.from_environment().releases)


def _outcome(decision: Decision) -> str:
    if decision.verdict is not None:
        return decision.verdict.kind
    return "advise" if decision.advice else "pass"


def _parts(context: Context) -> list[Invocation]:
    found = context.read
    return found.invocations if found is not None else []


def _finding(part: Invocation) -> tuple[str, str] | None:
    return risk.finding(part)


def _route(part: Invocation) -> list[str]:
    return [*part.layer.via, *part.prefixes]


def _document(call: ToolCall, context: Context, decision: Decision) -> dict[str, Any]:
    verdict = decision.verdict
    found = context.read
    return {
        "agent": call.agent,
        "tool": call.tool,
        "command": call.command,
        "path": call.path or None,
        "outcome": _outcome(decision),
        "code": verdict.code if verdict else None,
        "reason": verdict.reason if verdict else None,
        "rewrite": (verdict.rewrite or None) if verdict else None,
        "advice": decision.advice or None,
        "parts": [_part(part) for part in _parts(context)],
        "unread": found.flaws if found is not None else [],
        "gates": [{"gate": gate, "outcome": outcome, "why": why} for gate, outcome, why in decision.trace],
    }


def _part(part: Invocation) -> dict[str, Any]:
    finding = _finding(part)
    return {
        "segment": part.segment(),
        "program": part.name,
        "arguments": [argument.replace("\0", "?") for argument in part.arguments] or None,
        "through": _route(part),
        "local": part.local,
        "other_value": part.variant,
        "code": finding[0] if finding else None,
        "why": finding[1] if finding else None,
    }


class _Page:
    """The explanation for a person."""

    def __init__(self) -> None:
        self._console = Console(soft_wrap=True, highlight=False, markup=False)

    def show(self, call: ToolCall, context: Context, decision: Decision) -> None:
        outcome = _outcome(decision)
        what = shown(call.command, SHOWN) or shown(call.path, SHOWN) or "(no shell command)"
        self._heading("Call", f"{call.tool or 'a tool without a name'}: {what}")
        verdict = (
            Text("Verdict  ", "bold")
            .append(outcome.upper(), _STYLES[outcome])
            .append(f"  {_MEANINGS[outcome]}", "not bold")
        )
        self._console.print(verdict)
        if call.kind in SHELLS:
            self._show_parts(context)
        self._show_gates(decision)
        message = decision.verdict.reason if decision.verdict else decision.advice
        if message:
            self._console.print()
            self._console.print(Text("What is said", "bold"))
            for line in message.splitlines():
                self._console.print(Text("  " + line))

    def _heading(self, name: str, text: str) -> None:
        self._console.print(Text(f"{name:<9}", "bold").append(text, "not bold"))

    def _show_parts(self, context: Context) -> None:
        found = context.read
        if found is None:
            return
        self._console.print()
        self._console.print(Text("What would run", "bold"))
        for number, part in enumerate(found.invocations, 1):
            self._console.print(_line(number, part))
        for flaw in found.flaws:
            self._console.print(Text(f"  not all of it could be read: {flaw}", "yellow"))
        if not found.invocations:
            self._console.print(Text("  nothing"))

    def _show_gates(self, decision: Decision) -> None:
        self._console.print()
        self._console.print(Text("Gates, in order", "bold"))
        for gate, outcome, reason in decision.trace:
            why = "see below" if outcome in ("deny", "ask", "advise") else reason
            line = Text(f"  {gate:<18}").append(f"{outcome:<9}", _STYLES.get(outcome, ""))
            self._console.print(line.append(why, "dim"))
        if not decision.trace:
            self._console.print(Text("  no gate looks at this tool"))


def _line(number: int, part: Invocation) -> Text:
    line = Text(f"  {number}. ").append(shown(part.segment(), SHOWN))
    route = _route(part)
    if route:
        line.append(f"   through {' > '.join(route)}", "dim")
    if not part.local:
        line.append(" (not on this machine)", "dim")
    if part.variant:
        line.append(" (with another value of a variable)", "dim")
    finding = _finding(part)
    if finding is not None:
        line.append(f"\n     {finding[0]}", "bold yellow").append(f"  {finding[1]}", "yellow")
    return line
