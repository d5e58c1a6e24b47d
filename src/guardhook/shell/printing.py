"""What `echo` and `printf` write for literal arguments (SPEC C4); compared with the real ones in the tests."""

from guardhook.shell.commands import UNKNOWN

_LETTERS = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_LETTERS["\\"] = "\\"
# What only a format of `printf` unescapes.
_QUOTES = {'"': '"', "'": "'", "?": "?"}
_OCTAL = "01234567"
_HEX = "0123456789abcdefABCDEF"
_WIDTHS = {"x": 2, "u": 4, "U": 8}
_FLAGS = "-+ #0'"

# `\\c` ends all output.
_STOP = "\1"


def echo(arguments: list[str]) -> list[str]:
    """The texts that `echo` may write: bash's and, where a backslash makes them differ, dash's."""
    escapes, end = False, "\n"
    start = 0
    for argument in arguments:
        if len(argument) < 2 or argument[0] != "-" or argument[1:].strip("neE"):
            break
        for letter in argument[1:]:
            escapes = letter == "e" or (escapes and letter != "E")
        end = "" if "n" in argument else end
        start += 1
    text = " ".join(arguments[start:]) + end
    plain = [] if escapes else [text]
    return [*plain, _unescape(text, "echo").partition(_STOP)[0]] if escapes or "\\" in text else plain


def printf(arguments: list[str]) -> list[str]:
    """The text that `printf` writes. Conversions take the arguments in turn; the format repeats for more of them."""
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    if not arguments or arguments[0] == "-v":
        return []
    form, rest = arguments[0], arguments[1:]
    out = ""
    while True:
        before = len(rest)
        out += _format(form, rest)
        if _STOP in out or not rest or len(rest) == before or len(out) > 1_000_000:
            return [out.partition(_STOP)[0]]


def _format(form: str, rest: list[str]) -> str:
    """One pass over the format; takes what it needs from the front of `rest`."""
    out = []
    pieces = form.split("%")
    out.append(_unescape(pieces[0]))
    index = 1
    while index < len(pieces):
        piece = pieces[index]
        if not piece:  # `%%`, or a lone `%` at the end
            out.append("%")
            index += 1
            out.append(_unescape(pieces[index]) if index < len(pieces) else "")
        else:
            out.append(_convert(piece, rest))
        index += 1
    return "".join(out)


def _convert(piece: str, rest: list[str]) -> str:
    """One conversion and the literal text behind it: `-5.3s rest`."""
    after = piece.lstrip(_FLAGS)
    left = "-" in piece[: len(piece) - len(after)]
    width, after = _size(after, rest)
    limit: int | None = None
    if after[:1] == ".":
        limit, after = _size(after[1:], rest)
    after = after.lstrip("hlLjzt")
    letter, literal = after[:1], _unescape(after[1:])
    value = rest.pop(0) if rest else ""
    if letter == "b":
        value = _unescape(value, "%b")
    elif letter == "c":
        value = value[:1]
    elif letter == "d":
        value = value if value.isdigit() else UNKNOWN
    elif letter == "n":
        value = ""
    elif letter not in ("s", "q", "Q"):
        value = UNKNOWN
    if limit is not None and letter not in ("q", "Q"):
        value = value[:limit]
    return (value.ljust(width) if left else value.rjust(width)) + literal


def _size(text: str, rest: list[str]) -> tuple[int, str]:
    """A width or precision at the start of `text`, and what is behind it; `*` takes it from the arguments."""
    if text[:1] == "*":
        number = rest.pop(0) if rest else ""
        return (min(int(number), 9999) if number.isdigit() else 0), text[1:]
    after = text.lstrip("0123456789")
    digits = text[: len(text) - len(after)]
    return (int(digits) if digits and len(digits) < 5 else 0), after


def _unescape(text: str, rules: str = "format") -> str:
    """text without its backslash escapes. rules: of a `format`, of its `%b`, or of `echo` -e."""
    pieces = text.split("\\")
    out = [pieces[0]]
    index = 1
    while index < len(pieces):
        piece = pieces[index]
        if not piece and index + 1 < len(pieces):  # an escaped backslash
            out.append("\\" + pieces[index + 1])
            index += 2
            continue
        out.append(_escape(piece, rules))
        index += 1
    return "".join(out)


def _escape(piece: str, rules: str) -> str:
    """What stands behind one backslash, that included."""
    letter = piece[:1]
    if letter == "c":
        return _STOP
    if letter in _LETTERS:
        return _LETTERS[letter] + piece[1:]
    if rules == "format" and letter in _QUOTES:
        return _QUOTES[letter] + piece[1:]
    if letter == "0" or (letter in _OCTAL and letter and rules != "echo"):
        return _number(piece, 1 if rules != "format" and letter == "0" else 0, 3, _OCTAL, 8)
    if letter in _WIDTHS:
        return _number(piece, 1, _WIDTHS[letter], _HEX, 16)
    return "\\" + piece


def _number(piece: str, start: int, most: int, digits: str, base: int) -> str:
    end = start
    while end < len(piece) and end < start + most and piece[end] in digits:
        end += 1
    if end == start:
        return ("" if base == 8 else "\\" + piece[:start]) + piece[end:]
    code = int(piece[start:end], base)
    return (chr(code) if 0 < code < 0x110000 else "") + piece[end:]  # a shell drops a NUL that it reads
