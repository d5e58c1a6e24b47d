"""What a command finds on its standard input, where the text itself says so: a here-document, a here-string, or the
literal that `echo`, `printf` or `cat` sends through a pipe (SPEC C4). Anything else is unknown."""

from guardhook.shell.commands import UNKNOWN, Command, Word
from guardhook.shell.programs import program
from guardhook.shell.variables import Variables

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b"}
# What `printf` also unescapes in its format, and `echo -e` does not.
_FORMAT_ESCAPES = {**_ESCAPES, '"': '"', "'": "'"}


class Feed:
    """The standard input of a nested shell text: that of the command which carries it, inside `outer`."""

    __slots__ = ("command", "outer")

    def __init__(self, command: Command, outer: "Feed | None") -> None:
        self.command = command
        self.outer = outer


def texts(command: Command, feed: Feed | None, variables: Variables) -> list[str] | None:
    """Every text that `command` may read, or None where it is not known. feed: the standard input around it."""
    while True:
        word, is_file = _redirected(command)
        if word is not None:
            return variables.texts(word, command.scope)
        if is_file:
            return None
        if command.feeder is None:
            if feed is None:
                return None
            command, feed = feed.command, feed.outer
            continue
        command = command.feeder
        if not command.words:
            return None
        lists = variables.arguments(command.words, command.scope)
        name = program(lists[0][0]) if lists[0] else ""
        if name in ("echo", "printf"):
            write = _echo if name == "echo" else _printf
            return [write(arguments[1:]) for arguments in lists]
        if name != "tee" and (name != "cat" or any(argument != "-" for argument in lists[0][1:])):
            return None


def _redirected(command: Command) -> tuple[Word | None, bool]:
    """The word that is read, if the text holds it; and whether standard input is redirected from elsewhere."""
    for redirection in reversed(command.redirections):
        if redirection.descriptor in ("", "0"):
            if redirection.operator in ("<<", "<<-"):
                return redirection.body, redirection.body is None
            if redirection.operator == "<<<":
                return redirection.target, False
            if redirection.operator in ("<", "<&", "<>"):
                return None, True
    return None, False


def _echo(arguments: list[str]) -> str:
    escapes = False
    start = 0
    for argument in arguments:
        if len(argument) < 2 or argument[0] != "-" or argument[1:].strip("neE"):
            break
        escapes = "e" in argument or (escapes and "E" not in argument)
        start += 1
    text = " ".join(arguments[start:])
    return _unescape(text) if escapes else text


def _printf(arguments: list[str]) -> str:
    """printf's output for a literal format: `%s` and `%b` take the arguments in turn, the format repeats for more."""
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    if not arguments or arguments[0] == "-v":
        return ""
    pieces = _unescape(arguments[0], _FORMAT_ESCAPES).replace("%%", "\1").split("%")
    rest = arguments[1:]
    out = []
    while True:
        out.append(pieces[0])
        before = len(rest)
        for piece in pieces[1:]:
            out.append(_convert(piece, rest.pop(0) if rest else ""))
        if not rest or len(rest) == before:
            return "".join(out).replace("\1", "%")


def _convert(piece: str, value: str) -> str:
    """One conversion and the literal text behind it: `-5s rest` with its value."""
    after = piece.lstrip("-+ #0123456789.")
    width = piece[: len(piece) - len(after)]
    if after[:1] not in ("s", "b"):
        return UNKNOWN + after[1:]
    value = _unescape(value) if after[0] == "b" else value
    digits = width.lstrip("-+ #").partition(".")[0]
    size = int(digits[:4]) if digits.isdigit() else 0
    return (value.ljust(size) if "-" in width else value.rjust(size)) + after[1:]


def _unescape(text: str, escapes: dict[str, str] = _ESCAPES) -> str:
    pieces = text.split("\\")
    out = [pieces[0]]
    index = 1
    while index < len(pieces):
        piece = pieces[index]
        if piece:
            out.append(escapes.get(piece[0], "\\" + piece[0]) + piece[1:])
            index += 1
        else:  # an escaped backslash
            out.append("\\" + (pieces[index + 1] if index + 1 < len(pieces) else ""))
            index += 2
    return "".join(out)
