"""Where things lie for Codex, the files there as they are, and what an installation there must remember. Reads only."""

import json
import os

from guardhook.install import InstallError, places
from guardhook.install.places import Places

RECORD = "guardhook-codex.json"  # in the hooks folder, beside the launcher
# What an installation may have to create in a hooks.json.
CREATABLE = ("file", "hooks", "hooks.PreToolUse")


class CodexHome:
    """home: the folder as Codex itself spells it, which matters in the keys of its trust records. named: is it set by
    `$CODEX_HOME`?"""

    __slots__ = ("config", "home", "hooks", "named")

    def __init__(self, home: str, named: bool = False) -> None:
        self.home = home
        self.named = named
        self.hooks = os.path.join(home, "hooks.json")
        self.config = os.path.join(home, "config.toml")


def from_environment() -> CodexHome:
    """The places of SPEC X1. Codex follows the links of `$CODEX_HOME`, and not those of `~/.codex` (0.171.0)."""
    named = os.environ.get("CODEX_HOME")
    return CodexHome(os.path.realpath(named), True) if named else CodexHome(os.path.expanduser("~/.codex"))


class Found:
    """hooks, config, record: the bytes of the files, None where there is none. exists: is the home a folder? flaw: ""
    or why hooks.json cannot be read. broken: the same for config.toml."""

    __slots__ = ("broken", "config", "exists", "flaw", "hooks", "record")

    def __init__(
        self, hooks: bytes | None = None, config: bytes | None = None, record: bytes | None = None, exists: bool = True
    ) -> None:
        self.hooks = hooks
        self.config = config
        self.record = record
        self.exists = exists
        self.flaw = ""
        self.broken = ""


def find(home: CodexHome, where: Places) -> Found:
    """Read everything that planning needs. A file of the user's that cannot be read is a flaw, not an error.

    Raises InstallError if the record is there and cannot be read.
    """
    found = Found(record=places.read_file(record_path(where)), exists=os.path.isdir(home.home))
    if found.exists:
        found.hooks, found.flaw = _read(home.hooks)
        found.config, found.broken = _read(home.config)
    return found


def record_path(where: Places) -> str:
    """The file in which an installation remembers what it created in which hooks.json."""
    return os.path.join(where.hooks, RECORD)


def decode_record(data: bytes | None) -> dict[str, tuple[str, ...]]:
    """hooks.json -> what was created in it; empty if there is no record or it cannot be read."""
    try:
        fields = json.loads(data or b"{}")
        return {str(path): tuple(name for name in CREATABLE if name in made) for path, made in fields.items()}
    except (ValueError, AttributeError, TypeError, RecursionError):
        return {}


def encode_record(record: dict[str, tuple[str, ...]]) -> bytes | None:
    """The bytes of a record; None, no file, for an empty one."""
    if not record:
        return None
    return (json.dumps({path: list(made) for path, made in sorted(record.items())}, indent=2) + "\n").encode()


def _read(path: str) -> tuple[bytes | None, str]:
    try:
        return places.read_file(path), ""
    except InstallError as error:
        return None, str(error)
