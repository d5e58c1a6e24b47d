"""The text under the PowerShell reader: where it stands, what it means, and what lies between tokens.

The reader looks at `code`, a copy in which every curly quote, long dash, odd blank and carriage return is the plain
ASCII character that PowerShell takes it for (about_Quoting_Rules); values come from `source`. Plain stretches are found
with `bytes.find` in a copy of that copy whose special characters are all one byte, one that ASCII lacks.
"""

from guardhook.shell.commands import BACKGROUND, Command, Reading, Scope, Word

LIMIT = 120
EXCESS = 1000  # brackets beyond the limit behind which the rest of the text is not read
STOP = b"\xff"

OPEN_QUOTE = "a quote that is never closed"
OPEN_HERE_STRING = "a here-string that is never closed"
OPEN_COMMENT = "a block comment that is never closed"
OPEN_BRACKET = "a bracket that is never closed"
TOO_DEEP = "nesting deeper than 120 levels"

# Quotes U+2018-201E, dashes U+2013-2015, and whatever .NET calls a separator or PowerShell a blank.
_FOLDED = str.maketrans(
    "\t\v\f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f"
    "\u3000\r\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u2013\u2014\u2015",
    " " * 22 + "\n''''\"\"\"---",
)
_WORD_STOPS = bytes.maketrans(b" \n;,|&(){}<>'\"$`", STOP * 16)
_QUOTED_STOPS = bytes.maketrans(b'"$`', STOP * 3)


class Chain:
    """One list of statements while it is read.

    scope: where its commands run. operator: the operator behind the last element, "" at the start.
    idle: no element has begun since. previous: the last element's record, None for a compound statement.
    feeder: the element in front of a pipe just met. count: how many elements there were.
    members: commands and scopes that lie directly in the current statement, which `&` sends to the background.
    closed: the list ended with its closing bracket.
    """

    __slots__ = ("closed", "count", "feeder", "idle", "members", "operator", "previous", "scope")

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.operator = ""
        self.idle = True
        self.previous: Command | None = None
        self.feeder: Command | None = None
        self.members: list[Command | Scope] = []
        self.count = 0
        self.closed = False

    def begin(self, command: "Command | None") -> None:
        """An element begins: a command, or a compound statement (None)."""
        if not self.idle:
            self.connect("\n")
        if self.previous is not None:
            self.previous.after = self.operator
        self.idle = False
        self.previous = command
        self.count += 1
        if command is not None:
            command.before = self.operator
            command.feeder = self.feeder
            self.members.append(command)
        self.feeder = None

    def connect(self, operator: str) -> None:
        """An operator ends the element. A line end behind another operator belongs to it, but makes `;` a line end.

        A line that begins with `|` goes on with the one before it (about_Pipelines, from PowerShell 7 on).
        """
        if self.idle:
            if operator == "|" and self.operator == "\n":
                self.operator = operator
                self.feeder = self.previous
            elif operator != "\n" and self.operator:
                self.operator = operator
                self.feeder = None
            elif self.operator == ";":
                self.operator = "\n"
            return
        self.idle = True
        self.operator = operator
        if operator == "|":
            self.feeder = self.previous
        elif operator == "&":
            self.to_background()
        elif operator not in ("&&", "||"):
            self.members.clear()

    def to_background(self) -> None:
        scope = Scope(BACKGROUND, self.scope)
        for member in self.members:
            if isinstance(member, Scope):
                member.parent = scope
            else:
                member.scope = scope
        self.members.clear()


class Cursor:
    """State of one reading, and the moves between tokens.

    doubled: in a `$( )` of a double-quoted string, where a doubled quote counts as one.
    expected: how many lists that are open wait for each closing bracket.
    """

    __slots__ = (
        "at",
        "chain",
        "code",
        "commands",
        "doubled",
        "excess",
        "expected",
        "last_brace",
        "listed",
        "quoted_stops",
        "reading",
        "size",
        "source",
        "stops",
        "target",
    )

    def __init__(self, text: str, reading: Reading, chain: Chain) -> None:
        source = code = text + "\n\n\n\n"
        if not text.isascii() or "\r" in text or "\t" in text or "\f" in text or "\v" in text:
            code = source.translate(_FOLDED)
        self.source = source
        self.code = code
        self.stops = code.encode("ascii", "replace").translate(_WORD_STOPS)
        self.quoted_stops = b""
        self.size = len(text)
        self.at = 0
        self.reading = reading
        self.commands = reading.commands
        self.chain = chain
        self.doubled = False
        self.excess = 0
        self.expected = {")": 0, "}": 0, "]": 0}
        self.last_brace = -1
        self.listed: list[Word] | None = None
        self.target: tuple[str, str] | None = None

    def flaw(self, phrase: str) -> None:
        if not self.reading.flaw:
            self.reading.flaw = phrase

    def stops_in_quotes(self) -> bytes:
        if not self.quoted_stops:
            self.quoted_stops = self.code.encode("ascii", "replace").translate(_QUOTED_STOPS)
        return self.quoted_stops

    def behind_line_end(self, i: int) -> int:
        """The position behind the line end at `i`."""
        return i + 2 if self.source[i] == "\r" and self.source[i + 1] == "\n" else i + 1

    def blanks(self) -> str:
        """Move over blanks, comments and joined lines; the character there, or "" at the end."""
        code = self.code
        i = self.at
        while True:
            c = code[i]
            if c == " ":
                i += 1
            elif c == "`" and code[i + 1] == "\n" and i < self.size:
                i = self.behind_line_end(i + 1)
            elif c == "#":
                i = code.find("\n", i)
            elif c == "<" and code[i + 1] == "#":
                i = self.behind_comment(i)
            else:
                break
        if i >= self.size:
            self.at = self.size
            return ""
        self.at = i
        return c

    def behind_comment(self, i: int) -> int:
        """The position behind the `<# #>` that begins at `i`."""
        end = self.code.find("#>", i + 2)
        if end < 0:
            self.flaw(OPEN_COMMENT)
            return self.size
        return end + 2

    def gap(self, skipped: str = "\n") -> str:
        """Move over blanks, comments, line ends and the characters in `skipped`; the character there, or ""."""
        c = self.blanks()
        while c and (c == "\n" or c in skipped):
            self.at += 1
            c = self.blanks()
        return c
