"""Brace expansion (SPEC C2): `{a,b}` makes several words of one, before anything else in it is expanded."""

from guardhook.shell.commands import LITERAL, Part

# The most words that one word can become; further ones are dropped.
LIMIT = 256

# Parts that brace expansion must not look into stand in its text as one character each, from a private plane.
_FIRST = 0xF0000


def expand_parts(parts: tuple[Part, ...]) -> list[list[Part]]:
    """The parts of each word that a word with quotes or expansions in it becomes."""
    if not any(part.kind == LITERAL and not part.quoted and "{" in part.text for part in parts):
        return [list(parts)]
    flat = "".join(
        part.text if part.kind == LITERAL and not part.quoted else chr(_FIRST + number)
        for number, part in enumerate(parts)
    )
    return [
        [parts[ord(c) - _FIRST] if _FIRST <= ord(c) < _FIRST + len(parts) else Part(LITERAL, c, False) for c in text]
        for text in expand(flat)
    ]


def is_too_large(text: str) -> bool:
    """True for braces that no person writes; they are left alone, so that the recursion stays shallow."""
    return text.count("{") > 50 or (len(text) > 2_000 and "{" in text and "," in text)


def expand(text: str) -> list[str]:
    """`a{b,c}d` -> [`abd`, `acd`], nested too; the text alone where there is nothing to expand. At most LIMIT words."""
    if is_too_large(text):
        return [text]
    start = text.find("{")
    while start >= 0:
        items, end = _items(text, start)
        if len(items) == 1:
            items = _sequence(items[0])
        if len(items) > 1:
            tails = expand(text[end:])
            heads = [head for item in items for head in expand(item)]
            return [text[:start] + head + tail for head in heads for tail in tails][:LIMIT]
        start = text.find("{", start + 1)
    return [text]


def _sequence(text: str) -> list[str]:
    """The items of `a..e` or `1..9`; nothing for any other text."""
    first, dots, last = text.partition("..")
    if dots and len(first) == len(last) == 1 and first.isalnum() and first.isdigit() == last.isdigit():
        low, high = sorted((ord(first), ord(last)))
        return [chr(code) for code in range(low, high + 1)] * (2 if low == high else 1)
    return []


def _items(text: str, start: int) -> tuple[list[str], int]:
    """The comma-separated items of the brace at `start` and the position behind it; no items if it is never closed."""
    depth = 0
    items: list[str] = []
    begin = start + 1
    for index in range(start, len(text)):
        c = text[index]
        if c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0:
                return [*items, text[begin:index]], index + 1
        elif c == "," and depth == 1:
            items.append(text[begin:index])
            begin = index + 1
    return [], start
