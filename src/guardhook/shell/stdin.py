"""What a command finds on its standard input, where the text itself says so: a here-document, a here-string, or the
literal that `echo`, `printf` or `cat` sends through a pipe (SPEC C4). Anything else is unknown."""

from guardhook.shell import payloads
from guardhook.shell.commands import Command, Compound, Word
from guardhook.shell.programs import program
from guardhook.shell.variables import LIMIT, Variables, may_run_later

# Operands of `cat` that are its standard input.
_ITSELF = ("-", "--", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


class Feed:
    """The standard input of a nested shell text: that of the command which carries it, in the layer around."""

    __slots__ = ("command", "commands", "outer")

    def __init__(self, command: Command, commands: list[Command], outer: "Feed | None") -> None:
        self.command = command
        self.commands = commands  # all of that layer
        self.outer = outer


def texts(feed: Feed, variables: Variables) -> list[str] | None:
    """Every text that the command of `feed` may read, or None where it is not known."""
    source: Command | Compound = feed.command
    while True:
        word, is_file = _redirected(source)
        if word is not None:
            return variables.texts(word, feed.command.scope)
        if is_file:
            return None
        if source.feeder is not None:
            source = source.feeder
            if isinstance(source, Compound):
                return _written_inside(source, feed, variables)
            written = _written(source, variables)
            if written is not None or not _passes(source, variables):
                return written
        elif source.within is not None:
            source = source.within
        elif feed.outer is None:
            return None
        else:
            feed = feed.outer
            source = feed.command


def _written(command: Command, variables: Variables) -> list[str] | None:
    """What `echo`, `printf` or a PowerShell expression writes; None for anything else."""
    if not command.words:
        value: Word | None = getattr(command, "value", None)  # of an Expression of the PowerShell reader
        return None if value is None else variables.texts(value, command.scope)
    lists = [_bare(arguments) for arguments in variables.arguments(command.words, command.scope)]
    name = program(lists[0][0]) if lists[0] else ""
    if name.lower() in ("write-output", "write"):
        return ["\n".join(arguments[1:]) for arguments in lists]
    if name not in ("echo", "printf"):
        return None
    from guardhook.shell import printing

    write = printing.echo if name == "echo" else printing.printf
    return [text for arguments in lists for text in write(arguments[1:])]


def _written_inside(compound: Compound, feed: Feed, variables: Variables) -> list[str] | None:
    """What the commands of a compound command may write one after another, as far as that is literal."""
    outs = [""]
    for command in feed.commands[slice(*compound.commands)]:
        if command.after in ("|", "|&"):
            continue
        found = _written(command, variables)
        if found is None and _passes(command, variables):
            found = texts(Feed(command, feed.commands, feed.outer), variables)
        if found:
            more = [out + text for out in outs for text in found]
            outs = (more + outs if may_run_later(command.scope) else more)[:LIMIT]
    return [out for out in dict.fromkeys(outs) if out] or None


def _passes(command: Command, variables: Variables) -> bool:
    """True if the command writes what it reads: `tee`, or `cat` without a file."""
    if not command.words:
        return False
    arguments = _bare(variables.arguments(command.words, command.scope)[0])
    name = program(arguments[0]) if arguments else ""
    return name == "tee" or (name == "cat" and all(_is_own(word) for word in arguments[1:]))


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


def _redirected(source: "Command | Compound") -> tuple[Word | None, bool]:
    """The word that is read, if the text holds it; and whether standard input is redirected from elsewhere."""
    command = source.carrier if isinstance(source, Compound) else source
    for redirection in reversed(command.redirections if command is not None else []):
        if redirection.descriptor in ("", "0"):
            if redirection.operator in ("<<", "<<-"):
                return redirection.body, redirection.body is None
            if redirection.operator == "<<<":
                return redirection.target, False
            if redirection.operator in ("<", "<&", "<>"):
                return None, True
    return None, False
