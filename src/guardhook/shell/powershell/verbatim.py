"""Text that PowerShell takes as it stands: here-strings, and the arguments behind `--%`."""

from guardhook.shell.commands import OPAQUE, VARIABLE, Command, Part
from guardhook.shell.powershell.cursor import OPEN_HERE_STRING, STOP
from guardhook.shell.powershell.lexer import Lexer
from guardhook.shell.powershell.words import compose


def here_string(lexer: Lexer, pieces: "list[str | Part]", depth: int) -> bool:
    """A here-string whose `@` is here: True, or False and no move if no line end follows its opening quote."""
    code, size = lexer.code, lexer.size
    i = lexer.at
    quote = code[i + 1]
    i += 2
    while code[i] == " ":
        i += 1
    if code[i] != "\n" or i >= size:
        return False
    start = lexer.behind_line_end(i)
    footer = "\n" + quote + "@"
    if quote == "'":
        end = code.find(footer, start - 1)
        _text(lexer, pieces, start, end)
        lexer.at = end + 3 if end >= 0 else size
    else:
        _expandable(lexer, pieces, depth + 1, start, footer)
    return True


def _text(lexer: Lexer, pieces: "list[str | Part]", start: int, end: int) -> None:
    """Literal text up to the line end at `end`, or to the end of the text, which is a flaw, where that is negative."""
    if end < 0:
        lexer.flaw(OPEN_HERE_STRING)
        end = lexer.size
    elif end > start and lexer.source[end - 1] == "\r" and lexer.source[end] == "\n":
        end -= 1
    pieces.append(lexer.source[start : max(start, end)])


def _expandable(lexer: Lexer, pieces: "list[str | Part]", depth: int, start: int, footer: str) -> None:
    code, source, stops = lexer.code, lexer.source, lexer.stops_in_quotes()
    doubled, lexer.doubled = lexer.doubled, False
    pieces.append("")
    end = code.find(footer, start - 1)
    lexer.at = i = start
    while True:
        stop = stops.find(STOP, i)
        if 0 <= end < stop or stop < 0:
            break
        c = code[stop]
        if c == '"':
            pieces.append(source[i : stop + 1])
            lexer.at = stop + 1
        else:
            if stop > i:
                pieces.append(source[i:stop])
            lexer.at = stop
            if c == "$":
                lexer.dollar(pieces, depth, False)
            else:
                lexer.escaped(pieces, True)
            if 0 <= end < lexer.at:
                end = code.find(footer, lexer.at)
        i = lexer.at
    _text(lexer, pieces, i, end)
    lexer.at = max(i, end + 3) if end >= 0 else lexer.size
    lexer.doubled = doubled


def arguments(lexer: Lexer, command: Command) -> None:
    """The words behind `--%`: up to a line end, `|` or `&&` only `"` and `%NAME%` are special (about_Parsing)."""
    code, size = lexer.code, lexer.size
    i = lexer.at + 3
    command.end = max(command.end, i)
    while i < size:
        c = code[i]
        if c == " ":
            i += 1
        elif c in "\n|" or (c == "&" and code[i + 1] == "&"):
            break
        else:
            i = _argument(lexer, command, i)
    lexer.at = i


def _argument(lexer: Lexer, command: Command, start: int) -> int:
    """One word that begins at `start`; gives its end."""
    code, source, size = lexer.code, lexer.source, lexer.size
    pieces: list[str | Part] = []
    quoted = False
    i = begin = start
    while i < size and code[i] != "\n":
        c = code[i]
        if c == '"':
            quoted = not quoted
        elif not quoted and (c in " |" or (c == "&" and code[i + 1] == "&")):
            break
        elif c != "%":
            i += 1
            continue
        pieces.append(source[begin:i])
        i += 1
        if c == "%":
            i = _environment(lexer, pieces, i)
        begin = i
    pieces.append(source[begin:i])
    command.words.append(compose(pieces, start, i))
    command.end = i
    return i


def _environment(lexer: Lexer, pieces: "list[str | Part]", i: int) -> int:
    """A `%NAME%` whose name begins at `i`, or a plain `%`; gives the position behind it."""
    code, source = lexer.code, lexer.source
    end = i
    while code[end].isalnum() or code[end] in "_().-:~,*=":
        end += 1
    if code[end] != "%" or end == i:
        pieces.append("%")
        return i
    name = source[i:end]
    form = VARIABLE if ":" not in name and "~" not in name and "=" not in name else OPAQUE
    pieces.append(Part(form, name if form == VARIABLE else "%" + name + "%", True))
    return end + 1
