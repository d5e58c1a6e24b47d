"""The session banner in the real Claude Code: the first call, the acknowledgement, later sessions (SPEC G2, G4)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guardhook.cli import init
from tests.live.mock_messages import MessagesMock, use
from tests.live.sandbox import Run, Sandbox, drive

pytestmark = pytest.mark.live

LIST = use("Bash", command="git status", description="status")
ACKNOWLEDGE = use("Write", file_path="as told", content="as told")
BYPASSED = ["--permission-mode", "bypassPermissions"]
ADVISED = "PreToolUse:Bash hook additional context: [banner-gate] "
STARTED = "SessionStart hook additional context: guardhook: before other work"
DENIED = "PreToolUse:Bash hook error: guardhook denies this call for now: a session has begun here"


class Obedient(MessagesMock):
    """A model that acknowledges with the path and the content that the last denial names, and nothing of its own.

    session: a name for the ids of its calls, since a resumed conversation holds those of the session before.
    """

    def __init__(self, plan: list[list[dict[str, Any]]], session: str) -> None:
        super().__init__(plan)
        self.plan = [[{**block, "id": f"{block['id']}_{session}"} for block in turn] for turn in self.plan]

    def blocks(self, turn: "int | None") -> list[dict[str, Any]]:
        return [
            {**block, "input": self._told()} if block.get("name") == "Write" else block
            for block in super().blocks(turn)
        ]

    def _told(self) -> dict[str, str]:
        lines = self.results()[-1].text.splitlines()
        at = next(number for number, line in enumerate(lines) if line.startswith("Then write the file "))
        path = lines[at].removeprefix("Then write the file ").removesuffix(" with exactly this content:")
        return {"file_path": path, "content": lines[at + 1]}


def session(client: Path, sandbox: Sandbox, plan: list[dict[str, Any]], *flags: str) -> tuple[Run, str]:
    """Play one session; the run, and all that the model has seen, as JSON."""
    with Obedient([[call] for call in plan], str(len(sandbox.calls()))) as mock:
        run = drive(client, sandbox, mock, [*BYPASSED, *flags])
    return run, json.dumps(run.conversation)


class Lives:
    """Three sessions of one project, one after the other: the first, the same one resumed, another one."""

    def __init__(self, client: Path, sandbox: Sandbox) -> None:
        sandbox.install_guard(client)
        for name, text, _ in init.FILES:
            path = sandbox.work / ".agent-config" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        self.folder = sandbox.work / ".agent-config"
        self.first = session(client, sandbox, [LIST, ACKNOWLEDGE, LIST])
        self.event = self.events()
        self.check = json.loads((self.folder / "last-run.json").read_text())
        self.resumed = session(client, sandbox, [LIST], "--continue")
        self.event_of_resumed = self.events()
        self.second = session(client, sandbox, [LIST])
        self.event_of_second = self.events()

    def events(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "session-event.json").read_text())
        return found


@pytest.fixture(scope="module")
def lives(claude_client: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lives]:
    yield Lives(claude_client, Sandbox(tmp_path_factory.mktemp("banner")))


def test_the_first_call_is_denied_with_the_lines_the_acknowledgement_passes_and_the_next_call_runs(
    lives: Lives,
) -> None:
    run, seen = lives.first
    denied, written, listed = run.results
    assert denied.is_error
    assert denied.text.startswith(DENIED)
    for text in (
        "\n| Session banner (guardhook ",
        "\n| Hooks: PreToolUse guard answered as it must",
        "\n| Session check: passed",
    ):
        assert text in denied.text
    assert not written.is_error, written
    assert (listed.text, listed.is_error, run.calls) == ("stub: git status", False, ["git status"])
    assert ADVISED not in seen
    assert lives.event["source"] == "startup"
    assert (lives.check["result"], lives.check["detail"]) == ("ok", "")


def test_the_start_reaches_the_model_in_one_line(lives: Lives) -> None:
    assert STARTED in lives.first[1]
    assert str(lives.folder / "banner.txt") in lives.first[1]


def test_a_resumed_session_is_not_gated_again(lives: Lives) -> None:
    run, seen = lives.resumed
    assert lives.event_of_resumed == lives.event
    (listed,) = run.results
    assert (listed.text, listed.is_error) == ("stub: git status", False)
    assert ADVISED not in seen
    assert seen.count(STARTED) <= 1  # that of its beginning


def test_a_second_session_runs_and_is_reminded(lives: Lives) -> None:
    run, seen = lives.second
    assert lives.event_of_second["session_id"] != lives.event["session_id"]
    assert lives.event_of_second["ts"] > lives.event["ts"]
    (listed,) = run.results
    assert (listed.text, listed.is_error) == ("stub: git status", False)
    assert ADVISED in seen
    assert STARTED in seen


def test_a_plain_project_is_never_gated(claude_client: Path, tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path)
    sandbox.install_guard(claude_client)
    run, seen = session(claude_client, sandbox, [LIST])
    assert run.results[0].text == "stub: git status"
    assert "banner" not in seen
    assert not (sandbox.work / ".agent-config").exists()
