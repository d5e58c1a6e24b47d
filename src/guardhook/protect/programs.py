"""Programs that change the files they are given, and which of their arguments those are (SPEC P2).

Options were read from the manuals of GNU coreutils 9.1, acl 2.3.1, e2fsprogs 1.47 and rsync 3.2.7, and for PowerShell
from the pages of Microsoft.PowerShell.Management 7.5; of cmd's commands every argument counts.
"""

from guardhook.call import BASH
from guardhook.protect.patterns import is_pattern
from guardhook.shell.options import Grammar, Walk, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Which operands change.
EVERY = "every"
MOVED = "moved"  # every source, and what the target becomes
LINKED = "linked"  # the same: what is done to a link is done to the file
COPIED = "copied"  # what the target becomes
OUTPUT = "output"  # dd's `of=`

_COPY = "-S -t --suffix --target-directory"
_RSYNC = (
    "-e --rsh -f --filter --exclude --include --exclude-from --include-from --files-from -T --temp-dir --backup-dir"
    " --suffix --log-file --log-file-format --chmod --chown --usermap --groupmap --partial-dir --port -B --block-size"
    " --bwlimit --max-size --min-size --max-delete --max-alloc --timeout --contimeout --compare-dest --copy-dest"
    " --link-dest --rsync-path -M --remote-option --password-file --out-format --modify-window --info --debug"
    " --stop-after --stop-at --address --sockopts --outbuf --iconv --checksum-choice --compress-choice"
    " --compress-level --skip-compress --write-batch --only-write-batch --read-batch --protocol --checksum-seed"
    " --early-input"
)
_TARGET_NAMES = "--target-directory --no-target-directory --suffix --backup --verbose --force --interactive"


class Program:
    """grammar: its options. kind: which operands change."""

    __slots__ = ("grammar", "kind")

    def __init__(self, kind: str, values: str = "", names: str = "", attached: str = "") -> None:
        self.kind = kind
        self.grammar = Grammar(values, attached, names, permutes=True)


PROGRAMS = {
    **dict.fromkeys(("rm", "rmdir", "unlink"), Program(EVERY)),
    "shred": Program(EVERY, "-n -s --iterations --size --random-source", attached="-u"),
    "truncate": Program(EVERY, "-s -r --size --reference", "--size --reference --no-create --io-blocks"),
    "chmod": Program(EVERY, names="--reference --recursive --changes --silent --quiet --verbose"),
    **dict.fromkeys(("chown", "chgrp"), Program(EVERY, "--from", "--from --reference --recursive --dereference")),
    "chattr": Program(EVERY, "-v -p"),
    "setfacl": Program(EVERY, "-m -x -M -X --modify --remove --modify-file --remove-file --set --set-file"),
    "mv": Program(MOVED, _COPY, f"{_TARGET_NAMES} --no-clobber --update --strip-trailing-slashes"),
    "ln": Program(LINKED, _COPY, f"{_TARGET_NAMES} --symbolic --relative --no-dereference --logical --physical"),
    "cp": Program(
        COPIED,
        f"{_COPY} --sparse",
        f"{_TARGET_NAMES} --symbolic-link --link --recursive --archive --update --no-dereference --preserve --parents"
        " --remove-destination --reflink --sparse --attributes-only --dereference --copy-contents --no-clobber",
    ),
    "install": Program(
        COPIED,
        f"{_COPY} -g -m -o --group --mode --owner --strip-program",
        f"{_TARGET_NAMES} --group --mode --owner --directory --compare --preserve-timestamps --strip --strip-program",
    ),
    "rsync": Program(COPIED, _RSYNC),
    "dd": Program(OUTPUT),
}

# In PowerShell and cmd every argument is taken for a path, but what is only read.
READ_FIRST = frozenset("copy-item cpi cp copy xcopy robocopy".split())
WINDOWS = READ_FIRST | frozenset(
    "remove-item ri rm del erase rd rmdir move-item mi mv move rename-item rni ren rename clear-content clc clear-item"
    " cli set-item si new-item ni set-itemproperty sp attrib icacls takeown set-acl".split()
)
_SOURCES = ("-path", "-literalpath", "-pspath", "-lp")


def targets(
    name: str,
    words: list[str],
    language: str,
    is_directory: "Callable[[str], bool]",
    listed: "Callable[[str], list[str] | None]" = lambda _: None,
) -> "Iterator[tuple[str, bool]]":
    """(path, whether what lies below it changes as well) of every file that an argument list changes.

    name: the program's, one of PROGRAMS or WINDOWS. words: its own first. is_directory: of a path as it stands there.
    listed: the names that a source stands for, where it is `folder/.`, `folder/` or a pattern; None for any other one.
    """
    if language != BASH and name in WINDOWS:
        yield from ((path, True) for path in _windows(name, words))
        return
    program = PROGRAMS[name]
    if program.kind == OUTPUT:
        yield from ((word[3:], False) for word in words[1:] if word[:3] == "of=")
        return
    seen = walk(words, program.grammar, 1)
    operands = [words[index] for index in seen.operands]
    if program.kind == EVERY:
        yield from ((path, True) for path in operands)
        return
    if name == "install" and seen.has("-d", "--directory"):
        return
    into = seen.value("-t", "--target-directory") if name != "rsync" else None
    if program.kind in (MOVED, LINKED) or _links(name, seen):
        yield from ((path, True) for path in (operands if into or len(operands) < 2 else operands[:-1]))
    sources, target = (operands, into) if into else (operands[:-1], operands[-1] if operands[1:] else "")
    if name == "ln" and not target:
        target = "."
        sources = operands
    if target:
        yield from ((path, True) for path in _made(name, seen, sources, target, is_directory, listed))


def _links(name: str, seen: Walk) -> bool:
    """True for a copy that leaves its sources open to change: links to them, or their removal."""
    if name == "rsync":
        return seen.has("--remove-source-files")
    return name == "cp" and seen.has("-s", "-l", "--symbolic-link", "--link")


def _made(
    name: str,
    seen: Walk,
    sources: list[str],
    target: str,
    is_directory: "Callable[[str], bool]",
    listed: "Callable[[str], list[str] | None]",
) -> "Iterator[str]":
    """What a target becomes: itself, or an entry in it for each source."""
    if name == "rsync" and ":" in target.partition("/")[0]:  # on another machine
        return
    itself = name != "rsync" and seen.has("-T", "--no-target-directory")
    if name == "ln" and seen.has("-n", "--no-dereference"):
        yield target
    if itself or not (target[-1:] == "/" or target == "." or is_directory(target)):
        yield target
        return
    whole = seen.has("--parents") if name == "cp" else name == "rsync" and seen.has("-R", "--relative")
    for source in sources:
        merged = source[-2:] == "/." or (name == "rsync" and source[-1:] == "/")
        remote = name == "rsync" and ":" in source.partition("/")[0]
        several = (merged or is_pattern(source)) and not (remote or whole or name == "ln" or seen.has("--delete"))
        inner = listed(source) if several else None
        last = source.partition(":")[2] if remote else source
        if inner is not None:
            yield from (f"{target}/{entry}" for entry in inner)
        elif merged:
            yield target
        else:
            yield f"{target}/{last if whole else last.rstrip('/').rpartition('/')[2]}"


def _windows(name: str, words: list[str]) -> "Iterator[str]":
    """The paths among the arguments of a cmdlet or of a command of cmd."""
    source = name not in READ_FIRST  # has the one that is only read been seen?
    index = 1
    while index < len(words):
        word = words[index]
        index += 1
        if word[:1] == "-":
            option, colon, value = word.partition(":")
            is_source = any(full.startswith(option.lower()) for full in _SOURCES)
            if name in READ_FIRST and is_source and len(option) > 1:
                source = True
                index += not colon
            elif "-destination".startswith(option.lower()) and len(option) > 1 and not colon:
                yield from words[index : index + 1]
                index += 1
            elif colon:
                yield value
        elif source:
            yield word
        else:
            source = True
