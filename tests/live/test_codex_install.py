"""`guardhook install` and `uninstall` beside the real Codex: what it says itself at each step (SPEC X1, X2)."""

import sys
from pathlib import Path

import pytest

from tests.live import codex_npm
from tests.live.codex_sandbox import AppServer, CodexSandbox
from tests.live.npm import SYSTEM_PATH, UnavailableError, run_limited
from tests.live.sandbox import INSTALLER_SECONDS, SOURCES

pytestmark = pytest.mark.live

MINE = '{"hooks": {"PreToolUse": [{"matcher": "view_image", "hooks": [{"type": "command", "command": "true"}]}]}}\n'


def guardhook(sandbox: CodexSandbox, client: Path, *arguments: str) -> str:
    argv = [sys.executable, "-m", "guardhook", *arguments]
    env = sandbox.codex_environment() | {"PYTHONPATH": str(SOURCES), "PATH": f"{client.parent}:{SYSTEM_PATH}"}
    status, output = run_limited(argv, env, sandbox.work, INSTALLER_SECONDS)
    assert status == 0, output
    return output


def statuses(sandbox: CodexSandbox, client: Path) -> list[str]:
    with AppServer(client, sandbox) as server:
        return [hook["trustStatus"] for hook in server.hooks()["hooks"]]


def test_installing_trusting_and_removing_leave_the_trust_of_others_alone(tmp_path: Path) -> None:
    try:
        client = codex_npm.executable()
    except UnavailableError as reason:
        pytest.skip(str(reason))
    sandbox = CodexSandbox(tmp_path / "box")
    sandbox.configure("http://127.0.0.1:9/v1")
    sandbox.hooks_file.write_text(MINE)
    with AppServer(client, sandbox) as server:
        server.trust_all()
    assert "(untrusted)" in guardhook(sandbox, client, "install", "--no-proof")
    assert statuses(sandbox, client) == ["trusted", "untrusted"]
    assert "trusted: nothing to do" in guardhook(sandbox, client, "install", "--no-proof", "--codex-trust")
    assert statuses(sandbox, client) == ["trusted", "trusted"]
    assert "(modified)" in guardhook(sandbox, client, "install", "--no-proof", "--codex-fail-closed")
    assert statuses(sandbox, client) == ["trusted", "modified"]
    guardhook(sandbox, client, "uninstall")
    assert sandbox.hooks_file.read_text() == MINE
    assert statuses(sandbox, client) == ["trusted"]
