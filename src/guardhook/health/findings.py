"""What can be wrong with an installation: one row a finding, its meaning and the one step that mends it (SPEC K1).

`docs/doctor.md` shows this table to people; a test compares the two. A code never changes its meaning.
"""

from guardhook.verdict import shown

FAULT, WARNING = "fault", "warning"
_LONGEST = 2000  # characters of what was seen; some of it comes from files of anybody's

INSTALL = "guardhook install"
UNSET = f"unset BASH_ENV if it is set, else {INSTALL}"
_EDIT = "put it right by hand: {file}"
_REVIEW = "start codex and take up its review of hooks (/hooks)"


class Row:
    """code: stable, for programs. severity: FAULT where something that guards is broken. meaning: in plain words.

    mend: one command, or one step in words; `{file}` stands for the file concerned.
    """

    __slots__ = ("code", "meaning", "mend", "severity")

    def __init__(self, code: str, severity: str, meaning: str, mend: str) -> None:
        self.code = code
        self.severity = severity
        self.meaning = meaning
        self.mend = mend


class Finding:
    """One thing that is wrong. file: where, "" for nowhere. detail: what was seen, in words."""

    __slots__ = ("code", "detail", "file", "meaning", "mend", "severity")

    def __init__(self, code: str, file: str = "", detail: str = "", mend: str = "") -> None:
        """code: of a row. mend: in place of the row's. Raises KeyError for a code that has no row."""
        row = ROWS[code]
        self.code = code
        self.file = file
        self.detail = shown(detail, _LONGEST)
        self.severity = row.severity
        self.meaning = row.meaning
        self.mend = mend or row.mend.format(file=shown(file, _LONGEST))

    def value(self) -> dict[str, str]:
        """For programs."""
        return {name: getattr(self, name) for name in ("code", "severity", "file", "meaning", "detail", "mend")}


def joined(found: list[Finding]) -> list[Finding]:
    """The findings, those that one step mends in one place made into one, with all that was seen."""
    kept: dict[tuple[str, str, str], Finding] = {}
    for finding in found:
        first = kept.setdefault((finding.code, finding.file, finding.mend), finding)
        if first is not finding:
            first.detail = "; ".join(filter(None, (first.detail, finding.detail)))
    return list(kept.values())


_TABLE = (
    # Claude Code's settings
    Row("claude.no-folder", FAULT, "Claude Code has no folder there, so nothing is wired", INSTALL),
    Row(
        "settings.unreadable",
        FAULT,
        "the settings cannot be read, so no hook in them runs",
        "move {file} away or make it readable, then guardhook install",
    ),
    Row("settings.not-json", FAULT, "the settings are not strict JSON, so no hook in them may be counted on", _EDIT),
    Row("settings.dropped", FAULT, "Claude Code drops this whole file, its hooks and permissions", _EDIT),
    Row("claude.disabled", FAULT, "every hook is switched off", 'take "disableAllHooks" out of {file}'),
    Row("claude.managed-only", FAULT, "an administrator lets no hook of yours run", "ask who manages {file}"),
    Row("claude.not-wired", FAULT, "no tool call is guarded: PreToolUse does not name the guard", INSTALL),
    Row(
        "claude.change-not-wired",
        FAULT,
        "an agent that writes to the settings switches the guard off in its own session: ConfigChange is not wired",
        INSTALL,
    ),
    Row("claude.start-not-wired", WARNING, "no session is reported or checked: SessionStart is not wired", INSTALL),
    Row("claude.twice", WARNING, "the guard is wired more than once for one event", INSTALL),
    Row(
        "claude.other-guard",
        WARNING,
        "another hook sees the same calls; of several answers the strictest counts",
        "nothing if you know it, else take it out of {file}",
    ),
    Row("claude.matcher", FAULT, "the matcher keeps tools from the guard", INSTALL),
    Row(
        "claude.start-matcher", WARNING, "the matcher keeps some starts of a session from SessionStart's hook", INSTALL
    ),
    Row("claude.shell", FAULT, "the guard's entry names a shell that its command is not written for", INSTALL),
    Row(
        "claude.command",
        FAULT,
        "more than the guard stands in its command line, and may hide that the guard could not start",
        INSTALL,
    ),
    Row("claude.if", FAULT, "a condition (if) keeps calls from the guard", INSTALL),
    Row("claude.once", FAULT, "after the first call of a session the guard is gone (once)", INSTALL),
    Row("claude.async", FAULT, "nobody waits for the guard's answer (async)", INSTALL),
    Row("claude.timeout-short", FAULT, "the client gives up before the guard's own limit of 5 seconds", INSTALL),
    Row("claude.timeout-long", WARNING, "a guard that hangs holds a call for minutes", INSTALL),
    Row("claude.fail-open", WARNING, "a call runs unguarded when the guard cannot start (no onFailure)", INSTALL),
    Row(
        "claude.ignores-on-failure",
        WARNING,
        "this Claude Code does not know onFailure: a call runs unguarded when the guard cannot start",
        "claude update",
    ),
    Row(
        "claude.event-unknown",
        FAULT,
        "this Claude Code does not know an event that is wired, and drops the whole settings file for it",
        INSTALL,
    ),
    Row("claude.no-deny", FAULT, "this Claude Code runs calls that a hook denies", "claude update"),
    Row(
        "claude.weak-ask",
        WARNING,
        "this Claude Code runs what is asked about if a permission rule or bypassPermissions allows it",
        "claude update",
    ),
    # escape hatches
    Row("hatch.environment", WARNING, "an escape hatch is open in this environment", "unset the variable"),
    Row("hatch.settings", WARNING, "an escape hatch is open in the env block of the settings", "take it out of {file}"),
    # the interpreter
    Row("python.missing", FAULT, "the wired interpreter is not there", INSTALL),
    Row("python.dead", FAULT, "the wired interpreter does not answer as a Python", INSTALL),
    Row("python.old", FAULT, "the wired interpreter is older than 3.11", INSTALL),
    Row("python.script", WARNING, "a script stands in the interpreter's place: slow, and it may find another", INSTALL),
    # the deployed code
    Row("guard.missing", FAULT, "the launcher is gone, so every call is blocked", INSTALL),
    Row("guard.empty", FAULT, "the launcher is empty: it succeeds and guards nothing", INSTALL),
    Row("guard.foreign", FAULT, "another program stands in the launcher's place", INSTALL),
    Row(
        "guard.unreadable",
        FAULT,
        "the launcher cannot be read, so every call is blocked",
        "chmod u+r {file} or move it away, then guardhook install",
    ),
    Row("guard.rewritten", FAULT, "the launcher is not what was deployed", INSTALL),
    Row(
        "release.missing", FAULT, "the code that the launcher runs is gone, so every shell call is asked about", INSTALL
    ),
    Row("release.changed", FAULT, "deployed code is gone or is not what was deployed", INSTALL),
    Row(
        "release.added",
        FAULT,
        "files that were not deployed lie where the guard looks for its code",
        "move the folder {file} away, then guardhook install",
    ),
    Row("release.pack", WARNING, "no packed code fits the wired interpreter: slower, same answers", INSTALL),
    Row("release.stale", WARNING, "what is deployed is not what the installed program would deploy", INSTALL),
    Row("session.missing", WARNING, "the launcher for a session's start is gone or cannot be read", INSTALL),
    Row("session.rewritten", WARNING, "the launcher for a session's start is not what was deployed", INSTALL),
    Row("style.gone", WARNING, "agent_style is not where it was, so writes get no style advisory", INSTALL),
    Row(
        "folder.read-only",
        WARNING,
        "the guard runs, but an installation cannot be mended or brought up to date here",
        "chmod u+w {file}",
    ),
    # Codex
    Row("codex.not-wired", FAULT, "Codex runs no guard: its hooks.json does not name it", INSTALL),
    Row("codex.refused", FAULT, "Codex refuses this whole file, so none of its hooks run", _EDIT),
    Row("codex.untrusted", FAULT, "Codex skips the guard without a word until it is trusted", _REVIEW),
    Row("codex.modified", FAULT, "what is wired is not what was trusted, so Codex skips it", _REVIEW),
    Row("codex.moved", FAULT, "the guard's entry has moved, and Codex trusts it in its old place only", _REVIEW),
    Row("codex.disabled", WARNING, "you switched this hook off in Codex", "start codex and switch it on (/hooks)"),
    Row("codex.hooks-off", FAULT, "Codex runs no hook at all", "set hooks = true under [features] in {file}"),
    Row("codex.config", FAULT, "Codex would not take its config.toml", _EDIT),
    Row("codex.matcher", FAULT, "the matcher keeps tools from the guard", INSTALL),
    Row("codex.async", FAULT, "Codex does not wait for the guard's answer (async)", INSTALL),
    Row("codex.timeout-short", FAULT, "Codex gives up before the guard's own limit of 5 seconds", INSTALL),
    Row("codex.timeout-long", WARNING, "a guard that hangs holds a call for minutes", INSTALL),
    Row("codex.twice", WARNING, "hooks.json starts the guard more than once", "take all but one out of {file}"),
    Row("codex.other-launcher", WARNING, "Codex starts the guard of another installation", INSTALL),
    Row("codex.ask-rules", FAULT, "the rules that make Codex ask are not in place: calls run unasked", INSTALL),
    Row("codex.ask-program", FAULT, "the program that runs an approved command is not in place", INSTALL),
    Row(
        "codex.bash-env",
        WARNING,
        "BASH_ENV is set: Codex's shell reads that file before each hook, and what it prints may void an answer",
        "unset BASH_ENV",
    ),
    # the wired commands, fired
    Row("probe.start", FAULT, "the wired command cannot be started", INSTALL),
    Row("probe.timeout", FAULT, "the wired command does not answer in time", INSTALL),
    Row("probe.status", FAULT, "the wired command ends with a wrong exit status", INSTALL),
    Row("probe.output", FAULT, "standard output is not exactly one document, which voids the answer", INSTALL),
    Row("probe.verdict", FAULT, "the wired command does not judge as it must", INSTALL),
    Row("probe.change", FAULT, "the ConfigChange hook does not keep the guard in place", INSTALL),
    Row("probe.session", WARNING, "the hook of a session's start does not answer as it must", INSTALL),
    Row(
        "probe.stray-output",
        WARNING,
        "something else writes to a hook's standard output",
        UNSET,
    ),
    Row("probe.slow", WARNING, "the guard is slow", "compare with a bare start of the interpreter, named beside it"),
)
ROWS = {row.code: row for row in _TABLE}
