"""The backslash escapes of `$'...'`."""

from guardhook.shell.commands import UNKNOWN

_SINGLE = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
_OCTAL = frozenset("01234567")
_HEX = frozenset("0123456789abcdefABCDEF")
_WIDTHS = {"x": 2, "u": 4, "U": 8}


def decode(source: str, i: int, size: int) -> tuple[str, int]:
    """The value of the `$'...'` whose text begins at `i`, and the position behind its closing quote.

    The position is `size + 1` if the quote is never closed. As in bash, an escape for NUL ends the value, and bytes
    given by `\\xHH` or `\\NNN` are read together as UTF-8 (odd ones stay lone surrogates).
    """
    out: list[str] = []
    ended = False
    while True:
        stop = i
        while stop < size and source[stop] != "'" and source[stop] != "\\":
            stop += 1
        if not ended:
            out.append(source[i:stop])
        if stop >= size:
            return _as_text(out), size + 1
        if source[stop] == "'":
            return _as_text(out), stop + 1
        value, i = _escape(source, stop + 1, size)
        if value == UNKNOWN:
            ended = True
        elif not ended:
            out.append(value)


def _escape(source: str, i: int, size: int) -> tuple[str, int]:
    """The value of the escape whose letter stands at `i`, and the position behind it."""
    c = source[i] if i < size else ""
    if c in _SINGLE:
        return _SINGLE[c], i + 1
    if c in _OCTAL:
        digits = _digits(source, i, min(size, i + 3), _OCTAL)
        return _byte(int(digits, 8)), i + len(digits)
    if c in _WIDTHS:
        return _number(source, i, size)
    if c == "c" and i + 1 < size and source[i + 1] != "'":
        return _control(source, i + 1)
    return "\\" + c, i + 1 if c else size


def _control(source: str, i: int) -> tuple[str, int]:
    """The control character of the one at `i`. A backslash goes with a second one, and still protects a quote."""
    c = source[i]
    if c == "?":
        return "\x7f", i + 1
    first, *more = c.encode("utf-8", "surrogatepass")
    value = chr(first & 0x1F) + "".join([_byte(byte) for byte in more])
    if c == "\\" and source[i + 1] in "\\'":
        return value if source[i + 1] == "\\" else value + "'", i + 2
    return value, i + 1


def _number(source: str, i: int, size: int) -> tuple[str, int]:
    c = source[i]
    braced = c == "x" and source[i + 1] == "{"
    start = i + 2 if braced else i + 1
    digits = _digits(source, start, size if braced else min(size, start + _WIDTHS[c]), _HEX)
    end = start + len(digits)
    if braced:
        return _byte(int(digits[-2:] or "0", 16)), end + 1 if source[end] == "}" else end
    if not digits:
        return "\\" + c, start
    value = int(digits, 16)
    if c == "x":
        return _byte(value), end
    return chr(value) if value < 0x110000 else "\ufffd", end


def _digits(source: str, i: int, limit: int, allowed: frozenset[str]) -> str:
    stop = i
    while stop < limit and source[stop] in allowed:
        stop += 1
    return source[i:stop]


def _byte(value: int) -> str:
    """One byte; those beyond ASCII as the surrogates that `surrogateescape` knows."""
    value &= 0xFF
    return chr(value) if value < 0x80 else chr(0xDC00 + value)


def _as_text(out: list[str]) -> str:
    text = "".join(out)
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    except UnicodeError:
        return text
