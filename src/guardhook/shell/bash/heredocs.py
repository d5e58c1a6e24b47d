"""Here-documents: their bodies, read when the line that announced them ends."""

from guardhook.shell.bash.chains import Chain
from guardhook.shell.bash.cursor import Pending
from guardhook.shell.bash.expansions import Expansions
from guardhook.shell.bash.pieces import Pieces
from guardhook.shell.commands import LITERAL, Part


class HereDocuments(Expansions):
    """The layer that reads here-document bodies."""

    __slots__ = ()

    def bodies(self, depth: int) -> None:
        """Read the bodies of all announced here-documents, which begin here."""
        pending, self.pending = self.pending, []
        for document in pending:
            self.body(document, depth)

    def body(self, document: Pending, depth: int) -> None:
        start = self.at
        end, after = self.body_end(document, start)
        if document.quoted:
            text = self.source[start:end]
            parts: tuple[Part, ...] = (Part(LITERAL, text, True),)
        else:
            parts = self.expanded_body(document, start, end, depth)
        if document.redirection.operator == "<<-":
            _strip_tabs(parts)
        word = Pieces()
        word.parts.extend(parts)
        document.redirection.body = word.word(start, end)
        self.at = after

    def expanded_body(self, document: Pending, start: int, end: int, depth: int) -> tuple[Part, ...]:
        """The parts of an unquoted body. Its last line end is left out while it is read, to stop every search."""
        size, chain, pending, expected = self.size, self.chain, self.pending, self.expected
        line_end = end > start and self.source[end - 1] == "\n"
        self.at = start
        self.size = end - 1 if line_end else end
        self.chain = Chain(document.command.scope)
        self.pending, self.expected = [], {}
        pieces = Pieces()
        self.double_quoted(pieces, depth, body=True)
        if line_end:
            pieces.literal("\n", True)
        self.size, self.chain, self.pending, self.expected = size, chain, pending, expected
        return pieces.word(start, end).parts

    def body_end(self, document: Pending, start: int) -> tuple[int, int]:
        """Where the body ends and where reading goes on: behind the end line, or at the end of the text."""
        if document.folded or document.redirection.operator == "<<-":
            return self.end_by_lines(document, start)
        end, after = self.end_by_search(document.redirection.target.text, start)
        if not document.quoted and self.source.find("\\\n", start, after) >= 0:
            return self.end_by_lines(document, start)
        return end, after

    def end_by_search(self, delimiter: str, start: int) -> tuple[int, int]:
        """The end line of the plain kind, found as text, since nested here-documents look through the same lines."""
        source, size = self.source, self.size
        line = start
        while True:
            line = source.find("\n" + delimiter, line - 1, size) + 1
            if line < start:
                return size, size
            end = line + len(delimiter)
            if end >= size or source[end] == "\n":
                return line, min(end + 1, size)
            if self.enclosed and source.find(")", end, source.find("\n", end)) >= 0:
                return line, end
            line = max(end, line + 1)

    def end_by_lines(self, document: Pending, start: int) -> tuple[int, int]:
        """The end line of any kind, looked for line by line, with backslash-newlines joined first."""
        size = self.size
        delimiter = document.redirection.target.text
        tabs = document.redirection.operator == "<<-"
        i = start
        while i < size:
            line, after = self.logical_line(i, document.quoted)
            if tabs:
                line = line.lstrip("\t")
            if line == delimiter or (document.folded and line == delimiter + "\r"):
                return i, min(after, size)
            if self.enclosed and line.startswith(delimiter) and ")" in line[len(delimiter) :]:
                return i, self.behind_delimiter(document, i)
            i = after
        return size, size

    def behind_delimiter(self, document: Pending, i: int) -> int:
        """The position behind the delimiter in the line at `i`, which has more behind it."""
        while document.redirection.operator == "<<-" and self.source[i] == "\t":
            i += 1
        for _ in document.redirection.target.text:
            i = (i if document.quoted else self.joined(i)) + 1
        return i

    def logical_line(self, i: int, quoted: bool) -> tuple[str, int]:
        """The line at `i` and the start of the next; an unquoted here-document joins at backslash-newline first."""
        source, size = self.source, self.size
        pieces: list[str] = []
        while True:
            end = source.find("\n", i, size)
            end = size if end < 0 else end
            line = source[i:end]
            if quoted or end >= size or not line.endswith("\\") or (len(line) - len(line.rstrip("\\"))) % 2 == 0:
                break
            pieces.append(line[:-1])
            i = end + 1
        if pieces:
            line = "".join(pieces) + line
        return line, end + 1


def _strip_tabs(parts: tuple[Part, ...]) -> None:
    """Take the tabs from the start of each line."""
    line_start = True
    for part in parts:
        if part.kind != LITERAL:
            line_start = False
            continue
        lines = part.text.split("\n")
        first = lines[0].lstrip("\t") if line_start else lines[0]
        line_start = lines[-1] == "" and len(lines) > 1
        part.text = "\n".join([first, *[line.lstrip("\t") for line in lines[1:]]])
