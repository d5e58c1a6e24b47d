"""The state of an installation in a few plain values, for `guardhook status`."""

import guardhook
from guardhook.health import pythons
from guardhook.health.settings import EVENTS
from guardhook.health.survey import Survey
from guardhook.install import claude, client

BLOCKED, RUNS = "blocked", "runs unguarded"
NOT_WIRED = "not wired"


def compose(survey: Survey) -> dict[str, object]:
    """Names and values as `guardhook status --json` prints them; nothing in it changes but with the installation."""
    return {
        "guardhook": guardhook.__version__,
        "claude": of_claude(survey),
        "codex": of_codex(survey),
        "code": of_code(survey),
        "pythons": [of_python(python) for python in survey.pythons.values()],
        "hatches": [{"name": name, "place": place} for name, place in survey.open_hatches],
        "bash_env": survey.environment.get("BASH_ENV", ""),
    }


def of_claude(survey: Survey) -> dict[str, object]:
    """on_failure: what becomes of a call when the guard cannot start."""
    return {
        "version": _version(survey.version),
        "folder": survey.where.config,
        "settings": survey.where.settings,
        "readable": not (survey.user.file.flaw or survey.user.broken),
        "wired": [event for event in EVENTS if survey.own(event)],
        "not_wired": [event for event in EVENTS if not survey.own(event)],
        "disabled_in": [layer.file.path for layer in survey.layers if layer.disables],
        "on_failure": _on_failure(survey),
        "ignores_on_failure": not client.blocks_on_failure(survey.version),
    }


def of_codex(survey: Survey) -> dict[str, object]:
    """hooks: one for each handler of ours, by its entry in hooks.json."""
    codex = survey.codex
    return {
        "version": _version(survey.codex_version),
        "folder": codex.home.home if codex.exists else "",
        "hooks_file": codex.home.hooks,
        "refused": codex.refused,
        "hooks": [
            {
                "entry": hook.entry.number,
                "trust": hook.state.name,
                "on_failure": BLOCKED if hook.closed else RUNS,
            }
            for hook in codex.hooks
        ],
        "asks": codex.ask.works,
    }


def of_code(survey: Survey) -> dict[str, object]:
    """What is deployed. current: is it what the installed program would deploy? None where that cannot be told."""
    deployed = survey.deployed
    return {
        "release": deployed.release,
        "version": deployed.version,
        "current": deployed.current,
        "agent_style_folder": deployed.style,
        "agent_style": deployed.style_release,
    }


def of_python(python: pythons.Python) -> dict[str, object]:
    """alive: does it start, and is it new enough?"""
    return {
        "path": python.path,
        "version": pythons.number(python.version),
        "alive": python.runs_guard,
        "detail": python.detail,
    }


def _on_failure(survey: Survey) -> str:
    guards = survey.own(claude.GUARD)
    if not guards:
        return NOT_WIRED
    wired = any(entry.value.get("onFailure") == "block" for entry in guards)
    return BLOCKED if wired and client.blocks_on_failure(survey.version) else RUNS


def _version(version: tuple[int, int, int] | None) -> str:
    return pythons.number(version) if version else ""
