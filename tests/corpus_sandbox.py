"""The folder a corpus case runs in: HOME, a working directory, and whatever the case sets up."""

import os
import subprocess
from pathlib import Path
from typing import Any

GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "PATH": os.environ.get("PATH", os.defpath)}


class Sandbox:
    """names: what the placeholders of a case stand for. environment: the hook's own, as the case wants it."""

    def __init__(self, root: Path, case: dict[str, Any]) -> None:
        """root: an empty folder below a temp root, outside every repository."""
        setup = case.get("setup") or {}
        self.root = root.resolve()
        self.home = self.root / "home"
        self.cwd = self.root / setup.get("cwd", "work")
        self.names = {"@SB@": str(self.root), "@HOME@": str(self.home), "@CWD@": str(self.cwd)}
        self._make(self.fill(setup))
        self.environment: dict[str, str] = {"HOME": str(self.home), **self.fill(case.get("env") or {})}

    def fill(self, value: Any) -> Any:
        """The value with every placeholder in its strings replaced."""
        if isinstance(value, str):
            for name, text in self.names.items():
                value = value.replace(name, text)
            return value
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, dict):
            return {self.fill(key): self.fill(item) for key, item in value.items()}
        return value

    def _make(self, setup: dict[str, Any]) -> None:
        for name in ("home", "work", *setup.get("dirs", [])):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        self.cwd.mkdir(parents=True, exist_ok=True)
        environment = {**GIT, "HOME": str(self.home)}
        for name in setup.get("git", []):
            subprocess.run(["git", "init", "-q", str(self.root / name)], env=environment, check=True)
        for name, text in setup.get("files", {}).items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, "utf-8", newline="")
        for name, target in setup.get("symlinks", {}).items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).symlink_to(target)
        if setup.get("sh"):
            subprocess.run(["bash", "-c", setup["sh"]], cwd=self.root, env=environment, check=True)
