"""What a `git init` finds in its call: the directory it runs in, wrappers, and what runs before it (SPEC N3, N5)."""

from guardhook.call import BASH
from guardhook.gates.init_target import ABSENT, BLOCKED, THERE, UNKNOWN_WORDS, Init, enclosing, read, state
from guardhook.prose import scope
from guardhook.shell.commands import UNKNOWN
from guardhook.shell.directory import MOVERS, Directories, means_home
from guardhook.shell.unwrap import Invocation, Unwrapped
from guardhook.verdict import shown

_PATTERN = "*?[{"

# Wrapper -> options with which what it runs starts in another directory.
_MOVING = {
    "env": ("-C", "--chdir"),
    "sudo": ("-D", "-i", "-R", "--chdir", "--chroot", "--login"),
    "find": ("-execdir", "-okdir"),
    "uv": ("--directory",),
    "uvx": ("--directory",),
    "poetry": ("-C", "-P", "--directory", "--project"),
    "npx": ("-C", "-w", "--prefix", "--workspace"),
    "pnpm": ("-C", "-F", "-r", "--dir", "--filter", "--recursive", "recursive"),
    "bun": ("--cwd",),
    "bunx": ("--cwd",),
    "pwsh": ("-wd", "-wo", "-WorkingDirectory", "-workingdirectory"),
}
# What only looks at the paths it is given, or goes there.
_LOOKING = frozenset(("[", "test", "ls", "cat", "echo", "printf")).union(*MOVERS.values())
# What makes a path lead elsewhere, and what takes away.
_RELINKING = frozenset(("ln", "mv", "mount", "move-item", "mi", "new-item", "ni"))
_REMOVING = frozenset(("rm", "mv", "remove-item", "ri", "del", "move-item", "mi"))


# So many words of earlier parts are looked at.
MAX_OPERANDS = 1_000


class Nested:
    """A repository that would be a second one. place: its directory. outer: the top of the worktree around it."""

    __slots__ = ("init", "outer", "place")

    def __init__(self, init: Init, place: str, outer: str) -> None:
        self.init = init
        self.place = place
        self.outer = outer


class Site:
    """One call's working directories, and what its earlier parts make or move.

    made: the repositories that its parts make, by their place; True for a bare one.
    """

    __slots__ = ("cwd", "directories", "environment", "found", "made")

    def __init__(self, cwd: str, environment: dict[str, str], found: Unwrapped) -> None:
        """cwd: the payload's, "" for the process's own. environment: the hook's own."""
        self.found = found
        self.environment = environment
        self.cwd = scope.absolute(cwd or ".", "", environment) or ""
        self.directories = Directories(found, self.cwd, self._outside)
        self.made: dict[str, bool] = {}

    def _outside(self, name: str) -> str | None:
        """The value of a variable that the call does not set; PWD changes with the directory."""
        if name in ("PWD", "OLDPWD", "$pwd"):
            return None
        return self.environment.get("HOME" if name == "$home" else name)

    def judged(self, number: int, invocation: Invocation, init: Init) -> Nested | str:
        """What the part at `number` makes if that is nested, else why it is not judged, or "" for nothing to say.

        The parts of a call are to be given in order, since one may make a repository that a later one lies in.
        """
        why = _obstacle(invocation, self.found)
        if why:
            return why
        again = init if UNKNOWN not in "".join(invocation.arguments) else self._expanded(invocation)
        if again is None or again.obstacle:
            return UNKNOWN_WORDS if again is None else again.obstacle
        path, why = self._path(number, invocation, again)
        place = None if why else scope.resolved(path)
        if place is None:
            return why or "its directory cannot be followed through links"
        outer = enclosing(place, again.bare, self.made)
        if outer is None:
            self.made[place] = again.bare
            return ""
        if self._is_moved(number, place, outer):
            return "an earlier part of the command changes where its path leads"
        return Nested(again, place, outer or "/")

    def _expanded(self, invocation: Invocation) -> Init | None:
        """The init with variables of the environment put in; None if a word of it stays unknown."""
        where = self.directories.of(invocation.command)
        lists = self.found.expand(invocation, lambda name: where if name in ("PWD", "$pwd") else self._outside(name))
        return read(lists[0]) if len(lists) == 1 else None

    def _path(self, number: int, invocation: Invocation, init: Init) -> tuple[str, str]:
        """(absolute path of the directory, ""), or ("", why there is none)."""
        where = self.directories.of(invocation.command)
        path = self._absolute(where, "") if where is not None else None
        if path is None or (where != self.cwd and "CDPATH" in self.environment):
            return "", "nobody knows in which directory it runs"
        steps = [self._absolute(passed, "") or "" for passed in self.directories.passed(invocation.command)]
        steps.append(path)
        for word in init.steps:
            spelled, why = _spelled(invocation, word)
            if why:
                return "", why
            steps.append(self._absolute(spelled, steps[-1]) or "")
        for step in steps:
            if state(step) != THERE and not self._is_named(number, step):
                return "", f"there is no directory {shown(step, 200)}"
        if init.operand is None:
            return steps[-1], ""
        spelled, why = _spelled(invocation, init.operand)
        target = self._absolute(spelled, steps[-1]) or ""
        kind = state(target) if spelled else BLOCKED
        dots = spelled.rstrip("/").rpartition("/")[2] in (".", "..")  # it makes what stands before, and then fails
        if not why and (kind == BLOCKED or (kind == ABSENT and dots)):
            why = f"git cannot make a directory {shown(target, 200)}"
        return target, why

    def _absolute(self, path: str, base: str) -> str | None:
        return scope.absolute(path, base, self.environment) if path else base

    def _is_named(self, number: int, path: str) -> bool:
        """True if an earlier part names the path, or something in it: what is not there yet may be by then."""
        place = scope.resolved(path)
        if not place or state(place) == THERE:  # `missing/..`
            return False
        operands = [other for name, other in self._operands(number) if name not in _LOOKING]
        return any(f"{other}/".startswith(f"{place}/") for other in operands)

    def _is_moved(self, number: int, place: str, outer: str) -> bool:
        """True if an earlier part may make the path lead elsewhere, or take the outer repository away."""
        for name, other in self._operands(number):
            if name in _RELINKING and f"{place}/".startswith(f"{other}/"):
                return True
            if name in _REMOVING and f"{outer}/.git/".startswith(f"{other}/"):
                return True
        return False

    def _operands(self, number: int) -> list[tuple[str, str]]:
        """(program, resolved path) for words of the parts before the one at `number`, as far as they may be paths."""
        operands: list[tuple[str, str]] = []
        for invocation in self.found.invocations[: min(number, MAX_OPERANDS)]:
            where = self.directories.of(invocation.command)
            base = self._absolute(where, "") if where is not None else None
            if base is None or not invocation.local or not invocation.command.words:
                continue
            words = []
            for arguments in self.found.expand(invocation, self._outside):  # with `-C` it only goes somewhere
                words += [arguments[at] for at in range(1, len(arguments)) if arguments[at - 1] != "-C"]
            for word in words[: MAX_OPERANDS - len(operands)]:
                path = self._absolute(word, base) if word and word[0] != "-" and UNKNOWN not in word else None
                place = scope.resolved(path) if path else None
                if place is not None:
                    operands.append((invocation.name, place))
        return operands


def _obstacle(invocation: Invocation, found: Unwrapped) -> str:
    """Why a part is not judged, whatever its words are, or ""."""
    if not invocation.local:
        return "it runs on another machine or in a container"
    if invocation.command.redirections:
        return "a redirection stands on it, and its words are not all arguments"
    if "git" in invocation.layer.via:
        return "an alias runs it at the top of its repository"
    around = (*invocation.layer.via, *invocation.prefixes)
    if "xargs" in around:
        return "xargs adds to its words"
    if "find" in around and any("{}" in argument for argument in invocation.arguments):
        return "find puts names into its words"
    for name in around:
        if name in _MOVING and _starts_elsewhere(name, found):
            return f"{name} may run it in another directory"
    return ""


def _starts_elsewhere(name: str, found: Unwrapped) -> bool:
    """True if a command of the call gives the wrapper `name` an option that changes the directory."""
    for layer in found.layers:
        for command in layer.reading.commands:
            names = [layer.program(word.text) for word in command.words]
            end = next((at for at, program in enumerate(names) if program[:3] == "git"), len(names))
            if name in names[:end] and any(word.text.startswith(_MOVING[name]) for word in command.words[:end]):
                return True
    return False


def _spelled(invocation: Invocation, word: str) -> tuple[str, str]:
    """(the path that a word of the command names, ""), or ("", why nobody knows it)."""
    if UNKNOWN in word:
        return "", UNKNOWN_WORDS
    path = word if invocation.layer.language == BASH else word.replace("\\", "/")
    written = [other for other in invocation.command.words if other.text == word]
    quoted = bool(written) and all(part.quoted for other in written for part in other.parts or ())
    if any(c in path for c in _PATTERN) and not (quoted and written[0].parts):
        return "", "its directory is a pattern"
    if path[:1] != "~":
        return path, ""
    if quoted and written[0].parts and invocation.layer.language == BASH:
        return "./" + path, ""
    if path[1:2] in ("", "/") and means_home(invocation.command, word) and invocation.layer.language == BASH:
        return path, ""
    return "", "nobody knows whose home directory it names"
