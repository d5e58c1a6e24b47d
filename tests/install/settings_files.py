"""Settings files for property tests: every layout that JSON allows, with other people's hooks in them."""

import json
from collections.abc import Callable

from hypothesis import strategies as st

TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
SPACE = st.text(" \t\r\n", max_size=3)
NUMBERS = st.sampled_from(["0", "-0.5", "1e400", "12345678901234567890123", "1E-7"])
KEYS = st.one_of(st.sampled_from(["permissions", "env", "model", "hooks", "allow"]), TEXT)


class Pairs(list[tuple[str, object]]):
    """An object as pairs, so that a name can occur twice."""


class Spelled(str):
    """A number as it is to be written."""

    __slots__ = ()


LEAVES = st.one_of(st.none(), st.booleans(), TEXT, NUMBERS.map(Spelled))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.lists(st.tuples(KEYS, inner), max_size=3).map(Pairs),
    max_leaves=6,
)
DEEP = st.sampled_from([40, 100]).map(lambda depth: Spelled("[" * depth + "]" * depth))
# What the client takes; a member that comes twice may be anything the first time.
TWICE = st.lists(st.tuples(st.sampled_from(["type", "command", "timeout", "onFailure", "x"]), LEAVES), max_size=1)
COMMAND_HANDLERS = st.builds(
    lambda twice, command, more: Pairs([*twice, ("onFailure", "block"), ("timeout", Spelled("7")), *more, *command]),
    TWICE,
    TEXT.map(lambda text: [("command", text), ("type", "command")]),
    st.lists(
        st.sampled_from(
            [("timeout", Spelled("0.5")), ("onFailure", "continue"), ("args", ["a"]), ("async", False), ("x", None)]
        ),
        max_size=2,
    ),
)
HANDLERS: st.SearchStrategy[Pairs] = st.one_of(
    COMMAND_HANDLERS,
    st.just(Pairs([("type", "http"), ("url", "http://127.0.0.1:1/é"), ("headers", Pairs([("a", "b")]))])),
    st.just(Pairs([("type", "prompt"), ("prompt", "really?"), ("onFailure", Spelled("5"))])),
)


def groups(handlers: st.SearchStrategy[Pairs]) -> st.SearchStrategy[Pairs]:
    """Entries of one event; a member that comes twice may be anything the first time."""
    return st.builds(
        lambda twice, matcher, inner: Pairs([*twice, *([("matcher", matcher)] if matcher else []), ("hooks", inner)]),
        st.sampled_from([[], [], [("hooks", None)], [("note", Spelled("1e400"))]]),
        st.sampled_from(["", "Bash", "Write|Edit", "*"]),
        st.lists(handlers, max_size=2),
    )


OTHER_EVENTS: st.SearchStrategy[list[tuple[str, object]]] = st.lists(
    st.tuples(st.sampled_from(["PostToolUse", "Stop", "PreToolUse", "NotAnEvent"]), st.just([])), max_size=2
)


@st.composite
def hooks(draw: st.DrawFn, ours: dict[str, st.SearchStrategy[Pairs]]) -> Pairs:
    """The hooks of a settings file. ours: event -> handlers of which one at least stands there, alone or not."""
    found: list[tuple[str, object]] = [*draw(OTHER_EVENTS)]
    certain = draw(st.sampled_from(sorted(ours))) if ours else ""
    for event in draw(st.permutations(["PreToolUse", "SessionStart", "ConfigChange", "PermissionRequest"])):
        handlers = HANDLERS | ours[event] if event in ours else HANDLERS
        if event == certain:
            inner = [*draw(st.lists(HANDLERS, max_size=1)), draw(ours[event]), *draw(st.lists(handlers, max_size=1))]
            entries = draw(st.lists(groups(handlers), max_size=2))
            entries.insert(draw(st.integers(0, len(entries))), Pairs([("hooks", inner)]))
            found.append((event, entries))
        elif draw(st.booleans()):
            found.append((event, draw(st.lists(groups(handlers), max_size=3))))
    return Pairs(found + [item for item in draw(OTHER_EVENTS) if item[0] != "PreToolUse"])


# The members that are looked at have the right type, at least the last of one name.
MEMBERS: st.SearchStrategy[tuple[str, object]] = st.one_of(
    st.tuples(KEYS, VALUES),
    st.tuples(KEYS, LEAVES),
    st.tuples(KEYS, TEXT),
    st.tuples(st.just("deep"), DEEP),
)
RIGHT: dict[str, object] = {
    "permissions": Pairs([("allow", ["Bash(*)"]), ("deny", Spelled("1")), ("deny", [])]),
    "env": Pairs([("A", "é\u2028/\U0001f600"), ("A", Spelled("-0.5"))]),
    "model": "m",
}


@st.composite
def roots(draw: st.DrawFn, ours: dict[str, st.SearchStrategy[Pairs]] | None = None) -> Pairs:
    """A settings object that the client takes; of members of one name the last is what counts."""
    members = draw(st.lists(MEMBERS, max_size=4))
    if draw(st.booleans()) or ours:
        members = [(key, value) for key, value in members if key != "hooks" or draw(st.booleans())]
        members.insert(draw(st.integers(0, len(members))), ("hooks", None))
        last = max(index for index, (key, _) in enumerate(members) if key == "hooks")
        members[last] = ("hooks", draw(hooks(ours or {})))
    else:
        members = [(key, value) for key, value in members if key != "hooks"]
    for name, value in RIGHT.items():
        if name in [key for key, _ in members]:
            last = max(index for index, (key, _) in enumerate(members) if key == name)
            members[last] = (name, value)
    return Pairs(members)


@st.composite
def files(draw: st.DrawFn, values: st.SearchStrategy[object] | None = None) -> bytes:
    """The bytes of a file that holds one value: laid out by a formatter, or with white space anywhere."""
    value = draw(roots() if values is None else values)
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    spell = draw(st.sampled_from([_plain, _plain, _escaped]))
    if draw(st.booleans()):
        unit = draw(st.sampled_from(["", " ", "  ", "    ", "\t"]))
        colon = draw(st.sampled_from([": ", ":"]))
        lines = newline if draw(st.integers(0, 3)) else ""
        text = _formatted(value, unit, lines, colon, newline if unit else "", spell)
    else:
        text = draw(SPACE) + _scattered(draw, value, spell)
    text += draw(st.sampled_from(["", newline, newline * 2, " "]))
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode()


def _plain(value: object) -> str:
    return str(value) if isinstance(value, Spelled) else json.dumps(value, ensure_ascii=False)


def _escaped(value: object) -> str:
    """Every other way to spell the same string: ASCII alone, slashes and the letter o as escapes."""
    if isinstance(value, Spelled):
        return str(value)
    return (
        json.dumps(value).replace("/", "\\/").replace("o", "\\u006f") if isinstance(value, str) else json.dumps(value)
    )


def _formatted(value: object, unit: str, newline: str, colon: str, at: str, spell: Callable[[object], str]) -> str:
    if not isinstance(value, list):
        return spell(value)
    inner = at + unit if newline else ""
    items = [
        spell(item[0]) + colon + _formatted(item[1], unit, newline, colon, inner, spell)
        if isinstance(value, Pairs)
        else _formatted(item, unit, newline, colon, inner, spell)
        for item in value
    ]
    one, other = "{}" if isinstance(value, Pairs) else "[]"
    if not items:
        return one + other
    return one + inner + ("," + (inner or colon[1:])).join(items) + (at if newline else "") + other


def _scattered(draw: st.DrawFn, value: object, spell: Callable[[object], str]) -> str:
    if not isinstance(value, list):
        return spell(value) + draw(SPACE)
    pieces = [
        spell(item[0]) + draw(SPACE) + ":" + draw(SPACE) + _scattered(draw, item[1], spell)
        if isinstance(value, Pairs)
        else _scattered(draw, item, spell)
        for item in value
    ]
    one, other = "{}" if isinstance(value, Pairs) else "[]"
    return one + draw(SPACE) + ("," + draw(SPACE)).join(pieces) + other + draw(SPACE)
