"""The Bash lexer against bash itself and against shfmt, on random text that `bash -n` accepts."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from guardhook.shell.bash import lexer
from guardhook.shell.commands import LITERAL, UNKNOWN, Command, Reading, Redirection
from tests.shell.bash import BASH, accepted, needs_bash
from tests.shell.grammar import Grammar
from tests.shell.quoting import Quoting

SHFMT = shutil.which("shfmt", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
WRITES = frozenset((">", ">>", ">|", "&>", "&>>", "<>", ">&"))
Facts = tuple[list[str], list[str], list[str]]


def is_file(operator: str, target: str) -> bool:
    """True if the redirection writes to a file that has a name: no descriptor, no process substitution."""
    duplicates = operator == ">&" and (target.rstrip("-").isdigit() or target == "-")
    return operator in WRITES and not duplicates


# What the lexer saw.


def seen(reading: Reading) -> Facts:
    """Command names, write targets and assigned names, each sorted."""
    commands = reading.commands
    names = [name_of(command) for command in commands if command.words]
    targets = [
        redirection.target for command in commands for redirection in command.redirections if writes(redirection)
    ]
    assigned = [assignment.name for command in commands if not is_loop(command) for assignment in command.assignments]
    return sorted(names), sorted(target.text for target in targets), sorted(assigned)


def name_of(command: Command) -> str:
    """The command word; behind `time`, which the lexer leaves in front of simple commands."""
    words = [word.text for word in command.words]
    while words[0] in ("time", "-p") and len(words) > 1:
        words.pop(0)
    return words[0]


def writes(redirection: Redirection) -> bool:
    target = redirection.target
    process = (
        len(target.parts) == 1 and target.parts[0].kind != LITERAL and target.parts[0].text.startswith((">(", "<("))
    )
    return is_file(redirection.operator, target.text) and not process


def is_loop(command: Command) -> bool:
    return command.carrier and bool(command.assignments)


# What shfmt saw.


def value(parts: list[dict[str, Any]]) -> str:
    """The value of a shfmt word after quote removal, UNKNOWN for every expansion."""
    return "".join([part_value(part) for part in parts])


def part_value(part: dict[str, Any], quoted: bool = False) -> str:
    kind = part["Type"]
    if kind == "Lit":
        return literal(part["Value"], quoted)
    if kind == "SglQuoted":
        text: str = part.get("Value", "")
        return text.encode("latin-1", "backslashreplace").decode("unicode_escape") if part.get("Dollar") else text
    if kind == "DblQuoted":
        return "".join([part_value(inner, True) for inner in part.get("Parts", [])])
    if kind == "ExtGlob":
        return f"{part['Op']}{part['Pattern']['Value']})"
    return UNKNOWN


def literal(text: str, quoted: bool) -> str:
    out = []
    characters = iter(text)
    for c in characters:
        if c != "\\":
            out.append(c)
            continue
        following = next(characters, "")
        if following != "\n":
            out.append(following if not quoted or following in '$`"\\' else c + following)
    return "".join(out)


class Tree:
    """The facts of one shfmt tree."""

    def __init__(self, node: Any) -> None:
        self.names: list[str] = []
        self.targets: list[str] = []
        self.assigned: list[str] = []
        self.walk(node)

    def facts(self) -> Facts:
        return sorted(self.names), sorted(self.targets), sorted(self.assigned)

    def walk(self, node: Any) -> None:
        if isinstance(node, list):
            for child in node:
                self.walk(child)
        elif isinstance(node, dict):
            self.node(node)
            for child in node.values():
                self.walk(child)

    def node(self, node: dict[str, Any]) -> None:
        kind = node.get("Type")
        if kind == "CallExpr":
            if node.get("Args"):
                self.names.append(value(node["Args"][0]["Parts"]))
            self.assigned += [assign["Name"]["Value"] for assign in node.get("Assigns", [])]
        elif kind == "DeclClause":
            self.names.append(node["Variant"]["Value"])
        for redirection in node.get("Redirs", []):
            word = redirection.get("Word")
            if word and is_file(redirection["Op"], value(word["Parts"])) and word["Parts"][0]["Type"] != "ProcSubst":
                self.targets.append(value(word["Parts"]))


def shfmt(text: str) -> "Facts | None":
    """What shfmt sees in the text; None if it rejects it."""
    assert SHFMT
    run = subprocess.run([SHFMT, "-ln", "bash", "--to-json"], input=text.encode(), capture_output=True, check=False)
    return Tree(json.loads(run.stdout)).facts() if run.returncode == 0 else None


# The tests.

PROGRAMS = 3600
COMMANDS = 4000

# Where the lexer differs from shfmt on purpose. In arithmetic it looks for the closing parenthesis without reading a
# `case` or a here-document, as bash itself does for `$(( ))` (`4: command not found`), and takes what follows for
# commands: one more command, whose name is unknown, and none less.
EXCEPTIONS = [
    "echo $((  $(case x in x) echo 4;; esac) ))",
    "(( $(case x in x) echo 5;; esac) ))",
    "echo $(( $(cat <<E\n)\nE\n) ))",
]


@needs_bash
def test_random_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever bash accepts has no flaw, and its commands, write targets and assignments are those that shfmt sees."""
    grammar = Grammar(20)
    texts = accepted([grammar.program() for _ in range(PROGRAMS)], tmp_path)
    compared = 0
    for text in texts:
        reading = lexer.read(text)
        assert reading.flaw == "", text
        facts = shfmt(text)
        if facts is not None:
            compared += 1
            assert seen(reading) == facts, text
    with capsys.disabled():
        print(f"\n{len(texts)} of {PROGRAMS} programs valid, {compared} read by shfmt, no difference")
    assert len(texts) >= 3000
    assert compared >= 2700


@needs_bash
@pytest.mark.parametrize("text", EXCEPTIONS)
def test_exceptions(text: str, tmp_path: Path) -> None:
    assert accepted([text], tmp_path)
    facts = shfmt(text)
    assert facts is not None
    names, targets, assigned = seen(lexer.read(text))
    assert names[0] == UNKNOWN
    assert (names[1:], targets, assigned) == facts


@needs_bash
def test_quoting(tmp_path: Path) -> None:
    """Words, here-document bodies and here-strings are what bash hands to a command that it does not find."""
    quoting = Quoting(7)
    commands = [quoting.command() for _ in range(COMMANDS)]
    script = """command_not_found_handle() { local line; printf '%s\\0' "$@" ""; [[ -t 0 ]] || IFS= read -r -d "" line
        printf '%s\\0\\1\\0' "$line"; }\nset -f +B +H\n"""
    path = tmp_path / "script"
    path.write_text(script + "".join(commands), encoding="utf-8", newline="")
    environment = {"LC_ALL": "C.UTF-8", "PATH": str(tmp_path / "empty")}
    command = [BASH, "--restricted", path]  # no program but its own and no file can be reached
    run = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, cwd=tmp_path, check=False
    )
    given = run.stdout.decode("utf-8", "surrogateescape").split("\0\1\0")[:-1]
    assert len(given) == COMMANDS
    for text, arguments in zip(commands, given, strict=True):
        reading = lexer.read(text)
        (command,) = reading.commands
        found = [word.text for word in command.words] + ["", standard_input(command)]
        assert "\0".join(found) == arguments, text
        assert not reading.flaw


def standard_input(command: Command) -> str:
    for redirection in command.redirections:
        return redirection.target.text + "\n" if redirection.body is None else redirection.body.text
    return ""
