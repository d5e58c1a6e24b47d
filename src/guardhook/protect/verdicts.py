"""The verdict on a call that may change what keeps the guard in place (SPEC P1, P2).

Codex knows no question, so there the call is denied, unless its own rules can ask.
"""

from guardhook.call import EDITOR, PATCH, ToolCall
from guardhook.context import Context
from guardhook.protect.lost import MODES
from guardhook.verdict import ASK, DENY, Verdict, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from guardhook.protect.files import Change

CODE = "protect.change"
UNREAD = "protect.unread"

# So many changes are listed; nobody reads on.
SHOWN = 10

_WHY = "Without it, every later call runs unseen."


def judge(call: ToolCall, context: Context) -> Verdict | None:
    """ASK (on Codex DENY, where nobody can be asked) if the call changes something that keeps the guard in place."""
    from guardhook.protect import places

    try:
        changes = list(_changes(call, context))
    except places.TooManyError as error:
        return _verdict(call, context, UNREAD, f"it has {error}, so it cannot be told what it changes.")
    if not changes:
        return None
    lines = list(dict.fromkeys(map(_line, changes)))
    listed = [f"{number}. {line}" for number, line in enumerate(lines[:SHOWN], 1)]
    if len(lines) > SHOWN:
        listed.append(f"and {len(lines) - SHOWN} more.")
    return _verdict(call, context, CODE, "\n".join(["it would change what keeps the guard in place.", *listed]))


def _changes(call: ToolCall, context: Context) -> "Iterator[Change]":
    from guardhook.protect import places

    environment = context.settings.environment
    protected = places.Protected(environment, call.cwd)
    if call.kind in (EDITOR, PATCH):
        from guardhook.protect import files

        if call.kind == EDITOR:
            return files.edited(call, protected, environment)
        return files.patched(call.command, call.cwd, protected, environment)
    from guardhook.protect import commands

    return commands.changes(call, context, protected)


def _line(change: "Change") -> str:
    what, path = change.thing.what, change.thing.path
    if path and path not in change.act:
        what = f"{shown(path, 200)}: {what}"
    how = f"\n   It changes: {change.how}." if change.how else ""
    return f"{shown(change.act, 200)}\n   {what}{how}"


def _verdict(call: ToolCall, context: Context, code: str, text: str) -> Verdict:
    unseen = call.mode in MODES
    if unseen or (call.agent == "codex" and not context.asker()):
        if unseen:
            text += f"\nIn {call.mode} mode a question about it would not reach a person."
        way = "Suggested rewrite: leave this out, or ask the user to change this by hand, outside of the session."
        return Verdict(DENY, code, f"guardhook denies this call: {text}\n{_WHY}\n{way}")
    closing = "Approve only if you want guardhook changed or switched off."
    return Verdict(ASK, code, f"guardhook asks before this call: {text}\n{_WHY} {closing}")
