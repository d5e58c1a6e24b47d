"""What a gate says of a call, and what the engine makes of all gates together."""

DENY = "deny"
ASK = "ask"
ADVISE = "advise"


def shown(text: str, length: int) -> str:
    """A piece of a command for a message: on one line, cut to `length` characters, nothing in it invisible.

    What a terminal would act on, or a person not see (control characters, changes of writing direction), is spelled.
    """
    cut = text if len(text) <= length else text[:length] + "…"
    lines = cut.replace("\n", " ⏎ ").replace("\t", " ")
    return (
        "".join([c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in lines]) if not lines.isprintable() else lines
    )


class Verdict:
    """kind: DENY, ASK or ADVISE. code: a stable name such as `git.push`; several are joined by `+` in the order shown.

    reason: the whole message, plain text, the same bytes for the same call. rewrite: the suggested command, if the
    reason holds one that can be run as it stands.
    """

    __slots__ = ("code", "kind", "reason", "rewrite")

    def __init__(self, kind: str, code: str, reason: str, rewrite: str = "") -> None:
        self.kind = kind
        self.code = code
        self.reason = reason
        self.rewrite = rewrite


class Decision:
    """verdict: the DENY or ASK that stands, or None. advice: text for agent and user, "" if none.

    trace: one (gate, outcome, why) a gate, in their order; outcomes are `deny`, `ask`, `advise`, `pass`, `declined`,
    `off` and `fault`.
    """

    __slots__ = ("advice", "trace", "verdict")

    def __init__(self, verdict: Verdict | None, advice: str, trace: list[tuple[str, str, str]]) -> None:
        self.verdict = verdict
        self.advice = advice
        self.trace = trace
