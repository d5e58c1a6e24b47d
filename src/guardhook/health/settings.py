"""Claude Code's settings as they are: the user's file, the two of the current folder, the administrator's, and the
handlers in them."""

import os
import shlex
import sys

from guardhook import hatches
from guardhook.health import files
from guardhook.health.files import File
from guardhook.install import claude, jsontext, settings_form
from guardhook.install.jsontext import JsonTextError, Number
from guardhook.install.places import Places

USER, PROJECT, LOCAL, MANAGED = "user", "project", "local", "managed"
# Where an administrator's settings lie, which stand above all others (documented, not measured).
_MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    "win32": r"C:\ProgramData\ClaudeCode\managed-settings.json",
}
MANAGED_FILE = _MANAGED.get(sys.platform, "/etc/claude-code/managed-settings.json")
CHANGE = claude.CONFIG
EVENTS = (claude.GUARD, claude.START, CHANGE)


class Entry:
    """One handler of an event. value: its fields. matcher: of its group, None for none. own: does it start our
    launcher? number: of its group, from 1."""

    __slots__ = ("event", "file", "matcher", "number", "own", "value")

    def __init__(self, event: str, number: int, matcher: object, value: dict[str, object], file: str) -> None:
        self.event = event
        self.number = number
        self.matcher = matcher
        self.value = value
        self.file = file
        self.own = False

    @property
    def command(self) -> str:
        """Its command, "" where it has none."""
        found = self.value.get("command")
        return found if isinstance(found, str) else ""

    @property
    def argv(self) -> list[str] | None:
        """The argument list of the form that needs no shell, None for a shell's line."""
        arguments = self.value.get("args")
        return [self.command, *map(str, arguments)] if isinstance(arguments, list) else None

    @property
    def around(self) -> bool:
        """Stands anything behind the launcher in its command line but an option that names Claude Code?"""
        try:
            words = self.argv or shlex.split(self.command)
        except ValueError:
            return False
        script = next((index for index, word in enumerate(words) if index and not word.startswith("-")), len(words))
        return words[script + 1 :] not in ([], ["--agent", "claude"], ["--agent=claude"])

    @property
    def interpreter(self) -> str:
        """The program that it starts, as a path where it is one; "" where that cannot be read."""
        try:
            words = self.argv or shlex.split(self.command)
        except ValueError:
            return ""
        return os.path.expandvars(os.path.expanduser(words[0])) if words else ""

    @property
    def timeout(self) -> float | None:
        """Seconds that the client waits, None where it is not said, or not as a number."""
        found = self.value.get("timeout")
        return float(found) if isinstance(found, Number) else None


class Layer:
    """One settings file. name: one of the constants. broken: "" or why its text is not JSON. fields: of its root.

    flaws: why Claude Code would drop the whole file, in sentences.
    """

    __slots__ = ("broken", "entries", "fields", "file", "flaws", "name")

    def __init__(self, name: str, file: File) -> None:
        self.name = name
        self.file = file
        self.broken = ""
        self.fields: dict[str, object] = {}
        self.flaws: list[str] = []
        self.entries: list[Entry] = []

    @property
    def disables(self) -> bool:
        """Does it switch every hook off?"""
        return self.fields.get("disableAllHooks") is True

    @property
    def excludes(self) -> bool:
        """Does it keep the hooks of all other files from running?"""
        return self.name == MANAGED and self.fields.get("allowManagedHooksOnly") is True

    @property
    def environment(self) -> dict[str, str]:
        """What its `env` block adds to the environment of hooks."""
        block = self.fields.get("env")
        pairs = block.items() if isinstance(block, dict) else ()
        return {name: value for name, value in pairs if isinstance(value, str)}

    @property
    def hatches(self) -> tuple[str, ...]:
        """The escape hatches that it opens (SPEC E1)."""
        return hatches.Settings(self.environment).off


def look(where: Places, cwd: str) -> list[Layer]:
    """The user's settings, those of the folder in which a session would start, where they are other files, and the
    administrator's; a later one counts for more."""
    folder = os.path.join(cwd, ".claude")
    paths = {
        USER: where.settings,
        PROJECT: os.path.join(folder, "settings.json"),
        LOCAL: os.path.join(folder, "settings.local.json"),
        MANAGED: MANAGED_FILE,
    }
    user = os.path.realpath(where.settings)
    return [_layer(name, path, where) for name, path in paths.items() if name == USER or os.path.realpath(path) != user]


def _layer(name: str, path: str, where: Places) -> Layer:
    layer = Layer(name, files.read(path))
    if layer.file.data is None:
        return layer
    try:
        document = jsontext.read(layer.file.data)
    except JsonTextError as error:
        layer.broken = str(error)
        return layer
    fields = jsontext.value(document.root)
    if not isinstance(fields, dict):
        layer.broken = "line 1, column 1: expected an object"
        return layer
    layer.fields = fields
    layer.flaws = settings_form.flaws(document)
    layer.entries = [entry for event in EVENTS for entry in _entries(fields, event, path)]
    for entry in layer.entries:
        event = claude.START if entry.event == claude.START else claude.GUARD
        entry.own = claude.is_own(entry.value, where, event)
    return layer


def _entries(fields: dict[str, object], event: str, path: str) -> list[Entry]:
    hooks = fields.get("hooks")
    groups = hooks.get(event) if isinstance(hooks, dict) else None
    found = []
    for number, group in enumerate(groups if isinstance(groups, list) else (), 1):
        handlers = group.get("hooks") if isinstance(group, dict) else None
        for value in handlers if isinstance(handlers, list) else ():
            if isinstance(value, dict):
                found.append(Entry(event, number, group.get("matcher"), value, path))
    return found
