"""The session banner: while the start of a session is not acknowledged, its banner comes before other work (SPEC G).

Most calls end after a few stat calls; the files are opened where an event is recorded, and what is said about one that
is pending is composed in `session`. The session's own hook finds the project and reads the times with this module too.
"""

from guardhook.call import EDITOR, ToolCall
from guardhook.context import Context
from guardhook.verdict import ADVISE, DENY, Verdict

try:
    import posix as system
except ImportError:  # Windows
    import os as system  # type: ignore[no-redef]

FOLDER = ".agent-config"
MARKS = ("bootstrap.sh", "bootstrap.ps1")
EVENT = "session-event.json"
ACKNOWLEDGEMENT = "banner-emitted.json"

# Seconds.
DAY = 86_400

# Reading, planning and asking go on while an event is pending (SPEC G2).
EXEMPT = frozenset(
    "Read Grep Glob LS NotebookRead Skill Task TodoWrite BashOutput WebFetch WebSearch ToolSearch "
    "Agent TaskCreate TaskUpdate TaskGet TaskList TaskOutput AskUserQuestion ListAgents".split()
)


def judge(call: ToolCall, context: Context) -> Verdict | None:
    """DENY if an event is pending and nothing acknowledges any, ADVISE if an older one is acknowledged (SPEC G1-G3).

    A payload without a tool's name is judged by the gates of the shells alone (SPEC A3).
    """
    if not call.tool or call.tool in EXEMPT:
        return None
    folder = project(call.cwd)
    if folder is None or not _is_there(f"{folder}/{EVENT}"):
        return None
    event = moment(f"{folder}/{EVENT}")
    if event is None:
        return None
    if is_shown(folder, event):
        return None
    from guardhook.session import acceptance

    if call.kind == EDITOR and acceptance.is_acknowledgement(call, folder, context.settings.environment):
        return None
    if is_acknowledged(folder):
        return Verdict(ADVISE, "banner.stale", acceptance.reminder(folder, event))
    return Verdict(DENY, "banner.pending", acceptance.denial(folder, event))


def project(cwd: str) -> "str | None":
    """The `.agent-config` of the nearest directory above `cwd` that takes part, or of `cwd` itself (SPEC G1).

    The path goes up by `..`, so links in `cwd` lead where they lead the shell. cwd: "" for the process's own.
    """
    here = cwd or "."
    try:
        place = system.stat(here)
        while True:
            folder = f"{here}/{FOLDER}"
            if _is_there(folder) and any(_is_there(f"{folder}/{mark}") for mark in MARKS):
                return folder
            here += "/.."
            above = system.stat(here)
            if (above.st_ino, above.st_dev) == (place.st_ino, place.st_dev):
                return None
            place = above
    except (OSError, ValueError):  # nothing is there, or no path can be
        return None


def moment(path: str) -> "float | None":
    """The `ts` of a JSON file, in seconds; None if the file or its time is of no use (SPEC G3, A8). Never raises."""
    from guardhook.agents import claude
    from guardhook.prose import scope

    text = scope.open_text(path)
    try:
        document = claude.load(text) if text else None
        ts = document.get("ts") if isinstance(document, dict) else None
        if isinstance(ts, bool) or not isinstance(ts, (int, float)):
            return None
        seconds = float(ts)
    except (RecursionError, OverflowError):
        return None
    return seconds if seconds - seconds == 0 else None  # neither infinite nor NaN


def is_shown(folder: str, event: float) -> bool:
    """Whether the acknowledgement is one of the event at this time (seconds), or of a later one.

    A time that lies more than a day behind the moment the file was written is no event's: milliseconds, say. It would
    silence the gate for good. The event's own time always counts, whatever the clock did in between.
    """
    path = f"{folder}/{ACKNOWLEDGEMENT}"
    seen = moment(path)
    if seen is None or seen <= event:
        return seen == event
    try:
        return bool(seen <= system.stat(path).st_mtime + DAY)
    except OSError:
        return False


def is_acknowledged(folder: str) -> bool:
    """Whether something bears the acknowledgement's name, be it damaged: no sure sign that a session is the first."""
    try:
        system.lstat(f"{folder}/{ACKNOWLEDGEMENT}")
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def _is_there(path: str) -> bool:
    try:
        system.stat(path)
    except OSError:
        return False
    return True
