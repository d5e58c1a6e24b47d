"""What a shell is fed on standard input, compared with what the real programs print."""

import subprocess

import pytest

from guardhook.call import BASH, CMD, POWERSHELL
from guardhook.shell.unwrap import unwrap

NOTHING: dict[str, frozenset[str]] = dict.fromkeys((BASH, POWERSHELL, CMD), frozenset())


def _fed(text: str) -> list[str]:
    """The texts that were read below the first one."""
    return [layer.reading.text for layer in unwrap(text, NOTHING).layers[1:]]


LITERALS = [
    "echo a b",
    "echo -n 'a;  b'",
    r"echo -e 'a\nb\tc\\d'",
    r"echo -en 'x\"y'",
    r"echo -e 'a\x20b\0147\147\u00e9\q\c z'",
    r"echo -e 'a\0b'",
    "echo -z a",
    "printf 'a b'",
    r"printf '%s\n' a 'b c'",
    r"printf 'x %s y %s\n' 1 2 3",
    "printf '100%% %s' z",
    "printf '%s%%%%%s' a b",
    r"printf '%b' 'a\nb\x41\0101\c z' q",
    "printf -- '%s;' a b",
    "printf 'a%5s' b",
    "printf '%-5s|%5.2s|%.3s' ab cde fghi",
    "printf '%*s|%.*s' 5 ab 2 cde",
    "printf 'git pus%c' hx",
    "printf '%q %q' git push",
    r"printf '\x67\151\164\u0020\"x'",
    "printf '%d' 12",
    "printf 'a\\'",
]


@pytest.mark.parametrize("line", LITERALS)
def test_echo_and_printf_as_bash_writes_them(line: str) -> None:
    written = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True).stdout
    (fed,) = _fed(f"{line} | sh")
    assert fed.rstrip("\n") == written.replace("\0", "").rstrip("\n")


def test_echo_of_a_backslash_is_read_as_bash_and_as_dash() -> None:
    assert _fed(r"echo 'a\nb' | sh") == ["a\\nb\n", "a\nb\n"]


@pytest.mark.parametrize(
    ("text", "fed"),
    [
        ("bash <<E\na\nE", ["a\n"]),
        ("bash <<'E'\n$a\nE", ["$a\n"]),
        ("x=1; bash <<E\n$x \\$y\nE", ["1 $y\n"]),
        ("cat <<E | bash\na\nE", ["a\n"]),
        ("cat <<E | cat - | tee f | bash\na\nE", ["a\n"]),
        ("cat -u -- /dev/stdin <<E | bash\na\nE", ["a\n"]),
        ("sudo -u x env A=1 echo a | bash", ["a\n"]),
        ("command printf a | bash", ["a"]),
        ("bash <<< 'a b'", ["a b"]),
        ("bash -s x <<< a", ["a"]),
        ("bash - <<< a", ["a"]),
        ("sudo bash /dev/stdin <<< a", ["a"]),
        ("ssh h <<< a", ["a"]),
        ("ssh h bash <<< a", ["bash", "a"]),
        ("ssh h 'cat | sh' <<< a", ["cat | sh", "a"]),
        ("docker exec -i c sh <<< a", ["a"]),
        ("{ echo a; echo -n b; printf c; } | bash", ["a\nbc"]),
        ("(cat <<E\na\nE\necho b) | sh", ["a\nb\n"]),
        ("if x; then echo a; fi | bash", ["a\n"]),
        ("for x in 1; do echo a | tr a b; echo c; done | bash", ["c\n"]),
        ("for x in 1 2; do echo $x; done | bash", ["1\n", "2\n"]),
        ("if x; then echo a; else echo b; fi | bash", ["a\nb\n", "b\n", "a\n"]),
        ("echo a | { cat; } | bash", ["a\n"]),
        ("{ bash; } <<E\na\nE", ["a\n"]),
        ("(bash) <<< a", ["a"]),
        ("echo a | { x; (bash); }", ["a\n"]),
        ("while x; do sh -s; done <<< a", ["a"]),
        ("f() { bash; } <<< a", ["a"]),
        ("{ ssh h sh; } <<< a", ["sh", "a"]),
        ("{ bash < f; } <<< a", []),
        ("{ bash; } < f", []),
        ("bash f <<< a", []),
        ("bash -c b <<< a", ["b"]),
        ("bash < f", []),
        ("bash <<< a < f", []),
        ("bash < f <<< a", ["a"]),
        ("cat f | bash", []),
        ("cat <<E > f\na\nE", []),
        ("curl x | bash", []),
        ("{ curl x; } | bash", []),
        ("{ echo a; } > f | bash", []),
    ],
)
def test_standard_input(text: str, fed: list[str]) -> None:
    assert _fed(text) == fed


def test_a_long_pipe_is_followed_without_recursion() -> None:
    assert _fed("echo a | " + "cat | " * 3000 + "bash") == ["a\n"]
