"""A home of its own for every test, a repository with a configuration of its own, and the real agent-style."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from guardhook.style import isolation
from tests.install.conftest import home
from tests.style import agent_style_pypi
from tests.style.repository import Repository, isolate_git

__all__ = ["home"]


@pytest.fixture
def repository(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """An empty repository; git sees no configuration but the one it gets here."""
    isolate_git(monkeypatch, home)
    return Repository(tmp_path / "work")


@pytest.fixture
def without_fork(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As on Windows: agent_style is imported here, and forgotten again."""
    monkeypatch.setattr(isolation, "FORKS", False)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "agent_style"]:
        del sys.modules[name]


@pytest.fixture(scope="session")
def release() -> Callable[[str], str]:
    """The folder of a real release, by its version; skips where it cannot be had."""

    def folder(version: str) -> str:
        try:
            return str(agent_style_pypi.folder(version))
        except agent_style_pypi.UnavailableError as error:
            pytest.skip(str(error))

    return folder
