"""What Codex refuses in a hooks.json: it then runs none of the file's hooks, so adding one there guards nothing.

Its reader was asked about some 200 files (0.171.0): known fields are typed and may not come twice, unknown ones and
unknown events are skipped unread, except that a handler's are read before they are skipped.
"""

import re

from guardhook.install import jsontext
from guardhook.install.jsontext import Document, Node

EVENTS = (
    "PreModelRequest PostModelRequest PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SessionStart"
    " SessionEnd UserPromptSubmit SubagentStart SubagentStop Stop Interrupt"
).split()
DEPTH = 127  # of containers, as far as its reader goes
MOST = 2**63 - 1  # a whole number above it makes Codex drop all its hooks, those of other files too
_WHOLE = re.compile(r"-?0|[1-9][0-9]*")
_SURROGATE = re.compile("[\ud800-\udfff]")

_STRING, _TEXT, _COUNT, _BOOL, _OBJECT = "a string", "a string or null", "a whole number", "true or false", "an object"
_COMMAND = {
    "command": _STRING,
    "commandWindows": _TEXT,
    "command_windows": _TEXT,
    "timeout": _COUNT,
    "async": _BOOL,
    "statusMessage": _TEXT,
    "additionalContextLimit": _COUNT,
}
_MCP_TOOL = {"server": _STRING, "tool": _STRING, "input": _OBJECT, "timeout": _COUNT, "statusMessage": _TEXT}
# Type of a handler -> the fields that are looked at, and which of them must be there.
_HANDLERS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "command": (_COMMAND, ("command",)),
    "mcp_tool": (_MCP_TOOL, ("server", "tool")),
    "prompt": ({}, ()),
    "agent": ({}, ()),
}


class RefusedError(ValueError):
    """The file is not one that Codex takes, or not one that can be edited; the text says why, with line and column."""


def read(data: bytes) -> Document:
    """The document in a hooks.json that Codex would take. Raises RefusedError for any other (SPEC X1)."""
    document = parse(data)
    if document.bom:
        raise RefusedError("it begins with a byte order mark, which Codex does not take")
    root = document.root
    _expect(document, root, "object", "the file")
    _look(document, root, ("description", "hooks"), "the file")
    for item in root.items:
        if item.key not in ("description", "hooks"):
            raise _refused(document, item.start, f'only "description" and "hooks" (not {item.key!r}) beside each other')
    _typed(document, root.member("description"), _TEXT, '"description"')
    hooks = root.member("hooks")
    if hooks:
        _expect(document, hooks, "object", '"hooks"')
        _look(document, hooks, EVENTS, '"hooks"')
        for event in EVENTS:
            _event(document, hooks.member(event), event)
    return document


def parse(data: bytes) -> Document:
    """The document in any JSON file. Raises RefusedError."""
    try:
        return jsontext.read(data)
    except jsontext.JsonTextError as error:
        raise RefusedError(f"it is not valid JSON: {error}") from None


def _event(document: Document, groups: Node | None, event: str) -> None:
    if groups is None:
        return
    _expect(document, groups, "array", f'"{event}"')
    for item in groups.items:
        group = item.node
        if group.kind == "array":  # its reader takes the fields of a group in their order, too
            continue
        _expect(document, group, "object", f'an entry of "{event}"')
        _look(document, group, ("matcher", "hooks"), f'an entry of "{event}"')
        _typed(document, group.member("matcher"), _TEXT, '"matcher"')
        handlers = group.member("hooks")
        if handlers:
            _expect(document, handlers, "array", f'the "hooks" of an entry of "{event}"')
            for handler in handlers.items:
                _handler(document, handler.node)


def _handler(document: Document, handler: Node) -> None:
    _buffered(document, handler)
    if handler.kind == "array":
        return
    _expect(document, handler, "object", "a handler")
    _look(document, handler, ("type",), "a handler")
    kind = handler.member("type")
    if kind is None or not isinstance(kind.value, str) or kind.value not in _HANDLERS:
        found = kind.start if kind else handler.start
        raise _refused(document, found, f'a "type" that is one of {", ".join(_HANDLERS)} (a handler must have one)')
    fields, needed = _HANDLERS[kind.value]
    _look(document, handler, fields, "a handler")
    for name, wanted in fields.items():
        if name in needed and handler.member(name) is None:
            raise _refused(document, handler.start, f'"{name}" (a handler of type "{kind.value}" must have one)')
        _typed(document, handler.member(name), wanted, f'"{name}"')
    windows = handler.member("command_windows")
    if windows and kind.value == "command" and handler.member("commandWindows"):
        raise _refused(document, windows.start, 'only one of "commandWindows" and "command_windows"')


def _buffered(document: Document, handler: Node) -> None:
    """A handler is read whole before its type is known: how deep it goes, and the text of everything in it."""
    pending = [(handler, 6)]
    while pending:
        node, depth = pending.pop()
        if depth > DEPTH and node.kind in jsontext.CLOSER:
            raise _refused(document, node.start, f"no more than {DEPTH} levels of brackets")
        _whole_text(document, node.value, node.start)
        for item in node.items:
            _whole_text(document, item.key, item.start)
            pending.append((item.node, depth + 1))


def _look(document: Document, node: Node, known: "dict[str, str] | tuple[str, ...] | list[str]", what: str) -> None:
    """Raise RefusedError where a known name comes twice in an object, or any name is no Unicode text."""
    seen: set[str] = set()
    for item in node.items:
        _whole_text(document, item.key, item.start)
        if item.key in known and item.key in seen:
            raise _refused(document, item.start, f'"{item.key}" only once in {what}')
        seen.add(item.key or "")


def _typed(document: Document, node: Node | None, wanted: str, name: str) -> None:
    if node is None:
        return
    null = node.kind == "literal" and node.value is None
    if wanted == _COUNT:
        fits = null or (node.kind == "number" and _fits(str(node.value)))
    elif wanted == _BOOL:
        fits = isinstance(node.value, bool)
    elif wanted == _OBJECT:
        fits = node.kind == "object"
    else:
        fits = node.kind == "string" or (null and wanted == _TEXT)
    if not fits:
        raise _refused(document, node.start, f"{wanted} ({name} must be one)")
    _whole_text(document, node.value, node.start)


def _fits(spelling: str) -> bool:
    return len(spelling) < 20 and _WHOLE.fullmatch(spelling) is not None and int(spelling) <= MOST


def _whole_text(document: Document, text: object, position: int) -> None:
    if isinstance(text, str) and _SURROGATE.search(text):
        raise _refused(document, position, "Unicode text (half of a surrogate pair is none)")


def _expect(document: Document, node: Node, kind: str, what: str) -> None:
    if node.kind != kind:
        raise _refused(document, node.start, f"an {kind} ({what} must be one)")


def _refused(document: Document, position: int, expected: str) -> RefusedError:
    return RefusedError(str(jsontext.JsonTextError(document.text, position, expected)))
