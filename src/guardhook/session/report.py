"""The report of a session's start: what is installed, which hooks answer, as lines for an agent to show (SPEC G4).

Everything is read from files. The report names the run that made it, and the run is recorded beside it: one that was
left over from another event or run is not accepted (SPEC G5).
"""

import json
import os
import sys
from collections.abc import Mapping

import guardhook
from guardhook import hatches
from guardhook.gates import banner
from guardhook.prose import scope
from guardhook.session import acceptance, clients, event, shots
from guardhook.style import recorded

_STYLE = "agent_style"
_VERSION_LINE = "__version__"


class Run:
    """id: of this run. began, ended: seconds. check: what the wired guard did."""

    __slots__ = ("began", "check", "ended", "id")

    def __init__(self, began: float, ended: float, check: shots.Check) -> None:
        self.id = os.urandom(6).hex()
        self.began = began
        self.ended = ended
        self.check = check


def publish(folder: str, run: Run, lines: list[str], rendered: float) -> None:
    """Record the run and put its report in place, for the event that is recorded by now (SPEC G4).

    Another session may have begun meanwhile: its event is then the pending one, and this check holds for it as well,
    since it is the same guard. rendered: seconds. Raises OSError.
    """
    fields = {
        "run_id": run.id,
        "ts": round(run.began, 3),
        "result": run.check.result,
        "detail": run.check.detail,
        "milliseconds": round(run.check.milliseconds),
    }
    with event.locked(folder, event.PATIENCE):
        pending = banner.moment(f"{folder}/{banner.EVENT}")
        if pending is None:
            return
        head = acceptance.comment(pending, run.id, round(run.ended, 3), round(rendered, 3))
        event.write(f"{folder}/{acceptance.LAST_RUN}", json.dumps(fields, indent=2) + "\n")
        event.write(f"{folder}/{acceptance.REPORT}", "\n".join([head, *lines]) + "\n")


def compose(run: Run, settings: shots.Settings) -> list[str]:
    """The report's lines, without the comment."""
    return [
        f"{acceptance.TITLE} (guardhook {guardhook.__version__})",
        f"OS: {system()}",
        f"Agents: {agents(settings)}",
        f"Hooks: {hooks(run.check)}",
        *gates_off(settings.environment),
        f"agent-style: {style(recorded.FOLDERS) or 'not found'}",
        f"Session check: {outcome(run)}",
    ]


def outcome(run: Run) -> str:
    """How the check of the wired guard ended, in words."""
    if run.check.result == shots.OK:
        return f"passed (run {run.id})"
    return f"{run.check.result.upper()}: {run.check.detail}; `guardhook install` mends it (run {run.id})"


def hooks(check: shots.Check) -> str:
    """Which hooks answered. That of the session's start did: it writes this."""
    answers = {
        shots.OK: f"answered as it must, a deny and a pass ({check.milliseconds:.0f} ms)",
        shots.FAILED: "DID NOT ANSWER AS IT MUST",
        shots.UNWIRED: "NOT WIRED",
    }
    return f"PreToolUse guard {answers[check.result]}; SessionStart answered"


def gates_off(environment: Mapping[str, str]) -> list[str]:
    """A line for the escape hatches that are open in this session, none if all are shut (SPEC E1)."""
    off = hatches.Settings(dict(environment)).off
    return [f"Switched off by environment: {', '.join(off)}"] if off else []


def system() -> str:
    """The operating system, its kernel and the processor."""
    if sys.platform == "win32":
        version = sys.getwindowsversion()
        return f"Windows {version.major}.{version.minor}.{version.build}"
    kernel = os.uname()
    plain = f"{kernel.sysname} {kernel.release}, {kernel.machine}"
    name = _release_name(scope.open_text("/etc/os-release") or "")
    return f"{name} ({plain})" if name else plain


def agents(settings: shots.Settings) -> str:
    """Each agent that is found, with its version where its files show one."""
    config = os.path.dirname(settings.path)
    found = []
    for client in clients.ALL:
        programs = clients.programs(client, config if client is clients.CLAUDE else "")
        versions = [known for known in (clients.version(client, program) for program in programs) if known]
        if versions:
            found.append(f"{client.title} {'.'.join(map(str, versions[0]))}")
        elif programs:
            found.append(f"{client.title} of unknown version")
    return ", ".join(found) or "none found"


def style(folders: tuple[str, ...]) -> str:
    """The release of agent-style in the first of these folders that holds it, read from its source; "" for none."""
    for folder in folders:
        for line in (scope.open_text(f"{folder}/{_STYLE}/__init__.py") or "").splitlines():
            name, mark, value = line.partition("=")
            if mark and name.split(":")[0].strip() == _VERSION_LINE:
                return value.split("#")[0].strip().strip("\"'")
    return ""


def _release_name(text: str) -> str:
    for line in text.splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip("\"'")
    return ""
