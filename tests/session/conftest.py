"""The home of the installer's tests, and a project that takes part."""

from pathlib import Path

import pytest

from tests.install.conftest import home, where

__all__ = ["folder", "home", "where"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The `.agent-config` of a project."""
    made = tmp_path / "project" / ".agent-config"
    made.mkdir(parents=True)
    (made / "bootstrap.sh").write_text("#\n")
    return made
