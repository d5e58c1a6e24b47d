"""Settings files for property tests: every layout that JSON allows, with other people's hooks in them."""

import json

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
HANDLERS = st.lists(
    st.tuples(st.sampled_from(["type", "command", "timeout", "x"]), TEXT | NUMBERS.map(Spelled)), max_size=3
).map(Pairs)
GROUPS = st.builds(
    lambda matcher, handlers: Pairs([*([("matcher", matcher)] if matcher else []), ("hooks", handlers)]),
    st.sampled_from(["", "Bash", "Write|Edit", "*"]),
    st.lists(HANDLERS, max_size=2),
)
OTHER_EVENTS: st.SearchStrategy[list[tuple[str, object]]] = st.lists(
    st.tuples(st.sampled_from(["PostToolUse", "Stop"]), st.just([])), max_size=2
)
HOOKS = st.builds(
    lambda before, groups, after: Pairs([*before, *([("PreToolUse", groups)] if groups is not None else []), *after]),
    OTHER_EVENTS,
    st.none() | st.lists(GROUPS, max_size=3),
    OTHER_EVENTS,
)


@st.composite
def roots(draw: st.DrawFn) -> Pairs:
    """A settings object; the last `hooks` in it, if there is one, is what a client takes."""
    members = draw(st.lists(st.tuples(KEYS, VALUES), max_size=4))
    if draw(st.booleans()):
        members = [(key, value) for key, value in members if key != "hooks" or draw(st.booleans())]
        members.insert(draw(st.integers(0, len(members))), ("hooks", draw(HOOKS)))
        last = max(index for index, (key, _) in enumerate(members) if key == "hooks")
        members[last] = ("hooks", draw(HOOKS))
    else:
        members = [(key, value) for key, value in members if key != "hooks"]
    return Pairs(members)


@st.composite
def files(draw: st.DrawFn, values: st.SearchStrategy[object] | None = None) -> bytes:
    """The bytes of a file that holds one value: laid out by a formatter, or with white space anywhere."""
    value = draw(roots() if values is None else values)
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    if draw(st.booleans()):
        unit = draw(st.sampled_from(["", " ", "  ", "    ", "\t"]))
        colon = draw(st.sampled_from([": ", ":"]))
        text = _formatted(value, unit, newline if draw(st.integers(0, 3)) else "", colon, newline if unit else "")
    else:
        text = draw(SPACE) + _scattered(draw, value)
    text += draw(st.sampled_from(["", newline, newline * 2, " "]))
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode()


def _leaf(value: object) -> str:
    return str(value) if isinstance(value, Spelled) else json.dumps(value, ensure_ascii=False)


def _formatted(value: object, unit: str, newline: str, colon: str, at: str) -> str:
    if not isinstance(value, list):
        return _leaf(value)
    inner = at + unit if newline else ""
    items = [
        json.dumps(item[0]) + colon + _formatted(item[1], unit, newline, colon, inner)
        if isinstance(value, Pairs)
        else _formatted(item, unit, newline, colon, inner)
        for item in value
    ]
    one, other = "{}" if isinstance(value, Pairs) else "[]"
    if not items:
        return one + other
    return one + inner + ("," + (inner or colon[1:])).join(items) + (at if newline else "") + other


def _scattered(draw: st.DrawFn, value: object) -> str:
    if not isinstance(value, list):
        return _leaf(value) + draw(SPACE)
    pieces = [
        json.dumps(item[0]) + draw(SPACE) + ":" + draw(SPACE) + _scattered(draw, item[1])
        if isinstance(value, Pairs)
        else _scattered(draw, item)
        for item in value
    ]
    one, other = "{}" if isinstance(value, Pairs) else "[]"
    return one + draw(SPACE) + ("," + draw(SPACE)).join(pieces) + other + draw(SPACE)
