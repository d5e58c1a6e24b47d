"""Opening wrappers (SPEC C3, C4): one command text -> the programs that run, with where and how deep."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.call import BASH
from guardhook.shell.unwrap import Invocation, unwrap

WATCHED = {BASH: frozenset(("git", "rm", "twine"))}


def _found(text: str) -> list[Invocation]:
    return unwrap(text, WATCHED).invocations


def _programs(text: str) -> list[str]:
    return [" ".join(item.arguments) if item.arguments else item.name for item in _found(text)]


@pytest.mark.parametrize(
    ("text", "programs"),
    [
        ("sudo -u me git push", ["git push"]),
        ("sudo A=1 -u root git push", ["git push"]),
        ("sudo -l git push", ["sudo -l git push"]),
        ("sudo -s git push", ["git push"]),
        ("echo 'git push' | sudo -s", ["echo", "git push"]),
        ("env -S 'A=1 git push' -f", ["git push -f"]),
        ("env - A=1 git push", ["git push"]),
        ("env -S '-i -u x' git push", ["git push"]),
        ("env --split-string='git push' -f", ["git push -f"]),
        ("env -vS'git push' -f", ["git push -f"]),
        ("command -v git", ["command -v git"]),
        ("exec -a x git push", ["git push"]),
        ("exec > log", ["exec"]),
        ("nohup setsid git push &", ["git push"]),
        ("timeout -s KILL 5 git push", ["git push"]),
        ("xargs -n 1 git push", ["git push"]),
        ("find . -name x -exec git a {} \\; -exec rm b {} +", ["git a {}", "rm b {}"]),
        ("bash -c 'git push; ls'", ["git push", "ls"]),
        ("bash -euo pipefail -c 'git push'", ["git push"]),
        ("bash -c -- 'git push' x y", ["git push"]),
        ("bash -n -c 'git push'", ["bash -n -c git push"]),
        ("bash x.sh 'git push'", ["bash x.sh git push"]),
        ('bash -c "$(cat x)"', ["cat", "\0"]),
        ("ssh -p 22 host -t git push", ["git push"]),
        ("ssh host 'git push; ls'", ["git push", "ls"]),
        ("ssh host", ["ssh host"]),
        ("docker run --rm -v a:b img git push", ["git push"]),
        ("docker run img", ["docker run img"]),
        ("docker run --entrypoint git img push", ["git push"]),
        ("docker run --entrypoint bash img -c 'git push'", ["git push"]),
        ("docker build git push", ["docker build git push"]),
        ("podman exec -l git push", ["git push"]),
        ("eval git push ';' ls", ["git push", "ls"]),
        ("npx -c 'git push'", ["git push"]),
        ("npx git@2 push", ["git push"]),
        ("uvx twine@6 upload x", ["twine upload x"]),
        ("pipx run twine==6 upload x", ["twine upload x"]),
        ("uv run --with a python -m twine upload x", ["twine upload x"]),
        ("python3.12 -I -m twine -C d upload", ["twine -C d upload"]),
        ("python -c 'import x' -m twine upload", ["python -c import x -m twine upload"]),
        ("guardhook-ask git.push 'git push' -- bash -c 'git push'", ["git push"]),
        ("git -c alias.p='push -f' p x", ["git push -f x"]),
        ("git -c a=b -c alias.P=push -C d p", ["git -c a=b -C d push"]),
        ("git -c alias.p='!git push' p", ["git push"]),
        ("git -c alias.push=status push", ["git -c alias.push=status push"]),
        ("git -c alias.a=b -c alias.b=push a", ["git -c alias.b=push b", "git push"][1:]),
        ("git-push x", ["git push x"]),
        ("/usr/bin/git.exe push", ["/usr/bin/git.exe push"]),
        ("time git push", ["time"]),
        ("time ( git push )", ["git push"]),
        ("nice git push", ["nice"]),
    ],
)
def test_programs(text: str, programs: list[str]) -> None:
    assert _programs(text) == programs


def test_route_depth_and_place() -> None:
    (item,) = _found("sudo ssh h 'docker exec c timeout 5 git push'")
    assert item.layer.via == ("sudo", "ssh")
    assert item.prefixes == ("docker", "timeout")
    assert not item.local
    assert item.segment() == "docker exec c timeout 5 git push"
    (item,) = _found("sudo timeout 5 git push")
    assert item.local
    assert item.segment() == "sudo timeout 5 git push"


@pytest.mark.parametrize(
    ("text", "flaws"),
    [
        ('bash -c "echo \'"', ["a quote that is never closed"]),
        ('bash -c "echo \'$x"', []),
        ("echo '$x", ["a quote that is never closed"]),
        ('bash -c "$x ' + "(" * 200 + '"', ["nesting deeper than 120 levels"]),
    ],
)
def test_flaws_of_payloads(text: str, flaws: list[str]) -> None:
    assert unwrap(text, WATCHED).flaws == flaws


@pytest.mark.parametrize(
    ("text", "deep"),
    [
        ("xargs xargs xargs git x", False),
        ("xargs xargs xargs xargs git x", True),
        ("sudo env nohup setsid xargs git x", False),
        ("bash -c 'bash -c \"timeout 5 git x\"'", False),
        ("bash -c 'bash -c \"timeout 5 xargs git x\"'", True),
        ("xargs xargs xargs bash x.sh", False),
        ("sudo " * 100 + "ls", False),
        ("sudo " * 101 + "ls", True),
    ],
)
def test_depth(text: str, deep: bool) -> None:
    assert any(item.obstacle for item in _found(text)) == deep


def test_text_is_limited() -> None:
    names = " ".join(f"w{number}" for number in range(60))
    found = unwrap(f'for x in {names}; do bash -c "{"b" * 100_000} $x"; done', WATCHED)
    assert found.flaws[0] == "more nested text than can be read"
    found = unwrap("bash -c 'eval \"" + "eval; " * 400_000 + "\"'", WATCHED)
    assert found.flaws == ["more nested text than can be read"]


@pytest.mark.parametrize(
    "text",
    [
        "a=xxxxxxxxxx; " + "a=$a$a; " * 60 + "git $a",
        "a=xxxxxxxxxx; " + "a+=$a; " * 60 + "git $a",
        "a=" + "x" * 100_000 + "; git " + "$a" * 100,
        "a=" + "x" * 100_000 + "; git " + '"$a" ' * 100,
        "for a in " + " ".join(map(str, range(300))) + "; do git $a; done",
        "for a in 0 1 2 3 4; do for b in 0 1 2 3 4 5 6 7; do for c in 0 1 2 3 4 5 6 7; do git $a$b$c; done; done; done",
    ],
)
def test_expansion_is_limited(text: str) -> None:
    assert unwrap(text, WATCHED).flaws == ["more values of variables than can be followed"]


VALUES = " ".join(f"v{number}" for number in range(250))


@pytest.mark.parametrize(
    "text",
    [
        f"for x in {VALUES}; do {'git log $x; ' * 60} done; for g in status push; do git $g; done",
        "".join(f"true && a={value}; " for value in VALUES.split()[:70]) + "true && a=push; git $a",
        f'for i in {VALUES}; do bash -c "ls $i"; bash -c "ls $i"; done; for g in a push; do bash -c "git $g"; done',
    ],
)
def test_no_value_is_left_out_in_silence_where_it_could_name_what_runs(text: str) -> None:
    assert unwrap(text, WATCHED).flaws == ["more values of variables than can be followed"]


def test_many_values_within_the_limit() -> None:
    names = " ".join(f"f{number}" for number in range(200))
    found = unwrap(f"for x in {names}; do git add $x; done", WATCHED)
    assert found.flaws == []
    assert len(found.invocations) == 200
    assert sum(not item.variant for item in found.invocations) == 1


@given(
    st.lists(
        st.sampled_from(
            "sudo env xargs bash -c git push -S -u 'a;b' | ssh h docker run img eval find -exec ; + -- A=1 $x".split()
        ),
        max_size=14,
    )
)
def test_never_raises(words: list[str]) -> None:
    unwrap(" ".join(words), WATCHED)
