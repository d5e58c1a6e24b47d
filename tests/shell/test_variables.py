"""Assignments and expansion (SPEC C8): one command text -> what each watched command's arguments may be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.call import BASH
from guardhook.shell.unwrap import unwrap
from guardhook.shell.variables import LIMIT

WATCHED = {BASH: frozenset(("git", "rm"))}


def _arguments(text: str) -> list[list[str]]:
    found = unwrap(text, WATCHED)
    return [item.arguments for item in found.invocations if item.name in WATCHED[BASH] and item.arguments]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("g=push; git $g", [["git", "push"]]),
        ("g=push; git ${g}", [["git", "push"]]),
        ('g=push; git "$g"x', [["git", "pushx"]]),
        ("g='push -f'; git $g", [["git", "push", "-f"]]),
        ("g='push -f'; git \"$g\"", [["git", "push -f"]]),
        ("c='git push'; $c", [["git", "push"]]),
        ("c='git push'; \"$c\"", []),
        ('a=git; b="$a push"; $b', [["git", "push"]]),
        ("a=pu; a+=sh; git $a", [["git", "push"]]),
        ("export g=push; git $g", [["git", "push"]]),
        ("declare -r g=push; git $g", [["git", "push"]]),
        ("readonly g=push\ngit $g", [["git", "push"]]),
        ('a=(git push -f); "${a[@]}"', [["git", "push", "-f"]]),
        ("a=(git push -f); ${a[*]}", [["git", "push", "-f"]]),
        ("a=(git push); $a x", [["git", "x"]]),
        ("a=(git push); ${a[0]} ${a[1]} ${a[2]}", [["git", "push"]]),
        ('a=([0]=git [1]=push); "${a[@]}"', [["git", "push"]]),
        ("a[0]=git; a[2]=push; ${a[@]}", [["git", "push"]]),
        ("a[x]=git; ${a[@]}", [["git"]]),
        ("a=(a push); git ${a[-1]} ${a[$i]}", [["git", x, y] for x in ("a", "push") for y in ("a", "push")][::3]),
        ("declare -A m; m[b]=push; git ${m[b]}", [["git", "push"]]),
        ('a=(git); a+=(push); "${a[@]}"', [["git", "push"]]),
        ('a=(git push); bash -c "${a[*]}"', [["git", "push"]]),
        ("g=push; git ${g[0]}", [["git", "push"]]),
        (": ${g:=push}; git $g", [["git", "push"]]),
        ("g=x; : ${g:=push}; git $g", [["git", "x"], ["git", "push"]]),
        ("read -p g x; g=push; git $g", [["git", "push"]]),
        ("g=push; read -p g x; git $g", [["git", "push"]]),
        ("g=push; unset -f g; git $g", [["git", "push"]]),
        ("g=push; g=x eval :; git $g", [["git", "push"], ["git", "x"]]),
        ("f() { git $g; }; g=push; f", [["git", "\0"], ["git", "push"]]),
        (
            "f() { eval 'git $g'; git $g; }; g=push; f",
            [["git", "\0"], ["git", "\0"], ["git", "push"], ["git", "push"], ["git", "push"]],
        ),
        ('f() { bash -c "for x in 1; do git $g; done"; }; g=push; f', [["git", "\0"], ["git", "push"]]),
        ("f() { (git $g); }; g=push; f", [["git", "\0"], ["git", "push"]]),
        ("f() { h=${g}; git $h; }; g=push; f", [["git", "\0"], ["git", "push"]]),
        ("eval 'f() { git $g; }'; g=push; f", [["git", "\0"], ["git", "push"]]),
        ("f() { git $g; }; g=push f", [["git", "\0"], ["git", "push"]]),
        ('C=(); x && C=(echo); "${C[@]}" git push', [["git", "push"]]),
        ('g=push; git "${g:?x}"', [["git", "push"]]),
        ("h=${g:=push}; git $g", [["git", "push"]]),
        ("while x; do git $g; g=push; done", [["git", "\0"], ["git", "push"]]),
        ("for x in {a,push}; do git $x; done", [["git", "a"], ["git", "push"]]),
        ("c='a push'; for x in $c; do git $x; done", [["git", "a"], ["git", "push"]]),
        ('a=(a push); for x in "${a[@]}"; do git $x; done', [["git", "a"], ["git", "push"]]),
        ("git {p..p}", [["git", "p", "p"]]),
        ("rm -{d..f} x", [["rm", "-d", "-e", "-f", "x"]]),
        ("{,git} push", [["git", "push"]]),
        ("git ${x:-push}", [["git", "push"]]),
        ("git ${x-push -f}", [["git", "push", "-f"]]),
        ("x=a; git ${x:-push}", [["git", "a"]]),
        ("x=; git ${x:-push}", [["git", "push"]]),
        ("x=1; git ${x:+push}", [["git", "push"]]),
        ("git $x", [["git", "\0"]]),
        ("git $(cat x)", [["git", "\0"]]),
        ("git a${x}b", [["git", "a\0b"]]),
        ("x=$(y); git $x", [["git", "\0"]]),
        ("(g=push); git $g", [["git", "\0"]]),
        ("(g=push; git $g)", [["git", "push"]]),
        ("g=push | true; git $g", [["git", "\0"]]),
        ("{ g=push; }; git $g", [["git", "push"]]),
        ("g=push git $g", [["git", "\0"]]),
        ("unset g; git $g", [["git", "\0"]]),
        ("g=push; unset g; git $g", [["git", "\0"]]),
        ("g=push; read g; git $g", [["git", "\0"]]),
        ("g=push; bash -c 'git $g'", [["git", "push"]]),
        ("g=push bash -c 'git $g'", [["git", "push"]]),
        ("env g=push bash -c 'git $g'", [["git", "push"]]),
        ("g=push; ssh h 'git $g'", [["git", "\0"]]),
        ('g=push; ssh h "git $g"', [["git", "push"]]),
        ("eval g=push; git $g", [["git", "push"]]),
        ("bash -c 'g=push'; git $g", [["git", "\0"]]),
        ("a=b; a=push; git $a", [["git", "push"]]),
        ("true || a=push; git $a", [["git", "push"]]),
        ("a=x; true && a=push; git $a", [["git", "x"], ["git", "push"]]),
        ("if b; then a=push; else a=x; fi; git $a", [["git", "push"], ["git", "x"]]),
        ("for a in x push; do git $a; done", [["git", "x"], ["git", "push"]]),
        ("for a in x; do git $a; done; git $a", [["git", "x"], ["git", "x"]]),
        ("git {push,-f}", [["git", "push", "-f"]]),
        ("rm -{r,f} x", [["rm", "-r", "-f", "x"]]),
        ("{git,push}", [["git", "push"]]),
        ("git '{a,b}' \\{a,b} {a} {}", [["git", "{a,b}", "{a,b}", "{a}", "{}"]]),
        ("x=1; git {a$x,b{c,'d e'}}", [["git", "a1", "bc", "bd e"]]),
        ("git ''", [["git", ""]]),
        ('x=; git $x "$x"', [["git", ""]]),
        ("git $'a\\tb'", [["git", "a\tb"]]),
        ("x=' a  b '; git p$x-q", [["git", "p", "a", "b", "-q"]]),
    ],
)
def test_arguments(text: str, expected: list[list[str]]) -> None:
    assert _arguments(text) == expected


def test_loops_are_gone_through_more_than_once() -> None:
    found = _arguments('x=; for o in -r -f; do x="$x $o"; done; rm $x y')
    assert ["rm", "-r", "-f", "y"] in found or unwrap('x=; for o in -r -f; do x="$x $o"; done; rm $x y', WATCHED).flaws


def test_values_are_limited() -> None:
    names = " ".join(f"w{number}" for number in range(1000))
    assert len(_arguments(f"for a in {names}; do for b in {names}; do git $a $b; done; done")) <= 2 * LIMIT


@given(st.text(alphabet="ab{},$'\"x=;() ", max_size=60))
def test_never_raises(text: str) -> None:
    unwrap(text, WATCHED)
