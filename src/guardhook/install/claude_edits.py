"""The edits of a settings file: one entry put in, brought up to date or taken out, every other byte as it was.

Each result is read again and compared with what was meant.
"""

import json
from typing import TYPE_CHECKING, Any

from guardhook.install import InstallError, jsonedit, jsontext
from guardhook.install.jsontext import Document

if TYPE_CHECKING:
    from guardhook.install.claude import Handler, Own


def add(document: Document, handler: "Handler") -> tuple[Document, tuple[str, ...]]:
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


def update(document: Document, own: "Own", handler: "Handler") -> Document:
    """Bring our first entry up to date: the whole group if it is ours alone, else our handler in it."""
    intended = _fields(document)
    groups = intended["hooks"][handler.event]
    if own.alone:
        node, wanted = own.group, handler.group()
        groups[own.group_index] = _plain(wanted)
    else:
        node, wanted = own.node, handler.value()
        groups[own.group_index]["hooks"][own.index] = _plain(wanted)
    if jsontext.same(jsontext.value(node), _plain(wanted)):
        return document
    return _proved(jsonedit.replace(document, node, wanted), intended)


def take(document: Document, own: "Own", event: str, created: tuple[str, ...] = ()) -> Document:
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
