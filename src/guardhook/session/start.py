"""The hook of a session's start: payload in, one line for the agent out (SPEC G4). Claude Code's, measured on 2.1.332.

Nothing that goes wrong here may stop a session; the launcher turns what is raised into a remark.
"""

import json
import time
from collections.abc import Callable, Mapping

from guardhook import hatches
from guardhook.gates import banner
from guardhook.session import acceptance, event, report, shots
from guardhook.verdict import shown

# The gate that the event is for, and the hatch that switches it off (SPEC G3).
HATCH = "AGENT_CONFIG_GATES"


def answer(data: bytes, environment: Mapping[str, str], now: Callable[[], float] = time.time) -> bytes:
    """The answer to a payload of SessionStart: a JSON document, or nothing where no banner is due.

    environment: of this process. now: the clock, seconds. Raises ValueError for a payload that is not a JSON object,
    OSError for a file that cannot be written.
    """
    payload = json.loads(data.decode("utf-8", "replace").removeprefix("\ufeff"))
    if not isinstance(payload, dict):
        raise ValueError("the payload is not one JSON object")
    cwd, source, session = (_text(payload.get(name)) for name in ("cwd", "source", "session_id"))
    folder = banner.project(cwd.replace("\0", ""))
    if folder is None or source in event.NEVER:
        return b""
    pending = event.record(folder, source, session, now)
    if pending is not None:
        _report(folder, shots.Settings(environment), now)
    elif source not in event.STARTS:  # a start that was reported twice has been answered the first time
        pending = _pending(folder)
    if pending is None or HATCH in hatches.Settings(dict(environment)).off:
        return b""
    return said(line(folder, pending))


def _report(folder: str, settings: shots.Settings, now: Callable[[], float]) -> None:
    """Check the wired guard and publish what came of it."""
    began = now()
    check = shots.prove(settings)
    run = report.Run(began, now(), check)
    report.publish(folder, run, report.compose(run, settings), now())


def line(folder: str, ts: float) -> str:
    """What the agent is told about a pending event."""
    where = acceptance.target(folder).removesuffix(banner.ACKNOWLEDGEMENT) + acceptance.REPORT
    return (
        f"guardhook: before other work, print the lines of {shown(where, 1000)} below its comment line, if that names "
        f"event_ts={acceptance.written(ts)}, else these: {' | '.join(acceptance.FALLBACK)}; "
        f"then {acceptance.how(folder, ts)}"
    )


def said(text: str) -> bytes:
    """The document that puts a line before the model."""
    inner = {"hookEventName": "SessionStart", "additionalContext": text}
    return json.dumps({"hookSpecificOutput": inner}).encode()


def _pending(folder: str) -> float | None:
    """The time of the recorded event, if no acknowledgement is as new."""
    ts = banner.moment(f"{folder}/{banner.EVENT}")
    return None if ts is None or banner.is_shown(folder, ts) else ts


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
