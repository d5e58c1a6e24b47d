"""The words of a cmd.exe command line: quotes, carets and expansions.

cmd decides what is an operator by its own quotes; a program splits the line it is given again, by the rules of "Parsing
C command-line arguments" (Microsoft Learn), where `\\"` is a character. Both are followed side by side.
"""

from guardhook.shell.commands import LITERAL, OPAQUE, UNKNOWN, VARIABLE, Part, Reading, Word

STOP = b"\xff"
BLANKS = frozenset(" \t\v\f\r")
DELIMITERS = BLANKS | frozenset(",;=")
DIGITS = frozenset("0123456789")
OPERATORS = frozenset("&|<>")

# Commands of cmd.exe itself: the A-Z list of "Windows commands" without what is a file of its own.
INTERNAL = frozenset(
    "assoc break call cd chdir cls color copy date del dir dpath echo else endlocal erase exit for ftype goto if keys"
    " md mkdir mklink move path pause popd prompt pushd rd rem ren rename rmdir set setlocal shift start time title"
    " type ver verify vol".split()
)
# Those whose name may run on into a path: `cd\`, `echo.`. `path\x` and `start.exe` are names of files.
_PATHS = frozenset("call cd chdir copy del dir echo erase md mkdir move pushd rd rem ren rename rmdir type".split())
_NAME_ENDS = frozenset("/.\\:+[](")
_NOT_IN_NAMES = BLANKS | OPERATORS | frozenset('\n()^"')
_NOT_IN_EDITS = OPERATORS | frozenset("\n()")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_MODIFIERS = frozenset("fdpnxsatzFDPNXSATZ")

_STOPS = bytes.maketrans(b' \t\v\f\r\n,;="^%!&|<>)', STOP * 18)
_NAME_STOPS = bytes.maketrans(b' \t\v\f\r\n,;="^%!&|<>)/.\\:+[](', STOP * 26)
_QUOTED_STOPS = bytes.maketrans(b'"%!\r\n', STOP * 5)


class Mode:
    """How a word is read.

    ends: what ends it outside quotes, besides operators and line ends.
    splits: it is an argument, which the command splits off by itself once cmd has taken the carets off.
    escapes: `\\"` is a character of it. name: it is a command's name.
    """

    __slots__ = ("ends", "escapes", "name", "splits")

    def __init__(self, ends: frozenset[str], splits: bool = False, escapes: bool = False, name: bool = False) -> None:
        self.ends = ends
        self.splits = splits
        self.escapes = escapes
        self.name = name


NAME = Mode(DELIMITERS, name=True)
TOKEN = Mode(DELIMITERS)
HEADER = Mode(DELIMITERS | frozenset("("))
PROGRAM = Mode(BLANKS, splits=True, escapes=True)
PLAIN = Mode(BLANKS, splits=True)
LISTED = Mode(DELIMITERS, splits=True)


class Words:
    """The layer that reads words.

    source: the text and a line end. at: where it is read. blocks: how many parentheses are open.
    loops: the letters that are variables of a `for` around. quoted: inside cmd's quotes, at the start of a word too.
    """

    __slots__ = ("at", "blocks", "commands", "loops", "names", "plain", "quoted", "reading", "size", "source", "within")

    def __init__(self, text: str, reading: Reading) -> None:
        self.reading = reading
        self.commands = reading.commands
        self.source = text + "\n"
        self.size = len(text)
        self.at = 0
        self.blocks = 0
        self.loops = ""
        self.quoted = False
        ascii_copy = self.source.encode("ascii", "replace")  # one byte a character, so offsets agree
        self.plain = ascii_copy.translate(_STOPS)
        self.names = ascii_copy.translate(_NAME_STOPS)
        self.within = ascii_copy.translate(_QUOTED_STOPS)

    def skip(self, characters: frozenset[str]) -> str:
        """Pass over `characters`; the character behind them."""
        source, i = self.source, self.at
        while source[i] in characters:
            i += 1
        self.at = i
        return source[i]

    def word(self, mode: Mode) -> Word | None:
        """The word here, None if it comes to nothing (a caret at a line end)."""
        source, start = self.source, self.at
        stop = (self.plain if mode.splits else self.names).find(STOP, start)
        c = source[stop]
        ends = c in mode.ends or c in "\n&|<>" or (c == ")" and self.blocks)
        if ends and c != "\r" and not self.quoted:
            if stop == start:
                return None
            self.at = stop
            text = source[start:stop]
            return Word(text, start, stop) if "{" not in text else _word([], [text], start, stop)
        return self.decorated(mode)

    def decorated(self, mode: Mode) -> Word | None:
        """Any word, whatever it holds."""
        source, start = self.source, self.at
        table = self.plain if mode.splits else self.names
        parts: list[Part] = []
        pieces: list[str] = []
        i, quoted, held, empty = start, self.quoted, False, True
        while True:
            stop = (self.within if quoted and held else table).find(STOP, i)
            if stop > i:
                pieces.append(source[i:stop])
            i = stop
            c = source[i]
            if c == "\n" or (c == "\r" and source[i + 1] == "\n"):
                quoted = False
                break
            caret = c == "^" and not quoted
            if caret:
                i = self.behind_caret(i)
                c = source[i]
                if c in "\r\n%!":  # an expansion comes before, or after, all carets are gone
                    continue
                if c in " \t" and not held and (mode.splits or not (pieces or parts)):
                    break
            if c == '"':
                backslash = mode.escapes and source[i - 1 - caret] == "\\" and bool(pieces)
                quoted ^= not caret
                if backslash and _odd_backslashes(pieces):
                    pieces.append(c)
                else:
                    held ^= mode.splits or not caret
                    empty = False
            elif caret:
                pieces.append(c)
            elif c in "%!":
                part, end = self.expansion(i)
                if part is not None:
                    _literal(parts, pieces)
                    parts.append(part)
                    i = end
                    continue
                pieces.append(c)
            elif (c in mode.ends and c != "\r" and not held) or (not quoted and self.is_end(c, mode, pieces)):
                break
            elif c != "\r":  # cmd drops it wherever it stands
                pieces.append(c)
            i += 1
        self.at = i
        self.quoted = quoted
        return None if empty and not pieces and not parts else _word(parts, pieces, start, i)

    def is_end(self, c: str, mode: Mode, pieces: list[str]) -> bool:
        """True if `c`, outside quotes, ends the word whatever kind it is, or the name of an internal command."""
        if c in OPERATORS or (c == ")" and self.blocks):
            return True
        return mode.name and c in _NAME_ENDS and _is_internal(pieces, c)

    def behind_caret(self, i: int) -> int:
        """Where the character stands that the caret at `i` escapes: in the next line, if the caret ends its line."""
        source = self.source
        i += 1
        if source.startswith("\r\n", i):
            i += 1
        return i + 1 if source[i] == "\n" and i < self.size else i

    def expansion(self, i: int) -> tuple[Part | None, int]:
        """What the `%` or `!` at `i` begins, and the position behind it; None for a plain character.

        `%NAME%`, `%1` and `%~dp0` ("call"), `%i` and `%~nxi` ("for"), `!NAME!` ("cmd" /v:on).
        """
        source = self.source
        sign = source[i]
        first = i + 1
        if sign == "%":
            if self.loops and source[first] == "%":
                first += 1
            c = source[first]
            if c == "~":
                return self.modified(i, first + 1)
            if c in DIGITS or c == "*":
                return Part(OPAQUE, source[i : first + 1], True), first + 1
        name, colon, edit = source[first : max(source.find(sign, first), first)].partition(":")
        close = first + len(name) + len(colon) + len(edit)
        if sign == "%" and source[first] in self.loops:
            longer = len(name) > 1 and name.replace("_", "a").isalnum() and not colon
            if first > i + 1 or not longer:
                return Part(VARIABLE, "%" + source[first], True), first + 1
        bare = name[:-5] if name[-5:].lower() == "(x86)" else name
        if not bare or not _NOT_IN_NAMES.isdisjoint(bare) or not _NOT_IN_EDITS.isdisjoint(edit):
            return None, i
        if colon:
            return Part(OPAQUE, source[i : close + 1], True), close + 1
        return Part(VARIABLE, name, True), close + 1

    def modified(self, start: int, i: int) -> tuple[Part | None, int]:
        """`%~dp0` and its kin, whose letters begin at `i`."""
        source = self.source
        first = i
        while source[i] in _MODIFIERS:
            i += 1
        if source[i] in DIGITS or source[i] in _LETTERS:
            i += 1
        return (Part(OPAQUE, source[start:i], True), i) if i > first else (None, start)


def _is_internal(pieces: list[str], c: str) -> bool:
    """True if the name read so far is a command of cmd itself that ends at `c`."""
    name = "".join(pieces).lower() if len(pieces) <= 16 else ""
    return name in (_PATHS if c in ".\\" else INTERNAL)


def _odd_backslashes(pieces: list[str]) -> bool:
    """True if the backslashes in front of a quote make it a character; half of them go, and that one."""
    last = pieces[-1]
    body = last.rstrip("\\")
    count = len(last) - len(body)
    pieces[-1] = body + "\\" * (count // 2)
    return count % 2 == 1


def _literal(parts: list[Part], pieces: list[str]) -> None:
    """Make one literal part of what was read."""
    text = "".join(pieces)
    pieces.clear()
    if text:
        parts.append(Part(LITERAL, text, True))


def _word(parts: list[Part], pieces: list[str], start: int, end: int) -> Word:
    """A word; one literal has no parts, unless a brace in it could be taken for an expansion."""
    if not parts:
        text = "".join(pieces)
        return Word(text, start, end, (Part(LITERAL, text, True),) if "{" in text else ())
    _literal(parts, pieces)
    return Word("".join([p.text if p.kind == LITERAL else UNKNOWN for p in parts]), start, end, tuple(parts))
