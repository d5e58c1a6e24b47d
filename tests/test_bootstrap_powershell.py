"""bootstrap.ps1, as far as reading can check it: two parsers accept it, and it does what bootstrap.sh does."""

import re
from pathlib import Path

import tree_sitter_powershell
from tree_sitter import Language, Parser

from guardhook.shell.powershell import lexer

ROOT = Path(__file__).parent.parent
SCRIPT = (ROOT / "bootstrap" / "bootstrap.ps1").read_text("utf-8")
BASH = (ROOT / "bootstrap" / "bootstrap.sh").read_text("utf-8")

# Functions of its own, and the cmdlets of Windows PowerShell 5.1 that it needs.
KNOWN = {
    *("Read-Output", "Find-Python", "Get-Fingerprint", "Test-Program", "Invoke-Step"),
    *(
        "Split-Path",
        "Join-Path",
        "Test-Path",
        "New-Item",
        "Get-Content",
        "Get-ChildItem",
        "Get-FileHash",
        "Get-Command",
    ),
    *("Where-Object", "ForEach-Object", "Select-Object", "Out-String", "Out-Null", "Write-Output"),
}


def test_both_parsers_read_it_to_the_end() -> None:
    tree = Parser(Language(tree_sitter_powershell.language())).parse(SCRIPT.encode())
    assert not tree.root_node.has_error
    assert lexer.read(SCRIPT).flaw == ""


def test_it_calls_nothing_but_what_it_needs() -> None:
    commands = [command for command in lexer.read(SCRIPT).commands if command.words]
    called = {command.words[0].text for command in commands if not command.words[0].parts}
    assert called == KNOWN
    started = [SCRIPT[c.words[0].start : c.words[0].end] for c in commands if c.words[0].parts]
    assert started == ["$found.Source", "$Name", "$program"]


def test_it_ends_by_installing_with_the_arguments_it_got() -> None:
    last = [command for command in lexer.read(SCRIPT).commands if command.words][-1]
    assert SCRIPT[last.words[0].start : last.end] == "$program install @args"
    assert SCRIPT.rstrip().endswith("exit $LASTEXITCODE")


def test_it_makes_the_environment_from_the_same_sources() -> None:
    match = re.search(r"checkout / name for name in \(([^)]*)\)", BASH)
    assert match
    wanted = re.findall(r'"([^"]+)"', match[1])
    (names,) = re.findall(r"foreach \(\$name in ('pyproject[^)]*)\)", SCRIPT)
    assert re.findall(r"'([^']+)'", names) == wanted
    for name in wanted:
        assert (ROOT / name).exists()
    for folder in ("scripts", "src"):
        assert f"'{folder}'" in SCRIPT
        assert f'checkout / "{folder}"' in BASH


def test_it_is_plain_ascii_without_what_5_1_lacks() -> None:
    """Windows PowerShell reads a file without a byte order mark in the system's code page, and has no && or ??."""
    assert SCRIPT.isascii()
    assert "\r" not in SCRIPT
    assert not {command.after for command in lexer.read(SCRIPT).commands} & {"&&", "||"}
    assert "??" not in SCRIPT
