"""What an agent makes of a hook's answer: exit status, standard output and standard error (2.1.332, 0.171.0)."""

import json

from guardhook.agents import codex_ask
from guardhook.health.payloads import ASK, DENY, PASS
from guardhook.health.process import Run

SPOILED = "spoiled"  # standard output is neither empty nor exactly one document
ADVISE, ALLOW = "advise", "allow"
_BLOCKS = 2  # the exit status that blocks by itself
_SHELLS_OWN = (126, 127)  # what a shell ends with where there is nothing to start


def started(run: Run) -> bool:
    """Did a program of its own start at all?"""
    return not run.flaw and run.status not in _SHELLS_OWN


def claude(run: Run) -> str:
    """deny, ask, allow, advise, pass or SPOILED, by what stands on standard output alone."""
    inner = _inner(run)
    if isinstance(inner, str):
        return inner
    decision = inner.get("permissionDecision")
    return decision if isinstance(decision, str) else ADVISE


def codex(run: Run) -> str:
    """deny, ask (by Codex's own rules), pass or SPOILED: with status 2 and a reason nothing else is looked at."""
    if run.status == _BLOCKS:
        return DENY if run.error.strip() else PASS
    inner = _inner(run)
    if isinstance(inner, str):
        return inner
    decision, updated = inner.get("permissionDecision"), inner.get("updatedInput")
    if decision == ALLOW and isinstance(updated, dict):
        return ASK if codex_ask.PROGRAM in str(updated.get("command")) else ALLOW
    return DENY if decision == DENY and inner.get("permissionDecisionReason") else PASS


def is_clean(run: Run) -> bool:
    """Is standard output empty or exactly one document?"""
    return _inner(run) != SPOILED


def shown(run: Run, limit: int = 300) -> str:
    """The answer in one line."""
    if run.flaw:
        return run.flaw
    text = " ".join((run.output or run.error).decode("utf-8", "replace").split())
    return text[:limit] + ("…" if len(text) > limit else "")


def _inner(run: Run) -> "dict[str, object] | str":
    text = run.output.decode("utf-8", "replace").strip()
    if not text:
        return PASS
    try:
        document = json.loads(text)
        inner = document["hookSpecificOutput"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return SPOILED
    return inner if isinstance(inner, dict) else SPOILED
