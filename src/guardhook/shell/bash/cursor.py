"""The text under the Bash lexer: where it stands, how far it may go, and what lies ahead.

Plain stretches are found with `bytes.find` in a copy of the text whose special characters are all one byte, because a
loop over characters costs more than the whole budget at 1 MB. The copy is ASCII, so that byte is one that ASCII lacks.
"""

from guardhook.shell.bash.chains import Chain
from guardhook.shell.bash.pieces import Pieces
from guardhook.shell.commands import Command, Compound, Reading, Redirection, Scope, Word

LIMIT = 120
OPENERS = frozenset(("{", "if", "while", "until", "for", "case", "select", "[[", "function", "coproc"))
BODY_DEPTH = 20  # what a here-document in a here-document counts for: each looks for its end in the same lines again
STOP = b"\xff"
WORD_ENDS = frozenset(" \t\n;&|()<>")
NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
NAME_REST = NAME_START | frozenset("0123456789")

DOCUMENTS = (
    16  # here-documents that may wait for one line end; bash refuses more ("maximum here-document count exceeded")
)

OPEN_QUOTE = "a quote that is never closed"
OPEN_SUBSTITUTION = "a substitution that is never closed"
OPEN_ARRAY = "an array that is never closed"
OPEN_SUBSCRIPT = "a subscript that is never closed"
OPEN_PATTERN = "a pattern that is never closed"
TOO_DEEP = "nesting deeper than 120 levels"
TOO_MANY = "more than 16 here-documents on one line"

_WORD_STOPS = bytes.maketrans(b" \t\n\r;&|()<>'\"\\$`", STOP * 16)
_QUOTED_STOPS = bytes.maketrans(b'"\\$`', STOP * 4)
_INNER_STOPS = bytes.maketrans(b"}[]()<>'\"\\$`", STOP * 12)


class Pending:
    """A here-document whose body begins after the next line end."""

    __slots__ = ("command", "folded", "quoted", "redirection")

    def __init__(self, redirection: Redirection, command: Command, quoted: bool, folded: bool) -> None:
        self.redirection = redirection
        self.command = command
        self.quoted = quoted
        self.folded = folded  # the line of the operator ended in "\r\n" right behind the delimiter


class Cursor:
    """State of one reading, and the moves that every layer of the lexer shares.

    `size` is where reading must stop: the end of the text, of a backquoted command, or of a here-document's body. The
    character there is a stop character, so that no search for one runs past it.
    """

    __slots__ = (
        "ahead_stops",
        "ascii",
        "at",
        "chain",
        "closings",
        "commands",
        "enclosed",
        "excess",
        "expected",
        "inner_stops",
        "last_bracket",
        "pending",
        "positions",
        "quoted_stops",
        "reading",
        "relocated",
        "size",
        "source",
        "stops",
        "within",
    )

    def __init__(self, text: str, reading: Reading, chain: Chain) -> None:
        self.source = text + "\n\n"
        self.ascii = self.source.encode("ascii", "replace")
        self.stops = self.ascii.translate(_WORD_STOPS)
        self.quoted_stops = b""
        self.inner_stops = b""
        self.ahead_stops = b""
        self.size = len(text)
        self.at = 0
        self.reading = reading
        self.commands = reading.commands
        self.within: Compound | None = None
        self.chain = chain
        self.enclosed = False  # in the parentheses of a substitution, where `EOF)` ends a here-document
        self.pending: list[Pending] = []
        self.expected: dict[str, int] = {}
        self.excess = 0
        self.closings: dict[int, int] = {}
        self.last_bracket = text.rfind("]")
        self.positions: list[int] | None = None
        self.relocated: list[tuple[int, int]] = []

    def flaw(self, phrase: str) -> None:
        if not self.reading.flaw:
            self.reading.flaw = phrase

    def announced(self, documents: list[Pending]) -> None:
        """Here-documents join those whose bodies begin at the next line end."""
        self.pending = self.pending + documents if self.pending else documents
        if len(self.pending) > DOCUMENTS:
            self.flaw(TOO_MANY)
            del self.pending[DOCUMENTS:]

    def too_deep(self, i: int) -> None:
        """Nesting beyond the limit is read flat, from `i` on, as long as that is not a way to keep the reader busy."""
        self.flaw(TOO_DEEP)
        self.excess += 1
        self.at = i if self.excess < 1000 else self.size

    def stops_in_quotes(self) -> bytes:
        if not self.quoted_stops:
            self.quoted_stops = self.ascii.translate(_QUOTED_STOPS)
        return self.quoted_stops

    def stops_inside(self) -> bytes:
        if not self.inner_stops:
            self.inner_stops = self.ascii.translate(_INNER_STOPS)
        return self.inner_stops

    def joined(self, i: int) -> int:
        """The position of the next character from `i` on, behind any backslash-newline."""
        source = self.source
        while source[i] == "\\" and source[i + 1] == "\n" and i + 1 < self.size:
            i += 2
        return i

    def is_blank(self, i: int) -> bool:
        """Space, tab, or the carriage return of a line end."""
        c = self.source[i]
        return i < self.size and (c in " \t" or (c == "\r" and (i + 1 >= self.size or self.source[i + 1] == "\n")))

    def blanks(self) -> str:
        """Move over blanks; the character there, or "" at the end."""
        i = self.joined(self.at)
        while self.is_blank(i):
            i = self.joined(i + 1)
        self.at = i
        return self.source[i] if i < self.size else ""

    def gap(self, skipped: str, depth: int) -> str:
        """Move over blanks, line ends, comments and the characters in `skipped`; the character there, or ""."""
        while True:
            c = self.blanks()
            if c == "\n":
                self.newline(depth)
            elif c == "#":
                self.comment()
            elif c and c in skipped:
                self.at += 1
            else:
                return c

    def comment(self) -> None:
        end = self.source.find("\n", self.at, self.size)
        self.at = self.size if end < 0 else end

    def newline(self, depth: int) -> None:
        self.at += 1
        if self.pending:
            self.bodies(depth + BODY_DEPTH)

    def peek_word(self, i: int) -> tuple[str, int]:
        """The plain text from `i` on and its end; "" if the word there has more than plain characters in it."""
        stop = self.stops.find(STOP, i)
        text = self.source[i:stop]
        while self.source[stop] == "\\" and self.joined(stop) > stop:
            i = self.joined(stop)
            stop = self.stops.find(STOP, i)
            text += self.source[i:stop]
        if stop < self.size and self.source[stop] not in WORD_ENDS and not self.is_blank(stop):
            return "", stop
        return text, stop

    def keyword(self, word: str) -> bool:
        """Move over `word` if it stands here, unquoted and alone."""
        text, stop = self.peek_word(self.at)
        if text != word:
            return False
        self.at = stop
        return True

    def at_word(self) -> bool:
        """True if a word begins here."""
        c = self.source[self.at]
        if self.at >= self.size or self.is_blank(self.at):
            return False
        return c not in WORD_ENDS or (c in "<>" and self.source[self.joined(self.at + 1)] == "(")

    # What the layers above provide. These two are always there.

    def word(self, depth: int, place: int = 0) -> Word:
        raise NotImplementedError

    def sequence(self, scope: Scope, ends: frozenset[str], depth: int) -> str:
        raise NotImplementedError

    # These come with the first text that needs one of them: most commands have no compound commands, no here-documents
    # and few expansions, and loading the layers for them costs a tenth of a bare start.

    def grow(self) -> None:
        """Become a lexer with all layers."""
        from guardhook.shell.bash.compounds import Compounds

        self.__class__ = Compounds

    def dollar(self, pieces: Pieces, depth: int, quoted: bool) -> None:
        self.grow()
        self.dollar(pieces, depth, quoted)

    def backquote(self, pieces: Pieces, depth: int, quoted: bool, double: bool = False) -> None:
        self.grow()
        self.backquote(pieces, depth, quoted, double)

    def process(self, pieces: Pieces, depth: int) -> bool:
        self.grow()
        return self.process(pieces, depth)

    def subscript(self, pieces: Pieces, depth: int, braced: bool = False, quoted: bool = False) -> None:
        self.grow()
        self.subscript(pieces, depth, braced, quoted)

    def pattern_list(self, pieces: Pieces, depth: int) -> bool:
        self.grow()
        return self.pattern_list(pieces, depth)

    def bodies(self, depth: int) -> None:
        self.grow()
        self.bodies(depth)

    def compound(self, opener: str, depth: int) -> None:
        self.grow()
        self.compound(opener, depth)

    def parenthesis(self, depth: int) -> None:
        self.grow()
        self.parenthesis(depth)

    def opener(self, depth: int) -> bool:
        self.grow()
        return self.opener(depth)

    def function_body(self, depth: int) -> None:
        self.grow()
        self.function_body(depth)

    def empty_parentheses(self, i: int) -> int:
        self.grow()
        return self.empty_parentheses(i)
