"""Takes the code out of a prose file's text, so that only what a reader reads as prose is judged (SPEC W3).

Each markup is a module of its own, loaded for its extension alone. What they give are ranges; blanks are put in here.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    Range = tuple[int, int]


def blank(text: str, extension: str) -> str:
    """The text with a blank for every character of a code span; line ends stay, so offsets are the text's own.

    extension: `.tex`, `.rst`, or anything else for Markdown's rules, which `.txt` follows too.
    """
    text = " " + text[1:] if text[:1] == "\ufeff" else text  # a byte order mark is no text
    if extension == ".tex":
        from guardhook.prose import tex

        return _blanked(text, tex.code(text))
    if extension == ".rst" and "::" in text:
        from guardhook.prose import rst

        text = _blanked(text, rst.literal_blocks(text))
    if "`" not in text and "~~~" not in text:
        return text
    from guardhook.prose import markdown

    return _blanked(text, markdown.code(text))


def _blanked(text: str, ranges: "list[Range]") -> str:
    pieces, done = [], 0
    for start, stop in ranges:
        pieces.append(text[done:start])
        pieces.append(_blanks(text[start:stop]))
        done = stop
    pieces.append(text[done:])
    return "".join(pieces)


def _blanks(span: str) -> str:
    if "\n" not in span and "\r" not in span:
        return " " * len(span)
    return "".join([character if character in "\n\r" else " " for character in span])
