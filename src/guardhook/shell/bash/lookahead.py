"""Telling `((` apart: arithmetic, or a subshell in a subshell. The one place where the lexer looks ahead."""

from guardhook.shell.bash.cursor import STOP, WORD_ENDS
from guardhook.shell.bash.escapes import decode
from guardhook.shell.bash.lexer import Lexer

_STOPS = bytes.maketrans(b"(){}'\"\\$`#", STOP * 10)

# On the stack beside the positions of parentheses.
_QUOTE = -1
_BRACE = -2


class Lookahead(Lexer):
    """The layer that finds the partner of a parenthesis without reading what is between.

    Every pair met on the way is remembered, so all look-aheads together cost about one more pass. What takes a full
    reading to skip (a here-document or the parenthesis of a `case` pattern inside arithmetic) can make arithmetic look
    like commands, which hides nothing.
    """

    __slots__ = ()

    def arithmetic_end(self, inner: int) -> int:
        """The position of the `))` that closes a `((` whose second parenthesis is at `inner`; -1 if it is none.

        Bash decides so: the partner of the inner parenthesis must stand directly before another closing one.
        """
        if inner not in self.closings:
            self.match(inner)
        end = self.closings[inner]
        if end < 0 or end >= self.size:
            return -1
        outer = self.joined(end + 1)
        return end if outer < self.size and self.source[outer] == ")" else -1

    def match(self, opening: int) -> None:
        """Find the partner of the parenthesis at `opening` and of all inside it; -1 for those that have none."""
        source, size, closings = self.source, self.size, self.closings
        stops = self.stops_ahead()
        stack = [opening]
        i = opening + 1
        while stack:
            stop = stops.find(STOP, i, size)
            if stop < 0:
                break
            c, top = source[stop], stack[-1]
            i = stop + 1
            if c == "\\":
                i = stop + 2
            elif c == '"':
                if top == _QUOTE:
                    stack.pop()
                else:
                    stack.append(_QUOTE)
            elif c == "$" or (c == "(" and top >= 0):
                i = self.open_pair(stop, stack, top == _QUOTE)
            elif c == "`" or (c == "'" and top != _QUOTE):
                i = self.behind_quote(c, i)
            elif c == ")" and top >= 0:
                closings[stack.pop()] = stop
            elif c == "}" and top == _BRACE:
                stack.pop()
            elif c == "#" and self.is_comment(stop, top):
                i = source.find("\n", i, size)
            if i < 0:
                break
        for position in stack:
            if position >= 0:
                closings[position] = -1

    def open_pair(self, stop: int, stack: list[int], quoted: bool) -> int:
        """What a `$` or `(` opens goes on the stack. The position to go on from, -1 if there is no closing it."""
        i = stop
        if self.source[stop] == "$":
            i = self.joined(stop + 1)
            if self.source[i] == "{":
                stack.append(_BRACE)
                return i + 1
            if self.source[i] == "'" and not quoted:
                end = decode(self.source, i + 1, self.size)[1]
                return end if end <= self.size else -1
            if self.source[i] != "(":
                return stop + 1
        known = self.closings.get(i)
        if known is None:
            stack.append(i)
            return i + 1
        return known + 1 if known >= 0 else -1

    def is_comment(self, i: int, top: int) -> bool:
        """True for a `#` at the start of a word directly in a `$( )`; it means something else in arithmetic."""
        source = self.source
        substitution = top > 0 and source[top - 1] == "$" and source[top + 1] != "("
        return substitution and source[i - 1] in WORD_ENDS

    def behind_quote(self, quote: str, i: int) -> int:
        end = self.source.find(quote, i, self.size)
        while quote == "`" and end > i and self.source[end - 1] == "\\":
            end = self.source.find(quote, end + 1, self.size)
        return end + 1 if end >= 0 else -1

    def stops_ahead(self) -> bytes:
        if not self.ahead_stops:
            self.ahead_stops = self.ascii.translate(_STOPS)
        return self.ahead_stops
