"""Where the installer finds agent_style, and how the hook is told (SPEC V1)."""

import os
import sys
from pathlib import Path

import pytest

from guardhook.install import InstallError, deploy, interpreter, style


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Path:
    """A folder with a package agent_style."""
    package = tmp_path / "site" / "agent_style"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("__version__ = '0.9.0'\n")
    return tmp_path / "site"


def _program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def _no_ambient(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of this machine is found: no program on PATH, no package in this environment."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(style, "_own", lambda: "")


def test_the_folder_that_is_named_counts(site: Path) -> None:
    assert style.find("", str(site)) == str(site)
    with pytest.raises(InstallError, match="does not hold the package agent_style"):
        style.find("", str(site.parent))


def test_the_wired_python_is_asked(site: Path, tmp_path: Path) -> None:
    python = _program(tmp_path / "python", f'#!/bin/sh\nPYTHONPATH={site} exec {sys.executable} "$@"\n')
    assert style.find(str(python)) == str(site)


def test_a_program_on_the_path_leads_to_it(site: Path, tmp_path: Path) -> None:
    python = _program(tmp_path / "python", f'#!/bin/sh\nPYTHONPATH={site} exec {sys.executable} "$@"\n')
    _program(tmp_path / "bin" / "agent-style", f"#!{python}\nprint('never run')\n")
    assert style.find("") == str(site)


@pytest.mark.parametrize("text", ["#!/nowhere/python\n", "no program\n", "", "#!\n"])
def test_a_program_that_is_no_script_leads_nowhere(tmp_path: Path, text: str) -> None:
    _program(tmp_path / "bin" / "agent-style", text)
    assert style.find("") == ""


def test_none_is_no_fault(tmp_path: Path) -> None:
    assert style.find(str(tmp_path / "missing")) == ""


def test_the_release_holds_the_folder_and_is_named_by_it(tmp_path: Path) -> None:
    found = interpreter.find()
    plain = deploy.compose(found)
    odd = str(tmp_path / 'it\'s a "folder"')
    release = deploy.compose(found, style_folder=odd)
    assert release.name != plain.name
    names: dict[str, object] = {}
    exec(release.files["guardhook/style/recorded.py"], names)
    assert names["FOLDERS"] == (odd,)
    assert plain.files.keys() == release.files.keys()
    assert os.path.join("guardhook", "style", "audit.py") not in release.files
