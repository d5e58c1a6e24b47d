"""Quoting: what stands between quotes or behind a backslash."""

from guardhook.shell.bash.cursor import OPEN_QUOTE, STOP, Cursor
from guardhook.shell.bash.pieces import Pieces


class Quotes(Cursor):
    """The layer that reads quoted text into the pieces of a word."""

    __slots__ = ()

    def single_quoted(self, pieces: Pieces) -> None:
        start = self.at + 1
        end = self.source.find("'", start, self.size)
        if end < 0:
            self.flaw(OPEN_QUOTE)
            end = self.size
        pieces.literal(self.source[start:end], True)
        self.at = min(end + 1, self.size)

    def ansi_quoted(self, pieces: Pieces, start: int) -> None:
        """`$'...'`, whose text begins at `start`."""
        from guardhook.shell.bash import escapes

        value, end = escapes.decode(self.source, start, self.size)
        if end > self.size:
            self.flaw(OPEN_QUOTE)
            end = self.size
        pieces.literal(value, True)
        self.at = end

    def escaped(self, pieces: Pieces) -> None:
        """A backslash outside quotes."""
        i = self.at + 1
        if i >= self.size:
            pieces.literal("\\", False)
        elif self.source[i] != "\n":
            pieces.literal(self.source[i], True)
        self.at = min(i + 1, self.size)

    def quotes(self, pieces: Pieces, depth: int) -> None:
        """A double-quoted string whose text begins here; an empty one leaves an empty part."""
        before = len(pieces.parts), len(pieces.run)
        self.double_quoted(pieces, depth)
        if before == (len(pieces.parts), len(pieces.run)):
            pieces.literal("", True)

    def double_quoted(self, pieces: Pieces, depth: int, body: bool = False) -> None:
        """Text up to the closing `"`, or, in the body of a here-document and the like, up to the end of the stretch."""
        source, size, stops = self.source, self.size, self.stops_in_quotes()
        while True:
            i = self.at
            stop = stops.find(STOP, i, size)
            if stop < 0:
                stop = max(size, i)
            if stop > i:
                pieces.literal(source[i:stop], True)
                self.at = stop
            if stop >= size:
                if not body:
                    self.flaw(OPEN_QUOTE)
                return
            c = source[stop]
            if c == "$":
                self.dollar(pieces, depth, True)
            elif c == "`":
                self.backquote(pieces, depth, True, not body)
            elif c == "\\":
                self.escaped_in_quotes(pieces, "$`\\" if body else '$`"\\')
            else:
                self.at = stop + 1
                if not body:
                    return
                pieces.literal('"', True)

    def escaped_in_quotes(self, pieces: Pieces, special: str) -> None:
        i = self.at + 1
        c = self.source[i] if i < self.size else ""
        if c != "\n":
            pieces.literal(c if c and c in special else "\\" + c, True)
        self.at = min(i + 1, self.size)
