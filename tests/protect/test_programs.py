"""Which files the programs of the table change."""

import pytest

from guardhook.call import BASH, POWERSHELL
from guardhook.gates import CHANGERS
from guardhook.protect.programs import PROGRAMS, WINDOWS, targets
from guardhook.shell.patches import PROGRAMS as PATCHERS
from guardhook.shell.writes import PROGRAMS as WRITERS

FOLDERS = ("d", "d/", ".")

CASES = [
    ("rm -rf a -- -b", "a -b"),
    ("rm a b -v", "a b"),
    ("shred -n 3 -u a", "a"),
    ("truncate -s 0 a --reference b", "a"),
    ("chmod 644 a", "644 a"),
    ("chmod --reference=a b", "b"),
    ("chown -R u:g a", "u:g a"),
    ("mv a b", "a b"),
    ("mv a b d", "a b d/a d/b"),
    ("mv -t d a", "a d/a"),
    ("mv -T a d", "a d"),
    ("mv --target-dir=d a", "a d/a"),
    ("cp a b", "b"),
    ("cp a x/b d/", "d//a d//b"),
    ("cp -r a/. d", "d"),
    ("cp --parents a/b d", "d/a/b"),
    ("rsync -aR a/b d", "d/a/b"),
    ("rsync host:a/b d", "d/b"),
    ("rsync host:b d", "d/b"),
    ("cp -s a b", "a b"),
    ("cp -S .bak a b", "b"),
    ("cp a", ""),
    ("ln -s a b", "a b"),
    ("ln -s x/a", "x/a ./a"),
    ("ln -sfn a d", "a d d/a"),
    ("install -m 644 a b", "b"),
    ("install -d a", ""),
    ("install -Dm755 a -t d", "d/a"),
    ("rsync -a --exclude x a/ d", "d"),
    ("rsync -a a d", "d/a"),
    ("rsync -e ssh a host:d", ""),
    ("rsync --remove-source-files a d", "a d/a"),
    ("dd if=a of=b bs=1", "b"),
    ("unlink a", "a"),
]


@pytest.mark.parametrize(("line", "expected"), CASES)
def test_operands(line: str, expected: str) -> None:
    words = line.split()
    found = [path for path, _ in targets(words[0], words, BASH, lambda path: path in FOLDERS)]
    assert found == expected.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("remove-item -Recurse a b", "a b"),
        ("remove-item -Path:a", "a"),
        ("copy-item a b", "b"),
        ("copy-item -Path a b", "b"),
        ("copy-item -Destination b a", "b"),
        ("copy-item -LiteralPath:a -Dest b", "b"),
        ("rename-item a b", "a b"),
    ],
)
def test_cmdlets(line: str, expected: str) -> None:
    words = line.split()
    assert [path for path, _ in targets(words[0], words, POWERSHELL, lambda _: False)] == expected.split()


def test_the_gate_s_row_names_them_all() -> None:
    writers = {name for table in WRITERS.values() for name in table} - {"sed", "perl"}
    assert set(CHANGERS) == {*PROGRAMS, *WINDOWS, *writers, *PATCHERS, "guardhook", "codex"}
