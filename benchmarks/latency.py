"""What one hook call costs: whole processes, as wired and packed, against a bare interpreter in the same run.

Installs the guard into a folder of its own, takes the command line that the installer wired, and starts it over and
over, all cases once a round in shuffled order, so that a busy moment hits all of them alike. Prints medians and their
ratio to `python3 -I -S -c pass`. With `--check`, exits 1 if a ratio is above its bound.
"""

import argparse
import json
import os
import random
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# 10 KB of clean Markdown.
PROSE = "# Notes\n\n" + "Some plain words stand in this line, `code` among them, and it ends. \n" * 145

# As it is wired for Codex.
PATCH = "Codex patch, no prose"

# In a project that takes part in the session banner, its event acknowledged.
PROJECT = "Bash pass, with a banner"

PAYLOADS = {
    "Bash pass": ("Bash", {"command": "ls -la src && grep -rn TODO src | head -20"}, 1.20),
    PROJECT: ("Bash", {"command": "ls -la src && grep -rn TODO src | head -20"}, 1.30),
    "Bash pass, git": ("Bash", {"command": "git log --oneline -20"}, None),
    "Bash ask": ("Bash", {"command": "git add -A && git push origin main"}, 1.30),
    "Bash ask, wrapped": ("Bash", {"command": 'sudo bash -lc "git -C a fetch && git push" | tee x'}, None),
    "Bash deny": ("Bash", {"command": "cd sub && git status"}, 1.30),
    "PowerShell pass": (
        "PowerShell",
        {"command": "Get-ChildItem src -Recurse | Select-String TODO | Select-Object -First 20"},
        1.20,
    ),
    "PowerShell ask": ("PowerShell", {"command": "git add -A; git push origin main"}, 1.30),
    "PowerShell ask, delete": ("PowerShell", {"command": "Remove-Item -Recurse -Force build"}, None),
    PATCH: ("apply_patch", {"command": "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch\n"}, 1.30),
    "Read pass": ("Read", {"file_path": "/srv/a.txt"}, 1.15),
    "Write pass, 10 KB": ("Write", {"file_path": "/srv/a.md", "content": PROSE}, 1.35),
    "Bash deny, prose": ("Bash", {"command": "cat > a.md <<'E'\n" + PROSE + "pivotal\nE"}, None),
    "Bash pass, 100 KB": ("Bash", {"command": "echo one two three; " * 5_000}, 15.0),
}


def install(folder: Path) -> list[str]:
    """The argument vector of the command that the installer wires into a new configuration in `folder`."""
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"], "TMPDIR": str(folder)}
    if "PYTHONPATH" in os.environ:
        environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
    command = [sys.executable, "-m", "guardhook", "install", "--config-dir", str(folder / "claude"), "--no-proof"]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    settings = json.loads((folder / "claude" / "settings.json").read_text("utf-8"))
    wired: str = settings["hooks"]["PreToolUse"][-1]["hooks"][0]["command"]
    return shlex.split(wired)


def project(folder: Path) -> Path:
    """A project in `folder` whose session is acknowledged."""
    place = folder / "project" / ".agent-config"
    place.mkdir(parents=True)
    (place / "bootstrap.sh").write_text("")
    for name in ("session-event.json", "banner-emitted.json"):
        (place / name).write_text('{"ts": 1700000000.5}')
    return place.parent


def start(argv: list[str], stdin: Path, environment: dict[str, str], sink: int) -> float:
    """Wall time of one process in seconds."""
    source = os.open(stdin, os.O_RDONLY)
    actions = [(os.POSIX_SPAWN_DUP2, source, 0), (os.POSIX_SPAWN_DUP2, sink, 1), (os.POSIX_SPAWN_DUP2, sink, 2)]
    begin = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, environment, file_actions=actions)
    os.waitpid(pid, 0)
    took = time.perf_counter() - begin
    os.close(source)
    return took


def measure(folder: Path, rounds: int) -> dict[str, list[float]]:
    """Wall times in seconds for each case."""
    argv = install(folder)
    environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    bare = [argv[0], "-I", "-S", "-c", "pass"]
    empty = folder / "empty"
    empty.write_bytes(b"")
    cases: dict[str, tuple[list[str], Path]] = {"bare interpreter": (bare, empty)}
    for number, (name, (tool, fields, _)) in enumerate(PAYLOADS.items()):
        path = folder / f"payload-{number}"
        cwd = project(folder) if name == PROJECT else folder
        path.write_text(json.dumps({"session_id": "s", "cwd": str(cwd), "tool_name": tool, "tool_input": fields}))
        cases[name] = ([*argv, "--agent", "codex"] if name == PATCH else argv, path)
    cases["Bash pass, through sh -c"] = (["/bin/sh", "-c", shlex.join(argv)], cases["Bash pass"][1])
    sink = os.open(os.devnull, os.O_RDWR)
    times: dict[str, list[float]] = {name: [] for name in cases}
    for number in range(rounds + 2):
        for name in random.sample(list(cases), len(cases)):
            took = start(*cases[name], environment, sink)
            if number > 1:  # the first rounds only warm the file cache
                times[name].append(took)
    return times


def main() -> int:
    """Print the table; the exit status says whether the bounds hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--check", action="store_true", help="exit 1 if a ratio is above its bound")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="guardhook-latency-") as name:
        times = measure(Path(name), options.rounds)
    floor = statistics.median(times["bare interpreter"])
    bounds = {name: bound for name, (_, _, bound) in PAYLOADS.items()}
    over = []
    print(f"{options.rounds} rounds, interleaved; median milliseconds and ratio to a bare interpreter")
    print(f"| {'case':<26} | {'median':>7} | {'min':>7} | ratio | bound |")
    print(f"|{'-' * 28}|{'-' * 8}:|{'-' * 8}:|{'-' * 6}:|{'-' * 6}:|")
    for name, values in times.items():
        ratio = statistics.median(values) / floor
        bound = bounds.get(name)
        median, least = statistics.median(values) * 1e3, min(values) * 1e3
        print(f"| {name:<26} | {median:7.2f} | {least:7.2f} | {ratio:5.2f} | {bound or '':>5} |")
        if bound is not None and ratio > bound:
            over.append(name)
    if over:
        print("above the bound: " + ", ".join(over))
    return 1 if options.check and over else 0


if __name__ == "__main__":
    sys.exit(main())
