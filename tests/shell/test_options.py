"""The option walk: many spellings, one reading."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.shell.commands import UNKNOWN
from guardhook.shell.options import Grammar, Walk, resolve, walk

# A program in GNU's style: options anywhere, prefixes of long ones, clusters, an optional attached value.
GNU = Grammar(
    "-o --output -C --dir",
    attached="-i",
    names="--output --dir --dry-run --recursive --reverse --force --in-place",
    permutes=True,
)
# One whose options end at the first operand, and that knows no prefixes.
STRICT = Grammar("-o --output")
FIND = Grammar("-name -type", words="-print")
BASH = Grammar("-o +o --rcfile", words="-norc", plus=True, separate=True)


def _read(argv: str | list[str], grammar: Grammar, start: int = 0) -> tuple[list[tuple[str, str | None]], list[str]]:
    """(options with their values, operands) of a walk."""
    arguments = argv.split() if isinstance(argv, str) else argv
    seen = walk(arguments, grammar, start)
    return [(option.name, option.value) for option in seen.options], [arguments[index] for index in seen.operands]


@pytest.mark.parametrize(
    ("argv", "options", "operands"),
    [
        ("", [], []),
        ("a b", [], ["a", "b"]),
        ("-r a", [("-r", None)], ["a"]),
        ("a -r b", [("-r", None)], ["a", "b"]),
        # clusters
        ("-rf a", [("-r", None), ("-f", None)], ["a"]),
        ("-rfo x a", [("-r", None), ("-f", None), ("-o", "x")], ["a"]),
        ("-rfox a", [("-r", None), ("-f", None), ("-o", "x")], ["a"]),
        ("-ri.bak a", [("-r", None), ("-i", ".bak")], ["a"]),
        ("-i a", [("-i", "")], ["a"]),
        # short values
        ("-o x", [("-o", "x")], []),
        ("-ox", [("-o", "x")], []),
        ("-o -r", [("-o", "-r")], []),
        ("-o --", [("-o", "--")], []),
        ("-o", [("-o", None)], []),
        ("-C d -o x y", [("-C", "d"), ("-o", "x")], ["y"]),
        # long values
        ("--output x y", [("--output", "x")], ["y"]),
        ("--output=x y", [("--output", "x")], ["y"]),
        ("--output= y", [("--output", "")], ["y"]),
        ("--output=a=b", [("--output", "a=b")], []),
        ("--output", [("--output", None)], []),
        ("--force=x y", [("--force", "x")], ["y"]),
        # unambiguous prefixes
        ("--out x y", [("--output", "x")], ["y"]),
        ("--o=x y", [("--output", "x")], ["y"]),
        ("--rec", [("--recursive", None)], []),
        ("--re x", [("--re", None)], ["x"]),
        ("--dir x", [("--dir", "x")], []),
        ("--di x", [("--dir", "x")], []),
        ("--d x", [("--d", None)], ["x"]),
        ("--unknown x", [("--unknown", None)], ["x"]),
        # `--` ends options, a lone dash is an operand
        ("-r -- -f a", [("-r", None)], ["-f", "a"]),
        ("a -- -f", [], ["a", "-f"]),
        ("-- --", [], ["--"]),
        ("-r - a", [("-r", None)], ["-", "a"]),
    ],
)
def test_permuting(argv: str, options: list[tuple[str, str | None]], operands: list[str]) -> None:
    assert _read(argv, GNU) == (options, operands)


@pytest.mark.parametrize(
    ("argv", "options", "rest"),
    [
        ("push -o x", [], "push -o x"),
        ("-o x push -r", [("-o", "x")], "push -r"),
        ("-v -- push", [("-v", None)], "push"),
        ("--outpu x push", [("--outpu", None)], "x push"),
        ("--output x", [("--output", "x")], ""),
        ("-o", [("-o", None)], ""),
        ("- push", [], "- push"),
    ],
)
def test_first_operand_ends_the_options(argv: str, options: list[tuple[str, str | None]], rest: str) -> None:
    arguments = argv.split()
    seen = walk(arguments, STRICT)
    assert [(option.name, option.value) for option in seen.options] == options
    assert arguments[seen.stop :] == rest.split()
    assert seen.operands == []


@pytest.mark.parametrize(
    ("argv", "options", "stop"),
    [
        ("-name x -type f", [("-name", "x"), ("-type", "f")], 4),
        ("-name=x y", [("-name", "x")], 1),
        ("-print x", [("-print", None)], 1),
        ("-namex", [("-n", None), ("-a", None), ("-m", None), ("-e", None), ("-x", None)], 1),
        ("-name", [("-name", None)], 1),
    ],
)
def test_whole_words(argv: str, options: list[tuple[str, str | None]], stop: int) -> None:
    assert _read(argv, FIND)[0] == options
    assert walk(argv.split(), FIND).stop == stop


@pytest.mark.parametrize(
    ("argv", "options", "rest"),
    [
        ("-o pipefail -c x", [("-o", "pipefail"), ("-c", None)], "x"),
        ("-oc pipefail x", [("-o", "pipefail"), ("-c", None)], "x"),
        ("-euo pipefail -c x", [("-e", None), ("-u", None), ("-o", "pipefail"), ("-c", None)], "x"),
        ("-oo a b x", [("-o", "a"), ("-o", "b")], "x"),
        ("-co", [("-c", None), ("-o", None)], ""),
        ("+o posix -c x", [("+o", "posix"), ("-c", None)], "x"),
        ("+x -c x", [("+x", None), ("-c", None)], "x"),
        ("+ x", [], "+ x"),
        ("-norc -c x", [("-norc", None), ("-c", None)], "x"),
        ("--rcfile f -c x", [("--rcfile", "f"), ("-c", None)], "x"),
    ],
)
def test_shell_options(argv: str, options: list[tuple[str, str | None]], rest: str) -> None:
    arguments = argv.split()
    assert _read(argv, BASH)[0] == options
    assert arguments[walk(arguments, BASH).stop :] == rest.split()


def test_plus_is_an_operand_elsewhere() -> None:
    assert _read("+x -r", GNU) == ([("-r", None)], ["+x"])


def test_start_skips_the_program() -> None:
    assert _read("-r -o x", GNU, 1) == ([("-o", "x")], [])
    assert walk(["rm"], STRICT, 1).stop == 1


def test_positions() -> None:
    seen = walk("rm -r a -o x -- -b".split(), GNU, 1)
    assert [option.index for option in seen.options] == [1, 3]
    assert (seen.operands, seen.dashes, seen.stop) == ([2, 6], 5, 7)
    assert walk(["a"], GNU).dashes == -1


def test_unknown_words_are_operands_or_values() -> None:
    assert _read([UNKNOWN, "-r", "-o", UNKNOWN], GNU) == ([("-r", None), ("-o", UNKNOWN)], [UNKNOWN])
    assert walk([UNKNOWN, "push"], STRICT).stop == 0
    assert _read(["--output=" + UNKNOWN, "-o" + UNKNOWN], GNU)[0] == [("--output", UNKNOWN), ("-o", UNKNOWN)]


def test_questions_to_a_walk() -> None:
    seen = walk("-o a --output b -r".split(), GNU)
    assert seen.has("-x", "-r")
    assert not seen.has("-x")
    assert not seen.has()
    assert seen.value("-o", "--output") == "b"
    assert seen.value("-o") == "a"
    assert seen.value("-r") is None
    assert seen.value("-x") is None


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("--dry-run", "--dry-run"),
        ("--dr", "--dry-run"),
        ("--dir", "--dir"),
        ("--d", "--d"),
        ("--dry-runs", "--dry-runs"),
        ("--", "--"),
    ],
)
def test_resolve(name: str, full: str) -> None:
    assert resolve(name, GNU.names) == full
    assert resolve(name, ()) == name


GRAMMARS = [
    GNU,
    STRICT,
    FIND,
    BASH,
    Grammar(),
    Grammar(permutes=True),
    Grammar("-o --output", plus=True, separate=True, permutes=True),
]
WORDS = st.one_of(
    st.sampled_from(
        ["--", "-", "+", "-o", "+o", "-ro", "-or", "-oo", "-i", "-ix", "--output", "--output=", "--out", "--d", "-name"]
    ),
    st.sampled_from(["-norc", "-name=x", "--=", "-=", "push", "", UNKNOWN, "-" + UNKNOWN, "--" + UNKNOWN]),
    st.text(alphabet="-+oix=ab\0", max_size=5),
)


def _sorts(seen: Walk, grammar: Grammar, start: int) -> list[str]:
    """What every position before `stop` was taken for. Raises if two sorts claim one."""
    arguments = seen.arguments
    sorts = ["?"] * len(arguments)

    def claim(index: int, sort: str) -> None:
        assert start <= index < len(arguments)
        assert sorts[index] in ("?", sort), (arguments, index, sort, sorts[index])
        sorts[index] = sort

    for index in seen.operands:
        assert sorts[index] == "?"
        claim(index, "operand")
    if seen.dashes >= 0:
        claim(seen.dashes, "dashes")
    following: dict[int, int] = {}
    for option in seen.options:
        claim(option.index, "option")
        if (
            option.value is not None
            and option.name in grammar.values
            and (
                (grammar.separate and arguments[option.index][:2] != "--")
                or not arguments[option.index].endswith(option.value)
            )
        ):
            following[option.index] = following.get(option.index, option.index) + 1
            claim(following[option.index], "value")
            assert arguments[following[option.index]] == option.value
    return sorts


@given(st.lists(WORDS, max_size=8), st.sampled_from(GRAMMARS), st.integers(0, 2))
def test_every_position_is_taken_once(arguments: list[str], grammar: Grammar, start: int) -> None:
    start = min(start, len(arguments))
    seen = walk(arguments, grammar, start)
    sorts = _sorts(seen, grammar, start)
    assert start <= seen.stop <= len(arguments)
    assert sorts[seen.stop :] == ["?"] * (len(arguments) - seen.stop)
    if grammar.permutes:
        assert seen.stop == len(arguments)
    else:
        assert seen.operands == []
    # What is left over before `stop` is a value that happens to be the tail of the option's own argument (`-o o`).
    for index in range(start, seen.stop):
        if sorts[index] == "?":
            assert arguments[index] in [option.value for option in seen.options if option.index < index]
