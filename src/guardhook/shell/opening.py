"""THE recursion: expands a command's words and follows the wrappers at their front (SPEC C3, C4, C8).

A wrapper's row says where its payload is: an argument list goes on being read in place, a shell line is read by its own
grammar and walked like the text that held it.
"""

from guardhook.shell import payloads, programs
from guardhook.shell.commands import GROUP, SUBSHELL, Assignment, Command, Scope
from guardhook.shell.unwrap import SETTERS, Invocation, Layer, Unwrapped
from guardhook.shell.variables import Variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.shell.stdin import Feed
    from guardhook.shell.wrappers.rows import Wrapper

# Of the commands that set variables, those that give them a value nobody can know.
_FORGETTERS = frozenset(("unset", "read", "mapfile", "readarray"))

MAX_WRAPPER_DEPTH = 3

# More prefixes than any person writes: past them the call counts as nested too deep, so that time stays linear.
MAX_PREFIXES = 100


class Place:
    """Where the opening of one simple command stands: behind which prefixes, how deep, on which machine."""

    __slots__ = ("command", "depth", "environment", "feed", "layer", "local", "prefixes", "variant")

    def __init__(self, layer: Layer, command: Command, feed: "Feed | None", variant: bool) -> None:
        self.layer = layer
        self.command = command
        self.feed = feed
        self.variant = variant
        self.depth = layer.depth
        self.local = layer.local
        self.prefixes: tuple[str, ...] = ()
        self.environment: tuple[str, ...] = ()

    def behind(self, name: str, row: "Wrapper", environment: list[str]) -> "Place":
        """The place behind one more wrapper."""
        place = Place(self.layer, self.command, self.feed, self.variant)
        place.depth = self.depth + row.counts
        place.local = self.local and not row.remote
        place.prefixes = (*self.prefixes, name)
        place.environment = (*self.environment, *environment)
        return place


class Opener:
    """Opens the commands of one call and keeps its variables."""

    __slots__ = ("found", "variables")

    def __init__(self, found: Unwrapped) -> None:
        self.found = found
        self.variables = Variables()

    def open(self, layer: Layer, command: Command, feed: "Feed | None") -> None:
        """List what one simple command runs, for each value that its variables may have."""
        if self.found.full:
            self._leaf(Place(layer, command, feed, False), [word.text for word in command.words])
            return
        for number, arguments in enumerate(self.variables.arguments(command.words, command.scope)):
            self._follow(Place(layer, command, feed, number > 0), arguments)
        if self.variables.overflow:
            self.found.flaw("more values of variables than can be followed")

    def set(self, command: Command) -> None:
        """Carry out `g=push`, `export g=push`, `unset g` or `read g`; the last two make a variable unknown."""
        from guardhook.shell.words import assignment_of

        words = command.words
        if not words:
            found = command.assignments
        elif any(word.text in _FORGETTERS for word in words):
            found = [Assignment(word.text, None) for word in words]
        else:
            found = [assignment for assignment in map(assignment_of, words) if assignment is not None]
        self.variables.record(command, found)

    def _follow(self, place: Place, arguments: list[str]) -> None:
        """Go through the wrappers at the front of an argument list down to the program that runs."""
        while arguments:
            arguments = programs.unfold(arguments)
            name = programs.program(arguments[0])
            row, start = payloads.find(name, arguments)
            if row is None:
                break
            payload = payloads.payload(row, arguments, start)
            texts = payload.texts or (self._standard_input(place) if payload.reads else [])
            if not texts and not payload.commands:
                break
            inner = place.behind(name, row, payload.environment)
            if inner.depth > MAX_WRAPPER_DEPTH or len(inner.prefixes) > MAX_PREFIXES:
                self._leaf(place, arguments, f"it is wrapped more than {MAX_WRAPPER_DEPTH} levels deep")
                return
            if texts:
                for text in texts:
                    self._text(inner, row, text)
                return
            place = inner
            for other in payload.commands[:-1]:
                self._follow(place, other)
            arguments = payload.commands[-1]
        self._leaf(place, arguments)

    def _leaf(self, place: Place, arguments: list[str], obstacle: str = "") -> None:
        name = programs.program(arguments[0]) if arguments else ""
        if name in SETTERS:
            self.set(place.command)
        invocation = Invocation(place.layer, place.command, name, arguments)
        invocation.prefixes = place.prefixes
        invocation.local = place.local
        invocation.variant = place.variant
        invocation.obstacle = obstacle
        self.found.invocations.append(invocation)

    def _text(self, place: Place, row: "Wrapper", text: str) -> None:
        """Read and walk a shell line that a wrapper runs."""
        from guardhook.shell.stdin import Feed

        layer = self.found.read(text, place.depth, place.local, (*place.layer.via, *place.prefixes))
        if layer is None:
            return
        if place.local:
            layer.root.kind = GROUP if row.same else SUBSHELL
            layer.root.parent = place.command.scope
            self._inherit(place, layer.root)
        self.found.walk(layer, Feed(place.command, place.feed))

    def _inherit(self, place: Place, root: Scope) -> None:
        """Give a payload the variables that only its own environment has: `g=push bash -c 'git $g'`."""
        for assignment in place.command.assignments:
            self.variables.assign(root, assignment.name, self.variables.values(assignment, place.command.scope), False)
        for pair in place.environment:
            name, _, value = pair.partition("=")
            self.variables.assign(root, name, [[value]], False)

    def _standard_input(self, place: Place) -> list[str]:
        from guardhook.shell import stdin

        return stdin.texts(place.command, place.feed, self.variables) or []
