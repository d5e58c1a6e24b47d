"""Fenced code and inline code of a Markdown text, read as CommonMark 0.31 does.

Blocks come first: a fence ends with its quote or list item, and inline code never crosses from one block into the next.
Left out on purpose, since SPEC W3 exempts none of it: indented code, HTML and link targets are text like any other.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.prose.spans import Range

# Quotes and items inside one another; what is deeper is text. Else a blank line would cost as much as they are deep.
_DEPTH = 32
_DIGITS = frozenset("0123456789")


def code(text: str) -> "list[Range]":
    """The ranges of code, in order and apart, without line ends. Markers and info strings belong to the code."""
    flat = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
    blocks, start = _Blocks(flat), 0
    while start < len(text):
        feed = flat.find("\n", start)
        stop = feed if feed >= 0 else len(text)
        end = stop - 1 if stop > start and text[stop - 1] == "\r" else stop
        blocks.read(start, end)
        start = stop + 1
    blocks.flush()
    return blocks.ranges


class _Blocks:
    """The open blocks. What is known of a line is where its text begins, `first`, and in which column, `edge`.

    column: where the content of the containers passed so far begins.
    containers: from the outermost in, 0 for a quote, for an item the columns that its further lines are indented by.
    lines: the ranges of the open paragraph, or of text that is indented four columns (then `indented`).
    matched: how many containers the line continues, None once it has begun a block.
    hollow: the innermost container is an item without content so far.
    """

    __slots__ = (
        "column",
        "containers",
        "edge",
        "end",
        "fence",
        "first",
        "hollow",
        "indented",
        "lines",
        "matched",
        "ranges",
        "text",
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self.ranges: list[Range] = []
        self.containers: list[int] = []
        self.lines: list[Range] = []
        self.fence = ""
        self.indented = self.hollow = False
        self.matched: int | None = None
        self.first = self.end = self.column = self.edge = 0

    def read(self, start: int, end: int) -> None:
        """Take in the next line, without its line end."""
        self.end = end
        self._place(start, 0)
        matched = self.matched = self._continued()
        self.hollow = False
        if self.fence:
            if matched == len(self.containers):
                self._read_fenced()
                return
            self.fence = ""
        if self.first == end:
            self._begin()
        else:
            self._read_blocks(matched == len(self.containers))

    def flush(self) -> None:
        """Close the paragraph: its inline code can be told now."""
        lines, self.lines = self.lines, []
        if lines and self.text.find("`", lines[0][0], lines[-1][1]) >= 0:
            self.ranges += _inline(self.text, lines)

    def _place(self, at: int, column: int) -> None:
        """Go to a position and look past the blanks: `first` and `edge` are the text's position and column."""
        self.column = column
        text, end = self.text, self.end
        while at < end and text[at] in " \t":
            column += 1 if text[at] == " " else 4 - column % 4
            at += 1
        self.first, self.edge = at, column

    def _continued(self) -> int:
        """How many of the containers go on in this line; their markers and indentation are passed."""
        for depth, width in enumerate(self.containers):
            if self.first == self.end:
                return self._continued_by_blanks(depth)
            if not width:
                if self.edge - self.column > 3 or self.text[self.first] != ">":
                    return depth
                self._pass_quote_mark()
            elif self.edge - self.column >= width:
                self.column += width
            else:
                return depth
        return len(self.containers)

    def _continued_by_blanks(self, depth: int) -> int:
        """The same from this depth on in what is left blank: items go on, but for an empty one; quotes do not."""
        count = len(self.containers)
        depth = self.containers.index(0, depth) if 0 in self.containers[depth:] else count
        return depth - 1 if self.hollow and depth == count else depth

    def _pass_quote_mark(self) -> None:
        at, column = self.first + 1, self.edge + 1
        self._place(at, column)
        if self.edge > column:
            self.column += 1

    def _begin(self) -> None:
        """A block begins, or a blank line is met: what the line does not continue is over."""
        if self.matched is not None:
            del self.containers[self.matched :]
            self.matched = None
        self.flush()

    def _read_fenced(self) -> None:
        mark, rest = self.fence[0], self.text[self.first : self.end]
        if self.edge - self.column < 4 and rest.startswith(self.fence) and not rest.lstrip(mark).strip(" \t"):
            self.fence = ""
        self._add_code()

    def _add_code(self) -> None:
        if self.first < self.end:
            self.ranges.append((self.first, self.end))

    def _read_blocks(self, whole: bool) -> None:
        """whole: every container goes on, so a paragraph is interrupted by rules; else it may still be continued."""
        while self.first < self.end and self.edge - self.column < 4:
            paragraph = whole and self.matched is not None and bool(self.lines) and not self.indented
            if self._reads_container(paragraph):
                continue
            if self._reads_leaf(paragraph):
                return
            break
        if self.first < self.end:
            self._read_text(whole)

    def _reads_container(self, paragraph: bool) -> bool:
        depth = len(self.containers) if self.matched is None else self.matched
        if depth >= _DEPTH:
            return False
        if self.text[self.first] == ">":
            self._begin()
            self.containers.append(0)
            self._pass_quote_mark()
            return True
        width = 0 if self._is_rule(paragraph) else self._item_width(paragraph)
        if width:
            self._begin()
            self.containers.append(width)
            self.hollow = self.first == self.end
        return width > 0

    def _reads_leaf(self, paragraph: bool) -> bool:
        """Blocks of one line, and the first line of a fence."""
        mark, body = self.text[self.first], self.text[self.first : self.end]
        rest = body.lstrip(mark)
        run = len(body) - len(rest)
        if mark in "`~" and run > 2 and (mark == "~" or "`" not in rest):
            self._begin()
            self.fence = mark * run
            self._add_code()
        elif mark == "#" and run < 7 and (not rest or rest[0] in " \t"):
            self._begin()
            self.lines = [(self.first, self.end)]
            self.flush()
        elif self._is_rule(paragraph):
            self._begin()
        else:
            return False
        return True

    def _is_rule(self, paragraph: bool) -> bool:
        """A thematic break, or the line under a paragraph that makes it a heading."""
        mark = self.text[self.first]
        if mark not in "=-*_":
            return False
        body = self.text[self.first : self.end].rstrip(" \t")
        if paragraph and mark in "=-" and not body.strip(mark):
            return True
        return mark != "=" and not body.lstrip(mark + " \t") and body.count(mark) > 2

    def _item_width(self, paragraph: bool) -> int:
        """Pass a list marker; the columns that the item's further lines need. 0 if there is none."""
        text, stop = self.text, self.first
        while stop < self.end and stop - self.first < 10 and text[stop] in _DIGITS:
            stop += 1
        number = text[self.first : stop]
        if stop == self.end or len(number) > 9 or text[stop] not in (".)" if number else "-+*"):
            return 0
        stop += 1
        if stop < self.end and text[stop] not in " \t":
            return 0
        if paragraph and ((number and number.lstrip("0") != "1") or not text[stop : self.end].strip(" \t")):
            return 0
        start = self.column
        self._place(stop, self.edge + stop - self.first)
        blanks = self.edge - self.column
        self.column += blanks if self.first < self.end and blanks < 5 else 1
        return self.column - start

    def _read_text(self, whole: bool) -> None:
        far = self.edge - self.column >= 4
        if self.matched is None or not self.lines or (self.indented and not (whole and far)):
            self._begin()
            self.indented = far
        self.lines.append((self.first, self.end))


def _inline(text: str, lines: "list[Range]") -> "list[Range]":
    """Inline code of one paragraph: a run of backticks closes at the next run of the same length, else it is text."""
    runs = _runs(text, lines)
    places: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        places.setdefault(runs[index][1] - runs[index][0], []).append(index)
    ranges: list[Range] = []
    index = past = 0
    while index < len(runs):
        start, stop, line = runs[index]
        # A backslash takes the first backtick out of the run; inside code it would be code.
        start += _is_escaped(text, start, past)
        closers = places.get(stop - start, [])
        while closers and closers[-1] <= index:
            closers.pop()
        if start == stop or not closers:
            index += 1
            continue
        index = closers[-1]
        _, past, last = runs[index]
        ranges += _by_line(lines, start, line, past, last)
        index += 1
    return ranges


def _runs(text: str, lines: "list[Range]") -> list[tuple[int, int, int]]:
    """(start, stop, line) of every run of backticks."""
    runs = []
    for number, (first, end) in enumerate(lines):
        at = text.find("`", first, end)
        while at >= 0:
            stop = at + 1
            while stop < end and text[stop] == "`":
                stop += 1
            runs.append((at, stop, number))
            at = text.find("`", stop, end)
    return runs


def _is_escaped(text: str, at: int, past: int) -> bool:
    start = at
    while start > past and text[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


def _by_line(lines: "list[Range]", start: int, line: int, stop: int, last: int) -> "list[Range]":
    """A span cut where lines end: what stands before a line's text belongs to its quote or item."""
    if line == last:
        return [(start, stop)]
    return [(start, lines[line][1]), *lines[line + 1 : last], (lines[last][0], stop)]
