"""Prose in the real Claude Code: what the model is told about banned words and style (SPEC W5, S1, V6)."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.live.mock_messages import use
from tests.live.sandbox import Run
from tests.style import agent_style_pypi

pytestmark = pytest.mark.live

LONG = "This sentence goes " + "on and " * 50 + "on until it ends."
PLAN = {
    "banned": use("Write", file_path="notes.md", content="A pivotal step.\n"),
    "heredoc": use("Bash", command="cat > notes.md <<'EOF'\nA pivotal step.\nEOF", description="write"),
    "clean": use("Write", file_path="long.md", content=f"# Notes\n\n{LONG}\n"),
    "code": use("Write", file_path="code.md", content="Call `delve()` here.\n"),
}


@pytest.fixture(scope="module", name="run")
def _run(session: Callable[..., Run]) -> Run:
    try:
        folder = agent_style_pypi.folder("0.9.0")
    except agent_style_pypi.UnavailableError as reason:
        pytest.skip(str(reason))
    return session(list(PLAN.values()), options=("--agent-style", str(folder)))


@pytest.mark.parametrize("name", ["banned", "heredoc"])
def test_a_banned_word_is_denied_and_the_model_sees_what_to_write(run: Run, name: str) -> None:
    told = run.results[list(PLAN).index(name)]
    assert told.is_error
    assert 'Suggested rewrite: the same text with other words: "pivotal" -> key, central.' in told.text.splitlines()


def test_clean_text_is_written_and_the_model_sees_the_advisory(run: Run) -> None:
    told = run.results[list(PLAN).index("clean")]
    assert not told.is_error
    said = json.dumps([message for message in run.conversation if message["role"] != "assistant"])
    assert "RULE-12" in said
    assert "this hook did not block the write" in said


def test_words_in_code_are_left_alone(run: Run) -> None:
    assert not run.results[list(PLAN).index("code")].is_error


def test_only_what_passed_was_written(session: Callable[..., Run], tmp_path: Path) -> None:
    run = session([PLAN["banned"], use("Bash", command="ls", description="list")])
    assert run.results[0].is_error
    assert "notes.md" not in run.results[1].text
