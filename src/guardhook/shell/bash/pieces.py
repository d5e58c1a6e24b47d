"""Putting a word together from its stretches."""

from guardhook.shell.commands import LITERAL, UNKNOWN, ArrayWord, Part, Word


class Pieces:
    """The parts of a word so far.

    verbatim: expansions are kept as their source text (the delimiter of a here-document expands nothing).
    elements: the words of an array literal, once one was read.
    """

    __slots__ = ("elements", "parts", "quoted", "run", "verbatim")

    def __init__(self, verbatim: bool = False) -> None:
        self.parts: list[Part] = []
        self.run: list[str] = []
        self.quoted = False
        self.verbatim = verbatim
        self.elements: tuple[Word, ...] | None = None

    def literal(self, text: str, quoted: bool) -> None:
        """Add text after quote removal. Neighbours of the same kind become one part."""
        if quoted is not self.quoted:
            if self.run:
                self._flush()
            self.quoted = quoted
        self.run.append(text)

    def expansion(self, part: Part, source: str) -> None:
        """Add a part that the shell expands; `source` is how it is written."""
        if self.verbatim:
            self.literal(source, part.quoted)
            return
        if self.run:
            self._flush()
        self.parts.append(part)

    def _flush(self) -> None:
        self.parts.append(Part(LITERAL, "".join(self.run), self.quoted))
        self.run = []

    def word(self, start: int, end: int) -> Word:
        """The finished word with its span."""
        if not self.parts and not (self.quoted and self.run):
            return Word("".join(self.run), start, end)
        if self.run:
            self._flush()
        text = "".join([part.text if part.kind == LITERAL else UNKNOWN for part in self.parts])
        if self.elements is not None:
            return ArrayWord(text, start, end, tuple(self.parts), self.elements)
        return Word(text, start, end, tuple(self.parts))
