"""Finds the banned words of a text, with what to write instead.

The text is searched once for each stem of the table, because `str.find` runs at the speed of memory where a split into
words makes an object of each: a clean page costs a few microseconds a row and no code runs for the words that are fine.
"""

from guardhook.prose.table import TABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.prose.table import Row

# The one letter that lowering makes two characters of, which would move all that follows; its stand-in is a letter too.
_LONG, _STAND_IN = "\u0130", "\u0131"


class Hit:
    """A banned word. word: as written. line, column: from 1, in characters. replacement: alternatives, by comma.

    start: its offset in the text, from 0.
    """

    __slots__ = ("column", "line", "replacement", "start", "word")

    def __init__(self, word: str, line: int, column: int, replacement: str, start: int) -> None:
        self.word = word
        self.line = line
        self.column = column
        self.replacement = replacement
        self.start = start


def hits(text: str, table: "tuple[Row, ...]" = TABLE) -> list[Hit]:
    """The table's words in a text, in its order (SPEC W2). Whole words, any case, none but the forms listed.

    Lines end with a line feed. Code is not exempt here: give the text through `spans.blank` first.
    """
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = text.replace(_LONG, _STAND_IN).lower()
    places: list[tuple[int, int, str]] = []
    for stem, forms, replacement in table:
        at = lowered.find(stem)
        while at >= 0:
            stop = _word_end(lowered, at, len(stem), forms)
            if stop:
                places.append((at, stop, replacement))
            at = lowered.find(stem, at + 1)
    return _located(text, sorted(places)) if places else []


def _word_end(text: str, at: int, length: int, forms: tuple[str, ...]) -> int:
    """Where the word ends that begins with a stem of this length; 0 if it begins earlier or is none of the forms."""
    if at and (text[at - 1].isalnum() or text[at - 1] == "_"):
        return 0
    stop, limit = at + length, len(text)
    furthest = at + max(map(len, forms))
    while stop < limit and (text[stop].isalnum() or text[stop] == "_"):
        stop += 1
        if stop > furthest:
            return 0
    return stop if text[at:stop] in forms else 0


def _located(text: str, places: list[tuple[int, int, str]]) -> list[Hit]:
    """Hits with line and column; each stretch of the text is counted once."""
    found, line, start, seen = [], 1, 0, 0
    for at, stop, replacement in places:
        feeds = text.count("\n", seen, at)
        if feeds:
            line, start = line + feeds, text.rfind("\n", seen, at) + 1
        seen = at
        found.append(Hit(text[at:stop], line, at - start + 1, replacement, at))
    return found
