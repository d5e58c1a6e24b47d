"""What the guard says when it fails itself (SPEC A5). Loaded only then."""

from guardhook.call import SHELLS, ToolCall
from guardhook.verdict import ADVISE, ASK, Verdict

CODE = "guard.fault"


class Deadline(BaseException):
    """Raised by the timer of SPEC A9 wherever the guard happens to be; not an Exception, so nothing swallows it."""


def verdict(call: ToolCall, error: BaseException, where: str = "") -> Verdict:
    """The verdict for a call that could not be judged: a shell call asks, any other advises.

    where: the place that failed, for the message. Raises `error` again if it is not the guard's own business
    (SystemExit, KeyboardInterrupt).
    """
    if not isinstance(error, (Exception, Deadline)):
        raise error
    named = str(error) if isinstance(error, Deadline) else f"{where}: {type(error).__name__}: {error}".lstrip(": ")
    cause = " ".join(named.split())[:200]
    reason = f"guardhook could not judge this call: {cause}. Run `guardhook install`; if it happens again, report it."
    return Verdict(ASK if call.kind in SHELLS else ADVISE, CODE, reason)
