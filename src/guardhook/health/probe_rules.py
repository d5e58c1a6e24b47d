"""What is wrong with the answers of the wired commands."""

from guardhook.health import answers
from guardhook.health.findings import UNSET, Finding
from guardhook.health.payloads import DENY, PASS
from guardhook.health.probe import Probe
from guardhook.health.settings import CHANGE, Entry
from guardhook.health.shooting import CLAUDE, CODEX, Result
from guardhook.install import claude

SLOW = 1000.0  # milliseconds for a call that nothing is to be said about


def look(probe: Probe) -> list[Finding]:
    """One finding for each kind of wrong answer that an entry gave, and for each slow entry."""
    seen: dict[tuple[str, Entry], list[str]] = {}
    for result in probe.results:
        if result.run is not None:
            code, detail = _wrong(result)
            if code:
                seen.setdefault((code, result.entry), []).append(f"{result.call}: {detail}")
    found = []
    for (code, entry), texts in seen.items():
        spoiled = code == "probe.output" and entry in [
            result.entry for result in probe.results if result.agent == CODEX
        ]
        detail = f"{place(entry)}: {'; '.join(texts)}"
        found.append(Finding(code, entry.file, detail, UNSET if spoiled else ""))
    return found + [_slow(result, probe) for result in probe.results if _is_slow(result)]


def place(entry: Entry) -> str:
    """Which entry it is, in words."""
    return f"{entry.event}, entry {entry.number}"


def _wrong(result: Result) -> tuple[str, str]:
    """(code, what was seen) of a result; ("", "") for the right one."""
    run = result.run
    if run is None:
        return "", ""
    if not answers.started(run):
        return _of(result, "probe.start"), f"exit status {run.status}: {answers.shown(run)}"
    if not run.ended:
        return _of(result, "probe.timeout"), f"no answer within {run.milliseconds / 1000:g} seconds"
    if result.entry.event == CHANGE:
        seen = f"exit status {run.status}: {answers.shown(run) or 'no output'}"
        return ("", "") if result.answer == result.expected else ("probe.change", seen)
    return _claude(result) if result.agent == CLAUDE else _codex(result)


def _of(result: Result, code: str) -> str:
    """The hook of a session's start guards nothing: whatever is wrong there is one warning."""
    return "probe.session" if result.entry.event == claude.START else code


def _claude(result: Result) -> tuple[str, str]:
    run = result.run
    if run is None:
        return "", ""
    if result.answer == answers.SPOILED:
        return _of(result, "probe.output"), answers.shown(run)
    if run.status != 0:
        return _of(result, "probe.status"), f"exit status {run.status}: {answers.shown(run)}"
    return _verdict(result)


def _codex(result: Result) -> tuple[str, str]:
    run = result.run
    if run is None:
        return "", ""
    if not answers.is_clean(run):
        holds = result.expected == result.answer == DENY or result.expected == PASS
        return ("probe.stray-output" if holds else "probe.output"), answers.shown(run)
    if run.status != (2 if result.answer == DENY else 0):
        return "probe.status", f"exit status {run.status}: {answers.shown(run)}"
    return _verdict(result)


def _verdict(result: Result) -> tuple[str, str]:
    if result.answer == result.expected or result.run is None:
        return "", ""
    wanted = f"{result.answer} where {result.expected} was expected"
    shown = answers.shown(result.run)
    return _of(result, "probe.verdict"), f"{wanted} ({shown})" if shown else wanted


def _is_slow(result: Result) -> bool:
    guards = result.agent == CODEX or result.entry.event == claude.GUARD
    run = result.run
    return run is not None and run.ended and guards and result.expected == PASS and result.milliseconds > SLOW


def _slow(result: Result, probe: Probe) -> Finding:
    bare = [f"{milliseconds:.0f} ms for a bare start of {path}" for path, milliseconds in probe.bare.items()]
    detail = f"{place(result.entry)}: {result.call}: {result.milliseconds:.0f} ms, {', '.join(bare)}"
    return Finding("probe.slow", result.entry.file, detail)
