"""Words: plain stretches, quotes, escapes and variables, and how they are put together.

What has been read of a word is a list of pieces: a string for literal text, a Part for everything else.
"""

from guardhook.shell.commands import LITERAL, OPAQUE, UNKNOWN, VARIABLE, Part, Word
from guardhook.shell.powershell.cursor import OPEN_BRACKET, OPEN_QUOTE, STOP, Cursor

_SCOPES = frozenset(("global", "script", "local", "private", "using", "variable"))
_ESCAPES = {"0": "\0", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_AFTER_EMPTY = frozenset("),;|}")


def compose(pieces: "list[str | Part]", start: int, end: int, kind: type[Word] = Word) -> Word:
    """The word of `kind` that `pieces` make, with its span. One literal needs no parts unless it has a `{`."""
    parts: list[Part] = []
    run: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            run.append(piece)
        else:
            if run and (run != [""]):
                parts.append(Part(LITERAL, "".join(run), True))
            run = []
            parts.append(piece)
    text = "".join(run)
    if not parts:
        return kind(text, start, end, (Part(LITERAL, text, True),) if "{" in text else ())
    if text:
        parts.append(Part(LITERAL, text, True))
    text = "".join([part.text if part.kind == LITERAL else UNKNOWN for part in parts])
    return kind(text, start, end, tuple(parts))


def variable_key(name: str) -> str:
    """The key of the variable `name`: `$name` without its scope, or the bare name of an environment variable."""
    lowered = name.lower()
    prefix, colon, rest = lowered.partition(":")
    if colon and rest:
        if prefix == "env":
            return name[4:]
        if prefix in _SCOPES:
            return "$" + rest
    return "$" + lowered


class Words(Cursor):
    """The layer that reads one word."""

    __slots__ = ()

    def generic(self, pieces: "list[str | Part]", depth: int, name: bool = False) -> None:
        """An unquoted token up to its end, with the quotes and expansions in it.

        name: it is a command's name without a call operator, in which PowerShell expands no variable.
        """
        code, source, stops, size = self.code, self.source, self.stops, self.size
        while True:
            i = self.at
            stop = stops.find(STOP, i)
            if stop > i:
                pieces.append(source[i:stop])
                self.at = stop
            c = code[stop]
            if stop >= size:
                self.at = size
                return
            if c == "$":
                mark = len(pieces)
                self.dollar(pieces, depth, False)
                if name and code[stop + 1] != "(":
                    pieces[mark:] = [source[stop : self.at]]
            elif c == '"':
                self.double_quoted(pieces, depth)
            elif c == "'":
                self.single_quoted(pieces)
            elif c == "`":
                self.escaped(pieces, False)
            elif c == "<" and code[stop + 1] == "#" and pieces:
                pieces.append("<")  # a comment begins at the start of a token only
                self.at = stop + 1
            else:
                return

    def opaque(self, start: int) -> Part:
        """The part for what was read from `start` on."""
        return Part(OPAQUE, self.source[start : self.at], True)

    def escaped(self, pieces: "list[str | Part]", quoted: bool) -> None:
        """A backtick and what it escapes; at a line end it joins the lines (about_Special_Characters).

        quoted: in double quotes, where some letters stand for other characters; elsewhere they stand for themselves.
        """
        i = self.at + 1
        if i >= self.size:
            pieces.append("`")
            self.at = self.size
            return
        c = self.code[i]
        if c == "\n":
            self.at = self.behind_line_end(i)
            return
        self.at = i + 1
        if not quoted:
            pieces.append(self.source[i])
            return
        if c == "u" and self.code[i + 1] == "{":
            end = self.code.find("}", i + 2, i + 9)
            digits = self.code[i + 2 : end]
            if end > 0 and digits.isalnum() and digits.isascii():
                self.at = end + 1
                pieces.append(_character(digits))
                return
        pieces.append(_ESCAPES.get(c) or self.source[i])

    def single_quoted(self, pieces: "list[str | Part]") -> None:
        """A verbatim string, in which only a doubled quote is special."""
        code = self.code
        i = self.at + 1
        while True:
            end = code.find("'", i)
            if end < 0:
                self.flaw(OPEN_QUOTE)
                pieces.append(self.source[i : self.size])
                self.at = self.size
                return
            if code[end + 1] != "'":
                pieces.append(self.source[i:end])
                self.at = end + 1
                return
            pieces.append(self.source[i : end + 1])
            i = end + 2

    def double_quoted(self, pieces: "list[str | Part]", depth: int) -> None:
        """An expandable string."""
        code = self.code
        i = self.at + 1
        end = code.find('"', i)
        plain = end > i or (end == i and not self.doubled)
        if plain and code[end + 1] != '"' and code.find("$", i, end) < 0 and code.find("`", i, end) < 0:
            pieces.append(self.source[i:end])
            self.at = end + 1
            return
        pieces.append("")
        # In a `$( )` of a string every doubled quote stands for one, so `"$(& ""git"" push)"` runs git.
        paired = self.doubled and end == i and code[i + 1] not in _AFTER_EMPTY
        self.at = i + 1 if paired else i
        self.expandable(pieces, depth + 1, paired)

    def expandable(self, pieces: "list[str | Part]", depth: int, paired: bool) -> None:
        """The text of an expandable string up to its closing quote, which may be a doubled one."""
        code, source, stops = self.code, self.source, self.stops_in_quotes()
        while True:
            i = self.at
            stop = stops.find(STOP, i)
            if stop < 0:
                self.flaw(OPEN_QUOTE)
                pieces.append(source[i : self.size])
                self.at = self.size
                return
            if stop > i:
                pieces.append(source[i:stop])
                self.at = stop
            c = code[stop]
            if c == "$":
                self.dollar(pieces, depth, True)
            elif c == "`":
                self.escaped(pieces, True)
            elif code[stop + 1] == '"' and not paired:
                pieces.append(source[stop])
                self.at = stop + 2
            else:
                self.at = stop + 2 if paired and code[stop + 1] == '"' else stop + 1
                return

    def dollar(self, pieces: "list[str | Part]", depth: int, quoted: bool) -> None:
        """A `$` in a string or inside a token: `$name`, `${name}`, `$( )`, or itself."""
        i = self.at
        if self.code[i + 1] == "(":
            self.subexpression(pieces, depth, quoted)
            return
        key, end = self.variable(i)
        if end:
            pieces.append(Part(VARIABLE, key, True))
            self.at = end
        else:
            pieces.append("$")
            self.at = i + 1

    def variable(self, i: int) -> tuple[str, int]:
        """The key of the variable whose `$` or `@` is at `i`, and the position behind it; 0 if there is none."""
        code, source = self.code, self.source
        start = i + 1
        c = code[start]
        if c == "{":
            return self.braced_variable(start)
        if c in "$?^":
            return "$" + c, start + 1
        i = start
        while c.isalnum() or c in "_?" or (c == ":" and (code[i + 1].isalnum() or code[i + 1] == "_") and i > start):
            i += 1
            c = code[i]
        return (variable_key(source[start:i]), i) if i > start else ("", 0)

    def braced_variable(self, start: int) -> tuple[str, int]:
        if self.last_brace < 0:
            self.last_brace = max(self.code.rfind("}"), 0)
        if start > self.last_brace:
            self.flaw(OPEN_BRACKET)
            return "", 0
        end = self.code.find("}", start)
        return variable_key(self.source[start + 1 : end].replace("`", "")), end + 1

    def subexpression(self, pieces: "list[str | Part]", depth: int, quoted: bool) -> None:
        """A `$( )`, from the layer of expressions."""
        raise NotImplementedError


def _character(digits: str) -> str:
    """The character of a `` `u{digits} ``, or the replacement character."""
    try:
        return chr(int(digits, 16))
    except (ValueError, OverflowError):
        return "\ufffd"
