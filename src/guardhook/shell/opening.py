"""THE recursion: expands a command's words and follows the wrappers at their front (SPEC C3, C4, C8).

A wrapper's row says where its payload is: an argument list goes on being read in place, a shell line is read by its own
grammar and walked like the text that held it.
"""

from guardhook.call import BASH
from guardhook.gates import RISKY
from guardhook.shell import payloads, programs
from guardhook.shell.commands import GROUP, SUBSHELL, VARIABLE, Assignment, Command, Scope, Word
from guardhook.shell.options import Grammar, walk
from guardhook.shell.unwrap import SETTERS, WINDOWS_SETTERS, Invocation, Layer, Unwrapped, is_plain
from guardhook.shell.variables import Variables, may_run_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.shell.stdin import Feed
    from guardhook.shell.wrappers.rows import Wrapper

# Of the commands that set variables, those that give them a value nobody can know, with their options (bash 5.2).
_FORGETTERS = {
    "unset": Grammar(),
    "read": Grammar("-d -i -n -N -p -t -u"),
    "mapfile": Grammar("-d -n -O -s -u -C -c"),
    "readarray": Grammar("-d -n -O -s -u -C -c"),
}

MAX_WRAPPER_DEPTH = 3
TOO_DEEP = f"it is wrapped more than {MAX_WRAPPER_DEPTH} levels deep, so guardhook could not look further."

# More prefixes than any person writes: past them the call counts as nested too deep, so that time stays linear.
MAX_PREFIXES = 100


# A loop is gone through so often for what its assignments build from each other.
ROUNDS = 4

# The most times that commands are opened again for other values of their variables, in all.
MAX_VARIANTS = 10_000

# Payloads that exist only for other values are read up to this number of texts, so that they leave room for the rest.
MAX_VARIANT_LAYERS = 300


class Place:
    """Where the opening of one simple command stands: behind which prefixes, how deep, on which machine."""

    __slots__ = ("command", "depth", "environment", "feed", "language", "layer", "local", "prefixes", "variant")

    def __init__(self, layer: Layer, command: Command, feed: "Feed | None", variant: int) -> None:
        self.layer = layer
        self.command = command
        self.feed = feed
        self.variant = max(variant, layer.variant)
        self.depth = layer.depth
        self.local = layer.local
        self.language = layer.language
        self.prefixes: tuple[str, ...] = ()
        self.environment: tuple[str, ...] = ()

    def behind(self, name: str, row: "Wrapper", environment: list[str]) -> "Place":
        """The place behind one more wrapper."""
        place = Place(self.layer, self.command, self.feed, self.variant)
        place.depth = self.depth + row.counts
        place.local = self.local and not row.remote
        place.language = BASH if row.remote else self.language
        place.prefixes = (*self.prefixes, name)
        place.environment = (*self.environment, *environment)
        return place

    def program(self, word: str) -> str:
        """The name of the program that a command word means here."""
        return programs.program(word) if self.language == BASH else programs.windows_program(word)


class Opener:
    """Opens the commands of one call and keeps its variables."""

    __slots__ = ("count", "found", "later", "setters", "variables")

    def __init__(self, found: Unwrapped) -> None:
        self.found = found
        self.count = 0
        self.setters: list[Command] = []
        self.later: list[tuple[Layer, Command, Feed | None, list[list[str]], int]] = []
        self.variables = Variables()

    def open(self, layer: Layer, command: Command, feed: "Feed | None") -> None:
        """List what one simple command runs, for each value that its variables may have."""
        words = command.words
        if self.found.full:
            self._leaf(Place(layer, command, feed, 0), [word.text for word in words])
            return
        self._default(command)
        lists = self.variables.arguments(words, command.scope)
        self._variants(layer, command, feed, lists, 0)
        if may_run_later(command.scope):
            # The same arguments again matter only for a wrapper, whose payload may hold variables of its own.
            known = lists if any(part.kind == VARIABLE for word in words for part in word.parts) else []
            self.later.append((layer, command, feed, known, self.variables.news))

    def finish(self, layer: Layer) -> None:
        """Open once more, at the end of a process, what may run with values that were only set after it."""
        if layer.root.kind == GROUP:  # the text of an `eval`: its shell goes on
            return
        later, self.later = self.later, []
        outer, self.variables.looking_back = self.variables.looking_back, True  # a payload's end lies in another's
        self._repeat(self.setters)
        self.setters = []
        for where, command, feed, before, news in later:
            if news == self.variables.news:
                continue
            lists = self.variables.arguments(command.words, command.scope)
            self._variants(where, command, feed, [new for new in lists if new not in before], len(before) or 1)
        self.variables.looking_back = outer

    def _variants(
        self, layer: Layer, command: Command, feed: "Feed | None", lists: list[list[str]], number: int
    ) -> None:
        self.count += max(0, len(lists) - 1)
        if self.count > MAX_VARIANTS and len(lists) > 1:
            self.variables.overflow = True
            lists = lists[:1]
        for arguments in lists:
            self._follow(Place(layer, command, feed, number), arguments)
            number += 1
        if self._hides(layer, command):
            self.found.flaw("more values of variables than can be followed")
        self.variables.overflow = False

    def _hides(self, layer: Layer, command: Command) -> bool:
        """True if what was left out of the command's expansion may say what runs, and not only on what."""
        words = command.words
        family = RISKY[layer.language].get(layer.program(words[0].text), "")
        fixed = family[:6] == "delete" or (family and words[1:] and words[1].text[:1] != "-")
        deciding = [word for word in words[: 2 if fixed else 6] if not is_plain(word)]
        names = {part.text for word in deciding for part in word.parts}
        variables = self.variables
        return bool(deciding) and (variables.overflow or variables.exhausted or not names.isdisjoint(variables.cut))

    def _default(self, command: Command) -> None:
        """`${g:=push}` sets `g`, unless it is known to be set."""
        words = list(command.words)
        for assignment in command.assignments:
            words += assignment.elements or ([assignment.value] if assignment.value else [])
        for word in words:
            for part in word.parts:
                if part.operand is not None:
                    words.append(part.operand)
                if part.operator in (":=", "=") and part.operand is not None:
                    assignment = Assignment(part.text, part.operand)
                    self.variables.assign(
                        command.scope, part.text, self.variables.values(assignment, command.scope), True
                    )

    def set(self, command: Command) -> None:
        """Carry out `g=push`, `export g=push`, `unset g` or `read g`; the last two make a variable unknown."""
        self._record(command)
        if may_run_later(command.scope):
            self._repeat([command])
            self.setters.append(command)

    def _repeat(self, setters: list[Command]) -> None:
        """Go through assignments again, as a loop does, while they give new values; what only that gives may be cut."""
        cut = set(self.variables.cut)
        for _ in range(ROUNDS):
            news = self.variables.news
            for command in setters:
                self._record(command)
            if news == self.variables.news:
                break
        self.variables.cut = cut

    def _record(self, command: Command) -> None:
        from guardhook.shell.bash.words import assignment_of

        words = command.words
        self._default(command)
        if words and command.assignments:  # of the command's own environment: `g=push f`
            for assignment in command.assignments:
                self.variables.note(assignment.name, self.variables.values(assignment, command.scope))
        if not words:
            found = command.assignments
        elif programs.windows_program(words[0].text) in WINDOWS_SETTERS:
            found = _windows_assignments(words)
        elif any(word.text in _FORGETTERS for word in words):
            texts = [word.text for word in words]
            seen = walk(texts, _FORGETTERS[next(text for text in texts if text in _FORGETTERS)], 1)
            found = [] if seen.has("-f") else [Assignment(text, None) for text in texts[seen.stop :]]
        else:
            found = [assignment for assignment in map(assignment_of, words) if assignment is not None]
        self.variables.record(command, found)

    def _follow(self, place: Place, arguments: list[str]) -> None:
        """Go through the wrappers at the front of an argument list down to the program that runs."""
        while arguments:
            name = place.program(arguments[0])
            if name[:4] == "git-":
                name, arguments = programs.unfold(name, arguments)
            row, start = payloads.find(name, arguments, place.language)
            if row is None:
                break
            payload = payloads.payload(row, arguments, start)
            if payload.sealed is not None:
                self._leaf(place, arguments, payloads.sealed(name, payload.sealed))
                return
            texts = payload.texts or (self._standard_input(place) if payload.reads else [])
            if not texts and not payload.commands:
                break
            inner = place.behind(name, row, payload.environment)
            if inner.depth > MAX_WRAPPER_DEPTH or len(inner.prefixes) > MAX_PREFIXES:
                self._leaf(place, arguments, ("shell.too-deep", TOO_DEEP))
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

    def _leaf(self, place: Place, arguments: list[str], obstacle: tuple[str, str] | None = None) -> None:
        name = place.program(arguments[0]) if arguments else ""
        if name in SETTERS or (name in WINDOWS_SETTERS and place.language != BASH):
            self.set(place.command)
        invocation = Invocation(place.layer, place.command, name, arguments)
        invocation.prefixes = place.prefixes
        invocation.local = place.local
        invocation.language = place.language
        invocation.variant = place.variant
        invocation.obstacle = obstacle
        self.found.invocations.append(invocation)

    def _text(self, place: Place, row: "Wrapper", text: str) -> None:
        """Read and walk a shell line that a wrapper runs."""
        from guardhook.shell.stdin import Feed

        if place.variant and len(self.found.layers) > MAX_VARIANT_LAYERS:
            self.variables.overflow = True
            return
        via = (*place.layer.via, *place.prefixes)
        layer = self.found.read(text, place.depth, place.local, via, row.shell)
        if layer is None:
            return
        start, end = place.command.start, place.command.end
        layer.outermost = place.layer.outermost or place.layer.reading.text[start : min(end, start + 200)]
        layer.variant = place.variant
        if place.local:
            layer.root.kind = GROUP if row.same else SUBSHELL
            layer.root.parent = place.command.scope
            self._inherit(place, layer.root, row.same)
        self.found.walk(layer, Feed(place.command, place.layer.reading.commands, place.feed))

    def _inherit(self, place: Place, root: Scope, same: bool) -> None:
        """Give a payload the variables that only its own environment has: `g=push bash -c 'git $g'`.

        same: it runs in the calling shell, which has the values of before again afterwards.
        """
        for assignment in place.command.assignments:
            self.variables.assign(root, assignment.name, self.variables.values(assignment, place.command.scope), same)
        for pair in place.environment:
            name, _, value = pair.partition("=")
            self.variables.assign(root, name, [[value]], same)

    def _standard_input(self, place: Place) -> list[str]:
        from guardhook.shell import stdin

        feed = stdin.Feed(place.command, place.layer.reading.commands, place.feed)
        return stdin.texts(feed, self.variables) or []


def _windows_assignments(words: list[Word]) -> list[Assignment]:
    """What `set g=push` (cmd), `Set-Variable g push` and `Set-Item env:g push` (PowerShell) assign."""
    from guardhook.shell.bash.words import assignment_of

    name = programs.windows_program(words[0].text)
    if name == "set":
        found = [assignment_of(word) for word in words[1:]]
        if any(found):
            return [assignment for assignment in found if assignment is not None]
    # -Name and -Value, or in this order without them; an abbreviation is a beginning of the name.
    named: dict[str, Word] = {}
    plain = []
    rest = iter(words[1:])
    for word in rest:
        letter = word.text[1:2].lower() if word.text[:1] == "-" else ""
        if letter in ("n", "v", "p", "l"):
            value = next(rest, None)
            if value is not None:
                named["value" if letter == "v" else "name"] = value
        elif not letter:
            plain.append(word)
    target = named.get("name") or (plain.pop(0) if plain else None)
    value = named.get("value") or (plain.pop(0) if plain else None)
    if target is None or value is None:
        return []
    place, colon, key = target.text.rpartition(":")
    return [Assignment(key if colon and place.lower() == "env" else "$" + key.lower(), value)]
