"""Loads corpus cases and runs one through parse, decide and render, as the hook does."""

import base64
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

from guardhook import hatches, hook

FOLDER = Path(__file__).parent / "corpus"
Case = dict[str, Any]


def load(name: str) -> list[Case]:
    """All cases of one corpus file."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]


def payload(case: Case) -> bytes:
    """Standard input of a case."""
    if "raw_b64" in case:
        return base64.b64decode(case["raw_b64"])
    if "gen" in case:
        return _generated(case["gen"])
    document: Case = {"session_id": "s", "hook_event_name": "PreToolUse", "cwd": case.get("cwd", "/nowhere")}
    if case["tool_name"] is not None:
        document["tool_name"] = case["tool_name"]
    document["tool_input"] = case["tool_input"]
    document.update(case.get("extra") or {})
    for key in case.get("drop", []):
        document.pop(key, None)
    return json.dumps(document).encode("utf-8", "surrogatepass")


def _generated(recipe: Case) -> bytes:
    pad = recipe.get("pad", "") * recipe.get("n", 0)
    match recipe["kind"]:
        case "pad_then":
            command = pad + recipe["cmd"]
        case "then_pad":
            command = recipe["cmd"] + pad
        case "big_write":
            fields = {"file_path": f"/srv/{recipe['file']}", "content": pad + recipe["tail"]}
            return json.dumps({"tool_name": "Write", "tool_input": fields}).encode()
        case "deep_field":
            depth = recipe["n"]
            return b'{"tool_name":"Bash","tool_input":{"command":"ls"},"x":' + b"[" * depth + b"]" * depth + b"}"
        case "open_brackets":
            return b"[" * recipe["n"]
        case "empty":
            return b""
        case kind:
            raise ValueError(kind)
    return json.dumps({"tool_name": recipe.get("tool", "Bash"), "tool_input": {"command": command}}).encode()


def answer(data: bytes, environment: dict[str, str], arguments: tuple[str, ...] = ()) -> tuple[str, str]:
    """(decision, reason) of the rendered answer to a payload: what the client would read."""
    with patch.object(hatches, "from_process", lambda: hatches.Settings(environment)):
        output, status = hook.answer(data, list(arguments))
    assert status == (2 if "codex" in arguments and output else 0)
    if not output:
        return "pass", ""
    inner = json.loads(output)["hookSpecificOutput"]
    if "permissionDecision" in inner:
        assert inner["permissionDecision"] in ("ask", "deny")
        return inner["permissionDecision"], inner["permissionDecisionReason"]
    return "advise", inner["additionalContext"]


def rewrites(reason: str) -> list[str]:
    """The text of each `Suggested rewrite:` line."""
    mark = "Suggested rewrite:"
    return [line.split(mark, 1)[1].strip() for line in reason.splitlines() if line.strip().startswith(mark)]
