"""What is wrong with the wiring in Claude Code's settings, and with what surrounds it."""

import functools
import os

from guardhook import hook
from guardhook.health import files, patterns, pythons
from guardhook.health.findings import Finding
from guardhook.health.settings import CHANGE, Entry, Layer
from guardhook.health.survey import Survey
from guardhook.install import claude, client
from guardhook.session import shots

# Tools that a guard for every tool sees; a matcher that leaves one out leaves out others, too.
TOOLS = ("Bash", "Write", "Edit", "Read", "NotebookEdit", "Monitor", "PowerShell", "mcp__server__tool")
_SEEN = {
    claude.GUARD: TOOLS,
    claude.START: ("startup", "resume", "clear", "compact"),
    CHANGE: ("user_settings", "project_settings", "local_settings"),
}
_UPDATE = "claude update"
LONGEST = 120.0  # seconds; the client's own default is 600
_LEVELS = {claude.GUARD: "claude.not-wired", CHANGE: "claude.change-not-wired", claude.START: "claude.start-not-wired"}


def look(survey: Survey) -> list[Finding]:
    """Every finding about Claude Code's side, in the order of what stops more."""
    found = _switches(survey)
    if not os.path.isdir(survey.where.config):
        return [Finding("claude.no-folder", survey.where.config), *found]
    found += _user(survey)
    found += [finding for layer in survey.layers if not layer.flaws for finding in _others(layer)]
    return found + _sealed(survey)


def _switches(survey: Survey) -> list[Finding]:
    """What switches hooks off, in all files; a file that its client drops switches nothing."""
    found = []
    for layer in survey.layers:
        if layer.disables:
            found.append(Finding("claude.disabled", layer.file.path, f'"disableAllHooks" is true ({layer.name})'))
        if layer.excludes:
            found.append(Finding("claude.managed-only", layer.file.path, "allowManagedHooksOnly is true"))
        for name in layer.hatches:
            found.append(Finding("hatch.settings", layer.file.path, f"{name}={layer.environment[name]} ({layer.name})"))
    for name, place in survey.open_hatches:
        if place not in [layer.file.path for layer in survey.layers]:
            value = survey.environment[name]
            found.append(Finding("hatch.environment", "", f"{name}={value}", f"unset {name}"))
    return found


def _user(survey: Survey) -> list[Finding]:
    layer = survey.user
    if layer.file.flaw:
        return [Finding("settings.unreadable", layer.file.path, layer.file.flaw)]
    if layer.broken:
        return [Finding("settings.not-json", layer.file.path, layer.broken)]
    if layer.flaws:
        return [Finding("settings.dropped", layer.file.path, "; ".join(layer.flaws))]
    found = _missing(survey) + _client(survey)
    for event in _LEVELS:
        entries = survey.own(event)
        if len(entries) > 1:
            found.append(Finding("claude.twice", layer.file.path, f"{event}, {len(entries)} entries"))
        for entry in entries:
            found += _entry(entry, survey)
    return found


def _missing(survey: Survey) -> list[Finding]:
    layer = survey.user
    missing = [event for event in _LEVELS if not survey.own(event)]
    if claude.GUARD in missing:
        seen = "" if layer.file.exists else "there is no such file"
        return [Finding("claude.not-wired", layer.file.path, seen)]
    known = {
        CHANGE: client.knows_config_change(survey.version, survey.where.config),
        claude.START: client.knows_session_start(survey.version),
    }
    return [Finding(_LEVELS[event], layer.file.path) for event in missing if known[event]]


def _client(survey: Survey) -> list[Finding]:
    """What this release of the client makes of entries and answers that it does not know."""
    version, path = survey.version, survey.user.file.path
    if version is None or not survey.own(claude.GUARD):
        return []
    unknown = client.dropped_for(version, [event for event in _LEVELS if survey.own(event)])
    mend = "" if unknown == CHANGE else _UPDATE  # only that entry is taken out again
    found = [Finding("claude.event-unknown", path, unknown, mend)] if unknown else []
    name = f"Claude Code {pythons.number(version)}"
    if version < client.KNOWS_DENY:
        found.append(Finding("claude.no-deny", "", name))
    if not client.asks(version):
        found.append(Finding("claude.weak-ask", "", name))
    return found


def _entry(entry: Entry, survey: Survey) -> list[Finding]:
    """What is wrong with one entry of ours. That of a session's start guards nothing; only its matcher is looked at."""
    found = []
    where = f"{entry.event}, entry {entry.number}"
    left_out = missed(entry.matcher, _SEEN[entry.event])
    if left_out and entry.event == claude.START:
        found.append(Finding("claude.start-matcher", entry.file, f"{where}: {entry.matcher!r}"))
    elif left_out:
        alone = _stands_alone(entry, survey.user)
        mend = "" if alone else f"take the guard out of that entry in {entry.file}, then guardhook install"
        detail = f"{where}: {entry.matcher!r} does not match {', '.join(left_out)}"
        found.append(Finding("claude.matcher", entry.file, detail, mend))
    if entry.event == claude.START:
        return found
    if entry.value.get("shell") not in (None, "bash"):
        found.append(Finding("claude.shell", entry.file, f"{where}: {entry.value['shell']!r}"))
    if entry.around:
        found.append(Finding("claude.command", entry.file, f"{where}: {entry.command}"))
    for code, names in (("claude.if", ("if",)), ("claude.once", ("once",)), ("claude.async", ("async", "asyncRewake"))):
        for name in names:
            if entry.value.get(name) not in (None, False):
                found.append(Finding(code, entry.file, f"{where}: {name} is {entry.value[name]!r}"))
    return found + _limits(entry, where) + _failure(entry, where, survey)


def missed(matcher: object, names: tuple[str, ...] = TOOLS) -> list[str]:
    """What of these tools, kinds of start or files a matcher keeps from a hook."""
    return [tool for tool in names if not patterns.fits(functools.partial(shots.matches, matcher, tool))]


def _limits(entry: Entry, where: str) -> list[Finding]:
    if entry.timeout is not None and entry.timeout <= hook.DEADLINE:
        return [Finding("claude.timeout-short", entry.file, f"{where}: {entry.timeout:g} seconds")]
    if entry.timeout is None or entry.timeout > LONGEST:
        seen = "none is said, so it is 600" if entry.timeout is None else f"{entry.timeout:g} seconds"
        return [Finding("claude.timeout-long", entry.file, f"{where}: {seen}")]
    return []


def _failure(entry: Entry, where: str, survey: Survey) -> list[Finding]:
    blocks = entry.value.get("onFailure") == "block"
    knows = client.blocks_on_failure(survey.version)
    if blocks and knows:
        return []
    return [Finding("claude.ignores-on-failure" if blocks else "claude.fail-open", entry.file, where)]


def _others(layer: Layer) -> list[Finding]:
    """Hooks of somebody else that see the shell's calls, too."""
    found = []
    for entry in layer.entries:
        if entry.event == claude.GUARD and not entry.own and "Bash" not in missed(entry.matcher):
            what = entry.command or str(entry.value.get("url") or entry.value.get("type"))
            found.append(Finding("claude.other-guard", layer.file.path, f"entry {entry.number}: {what[:200]}"))
    return found


def _stands_alone(entry: Entry, layer: Layer) -> bool:
    return sum(1 for other in layer.entries if (other.event, other.number) == (entry.event, entry.number)) == 1


def _sealed(survey: Survey) -> list[Finding]:
    """Places in which installing would have to write."""
    where = survey.where
    places = dict.fromkeys((where.config, where.hooks, where.releases))
    return [Finding("folder.read-only", path, reason) for path in places if (reason := files.sealed(path))]
