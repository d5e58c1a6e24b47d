"""What keeps the guard in place, and whether a path is one of those things, lies in one, or above one (SPEC P1).

A path is compared as it is written and with its links followed, since either may be what a program changes. Thousands
of paths may stand in one command: a literal one costs a look into two tables, a file-name pattern is matched.
"""

import sys

from guardhook.prose import scope
from guardhook.protect import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Kinds. A WHOLE thing may not change at all; of the others only the parts that concern the guard.
WHOLE = "whole"
SETTINGS = "settings"  # of Claude Code
HOOKS = "hooks.json"  # of Codex
CONFIG = "config.toml"  # of Codex

# In a hooks folder: the launchers, by their names, and whatever else begins as the guard's own files do.
LAUNCHERS = ("guard.py", "session_start.py")
OWN = "guardhook"

# Settings that only a person may keep out of reach of users (Claude Code 2.1.332, Linux and macOS).
_MANAGED = (
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
)
# Every project has these; a session reads those of the folder that it was started in.
_ENDINGS = {
    "/.claude/settings.json": SETTINGS,
    "/.claude/settings.local.json": SETTINGS,
    "/.codex/config.toml": CONFIG,
}
_WHAT = {
    SETTINGS: "Claude Code's settings, which wire the guard or can switch it off",
    HOOKS: "Codex's hooks.json, which wires the guard",
    CONFIG: "Codex's config.toml, which holds the trust in the guard and the switch of all hooks",
}
# Paths with file-name patterns in one call; each is matched against every thing, and nobody writes so many.
MAX_PATTERNS = 500
TOO_MANY = "more file-name patterns than can be followed"


class Thing:
    """path: absolute, as it is compared. kind: one of the constants above. what: in words, for a message.

    floor: how many of the last steps of the path count, so that what happens to a folder above those is not taken for a
    change. A project's settings guard nothing; only what is put into them matters.
    """

    __slots__ = ("floor", "kind", "path", "what")

    def __init__(self, path: str, kind: str, what: str = "", floor: int = 100) -> None:
        self.path = path
        self.kind = kind
        self.what = what or _WHAT[kind]
        self.floor = floor

    def is_below(self, place: str) -> bool:
        """Whether a folder lies above this, and near enough. place: absolute, "" is the root."""
        return self.path.startswith(place + "/") and self.path.count("/", len(place)) < self.floor


class Protected:
    """Everything that is protected for one call."""

    __slots__ = ("_above", "_environment", "_exact", "_inside", "_own", "_parents", "_patterns", "_there", "things")

    def __init__(self, environment: dict[str, str], cwd: str) -> None:
        """environment: the hook's own. cwd: of the call, "" if it is not known."""
        self.things: list[Thing] = []
        self._environment = environment
        self._parents: dict[str, str | None] = {}
        for path, kind, what, floor in _places(environment, cwd):
            whole = scope.absolute(path, cwd, environment)
            for place in _readings(whole, self._parents) if whole else ():
                self.things.append(Thing(place, kind, what, floor))
        self._exact = {thing.path: thing for thing in reversed(self.things)}
        self._inside = tuple([thing.path + "/" for thing in self.things if thing.kind == WHOLE])
        launcher = "/" + LAUNCHERS[0]
        folders = [thing.path.removesuffix(LAUNCHERS[0]) for thing in self.things if thing.path.endswith(launcher)]
        self._own = tuple([folder + OWN for folder in folders])
        self._above: dict[str, Thing] | None = None
        self._there: dict[str, bool] = {}
        self._patterns = 0

    def at(self, path: str, where: str | None) -> Thing | None:
        """The thing that a path is, or lies in. path: as a program gets it; it may be a file-name pattern.

        where: what a relative path starts from, None where nobody knows.
        """
        return self._find(path, where, False)

    def around(self, path: str, where: str | None) -> Thing | None:
        """The same, and a thing that is there and that the path lies above: what happens to a folder happens to it."""
        return self._find(path, where, True)

    def below(self, path: str, where: str | None) -> "Iterator[tuple[Thing, list[str]]]":
        """Every thing below a folder, or that the folder is or lies in, with the names on the way to it."""
        for place in self._all(path, where):
            if patterns.is_pattern(place):
                yield from self._below_pattern(place.split("/"))
                continue
            thing = self._literal(place, False)
            if thing is not None:
                yield thing, []
            for thing in self.things:
                if thing.is_below(place) and self._is_there(thing.path):
                    yield thing, thing.path[len(place) + 1 :].split("/")

    def _below_pattern(self, steps: list[str]) -> "Iterator[tuple[Thing, list[str]]]":
        self._count()
        for thing in self.things:
            parts = thing.path.split("/")
            if all(patterns.is_match(part, step) for part, step in zip(parts, steps, strict=False)):
                near = len(parts) <= len(steps) + thing.floor - 1
                if len(steps) >= len(parts) or (near and self._is_there(thing.path)):
                    yield thing, parts[len(steps) :]

    def _is_there(self, path: str) -> bool:
        if path not in self._there:
            self._there[path] = scope.is_there(path)
        return self._there[path]

    def _count(self) -> None:
        self._patterns += 1
        if self._patterns > MAX_PATTERNS:
            raise TooManyError(TOO_MANY)

    def _find(self, path: str, where: str | None, above: bool) -> Thing | None:
        for place in self._all(path, where):
            thing = self._matched(place, above) if patterns.is_pattern(place) else self._literal(place, above)
            if thing is not None:
                return thing
        return None

    def _all(self, path: str, where: str | None) -> "Iterator[str]":
        if where is None and path[:1] not in ("/", "~", "\\") and path[1:2] != ":":
            place = scope.without_dots(f"/{path}")
            if place.endswith(tuple(_ENDINGS)):  # in whichever project that is
                yield place
            return
        environment = self._environment
        if where and where[0] == "~":  # a move to the home folder, as `cd ~` names it
            where = scope.absolute(_own_home(where, environment), "", environment)
        whole = scope.absolute(_own_home(path, environment), where or "", environment)
        if whole:
            yield from _readings(whole, self._parents)

    def _literal(self, place: str, above: bool) -> Thing | None:
        thing = self._exact.get(place)
        if thing is None and place.startswith(self._inside):
            thing = next(thing for thing in self.things if place.startswith(thing.path + "/"))
        if thing is None:
            thing = self._by_name(place)
        if thing is None and above:
            if self._above is None:
                self._above = _ancestors(self.things)
            thing = self._above.get(place)
        return thing

    def _by_name(self, place: str) -> Thing | None:
        """What its name alone makes a protected thing: our files in a hooks folder, any project's settings."""
        if place.startswith(self._own):
            return Thing(place, WHOLE, "a file of guardhook's hook")
        if place.endswith(tuple(_ENDINGS)):
            return next(Thing(place, kind) for ending, kind in _ENDINGS.items() if place.endswith(ending))
        return None

    def _matched(self, place: str, above: bool) -> Thing | None:
        self._count()
        if place.startswith(self._own):
            return Thing(place, WHOLE, "a file of guardhook's hook")
        steps = place.split("/")
        for thing in self.things:
            parts = thing.path.split("/")
            fits = all(patterns.is_match(part, step) for part, step in zip(parts, steps, strict=False))
            if fits and (len(steps) >= len(parts) if thing.kind == WHOLE else len(steps) == len(parts)):
                return thing
            near = len(steps) < len(parts) <= len(steps) + thing.floor - 1
            if fits and above and near and self._is_there(thing.path):
                return thing
        return None


class TooManyError(Exception):
    """The call has more to follow than there is time for. Its text is a phrase for a message."""


def config_folders(environment: dict[str, str]) -> list[str]:
    """Claude Code's folders in which this guard may be wired: the session's, the usual one, its own."""
    found = [environment.get("CLAUDE_CONFIG_DIR") or "", "~/.claude", own_config()]
    if _release():  # where a launcher that is a link really lies
        found.append(_release().rpartition("/")[0].rpartition("/")[0])
    return [path for path in dict.fromkeys(found) if path]


def own_config() -> str:
    """The configuration folder whose launcher was started, as it is wired; "" for a launcher that is not deployed."""
    folder, _, name = _slashed(sys.argv[0] if sys.argv else "").rpartition("/")
    config, _, hooks = folder.rpartition("/")
    return config if (hooks, name) == ("hooks", LAUNCHERS[0]) else ""


def _release() -> str:
    """The folder that this hook's code was loaded from; "" where it is not deployed."""
    folder = _slashed(sys.path[0] if sys.path else "")
    return folder if folder.rpartition("/")[2].startswith(OWN + "-") else ""


def _slashed(path: str) -> str:
    return path.replace("\\", "/") if sys.platform == "win32" else path


def _places(environment: dict[str, str], cwd: str) -> "Iterator[tuple[str, str, str, int]]":
    """(path, kind, what, floor) of everything that is protected by its own path."""
    for path, kind, what in _users(environment):
        yield path, kind, what, 100
    for folder in dict.fromkeys((environment.get("CLAUDE_PROJECT_DIR") or cwd, cwd)):
        if folder:
            for ending, kind in _ENDINGS.items():
                yield folder.rstrip("/") + ending, kind, "", 2
    for path in _MANAGED:
        yield path, SETTINGS, "", 100


def _users(environment: dict[str, str]) -> "Iterator[tuple[str, str, str]]":
    """What the user's own folders hold, and the package outside of them that the hook loads."""
    for folder in config_folders(environment):
        yield f"{folder}/settings.json", SETTINGS, ""
        for name in LAUNCHERS:
            yield f"{folder}/hooks/{name}", WHOLE, "the launcher of guardhook's hook"
        for name in ("guardhook.json", "guardhook-codex.json", "guardhook-ask", "guardhook-ask.rules"):
            yield f"{folder}/hooks/{name}", WHOLE, "one of guardhook's own files"
    if _release():
        yield _release(), WHOLE, "the code of guardhook's hook"
    for folder in dict.fromkeys((environment.get("CODEX_HOME") or "~/.codex", "~/.codex")):
        yield f"{folder}/hooks.json", HOOKS, ""
        yield f"{folder}/config.toml", CONFIG, ""
        yield f"{folder}/rules/guardhook.rules", WHOLE, "the rules by which Codex asks a person"
    for folder in dict.fromkeys((environment.get("XDG_CONFIG_HOME") or "~/.config", "~/.config")):
        yield f"{folder}/guardhook", WHOLE, "the user's own configuration of guardhook"
    from guardhook.style.recorded import FOLDERS

    for folder in FOLDERS:
        yield f"{folder}/agent_style", WHOLE, "the package that the style advisory loads into the hook"


def _own_home(path: str, environment: dict[str, str]) -> str:
    """`~name` as `~` where that is the user's own name."""
    if path[:1] == "~" and path[1:2] not in ("", "/"):
        name, slash, rest = path[1:].partition("/")
        home = environment.get("HOME") or ""
        if name in (environment.get("USER"), environment.get("LOGNAME"), home.rpartition("/")[2]):
            return "~" + slash + rest
    return path


def _readings(whole: str, parents: dict[str, str | None]) -> list[str]:
    """An absolute path as it is compared: as written, with the links of its folders followed, and with its own.

    parents: what was found for folders before.
    """
    if sys.platform == "win32":
        whole = whole.replace("\\", "/")
    written = scope.without_dots(whole)
    folder, _, name = whole.rstrip("/").rpartition("/")
    if name in ("", ".", ".."):
        return _folded([written, scope.resolved(whole)])
    if folder not in parents:
        parents[folder] = scope.resolved(folder) if folder else ""
    parent = parents[folder]
    if parent is None:
        return _folded([written])
    return _folded([written, f"{parent}/{name}", scope.resolved(f"{parent}/{name}") if is_link(parent, name) else None])


def is_link(folder: str, name: str) -> bool:
    """Whether a name in a folder is a symbolic link."""
    return bool(scope.link(f"{folder}/{name}"))


def _folded(places: "list[str | None]") -> list[str]:
    """Without what is missing or the same; in lower case where file names have no case."""
    found = [place.rstrip("/") for place in places if place is not None]
    if sys.platform in ("win32", "darwin"):
        found = [place.lower() for place in found]
    return list(dict.fromkeys(found))


def _ancestors(things: list[Thing]) -> dict[str, Thing]:
    """Every folder that lies above a thing that is there."""
    found: dict[str, Thing] = {}
    for thing in things:
        if scope.is_there(thing.path):
            folder = thing.path.rpartition("/")[0]
            while thing.is_below(folder):
                found.setdefault(folder, thing)
                folder = folder.rpartition("/")[0] if folder else "/"
    return found
