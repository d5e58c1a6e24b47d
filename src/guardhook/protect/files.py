"""What an editing tool or a patch does to a protected file: applied in memory, and the parts compared (SPEC P2)."""

from guardhook.call import ToolCall
from guardhook.prose import scope
from guardhook.protect.places import CONFIG, WHOLE, Protected, Thing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from guardhook.agents.patch import FilePatch
    from guardhook.call import Edit

_UNCLEAR = "where this edit would land cannot be told, so neither can what it changes"


class Change:
    """thing: what changes. act: what does it, as it stands in the call. how: what changes about it, in words."""

    __slots__ = ("act", "how", "thing")

    def __init__(self, thing: Thing, act: str, how: str = "") -> None:
        self.thing = thing
        self.act = act
        self.how = how


def edited(call: ToolCall, protected: Protected, environment: dict[str, str]) -> "Iterator[Change]":
    """What an editing tool's call changes."""
    thing = protected.at(call.path, call.cwd)
    if thing is None or not call.edits:
        return
    if thing.kind == WHOLE:
        yield Change(thing, f"{call.tool} {call.path}")
        return
    place = scope.absolute(call.path, call.cwd, environment) or thing.path
    new = _after(scope.open_text(place), call.edits)
    how = [_UNCLEAR] if new is None else _changed(thing, scope.open_text(place) or "", new)
    if how:
        yield Change(thing, f"{call.tool} {call.path}", "; ".join(how))


def patched(text: str, where: str | None, protected: Protected, environment: dict[str, str]) -> "Iterator[Change]":
    """What a patch of Codex changes. where: what its paths start from, None where nobody knows."""
    from guardhook.agents import patch

    for file in patch.parse(text) or []:
        for path in dict.fromkeys((file.path, file.destination or "")):
            thing = protected.at(path, where) if path else None
            if thing is None:
                continue
            place = scope.absolute(path, where or "", environment) or thing.path
            how = [] if thing.kind == WHOLE else _patched(file, path, thing, place)
            if how or thing.kind == WHOLE:
                yield Change(thing, f"a patch of {path}", "; ".join(how))


def _patched(file: "FilePatch", path: str, thing: Thing, place: str) -> list[str]:
    """What a patch changes about a file whose parts count."""
    old = scope.open_text(place)
    if file.destination != path:  # deleted, or moved away
        return _changed(thing, old or "", "") if old else []
    if file.move:  # something else takes its place
        return ["another file takes its place"]
    result = file.result(old)
    return [_UNCLEAR] if result is None else _changed(thing, old or "", result[0])


def _changed(thing: Thing, old: str, new: str) -> list[str]:
    from guardhook.protect import parts

    hooks = ""
    if thing.kind == CONFIG:
        hooks = scope.open_text(thing.path.rpartition("/")[0] + "/hooks.json") or ""
    return parts.changed(thing.kind, old, new, hooks)


def _after(old: str | None, edits: "list[Edit]") -> str | None:
    """The text that the edits leave; None where one has no one place."""
    if edits[0][0] is None or not (edits[0][0] or old):  # the whole text, or a file that an edit makes
        old, edits = edits[0][1], edits[1:]
    if not edits:
        return old
    from guardhook.prose import placing

    placed = placing.place(old, edits) if old is not None else None
    return None if placed is None else placed[0]
