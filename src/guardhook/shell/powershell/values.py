"""What is known of an expression's value while it is read, and once it has been."""

from guardhook.shell.commands import Part, Word


class Values:
    """What one expression gives: a word for each element of its list, and what could be assigned to.

    targets: for each word, the key and the subscript of the variable that it is, or None.
    listed: it was written as a list. end: where it ends.
    """

    __slots__ = ("end", "listed", "operators", "targets", "words")

    def __init__(self, start: int) -> None:
        self.words: list[Word] = []
        self.targets: list[tuple[str, str] | None] = []
        self.listed = False
        self.operators = 0
        self.end = start


class Element:
    """One element of a list while it is read: its pieces, and what keeps its value from being known.

    expecting: an operand must follow, also on the next line. joins: what comes first is a string or a variable.
    target, items: of its only operand, the variable that could be assigned to, and the elements of a list.
    """

    __slots__ = (
        "casts",
        "end",
        "expecting",
        "items",
        "joins",
        "known",
        "operands",
        "operators",
        "pieces",
        "start",
        "target",
    )

    def __init__(self, start: int, expecting: bool) -> None:
        self.start = self.end = start
        self.pieces: list[str | Part] = []
        self.known = self.joins = True
        self.casts = self.operands = self.operators = 0
        self.expecting = expecting
        self.target: tuple[str, str] | None = None
        self.items: list[Word] | None = None

    def operator(self, joining: bool = False) -> None:
        """An operator was read; only the one that joins strings leaves the value known."""
        self.operators += 1
        self.known = self.known and joining and self.joins and self.operands > 0
        self.expecting = True

    def operand(self, target: "tuple[str, str] | None", items: "list[Word] | None", joins: bool = True) -> None:
        """An operand was read."""
        if self.operands and (items is not None or not self.expecting):
            self.known = False
        if not self.operands:
            self.joins = joins and items is None
            self.target = target
            self.items = items
        self.operands += 1
        self.expecting = False
