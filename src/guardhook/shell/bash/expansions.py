"""What a shell puts in a word's place: parameters, command, process and arithmetic substitutions."""

from guardhook.shell.bash.backquotes import relocate, unescape
from guardhook.shell.bash.cursor import (
    LIMIT,
    NAME_REST,
    NAME_START,
    OPEN_PATTERN,
    OPEN_SUBSCRIPT,
    OPEN_SUBSTITUTION,
    STOP,
)
from guardhook.shell.bash.lookahead import Lookahead
from guardhook.shell.bash.pieces import Pieces
from guardhook.shell.commands import OPAQUE, SUBSTITUTION, VARIABLE, Part, Scope, Word

_SPECIAL = frozenset("@*#?-$!0123456789")
_DIGITS = frozenset("0123456789")
_PARENTHESIS = frozenset((")",))
_BRACE = frozenset(("}", "${"))
_TO_THE_END: frozenset[str] = frozenset()


class Expansions(Lookahead):
    """The layer that reads what `$`, a backquote, `<(` or `>(` begins."""

    __slots__ = ()

    def dollar(self, pieces: Pieces, depth: int, quoted: bool) -> None:
        """The expansion that the `$` here begins; a literal `$` if it begins none."""
        source = self.source
        start = self.at
        i = self.joined(start + 1)
        c = source[i] if i < self.size else ""
        if c == "(":
            inner = self.joined(i + 1)
            end = self.arithmetic_end(inner) if source[inner] == "(" else -1
            if end < 0 or depth + 1 >= LIMIT:
                self.substitution(pieces, i + 1, _PARENTHESIS, depth + 1, quoted)
            else:
                self.arithmetic(inner + 1, end, depth + 1)
                pieces.expansion(Part(OPAQUE, source[start : self.at], quoted), source[start : self.at])
        elif c == "{":
            self.braces(pieces, i, depth + 1, quoted)
        elif c in NAME_START or c in _SPECIAL:
            name = self.name_at(i)
            pieces.expansion(Part(VARIABLE, name, quoted), source[start : self.at])
        elif c == "'" and not quoted:
            self.ansi_quoted(pieces, i + 1)
        elif c == '"' and not quoted:
            self.at = i + 1
            self.quotes(pieces, depth + 1)
        elif c == "[":
            self.old_arithmetic(pieces, i, depth + 1, quoted)
        else:
            pieces.literal("$", quoted)
            self.at = start + 1

    def name_at(self, i: int) -> str:
        """The parameter named at `i`, of one character unless it is a variable; moves behind it."""
        source = self.source
        start = i
        if source[i] not in NAME_START:
            self.at = i + 1
            return source[i]
        text = ""
        while source[i] in NAME_REST:
            i += 1
            following = self.joined(i)
            if following > i and source[following] in NAME_REST:
                text += source[start:i]
                i = start = following
        self.at = i
        return text + source[start:i]

    def substitution(self, pieces: Pieces, i: int, ends: frozenset[str], depth: int, quoted: bool) -> None:
        """Commands from `i` to their closing token; a literal first character if the nesting is too deep."""
        start = self.at
        if depth >= LIMIT:
            pieces.literal(self.source[start], quoted)
            self.too_deep(start + 1)
            return
        pending, expected, enclosed = self.pending, self.expected, self.enclosed
        self.pending, self.expected, self.enclosed = [], {}, True
        scope = Scope(SUBSTITUTION, self.chain.scope)
        self.chain.element.append(scope)
        self.at = i
        if not self.sequence(scope, ends, depth):
            self.flaw(OPEN_SUBSTITUTION)
        # Bash reads the here-documents that such a substitution leaves open before those of the line around it.
        self.announced(pending)
        self.expected, self.enclosed = expected, enclosed
        source = self.source[start : self.at]
        pieces.expansion(Part(OPAQUE, source, quoted), source)

    def process(self, pieces: Pieces, depth: int) -> bool:
        """`<( )` or `>( )`; False if there is none here."""
        i = self.joined(self.at + 1)
        if self.source[i] != "(" or i >= self.size:
            return False
        self.substitution(pieces, i + 1, _PARENTHESIS, depth + 1, False)
        return True

    def backquote(self, pieces: Pieces, depth: int, quoted: bool, double: bool = False) -> None:
        """A backquoted command. double: inside double quotes, where `\\"` loses its backslash too."""
        start = self.at
        if self.source[start + 1] == "`" and start + 1 < self.size:
            self.at = start + 2
            pieces.expansion(Part(OPAQUE, "``", quoted), "``")
            return
        if depth + 1 >= LIMIT:
            pieces.literal("`", quoted)
            self.too_deep(start + 1)
            return
        scope = Scope(SUBSTITUTION, self.chain.scope)
        self.chain.element.append(scope)
        end = self.source.find("`", start + 1, self.size)
        if self.source.find("\\", start + 1, self.size if end < 0 else end) < 0:
            end = self.size if end < 0 else end
            self.stretch(start + 1, end, scope, depth + 1)
        else:
            end = self.escaped_backquote(start + 1, scope, depth + 1, double)
        if end >= self.size:
            self.flaw(OPEN_SUBSTITUTION)
        self.at = min(max(self.at, end + 1), self.size)
        source = self.source[start : self.at]
        pieces.expansion(Part(OPAQUE, source, quoted), source)

    def stretch(self, start: int, end: int, scope: Scope, depth: int) -> None:
        """Read the commands between two positions."""
        size, pending, expected, enclosed = self.size, self.pending, self.expected, self.enclosed
        self.size, self.pending, self.expected, self.enclosed = end, [], {}, False
        self.at = start
        self.sequence(scope, _TO_THE_END, depth)
        self.size, self.pending, self.expected, self.enclosed = size, pending, expected, enclosed

    def escaped_backquote(self, start: int, scope: Scope, depth: int, double: bool) -> int:
        """Read a backquoted command that holds backslashes, from a copy without them; gives the closing position."""
        text, positions, end = unescape(self.source, start, self.size, double)
        outer = self.positions
        if outer is not None:
            positions = [outer[position] for position in positions]
        inner = type(self)(text, self.reading, self.chain)
        inner.positions = positions
        inner.within = self.within
        first = len(self.commands)
        inner.sequence(scope, _TO_THE_END, depth)
        relocate(self.commands, first, positions, inner.relocated)
        self.relocated.append((first, len(self.commands)))
        return end

    def arithmetic(self, start: int, end: int, depth: int) -> None:
        """The substitutions in an arithmetic expression; moves behind the `))` that begins at `end`."""
        size = self.size
        self.at, self.size = start, end
        self.double_quoted(Pieces(), depth, body=True)
        self.size = size
        self.at = max(self.at, self.joined(end + 1) + 1)

    def old_arithmetic(self, pieces: Pieces, i: int, depth: int, quoted: bool) -> None:
        """`$[ ]`, whose bracket stands at `i`."""
        start = self.at
        if i > self.last_bracket or depth >= LIMIT:
            pieces.literal("$", quoted)
            self.at = start + 1
            if depth >= LIMIT:
                self.too_deep(start + 1)
            return
        self.at = i + 1
        self.subscript(Pieces(), depth)
        source = self.source[start : self.at]
        pieces.expansion(Part(OPAQUE, source, quoted), source)

    def braces(self, pieces: Pieces, i: int, depth: int, quoted: bool) -> None:
        """`${ }`, whose brace stands at `i`."""
        start = self.at
        first = self.joined(i + 1)
        c = self.source[first]
        if depth >= LIMIT:
            pieces.literal("$", quoted)
            self.too_deep(start + 1)
            return
        if c in " \t\n|" and first < self.size:
            # Bash 5.3 runs the commands in `${ ...; }`; older ones refuse the word.
            self.substitution(pieces, first + 1 if c == "|" else first, _BRACE, depth, quoted)
            return
        self.at = first
        name, operator = self.parameter(depth, quoted)
        # Quotes quote in a pattern (`${x#w}`), but not in the arithmetic of `${x:1}` inside double quotes.
        word = self.operand(depth, quoted, operator == "?" and self.source[self.at] != ":")
        modelled = operator not in ("", "?")
        part = Part(VARIABLE, name, quoted, operator, word if modelled else None)
        pieces.expansion(part, self.source[start : self.at])

    def parameter(self, depth: int, quoted: bool) -> tuple[str, str]:
        """The name in `${ }` and the operator behind it; moves to the operand."""
        source = self.source
        c, i = source[self.at], self.joined(self.at + 1)
        following = source[i]
        if c in "#!" and (following in NAME_REST or (following in "@*#?-$!" and source[self.joined(i + 1)] in "}[@*")):
            self.at = i
            return self.parameter_name(depth, quoted)[0], "?"
        name, modelled = self.parameter_name(depth, quoted)
        self.at = i = self.joined(self.at)
        c = source[i]
        if not modelled or c == "}":
            return name, "" if modelled else "?"
        second = self.joined(i + 1)
        if c == ":" and source[second] in "-=+?":
            self.at = second + 1
            return name, ":" + source[second]
        if c == "?":  # without a value it ends the shell, as `:?` does
            self.at = second
            return name, ":?"
        if c in "-=+":
            self.at = second
            return name, c
        return name, "?"

    def parameter_name(self, depth: int, quoted: bool) -> tuple[str, bool]:
        """The name here, with its subscript: a number, `@`, `*`, or `?` for any other; False if there is no name."""
        source = self.source
        i = self.at
        if source[i] in _DIGITS:
            while source[i] in _DIGITS:
                i += 1
            name = source[self.at : i]
            self.at = i
            return name, True
        if source[i] not in NAME_START and source[i] not in _SPECIAL:
            return "", False
        name = self.name_at(i)
        self.at = self.joined(self.at)
        if source[self.at] != "[" or self.at > self.last_bracket:
            return name, True
        start = self.at
        self.at += 1
        self.subscript(Pieces(), depth, True, quoted)
        subscript = source[start : self.at]
        if subscript in ("[@]", "[*]") or subscript[1:-1].isdigit():
            return name + subscript, True
        return name + "[?]", True

    def operand(self, depth: int, quoted: bool, pattern: bool) -> Word:
        """Text up to the `}` of an expansion, which is left behind.

        Inside double quotes a single quote only keeps a `}` from closing (bash 5.2), unless the operand is a pattern.
        """
        start = self.at
        pieces = Pieces()
        single = False
        while True:
            c = self.inside(pieces, depth, quoted, pattern, single)
            if not c:
                self.flaw(OPEN_SUBSTITUTION)
                return pieces.word(start, self.at)
            if c == "}" and not single:
                word = pieces.word(start, self.at)
                self.at += 1
                return word
            if c == "'":
                single = not single
            pieces.literal(c, quoted)
            self.at += 1

    def inside(
        self, pieces: Pieces, depth: int, quoted: bool = False, pattern: bool = True, single: bool = False
    ) -> str:
        """Read on to the next bracket of any kind that quotes do not cover; "" at the end."""
        source, size, stops = self.source, self.size, self.stops_inside()
        while True:
            i = self.at
            stop = stops.find(STOP, i, size)
            if stop < 0:
                stop = max(size, i)
            if stop > i:
                pieces.literal(source[i:stop], quoted)
                self.at = stop
            if stop >= size:
                return ""
            c = source[stop]
            if c == "$":
                self.dollar(pieces, depth, quoted)
            elif c == '"' and not single:
                self.at = stop + 1
                self.quotes(pieces, depth)
            elif c == "'" and (pattern or not quoted):
                self.single_quoted(pieces)
            elif c == "\\":
                if quoted:
                    self.escaped_in_quotes(pieces, '$`"\\}')
                else:
                    self.escaped(pieces)
            elif c == "`":
                self.backquote(pieces, depth, quoted, quoted)
            elif c not in "<>":
                return c
            elif quoted or not self.process(pieces, depth):
                pieces.literal(c, quoted)
                self.at = stop + 1

    def subscript(self, pieces: Pieces, depth: int, braced: bool = False, quoted: bool = False) -> None:
        """Text up to the `]` that closes a `[` just read, which is included. braced: a `}` ends it before that."""
        level = 1
        while level:
            c = self.inside(pieces, depth, quoted, not quoted)
            if braced and c == "}":
                return
            if not c:
                self.flaw(OPEN_SUBSCRIPT)
                return
            level += (c == "[") - (c == "]")
            pieces.literal(c, False)
            self.at += 1

    def pattern_list(self, pieces: Pieces, depth: int) -> bool:
        """`?( )`, `*( )`, `+( )`, `@( )` or `!( )`: text up to the matching parenthesis, blanks included."""
        level = 0
        while True:
            c = self.inside(pieces, depth)
            if not c:
                self.flaw(OPEN_PATTERN)
                return True
            level += (c == "(") - (c == ")")
            pieces.literal(c, False)
            self.at += 1
            if not level:
                return True
