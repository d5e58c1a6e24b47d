"""What makes Claude Code drop a whole settings file, permission rules and all, and go on without the guard.

Some 200 files were tried on the client (2.1.332): one flaw in a hook of PreToolUse or PermissionRequest costs the file,
in other events it costs that entry; unknown events and fields are skipped. What was not seen to cost a file is no flaw.
"""

import math
import re
from collections.abc import Callable

from guardhook.install import jsontext
from guardhook.install.jsontext import Document, Node

GUARDING = ("PreToolUse", "PermissionRequest")
_ADDRESS = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*:.*[^/\s:]", re.DOTALL)
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
    return node.kind == "string" and _ADDRESS.match(str(node.value)) is not None


# What a value must be, in words -> is it that?
_KINDS: dict[str, Callable[[Node], bool]] = {
    "a string": _is_text,
    "true or false": lambda node: isinstance(node.value, bool),
    "a number": lambda node: node.kind == "number",
    "a number above 0": _is_seconds,
    "an object": lambda node: node.kind == "object",
    "an array": lambda node: node.kind == "array",
    "an array of strings": _is_texts,
    "an object of strings": _is_table,
    "an address such as https://host/path": _is_address,
    '"continue" or "block"': lambda node: node.value in ("continue", "block"),
    '"bash" or "powershell"': lambda node: node.value in ("bash", "powershell"),
}
_ANY = {"if": "a string", "timeout": "a number above 0", "statusMessage": "a string", "once": "true or false"}
_COMMAND = {
    "command": "a string",
    "args": "an array of strings",
    "shell": '"bash" or "powershell"',
    "async": "true or false",
    "asyncRewake": "true or false",
    "rewakeMessage": "a string",
    "rewakeSummary": "a string",
    "onFailure": '"continue" or "block"',
}
_HTTP = {
    "url": "an address such as https://host/path",
    "headers": "an object of strings",
    "allowedEnvVars": "an array of strings",
    "onFailure": '"continue" or "block"',
}
_MCP_TOOL = {"server": "a string", "tool": "a string", "input": "an object"}
_PROMPT = {"prompt": "a string", "model": "a string", "continueOnBlock": "true or false"}
_AGENT = {"prompt": "a string", "model": "a string"}
# Type of a handler -> the fields that are looked at beside those of _ANY, and which of them must be there.
_HANDLERS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "command": (_COMMAND, ("command",)),
    "http": (_HTTP, ("url",)),
    "mcp_tool": (_MCP_TOOL, ("server", "tool")),
    "prompt": (_PROMPT, ("prompt",)),
    "agent": (_AGENT, ("prompt",)),
}
# Of the fields outside `hooks`, those that were tried.
_ROOT = {
    "permissions": "an object",
    "env": "an object",
    "disableAllHooks": "true or false",
    "model": "a string",
    "apiKeyHelper": "a string",
    "includeCoAuthoredBy": "true or false",
    "statusLine": "an object",
    "cleanupPeriodDays": "a number",
}
_PERMISSIONS = {
    "allow": "an array",
    "deny": "an array",
    "ask": "an array",
    "additionalDirectories": "an array of strings",
    "defaultMode": "a string",
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
        look.fields(root, _ROOT, "")
        permissions = root.member("permissions")
        if permissions and permissions.kind == "object":
            look.fields(permissions, _PERMISSIONS, " of the permissions")
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
        known = ", ".join(_HANDLERS)
        if kind is None:
            self._note(handler, f'a handler of "hooks.{event}" must have a "type", one of {known}')
            return
        if kind.value not in _HANDLERS or kind.kind != "string":
            what = f'the "type" of a handler of "hooks.{event}"'
            self._note(kind, f"{what} must be one of {known}, not {self._shown(kind)}")
            return
        fields, needed = _HANDLERS[str(kind.value)]
        for name in needed:
            if handler.member(name) is None:
                self._note(handler, f'a handler of "hooks.{event}" of type "{kind.value}" must have "{name}"')
        self.fields(handler, {**_ANY, **fields}, f' of a handler of "hooks.{event}"')

    def _note(self, node: Node, text: str) -> None:
        place = jsontext.JsonTextError(self.document.text, node.start, "")
        self.found.append((node.start, f"line {place.line}, column {place.column}: {text}"))

    def _shown(self, node: Node) -> str:
        text = " ".join(self.document.text[node.start : node.end].split())
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
