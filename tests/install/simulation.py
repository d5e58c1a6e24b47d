"""Planning is pure, so installing and uninstalling can be played through without a disk."""

import json
from typing import Any

from guardhook.install import claude, plan
from guardhook.install.places import Places, Snapshot

LAUNCHER = b'"""guardhook"""\nRELEASE = "guardhook-0.1.0-0123456789ab"\n'
PYTHON = "/usr/bin/python3.11"
STAMP = "20260102-030405"
WHERE = Places("/home/u/.claude")
SESSION = b'RELEASE = "guardhook-0.1.0-0123456789ab"\n# guardhook\n'


def snapshot(
    settings: bytes | None,
    *,
    guard: bytes | None = None,
    session: bytes | None = None,
    folders: tuple[str, ...] | None = None,
) -> Snapshot:
    found = Snapshot()
    found.settings = settings
    found.guard, found.session = guard, session
    found.folders = (WHERE.config, WHERE.hooks) if folders is None else folders
    return found


def wanted(python: str = PYTHON, blocks: bool = True, watches: bool = True) -> plan.Wanted:
    """blocks: is `onFailure` wired? watches: is ConfigChange wired?"""
    handlers = claude.handlers(python, WHERE, blocks, watches)
    return plan.Wanted(LAUNCHER, "guardhook-0.1.0-0123456789ab", SESSION, handlers, STAMP)


def install(found: Snapshot, want: plan.Wanted | None = None) -> Snapshot:
    return after(found, plan.install(found, WHERE, want or wanted()))


def uninstall(found: Snapshot) -> Snapshot:
    return after(found, plan.uninstall(found, WHERE))


def after(found: Snapshot, planned: plan.Plan) -> Snapshot:
    """The snapshot that carrying out a plan would leave."""
    left = snapshot(found.settings, guard=found.guard, session=found.session)
    left.record, left.moved_guard, left.moved_session = found.record, found.moved_guard, found.moved_session
    names = {WHERE.settings: "settings", WHERE.guard: "guard", WHERE.session: "session", WHERE.record: "record"}
    for edit in planned.edits:
        name = names[edit.path]
        assert getattr(left, name) == edit.old
        if edit.keep == plan.MOVE:
            setattr(left, f"moved_{name}", edit.old)
        setattr(left, name, edit.new)
    for _, target in planned.restore:
        name = {WHERE.guard: "guard", WHERE.session: "session"}[target]
        setattr(left, name, getattr(left, f"moved_{name}"))
        setattr(left, f"moved_{name}", None)
    return left


def groups(data: bytes | None) -> list[dict[str, Any]]:
    """hooks.PreToolUse as a client reads it."""
    found: list[dict[str, Any]] = json.loads((data or b"").decode("utf-8-sig"))["hooks"]["PreToolUse"]
    return found


def own_entries(data: bytes | None) -> int:
    handlers = [handler for group in groups(data) for handler in group["hooks"]]
    return sum(claude.is_own(handler, WHERE) for handler in handlers)
