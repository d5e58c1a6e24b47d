"""Where things lie for Claude Code, and the files there as they are. Reads only; `apply` and `deploy` write."""

import json
import os
import re
import stat
import time

from guardhook.install import InstallError

# What a release folder and our deployed launcher look like; nothing else is ever taken for ours.
RELEASE_NAME = re.compile(r"guardhook-[0-9][0-9A-Za-z.+]*-[0-9a-f]{12}")
_NAMED = re.compile(RELEASE_NAME.pattern.encode())
# Temporary names of `apply` and `deploy`, for files, for folders that are built, and for folders that go.
_LITTER = re.compile(rf"\..+\.guardhook-[0-9a-f]{{12}}\.tmp|\.{RELEASE_NAME.pattern}\.\w+\.tmp")
_SMALL = 1 << 20  # bytes; a launcher has some thousand
_RELEASE_LINE = re.compile(rb'^RELEASE = "([^"\r\n]*)"\r?$', re.MULTILINE)


class Places:
    """The paths of one Claude Code configuration, all absolute. `releases` is the folder beside the real launcher."""

    __slots__ = ("config", "guard", "hooks", "record", "releases", "session", "settings")

    def __init__(self, config: str) -> None:
        """config: the folder that holds `settings.json`; a relative path and `~` are resolved."""
        self.config = os.path.abspath(os.path.expanduser(config))
        self.hooks = os.path.join(self.config, "hooks")
        self.settings = os.path.join(self.config, "settings.json")
        self.guard = os.path.join(self.hooks, "guard.py")
        self.session = os.path.join(self.hooks, "session_start.py")
        self.record = os.path.join(self.hooks, "guardhook.json")
        self.releases = self.hooks
        if os.path.islink(self.guard) and _is_written_through(self.guard):
            self.releases = os.path.dirname(os.path.realpath(self.guard))  # the launcher looks beside its real file


def _is_written_through(link: str) -> bool:
    """Does a link at the launcher's place lead to a launcher of ours, or to nothing, so that one will be put there?"""
    try:
        data = read_file(link)
    except InstallError:
        return False
    return data is None or release_of(data) is not None


def means(word: str, path: str) -> bool:
    """Does a word of a wired command name this path, as it stands or with `~` and variables filled in?"""
    return path in (os.path.normpath(word), os.path.normpath(os.path.expandvars(os.path.expanduser(word))))


def from_environment() -> Places:
    """The places of SPEC A1: `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    return Places(os.environ.get("CLAUDE_CONFIG_DIR") or "~/.claude")


class Record:
    """What an installation must remember so that uninstalling gives back what was there before.

    created: which of CREATABLE did not exist before the first installation.
    moved_guard, moved_session: the name under which a launcher's namesake of somebody else was put aside, "" for none.
    """

    CREATABLE = (
        "config folder",
        "hooks folder",
        "settings",
        "hooks",
        "hooks.PreToolUse",
        "hooks.SessionStart",
        "hooks.ConfigChange",
    )

    __slots__ = ("created", "moved_guard", "moved_session")

    def __init__(self, created: tuple[str, ...] = (), moved_guard: str = "", moved_session: str = "") -> None:
        self.created = created
        self.moved_guard = moved_guard
        self.moved_session = moved_session

    def encode(self) -> bytes:
        fields = {
            "created": list(self.created),
            "moved_guard": self.moved_guard,
            "moved_session": self.moved_session,
        }
        return (json.dumps(fields, indent=2) + "\n").encode()


def decode_record(data: bytes | None) -> Record:
    """The record in a file's bytes; an empty one if there is none or it cannot be read."""
    try:
        fields = json.loads(data or b"{}")
        moved = [fields.get(name, "") for name in ("moved_guard", "moved_session")]
        created = tuple(name for name in Record.CREATABLE if name in fields.get("created", ()))
    except (ValueError, AttributeError, TypeError, RecursionError):
        return Record()
    names = [name if isinstance(name, str) and os.path.basename(name) == name else "" for name in moved]
    return Record(created, *names)


class Snapshot:
    """The files as they are: bytes, or None where there is no file. releases: name -> age in seconds.

    others: path -> bytes of further files that may name a release. links: those of our paths that are symbolic links,
    and where each leads. litter: what an installer that was killed left behind, files and folders. strays: release
    folders beside a launcher that has become a link, which looks elsewhere.
    """

    __slots__ = (
        "folders",
        "guard",
        "links",
        "litter",
        "moved_guard",
        "moved_session",
        "others",
        "record",
        "releases",
        "session",
        "settings",
        "strays",
    )

    def __init__(self) -> None:
        self.settings: bytes | None = None
        self.guard: bytes | None = None
        self.session: bytes | None = None
        self.moved_guard: bytes | None = None
        self.moved_session: bytes | None = None
        self.record: bytes | None = None
        self.releases: dict[str, float] = {}
        self.folders: tuple[str, ...] = ()
        self.others: dict[str, bytes] = {}
        self.links: dict[str, str] = {}
        self.litter: list[str] = []
        self.strays: list[str] = []


def snapshot(places: Places) -> Snapshot:
    """Read everything that planning needs. Raises InstallError for a file that is there and cannot be read."""
    found = Snapshot()
    found.settings = read_file(places.settings)
    found.guard = read_file(places.guard)
    found.session = read_file(places.session)
    found.record = read_file(places.record)
    record = decode_record(found.record)
    found.moved_guard, found.moved_session = (
        read_file(os.path.join(places.hooks, moved)) if moved else None
        for moved in (record.moved_guard, record.moved_session)
    )
    found.folders = tuple(folder for folder in (places.config, places.hooks) if os.path.isdir(folder))
    paths = (places.settings, places.guard, places.session)
    found.links = {path: os.path.realpath(path) for path in paths if os.path.islink(path)}
    found.releases = {os.path.basename(path): _age(path) for path in _releases(places.releases)}
    found.strays = _releases(places.hooks) if places.hooks != places.releases else []
    for folder in {places.config, places.hooks, places.releases}:
        found.litter += [path for path in _entries(folder) if _LITTER.fullmatch(os.path.basename(path))]
        found.others.update(_naming(folder, (*paths, *found.links.values())))
    found.litter.sort()
    return found


def named(data: bytes | None) -> set[str]:
    """The release folders that a file names, in whatever way."""
    return {name.decode() for name in _NAMED.findall(data or b"")}


def _releases(folder: str) -> list[str]:
    return [
        path
        for path in _entries(folder)
        if RELEASE_NAME.fullmatch(os.path.basename(path)) and os.path.isdir(path) and not os.path.islink(path)
    ]


def _age(path: str) -> float:
    return time.time() - os.stat(path).st_mtime


def _naming(folder: str, known: tuple[str, ...]) -> dict[str, bytes]:
    """The small files of a folder that name a release folder, but for those that are known, and copies of old files."""
    found = {}
    for path in _entries(folder):
        try:
            small = stat.S_ISREG(os.stat(path).st_mode) and os.stat(path).st_size <= _SMALL
            data = b"" if path in known or path.endswith(".bak") or not small else read_file(path) or b""
        except (OSError, InstallError):
            continue
        if named(data):
            found[path] = data
    return found


def _entries(folder: str) -> list[str]:
    """Paths of what lies in a folder; none if it is not there or cannot be read."""
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    except OSError:
        return []


def read_file(path: str) -> bytes | None:
    """A regular file's bytes (symbolic links are followed); None if nothing is there. Raises InstallError."""
    try:
        # A FIFO must not hang the installer, so the kind is looked at before anything is opened.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise InstallError(f"{path} is not a regular file.")
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InstallError(f"{path} cannot be read: {error.strerror}.") from None


def release_of(guard: bytes | None) -> str | None:
    """The release folder that a deployed launcher names; None if these bytes are not our launcher."""
    match = _RELEASE_LINE.search(guard) if guard and b"guardhook" in guard else None
    return match.group(1).decode("ascii", "replace") if match else None
