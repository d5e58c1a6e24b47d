"""The ask classifier: its message and what it says of text that cannot be read (SPEC A7, C9)."""

import pytest

from guardhook import engine
from guardhook.call import BASH, MONITOR, UNKNOWN_SHELL, ToolCall
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
    assert lines[0] == "guardhook asks before this command:"
    assert lines[1] == "1. git push origin main"
    assert lines[2].startswith("   git push: ")
    assert lines[2].endswith(" [git.push]")
    assert lines[-1] == "Approve only if this is what you want to happen now."


def test_message_names_every_risky_part() -> None:
    verdict = _ask("git add -A && git commit -m x; ls | wc; rm -rf b && sudo git push")
    assert verdict is not None
    assert verdict.code == "git.commit+delete.rm+git.push"
    assert "3 of 6 parts" in verdict.reason
    for segment in ("1. git commit -m x\n", "2. rm -rf b\n", "3. sudo git push\n"):
        assert segment in verdict.reason


@pytest.mark.parametrize(
    ("command", "count"),
    [
        ("bash -c 'ls; git push' && npm publish && pwd", "2 of 4"),
        ("A=1; git push", "1 of 2"),
        ("for x in a b; do git push; done", "before this command"),
        ("echo $(git push) `git commit`", "2 of 3"),
        ("git push > f", "before this command"),
        ("{ git push; } > f", "before this command"),
        ("find . -exec rm -rf {} \\; -exec git push \\;", "2 of 2"),
        ("git push; git push; ls", "2 of 3"),
        ("for x in push commit; do git $x; done", "before this command"),
        ("for x in status push; do git $x; git fetch; done", "1 of 2"),
        ("x='git push'; bash -c \"$x\"; ls", "1 of 3"),
    ],
)
def test_counts(command: str, count: str) -> None:
    assert count in _reason(command)


def test_long_segments_are_cut() -> None:
    reason = _reason("git commit -m '" + "m" * 500 + "END'")
    assert "1. git commit -m '" + "m" * (200 - len("git commit -m '")) + "…\n" in reason
    assert "END" not in reason


def test_lines_of_a_segment_are_joined_and_repetitions_counted() -> None:
    assert "1. git commit -m 'a ⏎ b'\n" in _reason("git commit -m 'a\nb'")
    assert "[git.push] (2 times)" in _reason("git push; git push")


def test_nothing_invisible_is_shown_as_it_is() -> None:
    reason = _reason("git push \x1b[2K\rls \u202e x")
    assert "git push \\u{1b}[2K\\u{d}ls \\u{202e} x" in reason


def test_where_it_runs_is_named() -> None:
    assert "(elsewhere, by ssh prod 'ls; rm -rf x') rm -rf: " in _reason("ssh prod 'ls; rm -rf x'")
    assert "(in sudo bash -c 'git push') git push: " in _reason("sudo bash -c 'git push'")


def test_a_long_list_is_cut() -> None:
    reason = _reason("; ".join(f"git push r{number}" for number in range(100)))
    assert "100 of 100 parts" in reason
    assert "and 70 more of the same kinds." in reason
    assert len(reason) < 6000


@pytest.mark.parametrize("kind", [BASH, MONITOR, UNKNOWN_SHELL])
def test_shell_tools(kind: str) -> None:
    assert _ask("git push", kind) is not None
    assert _ask("git status", kind) is None


def test_an_encoded_command_is_shown_decoded() -> None:
    verdict = _ask("powershell -NoProfile -enc ZwBpAHQAIABwAHUAcwBoAA==")
    assert verdict is not None
    assert verdict.code == "shell.encoded"
    assert "decoded, it reads `git push`" in verdict.reason


def test_a_windows_payload_is_judged_by_its_own_rows() -> None:
    verdict = _ask("pwsh -c 'rm -r x; shred y'; cmd /c 'rd /s z'")
    assert verdict is not None
    assert verdict.code == "delete.remove-item+delete.rd"
    assert "2 of 3 parts" in verdict.reason


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
