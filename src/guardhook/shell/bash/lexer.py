"""THE Bash lexer: lists, simple commands and redirections, over the layers that read words and compound commands.

One pass, in place: a substitution's commands are read where they stand. It never raises and never gives up: stray
tokens are passed over, nesting beyond the limit is read flat, and the reading's flaw says what could not be seen.
"""

import gc

from guardhook.shell.bash.chains import Chain, reads_from_pipe
from guardhook.shell.bash.cursor import LIMIT, NAME_REST, NAME_START, OPENERS, STOP, Pending
from guardhook.shell.bash.words import DELIMITER, LEADING, PLAIN, Words, leading_assignment
from guardhook.shell.commands import BACKGROUND, Command, Reading, Redirection, Scope, Word

_CLOSERS = frozenset(("then", "elif", "else", "fi", "do", "done", "esac", "}"))
_RESERVED = OPENERS | _CLOSERS | frozenset(("!", "time"))
_PUNCTUATION = frozenset("\n;&|()#\\\r}")
_PLAIN_ENDS = frozenset(" \t\n;&|)")
_LIST_ENDS = frozenset("\n;|)")
_END = "end"


def read(text: str) -> Reading:
    """All simple commands of a Bash text of any length (SPEC C2, C9). Never raises; one pass, linear in the text.

    The garbage collector rests meanwhile: nothing becomes garbage, and it took half of the time at 1 MB (CPython 3.11).
    """
    reading = Reading(text)
    top = Scope("", None)
    collecting = gc.isenabled()
    gc.disable()
    try:
        Lexer(text, reading, Chain(top)).sequence(top, frozenset(), 0)
    finally:
        if collecting:
            gc.enable()
    return reading


class Lexer(Words):
    """The layer of lists and simple commands, and all that a plain command line needs."""

    __slots__ = ()

    def sequence(self, scope: Scope, ends: frozenset[str], depth: int) -> str:
        """A list up to a token in `ends`, which is passed and given; "" at the end or at a token of a list around."""
        source, stops, size = self.source, self.stops, self.size
        outer, chain = self.chain, Chain(scope)
        self.chain = chain
        expected = self.expected
        for end in ends:
            expected[end] = expected.get(end, 0) + 1
        token = ""
        while self.at < size and not token:
            i = self.at
            c = source[i]
            if c in " \t":
                self.at = i + 1
            elif c == ";" and source[i + 1] in " \t\n":
                chain.connect(";")
                self.at = i + 1
            elif c in _PUNCTUATION:
                token = self.punctuation(c, ends, depth)
            else:
                stop = stops.find(STOP, i)
                if source[i:stop] in _RESERVED or source[stop] == "\\":
                    token = self.leading_word(ends, depth, stop)
                else:
                    self.simple(stop, depth)
        chain.finish()
        for end in ends:
            expected[end] -= 1
        self.chain = outer
        return "" if token == _END else token

    def closer(self, token: str, stop: int, ends: frozenset[str]) -> str:
        """A token that closes something: it ends this list, or one around this, or is passed over."""
        if token in ends:
            self.at = stop
            return token
        if self.expected.get(token):
            return _END
        self.reading.compound = True
        self.at = stop
        return ""

    def punctuation(self, c: str, ends: frozenset[str], depth: int) -> str:
        """What is not a word, at the start of a command. Gives a token that ends the list, else ""."""
        i = self.at
        if c == "\n":
            self.chain.connect("\n")
            self.newline(depth)
            return ""
        following = self.joined(i + 1)
        if c == "#":
            self.comment()
        elif c == "(":
            if depth < LIMIT:
                self.parenthesis(depth + 1)
            else:
                self.too_deep(i + 1)
        elif c == ")" or (c == "}" and "${" in ends):
            return self.closer(c, i + 1, ends)
        elif c == "}":
            return self.leading_word(ends, depth, self.stops.find(STOP, i))
        elif c in "\\\r":
            after = self.joined(i)
            if after > i or self.is_blank(i):
                self.at = max(after, i + 1)
            else:
                self.simple(self.stops.find(STOP, i), depth)
        elif c == "&" and self.source[following] == ">":
            self.simple(i, depth)
        elif c == ";" and (
            self.source[following] == ";" or (self.source[following] == "&" and self.expected.get(";;"))
        ):
            self.chain.connect(";")
            stop = following + 1
            if self.source[following] == ";" and self.source[self.joined(stop)] == "&":
                stop = self.joined(stop) + 1
            return self.closer(";;", stop, ends)
        else:
            double = c != ";" and self.source[following] == c and following < self.size
            both = c == "|" and self.source[following] == "&" and following < self.size
            self.at = following + 1 if double or both else i + 1
            self.chain.connect("|&" if both else c + c if double else c)
        return ""

    def leading_word(self, ends: frozenset[str], depth: int, stop: int) -> str:
        """A word at the start of a command that may be reserved; its first special character is at `stop`.

        Gives a token that ends the list, else "".
        """
        text, end = self.peek_word(self.at)
        if text == "time":
            end = self.timed_compound(end)
        if text not in _RESERVED or not end:
            self.simple(stop, depth)
            return ""
        if text in _CLOSERS:
            return self.closer(text, end, ends)
        self.at = end
        self.reading.compound = True
        if text in OPENERS:
            self.compound(text, depth + 1)
        return ""

    def timed_compound(self, i: int) -> int:
        """The position of the compound command that `time`, which ends at `i`, measures; 0 if it is a simple one."""
        keep = self.at
        self.at = i
        c = self.blanks()
        text, stop = self.peek_word(self.at)
        while text in ("-p", "--", "!", "time"):
            self.at = stop
            c = self.blanks()
            text, stop = self.peek_word(self.at)
        i, self.at = self.at, keep
        return i if c == "(" or text in OPENERS else 0

    def coprocess(self, depth: int) -> None:
        """`coproc [NAME] command`."""
        self.blanks()
        if not self.opener(depth):
            text, stop = self.peek_word(self.at)
            keep, self.at = self.at, stop
            self.blanks()
            if not text or not self.opener(depth):
                self.at = keep
                if self.at_word():
                    self.simple(self.stops.find(STOP, keep), depth)
        self.chain.wrap(BACKGROUND)
        self.chain.simple = None

    def simple(self, stop: int, depth: int) -> None:
        """A simple command, whose first special character is at `stop`."""
        source, stops, size = self.source, self.stops, self.size
        i = start = self.at
        command = Command(self.chain.scope, "", i)
        command.before = self.chain.begin(command)
        command.within = self.within
        words = command.words
        while True:
            if stop > i:
                text = source[i:stop]
                c = source[stop]
                plain = c in _PLAIN_ENDS or stop >= size
                if plain and text[0] != "#" and (words or ("=" not in text and "[" not in text)):
                    words.append(Word(text, i, stop))
                    i = stop
                    if c == " ":
                        i += 1
                    elif c in _LIST_ENDS:
                        break
                    stop = stops.find(STOP, i)
                    continue
            elif source[i] in " \t":
                i += 1
                stop = stops.find(STOP, i)
                continue
            elif source[i] in _LIST_ENDS or i >= size:
                break
            self.at = i
            if not self.token(command, stop, depth):
                break
            i = self.at
            stop = stops.find(STOP, i)
        self.at = i
        if words and words[-1].end > command.end:
            command.end = words[-1].end
        if i <= start:
            self.at = start + 1
            return
        if source[i] == "(" and i < size and self.definition(command, depth):
            return
        self.commands.append(command)
        if command.feeder is not None and not reads_from_pipe(command):
            command.feeder = None

    def definition(self, command: Command, depth: int) -> bool:
        """`NAME ( )`, whose name was read as a command, and the function's body; False if it is something else."""
        close = self.empty_parentheses(self.at)
        if not close or len(command.words) != 1 or command.assignments or command.redirections:
            return False
        chain = self.chain
        self.reading.compound = True
        chain.element.remove(command)
        chain.previous = chain.simple = None
        self.at = close
        self.function_body(depth + 1)
        return True

    def token(self, command: Command, stop: int, depth: int) -> bool:
        """Anything but a plain word in a simple command; False at the end of the command."""
        source, i = self.source, self.at
        c = source[i]
        if i >= self.size or c == "(" or c in _LIST_ENDS:
            return False
        if self.at_redirection(i):
            self.redirection(command, depth)
            return True
        if c == "&":
            return False
        if c == "#":
            self.comment()
            return True
        if self.is_blank(i) or self.joined(i) > i:
            self.at = max(self.joined(i), i + 1)
            return True
        word = self.word(depth, PLAIN if command.words else LEADING)
        if word.end == word.start:
            return False
        command.end = word.end
        assignment = None if command.words else leading_assignment(word, source)
        if assignment is None:
            command.words.append(word)
        else:
            command.assignments.append(assignment)
        return True

    def at_redirection(self, i: int) -> bool:
        """True if a redirection begins at `i`, descriptor included."""
        source, size = self.source, self.size
        if i >= size:
            return False
        c = source[i]
        if c == "&":
            return source[self.joined(i + 1)] == ">"
        operator = i if c in "<>" else self.behind_descriptor(i)
        return source[operator] in "<>" and operator < size and source[self.joined(operator + 1)] != "("

    def behind_descriptor(self, i: int) -> int:
        """The position behind the digits or the `{NAME}` at `i`, or `i`."""
        source = self.source
        start = i
        if source[i] == "{":
            i = self.joined(i + 1)
            if source[i] not in NAME_START:
                return start
            while source[i] in NAME_REST:
                i = self.joined(i + 1)
            return self.joined(i + 1) if source[i] == "}" else start
        while source[i] in "0123456789":
            i = self.joined(i + 1)
        return i

    def redirection(self, command: Command, depth: int) -> None:
        """One redirection, added to `command`."""
        source = self.source
        start = self.at
        i = start if source[start] == "&" else self.behind_descriptor(start)
        descriptor = source[start:i].replace("\\\n", "")
        operator = source[i]
        for more in _CONTINUATIONS[operator]:
            following = self.joined(i + 1)
            if source[following] in more and following < self.size and operator + source[following] in _OPERATORS:
                operator += source[following]
                i = following
        self.at = i + 1
        self.blanks()
        if operator in ("<<", "<<-"):
            self.announce(command, operator, descriptor, depth + 1)
            return
        target = self.word(depth + 1) if self.at_word() else Word("", self.at, self.at)
        command.redirections.append(Redirection(operator, descriptor, target))
        command.end = max(self.at, command.end)

    def announce(self, command: Command, operator: str, descriptor: str, depth: int) -> None:
        """A here-document's delimiter; the body is read at the next line end."""
        first, relocated = len(self.commands), len(self.relocated)
        delimiter = self.word(depth, DELIMITER) if self.at_word() else Word("", self.at, self.at)
        del self.commands[first:], self.relocated[relocated:]
        quoted = any(part.quoted for part in delimiter.parts)
        folded = self.source.startswith("\r\n", self.at)
        redirection = Redirection(operator, descriptor, delimiter, Word("", self.size, self.size))
        command.redirections.append(redirection)
        command.end = max(self.at, command.end)
        self.announced([Pending(redirection, command, quoted, folded)])


_OPERATORS = frozenset(("<", "<<", "<<-", "<<<", "<&", "<>", ">", ">>", ">&", ">|", "&>", "&>>"))
_CONTINUATIONS = {"<": ("<&>", "<-"), ">": (">&|",), "&": (">", ">")}
