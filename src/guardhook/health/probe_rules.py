"""What is wrong with the answers of the wired commands."""

from guardhook.health import answers
from guardhook.health.findings import UNSET, Finding
from guardhook.health.payloads import DENY, PASS
from guardhook.health.probe import Probe
from guardhook.health.process import Run
from guardhook.health.settings import CHANGE, Entry
from guardhook.health.shooting import CLAUDE, CODEX, Result
from guardhook.install import claude

SLOW = 1000.0  # milliseconds for a call that nothing is to be said about
# What blocks a call in Codex, and a change of the settings in Claude Code, by itself.
_BLOCKS = 2


def look(probe: Probe) -> list[Finding]:
    """One finding for each kind of wrong answer that an entry gave, and for each slow entry."""
    seen: dict[tuple[str, Result], list[str]] = {}
    first: dict[Entry, Result] = {}
    for result in probe.results:
        code, detail = _wrong(result, result.run) if result.run else ("", "")
        if code:
            one = first.setdefault(result.entry, result)
            seen.setdefault((code, one), []).append(f"{result.call}: {detail}")
    found = [_finding(code, one, texts) for (code, one), texts in seen.items()]
    return found + [_slow(result, probe) for result in probe.results if _is_slow(result)]


def place(entry: Entry) -> str:
    """Which entry it is, in words."""
    return f"{entry.event}, entry {entry.number}"


def _finding(code: str, result: Result, texts: list[str]) -> Finding:
    """Of one entry, with everything that was seen. Codex's shell may have written what spoils an answer there."""
    mend = UNSET if code == "probe.output" and result.agent == CODEX else ""
    return Finding(code, result.entry.file, f"{place(result.entry)}: {'; '.join(texts)}", mend)


def _wrong(result: Result, run: Run) -> tuple[str, str]:
    """(code, what was seen) of a result; ("", "") for the right one."""
    if not answers.started(run):
        code, seen = "probe.start", _status(run)
    elif not run.ended:
        code, seen = "probe.timeout", f"no answer within {run.milliseconds / 1000:g} seconds"
    elif result.entry.event == CHANGE:
        code, seen = ("", "") if result.answer == result.expected else ("probe.change", _status(run))
    else:
        code, seen = _of_claude(result, run) if result.agent == CLAUDE else _of_codex(result, run)
    # The hook of a session's start guards nothing: whatever is wrong there is one warning.
    return ("probe.session" if code and result.entry.event == claude.START else code), seen


def _of_claude(result: Result, run: Run) -> tuple[str, str]:
    if result.answer == answers.SPOILED:
        return "probe.output", answers.shown(run)
    return ("probe.status", _status(run)) if run.status != 0 else _verdict(result, run)


def _of_codex(result: Result, run: Run) -> tuple[str, str]:
    """A denial holds by its exit status and its reason, whatever else is on standard output."""
    if not answers.is_clean(run):
        holds = result.expected == result.answer == DENY or result.expected == PASS
        return ("probe.stray-output" if holds else "probe.output"), answers.shown(run)
    wanted = _BLOCKS if result.answer == DENY else 0
    return ("probe.status", _status(run)) if run.status != wanted else _verdict(result, run)


def _verdict(result: Result, run: Run) -> tuple[str, str]:
    if result.answer == result.expected:
        return "", ""
    wanted = f"{result.answer} where {result.expected} was expected"
    shown = answers.shown(run)
    return "probe.verdict", f"{wanted} ({shown})" if shown else wanted


def _status(run: Run) -> str:
    return f"exit status {run.status}: {answers.shown(run) or 'no output'}"


def _is_slow(result: Result) -> bool:
    guards = result.agent == CODEX or result.entry.event == claude.GUARD
    run = result.run
    return run is not None and run.ended and guards and result.expected == PASS and result.milliseconds > SLOW


def _slow(result: Result, probe: Probe) -> Finding:
    bare = [f"{milliseconds:.0f} ms for a bare start of {path}" for path, milliseconds in probe.bare.items()]
    detail = f"{place(result.entry)}: {result.call}: {result.milliseconds:.0f} ms, {', '.join(bare)}"
    return Finding("probe.slow", result.entry.file, detail)
