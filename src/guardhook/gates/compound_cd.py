"""Compound `cd`: `cd DIR && make` moves the session's shell, so the next call runs somewhere else than it thinks.

A rewrite exists, so the gate denies (SPEC B1, D1, D2). The rewritten line is printed only where every part of it can be
carried over and the guard itself would not deny it; anywhere else the way out is said in words.
"""

from guardhook.call import BASH, ToolCall
from guardhook.context import MAX_COMMAND, Context
from guardhook.hatches import PLACES
from guardhook.shell.commands import BACKGROUND, PIPELINE, SUBSHELL, SUBSTITUTION, Scope
from guardhook.verdict import DENY, Verdict, shown

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
    found = context.commands()
    roots = [layer.root for layer in found.layers]
    for invocation in found.invocations:
        if invocation.arguments[:1] == ["cd"] and invocation.language == BASH and _is_compound(invocation, roots):
            return _verdict(call, context, invocation)
    return None


def _is_compound(invocation: "Invocation", roots: list[Scope]) -> bool:
    command = invocation.command
    if not invocation.local or command.after not in _JOINING or len(invocation.arguments) < 2:
        return False
    if any(prefix not in _IN_SHELL for prefix in invocation.prefixes):
        return False
    scope: Scope | None = command.scope
    while scope is not None:
        if scope.kind in _OWN_PROCESS:
            return scope in roots  # the process of `bash -c`, which is judged as a shell of its own
        scope = scope.parent
    return True


def _verdict(call: ToolCall, context: Context, invocation: "Invocation") -> Verdict:
    from guardhook.gates import cd_rewrite

    rewrite = cd_rewrite.rewrite(call, context, invocation)
    line = f"`{shown(invocation.segment(200), 120)} {invocation.command.after} …`"
    if invocation.layer.root.kind == SUBSHELL:
        around = shown(invocation.layer.outermost, 120)
        effect = f"inside `{around}`: what follows runs in another directory than the call shows"
    else:
        effect = "because the `cd` outlives this call: later calls would run in another directory than they expect"
    reason = (
        f"guardhook denies {line} {effect}.\n"
        f"Suggested rewrite: {rewrite or cd_rewrite.words(invocation)}\n"
        f"If this gate is in the way, a person can set AGENT_COMPOUND_CD_HOOK=off in {PLACES[call.agent]}."
    )
    return Verdict(DENY, CODE, reason, rewrite)
