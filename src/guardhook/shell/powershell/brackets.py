"""Everything in brackets: groups, script blocks, hash tables, type names, indexes and the arguments of methods."""

from guardhook.shell.commands import FUNCTION, GROUP, OPAQUE, UNKNOWN, VARIABLE, Part, Scope, Word
from guardhook.shell.powershell.cursor import EXCESS, LIMIT, OPEN_BRACKET, STOP, TOO_DEEP, Chain
from guardhook.shell.powershell.lexer import Lexer
from guardhook.shell.powershell.records import Expression

_OPERANDS = frozenset("'\"$({@")


def is_known(word: Word) -> bool:
    """False if the word is nothing but one part that the reader cannot see through."""
    return len(word.parts) != 1 or word.parts[0].kind != OPAQUE


class Brackets(Lexer):
    """The layer of brackets."""

    __slots__ = ()

    def operand(self, c: str, pieces: "list[str | Part]", depth: int) -> None:
        """A value in expression mode, from the layer of expressions."""
        raise NotImplementedError

    def enter(self, kind: str) -> Scope:
        """A scope for what stands in a bracket or in the body of a statement, inside the current one."""
        chain = self.chain
        scope = Scope(kind, chain.scope)
        chain.members.append(scope)
        self.reading.compound = True
        return scope

    def too_deep(self, depth: int) -> bool:
        """True beyond the limit: what follows is read flat, as long as that is no way to keep the reader busy."""
        if depth < LIMIT:
            return False
        self.flaw(TOO_DEEP)
        self.excess += 1
        if self.excess > EXCESS:
            self.at = self.size
        return True

    def enclosed(self, c: str, pieces: "list[str | Part]", depth: int) -> bool:
        """`( )`, `{ }`, `$( )`, `@( )`, `@{ }` or a here-string; False and no move if it is none of them.

        A group that holds just one known value gives that, and one that holds a list gives it in `listed`.
        """
        start = self.at
        following = self.code[start + 1]
        if c == "$":
            self.subexpression(pieces, depth, False)
            return True
        if c == "@" and following in "'\"":
            from guardhook.shell.powershell import verbatim

            return verbatim.here_string(self, pieces, depth)
        self.at = start + 2 if c == "@" else start + 1
        self.listed = None
        if self.too_deep(depth):
            pieces.append(self.opaque(start))
            return True
        if c == "@" and following == "{":
            self.hash_table(depth + 1)
            self.listed = None
        else:
            scope = self.enter(FUNCTION if c == "{" else GROUP)
            chain = self.sequence(scope, "}" if c == "{" else ")", depth + 1)
            if not chain.closed:
                self.flaw(OPEN_BRACKET)
            self.listed = None
            if c != "{" and self.unwrapped(chain, pieces, c == "@", start):
                return True
        pieces.append(self.opaque(start))
        return True

    def opaque_word(self, start: int, end: int) -> Word:
        """A word of one part whose value is not known."""
        return Word(UNKNOWN, start, end, (Part(OPAQUE, self.source[start:end], True),))

    def lone(self, chain: Chain) -> "Expression | None":
        """The expression that a list just read consists of, if it is nothing but a value."""
        element = chain.previous
        if chain.count != 1 or not isinstance(element, Expression) or element.redirections:
            return None
        return element if self.commands and self.commands[-1] is element else None

    def unwrapped(self, chain: Chain, pieces: "list[str | Part]", array: bool, start: int) -> bool:
        """Take the value that a group just read consists of, if that is known; it is no record of its own then."""
        element = self.lone(chain)
        if element is None:
            if array and not chain.count and chain.closed:
                self.listed = []
            return array and self.lines(chain, pieces, start)
        if not all(map(is_known, element.elements)):
            return False
        self.commands.pop()
        words = element.elements
        if len(words) != 1 or array:
            self.listed = list(words)
            pieces.append(self.opaque(start))
        else:
            pieces += words[0].parts or (words[0].text,)
        return True

    def lines(self, chain: Chain, pieces: "list[str | Part]", start: int) -> bool:
        """Take the values of an `@( )` whose elements stand on lines of their own (about_Arrays)."""
        count = chain.count
        elements = self.commands[-count:] if 1 < count <= len(self.commands) else []
        words: list[Word] = []
        for element in elements:
            if not isinstance(element, Expression) or element.redirections or element.scope is not chain.scope:
                return False
            if element.after == "|" or not all(map(is_known, element.elements)):
                return False
            words += element.elements
        if not words:
            return False
        del self.commands[-count:]
        self.listed = words
        pieces.append(self.opaque(start))
        return True

    def subexpression(self, pieces: "list[str | Part]", depth: int, quoted: bool) -> None:
        start = self.at
        self.at = start + 2
        if not self.too_deep(depth):
            doubled = self.doubled
            self.doubled = doubled or quoted
            if not self.sequence(self.enter(GROUP), ")", depth + 1).closed:
                self.flaw(OPEN_BRACKET)
            self.doubled = doubled
        self.listed = None
        pieces.append(self.opaque(start))

    def block(self, scope: Scope, depth: int) -> None:
        """The body of a statement, if a `{` follows."""
        if self.gap() == "{":
            self.at += 1
            if not self.too_deep(depth) and not self.sequence(scope, "}", depth + 1).closed:
                self.flaw(OPEN_BRACKET)

    def hash_table(self, depth: int) -> None:
        """The inside of `@{ key = value; ... }`. Each value is a statement, so `@{a = git push}` runs git."""
        code, expected = self.code, self.expected
        self.reading.compound = True
        expected["}"] += 1
        while True:
            c = self.gap("\n;,")
            i = self.at
            if c == "=":
                self.at = i + 1
                self.gap()
                chain = self.sequence(self.chain.scope, "", depth, True)
                if self.lone(chain) is not None:
                    self.commands.pop()
            elif not c or c == "}" or (c in ")]" and expected[c]):
                break
            elif c in _OPERANDS:
                self.operand(c, [], depth)
            else:
                stop = self.stops.find(STOP, i)
                sign = code.find("=", i, stop)
                self.at = max(stop if sign < 0 else sign, i + 1)
        expected["}"] -= 1
        if c == "}":
            self.at += 1
        else:
            self.flaw(OPEN_BRACKET)

    def values_up_to(self, end: str, depth: int) -> None:
        """Expressions up to the bracket `end`, where a bare word is no command: an index, a type, arguments."""
        if self.too_deep(depth):
            return
        expected = self.expected
        expected[end] += 1
        while True:
            c = self.gap("\n;,")
            if not c or c == end or (c in ")]}" and expected[c]):
                break
            if c in _OPERANDS:
                self.operand(c, [], depth)
            elif c == "[":
                self.at += 1
                self.values_up_to("]", depth + 1)
            elif c.isalnum() or c == "_":
                self.name()
                if self.code[self.at] == "(":
                    self.at += 1
                    self.values_up_to(")", depth + 1)
            else:
                self.at += 1
        expected[end] -= 1
        if c == end:
            self.at += 1
        else:
            self.flaw(OPEN_BRACKET)

    def name(self) -> None:
        """Move over the name of an operator, a member or a type."""
        code, i = self.code, self.at
        while code[i].isalnum() or code[i] == "_":
            i += 1
        self.at = i

    def members(self, start: int, pieces: "list[str | Part]", mark: int, depth: int, command: bool) -> bool:
        """Member access, calls and indexes directly behind the value that is `pieces[mark:]`. True if there are any."""
        code = self.code
        self.target = None
        subscript = ""
        count = 0
        while True:
            i = self.at
            c = code[i]
            if c == "?" and code[i + 1] in ".[" and not command:
                i += 1
                c = code[i]
            if c == "[":
                self.at = i + 1
                self.values_up_to("]", depth + 1)
                subscript = self.source[i + 1 : self.at - 1].strip()
            elif c == "." and code[i + 1] != "." and not (command and code[i + 1] in " \n"):
                self.at = i + 1
                self.member(depth)
            elif c == ":" and code[i + 1] == ":" and not (command and code[i + 2] in " \n"):
                self.at = i + 2
                self.member(depth)
            elif c == "(" and count:
                self.at = i + 1
                self.values_up_to(")", depth + 1)
            elif c == "{" and count and not subscript:
                self.enclosed(c, [], depth + 1)
            else:
                break
            count += 1
        if count:
            self.hide(start, pieces, mark, subscript if count == 1 else "")
        return count > 0

    def hide(self, start: int, pieces: "list[str | Part]", mark: int, subscript: str) -> None:
        """One part for what was read from `start` on takes the place of `pieces[mark:]`: OPAQUE, or `$name[2]`."""
        variable = pieces[mark] if len(pieces) == mark + 1 else ""
        del pieces[mark:]
        self.listed = None
        self.target = None
        part = self.opaque(start)
        if subscript and not isinstance(variable, str) and variable.kind == VARIABLE and self.code[start] == "$":
            self.target = (variable.text, subscript)
            if subscript.isdigit() and variable.text.startswith("$"):
                part = Part(VARIABLE, f"{variable.text}[{subscript}]", True)
        pieces.append(part)

    def member(self, depth: int) -> None:
        """The name of a member, which may be a string, a variable or a group."""
        c = self.gap()
        if c == "'":
            self.single_quoted([])
        elif c == '"':
            self.double_quoted([], depth)
        elif c == "(":
            self.enclosed(c, [], depth + 1)
        elif c == "$":
            self.dollar([], depth, False)
        else:
            self.name()
