"""Questions that Claude Code would answer itself (2.1.124 to 2.1.332): the call is denied instead."""

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
    ["git push", "git push > push.log", "git commit -m 'about .git/hooks'", "rm -rf build", "echo 'x"],
)
def test_asked_where_it_stands(command: str) -> None:
    assert _judged(command, **BYPASS) == _judged(command, permission_mode="default")
    assert _judged(command, **BYPASS)[0] == "ask"


@pytest.mark.parametrize("command", ["echo x > .git/info/exclude", "cp a .vscode/settings.json", "echo >> ~/.bashrc"])
def test_what_is_not_asked_about_is_left_alone(command: str) -> None:
    assert _judged(command, **BYPASS) == ("pass", "")
