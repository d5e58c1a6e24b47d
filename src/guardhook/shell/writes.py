"""Where a command writes: redirections, `tee`, in-place edits, and PowerShell's content cmdlets (SPEC S1 to S4).

Paths are expanded as far as the text and the hook's own environment decide; one that is not known in full is left out.
"""

from guardhook.call import BASH, CMD, POWERSHELL
from guardhook.shell.commands import UNKNOWN, Command, Redirection
from guardhook.shell.options import Grammar, Walk, walk
from guardhook.shell.unwrap import Invocation, Layer, Unwrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REDIRECTION = "redirection"
TEE = "tee"
IN_PLACE = "in-place edit"
CMDLET = "cmdlet"

OPERATORS = frozenset((">", ">>", ">|", "&>", "&>>", ">&", "<>"))

# Stands between the elements of a PowerShell list that is one argument.
_LIST = "\x1f"

_TEE = Grammar("", names="--append --ignore-interrupts --output-error --help --version", permutes=True)
_SED = Grammar(
    "-e --expression -f --file -l --line-length",
    attached="-i",
    names="--debug --expression --file --follow-symlinks --in-place --line-length --null-data --posix --quiet"
    " --regexp-extended --sandbox --separate --silent --unbuffered --zero-terminated --help --version",
    permutes=True,
)
# The digits behind `-0` and `-l` may have further letters behind them: `-0777pi`.
_PERL = Grammar("-e -E -I", attached="-i -x -C -F -M -m -D -d -V", permutes=True)

# Program -> what its writing is called. PowerShell's `tee` is Tee-Object.
PROGRAMS = {
    BASH: {"tee": TEE, "sed": IN_PLACE, "perl": IN_PLACE},
    POWERSHELL: {
        "sed": IN_PLACE,
        "perl": IN_PLACE,
        **dict.fromkeys("set-content sc add-content ac out-file tee-object tee".split(), CMDLET),
    },
}
PROGRAMS[CMD] = {"tee": TEE, "sed": IN_PLACE, "perl": IN_PLACE}


class Write:
    """One file that a command writes to.

    path: as the shell would open it; it may be relative, and hold a file-name pattern; "" if nobody knows it.
    command: what writes.
    kind: one of the constants above. layer: the text that the command stands in.
    """

    __slots__ = ("command", "kind", "layer", "path")

    def __init__(self, path: str, kind: str, command: Command, layer: Layer) -> None:
        self.path = path
        self.kind = kind
        self.command = command
        self.layer = layer

    def segment(self) -> str:
        """The simple command as it stands in its text."""
        return self.layer.reading.text[self.command.start : self.command.end]


def writes(found: Unwrapped, environment: "Callable[[str], str | None]") -> "Iterator[Write]":
    """Every write of a call. environment: the value of a variable of the hook's own, or None."""
    for layer in found.layers:
        for command in layer.reading.commands:
            for redirection in command.redirections:
                if redirection.operator in OPERATORS:
                    for path in _targets(found, command, redirection, environment):
                        yield Write(path, REDIRECTION, command, layer)
    for invocation in found.invocations:
        kind = PROGRAMS[invocation.layer.language].get(invocation.name)
        if kind is not None:
            for arguments in _lists(found, invocation, kind, environment):
                paths = _destinations(invocation.name, kind, arguments)
                if not paths and "xargs" in invocation.prefixes and (kind != IN_PLACE or may_edit(arguments)):
                    paths = [""]
                for path in paths:
                    known = UNKNOWN not in path and path != "{}"  # `find` puts its own names there
                    yield Write(path if known else "", kind, invocation.command, invocation.layer)


def may_edit(arguments: list[str]) -> bool:
    """True unless these are the arguments of a `sed` or `perl` that edits nothing."""
    return any(word[:3] == "--i" if word[:2] == "--" else word[:1] == "-" and "i" in word for word in arguments)


def _targets(
    found: Unwrapped, command: Command, redirection: Redirection, environment: "Callable[[str], str | None]"
) -> list[str]:
    word = redirection.target
    if redirection.operator == ">&" and not word.text.strip("0123456789-"):
        return []
    if not word.parts:
        return [word.text] if word.text else []
    texts = found.afterwards(environment).texts(word, command.scope)
    return ["" if UNKNOWN in text else text for text in texts]


def _lists(
    found: Unwrapped, invocation: Invocation, kind: str, environment: "Callable[[str], str | None]"
) -> list[list[str]]:
    """Every argument list that the part may have. A cmdlet's lists are joined, since each of them is one argument."""
    if kind != CMDLET:
        return found.expand(invocation, environment)
    from guardhook.shell.powershell.records import ListItem

    variables = found.afterwards(environment)
    arguments: list[str] = []
    for word in invocation.command.words:
        text = _LIST.join(variables.arguments([word], invocation.command.scope)[-1])
        if isinstance(word, ListItem) and arguments:
            arguments[-1] += _LIST + text
        else:
            arguments.append(text)
    return [arguments]


def _destinations(name: str, kind: str, arguments: list[str]) -> list[str]:
    """The files that an argument list writes to."""
    if kind == TEE:
        seen = walk(arguments, _TEE, 1)
        return [arguments[index] for index in seen.operands]
    if kind == IN_PLACE:
        return _edited(name, arguments)
    from guardhook.shell.cmdlets import destination

    return [path for path in destination(name, arguments).split(_LIST) if path]


def operands_of_sed(arguments: list[str]) -> list[str]:
    """The files that a `sed` reads or edits, its script left out. arguments: its own word first."""
    return _operands("sed", arguments, walk(arguments, _SED, 1))


def _edited(name: str, arguments: list[str]) -> list[str]:
    """The files of `sed -i` and `perl -i`."""
    seen = walk(arguments, _SED if name == "sed" else _PERL, 1)
    return _operands(name, arguments, seen) if seen.has("-i", "--in-place") else []


def _operands(name: str, arguments: list[str], seen: Walk) -> list[str]:
    """The first operand is the script, unless an option gives that."""
    operands = [arguments[index] for index in seen.operands]
    if operands[:1] == [""]:  # BSD's `-i ''`
        operands = operands[1:]
    scripts = ("-e", "-E") if name == "perl" else ("-e", "--expression", "-f", "--file")
    return operands if seen.has(*scripts) else operands[1:]
