"""A file as it is found, whatever lies there: looking at a broken installation must neither hang nor raise."""

import os
import stat

# A settings file or launcher above this is read by nobody here; the largest of ours has some tens of thousands.
MOST = 4_000_000


class File:
    """path: as given. data: its bytes, None where there is none to read. flaw: "" or what is wrong, in words.

    exists: does anything lie there?
    """

    __slots__ = ("data", "exists", "flaw", "path")

    def __init__(self, path: str) -> None:
        self.path = path
        self.data: bytes | None = None
        self.exists = False
        self.flaw = ""


def read(path: str, most: int = MOST) -> File:
    """A regular file's bytes, links followed. A FIFO, a folder, a device or more than `most` bytes is a flaw."""
    found = File(path)
    try:
        found.exists = os.path.lexists(path)
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            found.flaw = "it is not a regular file"
            return found
        if not mode & 0o444:  # root reads it all the same, the others do not
            found.flaw = "nobody is permitted to read it"
        found.data = _bytes(path, most + 1)
    except FileNotFoundError:
        found.flaw = "it is a link to nothing" if found.exists else ""
    except (OSError, ValueError) as error:
        found.flaw = f"it cannot be read: {getattr(error, 'strerror', None) or error}"
    if found.data is not None and len(found.data) > most:
        found.data, found.flaw = None, f"it has more than {most:,} bytes"
    return found


def sealed(path: str) -> str:
    """ "" or why nothing can be written there, in words. One that is not there is not sealed."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return ""
    if not mode & 0o222:
        return "nobody is permitted to write to it"
    return "" if os.access(path, os.W_OK) else "you are not permitted to write to it, or its file system is read-only"


def _bytes(path: str, most: int) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("it is not a regular file")
        return file.read(most)
