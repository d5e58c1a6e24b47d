"""One call of a wired command, in a folder that is a worktree and nothing else, and what came of it."""

import contextlib
import functools
import os
import statistics
import tempfile
from collections.abc import Callable, Iterator

from guardhook.health import payloads, process
from guardhook.health.payloads import PASS, Shot
from guardhook.health.process import Run
from guardhook.health.settings import Entry
from guardhook.health.survey import Survey
from guardhook.install import claude

LIMIT = float(claude.TIMEOUT)  # seconds, where the entry allows that much
TIMES = 3  # runs of which the median counts
SH, BASH = "/bin/sh", "/bin/bash"
CLAUDE, CODEX = "Claude Code", "Codex"
_PROJECT = "${CLAUDE_PROJECT_DIR}"  # the client fills it in where there is no shell


class Result:
    """One firing. agent: CLAUDE or CODEX. call: what was judged. expected, answer: verdicts, "" for none.

    run: None where it was not fired, and note says why. milliseconds: the median, where it was fired more than once.
    """

    __slots__ = ("agent", "answer", "call", "entry", "expected", "milliseconds", "note", "run")

    def __init__(self, agent: str, entry: Entry, call: str, expected: str, note: str = "") -> None:
        self.agent = agent
        self.entry = entry
        self.call = call
        self.expected = expected
        self.note = note
        self.answer = ""
        self.milliseconds = 0.0
        self.run: Run | None = None

    def take(self, run: Run, answer: str) -> None:
        """Keep what came."""
        self.run = run
        self.milliseconds = run.milliseconds
        self.answer = answer

    def value(self) -> dict[str, object]:
        """For programs."""
        return {
            "agent": self.agent,
            "event": self.entry.event,
            "file": self.entry.file,
            "entry": self.entry.number,
            "command": self.entry.argv or self.entry.command,
            "call": self.call,
            "expected": self.expected,
            "answer": self.answer,
            "status": self.run.status if self.run else None,
            "milliseconds": round(self.milliseconds, 1),
            "note": self.note,
        }


def tried(
    blank: Result,
    denied: tuple[Shot, ...],
    off: tuple[str, ...],
    one: Callable[[Shot, str], Run],
    read: Callable[[Run], str],
) -> list[Result]:
    """Fire a call of each kind. blank: names agent and entry. denied: to choose from. off: the open hatches.

    one: fires a shot in a folder. read: what the agent makes of the answer.
    """
    results = []
    first = payloads.chosen(denied, off)
    opened = ", ".join(name for name in off if name in denied[0].hatches)
    note = "" if first is denied[0] else f"{opened} open: {denied[0].name} would pass"
    if first is None:
        note = f"{', '.join(off)} open: nothing is denied any more"
        results.append(Result(blank.agent, blank.entry, denied[0].name, "", note))
    for shot in filter(None, (first, payloads.PUSH, payloads.LIST)):
        result = Result(blank.agent, blank.entry, shot.name, shot.expected, note if shot is first else "")
        runs = repeated(functools.partial(one, shot), TIMES if shot.expected == PASS else 1)
        result.take(runs[-1], read(runs[-1]))
        result.milliseconds = statistics.median(run.milliseconds for run in runs)
        results.append(result)
        if not runs[-1].ended:  # nor will the others
            break
    return results


def repeated(one: Callable[[str], Run], times: int) -> list[Run]:
    """Fire so many times, each in a folder of its own; the last one is one that did not end, if there is one."""
    runs = []
    for _ in range(times):
        with folder() as made:
            runs.append(one(made))
        if not runs[-1].ended:
            break
    return runs


def as_claude(entry: Entry, survey: Survey, folder: str, data: bytes) -> Run:
    """Run an entry as Claude Code does: by `/bin/sh -c`, or an argument list without a shell."""
    environment = {
        **survey.claude_environment(),
        "CLAUDECODE": "1",
        "CLAUDE_PROJECT_DIR": folder,
        "CLAUDE_CODE_SESSION_ID": "guardhook-doctor",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
    }
    argv = [SH, "-c", entry.command]
    if entry.argv is not None:
        argv = [word.replace(_PROJECT, folder) for word in entry.argv]
    return process.run(argv, data, folder, environment, seconds(entry))


def as_codex(entry: Entry, survey: Survey, folder: str, data: bytes) -> Run:
    """Run a handler as Codex does: by `/bin/bash -c`, not as a login shell (0.171.0 on Linux)."""
    shell = BASH if os.path.exists(BASH) else SH
    return process.run([shell, "-c", entry.command], data, folder, survey.environment, seconds(entry))


def seconds(entry: Entry) -> float:
    """How long an entry is waited for."""
    return min(entry.timeout or LIMIT, LIMIT)


@contextlib.contextmanager
def folder() -> Iterator[str]:
    """A fresh folder. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix="guardhook-doctor-", ignore_cleanup_errors=True) as made:
        payloads.scene(made)
        yield made
