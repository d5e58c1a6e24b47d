"""Repositories and made-up packages for the tests of style and audit."""

import os
import subprocess
from pathlib import Path

import pytest

NAMES = "_rule_03 _rule_a _rule_08_repeats _rule_05 _rule_06 _rule_12 _rule_12_profile _rule_b _rule_d _rule_i".split()
FINDING = """
class Finding:
    def __init__(self, detail, line=0, column=0):
        self.detail, self.line, self.column = detail, line, column
def quiet(*texts, **options):
    return []
"""


def isolate_git(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Only what is set here counts for git."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    (home / "gitconfig").write_text("[user]\n name = A\n email = a@example.org\n[core]\n autocrlf = false\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


class Repository:
    """A repository below a temporary folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        command = ["git", "--literal-pathspecs", "-C", str(self.path), *arguments]
        done = subprocess.run(command, capture_output=True, check=True)
        return os.fsdecode(done.stdout)

    def write(self, name: str, content: "str | bytes") -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def stage(self, name: str, content: "str | bytes") -> None:
        self.write(name, content)
        self.git("add", "--", name)

    def commit(self, **files: "str | bytes") -> None:
        """Commit what is staged, after the given files; `__` in a keyword is a dot."""
        for name, content in files.items():
            self.stage(name.replace("__", "."), content)
        self.git("commit", "-q", "--allow-empty", "-m", "x")


def made_up(folder: Path, version: str, body: str = "", without: str = "", init: str = "") -> str:
    """Write a package agent_style whose detectors find nothing; give the folder for the module path.

    version: the source text of `__version__`, "" for none. body: replaces detectors. without: one that is left out.
    """
    review = folder / "agent_style" / "review"
    review.mkdir(parents=True)
    (review / "__init__.py").write_text("")
    (folder / "agent_style" / "__init__.py").write_text((f"__version__ = {version}\n" if version else "") + init)
    rows = [f"{name} = quiet" for name in NAMES if name != without]
    (review / "detectors_mech.py").write_text("\n".join([FINDING, *rows, body, ""]))
    return str(folder)
