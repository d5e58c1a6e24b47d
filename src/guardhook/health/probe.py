"""The wired commands, fired as the agents fire them: their shell, a foreign folder, their environment and payloads.

Only handlers of ours are fired, exactly as the settings have them, at calls that must be denied, asked about, and let
pass. What an open hatch switches off is not expected of them.
"""

import os
import statistics
import sys

from guardhook import hatches
from guardhook.gates import banner
from guardhook.health import answers, claude_rules, payloads, process, shooting
from guardhook.health.codex_side import Hook
from guardhook.health.findings import FAULT
from guardhook.health.payloads import ASK, PASS
from guardhook.health.settings import CHANGE, Entry
from guardhook.health.shooting import CLAUDE, CODEX, Result
from guardhook.health.survey import Survey
from guardhook.install import claude
from guardhook.protect import parts

KEEP, BLOCK = "keep", "block"  # what becomes of a change of the settings


class Probe:
    """results: in the order of firing. bare: interpreter -> milliseconds of a bare start."""

    __slots__ = ("bare", "results")

    def __init__(self) -> None:
        self.results: list[Result] = []
        self.bare: dict[str, float] = {}


def fire(survey: Survey) -> Probe:
    """Fire everything of ours that is wired and has an interpreter that can run it. Raises OSError without a place for
    temporary files."""
    probe = Probe()
    events = {claude.GUARD: _guard, claude.START: _start, CHANGE: _change}
    for event, shoot in events.items():
        for entry in survey.own(event):
            reason = _unfit(entry, entry.interpreter, survey)
            probe.results += [Result(CLAUDE, entry, event, "", reason)] if reason else shoot(entry, survey)
    for hook in survey.codex.hooks:
        reason = _unfit(hook.entry, hook.interpreter, survey)
        probe.results += [Result(CODEX, hook.entry, claude.GUARD, "", reason)] if reason else _codex(hook, survey)
    for path, python in survey.pythons.items():
        if python.runs_guard:
            probe.bare[path] = _bare(path, survey)
    return probe


def _unfit(entry: Entry, interpreter: str, survey: Survey) -> str:
    if sys.platform == "win32":
        return "the shells of the agents on Windows are not known here"
    if survey.deployed.guard.flaw:
        return "its launcher cannot be read"
    python = survey.pythons.get(interpreter)
    if python is None or not python.runs_guard:
        return "its interpreter cannot run it"
    return "it wants another shell" if entry.value.get("shell") not in (None, "bash") else ""


def _guard(entry: Entry, survey: Survey) -> list[Result]:
    return shooting.tried(
        Result(CLAUDE, entry, "", ""),
        payloads.CLAUDE_DENIED,
        hatches.Settings(survey.claude_environment()).off,
        lambda shot, folder: shooting.as_claude(entry, survey, folder, payloads.claude(shot, folder)),
        answers.claude,
    )


def _codex(hook: Hook, survey: Survey) -> list[Result]:
    """An ask is one of Codex's own rules; where these are not in place, the call passes (SPEC X4, X5)."""
    results = shooting.tried(
        Result(CODEX, hook.entry, "", ""),
        payloads.CODEX_DENIED,
        hatches.Settings(dict(survey.environment)).off,
        lambda shot, folder: shooting.as_codex(hook.entry, survey, folder, payloads.codex(shot, folder)),
        answers.codex,
    )
    for result in results:
        if result.expected == ASK and not survey.codex.ask.works:
            result.expected = PASS
    return results


def _start(entry: Entry, survey: Survey) -> list[Result]:
    """Fired where no project is, so that it writes nothing."""
    result = Result(CLAUDE, entry, "a session's start", PASS)
    with shooting.folder() as folder:
        if banner.project(folder) is not None:
            result.note = f"{folder} lies in a project that takes part"
        else:
            run = shooting.as_claude(entry, survey, folder, payloads.start(folder))
            result.take(run, answers.claude(run))
    return [result]


def _change(entry: Entry, survey: Survey) -> list[Result]:
    """Settings that wire nothing, and those that are there; these only if the hook has no reason to refuse them."""
    user = survey.user
    texts = [("settings that wire nothing", BLOCK, b"{}\n")]
    if user.file.data is not None and not _is_refused(survey):
        texts.append(("the settings as they are", KEEP, user.file.data))
    results = []
    for call, expected, data in texts:
        result = Result(CLAUDE, entry, call, expected)
        with shooting.folder() as folder:
            path = os.path.join(folder, "settings.json")
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(data)
            run = shooting.as_claude(entry, survey, folder, payloads.change(path, folder))
        blocks = run.status == 2 and bool(run.error.strip())
        result.take(run, BLOCK if blocks else KEEP if run.status == 0 else "")
        results.append(result)
    return results


def _is_refused(survey: Survey) -> bool:
    """Do the user's settings hold what the hook lets into no session, such as a variable of its own that another file
    sets otherwise?"""
    user, environment = survey.user, survey.claude_environment()
    switched = any(user.fields.get(name) for name in parts.SWITCHES)
    own = [name for name in parts.VARIABLES if name in user.environment]
    overruled = any(environment[name] != user.environment[name] for name in own)
    return switched or overruled or any(finding.severity == FAULT for finding in claude_rules.look(survey))


def _bare(path: str, survey: Survey) -> float:
    """Milliseconds of a start of the interpreter with nothing to do."""
    argv = [path, "-I", "-S", "-c", "pass"]
    runs = shooting.repeated(
        lambda folder: process.run(argv, b"", folder, survey.environment, shooting.LIMIT), shooting.TIMES
    )
    return statistics.median(run.milliseconds for run in runs)
