"""Literal blocks of a reStructuredText file: what is indented below a paragraph that ends in a double colon."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.prose.spans import Range

_TAB = 8  # docutils' own default
_MARKS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_BULLETS = frozenset("*+-\u2022\u2023\u2043")


def literal_blocks(text: str) -> "list[Range]":
    """The ranges of the blocks, in order and apart, from the blank line on to the last. The colons stay text.

    Directives (`.. note::`) open none.
    """
    lines, ranges, index = _lines(text), [], 0
    while index < len(lines):
        line = text[slice(*lines[index])]
        index += 1
        if not _announces(line):
            continue
        begin, least = index, _content_column(line)
        while index < len(lines) and not text[slice(*lines[index])].strip():
            index += 1
        if begin < index < len(lines):
            index = _past_block(text, lines, index, least)
            ranges.append((lines[begin][0], lines[index - 1][1]))
    return ranges


def _past_block(text: str, lines: "list[Range]", index: int, least: int) -> int:
    """The line behind the block that may begin here: indented by more than `least`, or quoted by one mark a line."""
    first = text[slice(*lines[index])]
    column, mark, past = _indentation(first), first.strip()[0], index
    while index < len(lines):
        line = text[slice(*lines[index])].strip()
        depth = _indentation(text[slice(*lines[index])])
        if column > least:
            if line and depth <= least:
                break
        elif depth != least or not line.startswith(mark) or mark not in _MARKS:
            break
        index += 1
        past = index if line else past
    return past


def _lines(text: str) -> "list[Range]":
    lines, start = [], 0
    for line in text.replace("\r\n", " \n").replace("\r", "\n").split("\n"):
        lines.append((start, start + len(line)))
        start += len(line) + 1
    return lines


def _announces(line: str) -> bool:
    """Whether a paragraph's last line ends in a double colon that is neither escaped nor a directive's."""
    line = line.strip()
    if not line.endswith("::") or line.startswith(".. "):
        return False
    before = line[:-2]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 0


def _content_column(line: str) -> int:
    """The column of a line's text, behind the marker of a list item."""
    column, rest = _indentation(line), line.strip()
    marker, _, body = rest.partition(" ")
    if body and (marker in _BULLETS or _is_enumerator(marker)):
        return column + len(rest) - len(body.lstrip())
    return column


def _is_enumerator(marker: str) -> bool:
    name = marker.removeprefix("(")[:-1]
    return marker[-1:] in (".", ")") and (name == "#" or name.isdigit() or (len(name) == 1 and name.isalpha()))


def _indentation(line: str) -> int:
    lead = line[: len(line) - len(line.lstrip())]
    return len(lead.expandtabs(_TAB))
