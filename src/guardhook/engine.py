"""One ordered loop over the gates. `decide` is the only way to a decision: hook, `explain` and tests all call it."""

from guardhook import gates
from guardhook.call import SHELLS, ToolCall
from guardhook.context import Context
from guardhook.hatches import Settings
from guardhook.verdict import ASK, DENY, Decision, Verdict


def decide(call: ToolCall, settings: Settings) -> Decision:
    """Judge one call (SPEC A6, A7). A gate that raises, or the deadline, becomes a verdict of `faults` (SPEC A5)."""
    return judge(call, Context(call, settings))


def judge(call: ToolCall, context: Context) -> Decision:
    """`decide` on a context that the caller keeps, so that it can show what the readers saw."""
    asks: list[Verdict] = []
    advice: list[str] = []
    for gate in gates.TABLE:
        if call.kind not in gate.tools or call.agent not in gate.agents:
            continue
        off = context.settings.off
        if off and not set(off).isdisjoint(gate.hatches):
            context.note(gate.name, "off", "switched off by " + next(name for name in gate.hatches if name in off))
            continue
        try:
            marks = context.marks() if gate.marks is not None and call.kind in SHELLS else None
            if marks is not None and gate.marks is not None and gate.marks.isdisjoint(marks):
                context.settle(gate.name)
                continue
            if gate.asks and call.agent == "codex" and not context.asker():
                context.note(gate.name, "off", "Codex cannot ask here (guardhook install --codex-ask)")
                continue
            verdict = _load(gate.module).judge(call, context)
        except BaseException as error:
            from guardhook import faults

            verdict = faults.verdict(call, error, "gate " + gate.name)
            context.note(gate.name, "fault", verdict.reason)
            if not isinstance(error, Exception):  # no time is left for the other gates
                if verdict.kind == ASK:
                    asks.append(verdict)
                else:
                    advice.append(verdict.reason)
                break
        else:
            if verdict is None:
                context.settle(gate.name)
                continue
            context.note(gate.name, verdict.kind, verdict.reason)
        if verdict.kind == DENY:
            return Decision(verdict, "", context.trace)
        if verdict.kind == ASK:
            asks.append(verdict)
        else:
            advice.append(verdict.reason)
    verdict = _join(asks)
    if verdict is not None and call.mode not in ("", "default", "acceptEdits", "dontAsk"):
        from guardhook.protect import lost

        verdict = lost.denied(call, context, verdict) or verdict
    return Decision(verdict, "\n".join(advice), context.trace)


def _join(asks: list[Verdict]) -> Verdict | None:
    if len(asks) < 2:
        return asks[0] if asks else None
    return Verdict(ASK, "+".join(ask.code for ask in asks), "\n\n".join(ask.reason for ask in asks))


def _load(name: str):  # type: ignore[no-untyped-def]
    return __import__(name, None, None, ["judge"])
