"""Wrappers that may start what they run in another directory: `env -C`, `sudo -i` and their kin (SPEC N3, N5)."""

from guardhook.shell import payloads
from guardhook.shell.commands import UNKNOWN
from guardhook.shell.options import walk
from guardhook.shell.unwrap import Layer, Unwrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Wrapper -> options (or subcommands) with which what it runs starts in another directory.
MOVING = {
    "env": ("-C", "--chdir"),
    "sudo": ("-D", "-i", "-R", "--chdir", "--chroot", "--login"),
    "find": ("-execdir", "-okdir"),
    "uv": ("--directory",),
    "uvx": ("--directory",),
    "poetry": ("-C", "-P", "--directory", "--project"),
    "npx": ("-C", "-w", "--prefix", "--workspace"),
    "pnpm": ("-C", "-F", "-r", "--dir", "--filter", "--recursive", "recursive"),
    "bun": ("--cwd",),
    "bunx": ("--cwd",),
    "pwsh": ("-workingdirectory",),
    "start": ("/d",),
}


# Of these, the ones whose option names the directory.
_NAMING = {"env": ("-C", "--chdir"), "sudo": ("-D", "--chdir")}
_MAX_WORDS = 200  # in front of a program; nobody writes more prefixes


def named(words: list[str], name: str, layer: Layer) -> "Iterator[str]":
    """The directories that `env -C` and `sudo -D` in front of a program name, outermost first.

    words: of the simple command, expanded. name: of the program that runs in the end. layer: what it stands in.
    """
    for at, word in enumerate(words[:_MAX_WORDS]):
        prefix = layer.program(word)
        if prefix == name:
            return
        if prefix in _NAMING:
            row, start = payloads.find(prefix, words[at:], layer.language)
            value = walk(words[at:], row.grammar, start).value(*_NAMING[prefix]) if row is not None else None
            if value:
                yield value


def may_start(name: str, found: Unwrapped) -> bool:
    """True unless every use of the wrapper `name` in the call is read to its end and stays where it is.

    A wrapper whose name comes out of a variable, and an unknown word where its options may go on, count as moving.
    """
    uses = 0
    for layer in found.layers:
        for command in layer.reading.commands:
            words = [word.text for word in command.words]
            for at, word in enumerate(words):
                if layer.program(word) != name:
                    continue
                if _moves(name, words[at:], layer):
                    return True
                uses += 1
    return uses == 0


def _moves(name: str, words: list[str], layer: Layer) -> bool:
    plain = [option for option in MOVING[name] if name == "find" or option[0] not in "-/"]
    row, start = payloads.find(name, words, layer.language)
    if row is None or not set(plain).isdisjoint(words):
        return True
    options = walk(words, row.outer, 1).options if row.outer is not None else []
    seen = walk(words, row.grammar, start)
    options += seen.options
    at = seen.stop
    while row.assignments and at < len(words) and "=" in words[at] and words[at][0] not in "-=":
        at += 1
        if row.again:
            seen = walk(words, row.grammar, at)
            options += seen.options
            at = seen.stop
    if any(option.name in MOVING[name] for option in options):
        return True
    split = [word for option in options if option.name in row.split for word in (option.value or "").split()]
    return any(word[0] == "-" or UNKNOWN in word for word in split) or UNKNOWN in "".join(words[at : at + 1])
