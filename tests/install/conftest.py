"""A home of its own for every test: nothing here may touch the real one."""

import os
from pathlib import Path

import pytest

from guardhook.install.places import Places


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty HOME, with no escape hatch, no client on PATH and a TMPDIR of its own."""
    made = tmp_path / "home"
    (tmp_path / "tmp").mkdir()
    made.mkdir()
    for name in [name for name in os.environ if name.startswith(("AGENT_", "CLAUDE", "CODEX", "PYTHON"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(made))
    monkeypatch.setenv("CODEX_HOME", str(made / ".codex"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return made


@pytest.fixture
def where(home: Path) -> Places:
    return Places(str(home / ".claude"))
