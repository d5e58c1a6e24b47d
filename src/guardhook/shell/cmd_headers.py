"""What stands in front of the command in `if` and `for` of cmd.exe ("if", "for" on Microsoft Learn)."""

from guardhook.shell.cmd_words import BLANKS, DELIMITERS, HEADER, STOP, TOKEN, Mode, Words
from guardhook.shell.commands import OPAQUE, UNKNOWN, Assignment, Command, Part, Scope, Word

_TESTS = frozenset(("exist", "defined", "errorlevel", "cmdextversion"))
_COMPARISONS = frozenset(("equ", "neq", "lss", "leq", "gtr", "geq"))


class Loop:
    """A `for`: its variable (one character), its switch ("", or a letter), its options, and the words up to `in`."""

    __slots__ = ("first", "last", "options", "switch", "variable", "words")

    def __init__(self, words: list[Word], source: str) -> None:
        self.words = words
        last = source[words[-1].start : words[-1].end] if words else ""
        self.variable = last.lstrip("%")[:1] if last[:1] == "%" else ""
        self.switch = words[0].text[1:2].lower() if words and words[0].text[:1] == "/" else ""
        self.options = "".join([word.text for word in words[:-1]]).lower()
        self.first = self.last = 0  # the span of the set, without its parentheses

    def letters(self) -> str:
        """What is a variable in its command: `/f "tokens=1,2"` declares the letters behind the first one too."""
        variable = self.variable
        if self.switch != "f" or not ("a" <= variable.lower() <= "z"):
            return variable
        return "".join([chr(code) for code in range(ord(variable), ord("z" if variable >= "a" else "Z") + 1)])


class Headers(Words):
    """The layer that reads conditions and sets."""

    __slots__ = ()

    def token(self, mode: Mode = TOKEN) -> Word | None:
        """The next word, if one follows."""
        self.skip(DELIMITERS)
        return self.word(mode)

    def condition(self) -> None:
        """Up to the command of an `if`; what makes no sense as a condition is left to be one."""
        word = self.token()
        while word is not None and word.text.lower() in ("not", "/i"):
            word = self.token()
        if word is None:
            return
        if word.text.lower() in _TESTS:
            self.token()
            return
        self.skip(BLANKS)
        if self.source.startswith("==", self.at):
            self.token()
            return
        keep = self.at
        word = self.token()
        if word is not None and word.text.lower() in _COMPARISONS:
            self.token()
        else:
            self.at = keep

    def loop(self) -> Loop | None:
        """`[/d | /r [path] | /l | /f ["options"]] %i in` up to the set; None, without moving, if that is not there."""
        start = self.at
        words: list[Word] = []
        word = self.token(HEADER)
        while word is not None and word.text.lower() != "in":
            words.append(word)
            word = self.token(HEADER)
        loop = Loop(words, self.source)
        if word is not None and loop.variable and self.skip(DELIMITERS) == "(":
            return loop
        self.at = start
        return None

    def members(self, loop: Loop, scope: Scope) -> Command:
        """The set, as a carrier that assigns each of its words in turn, or one unknown value."""
        source, size = self.source, self.size
        carrier = Command(scope, "", loop.words[-1].start)
        carrier.carrier = True
        name = "%" + loop.variable
        self.at += 1
        loop.first = self.at
        self.blocks += 1
        while self.at < size:
            c = self.skip(DELIMITERS)
            if c == ")" or self.at >= size:
                break
            word = None if c in "\n&|<>" else self.word(TOKEN)
            if word is not None:
                carrier.assignments.append(Assignment(name, word if _is_plain(word) else _unknown(word.start, self)))
            elif c in "\n&|<>":
                self.at += 1
        self.blocks -= 1
        loop.last = self.at
        if loop.switch not in ("", "d"):
            carrier.assignments = [Assignment(name, _unknown(loop.first, self))]
        carrier.end = self.at = min(self.at + 1, size)
        if source[loop.last] == ")":
            word = self.token(HEADER)
            self.at = self.at if word is not None and word.text.lower() == "do" else carrier.end
        return carrier

    def output(self, loop: Loop) -> "tuple[str, list[int] | range] | None":
        """The command whose output a `for /f` reads, if it does, as its child gets it: one layer of carets gone.

        With the offset in the source of each of its characters, and of its end.
        """
        raw = self.source[loop.first : loop.last]
        text = raw.strip()
        backquotes = "usebackq" in loop.options
        quotes = "'`" if UNKNOWN in loop.options else "`" if backquotes else "'"
        if loop.switch != "f" or not text or text[0] not in quotes:
            return None
        first = loop.first + raw.index(text) + 1
        last = first + len(text) - 1
        if len(text) > 1 and text[-1] == text[0]:
            last -= 1
        if "^" not in text:
            return self.source[first:last], range(first, last + 1)
        return self.uncareted(first, last)

    def uncareted(self, i: int, last: int) -> tuple[str, list[int]]:
        """The text up to `last` without its carets, and the offset of each character."""
        source = self.source
        pieces: list[str] = []
        offsets: list[int] = []
        quoted = False
        while i < last:
            stop = min(self.plain.find(STOP, i), last - 1)
            c = source[stop]
            if c == "^" and not quoted:
                pieces.append(source[i:stop] + source[stop + 1 : min(stop + 2, last)])
                offsets.extend(range(i, stop))
                offsets.extend(range(stop, min(stop + 1, last - 1)))
                i = stop + 2
            else:
                quoted ^= c == '"'
                pieces.append(source[i : stop + 1])
                offsets.extend(range(i, stop + 1))
                i = stop + 1
        return "".join(pieces), [*offsets, last]


def _is_plain(word: Word) -> bool:
    """False for a pattern, which stands for names of files."""
    return "*" not in word.text and "?" not in word.text


def _unknown(start: int, words: Words) -> Word:
    """A value that only the file system, a file or a command could tell."""
    return Word(UNKNOWN, start, words.at, (Part(OPAQUE, words.source[start : words.at], True),))


def relocate(command: Command, offsets: "list[int] | range") -> None:
    """Give a command that was read from a copy its place in the text."""
    command.start, command.end = offsets[command.start], offsets[command.end]
    words = command.words + [redirection.target for redirection in command.redirections]
    for word in words + [assignment.value for assignment in command.assignments if assignment.value is not None]:
        word.start, word.end = offsets[word.start], offsets[word.end]
