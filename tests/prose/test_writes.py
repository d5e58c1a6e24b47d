"""The labelled Write, Edit and MultiEdit calls that this room settles: scope, marker, spans and words together.

Calls that need the gate around it (a hatch, a patch, an edit placed in its file) are judged with the gate.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from guardhook.prose import scope, spans, words

Case = dict[str, Any]
CASES: list[Case] = [
    json.loads(line) for line in (Path(__file__).parent / "writes.jsonl").read_text("utf-8").splitlines()
]


def _sandbox(root: Path, setup: Case) -> None:
    for name in ["work", *setup.get("dirs", [])]:
        (root / name).mkdir(parents=True, exist_ok=True)
    for name in setup.get("git", []):
        (root / name / ".git").mkdir(parents=True)
    for name, text in setup.get("files", {}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    for name, target in setup.get("symlinks", {}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(target if target.startswith("..") else root / target)
    if "sh" in setup:  # makes FIFOs, links and a bare repository
        subprocess.run(["bash", "-c", setup["sh"]], cwd=root, check=True, capture_output=True)


def _texts(tool_input: Case) -> list[str]:
    edits = tool_input.get("edits", [tool_input])
    return [edit["content"] if "content" in edit else edit["new_string"] for edit in edits]


def _decision(case: Case, root: Path, home: Path) -> str:
    def filled(text: str) -> str:
        return text.replace("@SB@", str(root)).replace("@CWD@", str(root / "work"))

    environment = {"HOME": str(home), "TMPDIR": str(root)}
    environment |= {name: filled(value) for name, value in case.get("env", {}).items()}
    path = filled(case["tool_input"]["file_path"])
    if not scope.is_prose(path) or scope.is_carried(path, str(root / "work"), environment):
        return "pass"
    if "old_string" in case["tool_input"]:
        assert scope.open_text(path) is None, "an edit of a file that can be read is the gate's to place"
    found = [words.hits(spans.blank(text, scope.extension(path))) for text in _texts(case["tool_input"])]
    return "deny" if any(found) else "pass"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: Case, tmp_path: Path) -> None:
    root, home = tmp_path / "sandbox", tmp_path / "home"
    root.mkdir()
    _sandbox(root, case.get("setup", {}))
    accepted = case["accept"] if case["expected"] == "either" else [case["expected"]]
    assert _decision(case, root, home) in accepted, case["why"]


def test_both_verdicts_are_among_the_cases() -> None:
    expected = [case["expected"] for case in CASES]
    assert expected.count("deny") > 80
    assert expected.count("pass") > 40
