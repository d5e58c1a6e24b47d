"""Made-up payloads, with every field that the agents send (Claude Code 2.1.332, Codex 0.171.0), and what must become of
each. What must be denied belongs to gates that have an escape hatch, so there is a choice of them."""

import json
import os

DENY, ASK, PASS = "deny", "ask", "pass"
WORD = "delve"  # a banned one


class Shot:
    """name: for people. expected: a verdict. hatches: each lets the call pass. tool, given: its tool and input."""

    __slots__ = ("expected", "given", "hatches", "name", "tool")

    def __init__(
        self, name: str, expected: str, tool: str, given: dict[str, object], hatches: tuple[str, ...] = ()
    ) -> None:
        self.name = name
        self.expected = expected
        self.tool = tool
        self.given = given
        self.hatches = hatches


def _shell(command: str, expected: str, *hatches: str) -> Shot:
    return Shot(command, expected, "Bash", {"command": command}, hatches)


_PROSE = ("AGENT_STYLE_HOOK", "AGENT_CONFIG_GATES")
_PATCH = f"*** Begin Patch\n*** Add File: notes.md\n+We {WORD} into it.\n*** End Patch\n"
_NESTED = _shell("git init below", DENY, "AGENT_NESTED_GIT_INIT_HOOK")  # the folder of a probe is a worktree
CLAUDE_DENIED = (
    _shell("cd sub && make", DENY, "AGENT_COMPOUND_CD_HOOK"),
    _NESTED,
    Shot(f"a file with {WORD!r}", DENY, "Write", {"file_path": "notes.md", "content": f"We {WORD} into it.\n"}, _PROSE),
)
CODEX_DENIED = (Shot(f"a patch with {WORD!r}", DENY, "apply_patch", {"command": _PATCH}, _PROSE), _NESTED)
PUSH, LIST = _shell("git push", ASK), _shell("ls -la", PASS)


def chosen(shots: tuple[Shot, ...], off: tuple[str, ...]) -> Shot | None:
    """The first of the shots that no open hatch lets pass, None if all are. off: the hatches that are open."""
    return next((shot for shot in shots if not set(shot.hatches) & set(off)), None)


def scene(folder: str) -> None:
    """Make an empty folder a worktree, as far as the guard looks. Raises OSError."""
    os.mkdir(os.path.join(folder, ".git"))
    with open(os.path.join(folder, ".git", "HEAD"), "w", encoding="utf-8") as file:
        file.write("ref: refs/heads/main\n")


def claude(shot: Shot, folder: str) -> bytes:
    """The line that Claude Code writes for a call. folder: of the session."""
    given = dict(shot.given)
    if "file_path" in given:
        given["file_path"] = os.path.join(folder, str(given["file_path"]))
    return _line(
        **_session(folder),
        prompt_id="guardhook-doctor",
        permission_mode="default",
        effort={"level": "medium"},
        hook_event_name="PreToolUse",
        tool_name=shot.tool,
        tool_input=given,
        tool_use_id="toolu_guardhook",
    )


def codex(shot: Shot, folder: str) -> bytes:
    """What Codex writes for a call, without a newline behind it."""
    return _line(
        **_session(folder),
        turn_id="guardhook-doctor",
        hook_event_name="PreToolUse",
        model="guardhook-doctor",
        permission_mode="default",
        tool_name=shot.tool,
        tool_input=shot.given,
        tool_use_id="call_0_0",
    ).rstrip(b"\n")


def start(folder: str) -> bytes:
    """The line of a session's start."""
    return _line(**_session(folder), hook_event_name="SessionStart", source="startup")


def change(path: str, folder: str) -> bytes:
    """The line for a change of the user's settings. path: of the changed file."""
    more = {"prompt_id": "guardhook-doctor", "source": "user_settings", "file_path": path}
    return _line(**_session(folder), hook_event_name="ConfigChange", **more)


def _session(folder: str) -> dict[str, object]:
    return {
        "session_id": "guardhook-doctor",
        "transcript_path": os.path.join(folder, "transcript.jsonl"),
        "cwd": folder,
    }


def _line(**fields: object) -> bytes:
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
