"""Verbatim text of a LaTeX file: its environments, `\\verb` and `\\texttt`. Backticks are quotes there, not code."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.prose.spans import Range

_ENVIRONMENTS = ("verbatim", "verbatim*", "lstlisting", "lstlisting*", "minted", "minted*")
_LONGEST = max(map(len, _ENVIRONMENTS))
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def code(text: str) -> "list[Range]":
    """The ranges of code, in order and apart; they may span lines. Delimiters stay text, so no word gains a boundary.

    An environment without its end goes to the end of the text, as TeX reads it; the macros without theirs are text.
    In a comment no environment begins, and what begins there ends there.
    """
    return _Scan(text).run()


class _Scan:
    """One pass over the characters that mean something to TeX.

    braces: for each open one where a `\\texttt`'s argument begins, or -1.
    floor: in a comment, how many of them are older than it; -1 elsewhere.
    line: where the line ends that `last` is about. last: where each character stands last in that line, so that a
    `\\verb` without an end costs no search.
    """

    __slots__ = ("braces", "floor", "last", "line", "ranges", "text")

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
        self.ranges: list[Range] = []
        self.braces: list[int] = []
        self.floor = -1
        self.line = -1
        self.last: dict[str, int] = {}

    def run(self) -> "list[Range]":
        """All ranges, sorted, inner ones dropped for the outer."""
        text, done = self.text, 0
        for at in [at for at, character in enumerate(text) if character in "\\{}%\n"]:
            if at >= done:
                done = self._read(text[at], at)
        outer: list[Range] = []
        for start, stop in sorted(self.ranges):
            if not outer or start >= outer[-1][1]:
                outer.append((start, stop))
        return outer

    def _read(self, character: str, at: int) -> int:
        """Take in one character; where to go on."""
        if character == "\\":
            return self._read_control(at + 1)
        if character == "{":
            self.braces.append(-1)
        elif character == "}":
            self._close_brace(at)
        elif character == "\n":
            self._end_line(at)
        elif self.floor < 0:
            self.floor = len(self.braces)
        return at + 1

    def _close_brace(self, at: int) -> None:
        if len(self.braces) > max(self.floor, 0):
            start = self.braces.pop()
            if start >= 0:
                self.ranges.append((start, at))

    def _end_line(self, at: int) -> None:
        if self.floor >= 0:
            del self.braces[self.floor :]
            self.floor = -1
        # LaTeX stops at a paragraph inside such an argument, so a forgotten brace hides no more than that.
        end = self.text.find("\n", at + 1)
        if self.braces and not self.text[at + 1 : end if end >= 0 else len(self.text)].strip():
            self.braces.clear()

    def _read_control(self, at: int) -> int:
        text, stop = self.text, at
        while stop < len(text) and text[stop] in _LETTERS:
            stop += 1
        name = text[at:stop]
        if name == "verb":
            return self._read_verb(stop)
        if name == "texttt" and text.startswith("{", self._past_blanks(stop)):
            stop = self._past_blanks(stop) + 1
            self.braces.append(stop)
        elif name == "begin" and self.floor < 0:
            return self._read_environment(stop)
        elif not name and text[at : at + 1] != "\n":
            return at + 1
        return stop

    def _past_blanks(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in " \t":
            at += 1
        return at

    def _read_environment(self, at: int) -> int:
        text, start = self.text, self._past_blanks(at) + 1
        stop = text.find("}", start, start + _LONGEST + 1)
        if stop < 0 or text[start - 1] != "{" or text[start:stop] not in _ENVIRONMENTS:
            return at
        end = text.find(f"\\end{{{text[start:stop]}}}", stop)
        end = end if end >= 0 else len(text)
        self.ranges.append((stop + 1, end))
        return end + 1

    def _read_verb(self, at: int) -> int:
        text = self.text
        at += text.startswith("*", at)
        mark = text[at : at + 1]
        if not mark or mark.isspace() or mark.isalpha():
            return at
        if at >= self.line:
            end = text.find("\n", at)
            self.line = end if end >= 0 else len(text)
            self.last = {text[place]: place for place in range(at, self.line)}
        if self.last[mark] <= at:
            return at
        stop = text.find(mark, at + 1)
        self.ranges.append((at + 1, stop))
        return stop + 1
