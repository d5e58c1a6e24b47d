"""THE reader of cmd.exe command lines, as they stand behind `cmd /c` and `/k`: lists, blocks, redirections.

What it goes by are the pages of Microsoft Learn that are named where a rule surprises. It never raises and never gives
up: stray tokens are passed over, nesting beyond the limit is read flat, and the reading's flaw says what is unsure.
"""

import gc

from guardhook.shell.cmd_headers import Headers, relocate
from guardhook.shell.cmd_words import (
    BLANKS,
    DELIMITERS,
    DIGITS,
    INTERNAL,
    LISTED,
    NAME,
    PLAIN,
    PROGRAM,
    TOKEN,
)
from guardhook.shell.commands import (
    BRANCH,
    GROUP,
    LOOP,
    PIPELINE,
    SUBSTITUTION,
    Command,
    Compound,
    Reading,
    Redirection,
    Scope,
    Word,
)

LIMIT = 120
OUTPUT_DEPTH = 60  # what a command of `for /f` counts for: it is read from a copy of its text, so seldom in another

OPEN_BRACKET = "a bracket that is never closed"
TOO_DEEP = "nesting deeper than 120 levels"

_BETWEEN = DELIMITERS | frozenset("@")
_RUNNERS = frozenset(("call", "start"))  # what follows is another command's line
_PLAIN = frozenset("assoc color date echo ftype path prompt set time title".split())  # `=` and `,` are text to them


def read(text: str) -> Reading:
    """All simple commands of a cmd.exe text of any length (SPEC C2, C9). Never raises; one pass, linear in the text."""
    reading = Reading(text)
    collecting = gc.isenabled()
    gc.disable()  # nothing becomes garbage meanwhile, as in the Bash lexer
    try:
        Lines(text, reading).sequence(Chain(Scope("", None)), 0)
    finally:
        if collecting:
            gc.enable()
    return reading


class Chain:
    """One list while it is read.

    operator: the one behind the last element; idle: no element has begun since. previous: the last element's command.
    element: what a pipe around the last element puts into a process of its own; writer: what writes into that pipe.
    feeder: the writer in front of a pipe just met; inbound: that of the block around, which its commands share.
    """

    __slots__ = ("element", "feeder", "idle", "inbound", "operator", "piped", "previous", "scope", "writer")

    def __init__(self, scope: Scope, inbound: "Command | Compound | None" = None) -> None:
        self.scope = scope
        self.inbound = inbound
        self.restart()

    def restart(self) -> None:
        """Begin again, as at the start of a list."""
        self.operator = ""
        self.idle = True
        self.piped = False
        self.previous: Command | None = None
        self.element: Command | Scope | None = None
        self.writer: Command | Compound | None = None
        self.feeder: Command | Compound | None = None

    def begin(self, command: "Command | None") -> "Command | Compound | None":
        """An element begins: a simple command, or a compound one (None). Gives what its standard input comes from."""
        if self.previous is not None and self.idle:
            self.previous.after = self.operator
        feeder = self.inbound if self.feeder is None else self.feeder
        self.feeder = None
        self.idle = False
        self.previous = self.element = self.writer = command
        if command is not None:
            command.feeder = feeder
        return feeder

    def connect(self, operator: str) -> None:
        """An operator ends the element; a line end behind another operator belongs to it."""
        if self.idle:
            self.operator = operator if operator != "\n" else self.operator
            return
        self.finish()
        self.idle = True
        self.operator = operator
        self.piped = operator == "|"
        if self.piped:
            self.enclose()
            self.feeder = self.writer

    def finish(self) -> None:
        """The last element of a pipeline has a process of its own too."""
        if self.piped and not self.idle:
            self.enclose()

    def enclose(self) -> None:
        """Put the element into a scope of its own; a block's scope becomes that scope."""
        if isinstance(self.element, Scope):
            self.element.kind = PIPELINE
        elif self.element is not None and self.element.scope is self.scope:
            self.element.scope = Scope(PIPELINE, self.scope)


class Lines(Headers):
    """The layer of lists, compound commands and redirections."""

    __slots__ = ()

    def flaw(self, phrase: str) -> None:
        self.reading.flaw = self.reading.flaw or phrase

    def sequence(self, chain: Chain, depth: int, line: bool = False) -> None:
        """A list up to the end, to the `)` of the block around, or (line) to the end of the line."""
        source, size = self.source, self.size
        while True:
            c = self.skip(_BETWEEN)
            if c == "\n":
                if line or self.at >= size:
                    break
                chain.connect(c)
                self.at += 1
            elif c == ")":
                if self.blocks:
                    break
                self.at += 1
            elif c in "&|":
                operator = c + c if source[self.at + 1] == c else c
                self.at += len(operator)
                chain.connect(operator)
            else:
                self.element(chain, depth)
        chain.finish()

    def element(self, chain: Chain, depth: int) -> None:
        """A simple or compound command, with the redirections in front of it."""
        command = Command(chain.scope, chain.operator if chain.idle else "", self.at)
        while self.redirection(command):
            self.skip(_BETWEEN)
        c = self.source[self.at]
        if c == "(":
            self.block(chain, command, depth + 1)
            return
        if c == ":":  # a label
            self.comment()
        else:
            name = None if c in "\n&|)" else self.word(NAME)
            if name is not None and self.named(name, chain, command, depth):
                return
        if command.words or command.redirections:
            chain.begin(command)
            self.commands.append(command)

    def named(self, name: Word, chain: Chain, command: Command, depth: int) -> bool:
        """What begins with the word `name`; False if it is a simple command, or a remark, still to be listed."""
        raw = self.source[name.start : name.end].lower()
        keyword = name.text.lower() if '"' not in raw else ""
        if keyword == "else":
            chain.finish()
            if chain.scope.kind == BRANCH:
                chain.scope = Scope(BRANCH, chain.scope.parent)
            chain.restart()
            return True
        if keyword == "if":
            self.conditional(chain, command, depth + 1)
            return True
        if keyword == "for" and self.iteration(chain, command, depth + 1):
            return True
        if raw == "rem":
            if self.skip(BLANKS) not in "&|":
                self.comment()
            return False
        if not command.words:
            command.words.append(name)
            command.end = name.end
        self.arguments(command)
        return False

    def comment(self) -> None:
        """The rest of the line says nothing ("rem")."""
        self.at = self.source.find("\n", self.at)

    def arguments(self, command: Command) -> None:
        """What follows a command's name."""
        source = self.source
        name = command.words[0].text.lower()
        mode = PROGRAM if name not in INTERNAL or name in _RUNNERS else PLAIN if name in _PLAIN else LISTED
        if name == "echo" and source[self.at] in "/.\\:+[](,;=":  # `echo.` writes an empty line
            self.at += 1
        elif name in INTERNAL:
            self.skip(DELIMITERS)
        while True:
            c = self.skip(mode.ends)
            if c == "\n" or (not self.quoted and (c in "&|" or (c == ")" and self.blocks))):
                break
            if self.quoted or not self.redirection(command):
                word = self.word(mode)
                if word is not None:
                    command.words.append(word)
                    command.end = word.end
        self.quoted = False

    def redirection(self, command: Command) -> bool:
        """One redirection, added to `command`; False if there is none here ("Using command redirection operators")."""
        source, start = self.source, self.at
        i = start + 1 if source[start] in DIGITS else start
        if source[i] not in "<>":
            return False
        operator = source[i]
        descriptor = source[start:i]
        i += 1
        if operator == ">" and source[i] == ">":
            operator = ">>"
            i += 1
        if source[i] == "&" and source[i + 1] in DIGITS:
            operator = operator[0] + "&"
            i += 1
        self.at = i
        self.skip(DELIMITERS)
        target = self.word(TOKEN)
        command.redirections.append(Redirection(operator, descriptor, target or Word("", self.at, self.at)))
        command.end = self.at
        return True

    def too_deep(self, depth: int) -> bool:
        """True if what begins here is read flat."""
        self.reading.compound = True
        if depth > LIMIT:
            self.flaw(TOO_DEEP)
        return depth > LIMIT

    def block(self, chain: Chain, command: Command, depth: int) -> None:
        """`( ... )`, whose redirections `command` carries, if there are any."""
        self.at += 1
        inbound = chain.begin(None)
        if not self.too_deep(depth):
            record = chain.writer = Compound(None, inbound)
            scope = chain.element = Scope(GROUP, chain.scope)
            first = len(self.commands)
            self.blocks += 1
            self.sequence(Chain(scope, inbound), depth)
            self.blocks -= 1
            record.commands = (first, len(self.commands))
            if self.at < self.size:
                self.at += 1
            else:
                self.flaw(OPEN_BRACKET)
            self.skip(DELIMITERS)
            command.start = command.start if command.redirections else self.at
            while self.redirection(command):
                self.skip(DELIMITERS)
            record.carrier = command if command.redirections else None
        self.carry(chain, command)

    def carry(self, chain: Chain, command: Command) -> None:
        """List the redirections of a compound command."""
        if command.redirections:
            command.carrier = True
            self.commands.append(command)
            chain.previous = command

    def conditional(self, chain: Chain, command: Command, depth: int) -> None:
        """`if` and what depends on it: the rest of the line, "else" in the list of its own ("if")."""
        inbound = chain.begin(None)
        self.carry(chain, command)
        self.condition()
        if not self.too_deep(depth):
            self.sequence(Chain(Scope(BRANCH, chain.scope), inbound), depth, line=True)

    def iteration(self, chain: Chain, command: Command, depth: int) -> bool:
        """`for` and what it repeats, the rest of the line; False if it is no whole one ("for")."""
        loop = self.loop()
        if loop is None:
            return False
        inbound = chain.begin(None)
        self.carry(chain, command)
        scope = Scope(LOOP, chain.scope)
        carrier = self.members(loop, scope)
        if self.source[loop.last] != ")":
            self.flaw(OPEN_BRACKET)
        output = self.output(loop)
        if output is not None and not self.too_deep(depth + OUTPUT_DEPTH):
            self.nested(*output, Scope(SUBSTITUTION, chain.scope), depth + OUTPUT_DEPTH)
        self.commands.append(carrier)
        if not self.too_deep(depth):
            around = self.loops
            self.loops += loop.letters()
            self.sequence(Chain(scope, inbound), depth, line=True)
            self.loops = around
        return True

    def nested(self, text: str, offsets: "list[int] | range", scope: Scope, depth: int) -> None:
        """The command line that a child of cmd gets, read from a copy."""
        first = len(self.commands)
        lines = Lines(text, self.reading)
        lines.loops = self.loops
        lines.sequence(Chain(scope), depth)
        for command in self.commands[first:]:
            relocate(command, offsets)
