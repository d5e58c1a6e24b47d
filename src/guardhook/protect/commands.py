"""What a shell command does to protected paths: redirections, the programs of the table, `find`, and the guard's own
command line (SPEC P2). A path that nobody knows before the shell runs passes, as everywhere (SPEC C8)."""

from guardhook.call import BASH, ToolCall
from guardhook.context import Context
from guardhook.prose import scope
from guardhook.protect import programs
from guardhook.protect.files import Change
from guardhook.protect.places import CONFIG, WHOLE, Protected, Thing, TooManyError
from guardhook.protect.through import HOLE, Through
from guardhook.shell.commands import UNKNOWN
from guardhook.shell.directory import Directories, moves
from guardhook.shell.unwrap import SETTERS, Unwrapped, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from guardhook.shell.unwrap import Invocation

_MOVING = frozenset(("env", "sudo"))
_SHOWN = 250  # characters of a part that are kept for the message
_MAX_NAMES = 1_000  # of a folder whose names are looked at
# Different paths that one call changes; nobody writes more, and each is followed through its links.
MAX_PATHS = 20_000

# Options of `guardhook install` that let calls run unguarded, or load other code into the hook.
_WEAKENING = (
    *("--fail-open", "--codex-trust", "--no-codex-fail-closed", "--no-codex-ask"),
    *("--python", "--agent-style"),
)
_IDLE = frozenset(("--help", "-h", "--version", "--dry-run"))


def changes(call: ToolCall, context: Context, protected: Protected) -> "Iterator[Change]":
    """Everything protected that a shell command changes."""
    found = known(call, context)
    site = Site(call, context, found)
    yield from site.changes(protected)
    if call.agent == "codex":
        from guardhook.protect import files
        from guardhook.shell import patches

        for text, where in patches.patches(found, site.directories):
            yield from files.patched(text, where, protected, context.settings.environment)


def known(call: ToolCall, context: Context) -> Unwrapped:
    """The call's commands, read with the variables of the hook's own environment where what is missing may hide one."""
    found = context.commands()
    if not _hides(found):
        return found
    from guardhook.gates import WATCHED
    from guardhook.shell.lookup import Lookup

    environment = Lookup(context.settings.environment, call.cwd).get
    return unwrap(call.command, WATCHED, found.layers[0].language, environment)


def _hides(found: Unwrapped) -> bool:
    """Whether an unknown value stands in a payload, behind a prefix, or in a variable."""
    if any(UNKNOWN in layer.reading.text for layer in found.layers[1:]):
        return True
    for invocation in found.invocations:
        if invocation.prefixes and any(UNKNOWN in word for word in invocation.arguments):
            return True
        if invocation.name in SETTERS and any(UNKNOWN in word.text for word in invocation.command.words):
            return True
    for layer in found.layers:
        for command in layer.reading.commands:
            for assignment in command.assignments:
                if any(UNKNOWN in word.text for word in (assignment.value, *(assignment.elements or ())) if word):
                    return True
    return False


class Path:
    """text: as the program gets it. where: what a relative one starts from, None where nobody knows.

    below: what lies below it changes as well. act: the simple command that does it.
    """

    __slots__ = ("act", "below", "text", "where")

    def __init__(self, text: str, where: str | None, below: bool, act: str) -> None:
        self.text = text
        self.where = where
        self.below = below
        self.act = act


class Site:
    """Looks at the commands of one call. found: of `known`."""

    __slots__ = ("_environment", "_found", "_is_alone", "_lookup", "directories")

    def __init__(self, call: ToolCall, context: Context, found: Unwrapped) -> None:
        from guardhook.shell.lookup import Lookup

        self._found = found
        self._environment = context.settings.environment
        # `$PWD` goes along with a move; as a relative path it is resolved where it stands.
        self._lookup = Lookup(self._environment, "." if any(map(moves, found.invocations)) else call.cwd).get
        redirections = (command.redirections for layer in found.layers for command in layer.reading.commands)
        self._is_alone = len(found.invocations) == 1 and not any(redirections)
        self.directories = Directories(found, call.cwd, self._lookup)

    def paths(self) -> "Iterator[Path]":
        """Every path that the call changes on this machine, as far as it is known."""
        from guardhook.shell import writes

        for write in writes.writes(self._found, self._lookup):
            if write.path and write.layer.local:
                path = write.path if write.layer.language == BASH else write.path.replace("\\", "/")
                text, start = write.layer.reading.text, write.command.start
                act = text[start : min(write.command.end, start + _SHOWN)]
                yield Path(path, self.directories.of(write.command), False, act)
        for invocation in self._found.invocations:
            if invocation.local:
                yield from self._operands(invocation)

    def _operands(self, invocation: "Invocation") -> "Iterator[Path]":
        name, language = invocation.name, invocation.language
        if name not in programs.PROGRAMS and (language == BASH or name not in programs.WINDOWS):
            return
        where, segment = self._where(invocation), invocation.segment(_SHOWN)
        for words in self._found.expand(invocation, self._lookup):
            for path, below in programs.targets(
                name,
                words,
                language,
                lambda path: self._is_folder(path, where),
                lambda source: self._listed(source, where),
            ):
                if path and UNKNOWN not in path and HOLE not in path:
                    yield Path(path if language == BASH else path.replace("\\", "/"), where, below, segment)

    def named(self, names: frozenset[str]) -> "Iterator[tuple[str, str | None]]":
        """(path, what a relative one starts from) of every redirection, and of every word behind these programs."""
        from guardhook.shell import writes

        variables = self._found.afterwards(self._lookup)
        for layer in self._found.layers:
            for command in layer.reading.commands if layer.local else ():
                for redirection in command.redirections:
                    if ">" in redirection.operator:
                        for text in variables.texts(redirection.target, command.scope):
                            yield text, self.directories.of(command)
        for invocation in self._found.invocations:
            if invocation.local and invocation.name in names:
                for words in self._found.expand(invocation, self._lookup):
                    operands = writes.operands_of_sed(words) if invocation.name == "sed" else words[1:]
                    yield from ((word, self.directories.of(invocation.command)) for word in operands)

    def changes(self, protected: Protected) -> "Iterator[Change]":
        """What of the protected things changes."""
        seen = set()
        for path in self.paths():
            key = (path.text, path.where, path.below)
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > MAX_PATHS:
                raise TooManyError("more paths than can be followed")
            thing = (protected.around if path.below else protected.at)(path.text, path.where)
            if thing is not None:
                yield Change(thing, path.act)
        through = Through(self._found, self.directories, protected, self._lookup)
        for invocation in self._found.invocations:
            if invocation.local:
                yield from (Change(thing, invocation.segment(_SHOWN)) for thing in through.things(invocation))
                yield from self._by_command_line(invocation)

    def _is_folder(self, path: str, where: str | None) -> bool:
        if UNKNOWN in path or (where is None and path[:1] not in ("/", "~")):
            return False
        whole = scope.absolute(path, where or "", self._environment)
        return whole is not None and scope.is_directory(whole)

    def _listed(self, source: str, where: str | None) -> list[str] | None:
        """The names that `folder/.`, `folder/` or a pattern stands for; None where nobody can tell.

        Another part of the call may put something there first, so only a call of one part is looked into.
        """
        from guardhook.protect import patterns

        if not self._is_alone or UNKNOWN in source or (where is None and source[:1] not in ("/", "~")):
            return None
        folder, slash, last = source.removesuffix(".").rpartition("/")
        whole = scope.absolute(folder or slash or ".", where or "", self._environment)
        names = scope.names(whole) if whole and not patterns.is_pattern(folder) else None
        if not names or len(names) > _MAX_NAMES:
            return None
        return [name for name in names if not last or patterns.is_match(name, last)]

    def _where(self, invocation: "Invocation") -> str | None:
        """The directory that a part runs in, that of `env -C` and `sudo -D` too."""
        where = self.directories.of(invocation.command)
        if _MOVING.isdisjoint(invocation.prefixes):
            return where
        from guardhook.shell import elsewhere

        words = self._found.afterwards(self._lookup).arguments(invocation.command.words, invocation.command.scope)[0]
        for moved in elsewhere.named(words, invocation.name, invocation.layer):
            if UNKNOWN in moved:
                return None
            where = moved if moved[0] in "/~" else None if where is None else f"{where}/{moved}"
        return where

    def _by_command_line(self, invocation: "Invocation") -> "Iterator[Change]":
        """What `guardhook` and `codex` change themselves."""
        if invocation.name not in ("guardhook", "codex"):
            return
        for words in self._found.expand(invocation, self._lookup):
            arguments = words[1:]
            how = "" if not _IDLE.isdisjoint(arguments) else _weakens(invocation.name, arguments)
            if how:
                thing = _OWN if invocation.name == "guardhook" else Thing("", CONFIG)
                yield Change(thing, invocation.segment(_SHOWN), how)


def _weakens(name: str, arguments: list[str]) -> str:
    """What a command line does to the guard, in words; "" for nothing."""
    if name == "codex":
        switches = {"features", "disable"}.issubset(arguments) and not {"hooks", "codex_hooks"}.isdisjoint(arguments)
        return "the switch of all hooks" if switches else ""
    if arguments[:1] == ["uninstall"]:
        return "the whole installation, which is taken out"
    weak = [option for option in _WEAKENING if any(_is_option(word, option) for word in arguments)]
    if arguments[:1] == ["install"] and weak:
        return f"how the guard is wired, or what code runs in it ({', '.join(weak)})"
    return ""


def _is_option(word: str, option: str) -> bool:
    return word == option or word.startswith(option + "=")


_OWN = Thing("", WHOLE, "guardhook itself")
