"""What a shell command does to protected paths: redirections, the programs of the table, `find`, and the guard's own
command line (SPEC P2). A path that nobody knows before the shell runs passes, as everywhere (SPEC C8)."""

from guardhook.call import BASH, ToolCall
from guardhook.context import Context
from guardhook.protect import programs
from guardhook.protect.files import Change
from guardhook.protect.places import CONFIG, WHOLE, Protected, Thing
from guardhook.shell.commands import UNKNOWN, Command
from guardhook.shell.directory import Directories
from guardhook.shell.programs import program
from guardhook.shell.unwrap import SETTERS, Unwrapped, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from guardhook.protect.finds import Find
    from guardhook.shell.unwrap import Invocation

_HOLE = "{}"  # where `find` puts a path
_FILTERS = frozenset("grep egrep fgrep rg sort uniq head tail tac sed awk tr cat".split())  # between `find` and `xargs`
_PRINTERS = frozenset(("echo", "printf", "ls"))
_LEADERS = frozenset(("find", "xargs"))

# Options of `guardhook install` that let calls run unguarded, or load other code into the hook.
_WEAKENING = (
    *("--fail-open", "--codex-trust", "--no-codex-fail-closed", "--no-codex-ask", "--no-proof"),
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

    __slots__ = ("_environment", "_found", "_gone_through", "_lookup", "directories")

    def __init__(self, call: ToolCall, context: Context, found: Unwrapped) -> None:
        from guardhook.shell.lookup import Lookup

        self._found = found
        self._gone_through: set[tuple[Command, int]] = set()
        self._environment = context.settings.environment
        self._lookup = Lookup(self._environment, call.cwd).get
        self.directories = Directories(found, call.cwd, self._lookup)

    def paths(self) -> "Iterator[Path]":
        """Every path that the call changes on this machine, as far as it is known."""
        from guardhook.shell import writes

        for write in writes.writes(self._found, self._lookup):
            if write.path and write.layer.local:
                path = write.path if write.layer.language == BASH else write.path.replace("\\", "/")
                yield Path(path, self.directories.of(write.command), False, write.segment())
        for invocation in self._found.invocations:
            if invocation.local:
                yield from self._operands(invocation)

    def _operands(self, invocation: "Invocation") -> "Iterator[Path]":
        name, language = invocation.name, invocation.language
        if name not in programs.PROGRAMS and (language == BASH or name not in programs.WINDOWS):
            return
        where, segment = self.directories.of(invocation.command), invocation.segment()
        for words in self._found.expand(invocation, self._lookup):
            for path, below in programs.targets(name, words, language, lambda path: self._is_folder(path, where)):
                if path and UNKNOWN not in path and _HOLE not in path:
                    yield Path(path if language == BASH else path.replace("\\", "/"), where, below, segment)

    def named(self, names: frozenset[str]) -> "Iterator[tuple[str, str | None]]":
        """(path, what a relative one starts from) of every redirection, and of every word behind these programs."""
        variables = self._found.afterwards(self._lookup)
        for layer in self._found.layers:
            for command in layer.reading.commands if layer.local else ():
                for redirection in command.redirections:
                    if redirection.body is None:
                        for text in variables.texts(redirection.target, command.scope):
                            yield text, self.directories.of(command)
        for invocation in self._found.invocations:
            if invocation.local and invocation.name in names:
                for words in self._found.expand(invocation, self._lookup):
                    yield from ((word, self.directories.of(invocation.command)) for word in words[1:])

    def changes(self, protected: Protected) -> "Iterator[Change]":
        """What of the protected things changes."""
        for path in self.paths():
            thing = (protected.around if path.below else protected.at)(path.text, path.where)
            if thing is not None:
                yield Change(thing, path.act)
        for invocation in self._found.invocations:
            if invocation.local:
                yield from (Change(thing, invocation.segment()) for thing in self._through_find(invocation, protected))
                yield from self._by_command_line(invocation)

    def _is_folder(self, path: str, where: str | None) -> bool:
        from guardhook.prose import scope

        if UNKNOWN in path or (where is None and path[:1] not in ("/", "~")):
            return False
        whole = scope.absolute(path, where or "", self._environment)
        return whole is not None and scope.is_directory(whole)

    def _through_find(self, invocation: "Invocation", protected: Protected) -> "Iterator[Thing]":
        """What `find -delete` reaches, `find -exec` with a program of the table, and `find | xargs` with one."""
        if invocation.name != "find" and _LEADERS.isdisjoint(invocation.prefixes):
            return
        from guardhook.protect import finds

        command, actions = invocation.command, ("-delete", *(finds.EXECS if self._changes(invocation) else ()))
        if "find" not in (invocation.name, *invocation.prefixes):
            feeder = command.feeder
            while isinstance(feeder, Command) and feeder.words and feeder.words[0].text in _FILTERS:
                feeder = feeder.feeder
            if len(actions) == 1 or not isinstance(feeder, Command):
                return
            command, actions = feeder, ("-print", "-print0")
        if (command, len(actions)) in self._gone_through:  # one `find` may run thousands of programs
            return
        self._gone_through.add((command, len(actions)))
        for arguments in self._found.afterwards(self._lookup).arguments(command.words, command.scope):
            at = next((index for index, word in enumerate(arguments) if program(word) == "find"), -1)
            if program(arguments[0]) in _PRINTERS and actions[0] == "-print":
                for word in arguments[1:]:
                    thing = None if UNKNOWN in word else protected.around(word, self.directories.of(command))
                    if thing is not None:
                        yield thing
            if at >= 0:
                found = finds.Find(arguments[at + 1 :], actions)
                yield from self._reached(found, self.directories.of(command), protected)

    def _changes(self, invocation: "Invocation") -> bool:
        """Whether the program that `find` or `xargs` runs changes the files that it is given."""
        if invocation.name in programs.PROGRAMS:
            return True
        return invocation.name in ("sed", "perl") and any(
            word[:1] == "-" and ("i" in word[1:3] or word.startswith("--in-place")) for word in invocation.arguments[1:]
        )

    def _reached(self, find: "Find", where: str | None, protected: Protected) -> "Iterator[Thing]":
        for start in find.starts:
            if UNKNOWN in start:
                continue
            for thing, names in protected.below(start, where):
                inner = [names[:length] for length in range(1, len(names) + 1)] or [names]
                inner += [[*names, name] for name in _INSIDE] if thing.kind == WHOLE else []
                if any(find.reaches(start, way) for way in inner):
                    yield thing

    def _by_command_line(self, invocation: "Invocation") -> "Iterator[Change]":
        """What `guardhook` and `codex` change themselves."""
        if invocation.name not in ("guardhook", "codex"):
            return
        for words in self._found.expand(invocation, self._lookup):
            arguments = words[1:]
            how = "" if not _IDLE.isdisjoint(arguments) else _weakens(invocation.name, arguments)
            if how:
                thing = _OWN if invocation.name == "guardhook" else Thing("", CONFIG)
                yield Change(thing, invocation.segment(), how)


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
# Names as they stand in a folder of ours.
_INSIDE = ("guard.py", "engine.py", "manifest.json", "x.pack")
