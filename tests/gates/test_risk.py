"""The ask classifier: its message and what it says of text that cannot be read (SPEC A7, C9)."""

import pytest

from guardhook import engine
from guardhook.call import BASH, MONITOR, POWERSHELL, UNKNOWN_SHELL, ToolCall
from guardhook.hatches import Settings
from guardhook.verdict import Verdict


def _ask(command: str, kind: str = BASH) -> Verdict | None:
    verdict = engine.decide(ToolCall("claude", "T", kind, command), Settings({"AGENT_COMPOUND_CD_HOOK": "off"})).verdict
    assert verdict is None or verdict.kind == "ask"
    return verdict


def _reason(command: str) -> str:
    verdict = _ask(command)
    assert verdict is not None
    return verdict.reason


def test_message_of_one_part() -> None:
    lines = _reason("git push origin main").splitlines()
    assert lines[0] == "guardhook asks before 1 of 1 part of this command:"
    assert lines[1].startswith("- `git push origin main` (git.push): git push: ")
    assert lines[-1] == "Approve only if this is what you want to happen now."


def test_message_names_every_risky_part() -> None:
    verdict = _ask("git add -A && git commit -m x; ls | wc; rm -rf b && sudo git push")
    assert verdict is not None
    assert verdict.code == "git.commit+delete.rm+git.push"
    assert "3 of 6 parts" in verdict.reason
    for segment in ("`git commit -m x`", "`rm -rf b`", "`sudo git push`"):
        assert segment in verdict.reason


@pytest.mark.parametrize(
    ("command", "count"),
    [
        ("bash -c 'ls; git push' && npm publish && pwd", "2 of 4"),
        ("A=1; git push", "1 of 2"),
        ("for x in a b; do git push; done", "1 of 1"),
        ("echo $(git push) `git commit`", "2 of 3"),
        ("git push > f", "1 of 1"),
        ("{ git push; } > f", "1 of 1"),
        ("find . -exec rm -rf {} \\; -exec git push \\;", "2 of 2"),
        ("git push; git push", "1 of 2"),
    ],
)
def test_counts(command: str, count: str) -> None:
    assert count in _reason(command)


def test_long_segments_are_cut() -> None:
    reason = _reason("git commit -m '" + "m" * 500 + "END'")
    assert "`git commit -m '" + "m" * (200 - len("git commit -m '")) + "…`" in reason
    assert "END" not in reason


@pytest.mark.parametrize("kind", [BASH, MONITOR, UNKNOWN_SHELL])
def test_shell_tools(kind: str) -> None:
    assert _ask("git push", kind) is not None
    assert _ask("git status", kind) is None


def test_powershell_is_declined_openly() -> None:
    decision = engine.decide(ToolCall("claude", "PowerShell", POWERSHELL, "git push"), Settings({}))
    assert decision.verdict is None
    assert [outcome for _, outcome, _ in decision.trace] == ["declined"]


@pytest.mark.parametrize("command", ["echo 'a", 'echo "a', "echo $(ls", "echo `ls", "echo ${x", "(" * 500, "a $'b"])
def test_what_hides_text_is_asked_about(command: str) -> None:
    verdict = _ask(command)
    assert verdict is not None
    assert verdict.code == "shell.unread"
    assert "could not read all of this command" in verdict.reason


def test_a_row_and_a_flaw_are_both_named() -> None:
    verdict = _ask("git push; echo 'x")
    assert verdict is not None
    assert verdict.code == "git.push+shell.unread"


def test_too_long() -> None:
    verdict = _ask("echo x; " * 130_000)
    assert verdict is not None
    assert verdict.code == "shell.too-long"
    assert "1,040,000" in verdict.reason


def test_too_deep() -> None:
    verdict = _ask("ssh a ssh b ssh c ssh d ls")
    assert verdict is not None
    assert verdict.code == "shell.too-deep"
    assert "could not look further" in verdict.reason
    assert _ask("ssh a ssh b ssh c ls") is None
    assert _ask("sudo " * 5000 + "ls") is not None
