"""Fixtures of the live tests: the real client, a mock of its API, and one played session."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.live import claude_npm
from tests.live.mock_messages import MessagesMock
from tests.live.npm import UnavailableError
from tests.live.sandbox import Run, Sandbox, drive

Plan = list[list[dict[str, Any]]]


@pytest.fixture(scope="session")
def claude_client() -> Path:
    """The executable of the pinned Claude Code. Skips, with the reason, where it cannot be had."""
    try:
        return claude_npm.executable()
    except UnavailableError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def mock() -> Iterator[Callable[[Plan], MessagesMock]]:
    """Start a mock of the Messages API for one plan; all are closed at the end."""
    with ExitStack() as stack:
        yield lambda plan: stack.enter_context(MessagesMock(plan))


@pytest.fixture(scope="session")
def session(
    claude_client: Path, mock: Callable[[Plan], MessagesMock], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Run]:
    """Play a plan in the real client and give the Run: what the model was told and which stubs were called.

    calls: the model's tool calls, one a turn. guarded: the guard is installed first. change: done to the sandbox after
    that. flags: for the client; by default nothing but a hook stands between the model and a command. options: for the
    installer.
    """

    def play(
        calls: list[dict[str, Any]],
        guarded: bool = True,
        change: Callable[[Sandbox], None] = lambda sandbox: None,
        flags: tuple[str, ...] = ("--permission-mode", "bypassPermissions"),
        options: tuple[str, ...] = (),
    ) -> Run:
        sandbox = Sandbox(tmp_path_factory.mktemp("session"))
        if guarded:
            sandbox.install_guard(claude_client, *options)
        change(sandbox)
        return drive(claude_client, sandbox, mock([[call] for call in calls]), list(flags))

    return play
