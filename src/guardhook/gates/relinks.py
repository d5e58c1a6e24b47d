"""Whether a command makes a path lead elsewhere before it writes there: `ln`, `mv`, `cp -s`, `mount` (SPEC I2)."""

from guardhook.prose import scope
from guardhook.shell.commands import UNKNOWN
from guardhook.shell.options import Grammar, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.shell.directory import Directories
    from guardhook.shell.unwrap import Invocation, Unwrapped

_NAMES = "--force --interactive --backup --suffix --target-directory --no-target-directory --verbose --symbolic"
_COMMON = "-S --suffix -t --target-directory"
_GRAMMARS = {
    "ln": Grammar(
        _COMMON, names=_NAMES + " --relative --no-dereference --physical --logical --directory", permutes=True
    ),
    "mv": Grammar(_COMMON, names=_NAMES + " --no-clobber --update --strip-trailing-slashes", permutes=True),
    "cp": Grammar(_COMMON, names=_NAMES + " --symbolic-link --link --recursive --archive --update", permutes=True),
    "mount": Grammar("-t -o -L -U -O --types --options --source --target", permutes=True),
}


def leads_elsewhere(
    path: str, where: str, environment: dict[str, str], found: "Unwrapped", directories: "Directories"
) -> bool:
    """True if a part of the call moves, links or mounts something at the path or above it, or nobody can tell.

    where: the directory that the path is relative to.
    """
    target = _place(path, where, environment)
    for invocation in found.invocations:
        if invocation.name in _GRAMMARS:
            base = directories.of(invocation.command)
            for words in found.expand(invocation, environment.get):
                places = _changed(invocation, words, base, environment)
                if places is None or target is None or any(_is_through(target, place) for place in places):
                    return True
    return False


def _changed(
    invocation: "Invocation", words: list[str], base: str | None, environment: dict[str, str]
) -> list[str] | None:
    """The paths that lead elsewhere afterwards; [] for a copy of files; None where a word is not known."""
    seen = walk(words, _GRAMMARS[invocation.name], 1)
    if invocation.name == "cp" and not seen.has("-s", "-l", "--symbolic-link", "--link"):
        return []
    operands = [words[index] for index in seen.operands]
    into = seen.value("-t", "--target-directory")
    if "xargs" in invocation.prefixes or any(UNKNOWN in word for word in words[1:]) or not (operands or into):
        return None
    resolved = [_place(word, base, environment) for word in [*operands, *([into] if into else [])]]
    places = [place for place in resolved if place is not None]
    if len(places) < len(resolved):
        return None
    if invocation.name == "mount":
        return places
    sources, last = (places[:-1], places[-1]) if len(places) > 1 else (places, _place(".", base, environment))
    if last is None:
        return None
    itself = not into and (
        seen.has("-n", "-T", "--no-dereference", "--no-target-directory") or not scope.is_directory(last)
    )
    made = [last] if itself else [f"{last}/{source.rpartition('/')[2]}" for source in sources]
    return made + (sources if invocation.name == "mv" else [])


def _place(path: str, where: str | None, environment: dict[str, str]) -> str | None:
    """The path with links, `..` and doubled slashes taken out."""
    if where is None and path[:1] not in ("/", "~"):
        return None
    place = scope.absolute(path, where or "", environment)
    return None if place is None else scope.resolved(place)


def _is_through(target: str, place: str) -> bool:
    return f"{target}/".startswith(place.rstrip("/") + "/")
