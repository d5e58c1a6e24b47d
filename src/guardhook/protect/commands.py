"""What a shell command does to protected paths: redirections, the programs of the table, `find`, and the guard's own
command line (SPEC P2). A path that nobody knows before the shell runs passes, as everywhere (SPEC C8)."""

from guardhook.call import BASH, ToolCall
from guardhook.context import Context
from guardhook.protect import programs
from guardhook.protect.files import Change
from guardhook.protect.places import WHOLE, Protected, Thing
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

# Options of `guardhook install` that let calls run unguarded, or load other code into the hook.
_WEAKENING = (
    *("--fail-open", "--codex-trust", "--no-codex-fail-closed", "--no-codex-ask", "--no-proof"),
    *("--python", "--agent-style"),
)
_IDLE = frozenset(("--help", "-h", "--version", "--dry-run"))


def changes(call: ToolCall, context: Context, protected: Protected) -> "Iterator[Change]":
    """Everything protected that a shell command changes."""
    found = known(call, context)
    site = _Site(call, context, protected, found)
    yield from site.written()
    for invocation in found.invocations:
        if invocation.local:
            yield from site.changed(invocation)
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


class _Site:
    """Looks at the commands of one call."""

    __slots__ = ("_environment", "_found", "_gone_through", "_lookup", "_protected", "directories")

    def __init__(self, call: ToolCall, context: Context, protected: Protected, found: Unwrapped) -> None:
        from guardhook.shell.lookup import Lookup

        self._found = found
        self._gone_through: set[tuple[Command, int]] = set()
        self._protected = protected
        self._environment = context.settings.environment
        self._lookup = Lookup(self._environment, call.cwd).get
        self.directories = Directories(found, call.cwd, self._lookup)

    def written(self) -> "Iterator[Change]":
        """Redirections, `tee`, in-place edits and content cmdlets."""
        from guardhook.shell import writes

        for write in writes.writes(self._found, self._lookup):
            if write.path and write.layer.local:
                path = write.path if write.layer.language == BASH else write.path.replace("\\", "/")
                thing = self._protected.at(path, self.directories.of(write.command))
                if thing is not None:
                    yield Change(thing, write.segment())

    def changed(self, invocation: "Invocation") -> "Iterator[Change]":
        """What one part of the call changes by its arguments."""
        name, language = invocation.name, invocation.language
        segment = invocation.segment()
        if name == "find" or "find" in invocation.prefixes or "xargs" in invocation.prefixes:
            yield from (Change(thing, segment) for thing in self._through_find(invocation))
        if name == "guardhook":
            yield from (Change(_OWN, segment, how) for how in self._own(invocation))
        if name in programs.PROGRAMS or (language != BASH and name in programs.WINDOWS):
            where = self.directories.of(invocation.command)
            for words in self._found.expand(invocation, self._lookup):
                for path, below in programs.targets(name, words, language, lambda path: self._is_folder(path, where)):
                    thing = self._touched(path if language == BASH else path.replace("\\", "/"), where, below)
                    if thing is not None:
                        yield Change(thing, segment)

    def _touched(self, path: str, where: str | None, below: bool) -> Thing | None:
        if not path or UNKNOWN in path or _HOLE in path:
            return None
        return self._protected.around(path, where) if below else self._protected.at(path, where)

    def _is_folder(self, path: str, where: str | None) -> bool:
        from guardhook.prose import scope

        if UNKNOWN in path or (where is None and path[:1] not in ("/", "~")):
            return False
        whole = scope.absolute(path, where or "", self._environment)
        return whole is not None and scope.is_directory(whole)

    def _through_find(self, invocation: "Invocation") -> "Iterator[Thing]":
        """What `find -delete` reaches, `find -exec` with a program of the table, and `find | xargs` with one."""
        from guardhook.protect import finds

        command, actions = invocation.command, ("-delete", *(finds.EXECS if self._changes(invocation) else ()))
        if "find" not in (invocation.name, *invocation.prefixes):
            feeder = command.feeder
            if len(actions) == 1 or not isinstance(feeder, Command):
                return
            command, actions = feeder, ("-print", "-print0")
        if (command, len(actions)) in self._gone_through:  # one `find` may run thousands of programs
            return
        self._gone_through.add((command, len(actions)))
        for arguments in self._found.afterwards(self._lookup).arguments(command.words, command.scope):
            at = next((index for index, word in enumerate(arguments) if program(word) == "find"), -1)
            if at >= 0:
                yield from self._reached(finds.Find(arguments[at + 1 :], actions), self.directories.of(command))

    def _changes(self, invocation: "Invocation") -> bool:
        """Whether the program that `find` or `xargs` runs changes the files that it is given."""
        if invocation.name in programs.PROGRAMS:
            return True
        return invocation.name in ("sed", "perl") and any(
            word[:1] == "-" and ("i" in word[1:3] or word.startswith("--in-place")) for word in invocation.arguments[1:]
        )

    def _reached(self, find: "Find", where: str | None) -> "Iterator[Thing]":
        for start in find.starts:
            if UNKNOWN in start:
                continue
            for thing, names in self._protected.below(start, where):
                inner = [names[:length] for length in range(1, len(names) + 1)] or [names]
                inner += [[*names, name] for name in _INSIDE] if thing.kind == WHOLE else []
                if any(find.reaches(start, way) for way in inner):
                    yield thing

    def _own(self, invocation: "Invocation") -> "Iterator[str]":
        for words in self._found.expand(invocation, self._lookup):
            arguments = words[1:]
            if not _IDLE.isdisjoint(arguments):
                continue
            if arguments[:1] == ["uninstall"]:
                yield "it takes the guard out"
            elif arguments[:1] == ["install"]:
                weak = [option for option in _WEAKENING if any(_is_option(word, option) for word in arguments)]
                if weak:
                    yield f"it weakens the guard, or runs other code in it: {', '.join(weak)}"


def _is_option(word: str, option: str) -> bool:
    return word == option or word.startswith(option + "=")


_OWN = Thing("", WHOLE, "guardhook itself")
# Names as they stand in a folder of ours.
_INSIDE = ("guard.py", "engine.py", "manifest.json", "x.pack")
