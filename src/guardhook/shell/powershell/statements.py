"""Statements that begin with a keyword: branches, loops, definitions (about_Language_Keywords)."""

from guardhook.shell.commands import BRANCH, FUNCTION, LOOP, Assignment, Command, Scope, Word
from guardhook.shell.powershell.brackets import is_known
from guardhook.shell.powershell.cursor import OPEN_BRACKET, STOP
from guardhook.shell.powershell.expressions import Expressions
from guardhook.shell.powershell.lexer import BEGINNING, NO_KEYWORD, STATEMENT

_LOOPS = frozenset(("switch", "for", "foreach", "while", "do"))
_BLOCK_FOLLOWS = frozenset("else do try finally begin process end dynamicparam clean".split(" "))
_TYPES = frozenset(("class", "enum"))


class Statements(Expressions):
    """The layer of keywords, and so the whole reader."""

    __slots__ = ()

    def keyword(self, word: str, stop: int, depth: int) -> int:
        """The statement of the keyword that ends at `stop`; gives what it was."""
        if word.startswith(":"):
            return self.label(stop)
        if word in ("return", "throw", "exit"):
            self.at = stop
            self.reading.compound = True
            return BEGINNING
        if word in ("break", "continue"):
            return self.jump(stop)
        start = self.at
        self.at = stop
        c = self.gap()
        if not self.fits(word, c):
            self.at = start
            return NO_KEYWORD
        self.chain.begin(None)
        self.reading.compound = True
        if word in ("if", "elseif"):
            self.branches(depth)
        elif word == "switch":
            self.switch(depth)
        elif word == "foreach":
            self.each(start, depth)
        elif word in ("for", "while", "until"):
            self.loop(depth)
        elif word == "do":
            self.do(depth)
        elif word in ("try", "catch", "finally", "trap", "else"):
            self.attempt(depth)
        elif word == "param":
            self.at += 1
            self.values_up_to(")", depth + 1)
        elif word in _TYPES:
            self.type_definition(depth)
        elif word == "using":
            while self.blanks() not in ("", "\n", ";", "}", ")"):
                self.token_of_value(depth)
        else:
            self.definition(word, depth)
        return STATEMENT

    def fits(self, word: str, c: str) -> bool:
        """True if `word` is a keyword in front of `c`; many are common words otherwise."""
        if word in ("if", "elseif", "for", "while", "until", "param"):
            return c == "("
        if word == "foreach":
            return c == "(" or self.code[self.at : self.at + 9].lower() == "-parallel"
        if word == "switch":
            return c in "(-$" and c != ""
        if word in _BLOCK_FOLLOWS:
            return c == "{"
        if word in ("catch", "trap"):
            return c != "" and c in "{["
        return c.isalnum() or c in ("_", "{", "-")

    def label(self, stop: int) -> int:
        """`:name` in front of a loop (about_Break); else a word."""
        start = self.at
        self.at = stop
        self.gap()
        end = self.stops.find(STOP, self.at)
        if self.code[self.at : end].lower() in _LOOPS:
            return BEGINNING
        self.at = start
        return NO_KEYWORD

    def jump(self, stop: int) -> int:
        """`break` and `continue`, whose label is no command."""
        self.at = stop
        self.chain.begin(None)
        self.reading.compound = True
        c = self.blanks()
        if c.isalpha() or c == "_":
            self.generic([], 0)
        return STATEMENT

    def condition(self, scope: Scope, depth: int) -> None:
        """The parentheses behind a keyword, if they follow."""
        if self.gap() == "(":
            self.at += 1
            if not self.too_deep(depth) and not self.sequence(scope, ")", depth + 1).closed:
                self.flaw(OPEN_BRACKET)

    def next_keyword(self, *words: str) -> str:
        """Move over one of `words` if it comes next, also on a later line; "" and no move if not."""
        start = self.at
        self.gap()
        stop = self.stops.find(STOP, self.at)
        word = self.code[self.at : stop].lower() if stop - self.at < 10 else ""
        if word in words:
            self.at = stop
            return word
        self.at = start
        return ""

    def branches(self, depth: int) -> None:
        """`if`: its first condition always runs, in the scope around it."""
        self.condition(self.chain.scope, depth)
        self.block(self.enter(BRANCH), depth)
        while True:
            word = self.next_keyword("elseif", "else")
            if word == "elseif":
                self.condition(self.enter(BRANCH), depth)
            elif not word:
                return
            self.block(self.enter(BRANCH), depth)

    def attempt(self, depth: int) -> None:
        """`try`, `catch [type]`, `finally` and `trap [type]`."""
        while True:
            while self.gap() == "[" or self.code[self.at] == ",":
                self.at += 1
                if self.code[self.at - 1] == "[":
                    self.values_up_to("]", depth + 1)
            self.block(self.enter(BRANCH), depth)
            if not self.next_keyword("catch", "finally"):
                return

    def loop(self, depth: int) -> None:
        """`for (a; b; c) { }` and `while (a) { }`."""
        scope = self.enter(LOOP)
        self.condition(scope, depth)
        self.block(scope, depth)

    def do(self, depth: int) -> None:
        """`do { } while (a)` and `do { } until (a)`."""
        scope = self.enter(LOOP)
        self.block(scope, depth)
        if self.next_keyword("while", "until"):
            self.condition(scope, depth)

    def each(self, start: int, depth: int) -> None:
        """`foreach ($name in list) { }`: a carrier with one assignment for each element of the list."""
        scope = self.enter(LOOP)
        if self.code[self.at] == "-":
            self.generic([], depth)
            self.gap()
        if self.code[self.at] != "(":
            return
        self.at += 1
        self.gap()
        key, end = self.variable(self.at) if self.code[self.at] == "$" else ("", 0)
        self.at = end or self.at
        self.next_keyword("in")
        self.gap()
        begin = self.at
        if self.too_deep(depth):
            return
        chain = self.sequence(scope, ")", depth + 1)
        if not chain.closed:
            self.flaw(OPEN_BRACKET)
        words = [self.opaque_word(begin, max(begin, self.at - 1))]
        element = self.lone(chain)
        if element is not None:
            self.commands.pop()
            if all(map(is_known, element.elements)) or len(element.elements) > 1:
                words = list(element.elements)
        if key:
            self.carrier(scope, start, key, words)
        self.block(scope, depth)

    def carrier(self, scope: Scope, start: int, key: str, words: list[Word]) -> None:
        command = Command(scope, "", start)
        command.carrier = True
        command.end = self.at
        command.assignments = [Assignment(key, word) for word in words]
        self.commands.append(command)

    def switch(self, depth: int) -> None:
        """`switch [-option ...] (value) { pattern { } ... }`: a pattern is no command."""
        while self.gap() == "-":
            self.at += 1
            self.generic([], depth)
        if self.code[self.at] == "(":
            self.condition(self.enter(BRANCH), depth)
        else:
            while self.gap() not in ("", "{", "\n", ";", "}", ")"):
                self.token_of_value(depth)
        if self.gap() == "{":
            self.at += 1
            if not self.too_deep(depth):
                self.clauses(depth + 1)

    def token_of_value(self, depth: int) -> None:
        """One token of a switch's value or pattern."""
        c = self.code[self.at]
        start = self.at
        if c in "'\"$(@":
            self.operand(c, [], depth)
        else:
            self.generic([], depth)
        if self.at == start:
            self.at += 1

    def clauses(self, depth: int) -> None:
        """The clauses of a switch up to its `}`: patterns and blocks by turns."""
        expected = self.expected
        expected["}"] += 1
        pattern = True
        while True:
            c = self.gap("\n;")
            if not c or c == "}" or (c in ")]" and expected[c]):
                break
            if c == "{":
                self.block(self.enter(FUNCTION if pattern else BRANCH), depth)
                pattern = not pattern
            else:
                self.token_of_value(depth)
                pattern = False
        expected["}"] -= 1
        if c == "}":
            self.at += 1
        else:
            self.flaw(OPEN_BRACKET)

    def definition(self, word: str, depth: int) -> None:
        """`function name (parameters) { }`, and named blocks such as `begin { }`."""
        scope = self.enter(FUNCTION)
        while True:
            c = self.gap()
            if c == "(":
                self.at += 1
                self.values_up_to(")", depth + 1)
            elif c == "{":
                self.block(scope, depth)
                return
            elif not c or c in ";|&)}":
                return
            else:
                start = self.at
                self.generic([], depth)
                self.at = max(self.at, start + 1)

    def type_definition(self, depth: int) -> None:
        """`class name : base { members }` and `enum`: the bodies of methods are statements, the rest holds none."""
        while self.gap() not in ("", "{", ";", "}", ")"):
            start = self.at
            self.generic([], depth)
            self.at = max(self.at, start + 1)
        if self.code[self.at] != "{":
            return
        self.at += 1
        if not self.too_deep(depth):
            self.values_up_to("}", depth + 1)
