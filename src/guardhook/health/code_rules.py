"""What is wrong with the interpreters and the deployed code."""

import guardhook
from guardhook.health import pythons
from guardhook.health.deployed import Deployed
from guardhook.health.findings import Finding
from guardhook.health.pythons import Python
from guardhook.health.survey import Survey
from guardhook.install import claude, places

_STATES = {
    pythons.MISSING: "python.missing",
    pythons.DEAD: "python.dead",
    pythons.OLD: "python.old",
    pythons.SCRIPT: "python.script",
}
_SHOWN = 5  # files that a finding names


def look(survey: Survey) -> list[Finding]:
    """Every finding about what the wired commands lead to; none where nothing is wired and nothing deployed."""
    if not survey.is_installed:
        return []
    found = [finding for python in survey.pythons.values() for finding in _python(python, survey)]
    found += _guard(survey.deployed)
    if survey.deployed.release:
        found += _release(survey)
    if survey.own(claude.START):
        found += _session(survey.deployed)
    return found


def _python(python: Python, survey: Survey) -> list[Finding]:
    if not python.state:
        return []
    detail = python.detail
    guards = [entry for entry in survey.own(claude.GUARD) if entry.interpreter == python.path]
    if guards and not python.answers:
        blocks = guards[0].value.get("onFailure") == "block"
        detail += "; Claude Code blocks every call" if blocks else "; Claude Code runs every call unguarded"
    return [Finding(_STATES[python.state], python.path, detail)]


def _guard(deployed: Deployed) -> list[Finding]:
    guard = deployed.guard
    if not guard.exists:
        return [Finding("guard.missing", guard.path)]
    if guard.flaw:
        return [Finding("guard.unreadable", guard.path, guard.flaw)]
    if not (guard.data or b"").strip():
        return [Finding("guard.empty", guard.path)]
    if not deployed.release:
        return [Finding("guard.foreign", guard.path)]
    return [Finding("guard.rewritten", guard.path)] if guard.path in deployed.rewritten else []


def _release(survey: Survey) -> list[Finding]:
    deployed = survey.deployed
    if deployed.is_gone:
        return [Finding("release.missing", deployed.folder)]
    found = []
    if deployed.no_manifest:
        found.append(Finding("release.changed", deployed.folder, "its list of files is gone or cannot be read"))
    if deployed.missing or deployed.changed:
        detail = "; ".join(f"{what}: {_listed(paths)}" for what, paths in _damage(deployed) if paths)
        found.append(Finding("release.changed", deployed.folder, detail))
    if deployed.added:
        found.append(Finding("release.added", deployed.folder, _listed(deployed.added)))
    if deployed.current is False:
        detail = f"{deployed.version} is deployed, the program is {guardhook.__version__}"
        same = deployed.version == guardhook.__version__
        found.append(Finding("release.stale", deployed.folder, f"both are {deployed.version}" if same else detail))
    if deployed.style and not deployed.has_style:
        found.append(Finding("style.gone", deployed.style))
    return found if deployed.no_manifest else found + _packs(survey)


def _packs(survey: Survey) -> list[Finding]:
    """The packed code for each interpreter that answers; an old one has been found already."""
    found = []
    for python in survey.pythons.values():
        if python.runs_guard and not survey.deployed.packs.get(python.pack):
            there = python.pack in survey.deployed.packs
            detail = f"{python.pack} is {'gone or damaged' if there else 'not there'}, for {python.path}"
            found.append(Finding("release.pack", survey.deployed.folder, detail))
    return found


def _session(deployed: Deployed) -> list[Finding]:
    session = deployed.session
    if not session.exists or session.flaw:
        return [Finding("session.missing", session.path, session.flaw)]
    foreign = places.release_of(session.data) is None
    return [Finding("session.rewritten", session.path)] if foreign or session.path in deployed.rewritten else []


def _damage(deployed: Deployed) -> tuple[tuple[str, list[str]], ...]:
    return ("gone", deployed.missing), ("changed", deployed.changed)


def _listed(paths: list[str]) -> str:
    more = len(paths) - _SHOWN
    return ", ".join(paths[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
