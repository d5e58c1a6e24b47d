"""The patches that a shell command feeds to Codex's patch program, which Codex applies itself (SPEC X3)."""

from guardhook.shell.directory import Directories
from guardhook.shell.stdin import Feed, texts
from guardhook.shell.unwrap import Unwrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAMS = ("apply_patch", "applypatch")


def patches(found: Unwrapped, directories: Directories) -> "Iterator[tuple[str, str | None]]":
    """(patch, directory that its paths start from) of each; the directory is None where nobody knows it."""
    for invocation in found.invocations:
        if invocation.name in PROGRAMS:
            given = [word for words in found.expand(invocation) for word in words[1:2]]
            if not given:
                feed = Feed(invocation.command, invocation.layer.reading.commands, None)
                given = texts(feed, found.afterwards()) or []
            for text in given:
                yield text, directories.of(invocation.command)
