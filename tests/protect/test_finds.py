"""What a `find` reaches, compared with the real program, which only prints here."""

import random
import subprocess
from pathlib import Path

import pytest

from guardhook.protect.finds import Find

FILES = ("a/x.py", "a/b/y.json", "a/b/.claude/settings.json", "z.txt", ".c/guard.py")
TESTS = (
    ("-name", "*.json"),
    ("-name", "x*"),
    ("-iname", "X.PY"),
    ("-path", "*/b/*"),
    ("-path", "./a*"),
    ("-name", ".*"),
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("x")
    return tmp_path


def _expression(chance: random.Random, depth: int = 0) -> list[str]:
    kind = chance.choice("tttn" if depth > 2 else "tttnnaaopo")
    if kind == "t":
        return list(chance.choice(TESTS))
    if kind == "n":
        return [chance.choice(("!", "-not")), *_expression(chance, depth + 3)]
    left, right = _expression(chance, depth + 1), _expression(chance, depth + 1)
    if kind == "a":
        return [*left, *chance.choice(([], ["-a"])), *right]
    if kind == "o":
        return ["(", *left, chance.choice(("-o", "-or", ",")), *right, ")"]
    return [*left, "-o", *right]


def test_as_the_real_program(tree: Path) -> None:
    """Every expression of name tests is decided exactly: 400 of them, with `-print` at their end or none."""
    chance = random.Random(7)
    for _ in range(400):
        words = _expression(chance)
        if chance.random() < 0.5:
            words = ["-maxdepth", str(chance.randint(0, 3)), *words]
        if chance.random() < 0.5:
            words.append("-print")
        run = subprocess.run(["find", ".", *words], cwd=tree, capture_output=True, text=True, check=False)
        assert run.returncode == 0, (words, run.stderr)
        printed = set(run.stdout.split())
        find = Find([".", *words], ("-print",))
        for path in (*FILES, "a", "a/b", "a/b/.claude"):
            assert find.reaches(".", path.split("/")) == (f"./{path}" in printed), (words, path)


@pytest.mark.parametrize(
    ("words", "reached"),
    [
        (". -delete", True),
        (". -type f -delete", True),
        (". -mtime +3 -delete", True),
        (". -empty -delete", False),
        (". -name x -delete", False),
        (". -delete -name x", True),
        (". -name x -o -delete", True),
        (". -maxdepth 1 -delete", False),
        (". -newermt 2020 -name x -delete", False),
        (". -exec grep -q a {} ; -delete", True),
        (". -name x -exec rm {} +", False),
        ("-L -D tree . -delete", True),
        (". ( ( ( -delete", True),
        (". -print", False),
        (". " + "! " * 100 + "-name x -delete", True),
    ],
)
def test_actions(words: str, reached: bool) -> None:
    find = Find(words.split(), ("-delete",))
    assert find.reaches(".", ["a", "settings.json"]) is reached


def test_starting_points() -> None:
    assert Find(["-H", "a", "b", "-name", "c"], ()).starts == ["a", "b"]
    assert Find([], ()).starts == ["."]
