"""Which paths the writing gates look at, and which of those are marked as text that an agent only carries.

A path that cannot be followed to its end is never marked: a missed exemption costs a denial, a wrong one hides prose.
"""

import sys

try:
    import posix as system
except ImportError:  # Windows
    import os as system  # type: ignore[no-redef]

EXTENSIONS = (".md", ".tex", ".rst", ".txt")
MARKER = "agent-io"
MAX_BYTES = 1_000_000

_MAX_PATH = 4096  # PATH_MAX of Linux; macOS allows 1024
_MAX_LINKS = 40  # Linux gives up after as many
_FORMAT, _DIRECTORY, _REGULAR, _LINK = 0o170000, 0o040000, 0o100000, 0o120000
_ABSENT = (FileNotFoundError, NotADirectoryError)

_ROOT_NAMES = ("TMPDIR", "TEMP", "TMP")
# macOS keeps the real directories below /private; there /tmp is a link.
_SYSTEM_ROOTS = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp")


def extension(path: str) -> str:
    """The extension of a path's last part, in lower case, with its dot; "" if it has none. Either separator counts."""
    name = path.replace("\\", "/").rpartition("/")[2]
    _, dot, ending = name.rpartition(".")
    return dot + ending.lower() if dot else ""


def is_prose(path: str) -> bool:
    """Whether a file of this name holds prose (SPEC W1)."""
    return extension(path) in EXTENSIONS


def marked_anywhere(path: str) -> bool:
    """Whether a directory of the path is the marker, wherever it lies: enough for the advisory (SPEC I1).

    path: absolute, else only the directories that it names itself are seen.
    """
    return MARKER in path.replace("\\", "/").lower().split("/")[:-1]


def absolute(path: str, cwd: str, environment: dict[str, str]) -> "str | None":
    """The path from the root on, `.`, `..` and links left in it (SPEC A3).

    cwd: what a relative path starts from; "" for the process's own.
    None: there is no telling; another user's `~name` is such a path.
    """
    if sys.platform == "win32":
        path, cwd = path.replace("\\", "/"), cwd.replace("\\", "/")
    if not path or "\0" in path or "\0" in cwd:
        return None
    if path[0] == "~":
        home = _home(environment)
        if not home or path[1:2] not in ("", "/"):
            return None
        return home + path[1:]
    if _is_absolute(path):
        return path
    try:
        base = cwd or system.getcwd()
    except OSError:
        return None
    return f"{base}/{path}" if _is_absolute(base) else None


def is_carried(path: str, cwd: str, environment: dict[str, str]) -> bool:
    """Whether the banned-word gates leave this file alone (SPEC I2).

    cwd: what a relative path starts from. environment: the hook's own; TMPDIR, TEMP, TMP and HOME are looked up in it.
    A `..` is followed both ways, as a shell does and as editors do, and both places have to be marked.
    """
    whole = absolute(path, cwd, environment)
    if whole is None:
        return False
    return _is_marked(whole, environment) and (
        ".." not in whole.split("/") or _is_marked(without_dots(whole), environment)
    )


def is_directory(path: str) -> bool:
    """Whether a directory stands there, links followed."""
    try:
        return system.stat(path).st_mode & _FORMAT == _DIRECTORY
    except (OSError, ValueError):
        return False


def names(path: str) -> "list[str] | None":
    """What lies in a folder, in no order; None if it cannot be looked into."""
    try:
        return system.listdir(path)
    except (OSError, ValueError):
        return None


def open_text(path: str) -> "str | None":
    """The text of a regular file, its first 1,000,000 bytes, read as UTF-8 with U+FFFD for what is none (SPEC A8).

    A byte order mark is left out, line ends stay as they are. None: not there, not a regular file, or not readable.
    """
    try:
        # Asked before opening: opening a FIFO or a device is an act of its own.
        if system.stat(path).st_mode & _FORMAT != _REGULAR:
            return None
        flags = system.O_RDONLY
        for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
            flags |= getattr(system, name, 0)
        handle = system.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        data = _read(handle)
    except OSError:
        return None
    finally:
        system.close(handle)
    return None if data is None else data.decode("utf-8", "replace").removeprefix("\ufeff")


def _read(handle: int) -> "bytes | None":
    if system.fstat(handle).st_mode & _FORMAT != _REGULAR:
        return None
    data = b""
    while len(data) < MAX_BYTES:
        piece = system.read(handle, MAX_BYTES - len(data))
        if not piece:
            break
        data += piece
    return data


def _is_absolute(path: str) -> bool:
    if sys.platform == "win32":
        return path[1:3] in (":/", ":\\") or path[:2] in ("//", "\\\\")
    return path.startswith("/")


def _home(environment: dict[str, str]) -> str:
    home = environment.get("HOME") or environment.get("USERPROFILE") or ""
    return home if _is_absolute(home) and "\0" not in home else ""


def _is_marked(whole: str, environment: dict[str, str]) -> bool:
    """I2 for one reading of an absolute path. The marker is looked for first: most paths have none."""
    place = resolved(whole)
    if place is None:
        return False
    directories = place.split("/")[:-1]
    if MARKER not in [name.lower() for name in directories]:
        return False
    for root in _roots(environment):
        # A root inside a repository needs no rule of its own: that repository encloses the file too.
        if place.startswith(root + "/") and MARKER in place[len(root) + 1 :].lower().split("/")[:-1]:
            return not _is_in_repository(directories)
    return False


def _roots(environment: dict[str, str]) -> list[str]:
    """The temp roots, resolved. One that the environment names must not be a way to call HOME or `/` temporary."""
    home = resolved(_home(environment))
    roots = []
    for name in _ROOT_NAMES:
        value = environment.get(name, "")
        root = resolved(value) if _is_absolute(value) else None
        if root and not (home and f"{home}/".startswith(f"{root}/")):
            roots.append(root)
    if sys.platform != "win32":
        roots += [root for root in map(resolved, _SYSTEM_ROOTS) if root]
    return roots


def _is_in_repository(directories: list[str]) -> bool:
    """Whether a `.git` directory or file stands in one of the directories from the root on; no access counts as yes."""
    for depth in range(len(directories), 0, -1):
        try:
            mode = system.stat("/".join(directories[:depth]) + "/.git").st_mode & _FORMAT
        except _ABSENT:
            continue
        except (OSError, ValueError):
            return True
        if mode in (_DIRECTORY, _REGULAR):
            return True
    return False


def is_there(path: str) -> bool:
    """Whether something stands at an absolute path, a broken link included; no access counts as yes."""
    try:
        system.lstat(path)
    except (*_ABSENT, ValueError):
        return False
    except OSError:
        return True
    return True


def without_dots(whole: str) -> str:
    """The path with `..` taken as text, links or not: what an editor that tidies paths before use would open."""
    parts: list[str] = []
    for part in whole.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return ("/" if whole.startswith("/") else "") + "/".join(parts)


def resolved(whole: str) -> "str | None":
    """An absolute path with its links followed; "" is `/`. A tail that is not there stays. None: loop, no access."""
    if not whole or len(whole) > _MAX_PATH:
        return None
    if sys.platform == "win32":
        from os.path import realpath

        return realpath(whole).replace("\\", "/").removeprefix("//?/").lower()
    ahead, place, links = whole.split("/")[::-1], "", 0
    while ahead:
        part = ahead.pop()
        if part == "..":
            place = place.rpartition("/")[0]
        elif part not in ("", "."):
            target = link(f"{place}/{part}")
            links += bool(target)
            if target is None or links > _MAX_LINKS:
                return None
            if target.startswith("/"):
                place = ""
            elif not target:
                place = f"{place}/{part}"
            ahead.extend(target.split("/")[::-1])
    return place


def link(path: str) -> "str | None":
    """Where the link at this path leads; "" if it is none or not there; None if that cannot be seen."""
    try:
        return system.readlink(path) if system.lstat(path).st_mode & _FORMAT == _LINK else ""
    except _ABSENT:
        return ""
    except (OSError, ValueError):
        return None
