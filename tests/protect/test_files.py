"""Edits and patches of protected files, applied in memory (SPEC P2)."""

import pytest

from guardhook.call import EDITOR, ToolCall
from guardhook.protect import files
from guardhook.protect.places import Protected
from tests.corpus_sandbox import Sandbox

SETTINGS = "@HOME@/.claude/settings.json"


def _edited(sandbox: Sandbox, path: str, *edits: tuple[str | None, str, bool]) -> list[str]:
    call = ToolCall("claude", "Edit", EDITOR, cwd=str(sandbox.cwd))
    call.path, call.edits = sandbox.fill(path), list(edits)
    protected = Protected(sandbox.environment, call.cwd)
    return [change.how for change in files.edited(call, protected, sandbox.environment)]


def test_edits_in_order(sandbox: Sandbox) -> None:
    assert _edited(sandbox, SETTINGS, ('"opus"', '"x"', False)) == []
    assert _edited(sandbox, SETTINGS, ('"opus"', '"x"', False), ('"x"', '"y", "disableAllHooks": true', False)) == [
        '"disableAllHooks"'
    ]
    assert _edited(sandbox, SETTINGS, ('"timeout": 10', '"timeout": 1', True)) == ['"hooks"']


def test_an_edit_without_one_place_is_unclear(sandbox: Sandbox) -> None:
    for edit in (("nowhere", "x", False), ('"', "'", False)):
        (how,) = _edited(sandbox, SETTINGS, edit)
        assert how.startswith("where this edit would land cannot be told")


def test_files_that_are_made(sandbox: Sandbox) -> None:
    assert _edited(sandbox, "@CWD@/.claude/settings.json", ("", '{"model": "x"}', False)) == []
    assert _edited(sandbox, "@CWD@/.claude/settings.json", (None, '{"hooks": {}}', False)) == ['"hooks"']
    assert _edited(sandbox, "@CWD@/notes.json", (None, '{"hooks": {}}', False)) == []


def test_code_of_the_guard_may_not_change_at_all(sandbox: Sandbox) -> None:
    assert _edited(sandbox, "@HOME@/.claude/hooks/guard.py", ("x", "y", False)) == [""]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("*** Delete File: ~/.codex/hooks.json", 1),  # for Codex a name; nobody has such a folder
        ("*** Delete File: @HOME@/.codex/hooks.json", 1),
        ("*** Delete File: @HOME@/.claude/hooks/guard.py", 1),
        ("*** Delete File: @HOME@/.codex/notes.md", 0),
        ("*** Update File: @HOME@/.codex/config.toml\n*** Move to: @CWD@/x\n@@\n-hooks = true\n+hooks = true", 1),
        ("*** Update File: @HOME@/.codex/config.toml\n@@\n-hooks = true\n+hooks = true\n+web = true", 0),
        ("*** Update File: @HOME@/.codex/config.toml\n@@\n-nowhere\n+x = 1", 1),
        ("*** Update File: x.py\n*** Move to: @HOME@/.codex/hooks.json\n@@\n-a\n+b", 1),
        ("*** Add File: @HOME@/.codex/hooks.json\n+{}", 1),
        ("*** Add File: ../home/.codex/hooks.json\n+{}", 1),
        ("*** Add File: .codex/hooks.json\n+{}", 0),
    ],
)
def test_patches(sandbox: Sandbox, body: str, count: int) -> None:
    text = sandbox.fill(f"*** Begin Patch\n{body}\n*** End Patch\n")
    protected = Protected(sandbox.environment, str(sandbox.cwd))
    assert len(list(files.patched(text, str(sandbox.cwd), protected, sandbox.environment))) == count
