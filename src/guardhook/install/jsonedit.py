"""Edits of a JSON text: each changes one place and leaves every other byte as it was.

`remove` is the exact inverse of `append` and `insert`: what was put in comes out again, and the file is byte for byte
what it was. That is why an insertion into an empty container keeps the white space it found there.
"""

import json
import re

from guardhook.install.jsontext import Document, Node

_NEWLINE = re.compile(r"\r\n|\r|\n")
_INDENT = re.compile(r"[\r\n]([ \t]+)[^ \t\r\n]")
_LEADING = re.compile(r"[ \t]*")


class Style:
    """How a file is laid out: its newline, one step of indentation, and whether `:` and `,` are followed by a blank."""

    __slots__ = ("newline", "spaced", "unit")

    def __init__(self, document: Document) -> None:
        newline = _NEWLINE.search(document.text)
        indent = _INDENT.search(document.text)
        self.newline = newline.group() if newline else "\n"
        self.unit = indent.group(1) if indent else "  "
        self.spaced = ": " in document.text or not document.root.items

    def block(self, value: object, indent: str) -> str:
        """value over several lines; indent is that of the line it begins on."""
        separators = (",", ": " if self.spaced else ":")
        text = json.dumps(value, ensure_ascii=False, indent=self.unit, separators=separators)
        return text.replace("\n", self.newline + indent)

    def inline(self, value: object) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(", ", ": ") if self.spaced else (",", ":"))


def append(document: Document, array: Node, value: object) -> Document:
    """A document with value as the last element of one of its arrays."""
    return _add(document, array, "", value)


def insert(document: Document, container: Node, key: str, value: object) -> Document:
    """A document with `key: value` as the last member of one of its objects."""
    colon = ": " if Style(document).spaced else ":"
    return _add(document, container, json.dumps(key, ensure_ascii=False) + colon, value)


def replace(document: Document, node: Node, value: object) -> Document:
    """A document with another value in node's place, over several lines if the old one was."""
    style = Style(document)
    old = document.text[node.start : node.end]
    block = _NEWLINE.search(old) is not None
    new = style.block(value, _line_indent(document.text, node.start)) if block else style.inline(value)
    return _splice(document, node.start, node.end, new)


def remove(document: Document, container: Node, index: int) -> Document:
    """A document without the item at index of one of its containers."""
    items = container.items
    if index > 0:
        return _splice(document, items[index - 1].end, items[index].end, "")
    if len(items) > 1:
        return _splice(document, items[0].start, items[1].start, "")
    start, end = container.start + 1, items[0].end
    if _NEWLINE.search(document.text, start, items[0].start):
        closing = _closing(document, container)
        if document.text.startswith(closing, end):
            end += len(closing)
    return _splice(document, start, end, "")


def _add(document: Document, container: Node, head: str, value: object) -> Document:
    style = Style(document)
    if container.items:
        end = container.items[-1].end
        lead = _lead(document, container)
        breaks = list(_NEWLINE.finditer(lead))
        if breaks:
            indent = lead[breaks[-1].end() :]
            return _splice(document, end, end, f",{style.newline}{indent}{head}{style.block(value, indent)}")
        if len(container.items) == 1:
            lead = " " if style.spaced else ""
        return _splice(document, end, end, f",{lead}{head}{style.inline(value)}")
    start = container.start + 1
    if container is document.root or _NEWLINE.search(document.text):
        indent = _line_indent(document.text, container.start) + style.unit
        item = style.newline + indent + head + style.block(value, indent)
        return _splice(document, start, start, item + _closing(document, container))
    return _splice(document, start, start, head + style.inline(value))


def _lead(document: Document, container: Node) -> str:
    """The white space in front of the last item of a container that has one."""
    items = container.items
    before = items[-2].end if len(items) > 1 else container.start + 1
    return document.text[before : items[-1].start].rpartition(",")[2]


def _closing(document: Document, container: Node) -> str:
    """What goes in front of the closing bracket of a container that was empty."""
    return Style(document).newline + _line_indent(document.text, container.start)


def _line_indent(text: str, position: int) -> str:
    start = max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1
    leading = _LEADING.match(text, start, position)
    return leading.group() if leading else ""


def _splice(document: Document, start: int, end: int, new: str) -> Document:
    return Document(document.text[:start] + new + document.text[end:], document.bom)
