"""A home with an installed guard, made up: nothing here may touch the real one."""

import os
from pathlib import Path

import pytest

from tests.corpus_cases import load
from tests.corpus_sandbox import Sandbox

# A home with the files of both agents, as the cases of the corpus have it.
SETUP = next(case["setup"] for case in load("self-protection") if case.get("args"))


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """The working directory of the test is the sandbox's."""
    made = Sandbox(tmp_path, {"setup": SETUP})
    monkeypatch.chdir(made.cwd)
    for name in [name for name in os.environ if name.startswith(("AGENT_", "CLAUDE", "CODEX", "XDG"))]:
        monkeypatch.delenv(name)
    return made
