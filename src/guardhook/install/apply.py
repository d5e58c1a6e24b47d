"""The only writer of files that belong to the user: whole files, atomically, and back again if one of them fails."""

import contextlib
import errno
import os
import secrets
import shutil
import stat

from guardhook.install import InstallError
from guardhook.install.places import read_file
from guardhook.install.plan import MOVE, Edit, Plan, backup_name


def apply(plan: Plan, stamp: str) -> list[str]:
    """Carry out a plan; the result names the backups made. stamp: `YYYYMMDD-HHMMSS` for their names.

    Raises InstallError if a file is no longer what the plan was made for, or cannot be written; files that were already
    changed then get their old bytes back.
    """
    for edit in plan.edits:
        if read_file(edit.path) != edit.old:
            raise InstallError(
                f"{edit.path} was changed by somebody else at this moment. Nothing was written; try again."
            )
    backups: list[str] = []
    done: list[tuple[Edit, str, os.stat_result | None]] = []
    try:
        for edit in plan.edits:
            before = _stat(edit.path)
            backup = _keep(edit, stamp) if edit.keep and edit.old is not None else ""
            done.append((edit, backup, before))
            backups.extend([backup] if backup else [])
            _carry_out(edit)
        for source, target in plan.restore:
            os.replace(source, target)
    except OSError as error:
        for edit, backup, before in reversed(done):
            _undo(edit, backup, before)
        raise InstallError(
            f"{error.filename or 'A file'} cannot be written: {error.strerror}. Nothing was changed."
        ) from None
    for path in plan.folders + plan.litter:
        remove_folder(path)
    for folder in plan.empty:
        with contextlib.suppress(OSError):  # not empty: it holds something of the user's
            os.rmdir(folder)
    return backups


def write(path: str, data: bytes, mode: int, like: os.stat_result | None = None) -> None:
    """Put data in a file in one step: readers see the old bytes or the new ones.

    A symbolic link stays, its target is replaced. mode: for a new file; an old one, or one that is to be like another,
    keeps mode and owner where that is allowed. Raises OSError.
    """
    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    os.makedirs(folder, exist_ok=True)
    before = _stat(real) or like
    temporary = os.path.join(folder, f".{name}.guardhook-{secrets.token_hex(6)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), _own_like(file.fileno(), before) if before else mode)
            os.fsync(file.fileno())
        os.replace(temporary, real)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    sync_folder(folder)


def _own_like(descriptor: int, before: os.stat_result) -> int:
    """Give a new file the owner and the group of another, as far as that is allowed; the result is the mode for it.

    A file that now belongs to somebody else must not run with the new owner's rights: that part of the mode goes.
    """
    wanted = (before.st_uid, before.st_gid)
    for owner in (wanted, (-1, before.st_gid)):
        made = os.fstat(descriptor)
        if (made.st_uid, made.st_gid) != wanted:
            with contextlib.suppress(OSError):
                os.fchown(descriptor, *owner)
    made = os.fstat(descriptor)
    mode = stat.S_IMODE(before.st_mode)
    return mode if (made.st_uid, made.st_gid) == wanted else mode & 0o777


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def sync_folder(folder: str) -> None:
    """Make a rename in this folder survive a power cut, where the file system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove_folder(folder: str) -> None:
    """Remove a folder, or a file, of ours. First it gets a name that no launcher looks for: nobody sees half of it."""
    doomed = os.path.join(os.path.dirname(folder), f".{os.path.basename(folder)}.{secrets.token_hex(6)}.tmp")
    try:
        os.rename(folder, doomed)
    except OSError:
        return
    if os.path.isdir(doomed) and not os.path.islink(doomed):
        shutil.rmtree(doomed, ignore_errors=True)
    else:
        os.unlink(doomed)


def _keep(edit: Edit, stamp: str) -> str:
    """Copy or move a file to its dated name; a second file of the same second gets a number."""
    folder, name = os.path.split(edit.path)
    backup = os.path.join(folder, backup_name(name, stamp))
    if edit.keep == MOVE:
        if os.path.lexists(backup):
            raise FileExistsError(errno.EEXIST, "a file of that name exists", backup)
        os.rename(edit.path, backup)
        return backup
    number = 1
    while os.path.lexists(backup):
        number += 1
        backup = os.path.join(folder, backup_name(name, f"{stamp}-{number}"))
    write(backup, edit.old or b"", 0o600, os.stat(edit.path))
    return backup


def _carry_out(edit: Edit) -> None:
    if edit.new is not None:
        write(edit.path, edit.new, edit.mode)
    else:
        os.unlink(edit.path)


def _undo(edit: Edit, backup: str, before: os.stat_result | None) -> None:
    with contextlib.suppress(OSError):
        if edit.keep == MOVE and backup:
            os.replace(backup, edit.path)
        elif edit.old is not None:
            if read_file(edit.path) != edit.old:
                write(edit.path, edit.old, edit.mode, before)
            if backup:
                os.unlink(backup)
        elif os.path.lexists(edit.path):
            os.unlink(edit.path)
