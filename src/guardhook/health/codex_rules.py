"""What is wrong on Codex's side. A machine without Codex has nothing wrong there."""

from guardhook import hook
from guardhook.health import claude_rules, codex_side, files
from guardhook.health.codex_side import CodexSide, Hook
from guardhook.health.findings import Finding
from guardhook.health.survey import Survey
from guardhook.install import codex_trust

_STATES = {
    codex_trust.UNTRUSTED: "codex.untrusted",
    codex_trust.MODIFIED: "codex.modified",
    codex_trust.DISABLED: "codex.disabled",
    codex_trust.HOOKS_OFF: "codex.hooks-off",
    codex_trust.UNREADABLE: "codex.config",
}


def look(survey: Survey) -> list[Finding]:
    """Every finding about Codex."""
    codex = survey.codex
    if not codex.exists:
        return []
    if codex.refused:
        return [Finding("codex.refused", codex.home.hooks, codex.refused), *_ask(codex)]
    if not codex.hooks:
        seen = "" if codex.wired else "there is no such file"
        return [Finding("codex.not-wired", codex.home.hooks, seen), *_ask(codex)]
    found = []
    if len(codex.hooks) > 1:
        numbers = ", ".join(str(one.entry.number) for one in codex.hooks)
        found.append(Finding("codex.twice", codex.home.hooks, f"in the entries {numbers}"))
    for one in codex.hooks:
        found += _trust(one, codex) + _hook(one, survey)
    name = survey.environment.get("BASH_ENV")
    if name:
        found.append(Finding("codex.bash-env", name))
    reason = files.sealed(codex.home.home)
    if reason:
        found.append(Finding("folder.read-only", codex.home.home, reason))
    return found + _ask(codex)


def _trust(one: Hook, codex: CodexSide) -> list[Finding]:
    state = one.state.name
    if state == codex_trust.TRUSTED:
        return []
    if one.moved:
        detail = f"it stands in entry {one.entry.number} and was trusted in entry {one.moved}"
        return [Finding("codex.moved", codex.home.hooks, detail)]
    of_config = state in (codex_trust.HOOKS_OFF, codex_trust.UNREADABLE)
    file = codex.home.config if of_config else codex.home.hooks
    detail = one.state.step if state == codex_trust.UNREADABLE else f"entry {one.entry.number}"
    return [Finding(_STATES[state], file, detail)]


def _hook(one: Hook, survey: Survey) -> list[Finding]:
    entry, file = one.entry, one.entry.file
    where = f"entry {entry.number}"
    found = []
    left_out = codex_side.misses(entry.matcher)
    if left_out:
        found.append(Finding("codex.matcher", file, f"{where}: {entry.matcher!r} does not match {', '.join(left_out)}"))
    if entry.value.get("async") is True:
        found.append(Finding("codex.async", file, where))
    if entry.timeout is not None and entry.timeout <= hook.DEADLINE:
        found.append(Finding("codex.timeout-short", file, f"{where}: {entry.timeout:g} seconds"))
    elif entry.timeout is None or entry.timeout > claude_rules.LONGEST:
        seen = "none is said, so it is 600" if entry.timeout is None else f"{entry.timeout:g} seconds"
        found.append(Finding("codex.timeout-long", file, f"{where}: {seen}"))
    if one.script != survey.where.guard:
        found.append(Finding("codex.other-launcher", file, f"{where}: {one.script}"))
    return found


def _ask(codex: CodexSide) -> list[Finding]:
    found = []
    if codex.ask.rules:
        found.append(Finding("codex.ask-rules", codex.ask.places.rules, codex.ask.rules))
    if codex.ask.program:
        found.append(Finding("codex.ask-program", codex.ask.places.program, codex.ask.program))
    return found
