"""Every labelled case of the corpus, judged in process (SPEC, all rows that have gates)."""

import os
import re
from pathlib import Path

import pytest

from guardhook.style import recorded
from tests.corpus_cases import FOLDER, Case, answer, load, payload, rewrites
from tests.corpus_sandbox import Sandbox

CASES = [case for path in sorted(FOLDER.glob("*.jsonl")) for case in load(path.stem)]


def _accepted(case: Case) -> set[str]:
    return set(case["accept"]) if case["expected"] == "either" else set(case["expected"].split("|"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = Sandbox(tmp_path, case)
    monkeypatch.chdir(sandbox.cwd)
    case = sandbox.fill({**case, "cwd": str(sandbox.cwd)})
    environment = sandbox.environment
    if "PYTHONPATH" in environment:  # a made-up agent_style, which an installation would have recorded
        monkeypatch.setattr(recorded, "FOLDERS", tuple(environment["PYTHONPATH"].split(os.pathsep)))
    got, reason = answer(payload(case), environment, tuple(case.get("args", [])))
    assert got in _accepted(case), (case["tool_input"], case["why"], reason)
    if got == "pass":
        return
    lines = "\n".join(rewrites(reason))
    for text in case.get("reason_has", []):
        assert text.lower() in reason.lower()
    for text in case.get("reason_not", []):
        assert text.lower() not in reason.lower()
    for text in case.get("rewrite_has", []):
        assert text in lines
    for text in case.get("rewrite_not", []):
        assert text not in lines
    if case.get("rejudge") and got == "deny":
        for suggested in rewrites(reason):
            for command in re.findall(r"`([^`]+)`", suggested) or [suggested]:
                again = payload({"tool_name": "Bash", "tool_input": {"command": command}})
                assert answer(again, environment)[0] != "deny", command


def test_corpus_is_not_empty() -> None:
    assert len(CASES) > 1000
