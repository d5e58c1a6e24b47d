"""THE PowerShell reader: statements, pipelines, commands in argument mode and their redirections.

One pass, in place: a `$( )` in a string is read where it stands. It never raises and never gives up: stray tokens are
passed over, nesting beyond the limit is read flat, and the reading's flaw says what could not be seen. Expressions and
keywords have layers of their own, loaded with the first text that needs them.
"""

import gc

from guardhook.shell.commands import VARIABLE, Command, Part, Reading, Redirection, Scope, Word
from guardhook.shell.powershell.cursor import STOP, Chain
from guardhook.shell.powershell.records import ListItem
from guardhook.shell.powershell.words import Words, compose

KEYWORDS = frozenset(
    "if elseif else switch for foreach while do until function filter workflow class enum try catch finally trap return"
    " throw exit break continue param begin process end dynamicparam clean data using".split(" ")
)
# What a keyword was: a word like any other, a whole statement, or the beginning of one.
NO_KEYWORD = 0
STATEMENT = 1
BEGINNING = 2

_KEYWORD_ENDS = frozenset(" \n;(){}|&,<>")
_TOKEN_ENDS = frozenset(" \n;,|&(){}<>")
_COMMAND_ENDS = frozenset("\n;|)}&")
_LINKS = frozenset(("|", "&&", "||"))
_EXPRESSION = frozenset("'\"$([{@,+-!0123456789")
_PRIMARY = frozenset("'\"$({@")
_JOINING = frozenset("'\"$`")
_SPECIAL = frozenset("@#-")
_DESCRIPTORS = frozenset("*0123456789")


def read(text: str) -> Reading:
    """All commands, expressions and assignments of a PowerShell text of any length (SPEC C1, C9).

    Never raises; one pass, linear in the text. The garbage collector rests meanwhile: nothing becomes garbage, and it
    takes a third of the time at 1 MB.
    """
    reading = Reading(text)
    scope = Scope("", None)
    collecting = gc.isenabled()
    gc.disable()
    try:
        Lexer(text, reading, Chain(scope)).sequence(scope, "", 0)
    finally:
        if collecting:
            gc.enable()
    return reading


class Lexer(Words):
    """The layer of lists and commands, and all that a plain command line needs."""

    __slots__ = ()

    def sequence(self, scope: Scope, end: str, depth: int, single: bool = False) -> Chain:
        """Statements up to the bracket `end`, which is passed, or up to the end of the text or of a list around.

        single: only one statement, up to what separates it from the next.
        """
        code, expected = self.code, self.expected
        outer, chain = self.chain, Chain(scope)
        self.chain = chain
        if end:
            expected[end] += 1
        while True:
            c = self.blanks()
            i = self.at
            if not c:
                break
            if c in "\n;":
                if single and (c == ";" or not chain.idle or chain.operator not in _LINKS):
                    break
                self.at = i + 1
                chain.connect(c)
            elif c in ")}" or (c == "]" and expected[c]):
                if c == end:
                    self.at = i + 1
                    chain.closed = True
                    break
                if single or expected[c]:
                    break
                self.at = i + 1
            elif c == "|" or (c == "&" and (code[i + 1] == "&" or not chain.idle)):
                double = code[i + 1] == c
                self.at = i + 2 if double else i + 1
                chain.connect(c + c if double else c)
            elif c == "&" or (c == "." and code[i + 1] in " \n$'\"({"):
                self.at = i + 1
                c = self.blanks()
                if c and c not in _COMMAND_ENDS and c != ",":
                    self.command(depth, True)
            elif c in _EXPRESSION and not self.is_command(c):
                self.expression_element(c, depth)
            else:
                kind = self.leading_keyword(c, depth)
                if kind == NO_KEYWORD:
                    self.command(depth)
                elif kind == STATEMENT and single:
                    break
        if end:
            expected[end] -= 1
        self.chain = outer
        return chain

    def leading_keyword(self, c: str, depth: int) -> int:
        """The keyword that may stand here, with what belongs to it. Keywords count at the start of a statement only."""
        i = self.at
        stop = self.stops.find(STOP, i)
        word = self.code[i:stop].lower()
        chain = self.chain
        if (word in KEYWORDS or c == ":") and not (chain.idle and chain.operator in _LINKS):
            return self.keyword(word, stop, depth) if self.code[stop] in _KEYWORD_ENDS else NO_KEYWORD
        return NO_KEYWORD

    def command(self, depth: int, called: bool = False) -> None:
        """A command in argument mode. called: behind the call or the dot-source operator."""
        code, source, stops = self.code, self.source, self.stops
        i = start = self.at
        command = Command(self.chain.scope, "", i)
        self.chain.begin(command)
        words = command.words
        kind: type[Word] = Word
        while True:
            stop = stops.find(STOP, i)
            c = code[stop]
            if stop > i:
                if c not in _JOINING:
                    first = code[i]
                    text = source[i:stop]
                    if (first not in _SPECIAL or (first == "-" == text[0] and ":" not in text and text != "--%")) and (
                        c not in "<>" or self.ends_before_redirection(i, stop)
                    ):
                        words.append(kind(text, i, stop))
                        kind = Word
                        i = stop + 1 if c == " " else stop
                        continue
            elif c == " ":
                i += 1
                continue
            elif c in _COMMAND_ENDS:
                break
            elif c == ",":
                i = self.comma(i)
                kind = ListItem if len(words) > 1 else Word
                continue
            self.at = i
            if self.token(command, kind, depth, not words and not called):
                kind = Word
            i = self.at
        self.at = max(min(i, self.size), start + 1)
        if words and words[-1].end > command.end:
            command.end = words[-1].end
        if words or command.redirections:
            self.commands.append(command)

    def ends_before_redirection(self, i: int, stop: int) -> bool:
        """False if the token from `i` to the `<` or `>` at `stop` goes on there, or is the stream of a redirection."""
        if self.code[stop] == "<":
            return self.code[stop + 1] != "#"
        return stop > i + 1 or self.code[i] not in _DESCRIPTORS

    def comma(self, i: int) -> int:
        """The position of what follows the comma at `i`; line ends there do not end the command."""
        self.at = i + 1
        self.gap()
        return self.at

    def token(self, command: Command, kind: type[Word], depth: int, name: bool) -> bool:
        """Anything but a plain word in a command. True if it was a word, or several."""
        start, words = self.at, command.words
        c = self.code[start]
        following = self.code[start + 1]
        if c == "#" or (c == "`" and following == "\n") or (c == "<" and following == "#"):
            self.blanks()
            return False
        if c in "<>" or (following == ">" and c in _DESCRIPTORS):
            self.redirection(command, depth)
            return False
        if c == "-" and words and self.code[start + 1 : start + 3] == "-%" and self.ends_token(start + 3):
            self.verbatim(command)
            return False
        pieces: list[str | Part] = []
        self.listed = None
        end = 0
        if c == "-":
            end = self.parameter(pieces, depth + 1)
        elif c in _PRIMARY:
            self.primary(c, pieces, depth)
        else:
            self.generic(pieces, depth, name)
        end = end or self.at
        if self.listed:
            first, *others = self.listed
            pieces.pop()
            words.append(
                compose([*pieces, *(first.parts or (first.text,))], start if pieces else first.start, first.end, kind)
            )
            words += [ListItem(word.text, word.start, word.end, word.parts) for word in others]
        else:
            words.append(compose(pieces, start, end, kind))
        command.end = max(command.end, end)
        return True

    def ends_token(self, i: int) -> bool:
        return i >= self.size or self.code[i] in _TOKEN_ENDS

    def parameter(self, pieces: "list[str | Part]", depth: int) -> int:
        """A token that begins with a dash. Gives its end if that is not where reading goes on.

        `-Name:value` is one word, also with blanks behind the colon (about_Parameters).
        """
        i = self.at
        code = self.code
        stop = self.stops.find(STOP, i)
        colon = code.find(":", i, stop)
        if colon < 0 or not (code[i + 1].isalpha() or code[i + 1] in "_?"):
            dashes = 2 if code[i + 1] == "-" else 1
            pieces.append("-" * dashes)
            self.at = i + dashes
            self.generic(pieces, depth)
            return 0
        pieces.append("-" + self.source[i + 1 : colon + 1])
        self.at = colon + 1
        c = self.blanks()
        if not c or c in _COMMAND_ENDS or c in ",<>":
            return colon + 1
        if c in _PRIMARY:
            self.primary(c, pieces, depth)
        else:
            self.generic(pieces, depth)
        return 0

    def primary(self, c: str, pieces: "list[str | Part]", depth: int) -> None:
        """An argument that is a value: a string ends at its closing quote, a variable may be the start of a token."""
        start, mark = self.at, len(pieces)
        if c == "'":
            self.single_quoted(pieces)
        elif c == '"':
            self.double_quoted(pieces, depth)
        elif c in "({" or (self.code[start + 1] in "({'\"" and self.code.startswith(("$(", "@"), start)):
            if not self.enclosed(c, pieces, depth):
                self.generic(pieces, depth)
                return
        else:
            key, end = self.variable(start)
            if not end or not self.ends_variable(end):
                self.generic(pieces, depth)
                return
            pieces.append(Part(VARIABLE, key, True))
            self.at = end
        if self.code[self.at] in ".[:":
            self.members(start, pieces, mark, depth, True)

    def ends_variable(self, i: int) -> bool:
        """True if a variable that ends at `i` is an argument of its own and not the beginning of a token."""
        code = self.code
        if code.startswith(("::", "<#"), i):
            return code[i] == ":"
        return self.ends_token(i) or code[i] in ".["

    def at_redirection(self) -> bool:
        c = self.code[self.at]
        return self.at < self.size and (c in "<>" or (self.code[self.at + 1] == ">" and c in _DESCRIPTORS))

    def redirection(self, command: Command, depth: int) -> None:
        """One redirection, added to `command` (about_Redirection)."""
        code = self.code
        i = self.at
        descriptor = ""
        if code[i] not in "<>":
            descriptor = code[i]
            i += 1
        operator = code[i]
        if operator == ">" and code[i + 1] == ">":
            operator = ">>"
            i += 1
        elif operator == ">" and code[i + 1] == "&" and code[i + 2] in _DESCRIPTORS:
            self.at = i + 3
            target = Word(code[i + 2], i + 2, i + 3)
            command.redirections.append(Redirection(">&", descriptor, target))
            command.end = max(command.end, self.at)
            return
        self.at = i + 1
        # In `a>#; b` the `#` may belong to a word `a>#` (about_Parsing): it hides nothing.
        c = "#" if code[i + 1] == "#" else self.blanks()
        start = self.at
        pieces: list[str | Part] = []
        self.listed = None
        if c in _PRIMARY:
            self.primary(c, pieces, depth + 1)
        elif c and c not in _COMMAND_ENDS and c not in ",<>":
            self.generic(pieces, depth + 1)
        elif i < self.size:
            start = self.at = i + 1
        command.redirections.append(Redirection(operator, descriptor, compose(pieces, start, self.at)))
        command.end = max(command.end, self.at)

    # These come with the first text that needs one of them: most commands have no expressions, and loading the layers
    # for them costs more than reading the command.

    def grow(self) -> None:
        """Become a reader with all layers but that of keywords."""
        from guardhook.shell.powershell.expressions import Expressions

        self.__class__ = Expressions

    def expression_element(self, c: str, depth: int) -> None:
        self.grow()
        self.expression_element(c, depth)

    def enclosed(self, c: str, pieces: "list[str | Part]", depth: int) -> bool:
        self.grow()
        return self.enclosed(c, pieces, depth)

    def is_command(self, c: str) -> bool:
        self.grow()
        return self.is_command(c)

    def members(self, start: int, pieces: "list[str | Part]", mark: int, depth: int, command: bool) -> bool:
        self.grow()
        return self.members(start, pieces, mark, depth, command)

    def subexpression(self, pieces: "list[str | Part]", depth: int, quoted: bool) -> None:
        self.grow()
        self.subexpression(pieces, depth, quoted)

    def keyword(self, word: str, stop: int, depth: int) -> int:
        from guardhook.shell.powershell.statements import Statements

        self.__class__ = Statements
        return self.keyword(word, stop, depth)

    def verbatim(self, command: Command) -> None:
        from guardhook.shell.powershell import verbatim

        verbatim.arguments(self, command)
