"""Decisions a second in one process: parse, decide and render, without the start of an interpreter.

Runs the everyday calls of the corpus and a few larger commands, each for a fixed time.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from guardhook import engine, hatches
from guardhook.agents import claude

CORPUS = Path(__file__).parent.parent / "tests" / "corpus" / "everyday.jsonl"
SECONDS = 1.5


def decide(data: bytes) -> bytes:
    """The hook's whole way for one payload."""
    call = claude.parse(data)
    assert call is not None
    return claude.render(engine.decide(call, hatches.Settings({})))


def rate(payloads: list[bytes]) -> float:
    """Decisions a second of CPU time over a list of payloads."""
    count = 0
    begin = time.process_time()
    while time.process_time() - begin < SECONDS:
        for data in payloads:
            decide(data)
        count += len(payloads)
    return count / (time.process_time() - begin)


def bash(command: str) -> bytes:
    """A payload for one command."""
    return json.dumps({"tool_name": "Bash", "tool_input": {"command": command}, "cwd": "/srv"}).encode()


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    everyday = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]
    sets = {
        "everyday calls": [
            json.dumps({"tool_name": case["tool_name"], "tool_input": case["tool_input"]}).encode() for case in everyday
        ],
        "git push": [bash("git push origin main")],
        "compound cd": [bash("cd sub && git status")],
        "three wrappers": [bash("ssh a 'docker exec c bash -lc \"git push\"'")],
        "10 KB of commands": [bash("echo one two three; " * 500)],
        "100 KB of commands": [bash("echo one two three; " * 5000)],
    }
    print("| calls | decisions a second |")
    print("|---|---:|")
    for name, payloads in sets.items():
        print(f"| {name} | {rate(payloads):,.0f} |")


if __name__ == "__main__":
    main()
