"""What the gates share about one call: the marks that decide which of them are asked."""

import pytest

from guardhook import gates
from guardhook.call import BASH, POWERSHELL, ToolCall
from guardhook.context import MAX_COMMAND, Context
from guardhook.gates import CHANGES, INTO_FILE, UNREAD, WRITES
from guardhook.hatches import Settings


def _marks(command: str, kind: str = BASH) -> set[str] | None:
    return Context(ToolCall("claude", "T", kind, command, "/srv"), Settings({})).marks()


@pytest.mark.parametrize(
    ("command", "kind", "marks"),
    [
        ("ls -la | grep x", BASH, {"ls", "grep"}),
        ("ls 2>/dev/null > f.log", BASH, {"ls", INTO_FILE}),
        ("ls 2>/dev/null >&2", BASH, {"ls"}),
        ("ls > f.md", BASH, {"ls", WRITES, INTO_FILE}),
        ("ls > F.TXT", BASH, {"ls", WRITES, INTO_FILE}),
        ("ls > $f", BASH, {"ls", WRITES, INTO_FILE}),
        ("sed -n 5p f | perl -ne print", BASH, {"sed", "perl"}),
        ("sed -Ei s/a/b/ f", BASH, {"sed", CHANGES}),
        ("find . -name '*.o' -exec grep x {} +", BASH, {"grep"}),
        ("find . -name '*.o' -exec grep x {} + -delete", BASH, {"grep", CHANGES}),
        ("sudo git push", BASH, {"git"}),
        ("bash -c 'rm x'", BASH, {"rm"}),
        ("g=git; $g push", BASH, {"git", ""}),
        ("echo 'x", BASH, {"echo", UNREAD}),
        ("ssh a ssh b ssh c ssh d ls", BASH, {"ssh", UNREAD}),
        ("GIT status; & 'Npm.cmd' x", POWERSHELL, {"git", "npm"}),
        ("'x' > n.md", POWERSHELL, {WRITES, INTO_FILE}),
        ("", BASH, set()),
    ],
)
def test_marks(command: str, kind: str, marks: set[str]) -> None:
    assert _marks(command, kind) == marks


def test_what_is_too_long_has_none_so_that_every_gate_is_asked() -> None:
    assert _marks("x" * (MAX_COMMAND + 1)) is None


def test_every_program_that_somebody_watches_is_a_mark_of_some_gate() -> None:
    marks: set[str] = set()
    for gate in gates.TABLE:
        marks |= gate.marks or set()
    for language, watched in gates.WATCHED.items():
        assert watched <= marks, language
    assert UNREAD in marks
