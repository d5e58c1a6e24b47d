"""Compound `cd`: `cd DIR && make` moves the session's shell, so the next call runs somewhere else than it thinks.

A rewrite exists, so the gate denies (SPEC B1, D1, D2). The rewritten line is printed only where every part of it can be
carried over and the guard itself would not deny it; anywhere else the way out is said in words.
"""

from guardhook.call import ToolCall
from guardhook.context import MAX_COMMAND, Context
from guardhook.shell.commands import BACKGROUND, PIPELINE, SUBSHELL, SUBSTITUTION, Scope
from guardhook.verdict import DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.shell.unwrap import Invocation

CODE = "compound-cd"

# What runs `cd` in the calling shell itself; behind any other prefix it is another program.
_IN_SHELL = ("builtin", "command")
_OWN_PROCESS = (SUBSHELL, SUBSTITUTION, PIPELINE, BACKGROUND)
_JOINING = ("&&", ";", "||")


def judge(call: ToolCall, context: Context) -> Verdict | None:
    """DENY if a `cd PATH` that moves this shell has another command behind it in the same list."""
    if len(call.command) > MAX_COMMAND:
        context.note(CODE, "declined", "the command is too long to be read")
        return None
    for invocation in context.commands().invocations:
        if invocation.arguments[:1] == ["cd"] and _is_compound(invocation):
            return _verdict(call, context, invocation)
    return None


def _is_compound(invocation: "Invocation") -> bool:
    command = invocation.command
    if not invocation.local or command.after not in _JOINING or len(invocation.arguments) < 2:
        return False
    if any(prefix not in _IN_SHELL for prefix in invocation.prefixes):
        return False
    scope: Scope | None = command.scope
    while scope is not None and scope is not invocation.layer.root:
        if scope.kind in _OWN_PROCESS:
            return False
        scope = scope.parent
    return True


def _verdict(call: ToolCall, context: Context, invocation: "Invocation") -> Verdict:
    from guardhook.gates import cd_rewrite

    rewrite = cd_rewrite.rewrite(call, context, invocation)
    command = invocation.command
    reason = (
        f"guardhook denies `{_one_line(invocation.segment())} {command.after} …`: the `cd` stays in force, so every "
        "later call would run in another directory than it expects.\n"
        f"Suggested rewrite: {rewrite or cd_rewrite.words(invocation)}\n"
        "If this gate is in the way, a person can set AGENT_COMPOUND_CD_HOOK=off in the env block of Claude Code's "
        "settings."
    )
    return Verdict(DENY, CODE, reason, rewrite)


def _one_line(segment: str) -> str:
    return segment.replace("\n", " ")[:200]
