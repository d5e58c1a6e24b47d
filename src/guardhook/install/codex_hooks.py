"""The text of a hooks.json with one group of ours in it, and without (SPEC X1, A5).

A trust record of Codex names a hook by its group's index, so no group of anybody else may move: ours is appended, is
brought up to date where it stands, and leaves an empty group behind if others have come after it.
"""

import json
from typing import Any

from guardhook.install import InstallError, codex_form, codex_handler, jsonedit, jsontext
from guardhook.install.claude import Own
from guardhook.install.codex_form import RefusedError
from guardhook.install.codex_handler import MATCHER, Handler, is_own
from guardhook.install.jsontext import Document, Node
from guardhook.install.places import Places

EVENT = "PreToolUse"
_EMPTY: dict[str, object] = {"hooks": []}


class Wiring:
    """data: the new bytes, None for no file. missing: which of codex_places.CREATABLE were not there; None where the
    guard stood, so that only the record knows. note: what happened. notes: what to know."""

    __slots__ = ("data", "missing", "note", "notes")

    def __init__(self, data: bytes | None, missing: tuple[str, ...] | None, note: str, notes: list[str]) -> None:
        self.data = data
        self.missing = missing
        self.note = note
        self.notes = notes


def wire(data: bytes | None, where: Places, handler: Handler) -> Wiring:
    """A hooks.json with the guard in it once. data: its bytes, None if there is none.

    Raises RefusedError for a file that Codex would not take, and InstallError for an edit that went wrong.
    """
    document = codex_form.read(b"{}\n" if data is None else data)
    found = find(document, where)
    notes = _warnings(document, where)
    if not found:
        document, missing = _add(document, handler)
        missing = ("file", *missing) if data is None else missing
        return Wiring(document.encode(), missing, "the guard's group is added", notes)
    notes += _left_alone(found)
    before = document.text
    for own in found:
        if own.alone:
            document = _update(document, own, handler)
    note = "the guard's group is brought up to date" if document.text != before else "unchanged"
    return Wiring(document.encode(), None, note, notes)


def unwire(data: bytes, where: Places, created: tuple[str, ...]) -> Wiring:
    """A hooks.json without the guard; created: see codex_places.CREATABLE; such a container goes too if it is empty.

    Raises RefusedError for a file that is not JSON, and InstallError for an edit that went wrong.
    """
    document = codex_form.parse(data)
    notes: list[str] = []
    count = len(find(document, where, exactly=True))
    for _ in range(count):
        document = _take(document, find(document, where, exactly=True)[-1], created, notes)
    if count and "file" in created and document.text == "{}\n":
        return Wiring(None, None, "it held the guard's group alone", notes)
    notes += [
        f"This hook of Codex starts {where.guard}, which goes now, so Codex will block what it matches; "
        f"take it out of hooks.json by hand: {command}"
        for command in _others(document, where)
        if where.guard in command
    ]
    return Wiring(document.encode(), None, "the guard's group is taken out" if count else "unchanged", notes)


def find(document: Document, where: Places, exactly: bool = False) -> list[Own]:
    """Where the guard stands, in order. exactly: in this hooks folder only, not in one that Claude Code has left."""
    found: list[Own] = []
    for group_index, group in enumerate(_groups(document)):
        items = _handlers(group.node)
        for index, item in enumerate(items):
            if is_own(jsontext.value(item.node), where, exactly):
                found.append(Own(group.node, group_index, item.node, index, len(items) == 1))
    return found


def is_closed(data: bytes | None, where: Places) -> bool:
    """Is the guard wired there so that a call is blocked when it cannot start?"""
    try:
        found = find(codex_form.parse(data or b"{}"), where)
    except RefusedError:
        return False
    return any(codex_handler.is_closed(command_of(own)) for own in found)


def command_of(own: Own) -> str:
    """The command of a handler that was found."""
    node = own.node.member("command")
    return node.value if node and isinstance(node.value, str) else ""


def _groups(document: Document) -> list[jsontext.Item]:
    hooks = document.root.member("hooks")
    groups = hooks.member(EVENT) if hooks else None
    return groups.items if groups and groups.kind == "array" else []


def _handlers(group: Node) -> list[jsontext.Item]:
    handlers = group.member("hooks")
    return handlers.items if handlers and handlers.kind == "array" else []


def _warnings(document: Document, where: Places) -> list[str]:
    return [
        f"Another hook of Codex may start the same launcher and is left alone: {command}"
        for command in _others(document, where)
    ]


def _others(document: Document, where: Places) -> list[str]:
    """Commands of the user's own around a guard.py in a hooks folder."""
    commands = []
    for group in _groups(document):
        for item in _handlers(group.node):
            value = jsontext.value(item.node)
            command = value.get("command") if isinstance(value, dict) else None
            if isinstance(command, str) and "hooks/guard.py" in command and not is_own(value, where):
                commands.append(command)
    return commands


def _left_alone(found: list[Own]) -> list[str]:
    notes = [
        f"In hooks.json the guard stands beside other handlers, in entry {own.group_index + 1} of {EVENT}; "
        f"that entry is left as it is, with the command: {command_of(own)}"
        for own in found
        if not own.alone
    ]
    if len(found) > 1:
        notes.append(
            f"hooks.json starts the guard {len(found)} times; to take an entry out would cost others their trust."
        )
    return notes


def _add(document: Document, handler: Handler) -> tuple[Document, tuple[str, ...]]:
    """Append our group, creating the containers on the way; which ones those are comes back too."""
    intended: Any = jsontext.value(document.root)
    hooks = document.root.member("hooks")
    groups = hooks.member(EVENT) if hooks else None
    group = handler.group()
    lacking: tuple[str, ...] = ()
    if groups:
        new = jsonedit.append(document, groups, group)
    elif hooks:
        new, lacking = jsonedit.insert(document, hooks, EVENT, [group]), ("hooks.PreToolUse",)
    else:
        new = jsonedit.insert(document, document.root, "hooks", {EVENT: [group]})
        lacking = ("hooks", "hooks.PreToolUse")
    intended.setdefault("hooks", {}).setdefault(EVENT, []).append(_plain(group))
    return _proved(new, intended), lacking


def _update(document: Document, own: Own, handler: Handler) -> Document:
    """Our matcher and handler as they should be; what else the user put into them stays, but nothing that disarms."""
    intended: Any = jsontext.value(document.root)
    group = intended["hooks"][EVENT][own.group_index]
    wanted: dict[str, object] = {**handler.value()}
    if own.node.member("async"):
        wanted["async"] = False
    group["matcher"] = MATCHER
    group["hooks"][own.index].update({name: _plain(value) for name, value in wanted.items()})
    document = _set(document, own.group, "matcher", MATCHER)
    for name, value in wanted.items():
        document = _set(document, _handler(document, own), name, value)
    return _proved(document, intended)


def _handler(document: Document, own: Own) -> Node:
    """The handler at own's place in a document that was edited since."""
    group = _groups(document)[own.group_index].node
    return group.items[group.index("hooks")].node.items[own.index].node


def _set(document: Document, node: Node, name: str, value: object) -> Document:
    member = node.member(name)
    if member is None:
        return jsonedit.insert(document, node, name, value)
    same = jsontext.same(jsontext.value(member), _plain(value))
    return document if same else jsonedit.replace(document, member, value)


def _take(document: Document, own: Own, created: tuple[str, ...], notes: list[str]) -> Document:
    """Take one handler of ours out, with what installing created around it, and move no group of anybody else."""
    intended: Any = jsontext.value(document.root)
    root, groups = document.root, intended["hooks"][EVENT]
    hooks = root.items[root.index("hooks")].node
    array = hooks.items[hooks.index(EVENT)].node
    if not own.alone:
        handlers = own.group.items[own.group.index("hooks")].node
        if own.index + 1 < len(handlers.items):
            notes.append(
                "Handlers that stood behind the guard in its entry have moved: Codex asks you to trust them again."
            )
        del groups[own.group_index]["hooks"][own.index]
        return _proved(jsonedit.remove(document, handlers, own.index), intended)
    if any(_is_filled(item.node) for item in array.items[own.group_index + 1 :]):
        notes.append(
            "An empty entry stays in the guard's place, so that the hooks behind it keep the trust you gave them."
        )
        groups[own.group_index] = _plain(_EMPTY)
        return _proved(jsonedit.replace(document, own.group, _EMPTY), intended)
    container, index = array, own.group_index
    del groups[own.group_index]
    if not groups and "hooks.PreToolUse" in created:
        container, index = hooks, hooks.index(EVENT)
        del intended["hooks"][EVENT]
        if len(hooks.items) == 1 and "hooks" in created:
            container, index = root, root.index("hooks")
            del intended["hooks"]
    return _proved(jsonedit.remove(document, container, index), intended)


def _is_filled(group: Node) -> bool:
    return group.kind == "array" or bool(_handlers(group))


def _plain(value: object) -> object:
    """value as the reader would give it, numbers by their spelling."""
    return jsontext.value(Document(json.dumps(value)).root)


def _proved(document: Document, intended: object) -> Document:
    if not jsontext.same(jsontext.value(document.root), intended):
        raise InstallError(
            "The edited hooks.json would not say what it should, so nothing was written. Please report this."
        )
    return document
