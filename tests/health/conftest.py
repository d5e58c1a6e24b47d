"""One installation for all tests, put back as it was before each of them."""

import functools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from guardhook.health import probe_rules
from guardhook.install import deploy
from tests.health.installation import Installation, remove, set_environment


@pytest.fixture(scope="session")
def sources() -> Iterator[None]:
    """The package's sources as they are now: somebody may edit them while the tests run. Others are read anew."""
    plain, kept = deploy._sources, functools.cache(deploy._sources)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            deploy, "_sources", lambda package, below: (kept if package == deploy.PACKAGE else plain)(package, below)
        )
        yield


@pytest.fixture(scope="session")
def kept(sources: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A healthy home and, beside it, a copy of it."""
    root = tmp_path_factory.mktemp("health")
    (root / "tmp").mkdir()
    home = root / "home"
    with pytest.MonkeyPatch.context() as patch:
        set_environment(home, patch)
        Installation(home).make()
    shutil.copytree(home, root / "copy", symlinks=True)
    return home


@pytest.fixture
def installation(kept: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    """A healthy installation, in an environment of its own."""
    remove(kept)
    shutil.copytree(kept.parent / "copy", kept, symlinks=True)
    set_environment(kept, monkeypatch)
    monkeypatch.setattr(probe_rules, "SLOW", 60_000.0)  # however busy this machine is
    yield Installation(kept)
