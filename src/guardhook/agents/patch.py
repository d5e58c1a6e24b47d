"""Codex's patch form, read and applied in memory as Codex would apply it (SPEC X3; measured on 0.171.0).

A gate judges the file as a patch leaves it, so a hunk has to land where Codex puts it, in every form that Codex takes.
Matching turns each distinct line into one character: a search for lines is then `str.find`, linear and in C.
"""

ADD = "add"
UPDATE = "update"
DELETE = "delete"

_BEGIN = "*** Begin Patch"
_END = "*** End Patch"
_ENVIRONMENT = "*** Environment ID:"
_ACTIONS = {"*** Add File": ADD, "*** Delete File": DELETE, "*** Update File": UPDATE}
_FILE_MARKERS = tuple([marker + ": " for marker in _ACTIONS])
_MOVE = "*** Move to: "
_END_OF_FILE = "*** End of File"
_HEREDOC_OPENINGS = ("<<EOF", "<<'EOF'", '<<"EOF"')

# What Rust's `trim` takes off. `str.strip` alone takes U+001C to U+001F as well, which Codex keeps.
_BLANKS = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_TYPOGRAPHY = str.maketrans(
    "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f"
    "\xa0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "-" * 7 + "'" * 4 + '"' * 4 + " " * 13,
)

MAX_LINES = 0x10FFFF  # of the file: each distinct line becomes a character
MAX_STEPS = 50_000_000  # of one patch: a line that a search passes over is a step; some tenths of a second
LINE_STEPS = 30  # what a line of a file costs before any search

# The line of the file where a run of changed lines begins, and one of them with its mark. `-` takes away the next line
# of the file, `+` is a new one, a blank is context that the file has no line for.
Edit = tuple[int, str]


class Work:
    """steps: what is left of MAX_STEPS for all files of a patch together."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps = MAX_STEPS


class Hunk:
    """context: the line after `@@`, None without one; the hunk lies below it. at_end: `*** End of File` closes it.

    lines: each with its mark in front (blank, `-`, `+`), the bare blank line of a lenient patch as a single blank.
    """

    __slots__ = ("at_end", "context", "lines")

    def __init__(self, context: "str | None") -> None:
        self.context = context
        self.lines: list[str] = []
        self.at_end = False


class FilePatch:
    """What a patch does to one file.

    action: ADD, UPDATE or DELETE. path: as the patch writes it. move: the path after `*** Move to:`, "" without one.
    hunks: an ADD has one, of `+` lines alone; a DELETE none.
    """

    __slots__ = ("action", "hunks", "move", "path", "work")

    def __init__(self, action: str, path: str, work: Work) -> None:
        self.action = action
        self.path = path
        self.move = ""
        self.hunks: list[Hunk] = []
        self.work = work

    @property
    def destination(self) -> "str | None":
        """The path that has the new text afterwards; None for a DELETE."""
        return None if self.action == DELETE else self.move or self.path

    @property
    def added(self) -> str:
        """The text of all `+` lines, joined with newlines."""
        return "\n".join([line[1:] for hunk in self.hunks for line in hunk.lines if line[0] == "+"])

    def result(self, old: "str | None") -> "tuple[str, list[tuple[int, int]]] | None":
        """The destination's text as the patch leaves it, and the span of each `+` line in it (SPEC X3).

        old: the text of `path` now, its line endings and byte order mark untouched; None if it cannot be read. An ADD
        needs none, as it replaces what is there. Spans are (start, end) in characters, without the line ending.
        None for a DELETE, an UPDATE of None, a hunk that does not match, and past MAX_LINES or MAX_STEPS.
        """
        if self.action == ADD:
            return _put(_Source(""), [(0, line) for line in self.hunks[0].lines])
        if self.action == DELETE or old is None or self.work.steps < 0:
            return None
        source = _Source(old)
        self.work.steps -= len(old) + LINE_STEPS * len(source.texts)
        edits = _place(source.texts, self.hunks, self.work) if len(source.texts) <= MAX_LINES else None
        return None if edits is None else _put(source, edits)


def parse(text: str) -> "list[FilePatch] | None":
    """The files of a patch in its order, one entry a section (SPEC X3).

    A file may come twice: the tool then refuses the patch after its hooks, the program goes on from the first result.
    None: Codex would not apply it, as one line in it is wrong, or it names no file. The tool refuses that before any
    hook runs, and the `apply_patch` program before it writes, so that there is nothing to judge.
    """
    lines = _inside(text)
    if lines is None:
        return None
    files, work = list[FilePatch](), Work()
    # The tool refuses this line where there is no choice of environments; the program reads over it.
    first = lines[0].strip(_BLANKS) if lines else ""
    at = 1 if first.startswith(_ENVIRONMENT) and first != _ENVIRONMENT else 0
    while at < len(lines):
        header = lines[at].strip(_BLANKS)
        if header == _END:  # an early end, which blank lines alone may follow
            return (files or None) if not "".join(lines[at + 1 :]).strip(_BLANKS) else None
        marker, colon, path = header.partition(": ")
        if not colon or marker not in _ACTIONS:
            return None
        files.append(FilePatch(_ACTIONS[marker], path, work))
        at = _read(files[-1], lines, at + 1)
        if at < 0:
            return None
    return files or None


def _inside(text: str) -> "list[str] | None":
    """The lines between the patch's first and last one, also where a whole here-document was handed over."""
    lines = [line.removesuffix("\r").removesuffix("\r") for line in text.strip(_BLANKS).split("\n")]
    if len(lines) >= 4 and lines[0] in _HEREDOC_OPENINGS and lines[-1].endswith("EOF"):
        lines = lines[1:-1]
    if len(lines) < 2 or lines[0].strip(_BLANKS) != _BEGIN or lines[-1].strip(_BLANKS) != _END:
        return None
    return lines[1:-1]


def _read(file: FilePatch, lines: list[str], at: int) -> int:
    """Take a section's content from `at` on; the index of the next header, -1 where Codex refuses the patch."""
    if file.action == UPDATE:
        return _read_update(file, lines, at)
    if file.action == ADD:
        start, hunk = at, Hunk(None)
        while at < len(lines) and lines[at].startswith("+"):
            at += 1
        hunk.lines = lines[start:at]
        file.hunks.append(hunk)
    return at


def _read_update(file: FilePatch, lines: list[str], at: int) -> int:
    """The same for an update. Markers may not be indented here: behind a blank they are context."""
    while at < len(lines):
        line = lines[at]
        if line[:1] in " +-" and not (file.hunks and file.hunks[-1].at_end):
            if not file.hunks:
                file.hunks.append(Hunk(None))
            file.hunks[-1].lines.append(line or " ")
        else:
            marker = line.rstrip(_BLANKS)
            if marker == _END or marker.startswith(_FILE_MARKERS):
                break
            if not _mark(file, marker):
                return -1
        at += 1
    return at if file.hunks and file.hunks[-1].lines else -1


def _mark(file: FilePatch, marker: str) -> bool:
    """Act on a line of an update that is no content; False where Codex refuses it."""
    hunk = file.hunks[-1] if file.hunks else None
    if hunk is not None and hunk.at_end and not marker:
        return True
    if hunk is not None and not hunk.lines:
        return False
    if marker == "@@" or marker.startswith("@@ "):
        file.hunks.append(Hunk(marker[3:] if marker != "@@" else None))
        return True
    if hunk is None:
        if marker.startswith(_MOVE) and not file.move:
            file.move = marker[len(_MOVE) :]
            return True
        return marker == _END_OF_FILE
    if marker != _END_OF_FILE or hunk.at_end:
        return False
    hunk.at_end = True
    return True


class _Source:
    """A file in lines: their texts, and their endings (`\\n`, `\\r\\n`, `\\r`). New lines take the first ending."""

    __slots__ = ("ending", "endings", "texts")

    def __init__(self, text: str) -> None:
        self.texts: list[str] = text.split("\n")
        self.endings = ["\n"] * (len(self.texts) - 1) + [""]
        if "\r" in text:
            self._split_returns()
        self.ending = self.endings[0] or "\n"
        if not self.texts[-1]:
            self.texts.pop()
            self.endings.pop()

    def _split_returns(self) -> None:
        pieces, endings = self.texts, self.endings
        self.texts, self.endings = [], []
        for piece, ending in zip(pieces, endings, strict=True):
            crlf = bool(ending) and piece.endswith("\r")
            texts = (piece[:-1] if crlf else piece).split("\r")
            self.texts += texts
            self.endings += ["\r"] * (len(texts) - 1) + ["\r\n" if crlf else ending]

    def joined(self, start: int, end: int) -> str:
        """Lines start to end, each closed: Codex closes a last line that was open."""
        pairs = zip(self.texts[start:end], self.endings[start:end], strict=True)
        return "".join([text + (ending or self.ending) for text, ending in pairs])


class _Search:
    """Finds runs of lines in a file, in Codex's order of leniency."""

    __slots__ = ("codes", "lines", "work")

    def __init__(self, lines: list[str], work: Work) -> None:
        self.lines = lines
        self.codes: list[tuple[dict[str, str], str]] = []
        self.work = work

    def find(self, wanted: list[str], start: int, at_end: bool = False) -> int:
        """The index of the first match from start on, with at_end that of the file's end alone; -1 if none."""
        if not wanted:
            return start
        if at_end:
            start = max(start, len(self.lines) - len(wanted))
        for leniency in range(4):
            found = self._find(leniency, wanted, start)
            if found >= 0:
                return found
        return -1

    def _find(self, leniency: int, wanted: list[str], start: int) -> int:
        if leniency == len(self.codes):
            known: dict[str, str] = {}
            code = "".join([known.setdefault(line, chr(len(known))) for line in _alike(self.lines, leniency)])
            self.codes.append((known, code))
        known, code = self.codes[leniency]
        try:
            pattern = "".join([known[line] for line in _alike(wanted, leniency)])
        except KeyError:  # the file has no line like it
            return -1
        if self.work.steps < 0:
            return -1
        found = code.find(pattern, start)
        self.work.steps -= (found if found >= 0 else len(code)) - start
        return found


def _alike(lines: list[str], leniency: int) -> list[str]:
    """What is compared of lines. Codex tries a stricter way on the whole rest of a file before the next one."""
    if leniency == 0:
        return lines
    if leniency == 1:
        return [line.rstrip(_BLANKS) for line in lines]
    trimmed = [line.strip(_BLANKS) for line in lines]
    return trimmed if leniency == 2 else [line.translate(_TYPOGRAPHY) for line in trimmed]


def _place(texts: list[str], hunks: list[Hunk], work: Work) -> "list[Edit] | None":
    """The edits of all hunks in the file's order; None where one does not match."""
    search = _Search(texts, work)
    edits: list[Edit] = []
    start = 0
    for hunk in hunks:
        if hunk.context is not None:
            start = search.find([hunk.context], start) + 1
            if start == 0:
                return None
        lines = hunk.lines
        wanted = [line[1:] for line in lines if line[0] != "+"]
        if not wanted:  # nothing but `+` lines goes to the end of the file, whatever the context
            edits += [(len(texts), line) for line in lines]
            continue
        found = search.find(wanted, start, hunk.at_end)
        if found < 0 and not wanted[-1]:
            lines = _without_last_blank(lines)
            wanted.pop()
            found = search.find(wanted, start, hunk.at_end)
        if found < 0:
            return None
        start = found + len(wanted)
        edits += _changes(lines, found, start)
    edits.sort(key=lambda edit: edit[0])
    return edits


def _changes(lines: list[str], index: int, end: int) -> list[Edit]:
    """The edits of a hunk that matches the file's lines from index to end. Context keeps the file's own text."""
    edits: list[Edit] = []
    run = index
    for line in lines:
        if line[0] == " " and index < end:
            run = index = index + 1
        else:
            edits.append((run, line))
            index += line[0] == "-"
    return edits


def _without_last_blank(lines: list[str]) -> list[str]:
    """A hunk's lines with its last old line, a blank one, left out, and its last new line if that is blank as well.

    Codex takes that old line for the newline at the end of the file. Context may so lose one of its two sides.
    """
    lines = list(lines)
    last_old = max([index for index, line in enumerate(lines) if line[0] != "+"])
    last_new = max([index for index, line in enumerate(lines) if line[0] != "-"], default=-1)
    if last_new >= 0 and len(lines[last_new]) == 1:
        lines[last_new] = "-" if lines[last_new] == " " and last_new != last_old else ""
    if lines[last_old] == "-":
        lines[last_old] = ""
    return [line for line in lines if line]


def _put(source: _Source, edits: list[Edit]) -> tuple[str, list[tuple[int, int]]]:
    """The text with the edits done, and the spans of its `+` lines."""
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    length = done = 0
    for index, line in edits:
        if index > done:
            parts.append(source.joined(done, index))
            length += len(parts[-1])
            done = index
        if line[0] == "-":
            done += 1
            continue
        if line[0] == "+":
            spans.append((length, length + len(line) - 1))
        parts.append(line[1:] + source.ending)
        length += len(parts[-1])
    parts.append(source.joined(done, len(source.texts)))
    return "".join(parts), spans
