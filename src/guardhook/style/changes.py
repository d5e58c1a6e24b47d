"""What a change brings into a repository's prose files: their bytes on the new side, and the lines that it adds.

git is asked, never guessed: every list is read with `-z`, so that a name may hold anything, and every option that a
configuration could bend (context, renames, attributes that hide a text) is given outright.
"""

import os
import stat
import subprocess

from guardhook.prose import scope

# Bytes of a file that is read (SPEC A8).
LIMIT = 1_000_000
_MODES = ("100644", "100755")
_DIFF = (
    "diff --no-ext-diff --no-textconv --no-color --no-relative --text --find-renames --ignore-submodules=all"
).split()
_LIST = (*_DIFF, "--raw", "--no-abbrev", "-z")
_HUNKS = (*_DIFF, "--ignore-cr-at-eol", "--unified=0", "--inter-hunk-context=0")
_CONFIGURATION = "-c core.fsmonitor=false -c core.quotePath=false".split()
# Variables that would change what is listed or how. Those that name a repository count, unless one is named here.
_BENDING = "GIT_DIFF_OPTS GIT_EXTERNAL_DIFF GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS".split()
_PLACE = (
    "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_NAMESPACE GIT_OBJECT_DIRECTORY "
    "GIT_ALTERNATE_OBJECT_DIRECTORIES"
).split()

Lines = frozenset[int]


class ChangeError(Exception):
    """There is no such repository, revision or file; the text says which and is meant for the user."""


class Prose:
    """A prose file that the change touches. path: from the top of the repository, or as the user named it.

    place: where it is on the disk. data: its bytes on the new side. added: the lines that the change adds, from 1;
    None if all are new.
    """

    __slots__ = ("added", "data", "path", "place")

    def __init__(self, path: str, place: str, data: bytes, added: Lines | None) -> None:
        self.path = path
        self.place = place
        self.data = data
        self.added = added


class Change:
    """title: what is compared with what. files: the prose. left_out: (path, why) for prose files that are not read."""

    __slots__ = ("files", "left_out", "title")

    def __init__(self, title: str) -> None:
        self.title = title
        self.files: list[Prose] = []
        self.left_out: list[tuple[str, str]] = []

    def add(self, path: str, place: str, data: "bytes | str", added: Lines | None) -> None:
        """Take a file in, or leave it out: data is a str, the reason, where it could not be read."""
        if isinstance(data, str):
            self.left_out.append((path, data))
        elif not data:
            self.left_out.append((path, "it is empty"))
        elif b"\0" in data[:8000]:
            self.left_out.append((path, "it is binary"))
        else:
            self.files.append(Prose(path, place, data, added))


class _Entry:
    """One line of `git diff --raw`: mode and object on the new side, paths on both."""

    __slots__ = ("identity", "mode", "old", "path", "status")

    def __init__(self, mode: str, identity: str, status: str, old: str, path: str) -> None:
        self.mode = mode
        self.identity = identity
        self.status = status
        self.old = old
        self.path = path


def named(folder: str, names: list[str]) -> Change:
    """The named files as they are on the disk, every line of them; no repository is needed."""
    change = Change("named files")
    for name in names:
        place = os.path.abspath(os.path.join(folder, name))
        if not os.path.exists(place):
            raise ChangeError(f"there is no file {name}")
        if os.path.isdir(place):
            raise ChangeError(f"{name} is a folder: name files, or say which change with --worktree or --base")
        if scope.is_prose(name):
            change.add(name, place, _read(place), None)
        else:
            change.left_out.append((name, "it is no prose file"))
    return change


class Repository:
    """A working tree, and what changed in it. Raises ChangeError where there is none."""

    def __init__(self, folder: str, names: list[str], is_named: bool = False) -> None:
        """folder: anywhere in the tree. names: only these files and folders, from `folder`; empty for all.

        is_named: the user named the folder, so git's variables (those of a git hook, say) do not.
        """
        self._environment = _environment(is_named)
        top = self._git(folder, "rev-parse", "--show-toplevel")
        self.top = os.fsdecode(top.removesuffix(b"\n"))
        if not self.top:
            raise ChangeError(f"{folder}: a working tree is needed, and this repository has none")
        self._names = [self._from_top(folder, name) for name in names]

    def staged(self) -> Change:
        """What is staged, against HEAD or, before the first commit, against nothing; bytes from the index."""
        change = Change("staged changes")
        entries = self._entries(change, "--cached")
        blobs = self._blobs([entry.identity for entry in entries])
        for entry, data in zip(entries, blobs, strict=True):
            self._add(change, entry, data, "--cached")
        return change

    def worktree(self) -> Change:
        """What is not staged, and what git does not know and does not ignore."""
        change = Change("changes that are not staged, and untracked files")
        self._add_from_disk(change)
        listed = self._run("ls-files", "--others", "--exclude-standard", "-z", "--", *self._names)
        for path in map(os.fsdecode, listed.split(b"\0")):
            if path and scope.is_prose(path):
                change.add(path, self._place(path), _read(self._place(path), follow=False), None)
        return change

    def since(self, revision: str) -> Change:
        """What the tracked files have now, committed or not, that they had not where `revision` and HEAD parted."""
        base = self._base(revision)
        change = Change(f"changes since {revision} ({base[:10]})")
        self._add_from_disk(change, base)
        return change

    def _base(self, revision: str) -> str:
        found = b""
        if not revision.startswith("-"):
            found = self._try("rev-parse", "--verify", "--quiet", revision + "^{commit}")
        if not found:
            raise ChangeError(f"{revision} is no revision of the repository {self.top}")
        commit = found.decode().strip()
        return self._try("merge-base", commit, "HEAD").decode().strip() or commit

    def _add_from_disk(self, change: Change, *sides: str) -> None:
        for entry in self._entries(change, *sides):
            self._add(change, entry, _read(self._place(entry.path), follow=False), *sides)

    def _add(self, change: Change, entry: _Entry, data: "bytes | str", *sides: str) -> None:
        if isinstance(data, str) or entry.status == "A":
            change.add(entry.path, self._place(entry.path), data, None)
            return
        hunks = self._run(*_HUNKS, *sides, "--", *dict.fromkeys((entry.old, entry.path)))
        if b"\n@@ -" not in hunks:
            change.left_out.append((entry.path, "its text is the same as before"))
        else:
            change.add(entry.path, self._place(entry.path), data, added_lines(hunks))

    def _entries(self, change: Change, *sides: str) -> list[_Entry]:
        """The prose files of a diff that are files on its new side; symbolic links and submodules are none."""
        fields = os.fsdecode(self._run(*_LIST, *sides, "--", *self._names)).split("\0")
        found: dict[str, _Entry] = {}
        at = 0
        while at + 1 < len(fields):
            _, mode, _, identity, status = fields[at].removeprefix(":").split(" ")
            two = status[0] in "RC"
            old, path = fields[at + 1], fields[at + 2 if two else at + 1]
            at += 3 if two else 2
            if not scope.is_prose(path) or status == "D":
                continue
            if status == "U":
                change.left_out.append((path, "it is in conflict"))
            elif mode not in _MODES:
                change.left_out.append((path, "it is a symbolic link" if mode == "120000" else "it is no file"))
            elif path not in found:
                found[path] = _Entry(mode, identity, status[0], old, path)
        return list(found.values())

    def _blobs(self, identities: list[str]) -> "list[bytes | str]":
        """The contents of objects, or why one is not read. Sizes are asked first, so that no huge one is loaded."""
        sizes = self._run("cat-file", "--batch-check=%(objectsize)", data=_lines(identities)).splitlines()
        reasons = {name: _unread(size) for name, size in zip(identities, sizes, strict=True)}
        small = [name for name in reasons if not reasons[name]]
        listed, at = self._run("cat-file", "--batch=%(objectsize)", data=_lines(small)), 0
        found: dict[str, bytes] = {}
        for identity in small:
            end = listed.index(b"\n", at)
            size = int(listed[at:end])
            found[identity] = listed[end + 1 : end + 1 + size]
            at = end + size + 2
        return [reasons[identity] or found[identity] for identity in identities]

    def _place(self, path: str) -> str:
        return os.path.join(self.top, path)

    def _from_top(self, folder: str, name: str) -> str:
        head, tail = os.path.split(os.path.join(folder, name).rstrip(os.sep))
        path = os.path.relpath(os.path.join(os.path.realpath(head), tail), os.path.realpath(self.top))
        if path.split(os.sep)[0] == os.pardir:
            raise ChangeError(f"{name} is outside the repository {self.top}")
        return path

    def _run(self, *arguments: str, data: bytes = b"") -> bytes:
        return self._git(self.top, *arguments, data=data)

    def _try(self, *arguments: str) -> bytes:
        try:
            return self._run(*arguments)
        except ChangeError:
            return b""

    def _git(self, folder: str, *arguments: str, data: bytes = b"") -> bytes:
        command = ["git", "-C", folder, *_CONFIGURATION, *arguments]
        try:
            done = subprocess.run(command, input=data, capture_output=True, env=self._environment, check=False)
        except FileNotFoundError:
            raise ChangeError("git is needed for this and is not on PATH") from None
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
            raise ChangeError(f"git could not read the repository {folder}: {said or f'status {done.returncode}'}")
        return done.stdout


def added_lines(hunks: bytes) -> Lines:
    """The lines on the new side of a diff without context. Nothing but a hunk's head starts with `@` in one."""
    added: set[int] = set()
    for line in hunks.split(b"\n"):
        if line.startswith(b"@@ -"):
            first, _, count = line.split(b" ")[2].removeprefix(b"+").partition(b",")
            added.update(range(int(first), int(first) + int(count or b"1")))
    return frozenset(added)


def _read(place: str, follow: bool = True) -> "bytes | str":
    """The bytes of a regular file, or why they are not read; never waits for a FIFO or a device (SPEC A8)."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if not follow:
        if os.path.islink(place):
            return "it is a symbolic link"
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(place, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return "it is no regular file"
            data = file.read(LIMIT + 1)
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    return data if len(data) <= LIMIT else _too_long()


def _unread(size: bytes) -> str:
    if not size.isdigit():  # "<object> missing"
        return "it is not in the object database"
    return _too_long() if int(size) > LIMIT else ""


def _too_long() -> str:
    return f"it is longer than {LIMIT:,} bytes"


def _lines(identities: list[str]) -> bytes:
    return "".join(identity + "\n" for identity in identities).encode()


def _environment(is_named: bool) -> dict[str, str]:
    away = {*_BENDING, *(_PLACE if is_named else ())}
    kept = {name: value for name, value in os.environ.items() if name not in away}
    return {**kept, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_LITERAL_PATHSPECS": "1"}
