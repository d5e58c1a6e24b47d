"""Questions that Claude Code would answer itself (2.1.124 to 2.1.332): the call is denied instead."""

from pathlib import Path

import pytest

from tests.corpus_cases import answer, payload

BYPASS = {"permission_mode": "bypassPermissions"}


def _judged(command: str, **extra: str) -> tuple[str, str]:
    case = {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": "/srv/x", "extra": extra}
    return answer(payload(case), {"HOME": "/srv"})


@pytest.mark.parametrize(
    "command",
    [
        "git push; echo x > .git/info/exclude",
        "rm -rf .git",
        "git push > .GIT/x",
        "git push &> .gitconfig",
        "git push; touch sub/.vscode/x",
        "git push; mkdir .husky",
        "git push; cp .git/config x",
        "git push 2> ~/.npmrc",
        "git push > .config/git/config",
        "git push > lefthook.yml",
        "git push; env touch .claude/x",
        "f=.git/x; git push > $f",
        "git commit -m x && cp a .vscode/settings.json",
        "echo x >> ~/.bashrc; git push",
        "git push | tee .claude/log",
        "bash -c 'git push > .git/x'",
        "(cd .git && git push > x)",
        "echo 'x > .git/y",
    ],
)
def test_denied_where_the_question_is_lost(command: str) -> None:
    got, reason = _judged(command, **BYPASS)
    assert got == "deny"
    assert "guardhook asks before" in reason or "could not read" in reason
    assert "\nSuggested rewrite: make what needs approval a call of its own" in reason
    assert _judged(command, permission_mode="default")[0] == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "git push",
        "git push > push.log",
        "git push > .env",
        "cat .git/config; git push",
        "cat < .npmrc && git push",
        "sed -i '/.vscode/d' .gitignore && git push",
        "sed -i -e 's/.git/.hg/' README.md && git push",
        "git clone https://example.org/a/b.git && echo 'it",
        "git push > .claude/worktrees/a/push.log",
        "git push > .config/x",
        "ssh host 'touch .git/x'; git push",
        "git commit -m 'about .git/hooks'",
        "rm -rf build",
        "echo 'x",
    ],
)
def test_asked_where_it_stands(command: str) -> None:
    assert _judged(command, **BYPASS) == _judged(command, permission_mode="default")
    assert _judged(command, **BYPASS)[0] == "ask"


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "link").symlink_to(".git")
    case = {"tool_name": "Bash", "tool_input": {"command": "git push > link/x"}, "cwd": str(tmp_path), "extra": BYPASS}
    assert answer(payload(case), {"HOME": "/srv"})[0] == "deny"


@pytest.mark.parametrize("command", ["echo x > .git/info/exclude", "cp a .vscode/settings.json", "echo >> ~/.bashrc"])
def test_what_is_not_asked_about_is_left_alone(command: str) -> None:
    assert _judged(command, **BYPASS) == ("pass", "")
