"""What makes Claude Code drop a settings file, with line and column of each flaw. The tables are `protect/form`'s."""

import math
from collections.abc import Callable

from guardhook.install import jsontext
from guardhook.install.jsontext import Document, Node
from guardhook.protect import form
from guardhook.protect.form import ANY, GUARDING, HANDLERS, PERMISSIONS, ROOT

_SHOWN = 60  # characters of a wrong value in a message


def _is_seconds(node: Node) -> bool:
    return node.kind == "number" and 0 < float(str(node.value)) < math.inf


def _is_texts(node: Node) -> bool:
    return node.kind == "array" and all(item.node.kind == "string" for item in node.items)


def _is_table(node: Node) -> bool:
    """The last of members of one name counts."""
    names = {item.key for item in node.items}
    return node.kind == "object" and all(_is_text(node.member(name or "")) for name in names)


def _is_text(node: Node | None) -> bool:
    return node is not None and node.kind == "string"


def _is_address(node: Node) -> bool:
    return node.kind == "string" and form.is_address(str(node.value))


# What a value must be, in words -> is it that?
_KINDS: dict[str, Callable[[Node], bool]] = {
    form.TEXT: _is_text,
    form.SWITCH: lambda node: isinstance(node.value, bool),
    form.NUMBER: lambda node: node.kind == "number",
    form.SECONDS: _is_seconds,
    form.OBJECT: lambda node: node.kind == "object",
    form.ARRAY: lambda node: node.kind == "array",
    form.TEXTS: _is_texts,
    form.TABLE: _is_table,
    form.ADDRESS: _is_address,
    form.ON_FAILURE: lambda node: node.value in ("continue", "block"),
    form.SHELL: lambda node: node.value in ("bash", "powershell"),
}


def flaws(document: Document) -> list[str]:
    """What in a settings file makes the client drop it, or take no hook from it; empty for a file that it takes.

    Each is a sentence with line and column, in the order of the file (SPEC A5). Of members of one name the last counts,
    as the client has it.
    """
    found: list[tuple[int, str]] = []
    look = _Look(document, found)
    root = document.root
    if look.expect(root, "an object", "the file"):
        look.fields(root, ROOT, "")
        permissions = root.member("permissions")
        if permissions and permissions.kind == "object":
            look.fields(permissions, PERMISSIONS, " of the permissions")
        hooks = root.member("hooks")
        if hooks and look.expect(hooks, "an object", '"hooks"'):
            for event in GUARDING:
                look.event(hooks.member(event), event)
    return [text for _, text in sorted(found)]


class _Look:
    """One pass over a document; what is wrong goes into found, as (position, sentence)."""

    def __init__(self, document: Document, found: list[tuple[int, str]]) -> None:
        self.document = document
        self.found = found

    def expect(self, node: Node, kind: str, what: str) -> bool:
        """Note it unless the node is of this kind."""
        if not _KINDS[kind](node):
            self._note(node, f"{what} must be {kind}, not {self._shown(node)}")
            return False
        return True

    def fields(self, node: Node, wanted: dict[str, str], where: str) -> None:
        """Note each member that is not what it must be; all of them may be missing."""
        for name, kind in wanted.items():
            member = node.member(name)
            if member:
                self.expect(member, kind, f'"{name}"{where}')

    def event(self, groups: Node | None, event: str) -> None:
        """The groups of one event; for null in their place the client goes on as if nothing stood there."""
        if groups is None or (groups.kind == "literal" and groups.value is None):
            return
        if self.expect(groups, "an array", f'"hooks.{event}"'):
            for item in groups.items:
                if self.expect(item.node, "an object", f'an entry of "hooks.{event}"'):
                    self._group(item.node, event)

    def _group(self, group: Node, event: str) -> None:
        where = f' of an entry of "hooks.{event}"'
        self.fields(group, {"matcher": "a string"}, where)
        handlers = group.member("hooks")
        if handlers is None:
            self._note(group, f'an entry of "hooks.{event}" must have "hooks"')
        elif self.expect(handlers, "an array", f'"hooks"{where}'):
            for item in handlers.items:
                if self.expect(item.node, "an object", f'a handler of "hooks.{event}"'):
                    self._handler(item.node, event)

    def _handler(self, handler: Node, event: str) -> None:
        kind = handler.member("type")
        known = ", ".join(HANDLERS)
        if kind is None:
            self._note(handler, f'a handler of "hooks.{event}" must have a "type", one of {known}')
            return
        if kind.value not in HANDLERS or kind.kind != "string":
            what = f'the "type" of a handler of "hooks.{event}"'
            self._note(kind, f"{what} must be one of {known}, not {self._shown(kind)}")
            return
        fields, needed = HANDLERS[str(kind.value)]
        for name in needed:
            if handler.member(name) is None:
                self._note(handler, f'a handler of "hooks.{event}" of type "{kind.value}" must have "{name}"')
        self.fields(handler, {**ANY, **fields}, f' of a handler of "hooks.{event}"')

    def _note(self, node: Node, text: str) -> None:
        place = jsontext.JsonTextError(self.document.text, node.start, "")
        self.found.append((node.start, f"line {place.line}, column {place.column}: {text}"))

    def _shown(self, node: Node) -> str:
        text = " ".join(self.document.text[node.start : node.end].split())
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
