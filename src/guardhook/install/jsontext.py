"""A strict JSON reader that remembers where everything stands, so that one value can be edited and the rest kept.

The standard reader gives values without positions, takes `NaN`, and raises RecursionError on deep nesting; a settings
file that belongs to somebody else deserves an exact error and no re-formatting.
"""

import json
import re

BOM = b"\xef\xbb\xbf"
CLOSER = {"object": "}", "array": "]"}

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING_BODY = re.compile(r'[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_LITERALS: tuple[tuple[str, object], ...] = (("true", True), ("false", False), ("null", None))


class JsonTextError(ValueError):
    """The text is not JSON. line, column: from 1, column in characters. expected: what should have stood there."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        breaks = list(_NEWLINE.finditer(text, 0, position))
        self.line = len(breaks) + 1
        self.column = position - (breaks[-1].end() if breaks else 0) + 1
        self.expected = expected
        found = repr(text[position]) if position < len(text) else "the end of the file"
        super().__init__(f"line {self.line}, column {self.column}: expected {expected}, found {found}")


class Number(str):
    """A number as it is spelled: `1e400` and integers of a thousand digits survive."""

    __slots__ = ()


class Item:
    """A member of an object (key is its name, start its opening quote) or an element of an array (key is None)."""

    __slots__ = ("key", "node", "start")

    def __init__(self, key: str | None, start: int, node: "Node") -> None:
        self.key = key
        self.start = start
        self.node = node

    @property
    def end(self) -> int:
        return self.node.end


class Node:
    """A value and its span in the text, half open.

    kind: `object`, `array`, `string`, `number` or `literal`. items: of an object or array, in order, duplicates kept.
    value: of the other kinds: str, Number, bool or None.
    """

    __slots__ = ("end", "items", "kind", "start", "value")

    def __init__(self, kind: str, start: int, end: int = -1, value: object = None) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.value = value
        self.items: list[Item] = []

    def index(self, key: str) -> int:
        """Where the member `key` is among the items; the last of duplicates, as every reader has it; -1 if absent."""
        for index in range(len(self.items) - 1, -1, -1):
            if self.items[index].key == key:
                return index
        return -1

    def member(self, key: str) -> "Node | None":
        index = self.index(key)
        return None if index < 0 else self.items[index].node


class Document:
    """A whole file: text without its byte order mark, whether it had one, and its root value."""

    __slots__ = ("bom", "root", "text")

    def __init__(self, text: str, bom: bool = False) -> None:
        self.text = text
        self.bom = bom
        self.root = _Reader(text).read()

    def encode(self) -> bytes:
        return (BOM if self.bom else b"") + self.text.encode("utf-8")


def read(data: bytes) -> Document:
    """The document in a file's bytes (UTF-8, with or without a byte order mark). Raises JsonTextError."""
    bom = data.startswith(BOM)
    body = data[len(BOM) :] if bom else data
    try:
        return Document(body.decode("utf-8"), bom)
    except UnicodeDecodeError as error:
        good = body[: error.start].decode("utf-8")
        raise JsonTextError(good + "\N{REPLACEMENT CHARACTER}", len(good), "text in UTF-8") from None


def value(node: Node) -> object:
    """The node as dicts, lists, str, Number, bool and None; of duplicate members the last one counts."""
    root: list[object] = []
    pending: list[tuple[Node, object]] = []

    def shell(node: Node) -> object:
        made: object = {} if node.kind == "object" else [] if node.kind == "array" else node.value
        if node.items:
            pending.append((node, made))
        return made

    root.append(shell(node))
    while pending:
        container, made = pending.pop()
        for item in container.items:
            if isinstance(made, dict):
                made[item.key] = shell(item.node)
            elif isinstance(made, list):
                made.append(shell(item.node))
    return root[0]


def same(one: object, other: object) -> bool:
    """Are two results of `value` equal? Without recursion, and without taking `true` for 1."""
    pending = [(one, other)]
    while pending:
        left, right = pending.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys():
                return False
            pending.extend((left[key], right[key]) for key in left)
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            pending.extend(zip(left, right, strict=True))
        elif left != right:
            return False
    return True


class _Reader:
    """One pass with a stack of its own instead of recursion."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def read(self) -> Node:
        root = node = self._value("a JSON value")
        opened: list[Node] = []
        while True:
            if node.end < 0:
                opened.append(node)
                if self._peek() != CLOSER[node.kind]:
                    node = self._item(node, or_close=True)
                    continue
                node = self._close(opened.pop())
            while opened:
                parent = opened[-1]
                mark = self._peek()
                if mark == ",":
                    self.position += 1
                    node = self._item(parent, or_close=False)
                    break
                if mark != CLOSER[parent.kind]:
                    raise self._error(f'"," or "{CLOSER[parent.kind]}"')
                node = self._close(opened.pop())
            else:
                break
        if self._peek():
            raise self._error("the end of the file")
        return root

    def _peek(self) -> str:
        """The next character that is not white space, "" at the end; the position is then on it."""
        space = _SPACE.match(self.text, self.position)
        self.position = space.end() if space else self.position
        return self.text[self.position : self.position + 1]

    def _close(self, node: Node) -> Node:
        self.position += 1
        node.end = self.position
        return node

    def _item(self, parent: Node, or_close: bool) -> Node:
        """Read one item up to its value, which may be a container that is still open (its end is then -1)."""
        choice = f' or "{CLOSER[parent.kind]}"' if or_close else ""
        mark = self._peek()
        start = self.position
        key: str | None = None
        if parent.kind == "object":
            if mark != '"':
                raise self._error(f"a name in double quotes{choice}")
            key = self._string()
            if self._peek() != ":":
                raise self._error('":"')
            self.position += 1
            choice = ""
        node = self._value(f"a JSON value{choice}")
        parent.items.append(Item(key, start, node))
        return node

    def _value(self, expected: str) -> Node:
        mark = self._peek()
        start = self.position
        if mark in ("{", "["):
            self.position += 1
            return Node("object" if mark == "{" else "array", start)
        if mark == '"':
            string = self._string()
            return Node("string", start, self.position, string)
        number = _NUMBER.match(self.text, start)
        if number:
            self.position = number.end()
            return Node("number", start, self.position, Number(number.group()))
        for word, meaning in _LITERALS:
            if self.text.startswith(word, start):
                self.position += len(word)
                return Node("literal", start, self.position, meaning)
        raise self._error(expected)

    def _string(self) -> str:
        start = self.position
        body = _STRING_BODY.match(self.text, start + 1)
        self.position = body.end() if body else start + 1
        mark = self.text[self.position : self.position + 1]
        if mark == "\\":
            raise self._error('one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX')
        if mark != '"':
            raise self._error(
                "a closing double quote" if not mark else "a closing double quote or an escape such as \\n"
            )
        self.position += 1
        string: str = json.loads(self.text[start : self.position])
        return string

    def _error(self, expected: str) -> JsonTextError:
        return JsonTextError(self.text, self.position, expected)
