"""What the real ask on Codex needs on the disk: the program, the rules that prompt for it, and a copy of the rules.

The copy lies beside the launcher and switches the rewriting on: the hook compares Codex's rules file with it. It is
written last and removed first, so that no call is ever rewritten for rules that are not there.
"""

import json
import os
import shutil
import subprocess
import tempfile

from guardhook.agents import codex_ask
from guardhook.gates import RISKY
from guardhook.install import InstallError
from guardhook.install.places import read_file
from guardhook.install.plan import Edit, Plan

LIMIT = 20.0  # seconds for one `codex execpolicy check`, which takes a fraction of one
GENERAL = "guardhook: this can do what cannot be taken back; the acts are named in front of the --"
# Linux cuts a script's first line off behind 127 bytes before 5.1, and passes what follows the program as one argument.
_MAX_SHEBANG = 120
_OPTIONS = "-ISXutf8"
_MARK = b"guardhook-ask CODE"


class AskPlaces:
    """program, copy: beside the launcher. rules: in Codex's home."""

    __slots__ = ("copy", "program", "rules")

    def __init__(self, folder: str, home: str) -> None:
        """folder: where the launcher really lies. home: Codex's. Both absolute."""
        self.program = os.path.join(folder, codex_ask.PROGRAM)
        self.copy = os.path.join(folder, codex_ask.COPY)
        self.rules = os.path.join(home, *codex_ask.RULES.split("/"))


def home() -> str:
    """Codex's home: $CODEX_HOME, else ~/.codex."""
    return os.path.abspath(os.path.expanduser(os.environ.get("CODEX_HOME") or "~/.codex"))


def codes() -> list[str]:
    """Every code that has a rule of its own: those of the rows, and those that no row has."""
    modules = sorted({name for table in RISKY.values() for name in table.values()})
    found = set(codex_ask.ROWLESS)
    for module in modules:
        found.update(row.code for row in __import__(f"guardhook.gates.risk.{module}", None, None, ["ROWS"]).ROWS)
    return sorted(found)


def rules(program: str) -> bytes:
    """The rules file for a program: one rule on the program itself, one for each code.

    Codex shows the justification of the longest rule that fits. Raises InstallError for a path that Codex's rules
    could not see: where it has to be quoted, nothing would match and everything would run unasked.
    """
    if not codex_ask.is_plain(program):
        raise InstallError(
            f"{program} cannot be named in Codex's rules: only letters, digits and . _ - / may stand in the path. "
            "Without --codex-ask, guardhook can be installed there."
        )
    lines = [
        f"{codex_ask.HEAD}{program}",
        "# Codex asks a person before what these name; guardhook's hook hands such commands to that program.",
        "# Written by `guardhook install --codex-ask`. Put yours into another file: a change here ends the asking.",
        _rule([program], GENERAL),
    ]
    for code in codes():
        label, why = codex_ask.act(code)
        lines.append(_rule([program, code], f"guardhook: {label}: {why}"))
    return ("\n".join(lines) + "\n").encode()


def _rule(pattern: list[str], justification: str) -> str:
    """A JSON string of ASCII is a Starlark string too."""
    return f'prefix_rule(pattern={json.dumps(pattern)}, decision="prompt", justification={json.dumps(justification)})'


def program(interpreter: str, source: bytes) -> bytes:
    """The program as it is deployed. interpreter: absolute path. source: `scripts/guardhook-ask`."""
    first = f"#!{interpreter} {_OPTIONS}"
    if len(first.encode()) > _MAX_SHEBANG or not codex_ask.PLAIN.issuperset(interpreter):
        # The second line is a command for a shell and a string for Python.
        first = f"#!/bin/sh\n'''exec' {codex_ask.quoted(interpreter)} {_OPTIONS} \"$0\" \"$@\"\n' '''"
        if "'" in interpreter:
            raise InstallError(f"{interpreter} cannot run guardhook-ask: there is a quote in its path.")
    return first.encode() + b"\n" + source.partition(b"\n")[2]


def is_installed(where: AskPlaces) -> bool:
    """True where the ask was installed before, whole or in part. Raises InstallError for what cannot be read."""
    return read_file(where.copy) is not None


def install(where: AskPlaces, interpreter: str, source: bytes) -> list[Edit]:
    """The edits that put the ask in place (SPEC X5). Raises InstallError where a file of somebody else's is."""
    text = rules(where.program)
    wanted = (
        (where.program, program(interpreter, source), "what runs a command that was approved", _MARK, 0o755),
        (where.rules, text, "Codex's rules that make it ask", codex_ask.HEAD.encode(), 0o644),
        (where.copy, text, "a copy of the rules, which the hook compares", codex_ask.HEAD.encode(), 0o644),
    )
    edits = []
    for path, new, note, mark, mode in wanted:
        old = read_file(path)
        if old is not None and mark not in old:
            raise InstallError(f"{path} is not guardhook's; move it away to install the ask for Codex.")
        if old != new:
            edits.append(Edit(path, old, new, note, mode=mode))
    return edits


def uninstall(where: AskPlaces) -> list[Edit]:
    """The edits that take the ask away. A rules file that was changed by hand still goes: it names our program.

    One that names the program of another installation stays: that one's asks hang on it.
    """
    edits = []
    head = f"{codex_ask.HEAD}{where.program}\n".encode()
    marks = {where.copy: codex_ask.HEAD.encode(), where.rules: head, where.program: _MARK}
    for path, mark in marks.items():
        old = read_file(path)
        if old is not None and mark in old:
            edits.append(Edit(path, old, None, "the real ask on Codex"))
    return edits


def add(plan: Plan, folder: str, wanted: bool | None, interpreter: str, source: bytes) -> str:
    """Add to an installation's plan what the ask needs, or take it away; the result says so in words (SPEC X5).

    folder: where the launcher really lies. wanted: None keeps the ask as it is, brought up to date.
    interpreter, source: as for `install`. Raises InstallError, also where a Codex on PATH does not take the rules.
    Where the ask is only kept this is a note: it must keep nobody from bringing the guard up to date.
    """
    where = AskPlaces(folder, home())
    if wanted is False:
        remove(plan, folder)
    if wanted is False or (wanted is None and not is_installed(where)):
        return "no: where a person should be asked, calls run (install --codex-ask changes that)"
    try:
        _add(plan, where, interpreter, source)
    except InstallError as error:
        if wanted:
            raise
        plan.notes.append(str(error))
        return f"not for certain: {where.rules} or what belongs to it has a flaw"
    return f"yes, by {where.rules}; sessions that are open now may not know it yet"


def _add(plan: Plan, where: AskPlaces, interpreter: str, source: bytes) -> None:
    if not os.path.isdir(home()):
        raise InstallError(f"There is no Codex home at {home()}, so nothing can be asked there.")
    edits = install(where, interpreter, source)
    codex = shutil.which("codex")
    if codex is None:
        plan.notes.append("There is no codex on PATH, so its own reading of the rules was not tried.")
    else:
        prove(where, codex)
    plan.edits.extend(edits)


def remove(plan: Plan, folder: str) -> None:
    """Add to a plan what takes the ask away."""
    where = AskPlaces(folder, home())
    plan.edits.extend(uninstall(where))
    plan.empty.append(os.path.dirname(where.rules))


def prove(where: AskPlaces, codex: str) -> None:
    """Let Codex itself try the rules, with every other rules file of its home (`codex execpolicy check`).

    Together, since one file that it cannot read makes it drop the rules of all files and go on. Nothing is written.
    codex: the program. Raises InstallError if Codex would not ask for our program, or would for another.
    """
    folder = os.path.dirname(where.rules)
    others = [os.path.join(folder, name) for name in sorted(_names(folder)) if name.endswith(".rules")]
    with tempfile.TemporaryDirectory(prefix="guardhook-rules-") as scratch:
        own = os.path.join(scratch, os.path.basename(where.rules))
        with open(own, "wb") as file:
            file.write(rules(where.program))
        files = [own, *(path for path in others if path != where.rules)]
        for words in ([where.program, "git.push", "--", "sh"], [where.program, "--", "sh"]):
            found = decide(codex, files, words, scratch)
            if found != "prompt":
                raise InstallError(f"By its rules Codex would {found or 'say nothing'} where it has to ask.")
        if decide(codex, [own], ["ls"], scratch):
            raise InstallError("Codex applies guardhook's rules to commands that are not guardhook's.")


def decide(codex: str, files: list[str], words: list[str], scratch: str) -> str:
    """What Codex decides about a command by these rules files alone: `allow`, `prompt`, `forbidden`, "" for no rule.

    scratch: a folder that it may take for its home. Raises InstallError if it cannot read the rules.
    """
    options = [text for path in files for text in ("--rules", path)]
    try:
        run = subprocess.run(
            [codex, "execpolicy", "check", *options, "--", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            env={**os.environ, "HOME": scratch, "CODEX_HOME": scratch},
            cwd=scratch,
            timeout=LIMIT,
        )
        if run.returncode == 0:
            return str(json.loads(run.stdout).get("decision", ""))
        cause = run.stderr.decode("utf-8", "replace").strip()
    except (OSError, ValueError, AttributeError, subprocess.TimeoutExpired) as error:
        cause = str(error)
    raise InstallError(f"`codex execpolicy check` fails, so Codex may drop all its rules:\n{cause[-1500:]}")


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
