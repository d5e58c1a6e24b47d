"""Which paths are protected things, lie in one, or above one (SPEC P1)."""

import sys

import pytest

from guardhook.protect.places import CONFIG, HOOKS, SETTINGS, WHOLE, Protected
from guardhook.style import recorded
from tests.corpus_sandbox import Sandbox


def _at(sandbox: Sandbox, path: str, **environment: str) -> str:
    protected = Protected({**sandbox.environment, **sandbox.fill(environment)}, str(sandbox.cwd))
    thing = protected.at(sandbox.fill(path), str(sandbox.cwd))
    return thing.kind if thing else ""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("~/.claude/settings.json", SETTINGS),
        ("~/.claude/hooks/../settings.json", SETTINGS),
        ("~/.claude//./settings.json", SETTINGS),
        ("~/.claude/hooks/guard.py", WHOLE),
        ("~/.claude/hooks/session_start.py", WHOLE),
        ("~/.claude/hooks/guardhook-0.1-0123456789ab/x.py", WHOLE),
        ("~/.claude/hooks/guardhook-ask", WHOLE),
        ("~/.claude/hooks/mine.py", ""),
        ("~/.claude/CLAUDE.md", ""),
        ("~/.claude", ""),
        ("~/.codex/hooks.json", HOOKS),
        ("~/.codex/config.toml", CONFIG),
        ("~/.codex/rules/guardhook.rules", WHOLE),
        ("~/.codex/rules/default.rules", ""),
        ("~/.config/guardhook/config.toml", WHOLE),
        (".claude/settings.json", SETTINGS),
        ("a/b/.claude/settings.local.json", SETTINGS),
        ("a/.codex/config.toml", CONFIG),
        ("settings.json", ""),
        ("/etc/claude-code/managed-settings.json", SETTINGS),
        ("/", ""),
    ],
)
def test_at(sandbox: Sandbox, path: str, kind: str) -> None:
    assert _at(sandbox, path) == kind


def test_folders_that_the_environment_names(sandbox: Sandbox) -> None:
    assert _at(sandbox, "@SB@/cc/settings.json") == ""
    assert _at(sandbox, "@SB@/cc/settings.json", CLAUDE_CONFIG_DIR="@SB@/cc") == SETTINGS
    assert _at(sandbox, "@SB@/cc/hooks/guard.py", CLAUDE_CONFIG_DIR="@SB@/cc/") == WHOLE
    assert _at(sandbox, "~/.claude/settings.json", CLAUDE_CONFIG_DIR="@SB@/cc") == SETTINGS
    assert _at(sandbox, "@SB@/cx/hooks.json", CODEX_HOME="@SB@/cx") == HOOKS
    assert _at(sandbox, "@SB@/xdg/guardhook/config.toml", XDG_CONFIG_HOME="@SB@/xdg") == WHOLE


def test_the_launcher_s_own_folder(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    release = f"{sandbox.root}/opt/hooks/guardhook-1.0-0123456789ab"
    assert _at(sandbox, f"{release}/guardhook/engine.py") == ""
    monkeypatch.setattr(sys, "path", [release, *sys.path])
    assert _at(sandbox, f"{release}/guardhook/engine.py") == WHOLE
    assert _at(sandbox, "@SB@/opt/settings.json") == SETTINGS


def test_the_recorded_package(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "FOLDERS", (f"{sandbox.root}/site",))
    assert _at(sandbox, "@SB@/site/agent_style/rules.py") == WHOLE
    assert _at(sandbox, "@SB@/site/other/rules.py") == ""


@pytest.mark.parametrize(
    ("path", "found"),
    [("~/.claude", True), ("~", True), ("/", True), ("~/.claude/projects", False), (".", False), ("~/.cla*", True)],
)
def test_around(sandbox: Sandbox, path: str, found: bool) -> None:
    protected = Protected(sandbox.environment, str(sandbox.cwd))
    assert (protected.around(path, str(sandbox.cwd)) is not None) is found


def test_nothing_is_lost_above_what_is_not_there(sandbox: Sandbox) -> None:
    protected = Protected({**sandbox.environment, "CODEX_HOME": f"{sandbox.root}/none"}, str(sandbox.cwd))
    assert protected.around(f"{sandbox.root}/none", "/") is None
    assert protected.at(f"{sandbox.root}/none/hooks.json", "/") is not None


def test_an_unknown_directory(sandbox: Sandbox) -> None:
    protected = Protected(sandbox.environment, str(sandbox.cwd))
    assert protected.at("settings.json", None) is None
    assert protected.at(".claude/settings.json", None) is not None  # whichever project that is
    assert protected.at("~/.claude/settings.json", None) is not None
