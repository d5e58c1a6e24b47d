"""Puts the edits of a call into the file that they change: code spans and lines are then the file's own (SPEC W4)."""

from bisect import bisect_left, bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.call import Edit
    from guardhook.prose.words import Hit

    Span = tuple[int, int]


def place(text: str, edits: "list[Edit]") -> "tuple[str, list[Span]] | None":
    """The file's text with all edits made in order, and where their new text stands; None if one has no one place.

    An edit has its place if its old text is there once, or at all where it replaces every occurrence.
    """
    spans: list[Span] = []
    text = _unix(text)
    for before, after, everywhere in edits:
        old, new = _unix(before or ""), _unix(after)
        count = text.count(old) if old else 0
        if not count or (count > 1 and not everywhere):
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


def _unix(text: str) -> str:
    """With line feeds alone: the editing tools find an old text whatever its line ends are."""
    return text.replace("\r\n", "\n")


def _moved(spans: "list[Span]", starts: list[int], old: int, new: int) -> "list[Span]":
    """Where earlier spans are once `old` characters at each of `starts` became `new`, and the new text's own spans."""
    grown = new - old
    result = [(start + number * grown, start + number * grown + new) for number, start in enumerate(starts)]
    for begin, end in spans:
        # A part of the span that was replaced is a part of the replacement's own span; the rest moves.
        first = begin + bisect_right(starts, begin - old) * grown
        result.append((first, max(first, end + bisect_left(starts, end) * grown)))
    return sorted(result)


def written(hits: "list[Hit]", spans: "list[Span]") -> "list[Hit]":
    """The hits that share a character with a span. Both are in the order of the text."""
    found = []
    furthest = index = 0
    for hit in hits:
        end = hit.start + len(hit.word)
        while index < len(spans) and spans[index][0] < end:
            begin, stop = spans[index]
            furthest = max(furthest, stop if stop > begin else 0)
            index += 1
        if furthest > hit.start:
            found.append(hit)
    return found
