"""Every simple command of a call, with the wrappers around it opened (SPEC C3, C4, C8, C9).

This module holds the records and goes through a text's commands; what has to be expanded or opened is left to
`opening`, which most calls never need and so never load.
"""

from guardhook.call import BASH, CMD, POWERSHELL
from guardhook.shell.commands import OPAQUE, UNKNOWN, Command, Reading, Scope, Word
from guardhook.shell.programs import program, windows_program
from guardhook.shell.wrappers import CONDITIONAL, ROOMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guardhook.shell.opening import Opener
    from guardhook.shell.stdin import Feed
    from guardhook.shell.variables import Variables

# Commands that change what later words mean: `export g=push`, `read g`.
SETTERS = frozenset(("export", "declare", "typeset", "readonly", "local", "unset", "read", "mapfile", "readarray"))

# The same in PowerShell and cmd.
WINDOWS_SETTERS = frozenset("set set-variable sv new-variable nv set-item si".split())

# The reader of each language: a module with `read(text) -> Reading`.
READERS = {
    BASH: "guardhook.shell.bash.lexer",
    POWERSHELL: "guardhook.shell.powershell.lexer",
    CMD: "guardhook.shell.cmd",
}

# All text together, in characters: variables with many values could multiply it without end.
MAX_TEXT = 4_000_000

# So many texts are read, the call's own and payloads.
MAX_LAYERS = 1_000


class Layer:
    """One shell text: the call's own, or the payload of wrappers.

    reading: what the lexer saw. via: the wrappers around it, outermost first. depth: how many of them count.
    local: it runs on this machine. root: the scope of its top level.
    outermost: the beginning of the call's own simple command that it belongs to, "" at the top.
    variant: as for an Invocation. language: of the text, one of those in `commands`.
    program: gives the name of the program that a command word of this language means.
    """

    __slots__ = ("depth", "language", "local", "outermost", "program", "reading", "root", "variant", "via")

    def __init__(self, reading: Reading, depth: int, local: bool, via: tuple[str, ...], language: str) -> None:
        self.language = language
        self.program = program if language == BASH else windows_program
        self.outermost = ""
        self.variant = 0
        self.reading = reading
        self.depth = depth
        self.local = local
        self.via = via
        scope = reading.commands[0].scope if reading.commands else Scope("", None)
        while scope.parent is not None:
            scope = scope.parent
        self.root = scope


class Invocation:
    """One simple command after its wrappers are opened: a *part* of the call in messages (SPEC A7).

    name: the program's name. arguments: the program's word and its arguments, expanded; empty where nobody looks for
    that program. prefixes: the programs in front of it in the same simple command (`sudo`, `timeout`), in order.
    variant: above 0, the same part again with another value of a variable: judged, not counted.
    obstacle: a code and the reason why its payload could not be looked into, or None.
    language: in which its program's name counts; not always the layer's, as in PowerShell's `docker exec c rm …`.
    """

    __slots__ = ("arguments", "command", "language", "layer", "local", "name", "obstacle", "prefixes", "variant")

    def __init__(self, layer: Layer, command: Command, name: str, arguments: list[str]) -> None:
        self.layer = layer
        self.command = command
        self.name = name
        self.arguments = arguments
        self.prefixes: tuple[str, ...] = ()
        self.local = layer.local
        self.language = layer.language
        self.variant = layer.variant
        self.obstacle: tuple[str, str] | None = None

    def segment(self, limit: int = 1_000_000) -> str:
        """The simple command as it stands in its text, prefixes included; at most `limit` characters of it."""
        start = self.command.start
        return self.layer.reading.text[start : min(self.command.end, start + limit)]


class Unwrapped:
    """All parts of a call (`invocations`), every text that was read (`layers`), what hid text (`flaws`, SPEC C9).

    full: no further payload can be read, so no wrapper is opened any more. environment: gives the value of a variable
    that the text does not set, from the start, or None.
    """

    __slots__ = ("environment", "flaws", "full", "invocations", "layers", "length", "opener", "setters", "watched")

    def __init__(
        self, watched: dict[str, frozenset[str]], environment: "Callable[[str], str | None] | None" = None
    ) -> None:
        self.environment = environment
        self.invocations: list[Invocation] = []
        self.layers: list[Layer] = []
        self.flaws: list[str] = []
        self.watched = watched
        self.length = 0
        self.full = False
        self.opener: Opener | None = None
        self.setters: list[Command] = []

    def read(self, text: str, depth: int, local: bool, via: tuple[str, ...], language: str = BASH) -> Layer | None:
        """Read a shell text and list it; None if there is too much text in all."""
        self.length += len(text)
        if self.length > MAX_TEXT or len(self.layers) >= MAX_LAYERS:
            self.full = True
            self.flaw("more nested text than can be read")
            return None
        reading: Reading = __import__(READERS[language], None, None, ["read"]).read(text)
        # Whether a quote is closed in a text that is partly unknown depends on that part, and what is unknown passes.
        if reading.flaw and not (via and UNKNOWN in text and reading.flaw.endswith("closed")):
            self.flaw(reading.flaw)
        layer = Layer(reading, depth, local, via, language)
        self.layers.append(layer)
        return layer

    def walk(self, layer: Layer, feed: "Feed | None") -> None:
        """List every command of a layer. feed: what its standard input is, if the text says so."""
        add = self.invocations.append
        watched = self.watched[layer.language]
        program = layer.program
        for command in layer.reading.commands:
            words = command.words
            if words:
                name = program(words[0].text)
                if is_block(words[0]):
                    continue
                if not is_plain(words[0]) or name[:4] == "git-" or _may_carry(name, words):
                    self.opened().open(layer, command, feed)
                elif name not in watched:
                    add(Invocation(layer, command, name, []))
                    if (
                        name in SETTERS
                        or (name in WINDOWS_SETTERS and layer.language != BASH)
                        or command.assignments
                        or any(word.parts and gives_default(word) for word in words)
                    ):
                        self.remember(command)
                elif all(is_plain(word) for word in words):
                    add(Invocation(layer, command, name, [word.text for word in words]))
                else:
                    self.opened().open(layer, command, feed)
            else:
                if command.assignments:
                    self.remember(command)
                if not command.carrier:
                    add(Invocation(layer, command, "", []))
        if self.opener is not None and (self.opener.later or self.opener.setters):
            self.opener.finish(layer)

    def remember(self, command: Command) -> None:
        """Note a command that sets variables; most calls never ask for one."""
        if self.opener is None:
            self.setters.append(command)
        else:
            self.opener.set(command)

    def opened(self) -> "Opener":
        """What expands and opens the commands of this call, with all variables set so far."""
        if self.opener is None:
            from guardhook.shell.opening import Opener

            self.opener = Opener(self)
            self.opener.variables.environment = self.environment
            for command in self.setters:
                self.opener.set(command)
        return self.opener

    def afterwards(self, environment: "Callable[[str], str | None] | None" = None) -> "Variables":
        """The call's variables once all of it is read: any value that they have in it, else that of the environment."""
        variables = self.opened().variables
        variables.looking_back, variables.environment = True, environment
        return variables

    def expand(
        self, invocation: Invocation, environment: "Callable[[str], str | None] | None" = None
    ) -> list[list[str]]:
        """Every argument list that a part may have, whether its program is watched or not, program's word first."""
        words = invocation.command.words
        if invocation.arguments and UNKNOWN not in "".join(invocation.arguments):
            return [invocation.arguments]
        if all(is_plain(word) for word in words):
            return [[word.text for word in words]]
        if invocation.prefixes:  # its arguments are some of the words only
            return [invocation.arguments]
        return self.afterwards(environment).arguments(words, invocation.command.scope)

    def flaw(self, flaw: str) -> None:
        """Note what could not be read, once."""
        if flaw not in self.flaws:
            self.flaws.append(flaw)


def is_plain(word: Word) -> bool:
    """True if nothing in the word is expanded or split: its text is the argument."""
    return not word.parts and "{" not in word.text


def is_block(word: Word) -> bool:
    """True for PowerShell's `& { … }`: what it runs is listed already, and it runs nothing else."""
    return bool(word.parts) and word.text == UNKNOWN and word.parts[0].kind == OPAQUE and word.parts[0].text[:1] == "{"


def gives_default(word: Word) -> bool:
    """True for `${g:=push}`, which sets `g` if it has no value."""
    return any(part.operator in (":=", "=") for part in word.parts)


def _may_carry(name: str, words: list[Word]) -> bool:
    """True if the program is a wrapper and, where that depends on an argument, may have been given it."""
    if name not in ROOMS:
        return False
    return name not in CONDITIONAL or any(word.parts or word.text == CONDITIONAL[name] for word in words)


def unwrap(
    text: str,
    watched: dict[str, frozenset[str]],
    language: str = BASH,
    environment: "Callable[[str], str | None] | None" = None,
) -> Unwrapped:
    """Read a text and open everything in it.

    text: at most 1,000,000 characters are read in time. watched: for each language, the program names whose arguments
    somebody wants. language: of the text, one of those in `commands`. environment: as for `Unwrapped`.
    """
    found = Unwrapped(watched, environment)
    layer = found.read(text, 0, True, (), language)
    if layer is not None:
        found.walk(layer, None)
    return found
