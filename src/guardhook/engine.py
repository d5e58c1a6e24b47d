"""One ordered loop over the gates. `decide` is the only way to a decision: hook, `explain` and tests all call it."""

from guardhook import gates
from guardhook.call import SHELLS, ToolCall
from guardhook.context import Context
from guardhook.hatches import Settings
from guardhook.verdict import ADVISE, ASK, DENY, Decision, Entry, Verdict

# The code of a verdict that says the guard itself failed.
FAULT = "guard.fault"


class Deadline(BaseException):
    """Raised by the timer of SPEC A9 wherever the guard happens to be; not an Exception, so nothing swallows it."""


def decide(call: ToolCall, settings: Settings) -> Decision:
    """Judge one call (SPEC A6, A7). Never raises but for MemoryError and the like inside itself.

    A gate that raises, or the deadline, is a fault: on a shell tool it asks, elsewhere it advises (SPEC A5).
    """
    return judge(call, Context(call, settings))


def judge(call: ToolCall, context: Context) -> Decision:
    """`decide` on a context that the caller keeps, so that it can show what the readers saw."""
    asks: list[Verdict] = []
    advice: list[str] = []
    for gate in gates.TABLE:
        if call.kind not in gate.tools or call.agent not in gate.agents:
            continue
        if any(name in context.settings.off for name in gate.hatches):
            context.note(gate.name, "off", "switched off by " + gate.hatches[0])
            continue
        try:
            verdict = _load(gate.module).judge(call, context)
        except Deadline:  # no time is left for the other gates
            asks.append(fault(call, "it took longer than 5 seconds"))
            context.note(gate.name, "fault", "it took longer than 5 seconds")
            break
        except Exception as error:
            verdict = fault(call, f"gate {gate.name}: {type(error).__name__}: {error}"[:200])
        if verdict is None:
            context.settle(gate.name)
            continue
        context.note(gate.name, "fault" if verdict.code == FAULT else verdict.kind, verdict.reason)
        if verdict.kind == DENY:
            return Decision(verdict, "", context.trace)
        if verdict.kind == ASK:
            asks.append(verdict)
        else:
            advice.append(verdict.reason)
    return Decision(_join(asks), "\n".join(advice), context.trace)


def fault(call: ToolCall, cause: str) -> Verdict:
    """The verdict for a call that could not be judged (SPEC A5). cause: one line."""
    reason = f"guardhook could not judge this call: {cause}. Please report it; `guardhook explain` shows the details."
    return Verdict(ASK if call.kind in SHELLS else ADVISE, FAULT, reason)


def _join(asks: list[Verdict]) -> Verdict | None:
    if len(asks) < 2:
        return asks[0] if asks else None
    return Verdict(ASK, "+".join(ask.code for ask in asks), "\n\n".join(ask.reason for ask in asks))


def _load(name: str):  # type: ignore[no-untyped-def]
    return __import__(name, None, None, ["judge"])


__all__ = ["Deadline", "Entry", "decide", "fault", "judge"]
