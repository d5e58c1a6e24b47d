"""What each kind of call imports (docs/architecture.md, rule 5): the sets are pinned, so that none grows unseen.

Taken from whole processes, started as wired: `python -I -S`. A set may shrink; anything new in it is a decision.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent / "src"

# Of the standard library, beyond what a bare interpreter has: C modules only.
STANDARD = {"_json", "gc"}

CORE = {
    "guardhook",
    "guardhook.agents",
    "guardhook.agents.claude",
    "guardhook.call",
    "guardhook.context",
    "guardhook.engine",
    "guardhook.gates",
    "guardhook.gates.banner",
    "guardhook.hatches",
    "guardhook.hook",
    "guardhook.verdict",
}
SHELL = CORE | {
    "guardhook.shell",
    "guardhook.shell.commands",
    "guardhook.shell.programs",
    "guardhook.shell.unwrap",
    "guardhook.shell.wrappers",
}
PLAIN = SHELL | {
    "guardhook.shell.bash",
    "guardhook.shell.bash.chains",
    "guardhook.shell.bash.cursor",
    "guardhook.shell.bash.lexer",
    "guardhook.shell.bash.pieces",
    "guardhook.shell.bash.quotes",
    "guardhook.shell.bash.words",
}
POWERSHELL = SHELL | {
    "guardhook.shell.powershell",
    "guardhook.shell.powershell.cursor",
    "guardhook.shell.powershell.lexer",
    "guardhook.shell.powershell.records",
    "guardhook.shell.powershell.words",
}
GLANCE = {"guardhook.gates.self_protection", "guardhook.style", "guardhook.style.recorded"}
EDITOR = (
    CORE
    | GLANCE
    | {
        "guardhook.gates.advisory",
        "guardhook.gates.writing",
        "guardhook.prose",
        "guardhook.prose.scope",
    }
)
RICH = PLAIN | {
    "guardhook.shell.bash.backquotes",
    "guardhook.shell.bash.compounds",
    "guardhook.shell.bash.escapes",
    "guardhook.shell.bash.expansions",
    "guardhook.shell.bash.heredocs",
    "guardhook.shell.bash.lookahead",
}
GIT = {
    "guardhook.gates.risk",
    "guardhook.gates.risk.git",
    "guardhook.gates.risk.rows",
    "guardhook.shell.git",
    "guardhook.shell.options",
}
OPENING = {
    "guardhook.shell.braces",
    "guardhook.shell.expansion",
    "guardhook.shell.opening",
    "guardhook.shell.options",
    "guardhook.shell.payloads",
    "guardhook.shell.variables",
    "guardhook.shell.wrappers.rows",
}

CALLS: dict[str, tuple[str, dict[str, str], set[str]]] = {
    "Read": ("Read", {"file_path": "/srv/a"}, CORE),
    "Write, code": ("Write", {"file_path": "/srv/a.py", "content": "x"}, EDITOR),
    "Write, prose": (
        "Write",
        {"file_path": "/srv/a.md", "content": "x"},
        EDITOR | {"guardhook.prose.table", "guardhook.prose.words"},
    ),
    "Bash, plain": ("Bash", {"command": "A=1; ls -la 'a b' | grep \"x y\" > f && make"}, PLAIN | GLANCE),
    "Bash, expansions": ("Bash", {"command": "for x in *; do echo $x $(ls) <<E\nE\ndone"}, RICH),
    "Bash, everyday git": ("Bash", {"command": "git log -3"}, PLAIN | {"guardhook.gates.risk"}),
    "Bash, git with options": ("Bash", {"command": "git -C a log"}, PLAIN | GIT),
    "Bash, git init": (
        "Bash",
        {"command": "git init x"},
        PLAIN
        | {
            "guardhook.gates.init_shapes",
            "guardhook.gates.init_site",
            "guardhook.gates.init_target",
            "guardhook.gates.nested_init",
            "guardhook.gates.risk",
            "guardhook.prose",
            "guardhook.prose.scope",
            "guardhook.shell.directory",
            "guardhook.shell.git",
            "guardhook.shell.options",
            "guardhook.shell.runs",
        },
    ),
    "Bash, ask": ("Bash", {"command": "git push"}, PLAIN | GIT),
    "Bash, deny": (
        "Bash",
        {"command": "cd a && git status"},
        PLAIN | GIT | {"guardhook.gates.cd_rewrite", "guardhook.gates.compound_cd"},
    ),
    "Bash, wrapper": (
        "Bash",
        {"command": "bash -c 'ls'"},
        PLAIN | OPENING | {"guardhook.shell.stdin", "guardhook.shell.wrappers.shells"},
    ),
    "Bash, a write that holds no banned word": (
        "Bash",
        {"command": "ls > files.txt"},
        PLAIN
        | GLANCE
        | {"guardhook.gates.shell_prose", "guardhook.prose", "guardhook.prose.table", "guardhook.prose.words"},
    ),
    "Monitor": ("Monitor", {"command": "ls"}, PLAIN),
    "PowerShell": ("PowerShell", {"command": "ls src | select x; dotnet build"}, POWERSHELL),
    "PowerShell, ask": ("PowerShell", {"command": "git push"}, POWERSHELL | GIT),
    "PowerShell, delete": (
        "PowerShell",
        {"command": "Remove-Item -Recurse x"},
        POWERSHELL
        | GLANCE
        | {
            "guardhook.gates.risk",
            "guardhook.gates.risk.delete_windows",
            "guardhook.gates.risk.rows",
            "guardhook.shell.options",
            "guardhook.shell.parameters",
        },
    ),
}

SCRIPT = """
import sys
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
from guardhook import hook
hook.answer(sys.stdin.buffer.read(), [])
print("\\n".join(sorted(set(sys.modules) - before)))
"""


@pytest.mark.parametrize("name", CALLS)
def test_imports_of_a_call(name: str) -> None:
    tool, fields, expected = CALLS[name]
    payload = json.dumps({"tool_name": tool, "tool_input": fields, "cwd": "/srv"})
    command = [sys.executable, "-I", "-S", "-c", SCRIPT, str(SOURCES)]
    done = subprocess.run(command, input=payload, capture_output=True, text=True, check=True)
    found = set(done.stdout.split())
    own = {module for module in found if module.partition(".")[0] == "guardhook"}
    assert own == expected
    assert found - own <= STANDARD
