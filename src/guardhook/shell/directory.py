"""Where a command runs: a literal `cd`, `pushd` or `Set-Location` moves its scope's working directory (SPEC N5)."""

from guardhook.call import BASH, CMD, POWERSHELL
from guardhook.shell.commands import (
    BACKGROUND,
    BRANCH,
    FUNCTION,
    LOOP,
    PIPELINE,
    SUBSHELL,
    SUBSTITUTION,
    UNKNOWN,
    VARIABLE,
    Command,
    Part,
    Scope,
)
from guardhook.shell.unwrap import Invocation, Unwrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Language -> the commands that change the working directory. Not in Bash: there `sl` is a steam train.
MOVERS = {
    BASH: frozenset(("cd", "pushd", "popd")),
    POWERSHELL: frozenset("cd chdir set-location sl pushd push-location popd pop-location".split()),
    CMD: frozenset(("cd", "chdir", "pushd", "popd")),
}

# Options with which the directory is still the operand. Bash's `cd -P` is none of them: what a `..` means behind it
# depends on links.
_OPTIONS = {
    BASH: frozenset(("-L", "-@", "--")),
    POWERSHELL: frozenset(("-path", "-literalpath", "-passthru", "--")),
    CMD: frozenset(("/d",)),
}
# More moves than any person writes: past them nobody knows, so that time stays linear.
MAX_MOVES = 100

# What runs a builtin in the calling shell itself; behind any other prefix `cd` is a process of its own.
_IN_SHELL = ("builtin", "command")
_OWN_PROCESS = (SUBSHELL, SUBSTITUTION, PIPELINE, BACKGROUND)
_MAY_SKIP = (BRANCH, LOOP, FUNCTION)
_PATTERN = "*?["


class _Place:
    """Where a shell is.

    steps: a directory that is taken as it stands ("/" is the root), and what moves added to it.
    passed: the directories that the moves named, one after the other, each as it was written behind the one before.
    """

    __slots__ = ("passed", "steps")

    def __init__(self, steps: tuple[str, ...], passed: tuple[str, ...] = ()) -> None:
        self.steps = steps
        self.passed = passed

    def path(self) -> str:
        floor, steps = self.steps[0], "/".join(self.steps[1:])
        return f"{floor}/{steps}" if floor not in ("", "/") and steps else floor + steps


class Directories:
    """The working directory of every simple command of a call.

    A path is absolute, or relative where `start` is "" and so not known; None where a move cannot be followed. As in a
    shell, a `..` of a move takes back the step before it, whether that is a link or not; one that is left over stands
    in the path and is for the file system to follow.
    """

    __slots__ = ("_environment", "_found", "_is_physical", "_is_searched", "_known", "_moved", "_places", "start")

    def __init__(
        self,
        found: Unwrapped,
        start: str,
        environment: "Callable[[str], str | None] | None" = None,
        skipped: frozenset[Command] = frozenset(),
    ) -> None:
        """start: the directory in which the call runs, "" if it is not known. environment: as for `found.expand`.

        skipped: moves that are taken not to happen.
        """
        self.start = start
        self._found = found
        self._environment = environment
        self._known: dict[Scope, _Place | None] = {}
        self._places: dict[Command, _Place | None] = {}
        self._moved = False
        # With this variable `cd x` goes to another place than `cd ./x`.
        self._is_searched = any("CDPATH" in layer.reading.text for layer in found.layers)
        self._is_physical = any(_sets_physical(invocation) for invocation in found.invocations)
        doubtful: Command | None = None
        for invocation in found.invocations:
            command = invocation.command
            if command not in self._places:
                unsure = doubtful is not None and command.before == "||" and command.scope is doubtful.scope
                self._places[command] = None if unsure else self._at(command.scope)
            doubtful = None
            if command not in skipped and moves(invocation):
                self._moved = True
                self._move(invocation)
                doubtful = command

    def of(self, command: Command) -> str | None:
        """The directory in which `command` runs."""
        place = self._place(command)
        return None if place is None else place.path()

    def passed(self, command: Command) -> tuple[str, ...]:
        """The directories that moves before `command` named: where one is not there, the move did not happen."""
        place = self._place(command)
        return () if place is None else place.passed

    def _place(self, command: Command) -> _Place | None:
        if self._moved and _is_in_function(command.scope):  # nobody knows where it is called
            return None
        return self._places[command] if command in self._places else self._at(command.scope)

    def _at(self, scope: Scope | None) -> _Place | None:
        while scope is not None:
            if scope in self._known:
                return self._known[scope]
            scope = scope.parent
        return _Place((self.start,))

    def _move(self, invocation: Invocation) -> None:
        scope: Scope | None = invocation.command.scope
        before = self._at(scope)
        after = _joined(before, self._target(invocation))
        if invocation.variant or invocation.command.before == "||":  # it may not move, or to several places
            after = None
        while scope is not None:
            self._known[scope] = after
            if scope.kind in _OWN_PROCESS:
                break
            if scope.kind in _MAY_SKIP:  # behind it nobody knows whether it moved
                after = None
            scope = scope.parent

    def _target(self, invocation: Invocation) -> str | None:
        """The directory that a move names, or None."""
        language = invocation.layer.language
        if _is_odd(invocation):
            return ".." if invocation.name == "cd.." else None
        lists = self._found.expand(invocation, self._environment)
        if len(lists) != 1:
            return None
        words = lists[0][1:]
        if language == BASH and not words and invocation.name == "cd":
            return "~"
        operands = [word for word in words if (word if language == BASH else word.lower()) not in _OPTIONS[language]]
        if len(operands) != 1 or UNKNOWN in operands[0] or operands[0][:1] in ("", "-", "+"):
            return None
        target = operands[0]
        if language != BASH:
            target = target.replace("\\", "/")
        if target[:2] == "//" or any(c in target for c in _PATTERN):
            return None
        if self._is_physical and ".." in target.split("/"):
            return None
        if language == CMD and target[1:2] == ":" and len(operands) == len(words):  # without `/d` it does not go there
            return None
        if target[:1] == "~":
            is_home = means_home(invocation.command, operands[0]) or _has_variables(invocation.command)
            return target if target[1:2] in ("", "/") and is_home else None
        return None if not is_absolute(target) and target[0] != "." and self._is_searched else target


def _joined(before: _Place | None, target: str | None) -> _Place | None:
    """The place after a move to `target`, None if that or the place before is not known."""
    if target is None or (before is not None and len(before.passed) >= MAX_MOVES):
        return None
    steps = target.split("/")
    place, passed = _Place((steps.pop(0) or "/",)) if is_absolute(target) else before, target
    if place is None:
        return None
    if place is before and place.path():
        passed = f"{place.path()}/{target}"
    walked = list(place.steps)
    for step in steps:
        if step == ".." and len(walked) > 1 and walked[-1] != "..":
            walked.pop()
        elif step not in ("", ".") and (step != ".." or walked != ["/"]):
            walked.append(step)
    return _Place(tuple(walked), (*(before.passed if before is not None else ()), passed))


def is_absolute(path: str) -> bool:
    """True for `/x`, `~/x`, `C:\\x` and `\\\\server\\x`."""
    return path[:1] in ("/", "\\", "~") or path[1:2] == ":"


def means_home(command: Command, text: str) -> bool:
    """True if an argument that begins with a tilde stands in the command as a word whose tilde is not quoted.

    Nor may anything up to the first slash be: `~"/x"` is a folder of that name.
    """
    words = [word for word in command.words if word.text == text]
    return bool(words) and all(not word.parts or _is_open(word.parts) for word in words)


def _has_variables(command: Command) -> bool:
    """True if a value may be where the tilde comes from: it was expanded when the variable was set."""
    return any(part.kind == VARIABLE for word in command.words[1:] for part in word.parts)


def _is_open(parts: tuple[Part, ...]) -> bool:
    return not parts[0].quoted and (parts[0].text[:2] == "~/" or (parts[0].text == "~" and len(parts) == 1))


def moves(invocation: Invocation) -> bool:
    """True if the part changes the working directory of the shell that it stands in."""
    if not invocation.local:
        return False
    if invocation.name in MOVERS[invocation.layer.language]:
        return all(prefix in _IN_SHELL for prefix in invocation.prefixes)
    return _is_odd(invocation)


def _is_odd(invocation: Invocation) -> bool:
    """True for what moves under another name: `time cd x`; PowerShell's `cd..` and `cd\\`; a drive, `D:`."""
    words, language = invocation.command.words, invocation.layer.language
    if not words:
        return False
    if language == BASH:
        return invocation.name == "time" and any(word.text in MOVERS[BASH] for word in words[1:3])
    text = words[0].text.lower()
    if len(text) == 2 and text[1] == ":" and text[0].isalpha():
        return True
    return language == POWERSHELL and text in ("cd..", "cd\\", "cd~")


def _sets_physical(invocation: Invocation) -> bool:
    """True for `set -P`, after which bash's `cd ..` leaves a link's target and not the link."""
    if invocation.name != "set" or invocation.layer.language != BASH:
        return False
    return any(
        word.text == "physical" or (word.text[:1] == "-" and "P" in word.text) for word in invocation.command.words[1:]
    )


def _is_in_function(scope: Scope | None) -> bool:
    while scope is not None:
        if scope.kind == FUNCTION:
            return True
        scope = scope.parent
    return False
