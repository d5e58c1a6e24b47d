"""Expressions: values, lists and operators, and the assignments that begin as one.

The grammar of operators is not followed. What matters is which commands an expression holds, and its value where that
is a literal, a variable, strings joined by `+`, or a list of such; any other value is one OPAQUE part.
"""

from guardhook.shell.commands import VARIABLE, Part
from guardhook.shell.powershell.assignments import assign
from guardhook.shell.powershell.brackets import Brackets
from guardhook.shell.powershell.records import Expression
from guardhook.shell.powershell.values import Element, Values
from guardhook.shell.powershell.words import compose

_ENDS = frozenset("\n;|&)}<>")
_OPERANDS = frozenset("'\"$({@")
_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdefABCDEF")
_NUMBER_ENDS = frozenset(" \n;,|&(){}!#%*+-./<=>]?:")
_UNITS = ("", "kb", "mb", "gb", "tb", "pb")
_SUFFIXES = frozenset(kind + unit for kind in ("", "d", "l", "n", "s", "u", "y", "ul", "us", "uy") for unit in _UNITS)


class Expressions(Brackets):
    """The layer of expressions."""

    __slots__ = ()

    def expression_element(self, c: str, depth: int) -> None:
        """An element of a pipeline that is an expression or an assignment."""
        start = self.at
        values = self.expression(depth)
        operator = self.assignment_operator()
        if operator:
            assign(self, values, operator, start, depth)
            return
        if self.at == start:
            self.at += 1
            return
        words = values.words
        value = words[0] if words else self.opaque_word(start, values.end)
        element = Expression(self.chain.scope, "", start, value, tuple(words))
        element.listed = values.listed
        self.chain.begin(element)
        element.end = values.end
        while self.at_redirection():
            self.redirection(element, depth)
            self.blanks()
        self.commands.append(element)

    def is_command(self, c: str) -> bool:
        """True if what looks like the start of an expression is that of a command: `7z`, `2> f`, `!name`, `@a/b`."""
        i = self.at
        following = self.code[i + 1]
        if c in _DIGITS:
            return following == ">" or not self.number_end(i)
        if c == "@":
            return not (following in "({'\"_" or following.isalnum())
        return c == "!" and following.isalpha()

    def expression(self, depth: int) -> Values:
        """The expression that begins here, up to what cannot belong to it."""
        values = Values(self.at)
        element = Element(self.at, False)
        while True:
            c = self.gap() if element.expecting else self.blanks()
            if not c or c in _ENDS or (c == "]" and self.expected[c]):
                break
            if c == ",":
                self.at += 1
                self.finish(element, values)
                values.listed = True
                values.end = self.at
                element = Element(self.at, True)
                continue
            if element.end == element.start:
                element.start = self.at
            if c in _OPERANDS:
                self.listed = self.target = None
                self.operand(c, element.pieces, depth)
                element.operand(self.target, self.listed)
            elif not element.expecting and self.ends_expression(c):
                break
            else:
                self.step(c, element, depth)
            element.end = self.at
        self.finish(element, values)
        # A comma binds tighter than the operators (about_Operator_Precedence).
        if values.listed and values.operators and values.words:
            values.words = [self.opaque_word(values.words[0].start, values.end)]
            values.targets = [None]
            values.listed = False
        return values

    def ends_expression(self, c: str) -> bool:
        """True at a token that is no part of an expression with an operand before it: an assignment, a new word."""
        if c in "=+-*/%?" and self.assignment_operator():
            return True
        if self.code[self.at + 1] == ">" and (c == "*" or c in _DIGITS):
            return True
        return c.isalpha() or c == "_"

    def step(self, c: str, element: Element, depth: int) -> None:
        """One token of an element other than a string, a variable or a group."""
        code, i = self.code, self.at
        following = code[i + 1]
        if c == "[":
            if self.type_literal(depth):
                element.operand(None, None)
            else:
                element.casts += 1
            element.known = False
        elif c in _DIGITS or (c == "." and following in _DIGITS):
            self.number(element)
        elif c == "+" and following != "+":
            self.at = i + 1
            element.operator(joining=True)
        elif c == "-" and (following.isalpha() or following == "_"):
            self.at = i + 1
            self.name()
            element.operator()
        elif c in "+-" and following == c:
            self.at = i + 2
            element.known = False
        elif c in "-*/%!?:" or (c == "." and following == "."):
            self.at = i + 2 if c in ".?" and following == c else i + 1
            element.operator()
        elif c.isalpha() or c == "_":
            self.name()
            if code[self.at] == "(":
                self.at += 1
                self.values_up_to(")", depth + 1)
            element.known = False
            element.operand(None, None)
        else:
            self.at = i + 1
            element.known = False

    def type_literal(self, depth: int) -> bool:
        """A type name or attribute in brackets. True if it is a value, by the members behind it, and not a cast."""
        start = self.at
        self.at += 1
        self.values_up_to("]", depth + 1)
        c = self.code[self.at]
        return c in ".:" and self.members(start, [], 0, depth, False)

    def finish(self, element: Element, values: Values) -> None:
        """Add the element to the list that it belongs to."""
        values.operators += element.operators
        if not (element.operands or element.operators or element.casts):
            return
        values.end = element.end
        only = element.operands == 1 and not element.operators
        if only and element.items is not None and element.known:
            values.words += element.items
            values.targets += [None] * len(element.items)
            values.listed = True
            return
        if element.known and element.operands:
            values.words.append(compose(element.pieces, element.start, element.end))
        else:
            values.words.append(self.opaque_word(element.start, element.end))
        values.targets.append(element.target if only else None)

    def number(self, element: Element) -> None:
        """A number; only a plain decimal one is its own text as a string."""
        start = self.at
        self.at = self.number_end(start) or start + 1
        text = self.source[start : self.at]
        element.pieces.append(text)
        element.operand(None, None, joins=False)
        if not text.isdigit() or (text[0] == "0" and len(text) > 1):
            element.known = False

    def number_end(self, start: int) -> int:
        """The end of the number at `start`; 0 if it is only the beginning of a word such as `7z`."""
        code, i = self.code, start
        if code[i] == "0" and code[i + 1] in "xXbB":
            i = self.run_end(i + 2, _HEX)
        else:
            i = self.run_end(i, _DIGITS)
            if code[i] == "." and code[i + 1] != ".":
                i = self.run_end(i + 1, _DIGITS)
            if code[i] in "eE" and (code[i + 1] in _DIGITS or (code[i + 1] in "+-" and code[i + 2] in _DIGITS)):
                i = self.run_end(i + 2, _DIGITS)
        suffix = i
        while code[i].isalpha() and i < suffix + 5:
            i += 1
        return i if code[suffix:i].lower() in _SUFFIXES and code[i] in _NUMBER_ENDS else 0

    def run_end(self, i: int, allowed: frozenset[str]) -> int:
        """The end of the run of `allowed` characters that begins at `i`."""
        code = self.code
        while code[i] in allowed:
            i += 1
        return i

    def operand(self, c: str, pieces: "list[str | Part]", depth: int) -> None:
        """A string, a variable or something in brackets, with the member access behind it."""
        start, mark = self.at, len(pieces)
        if c == "'":
            self.single_quoted(pieces)
        elif c == '"':
            self.double_quoted(pieces, depth)
        elif c in "({" or self.code[start + 1] in "({'\"":
            if c == "$" and self.code[start + 1] != "(":
                self.variable_operand(pieces)
            elif not self.enclosed(c, pieces, depth):
                self.at = start + 1
                return
        else:
            self.variable_operand(pieces)
        if self.code[self.at] in ".[:?":
            self.members(start, pieces, mark, depth, False)

    def variable_operand(self, pieces: "list[str | Part]") -> None:
        """`$name`, `${name}` or `@name`; a `$` or `@` that stands alone is passed over."""
        start = self.at
        key, end = self.variable(start)
        self.at = end or start + 1
        if end:
            pieces.append(Part(VARIABLE, key, True))
            self.target = (key, "")
        else:
            pieces.append(self.opaque(start))

    def assignment_operator(self) -> str:
        """The assignment operator that begins here, or ""."""
        code, i = self.code, self.at
        c = code[i]
        if i >= self.size:
            return ""
        if c == "=":
            return c
        if c in "+-*/%" and code[i + 1] == "=":
            return c + "="
        return "??=" if c == "?" and code.startswith("??=", i) else ""
