"""A pattern that backtracks for ever is given up; the answer of any other is passed on."""

import re
import signal

from guardhook.health import claude_rules, codex_side, patterns

ENDLESS = r"(\w*\w*)*!"


def test_the_answer_is_passed_on() -> None:
    assert patterns.fits(lambda: True)
    assert not patterns.fits(lambda: False)


def test_an_endless_one_fits_nothing_and_the_timer_is_put_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    assert not patterns.fits(lambda: re.search(ENDLESS, "a" * 40) is not None)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_both_agents_matchers_are_limited() -> None:
    endless = ENDLESS.replace("!", "!" * 2)
    assert claude_rules.missed(endless) == list(claude_rules.TOOLS)
    assert codex_side.misses(endless) == list(codex_side.TOOLS)
    assert claude_rules.missed("*") == codex_side.misses(".*") == []
