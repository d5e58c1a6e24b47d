"""What a command finds on its standard input, where the text itself says so: a here-document, a here-string, or the
literal that `echo`, `printf` or `cat` sends through a pipe (SPEC C4). Anything else is unknown."""

from guardhook.shell import payloads
from guardhook.shell.commands import Command, Word
from guardhook.shell.programs import program
from guardhook.shell.variables import Variables

# Programs that hand their standard input on, as long as no operand names something else.
_PASSING = ("cat", "tee")
_ITSELF = ("-", "--", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


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
        lists = [_bare(arguments) for arguments in variables.arguments(command.words, command.scope)]
        name = program(lists[0][0]) if lists[0] else ""
        if name in ("echo", "printf"):
            from guardhook.shell import printing

            write = printing.echo if name == "echo" else printing.printf
            return [text for arguments in lists for text in write(arguments[1:])]
        if name not in _PASSING or (name == "cat" and not all(_is_own(word) for word in lists[0][1:])):
            return None


def _bare(arguments: list[str]) -> list[str]:
    """The argument list behind prefix runners: `sudo echo x` writes what `echo x` writes."""
    while arguments:
        row, start = payloads.find(program(arguments[0]), arguments)
        if row is None or row.counts:
            break
        behind = payloads.payload(row, arguments, start).commands
        if len(behind) != 1:
            break
        arguments = behind[0]
    return arguments


def _is_own(word: str) -> bool:
    """True if `cat` still reads its standard input with this argument: an option, or a name for that input."""
    return word in _ITSELF or (word[:1] == "-" and len(word) > 1)


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
