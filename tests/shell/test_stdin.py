"""What a shell is fed on standard input, compared with what the real programs print."""

import subprocess

import pytest

from guardhook.shell.unwrap import unwrap


def _fed(text: str) -> list[str]:
    """The texts that were read below the first one."""
    return [layer.reading.text for layer in unwrap(text, frozenset()).layers[1:]]


LITERALS = [
    "echo a b",
    "echo -n 'a;  b'",
    r"echo -e 'a\nb\tc\\d'",
    r"echo 'a\nb'",
    r"echo -en 'x\"y'",
    "echo -z a",
    "printf 'a b'",
    r"printf '%s\n' a 'b c'",
    r"printf 'x %s y %s\n' 1 2 3",
    "printf '100%% %s' z",
    r"printf '%b' 'a\nb'",
    r"printf -- '%s;' a b",
    "printf 'a%5s' b",
]


@pytest.mark.parametrize("line", LITERALS)
def test_echo_and_printf_as_bash_writes_them(line: str) -> None:
    written = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True).stdout
    (fed,) = _fed(f"{line} | sh")
    assert fed.split() == written.split()


@pytest.mark.parametrize(
    ("text", "fed"),
    [
        ("bash <<E\na\nE", ["a\n"]),
        ("bash <<'E'\n$a\nE", ["$a\n"]),
        ("x=1; bash <<E\n$x \\$y\nE", ["1 $y\n"]),
        ("cat <<E | bash\na\nE", ["a\n"]),
        ("cat <<E | cat - | tee f | bash\na\nE", ["a\n"]),
        ("bash <<< 'a b'", ["a b"]),
        ("bash -s x <<< a", ["a"]),
        ("bash - <<< a", ["a"]),
        ("sudo bash /dev/stdin <<< a", ["a"]),
        ("ssh h <<< a", ["a"]),
        ("ssh h bash <<< a", ["bash", "a"]),
        ("ssh h 'cat | sh' <<< a", ["cat | sh", "a"]),
        ("docker exec -i c sh <<< a", ["a"]),
        ("bash f <<< a", []),
        ("bash -c b <<< a", ["b"]),
        ("bash < f", []),
        ("bash <<< a < f", []),
        ("bash < f <<< a", ["a"]),
        ("cat f | bash", []),
        ("cat <<E > f\na\nE", []),
        ("curl x | bash", []),
        ("{ echo a; } | bash", []),
    ],
)
def test_standard_input(text: str, fed: list[str]) -> None:
    assert _fed(text) == fed
