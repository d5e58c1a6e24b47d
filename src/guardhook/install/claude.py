"""Claude Code as a target: its settings file in, the same file with one group of ours an event out (SPEC A1, A5, G4).

Only the text of those groups changes. Every result is read again, compared with what was meant, and looked through for
what makes the client drop a whole file (`settings_form`), before it is handed on.
"""

import shlex

from guardhook.install import InstallError, claude_edits, jsontext, settings_form
from guardhook.install.jsontext import Document, Node
from guardhook.install.places import Places, means

MATCHER = "*"  # every tool
EVERY_TOOL = ("*", "", ".*")
GUARD = "PreToolUse"
START = "SessionStart"
CONFIG = "ConfigChange"  # starts the guard's own launcher, which tells the events apart by the payload
# Event -> seconds, and what our entry there is called.
TIMEOUTS = {GUARD: 10, START: 5, CONFIG: 10}
TIMEOUT = TIMEOUTS[GUARD]
_ENTRIES = {
    GUARD: "the guard's entry",
    START: "the entry for a session's start",
    CONFIG: "the entry for changed settings",
}
_KIND_NAMES = {"object": "an object", "array": "an array", "string": "a string"}


class UnreadableError(InstallError):
    """The settings file is not JSON, so nothing in it can be edited."""


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
        """Only a tool call has a tool to match; every start of a session and every change of settings is wanted."""
        matcher = {"matcher": MATCHER} if self.event == GUARD else {}
        return {**matcher, "hooks": [self.value()]}


def handlers(
    interpreter: str, places: Places, blocks: bool, watches: bool = True, starts: bool = True
) -> list[Handler]:
    """All that is wired, the guard first. blocks: is a call blocked when the guard cannot start? watches: are changed
    settings judged? starts: is a session's start looked at? It happens whatever fails (SPEC G4).

    Raises InstallError as Handler does.
    """
    events = [GUARD, *([START] if starts else []), *([CONFIG] if watches else [])]
    return [Handler(interpreter, places, blocks and event != START, event) for event in events]


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
    column, for a file that is not JSON, whose hooks have a wrong type, or that the client would drop all the same.
    """
    document = _read(b"{}\n" if data is None else data, places.settings)
    notes = _warnings(document, places)
    own = find(document, places, handler.event)
    if not own:
        document, missing = claude_edits.add(document, handler)
        missing += ("settings",) if data is None else ()
        return Wiring(_formed(document, places), missing, f"{_ENTRIES[handler.event]} is added", notes)
    before = document.text
    while len(own) > 1:  # first, since two of ours in one entry are not alone there
        document = claude_edits.take(document, own[-1], handler.event)
        own = find(document, places, handler.event)
    notes += _shared(own[0], handler.event)
    document = claude_edits.update(document, own[0], handler)
    changed = document.text != before
    note = f"{_ENTRIES[handler.event]} is brought up to date" if changed else "up to date"
    return Wiring(_formed(document, places), None, note, notes, changed)


def drop(data: bytes, places: Places, event: str, created: tuple[str, ...]) -> Wiring:
    """The settings without our entries of one event, for a client that does not know it. created: see `unwire`."""
    document = _read(data, places.settings)
    before = document.text
    while own := find(document, places, event):
        document = claude_edits.take(document, own[-1], event, created)
    changed = document.text != before
    return Wiring(_formed(document, places), (), f"{_ENTRIES[event]} is taken out", [], changed)


def unwire(data: bytes, places: Places, created: tuple[str, ...]) -> tuple[bytes | None, int]:
    """The settings without our entries, and how many were taken out.

    created: what installing had to create; such a container goes too if nothing else is in it, and so does the file
    (None). Entries of ours come out of a file that the client would drop, too. Raises InstallError for a file that is
    not JSON, or that has a wrong type and no entry of ours.
    """
    document = _parse(data, places.settings)
    count = 0
    for event in reversed(TIMEOUTS):
        while own := find(document, places, event):
            document = claude_edits.take(document, own[-1], event, created)
            count += 1
    if not count:
        _read(data, places.settings)
    if count and "settings" in created and document.text == "{}\n":
        return None, count
    return document.encode(), count


def find(document: Document, places: Places, event: str = GUARD) -> list[Own]:
    """Our handlers of an event, in order."""
    found: list[Own] = []
    for group_index, group in enumerate(_groups(document, event)):
        items = _handlers(group.node)
        for index, item in enumerate(items):
            if is_own(jsontext.value(item.node), places, event):
                found.append(Own(group.node, group_index, item.node, index, len(items) == 1))
    return found


def strangers(document: Document, places: Places) -> list[str]:
    """Commands around a `guard.py` in a hooks folder that are not ours, of every tool call or change of settings."""
    found = []
    for event in (GUARD, CONFIG):
        for group in _groups(document, event):
            for item in _handlers(group.node):
                value = jsontext.value(item.node)
                command = value.get("command") if isinstance(value, dict) else None
                if isinstance(command, str) and "hooks/guard.py" in command and not is_own(value, places):
                    found.append(command)
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
    options = words[1 : words.index(script)] if script else []
    isolated = any(option.startswith("-") and "I" in option for option in options)
    return isolated and means(script, _script(places, event))


def _parse(data: bytes, path: str) -> Document:
    try:
        return jsontext.read(data)
    except jsontext.JsonTextError as error:
        raise UnreadableError(f"{path} is not valid JSON, so it was left as it is.\n{error}.") from None


def _read(data: bytes, path: str) -> Document:
    document = _parse(data, path)
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


def _formed(document: Document, places: Places) -> bytes:
    """The bytes of a file that the client takes. Raises InstallError for one that it would drop, with every reason."""
    found = settings_form.flaws(document)
    if found:
        flaws = "\n".join(f"{flaw}." for flaw in found)
        raise InstallError(
            f"{places.settings} is not a settings file that Claude Code would take: it drops the whole file, hooks and "
            f"permission rules, and goes on without them. So it was left as it is; mend it and run this again.\n{flaws}"
        )
    return document.encode()


def _script(places: Places, event: str) -> str:
    return places.session if event == START else places.guard


def _groups(document: Document, event: str) -> list[jsontext.Item]:
    hooks = document.root.member("hooks")
    groups = hooks.member(event) if hooks else None
    return groups.items if groups and groups.kind == "array" else []


def _handlers(group: Node) -> list[jsontext.Item]:
    handlers = group.member("hooks")
    return handlers.items if handlers and handlers.kind == "array" else []


def _warnings(document: Document, places: Places) -> list[str]:
    notes: list[str] = []
    disabled = document.root.member("disableAllHooks")
    if disabled and disabled.value is True:
        notes.append(
            f'"disableAllHooks" is true in {places.settings}: Claude Code runs no hook at all until it is taken out.'
        )
    notes += [
        f"Another entry may start the same launcher and is left alone: {command}"
        for command in strangers(document, places)
    ]
    return notes


def _shared(own: Own, event: str) -> list[str]:
    matcher = own.group.member("matcher")
    if event != GUARD or own.alone or not matcher or matcher.value in EVERY_TOOL:
        return []
    return [f"The guard shares a group with other handlers, for {matcher.value!r} only; that was left as it is."]
