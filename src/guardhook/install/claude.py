"""Claude Code as a target: its settings file in, the same file with one group of ours an event out (SPEC A1, A5, G4).

Only the text of those groups changes. Every result is read again and compared with what was meant before it is handed
on: one wrong value in a PreToolUse entry makes the client drop the whole file, permission rules and all (2.1.332).
"""

import json
import os
import shlex
from typing import Any

from guardhook.install import InstallError, jsonedit, jsontext
from guardhook.install.jsontext import Document, Node
from guardhook.install.places import Places

MATCHER = "*"  # every tool
EVERY_TOOL = ("*", "", ".*")
GUARD = "PreToolUse"
START = "SessionStart"
# Event -> seconds, and what our entry there is called.
TIMEOUTS = {GUARD: 10, START: 5}
TIMEOUT = TIMEOUTS[GUARD]
_ENTRIES = {GUARD: "the guard's entry", START: "the entry for a session's start"}
_KIND_NAMES = {"object": "an object", "array": "an array", "string": "a string"}


def quoted(word: str) -> str:
    """word as one word of a POSIX shell."""
    return shlex.quote(word)


class Handler:
    """What is wired: the command as the client's shell gets it, and whether the client blocks when it cannot run."""

    __slots__ = ("blocks", "command", "event")

    def __init__(self, interpreter: str, places: Places, blocks: bool, event: str = GUARD) -> None:
        """interpreter: absolute path. Raises InstallError for a path that no JSON file can hold."""
        self.command = f"{quoted(interpreter)} -I -S {quoted(_script(places, event))}"
        self.blocks = blocks
        self.event = event
        try:
            self.command.encode("utf-8")
        except UnicodeEncodeError:
            raise InstallError(f"A path is not valid UTF-8 and cannot be wired: {self.command!r}.") from None

    def value(self) -> dict[str, object]:
        fields: dict[str, object] = {"type": "command", "command": self.command, "timeout": TIMEOUTS[self.event]}
        if self.blocks:
            fields["onFailure"] = "block"
        return fields

    def group(self) -> dict[str, object]:
        """A session's start has no tool to match, and every kind of start is wanted."""
        matcher = {"matcher": MATCHER} if self.event == GUARD else {}
        return {**matcher, "hooks": [self.value()]}


class Wiring:
    """data: the new bytes. note, notes: what happened and what to know, in words.

    missing: which of `settings`, `hooks`, `hooks.<event>` were not there; None where an entry of ours was, so that
    only the record of the first installation knows. changed: whether the bytes are other ones.
    """

    __slots__ = ("changed", "data", "missing", "note", "notes")

    def __init__(
        self, data: bytes, missing: tuple[str, ...] | None, note: str, notes: list[str], changed: bool = True
    ) -> None:
        self.changed = changed
        self.data = data
        self.missing = missing
        self.note = note
        self.notes = notes


class Own:
    """Where a handler of ours stands: its group, its node, and the index of each. alone: its group has no other."""

    __slots__ = ("alone", "group", "group_index", "index", "node")

    def __init__(self, group: Node, group_index: int, node: Node, index: int, alone: bool) -> None:
        self.group = group
        self.group_index = group_index
        self.node = node
        self.index = index
        self.alone = alone


def wire(data: bytes | None, places: Places, handler: Handler) -> Wiring:
    """The settings with a handler wired once, the guard for every tool. data: the file's bytes, None if there is none.

    An entry of ours is brought up to date where it stands, a second one removed. Raises InstallError, with line and
    column, for a file that is not JSON or whose hooks have a wrong type.
    """
    document = _read(b"{}\n" if data is None else data, places.settings)
    notes = _warnings(document, places)
    own = find(document, places, handler.event)
    if not own:
        document, missing = _add(document, handler)
        missing += ("settings",) if data is None else ()
        return Wiring(document.encode(), missing, f"{_ENTRIES[handler.event]} is added", notes)
    before = document.text
    document = _update(document, own[0], handler, notes)
    for extra in reversed(find(document, places, handler.event)[1:]):
        document = _take(document, extra, handler.event)
    changed = document.text != before
    note = f"{_ENTRIES[handler.event]} is brought up to date" if changed else "up to date"
    return Wiring(document.encode(), None, note, notes, changed)


def unwire(data: bytes, places: Places, created: tuple[str, ...]) -> tuple[bytes | None, int]:
    """The settings without our entries, and how many were taken out.

    created: what installing had to create; such a container goes too if nothing else is in it, and so does the file
    (None). Raises InstallError as `wire` does.
    """
    document = _read(data, places.settings)
    count = 0
    for event in TIMEOUTS:
        while own := find(document, places, event):
            document = _take(document, own[-1], event, created)
            count += 1
    if count and "settings" in created and document.text == "{}\n":
        return None, count
    return document.encode(), count


def find(document: Document, places: Places, event: str = GUARD) -> list[Own]:
    """Our handlers of an event, in order."""
    found: list[Own] = []
    for group_index, group in enumerate(_groups(document, event)):
        handlers = group.node.member("hooks")
        for index, item in enumerate(handlers.items if handlers else ()):
            if is_own(jsontext.value(item.node), places, event):
                found.append(
                    Own(group.node, group_index, item.node, index, len(handlers.items) == 1 if handlers else False)
                )
    return found


def is_own(handler: object, places: Places, event: str = GUARD) -> bool:
    """Does this handler start the event's launcher the way we do: a Python in isolated mode, options, our script?"""
    if not isinstance(handler, dict) or not isinstance(handler.get("command"), str):
        return False
    try:
        words = shlex.split(handler["command"])
    except ValueError:
        return False
    arguments = handler.get("args")
    if isinstance(arguments, list):
        words = [handler["command"], *(word for word in arguments if isinstance(word, str))]
    script = next((word for word in words[1:] if not word.startswith("-")), "")
    path = os.path.normpath(os.path.expandvars(os.path.expanduser(script)))
    options = words[1 : words.index(script)] if script else []
    return path == _script(places, event) and any(option.startswith("-") and "I" in option for option in options)


def _read(data: bytes, path: str) -> Document:
    try:
        document = jsontext.read(data)
    except jsontext.JsonTextError as error:
        raise InstallError(f"{path} is not valid JSON, so it was left as it is.\n{error}.") from None
    _expect(document, document.root, "object", "the file", path)
    hooks = document.root.member("hooks")
    if hooks:
        _expect(document, hooks, "object", '"hooks"', path)
        for event in TIMEOUTS:
            _expect_groups(document, hooks.member(event), f"hooks.{event}", path)
    return document


def _expect_groups(document: Document, groups: Node | None, name: str, path: str) -> None:
    if groups:
        _expect(document, groups, "array", f'"{name}"', path)
        for group in groups.items:
            _expect(document, group.node, "object", f'an entry of "{name}"', path)
            handlers = group.node.member("hooks")
            _expect(document, handlers or group.node, "array", f'the "hooks" of an entry of "{name}"', path)


def _expect(document: Document, node: Node, kind: str, what: str, path: str) -> None:
    if node.kind != kind:
        error = jsontext.JsonTextError(document.text, node.start, f"{_KIND_NAMES[kind]} ({what} must be one)")
        raise InstallError(
            f"{path} is not a settings file that Claude Code would take, so it was left as it is.\n{error}."
        )


def _script(places: Places, event: str) -> str:
    return places.guard if event == GUARD else places.session


def _groups(document: Document, event: str) -> list[jsontext.Item]:
    hooks = document.root.member("hooks")
    groups = hooks.member(event) if hooks else None
    return groups.items if groups else []


def _warnings(document: Document, places: Places) -> list[str]:
    notes: list[str] = []
    disabled = document.root.member("disableAllHooks")
    if disabled and disabled.value is True:
        notes.append(
            f'"disableAllHooks" is true in {places.settings}: Claude Code runs no hook at all until it is taken out.'
        )
    for group in _groups(document, GUARD):
        handlers = group.node.member("hooks")
        for item in handlers.items if handlers else ():
            value = jsontext.value(item.node)
            command = value.get("command") if isinstance(value, dict) else None
            if isinstance(command, str) and "hooks/guard.py" in command and not is_own(value, places):
                notes.append(f"Another entry may start the same launcher and is left alone: {command}")
    return notes


def _add(document: Document, handler: Handler) -> tuple[Document, tuple[str, ...]]:
    """Append our group, creating the containers on the way; which ones those are comes back too."""
    intended = _fields(document)
    event = handler.event
    hooks = document.root.member("hooks")
    groups = hooks.member(event) if hooks else None
    group = handler.group()
    lacking: tuple[str, ...] = ()
    if groups:
        new = jsonedit.append(document, groups, group)
    elif hooks:
        new, lacking = jsonedit.insert(document, hooks, event, [group]), (f"hooks.{event}",)
    else:
        new = jsonedit.insert(document, document.root, "hooks", {event: [group]})
        lacking = ("hooks", f"hooks.{event}")
    intended.setdefault("hooks", {}).setdefault(event, []).append(_plain(group))
    return _proved(new, intended), lacking


def _update(document: Document, own: Own, handler: Handler, notes: list[str]) -> Document:
    """Bring our first entry up to date: the whole group if it is ours alone, else our handler in it."""
    intended = _fields(document)
    groups = intended["hooks"][handler.event]
    if own.alone:
        node, wanted = own.group, handler.group()
        groups[own.group_index] = _plain(wanted)
    else:
        node, wanted = own.node, handler.value()
        groups[own.group_index]["hooks"][own.index] = _plain(wanted)
        matcher = own.group.member("matcher")
        if matcher and matcher.value not in EVERY_TOOL and handler.event == GUARD:
            notes.append(
                f"The guard shares a group with other handlers, for {matcher.value!r} only; that was left as it is."
            )
    if jsontext.same(jsontext.value(node), _plain(wanted)):
        return document
    return _proved(jsonedit.replace(document, node, wanted), intended)


def _take(document: Document, own: Own, event: str, created: tuple[str, ...] = ()) -> Document:
    """Remove one entry, and the containers around it that installing created and that hold nothing else."""
    intended = _fields(document)
    root, groups = document.root, intended["hooks"][event]
    hooks = root.items[root.index("hooks")].node
    array = hooks.items[hooks.index(event)].node
    if not own.alone:
        handlers = own.group.items[own.group.index("hooks")].node
        del groups[own.group_index]["hooks"][own.index]
        return _proved(jsonedit.remove(document, handlers, own.index), intended)
    container, index = array, own.group_index
    del groups[own.group_index]
    if not groups and f"hooks.{event}" in created:
        container, index = hooks, hooks.index(event)
        del intended["hooks"][event]
        if len(hooks.items) == 1 and "hooks" in created:
            container, index = root, root.index("hooks")
            del intended["hooks"]
    return _proved(jsonedit.remove(document, container, index), intended)


def _fields(document: Document) -> Any:
    """The whole document as plain values; its root was found to be an object."""
    return jsontext.value(document.root)


def _plain(value: object) -> object:
    """value as the reader would give it, numbers by their spelling."""
    return jsontext.value(Document(json.dumps(value)).root)


def _proved(document: Document, intended: object) -> Document:
    if not jsontext.same(jsontext.value(document.root), intended):
        raise InstallError(
            "The edited settings would not say what they should, so nothing was written. Please report this."
        )
    return document
