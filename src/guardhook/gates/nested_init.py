"""Nested `git init`: a repository inside another one's worktree, which the outer repository never mentions again.

It can always be made elsewhere, so the gate denies and says where (SPEC N1, B1). A shape that it cannot account for is
declined: a wrong denial blocks work and no rewrite repairs that, a declined call is only as it was without the gate.
"""

from guardhook.call import ToolCall
from guardhook.context import MAX_COMMAND, Context
from guardhook.gates import INIT_WORDS
from guardhook.hatches import PLACES
from guardhook.verdict import DENY, Verdict, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.gates.init_site import Nested
    from guardhook.shell.commands import Command
    from guardhook.shell.unwrap import Invocation, Unwrapped

NAME = "nested-init"
CODE = "nested-init"

# More than any person writes; each is compared with all that stands before it.
MAX_INITS = 50

# Characters that a shell takes as they are.
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/=:+")


def judge(call: ToolCall, context: Context) -> Verdict | None:
    """DENY if a part of the command makes a repository inside a worktree that is there, or that it makes itself."""
    if len(call.command) > MAX_COMMAND:
        context.note(NAME, "declined", "the command is too long to be read")
        return None
    found = context.commands()
    for invocation in found.invocations:
        if invocation.name == "git" and not INIT_WORDS.isdisjoint(invocation.arguments):
            return _judge_inits(call, context, found)
    return None


def _judge_inits(call: ToolCall, context: Context, found: "Unwrapped") -> Verdict | None:
    from guardhook.gates import init_shapes, init_site, init_target

    inits = []
    for number, invocation in enumerate(found.invocations):
        if invocation.name == "git" and not INIT_WORDS.isdisjoint(invocation.arguments):
            init = init_target.read(invocation.arguments)
            if init is not None:
                inits.append((number, invocation, init))
    if len(inits) > MAX_INITS:
        context.note(NAME, "declined", f"the command has more than {MAX_INITS} of them; the first ones are judged")
        inits = inits[:MAX_INITS]
    why = init_shapes.declined(call.command, context.settings.environment, found) if inits else ""
    if why:
        context.note(NAME, "declined", why)
    if why or not inits:
        return None
    site = init_site.Site(call.cwd, context.settings.environment, found)
    values: dict[Command, int] = {}
    for _, invocation, _ in inits:
        values[invocation.command] = values.get(invocation.command, 0) + 1
    for number, invocation, init in inits:
        if invocation.variant:
            continue
        answer: Nested | str = "it runs for several values of a variable"
        if values[invocation.command] == 1:
            answer = site.judged(number, invocation, init)
        if not isinstance(answer, str):
            return _verdict(call, context, found, invocation, answer)
        if answer:
            context.note(NAME, "declined", f"`{shown(invocation.segment(200), 80)}`: {answer}")
    return None


def _verdict(
    call: ToolCall, context: Context, found: "Unwrapped", invocation: "Invocation", nested: "Nested"
) -> Verdict:
    rewrite, way = _way_out(call, context, found, invocation, nested)
    around = shown(invocation.layer.outermost, 120)
    line = f"`{shown(invocation.segment(200), 120)}`" + (f" (inside `{around}`)" if around else "")
    kind = "a bare repository" if nested.init.bare else "a second repository"
    outer = shown(nested.outer, 200)
    inside = f"the worktree of {outer}" if nested.found else f"{outer}, whose .git file names a repository out of reach"
    reason = (
        f"guardhook denies {line}: it would make {kind} at {shown(nested.place, 200)}, inside {inside}.\n"
        "The outer repository does not see into an inner one: its `git status` never lists that work again, while an "
        "editor takes the folder for a second root and offers its files beside real work, one wrong click away from a "
        "commit.\n"
        f"Suggested rewrite: {rewrite or way}\n"
        "For an inner repository that is meant to be there, a submodule say, a person can set "
        f"AGENT_NESTED_GIT_INIT_HOOK=off in {PLACES[call.agent]}, and remove it again after the call."
    )
    return Verdict(DENY, CODE, reason, rewrite)


def _way_out(
    call: ToolCall, context: Context, found: "Unwrapped", invocation: "Invocation", nested: "Nested"
) -> tuple[str, str]:
    """(a command that can be run as it stands, ""), or ("", the way out in words) (SPEC B2)."""
    from guardhook.gates import init_target

    scratch = init_target.scratch(context.settings.environment)
    if not scratch:
        return "", "make the repository in a directory that lies in no other repository, and use that path."
    name = nested.place.rpartition("/")[2]
    target = f"{scratch}/{name}"
    words = [*nested.init.options, target]
    if not name or not _PLAIN.issuperset(target) or init_target.state(target) != init_target.ABSENT:
        return "", f"make the repository in a new folder of the scratch directory, {shown(scratch, 200)}."
    alone = len(found.invocations) == 1 and not invocation.prefixes and not invocation.layer.via
    is_plain = nested.init.plain and not invocation.command.assignments and all(map(_PLAIN.issuperset, words))
    line = " ".join(["git init", *words])
    if alone and is_plain and _is_passed(call, context, line):
        return line, ""
    return "", f"make the repository in the scratch directory, at {target} say, and use that path in the whole line."


def _is_passed(call: ToolCall, context: Context, line: str) -> bool:
    from guardhook import engine

    again = ToolCall(call.agent, call.tool, call.kind, line, call.cwd, call.session)
    return engine.decide(again, context.settings).verdict is None
