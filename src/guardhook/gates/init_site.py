"""What a `git init` finds in its call: the directory it runs in, wrappers, and what runs before it (SPEC N3, N5)."""

from guardhook.call import BASH
from guardhook.gates.init_shapes import is_emptied, is_touched
from guardhook.gates.init_target import (
    ABSENT,
    BLOCKED,
    NONE,
    THERE,
    UNKNOWN_WORDS,
    WORKTREE,
    Init,
    enclosing,
    other,
    read,
    standing,
    state,
)
from guardhook.prose import scope
from guardhook.shell.commands import UNKNOWN, Command
from guardhook.shell.directory import Directories, means_home
from guardhook.shell.runs import Runs
from guardhook.shell.unwrap import Invocation, Layer, Unwrapped
from guardhook.verdict import shown

_PATTERN = "*?[{"

# What makes the directories that it names; `git clone` and `git worktree add` make repositories besides.
_MAKING = frozenset(("mkdir", "md", "new-item", "ni"))
# What makes a path lead elsewhere, and what takes away.
_RELINKING = frozenset(("ln", "mv", "mount", "mklink", "move-item", "mi", "new-item", "ni"))
_REMOVING = frozenset(("rm", "mv", "remove-item", "ri", "del", "move-item", "mi"))
# What runs something as another user, whose home directory is another one.
_AS_SOMEBODY = frozenset(("sudo", "doas"))
# Of find's tests and actions, those that choose nothing.
_CHOOSING_NOTHING = ("-maxdepth", "-mindepth", "-depth", "-exec", "-execdir", "-ok", "-okdir", "-H", "-L", "-P")

WHOSE_HOME = "nobody knows whose home directory it names"

# So many words of earlier parts are looked at.
MAX_OPERANDS = 1_000
# So often the moves of a call are gone through again, for sets of them that may not happen.
MAX_READINGS = 10


class Nested:
    """A repository that would be a second one. place: its directory. outer: the top of what is around it.

    found: whether git finds the outer repository: not if its `.git` file leads nowhere.
    """

    __slots__ = ("found", "init", "outer", "place")

    def __init__(self, init: Init, place: str, outer: str, found: bool) -> None:
        self.init = init
        self.place = place
        self.outer = outer
        self.found = found


class Site:
    """One call's working directories, and what its earlier parts make or move.

    made: the repositories that its parts make, by their place; True for a bare one. sure: those of them that are made
    if the call is run at all. staying: the working directories if none of certain moves happens.
    """

    __slots__ = ("cwd", "directories", "environment", "found", "looked", "made", "runs", "staying", "sure")

    def __init__(self, cwd: str, environment: dict[str, str], found: Unwrapped) -> None:
        """cwd: the payload's, "" for the process's own. environment: the hook's own."""
        self.found = found
        self.environment = environment
        self.cwd = scope.absolute(cwd or ".", "", environment) or ""
        if is_touched("HOME", found) or is_emptied(found):  # nobody knows where that is then
            self.environment = {
                name: value for name, value in environment.items() if name not in ("HOME", "USERPROFILE")
            }
        self.runs = Runs(found)
        self.directories = Directories(found, self.cwd, self._outside)
        self.staying: dict[frozenset[Command], Directories] = {}
        self.made: dict[str, bool] = {}
        self.sure: dict[str, bool] = {}
        self.looked = 0

    def _outside(self, name: str) -> str | None:
        """The value of a variable that the call does not set; PWD changes with the directory."""
        if name in ("PWD", "OLDPWD", "$pwd"):
            return None
        return self.environment.get("HOME" if name == "$home" else name)

    def judged(self, number: int, invocation: Invocation, init: Init) -> Nested | str:
        """What the part at `number` makes if that is nested, else why it is not judged, or "" for nothing to say.

        The parts of a call are to be given in order, since one may make a repository that a later one lies in.
        """
        self._look(number)
        why = _obstacle(invocation, self.found)
        if why:
            return why
        again = init if UNKNOWN not in "".join(invocation.arguments) else self._expanded(invocation)
        if again is None or again.obstacle:
            return UNKNOWN_WORDS if again is None else again.obstacle
        answer = self._answer(number, invocation, again, self.directories)
        skipped = self._skipped(invocation.command)
        if skipped:
            if skipped not in self.staying:
                if len(self.staying) >= MAX_READINGS:
                    return "too many moves before it may not happen"
                self.staying[skipped] = Directories(self.found, self.cwd, self._outside, skipped)
            if not _agree(answer, self._answer(number, invocation, again, self.staying[skipped])):
                return "whether it is nested depends on a move before it, which may not happen"
        if isinstance(answer, Nested) and invocation.command in self.runs.doubted:
            return "it may not run"
        if isinstance(answer, tuple):
            self._note_made(invocation, answer[0], again.bare)
            return answer[1]
        return answer

    def _answer(
        self, number: int, invocation: Invocation, init: Init, directories: Directories
    ) -> Nested | str | tuple[str, str]:
        """As `judged`, with (place, why) for a repository that is not nested, with a remark, "" for none."""
        path, why = self._path(number, invocation, init, directories)
        place = None if why else scope.resolved(path)
        if place is None:
            return why or "its directory cannot be followed through links"
        outer = enclosing(place, init.bare, self.made)
        if self._is_moved(number, place, outer):
            return "an earlier part of the command changes where its path leads"
        if (outer is None) != (enclosing(place, init.bare, self.sure) is None):
            return "an earlier part that may not run makes a repository around it"
        if outer is None:
            around = not init.bare and any(made.startswith(f"{place}/") for made in self.made)
            return place, "it goes around a repository that an earlier part makes" if around else ""
        found = WORKTREE if outer in self.made else standing(outer)
        if found == NONE:
            return f"the repository of {shown(outer, 200)} has no worktree there"
        return Nested(init, place, outer or "/", found == WORKTREE)

    def _skipped(self, command: Command) -> frozenset[Command]:
        """The moves that may not have happened when the command runs."""
        chains = self.runs.chains.get(command, ())
        return frozenset(move for move, chain in self.runs.loose.items() if chain not in chains)

    def _note_made(self, invocation: Invocation, place: str, bare: bool) -> None:
        self.made[place] = bare
        if invocation.command not in self.runs.doubted and invocation.command.before != "||":
            self.sure[place] = bare

    def _look(self, number: int) -> None:
        """Note what `git clone` and `git worktree add` make before the part at `number`."""
        for invocation in self.found.invocations[self.looked : number]:
            made = other(invocation.arguments) if invocation.name == "git" and invocation.local else None
            where = self.directories.of(invocation.command) if made is not None else None
            if made is None or where is None or UNKNOWN in "".join([*made.steps, made.place]):
                continue
            path = where
            for step in (*made.steps, made.place):
                path = self._absolute(step, path) or ""
            place = scope.resolved(path)
            if place is not None and len(self.made) < MAX_OPERANDS and state(path) == ABSENT:
                self._note_made(invocation, place, made.bare)
        self.looked = max(self.looked, number)

    def _expanded(self, invocation: Invocation) -> Init | None:
        """The init with variables of the environment put in; None if a word of it stays unknown."""
        where = self.directories.of(invocation.command)
        lists = self.found.expand(invocation, lambda name: where if name in ("PWD", "$pwd") else self._outside(name))
        return read(lists[0]) if len(lists) == 1 else None

    def _path(self, number: int, invocation: Invocation, init: Init, directories: Directories) -> tuple[str, str]:
        """(absolute path of the directory, ""), or ("", why there is none)."""
        where = directories.of(invocation.command)
        path = self._absolute(where, "") if where is not None else None
        if path is None or (where != self.cwd and "CDPATH" in self.environment):
            return "", "nobody knows in which directory it runs"
        steps = [self._absolute(passed, "") or "" for passed in directories.passed(invocation.command)]
        steps.append(path)
        for word in init.steps:
            spelled, why = _spelled(invocation, word)
            if why:
                return "", why
            steps.append(self._absolute(spelled, steps[-1]) or "")
        for step in steps:
            if state(step) != THERE and not self._is_named(number, step):
                return "", f"there is no directory {shown(step, 200)}"
        if init.separate and state((self._absolute(init.separate, steps[-1]) or "").rpartition("/")[0]) != THERE:
            return "", "git would refuse --separate-git-dir where there is no directory for it"
        if init.operand is None:
            return steps[-1], ""
        spelled, why = _spelled(invocation, init.operand)
        target = self._absolute(spelled, steps[-1]) or ""
        if not target and not why:
            return "", WHOSE_HOME
        kind = state(target) if spelled else BLOCKED
        dots = spelled.rstrip("/").rpartition("/")[2] in (".", "..")  # it makes what stands before, and then fails
        if not why and (kind == BLOCKED or (kind == ABSENT and dots)):
            why = f"git cannot make a directory {shown(target, 200)}"
        return target, why

    def _absolute(self, path: str, base: str) -> str | None:
        return scope.absolute(path, base, self.environment) if path else base

    def _is_named(self, number: int, path: str) -> bool:
        """True if an earlier part makes the path, or something in it: what is not there yet may be by then."""
        place = scope.resolved(path)
        if not place or state(place) == THERE:  # `missing/..`
            return False
        made = [*self.made, *(named for _, named in self._operands(number, _MAKING))]
        return any(f"{named}/".startswith(f"{place}/") for named in made)

    def _is_moved(self, number: int, place: str, outer: str | None) -> bool:
        """True if an earlier part may make the path lead elsewhere, or take the outer repository away."""
        for name, path in self._operands(number, _RELINKING | _REMOVING):
            if name in _RELINKING and f"{place}/".startswith(f"{path}/"):
                return True
            if name in _REMOVING and outer is not None and f"{outer}/.git/".startswith(f"{path}/"):
                return True
        return False

    def _operands(self, number: int, names: frozenset[str]) -> list[tuple[str, str]]:
        """(program, resolved path) for words of the parts before the one at `number`, as far as they may be paths.

        names: the programs whose words are wanted.
        """
        operands: list[tuple[str, str]] = []
        for invocation in self.found.invocations[: min(number, MAX_OPERANDS)]:
            if invocation.name not in names:
                continue
            where = self.directories.of(invocation.command)
            base = self._absolute(where, "") if where is not None else None
            if base is None or not invocation.local or not invocation.command.words:
                continue
            words = []
            for arguments in self.found.expand(invocation, self._outside):
                words += arguments[1:]
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
    if any(word.text[:6] == "alias." and "=-" in word.text for word in invocation.command.words):
        return "git would refuse an alias that begins with an option"
    if "git" in invocation.layer.via:
        return "an alias runs it at the top of its repository"
    around = (*invocation.layer.via, *invocation.prefixes)
    if "xargs" in around:
        return "xargs adds to its words"
    if "find" in around and any("{}" in argument for argument in invocation.arguments):
        return "find puts names into its words"
    why = _moved(around, found) if around else ""
    if why:
        return why
    if "find" in around and _chooses(found):
        return "find may find nothing to run it for"
    if not _AS_SOMEBODY.isdisjoint(invocation.layer.via) and _goes_home(invocation.layer):
        return "it runs as another user, with another home directory"
    return ""


def _moved(around: tuple[str, ...], found: Unwrapped) -> str:
    from guardhook.shell import elsewhere

    for name in around:
        if name in elsewhere.MOVING and elsewhere.may_start(name, found):
            return f"{name} may run it in another directory"
    return ""


def _chooses(found: Unwrapped) -> bool:
    """True if a find of the call has tests, which nothing may meet."""
    for layer in found.layers:
        for command in layer.reading.commands:
            words = [word.text for word in command.words]
            if "find" in (layer.program(word) for word in words):
                end = next((at for at, word in enumerate(words) if word in ("-exec", "-execdir", "-ok", "-okdir")), 0)
                if any(word[:1] in ("-", "!", "(") and word not in _CHOOSING_NOTHING for word in words[:end]):
                    return True
    return False


def _goes_home(layer: Layer) -> bool:
    """True if a shell text speaks of the home directory, or goes there by a bare `cd`."""
    if "~" in layer.reading.text or "HOME" in layer.reading.text:
        return True
    return any([word.text for word in command.words] == ["cd"] for command in layer.reading.commands)


def _agree(one: Nested | str | tuple[str, str], two: Nested | str | tuple[str, str]) -> bool:
    """True if two readings of a part come to the same: nested, not nested, or not judged for one reason."""
    if isinstance(one, str) or isinstance(two, str):
        return one == two
    return isinstance(one, Nested) == isinstance(two, Nested)


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
    return "", WHOSE_HOME
