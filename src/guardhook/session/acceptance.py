"""What the banner gate says: which lines to show, and what to write to acknowledge them (SPEC G2, G5).

A report counts only if it was made for the pending event by the run that is recorded as the last; its lines come from a
file in the project, so they are cut in number and length, and nothing in them stays invisible.
"""

from guardhook.agents import claude
from guardhook.call import ToolCall
from guardhook.gates.banner import ACKNOWLEDGEMENT, FOLDER, is_acknowledged
from guardhook.prose import scope
from guardhook.verdict import shown

REPORT = "banner.txt"
LAST_RUN = "last-run.json"

TITLE = "Session banner"
FALLBACK = (
    TITLE,
    "Agent: <model>",
    f"Session check: checks unavailable (run bootstrap or read {FOLDER}/{LAST_RUN})",
)

# In front of each line of a report, so that none passes for a line of the message around it.
QUOTE = "| "

# Of a report; the installer's own has fewer.
_LINES = 20
_LENGTH = 300

_START, _END = ["<!--", "guardhook", "banner"], ["-->"]


def lines(folder: str, event: float) -> "tuple[str, ...]":
    """The lines to show for the event of this time: the report's if it is accepted, else FALLBACK (SPEC G5).

    folder: the project's `.agent-config`.
    """
    text = scope.open_text(f"{folder}/{REPORT}")
    head, *rest = text.splitlines() or [""] if text else [""]
    fields = _fields(head)
    run = _last_run(folder)
    if not run or fields.get("run_id") != run or _number(fields.get("event_ts", "")) != event:
        return FALLBACK
    found = tuple(shown(line, _LENGTH) for line in rest[: 2 * _LINES] if line.strip())
    return found[:_LINES] or FALLBACK


def comment(event: float, run: str, completed: float, rendered: float) -> str:
    """A report's first line. All times in seconds, as in the event."""
    values = (("event_ts", written(event)), ("run_id", run), ("completed", written(completed)))
    pairs = [f"{name}={value}" for name, value in (*values, ("rendered_at", written(rendered)))]
    return " ".join((*_START, *pairs, *_END))


def written(seconds: float) -> str:
    """A finite time as it stands in the files; read again it is the same number."""
    return str(int(seconds)) if seconds == seconds // 1 and abs(seconds) < 1e15 else repr(seconds)


def content(event: float) -> str:
    """What the acknowledgement of an event holds."""
    return f'{{"ts": {written(event)}}}'


def target(folder: str) -> str:
    """The acknowledgement's path, in the form in which a message names it."""
    root = folder.removesuffix("/" + FOLDER)
    place = _resolved(root)
    return f"{root if place is None else place}/{FOLDER}/{ACKNOWLEDGEMENT}"


def denial(folder: str, event: float) -> str:
    """The message of the first arm: everything that an agent needs to go on in one turn."""
    listed = "\n".join(f"{QUOTE}{line}" for line in lines(folder, event))
    model = " (with your model's name in the place of <model>)" if "<model>" in listed else ""
    return (
        "guardhook denies this call for now: a session has begun here, and its banner has not been shown.\n"
        f"Print these lines in your answer, each without the `{QUOTE}` in front{model}:\n\n{listed}\n\n"
        f"Then write the file {shown(target(folder), 1000)} with exactly this content:\n{content(event)}\n"
        "Suggested rewrite: print the lines, write that file with the Write tool, and make this call again.\n"
        "An agent without a Write tool cannot do that: a person can write the file for it. "
        "A person can set AGENT_CONFIG_GATES=off in the env block of Claude Code's settings to have no banner."
    )


def reminder(folder: str, event: float) -> str:
    """The message of the second arm; the call runs."""
    return (
        f"[banner-gate] A new session has begun here since the last banner was shown; this call was not stopped. "
        f"With your next text, show the lines at the end of this remark. Then {how(folder, event)}. "
        f"The lines, divided by bars: {' | '.join(lines(folder, event))}"
    )


def how(folder: str, event: float) -> str:
    """How an event is acknowledged, as a clause. Claude Code 2.1.332 refuses a Write over a file that was not read."""
    file = shown(target(folder), 1000)
    if is_acknowledged(folder):
        return f"Read the file {file}, which is there, and Write it with exactly {content(event)}"
    return f"write {file} with exactly {content(event)}"


def is_acknowledgement(call: ToolCall, folder: str, environment: "dict[str, str]") -> bool:
    """Whether the file that an editing call changes is the project's acknowledgement, links followed (SPEC G2)."""
    place = scope.absolute(call.path, call.cwd, environment)
    wanted = _resolved(f"{folder}/{ACKNOWLEDGEMENT}")
    return place is not None and wanted is not None and scope.resolved(place) == wanted


def _resolved(path: str) -> "str | None":
    place = scope.absolute(path, "", {})
    return None if place is None else scope.resolved(place)


def _fields(line: str) -> "dict[str, str]":
    """The pairs of a report's comment; none if the line is not one."""
    words = line.split()
    if words[:3] != _START or words[-1:] != _END:
        return {}
    pairs = [word.partition("=") for word in words[3:-1]]
    return {name: value for name, mark, value in pairs if mark}


def _number(text: str) -> "float | None":
    try:
        return float(text)
    except ValueError:
        return None


def _last_run(folder: str) -> str:
    """The id of the recorded run, "" if there is none."""
    text = scope.open_text(f"{folder}/{LAST_RUN}")
    try:
        document = claude.load(text) if text else None
    except RecursionError:
        return ""
    run = document.get("run_id") if isinstance(document, dict) else None
    return run if isinstance(run, str) else ""
