"""Compound `cd`: what counts as one, and the way out that is offered (SPEC D1, D2, B2)."""

import pytest

from guardhook import engine
from guardhook.call import BASH, MONITOR, ToolCall
from guardhook.hatches import Settings
from guardhook.verdict import Verdict
from tests.corpus_cases import rewrites


def _verdict(command: str, kind: str = BASH) -> Verdict | None:
    verdict = engine.decide(ToolCall("claude", "Bash", kind, command, "/srv"), Settings({})).verdict
    return verdict if verdict is not None and verdict.code == "compound-cd" else None


@pytest.mark.parametrize(
    "command",
    [
        "cd x && ls",
        "cd x;ls",
        "cd x || exit",
        "{ cd x; ls; }",
        "if a; then cd x && ls; fi",
        "while a; do cd x; b; done",
        "f() { cd x; ls; }",
        "case $a in b) cd x && ls;; esac",
        "! cd x && ls",
        "cd x && { ls; }",
        "cd x && [[ -f y ]]",
        "cd x && ((1))",
        "ls\ncd x && ls",
        "cd x &&\n\n ls",
        "command cd x && ls",
        "builtin cd x; ls",
        "A=1 cd x; ls",
        "d=sub; cd $d && ls",
        "c=cd; $c x && ls",
        "c'd' x && ls",
        "bash -c 'cd x && ls'",
        "sudo bash -c 'cd x && ls'",
        "eval 'cd x; ls'",
        "timeout 5 sh -c 'cd x && ls'",
        "bash <<'E'\ncd x && ls\nE",
        "echo 'cd x && ls' | bash",
        "cd x > /dev/null && ls",
        "cd - && ls",
        "cd -P x && ls",
        "cd x && cd y",
    ],
)
def test_compound(command: str) -> None:
    assert _verdict(command) is not None


@pytest.mark.parametrize(
    "command",
    [
        "cd x",
        "cd",
        "cd && ls",
        "cd x;",
        "cd x\nls",
        "cd x;\nls",
        "cd x & ls",
        "cd x && ls &",
        "cd x | cat; ls",
        "ls | cd x; ls",
        "(cd x && ls)",
        "(cd x; ls) && pwd",
        "(eval 'cd x && ls')",
        "echo $(eval 'cd x && pwd')",
        "a=$(cd x && pwd)",
        "`cd x && pwd`",
        "ls <(cd x && ls)",
        "{ cd x; ls; } | cat",
        "{ cd x; ls; } &",
        "if a; then cd x; fi",
        "for d in a; do cd $d; done",
        "{ cd x; }",
        "ls; cd x",
        "pushd x && ls",
        "echo cd x && ls",
        "./cd x && ls",
        "/bin/cd x && ls",
        "sudo cd x && ls",
        "env cd x && ls",
        "timeout 5 cd x && ls",
        "ssh h 'cd x && ls'",
        "docker exec c sh -c 'cd x && ls'",
        "python3 -c 'cd x && ls'",
        "cat <<'E'\ncd x && ls\nE",
        "# cd x && ls",
        "echo 'cd x && ls'",
        "alias c='cd x && ls'",
    ],
)
def test_not_compound(command: str) -> None:
    assert _verdict(command) is None


def test_only_the_bash_tool() -> None:
    assert _verdict("cd x && ls", MONITOR) is None


@pytest.mark.parametrize(
    ("command", "rewrite"),
    [
        ("cd a && git status", "git -C a status"),
        ("cd -- a && git status", "git -C a status"),
        ("cd 'a b'; git log -1", "git -C 'a b' log -1"),
        ("cd a\\ b && git diff", "git -C a\\ b diff"),
        ('cd "$DIR" && git status', 'git -C "$DIR" status'),
        ("cd .. && git -C sub status", "git -C .. -C sub status"),
        ("cd a && git add . && git commit -m 'x; y'", "git -C a add . && git -C a commit -m 'x; y'"),
        ("cd a && git log -1; git diff --stat", "git -C a log -1; git -C a diff --stat"),
        ("cd a && git log --oneline | head -5", "git -C a log --oneline | head -5"),
        ("cd a && git status && echo done", "git -C a status && echo done"),
        ("cd a && GIT_PAGER=cat git log", "GIT_PAGER=cat git -C a log"),
        ("ls; cd a && git status", "ls; git -C a status"),
        ("cd ~/p && git fetch   # news", "git -C ~/p fetch   # news"),
        ("cd ../.. && git status", "git -C ../.. status"),
        ("cd a && git commit -m init", "git -C a commit -m init"),
        ("cd a && git log | sort -rn | head -n 5", "git -C a log | sort -rn | head -n 5"),
    ],
)
def test_rewrite(command: str, rewrite: str) -> None:
    verdict = _verdict(command)
    assert verdict is not None
    assert verdict.rewrite == rewrite
    assert rewrites(verdict.reason) == [rewrite]


@pytest.mark.parametrize(
    "command",
    [
        "cd a && make",
        "cd a && git status > log",
        "cd a && git status 2>&1",
        "cd a && git log $(cat x)",
        "cd a && git add *.py",
        "cd a* && git status",
        "cd $(pwd) && git status",
        "cd a && git diff $PWD",
        "cd - && git status",
        "cd a && git status && make",
        "cd a && git status | grep x",
        "cd a && git status || echo no",
        "cd a || git status",
        "cd a && (git status)",
        "cd a && git init",
        "cd a && git clone x",
        "cd a && git status\nls",
        "cd a && if true; then git status; fi",
        "cd a > b && git status",
        "cd a && sudo git status",
        "bash -c 'cd a && git status'",
        "cd a && cd b && git status",
        "make || cd a && git status",
        "cd a && cat x",
        "cd a && git log | sort -oout",
        "cd a && git log | sort --output=out",
        "cd a && git log | wc --files0-from=list",
        "cd a && git add ~+/x",
        "cd {a,push} && git status",
        "cd a && git status $_",
        "cd $_ && git status",
        "cd a && echo in && git push",
        "cd link/.. && git status",
        "cd a && git $x",
        "[ -f a/x ] && cd a; git status",
        "CDPATH=a; cd sub && git push",
        "D='a push'; cd $D && git status",
    ],
)
def test_way_out_in_words(command: str) -> None:
    verdict = _verdict(command)
    assert verdict is not None
    assert verdict.rewrite == ""
    (words,) = rewrites(verdict.reason)
    assert words


def test_a_handler_is_a_case_for_separate_calls() -> None:
    verdict = _verdict("cd x && make || echo no")
    assert verdict is not None
    assert "separate calls" in verdict.reason
    assert "||" in verdict.reason
