"""One installer at a time for a configuration: two that plan on the same files would undo each other's work.

The kernel's lock on a file goes with the process that holds it, so a killed installer blocks nobody. Where there is no
such lock, the file itself is the lock, and one older than an installation can take is nobody's.
"""

import contextlib
import os
import re
import time
from collections.abc import Iterator

from guardhook.install import InstallError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PATIENCE = 10.0  # seconds; an installation takes about two
STALE = 600.0  # seconds
_STEP = 0.05
_HOLDER = re.compile(r"([\w. ]{1,40}) (\d{1,10}) (\d\d:\d\d:\d\d)\n")


@contextlib.contextmanager
def held(config: str, name: str, patience: float = PATIENCE) -> Iterator[None]:
    """Keep every other installer away from a configuration folder. The file beside it is gone afterwards.

    config: need not exist. name: of this program, for the others to read. Raises InstallError if another one is at
    work for longer than `patience` seconds, or no file can be made.
    """
    path = place(config)
    descriptor = _wait(path, patience)
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{name} {os.getpid()} {time.strftime('%H:%M:%S')}\n".encode())
        yield
    finally:
        with contextlib.suppress(OSError):
            os.unlink(path)
        os.close(descriptor)


def place(config: str) -> str:
    """The lock's file: beside the real configuration folder, or in it where only that can be written."""
    real = os.path.realpath(config)
    parent = os.path.dirname(real)
    if os.path.isdir(real) and not os.access(parent, os.W_OK):
        return os.path.join(real, ".guardhook.lock")
    return f"{real}.guardhook.lock"


def _wait(path: str, patience: float) -> int:
    """A descriptor of the file, once it is ours."""
    end = time.monotonic() + patience
    while True:
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            descriptor = _take(path) if fcntl else _make(path)
        except OSError as error:
            raise InstallError(
                f"{error.filename or path} cannot be made: {error.strerror}. Nothing was changed."
            ) from None
        if descriptor is not None:
            return descriptor
        if time.monotonic() >= end:
            raise InstallError(f"{_holder(path)} is at work on the same files. Nothing was changed; try again later.")
        time.sleep(_STEP)


def _take(path: str) -> int | None:
    """Lock the file; None while somebody else holds it, or has removed it in between."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.lstat(path)):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def _make(path: str) -> int | None:
    """Create the file; None while it is there and not too old."""
    with contextlib.suppress(OSError):
        if time.time() - os.lstat(path).st_mtime > STALE:
            os.unlink(path)
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return None


def _holder(path: str) -> str:
    """Who holds the lock, in words, as the file says."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            match = _HOLDER.fullmatch(file.read(100))
    except OSError:
        match = None
    return f"`{match[1]}` (process {match[2]}, since {match[3]})" if match else "Another guardhook installer"
