"""Patterns of somebody's, tried with a limit: one that backtracks for ever must not hold the one who looks."""

import signal
import threading
from collections.abc import Callable

LIMIT = 0.2  # seconds for one name


class _Late(BaseException):
    """The time is over; not an Exception, so that nothing on the way takes it for its own business."""


def fits(match: Callable[[], bool]) -> bool:
    """The answer of a match; False where it takes longer than LIMIT. Where there are no interval timers, it is waited
    for."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return match()
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        return match()
    except _Late:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(number: int, frame: object) -> None:
    raise _Late
