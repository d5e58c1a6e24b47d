"""The guard in the real Claude Code, headless: what reaches the model and what runs (SPEC A2, A5, B1, C1, C4)."""

import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.live.claude_npm import VERSION
from tests.live.mock_messages import ToolResult, use
from tests.live.sandbox import Run, Sandbox, require_below

pytestmark = pytest.mark.live

PUSH = use("Bash", command="git push", description="push")
LIST = use("Bash", command="ls", description="list")
SESSION = {
    "echo": use("Bash", command="echo hi", description="greet"),
    "status": use("Bash", command="git status", description="status"),
    "compound cd": use("Bash", command="cd sub && git status", description="status below"),
    "push": PUSH,
    "hidden push": use("Bash", command="bash -c 'true && git push'", description="push"),
    "load Monitor": use("ToolSearch", query="select:Monitor", max_results=5),
    "monitored push": use("Monitor", command="git push", description="push", timeout_ms=3000),
}
ALLOWED = ("--allowedTools", "Bash", "Monitor")
BYPASSED = ("--permission-mode", "bypassPermissions")
COULD_NOT_JUDGE = "guardhook could not judge this call"


class Guarded:
    """One played SESSION; `told` gives the model's view of a call by its name."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def told(self, name: str) -> ToolResult:
        return self.run.results[list(SESSION).index(name)]

    def seen_before(self, name: str) -> str:
        """All that the model saw from its first call to the one of this name, as JSON."""
        roles = [message["role"] for message in self.run.conversation]
        answers = [index for index, role in enumerate(roles) if role == "assistant"]
        return json.dumps(self.run.conversation[answers[0] : answers[list(SESSION).index(name)]])


@pytest.fixture(scope="module", params=[ALLOWED, BYPASSED], ids=["allowed", "bypassed"])
def guarded(request: pytest.FixtureRequest, session: Callable[..., Run]) -> Guarded:
    return Guarded(session(list(SESSION.values()), flags=request.param))


def test_a_deny_reaches_the_model_with_its_rewrite(guarded: Guarded) -> None:
    told = guarded.told("compound cd")
    assert told.is_error
    assert "Suggested rewrite: git -C sub status" in told.text.splitlines()
    assert told.text.splitlines()[0].removeprefix("PreToolUse:Bash hook error: ")


@pytest.mark.parametrize("name", ["push", "hidden push", "monitored push"])
def test_an_ask_blocks_and_names_the_command(guarded: Guarded, name: str) -> None:
    told = guarded.told(name)
    assert told.is_error
    assert "git push" in told.text
    assert COULD_NOT_JUDGE not in told.text


def test_a_pass_runs_and_leaves_no_trace(guarded: Guarded) -> None:
    assert (guarded.told("echo").text, guarded.told("echo").is_error) == ("hi", False)
    assert (guarded.told("status").text, guarded.told("status").is_error) == ("stub: git status", False)
    seen = guarded.seen_before("compound cd")
    assert "stub: git status" in seen
    assert not [word for word in ("guardhook", "hook error", "PreToolUse") if word in seen]


def test_only_what_passed_has_run(guarded: Guarded) -> None:
    assert guarded.run.calls == ["git status"]


def test_without_the_guard_everything_runs(session: Callable[..., Run]) -> None:
    run = session([SESSION["compound cd"], PUSH, SESSION["hidden push"]], guarded=False)
    assert run.calls == ["git status", "git push", "git push"]


def remove_releases(sandbox: Sandbox) -> None:
    releases = [path for path in sandbox.hooks.iterdir() if path.is_dir()]
    assert releases
    for path in releases:
        shutil.rmtree(path)


def test_without_its_package_the_guard_asks_for_shell_calls_and_warns_of_others(session: Callable[..., Run]) -> None:
    def change(sandbox: Sandbox) -> None:
        remove_releases(sandbox)
        (sandbox.work / "note.txt").write_text("the note\n")

    run = session([PUSH, LIST, use("Read", file_path="note.txt")], change=change)
    assert run.calls == []
    for told in run.results[:2]:
        assert told.is_error and COULD_NOT_JUDGE in told.text
    assert "the note" in run.results[2].text and not run.results[2].is_error
    warnings = [message for message in run.conversation if message["role"] == "system"]
    assert COULD_NOT_JUDGE in json.dumps(warnings)


def wire_a_missing_interpreter(sandbox: Sandbox) -> None:
    settings = json.loads(sandbox.settings.read_text())
    (group,) = settings["hooks"]["PreToolUse"]
    (handler,) = group["hooks"]
    _, arguments = handler["command"].split(" -I ")
    handler["command"] = f"{shlex.quote(str(sandbox.root / 'gone' / 'python3'))} -I {arguments}"
    sandbox.settings.write_text(json.dumps(settings))


def remove_launcher(sandbox: Sandbox) -> None:
    (sandbox.hooks / "guard.py").unlink()


@pytest.mark.parametrize(
    ("change", "cause"),
    [(wire_a_missing_interpreter, 'blocking because onFailure is "block"'), (remove_launcher, "can't open file")],
)
def test_a_guard_that_cannot_start_blocks(
    session: Callable[..., Run], change: Callable[[Sandbox], None], cause: str
) -> None:
    run = session([PUSH, LIST], change=change)
    assert run.calls == []
    assert all(told.is_error and told.text.startswith("PreToolUse:Bash hook error") for told in run.results)
    assert all(cause in told.text for told in run.results)


def test_the_installer_recognises_the_client(claude_client: Path, tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path / "inside")
    assert f"Claude Code {VERSION}" in sandbox.install_guard(claude_client)
    (group,) = json.loads(sandbox.settings.read_text())["hooks"]["PreToolUse"]
    assert group["hooks"][0]["onFailure"] == "block"


def test_nothing_is_started_outside_the_sandbox(tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path / "inside")
    env = sandbox.environment()
    assert env["HOME"].startswith(str(tmp_path)) and env["CLAUDE_CONFIG_DIR"].startswith(str(tmp_path))
    for name in ("HOME", "CLAUDE_CONFIG_DIR", "TMPDIR"):
        with pytest.raises(AssertionError, match=name):
            require_below(sandbox.root, env | {name: str(tmp_path)})
