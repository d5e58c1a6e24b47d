"""Where a `git init` puts its repository, and which worktree that lies in, as git would find it (SPEC N2).

Everything is read from the argument list and from the file system; no process is started, and of files only a `.git`
file, a HEAD and a configuration are opened. What git itself would refuse is not judged: no repository comes of it.
"""

from guardhook.gates import INIT_WORDS
from guardhook.prose import scope
from guardhook.shell.commands import UNKNOWN
from guardhook.shell.directory import is_absolute
from guardhook.shell.git import GIT
from guardhook.shell.options import Grammar, Option, walk

try:
    import posix as system
except ImportError:  # Windows
    import os as system  # type: ignore[no-redef]

# git 2.39.5; `--ref-format` came with 2.45. Every long option has a `--no-` form.
_INIT = Grammar(
    "-b --initial-branch --template --separate-git-dir --object-format --ref-format",
    names="--bare --initial-branch --object-format --quiet --ref-format --separate-git-dir --shared --template --help"
    " --no-bare --no-initial-branch --no-object-format --no-quiet --no-ref-format --no-separate-git-dir --no-shared"
    " --no-template",
    permutes=True,
)
_KNOWN = frozenset((*_INIT.names, "-b", "-q"))

# Options in front of the subcommand, or behind it, with which git shows something and ends.
_SHOWING = ("--help", "-h", "--version", "-v", "--html-path", "--man-path", "--info-path", "--list-cmds")

_FORMAT, _DIRECTORY, _REGULAR = 0o170000, 0o040000, 0o100000

UNKNOWN_WORDS = "nobody knows yet which directory it names"

# git 2.39.5. Options in front of the subcommand that git takes; it refuses any other one, an abbreviation too.
_GLOBAL = frozenset(
    "-C -c -p -P --paginate --no-pager --exec-path --bare --git-dir --work-tree --namespace --config-env --attr-source"
    " --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs"
    " --noglob-pathspecs --icase-pathspecs".split()
)
_VALUES = {
    "--object-format": ("sha1", "sha256"),
    "--ref-format": ("files", "reftable"),
    "--shared": ("umask", "group", "all", "world", "everybody", "true", "false", "yes", "no", "on", "off"),
}
_CLONE = Grammar(
    "-o --origin -b --branch -u --upload-pack --reference --reference-if-able --separate-git-dir --depth -c --config"
    " --shallow-since --shallow-exclude --template -j --jobs --filter --server-option --bundle-uri --ref-format",
    permutes=True,
)
_WORKTREE = Grammar("-b -B --reason", permutes=True)

# What a path leads to.
THERE = "a directory"
ABSENT = "nothing"
BLOCKED = "no directory"

# What git finds where a `.git` stands.
WORKTREE = "the worktree"
LOST = "lost"
NONE = "none"


class Init:
    """The words of one `git init`.

    steps: the directories that `-C` names, in order. operand: the directory to initialise, None where git takes the
    one it runs in. bare: no `.git` is made in it, it becomes the repository itself. obstacle: "" or why this call is
    not judged. plain: its options have no path in them. options: those of `init` itself, as they were written.
    separate: the value of `--separate-git-dir`, "" for none.
    """

    __slots__ = ("bare", "obstacle", "operand", "options", "plain", "separate", "steps")

    def __init__(self) -> None:
        self.separate = ""
        self.steps: list[str] = []
        self.operand: str | None = None
        self.bare = False
        self.obstacle = ""
        self.plain = True
        self.options: list[str] = []


def read(arguments: list[str]) -> Init | None:
    """The `git init` that an argument list is (arguments[0] is git's own word), or None if it is another command."""
    outer = walk(arguments, GIT, 1)
    if outer.stop >= len(arguments) or arguments[outer.stop] not in INIT_WORDS or outer.dashes >= 0:
        return None
    own = walk(arguments, _INIT, outer.stop + 1)
    if outer.has(*_SHOWING) or own.has("-h", "--help"):
        return None
    if any(option.name == "--exec-path" and option.value is None for option in outer.options):
        return None
    init = Init()
    init.steps = _steps(outer.options)
    init.options = [word for index, word in enumerate(arguments) if index > outer.stop and index not in own.operands]
    init.plain = len(outer.options) == len(init.steps)
    if any(UNKNOWN in arguments[index] for index in own.operands):
        init.obstacle = UNKNOWN_WORDS
    elif len(own.operands) > 1:
        init.obstacle = "git takes one directory, and would refuse several"
    elif own.operands:
        init.operand = arguments[own.operands[0]]
    _apply_outer(init, outer.options)
    _apply_own(init, own.options)
    return init


def _steps(options: list[Option]) -> list[str]:
    return [option.value or "" for option in options if option.name == "-C"]


class Made:
    """A repository that `git clone` or `git worktree add` makes. steps: as for an Init. place: as it is written."""

    __slots__ = ("bare", "place", "steps")

    def __init__(self, steps: list[str], place: str, bare: bool) -> None:
        self.steps = steps
        self.place = place
        self.bare = bare


def other(arguments: list[str]) -> Made | None:
    """The repository that a git command other than `init` makes, or None."""
    outer = walk(arguments, GIT, 1)
    words = arguments[outer.stop : outer.stop + 2]
    if words[:1] == ["clone"]:
        own = walk(arguments, _CLONE, outer.stop + 1)
        named = [arguments[index] for index in own.operands]
        if len(named) == 1:
            url = named[0].replace("\\", "/").rstrip("/").removesuffix("/.git")
            named.append(url.rpartition("/")[2].rpartition(":")[2].removesuffix(".git"))
        return Made(_steps(outer.options), named[1], own.has("--bare", "--mirror")) if len(named) == 2 else None
    if words == ["worktree", "add"]:
        own = walk(arguments, _WORKTREE, outer.stop + 2)
        return Made(_steps(outer.options), arguments[own.operands[0]], False) if own.operands else None
    return None


def _apply_outer(init: Init, options: list[Option]) -> None:
    for option in options:
        if option.name not in _GLOBAL:
            init.obstacle = f"git would refuse {option.name} in front of init"
        elif option.name == "-c" and "." not in (option.value or "").partition("=")[0]:
            init.obstacle = "git would refuse the value of -c"
        elif option.name in ("--git-dir", "--work-tree"):
            init.obstacle = f"{option.name} says where the repository is"
        elif option.name == "--bare":
            init.bare = True
        elif option.name == "-C" and init.bare and init.operand is None:
            init.obstacle = "--bare in front of -C makes the repository in the directory of before"


def _apply_own(init: Init, options: list[Option]) -> None:
    separate, outer_bare = False, init.bare
    for option in options:
        name = option.name
        if name not in _KNOWN:
            init.obstacle = f"{name} is no option of git init that guardhook knows"
        elif name in _INIT.values and option.value is None:
            init.obstacle = f"{name} has no value, which git would refuse"
        elif option.value is not None and _is_refused(name, option.value):
            init.obstacle = f"git would refuse this value of {name}"
        elif name in ("--bare", "--no-bare"):
            init.bare = name == "--bare"
        elif name in ("--separate-git-dir", "--no-separate-git-dir"):
            separate = name == "--separate-git-dir"
            init.separate = option.value or ""
        if name in ("--separate-git-dir", "--template"):
            init.plain = False
    if outer_bare and not init.bare:
        init.obstacle = "--bare in front of init says where the repository is"
    if separate and init.bare:
        init.obstacle = "git would refuse --bare together with --separate-git-dir"


def _is_refused(name: str, value: str) -> bool:
    """True if git ends without a repository for an option with this value."""
    if name in ("-b", "--initial-branch"):
        return not _is_branch(value)
    if name in _VALUES:
        return value.lower() not in _VALUES[name] and not (name == "--shared" and value.isdigit())
    return name not in _INIT.values  # `--bare=x`


def _is_branch(name: str) -> bool:
    """True for a name that git takes for a branch (git-check-ref-format)."""
    if UNKNOWN in name:
        return True
    odd = any(c <= " " or c in "~^:?*[\\\x7f" for c in name)
    parts = name.split("/")
    bad = any(part[:1] in ("", ".") or part.endswith(".lock") for part in parts)
    return not (odd or bad or name[:1] == "-" or name[-1] == "." or ".." in name or "@{" in name)


def state(path: str) -> str:
    """What an absolute path leads to, links and `..` followed as the kernel does: THERE, ABSENT or BLOCKED.

    ABSENT: it could be made, from its first missing part on. BLOCKED: a file, or a link to nothing, is in the way, or
    there is no access.
    """
    try:
        return THERE if system.stat(path).st_mode & _FORMAT == _DIRECTORY else BLOCKED
    except FileNotFoundError:
        pass
    except (OSError, ValueError):
        return BLOCKED
    above = path.rstrip("/")
    while above:
        try:
            system.lstat(above)
        except FileNotFoundError:
            above = above.rpartition("/")[0].rstrip("/")
            continue
        except (OSError, ValueError):
            return BLOCKED
        return ABSENT if _kind(above) == _DIRECTORY else BLOCKED
    return ABSENT


def enclosing(place: str, bare: bool, made: dict[str, bool]) -> str | None:
    """The worktree in which a repository at `place` would be a second one, or None.

    place: absolute, links resolved, "" for `/`. made: repositories that the call makes before, by their place; True for
    a bare one. None also for a repository that is there already: git initialises it again.
    """
    if (made.get(place) is bare) or (is_git_directory(place) if bare else is_worktree(place)):
        return None
    above = place if bare else place.rpartition("/")[0]
    while made.get(above) is not False and not is_worktree(above):
        if not above or made.get(above) or is_git_directory(above):  # inside a repository, outside of worktrees
            return None
        above = above.rpartition("/")[0]
    return above


def is_worktree(directory: str) -> bool:
    """True if a `.git` directory with a HEAD stands in a directory, or a `.git` file."""
    kind = _kind(directory + "/.git")
    return kind == _REGULAR or (kind == _DIRECTORY and _is_listed(directory + "/.git/HEAD"))


def standing(directory: str) -> str:
    """What git finds in a directory of which `is_worktree` is true: WORKTREE, LOST or NONE (SPEC N2).

    LOST: the `.git` file leads to no repository. NONE: that repository is a bare one, or its worktree is elsewhere.
    """
    git = directory + "/.git"
    if _kind(git) == _REGULAR:
        text = scope.open_text(git) or ""
        named = text.removeprefix("gitdir:").strip() if text[:7] == "gitdir:" else ""
        git = (scope.absolute(named, directory, {}) or "") if named else ""
        if not git or not (_is_listed(git + "/HEAD")):
            return LOST
        if _is_listed(git + "/commondir"):  # of a linked worktree, which has no configuration of its own
            return WORKTREE
    settings = _core(scope.open_text(git + "/config") or "")
    if settings.get("worktree"):
        top = scope.resolved(scope.absolute(settings["worktree"], git, {}) or "")
        return WORKTREE if top is not None and f"{directory}/".startswith(f"{top}/") else NONE
    return NONE if settings.get("bare", "false").lower() in ("true", "yes", "on", "1") else WORKTREE


def _core(text: str) -> dict[str, str]:
    """The settings of the section `core` in a configuration file of git."""
    found: dict[str, str] = {}
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line[:1] == "[":
            section = line.strip("[]").strip().lower()
        elif section == "core" and line[:1] not in ("#", ";"):
            name, mark, value = line.partition("=")
            found[name.strip().lower()] = value.split(" #")[0].split(" ;")[0].strip().strip('"') if mark else "true"
    return found


def is_git_directory(directory: str) -> bool:
    """True if a directory holds what a `.git` directory and a bare repository do."""
    return (
        _is_head(directory + "/HEAD")
        and _kind(directory + "/objects") == _DIRECTORY
        and _kind(directory + "/refs") == _DIRECTORY
    )


def scratch(environment: dict[str, str]) -> str:
    """The scratch directory: the first temporary directory that is there and in no worktree; "" if there is none."""
    for directory in (*(environment.get(name, "") for name in ("TMPDIR", "TEMP", "TMP")), "/tmp", "/var/tmp"):
        whole = scope.absolute(directory.rstrip("/\\"), "", {}) if is_absolute(directory) else None
        if not whole or state(whole) != THERE:
            continue
        place = scope.resolved(whole)
        if place and enclosing(place, True, {}) is None and not is_git_directory(place):
            return whole
    return ""


def _kind(path: str) -> int:
    try:
        return system.stat(path).st_mode & _FORMAT
    except (OSError, ValueError):
        return 0


def _is_head(path: str) -> bool:
    """True if a file says what a HEAD does: a branch or a commit. A link is one where it leads nowhere yet."""
    text = scope.open_text(path)
    if text is None:
        return _is_listed(path) and _kind(path) == 0
    text = text.rstrip()
    return text.startswith("ref:") or (len(text) in (40, 64) and not text.strip("0123456789abcdef"))


def _is_listed(path: str) -> bool:
    """True if a directory has this entry; HEAD may be a link that leads nowhere yet."""
    try:
        system.lstat(path)
    except (OSError, ValueError):
        return False
    return True
