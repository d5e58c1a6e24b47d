"""What `find -delete`, `find -exec` and `find | xargs` change: the files that the `find` reaches (SPEC P2)."""

from guardhook.prose import scope
from guardhook.protect import finds, programs
from guardhook.protect.places import WHOLE, Protected, Thing
from guardhook.shell.commands import UNKNOWN, Command
from guardhook.shell.directory import Directories
from guardhook.shell.programs import program
from guardhook.shell.unwrap import Invocation, Unwrapped
from guardhook.shell.writes import may_edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LEADERS = frozenset(("find", "xargs"))
HOLE = "{}"  # where they put a path
_FILTERS = frozenset("grep egrep fgrep rg sort uniq head tail tac sed awk tr cat tee".split())  # between the two
_PRINTERS = frozenset(("echo", "printf", "ls"))
_PRINTS = ("-print", "-print0", "-printf")


class Through:
    """Goes through the commands of one call. lookup: variables of the hook's own environment."""

    __slots__ = ("_directories", "_done", "_found", "_lookup", "_protected", "_through_shells")

    def __init__(
        self,
        found: Unwrapped,
        directories: Directories,
        protected: Protected,
        lookup: "Callable[[str], str | None]",
    ) -> None:
        self._found = found
        self._directories = directories
        self._protected = protected
        self._lookup = lookup
        self._through_shells: frozenset[str] = frozenset()  # leaders of which every use was looked at
        self._done: set[tuple[Command, tuple[str, ...]]] = set()  # one `find` may run thousands of programs

    def things(self, invocation: Invocation) -> "Iterator[Thing]":
        """The protected things that a part of the call changes in this way."""
        leaders = LEADERS.intersection((invocation.name, *invocation.prefixes))
        if leaders:
            yield from self._led(invocation.command, leaders, _is_changer(invocation))
            return
        leaders = LEADERS.intersection(invocation.layer.via)
        if leaders - self._through_shells and _may_change(invocation):  # `find -exec sh -c 'rm "$1"' _ {} \;`
            self._through_shells |= leaders
            for layer in self._found.layers:
                for command in layer.reading.commands:
                    if any(program(word.text) in leaders for word in command.words):
                        yield from self._led(command, leaders, True)

    def _led(self, command: Command, leaders: frozenset[str], changes: bool) -> "Iterator[Thing]":
        actions: tuple[str, ...] = ("-delete", *(finds.EXECS if changes else ()))
        if "find" not in leaders:
            if not changes:
                return
            feeder, actions = command.feeder, _PRINTS
            while isinstance(feeder, Command) and feeder.words and program(feeder.words[0].text) in _FILTERS:
                feeder = feeder.feeder
            if not isinstance(feeder, Command) or not feeder.words:
                return
            command = feeder
        if (command, actions) in self._done:
            return
        self._done.add((command, actions))
        where = self._directories.of(command)
        for arguments in self._found.afterwards(self._lookup).arguments(command.words, command.scope):
            if actions is _PRINTS and arguments and program(arguments[0]) in _PRINTERS:
                things = [self._protected.around(word, where) for word in arguments[1:] if UNKNOWN not in word]
                yield from (thing for thing in things if thing is not None)
            at = next((index for index, word in enumerate(arguments) if program(word) == "find"), -1)
            if at >= 0:
                yield from self._reached(finds.Find(arguments[at + 1 :], actions), where)

    def _reached(self, find: finds.Find, where: str | None) -> "Iterator[Thing]":
        for start in dict.fromkeys(find.starts):
            if UNKNOWN in start:
                continue
            for thing, names in self._protected.below(start, where):
                inner = [names[:length] for length in range(1, len(names) + 1)] or [names]
                if thing.kind == WHOLE and scope.is_directory(thing.path):
                    inner += [[*names, name] for name in [*(scope.names(thing.path) or ()), *_inside(thing.path)]]
                if any(find.reaches(start, way) for way in inner):
                    yield thing


def _inside(folder: str) -> tuple[str, ...]:
    """A name as it stands further below in a folder of code."""
    return ("engine.py",) if scope.is_directory(f"{folder}/guardhook") else ()


def _is_changer(invocation: Invocation) -> bool:
    """Whether the program that is run changes the files that it is given, and does not only read them."""
    name, arguments = invocation.name, invocation.arguments
    if name in ("sed", "perl"):
        return may_edit(arguments[1:])
    if name not in programs.PROGRAMS:
        return name == "tee"
    kind = programs.PROGRAMS[name].kind
    if kind == programs.COPIED:
        return arguments[-1:] == [HOLE]
    return kind != programs.OUTPUT or f"of={HOLE}" in arguments


def _may_change(invocation: Invocation) -> bool:
    """The same for a command in a shell that was run, some of whose words only that shell knows."""
    words = [word.text for word in invocation.command.words[1:]]
    targets = [
        redirection.target.text for redirection in invocation.command.redirections if ">" in redirection.operator
    ]
    if any(UNKNOWN in text or HOLE in text for text in targets):
        return True
    open_words = any(UNKNOWN in word or HOLE in word for word in words)
    changes = invocation.name in programs.PROGRAMS or (invocation.name in ("sed", "perl") and may_edit(words))
    return open_words and (changes or invocation.name == "tee")
