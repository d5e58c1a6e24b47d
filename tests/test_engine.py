"""The loop over the gates: order, hatches, faults (SPEC A5, A6)."""

import pytest

from guardhook import engine, faults, gates
from guardhook.call import BASH, OTHER, SHELLS, ToolCall
from guardhook.context import Context
from guardhook.hatches import Settings
from guardhook.verdict import Decision, Verdict


class _Stand:
    """A gate's module with a fixed answer."""

    def __init__(self, answer: Verdict | BaseException | None) -> None:
        self.answer = answer

    def judge(self, call: ToolCall, context: Context) -> Verdict | None:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def _decide(
    monkeypatch: pytest.MonkeyPatch, *answers: Verdict | BaseException | None, kind: str = BASH, off: str = ""
) -> Decision:
    stands = {f"gate-{number}": _Stand(answer) for number, answer in enumerate(answers)}
    rows = tuple(gates.Gate(name, name, (*SHELLS, OTHER), ("claude",), ("AGENT_STYLE_HOOK",)) for name in stands)
    monkeypatch.setattr(gates, "TABLE", rows)
    monkeypatch.setattr(engine, "_load", stands.__getitem__)
    return engine.decide(ToolCall("claude", "T", kind, "ls"), Settings({"AGENT_STYLE_HOOK": off}))


ASK_1, ASK_2 = Verdict("ask", "one", "first"), Verdict("ask", "two", "second")
DENY, ADVICE = Verdict("deny", "no", "never"), Verdict("advise", "hint", "mind this")


def test_nothing_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = _decide(monkeypatch, None, None)
    assert (decision.verdict, decision.advice) == (None, "")
    assert [outcome for _, outcome, _ in decision.trace] == ["pass", "pass"]


def test_a_deny_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = _decide(monkeypatch, ASK_1, DENY, ASK_2)
    assert decision.verdict is DENY
    assert [outcome for _, outcome, _ in decision.trace] == ["ask", "deny"]


def test_asks_are_joined_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = _decide(monkeypatch, ASK_1, None, ASK_2).verdict
    assert verdict is not None
    assert (verdict.kind, verdict.code, verdict.reason) == ("ask", "one+two", "first\n\nsecond")


def test_advice_stands_beside_an_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = _decide(monkeypatch, ADVICE, ASK_1)
    assert decision.verdict is ASK_1
    assert decision.advice == "mind this"


def test_a_hatch_switches_off(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = _decide(monkeypatch, DENY, off="off")
    assert decision.verdict is None
    assert decision.trace[0][1] == "off"


@pytest.mark.parametrize("error", [ValueError("boom"), RecursionError("deep"), StopIteration()])
def test_a_gate_that_raises_asks_and_the_others_still_judge(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    decision = _decide(monkeypatch, error, ASK_2)
    assert decision.verdict is not None
    assert decision.verdict.code == "guard.fault+two"
    assert "could not judge" in decision.verdict.reason
    assert type(error).__name__ in decision.verdict.reason
    assert _decide(monkeypatch, error, DENY).verdict is DENY


def test_a_fault_on_another_tool_advises(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = _decide(monkeypatch, ValueError("boom"), kind=OTHER)
    assert decision.verdict is None
    assert "ValueError: boom" in decision.advice


def test_the_deadline_asks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = _decide(monkeypatch, ASK_1, faults.Deadline("it took longer than 5 seconds"), DENY)
    assert decision.verdict is not None
    assert decision.verdict.code == "one+guard.fault"
    assert "5 seconds" in decision.verdict.reason


def test_the_deadline_on_a_tool_that_is_no_shell_is_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = _decide(monkeypatch, faults.Deadline("it took longer than 5 seconds"), DENY, kind=OTHER)
    assert decision.verdict is None
    assert "5 seconds" in decision.advice


def test_a_gate_judges_only_its_tools_and_agents() -> None:
    call = ToolCall("claude", "Read", OTHER, "git push")
    assert [gate for gate, _, _ in engine.decide(call, Settings({})).trace] == ["banner"]
    call = ToolCall("codex", "Bash", BASH, "git push")
    outcomes = {gate: outcome for gate, outcome, _ in engine.decide(call, Settings({})).trace}
    assert set(outcomes) == {gate.name for gate in gates.TABLE if BASH in gate.tools and "codex" in gate.agents}
    assert outcomes["risk"] == "off"


def test_a_gate_that_asks_judges_for_codex_where_that_can_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    call = ToolCall("codex", "Bash", BASH, "git push")
    monkeypatch.setattr(Context, "asker", lambda self: "/h/guardhook-ask")
    decision = engine.decide(call, Settings({}))
    assert decision.verdict is not None
    assert (decision.verdict.kind, decision.verdict.code) == ("ask", "git.push")
