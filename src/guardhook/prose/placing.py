"""Puts the edits of a call into the file that they change: code spans and lines are then the file's own (SPEC W4)."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.call import Edit

    Span = tuple[int, int]


def place(text: str, edits: "list[Edit]") -> "tuple[str, list[Span]] | None":
    """The file's text with all edits made in order, and where their new text stands; None if one has no one place.

    An edit has its place if its old text is there once, or at all where it replaces every occurrence.
    """
    spans: list[Span] = []
    for old, new, everywhere in edits:
        count = text.count(old) if old else 0
        if not old or not count or (count > 1 and not everywhere):
            return None
        pieces = text.split(old)
        starts = []
        at = 0
        for piece in pieces[:-1]:
            at += len(piece)
            starts.append(at)
            at += len(old)
        spans = _moved(spans, starts, len(old), len(new))
        text = new.join(pieces)
    return text, spans


def _moved(spans: "list[Span]", starts: list[int], old: int, new: int) -> "list[Span]":
    """Where earlier spans are once `old` characters at each of `starts` became `new`, and the new text's own spans."""
    grown = new - old
    result = [(start + number * grown, start + number * grown + new) for number, start in enumerate(starts)]
    for begin, end in spans:
        # A part of the span that was replaced is a part of the replacement's own span; the rest moves.
        before_begin = sum(start + old <= begin for start in starts)
        before_end = sum(start < end for start in starts)
        result.append((begin + before_begin * grown, max(begin + before_begin * grown, end + before_end * grown)))
    return sorted(result)


def touched(spans: "list[Span]", start: int, end: int) -> bool:
    """True if the characters from start to end share one with a span."""
    return any(begin < end and start < stop for begin, stop in spans)
