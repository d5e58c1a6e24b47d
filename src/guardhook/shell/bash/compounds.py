"""Compound commands: groups, branches, loops, functions, tests."""

from guardhook.shell.bash.cursor import LIMIT, OPENERS
from guardhook.shell.bash.heredocs import HereDocuments
from guardhook.shell.commands import (
    BRANCH,
    FUNCTION,
    GROUP,
    LOOP,
    SUBSHELL,
    UNKNOWN,
    VARIABLE,
    Assignment,
    Command,
    Compound,
    Part,
    Scope,
    Word,
)

_CLAUSE_END = ";;"
_SECTIONS = frozenset(("then", "elif", "else", "fi"))
_LOOP_HEAD = frozenset(("do", "done"))
_DONE = frozenset(("done",))
_BRACE = frozenset(("}",))
_PARENTHESIS = frozenset((")",))
_CLAUSE = frozenset((_CLAUSE_END, "esac"))


class Compounds(HereDocuments):
    """The layer that reads compound commands. Broken ones end where their text stops making sense; nothing is lost."""

    __slots__ = ()

    def compound(self, opener: str, depth: int) -> None:
        """The compound command whose opening token, just passed, is `opener`, and its redirections."""
        self.reading.compound = True
        if depth >= LIMIT:
            self.too_deep(self.at)
            return
        chain = self.chain
        before = chain.begin(None)
        record = self.within = Compound(self.within, chain.inbound)
        first = len(self.commands)
        if opener == "(":
            self.inner(SUBSHELL, _PARENTHESIS, depth)
        elif opener == "{":
            self.inner(GROUP, _BRACE, depth)
        elif opener == "if":
            self.conditional(depth)
        elif opener in ("for", "select"):
            self.iteration(depth)
        elif opener in ("while", "until"):
            self.loop(depth)
        elif opener == "case":
            self.case(depth)
        elif opener == "[[":
            self.condition(depth)
        elif opener == "function":
            self.function(depth)
        elif opener == "coproc":
            self.coprocess(depth)
        self.within = record.within
        record.commands = (first, len(self.commands))
        record.carrier = self.carried(before, depth)
        chain.compound = record

    def inner(self, kind: str, ends: frozenset[str], depth: int) -> str:
        """A list in a scope of its own; the token that ended it, "" if none of `ends` did."""
        scope = Scope(kind, self.chain.scope)
        self.chain.element.append(scope)
        return self.sequence(scope, ends, depth)

    def parenthesis(self, depth: int) -> None:
        """`((` or `(` at the start of a command."""
        if self.double_parenthesis(depth):
            self.reading.compound = True
            self.carried(self.chain.begin(None), depth)
        else:
            self.at += 1
            self.compound("(", depth)

    def double_parenthesis(self, depth: int) -> bool:
        """The arithmetic expression in the `(( ))` here; False, without moving, if there is none."""
        inner = self.joined(self.at + 1)
        end = self.arithmetic_end(inner) if self.source[inner] == "(" else -1
        if end >= 0:
            self.arithmetic(inner + 1, end, depth)
        return end >= 0

    def carried(self, before: str, depth: int) -> Command | None:
        """The redirections behind a compound command, as a command that carries them."""
        carrier: Command | None = None
        self.blanks()
        while self.at_redirection(self.at):
            if carrier is None:
                carrier = Command(self.chain.scope, before, self.at)
                carrier.carrier = True
            self.redirection(carrier, depth)
            self.blanks()
        if carrier is not None:
            self.commands.append(carrier)
            self.chain.element.append(carrier)
            self.chain.previous = carrier
        return carrier

    def conditional(self, depth: int) -> None:
        """`if`: the first condition, and branches. A condition behind `elif` shares the scope of its branch."""
        token = self.inner(GROUP, _SECTIONS, depth)
        while token and token != "fi":
            scope = Scope(BRANCH, self.chain.scope)
            self.chain.element.append(scope)
            opening = token
            token = self.sequence(scope, _SECTIONS, depth)
            if opening == "elif" and token == "then":
                token = self.sequence(scope, _SECTIONS, depth)

    def loop(self, depth: int) -> None:
        """`while` and `until`: condition and body."""
        scope = Scope(LOOP, self.chain.scope)
        self.chain.element.append(scope)
        if self.sequence(scope, _LOOP_HEAD, depth) == "do":
            self.sequence(scope, _DONE, depth)

    def iteration(self, depth: int) -> None:
        """`for` and `select`: the variable and its list, or `((`, and the body."""
        scope = Scope(LOOP, self.chain.scope)
        if self.blanks() == "(":
            self.double_parenthesis(depth)
        elif self.at_word():
            self.loop_variable(scope, depth)
        self.chain.element.append(scope)
        self.gap(";", depth)
        if self.keyword("do"):
            self.sequence(scope, _DONE, depth)
        elif self.keyword("{"):
            self.sequence(scope, _BRACE, depth)

    def loop_variable(self, scope: Scope, depth: int) -> None:
        """`NAME [in WORD ...]`, as one wordless command that assigns each word in turn."""
        name = self.word(depth)
        variable = Command(scope, "", name.start)
        variable.carrier = True
        variable.end = name.end
        self.gap("", depth)
        if self.keyword("in"):
            variable.end = self.at
            self.blanks()
            while self.at_word() and self.source[self.at] != "#":
                value = self.word(depth)
                variable.assignments.append(Assignment(name.text, value))
                variable.end = value.end
                self.blanks()
        else:
            parts = (Part(VARIABLE, "@", True),)
            variable.assignments.append(Assignment(name.text, Word(UNKNOWN, name.end, name.end, parts)))
        self.commands.append(variable)

    def case(self, depth: int) -> None:
        """`case WORD in` and its clauses, each with a scope of its own."""
        self.blanks()
        if self.at_word():
            self.word(depth)
        self.gap("", depth)
        if not self.keyword("in"):
            return
        while True:
            self.gap("", depth)
            if self.keyword("esac") or not self.pattern(depth):
                return
            if self.inner(BRANCH, _CLAUSE, depth) != _CLAUSE_END:
                return

    def pattern(self, depth: int) -> bool:
        """`[(] pattern [| pattern ...] )`; False if there is none: what stands there may be a command after all."""
        if self.source[self.at] == "(":
            self.at += 1
        first = True
        while True:
            c = self.blanks()
            start = self.at
            if c == ")":
                self.at += 1
                return True
            if not self.at_word():
                return False
            word = self.word(depth)
            c = self.blanks()
            if c == "|":
                self.at += 1
            elif c != ")":
                self.at = start if first and not word.parts else self.at
                return False
            first = False

    def condition(self, depth: int) -> None:
        """`[[ ]]`: only the substitutions in its words matter. A `;`, a `&` or a stray `)` ends a broken one."""
        level = 0
        while True:
            c = self.gap("", depth)
            if not c or c == ";" or (c == ")" and not level):
                return
            if c == "&":
                following = self.joined(self.at + 1)
                if self.source[following] != "&":
                    return
                self.at = following + 1
            elif self.at_word():
                word = self.word(depth)
                if word.text == "]]" and not word.parts:
                    return
            else:
                level += (c == "(") - (c == ")")
                self.at += 1

    def function(self, depth: int) -> None:
        """`function NAME [()]` and its body."""
        self.blanks()
        if self.at_word():
            self.word(depth)
        if self.blanks() == "(":
            close = self.empty_parentheses(self.at)
            self.at = close if close else self.at
        self.function_body(depth)

    def function_body(self, depth: int) -> None:
        """The compound command that a function consists of, in a scope of its own."""
        self.gap("", depth)
        self.opener(depth)
        self.chain.wrap(FUNCTION)

    def empty_parentheses(self, i: int) -> int:
        """The position behind the `( )` at `i`, 0 if something stands between."""
        i = self.joined(i + 1)
        while self.source[i] in " \t":
            i = self.joined(i + 1)
        return i + 1 if self.source[i] == ")" and i < self.size else 0

    def opener(self, depth: int) -> bool:
        """The compound command that begins here; False if none does."""
        if self.at >= self.size:
            return False
        if self.source[self.at] == "(":
            self.parenthesis(depth + 1)
            return True
        text, stop = self.peek_word(self.at)
        if text not in OPENERS:
            return False
        self.at = stop
        self.compound(text, depth + 1)
        return True
