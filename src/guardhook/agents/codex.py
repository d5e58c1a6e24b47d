"""Codex's payload and its one document (SPEC A3, X3, X4; measured on 0.171.0).

Codex runs the call whenever a hook's answer is not exactly what it knows: one more key, an `ask`, a blank reason. So it
hears a denial or nothing, and a denial twice: exit status 2 with the reason on standard error blocks even where
something else wrote to standard output.
"""

from guardhook.agents.claude import load, quote
from guardhook.call import BASH, OTHER, PATCH, UNKNOWN_SHELL, ToolCall
from guardhook.verdict import DENY, Decision

# `exec_command`, Codex's shell, arrives under the first name, in code mode too; on Windows it may be PowerShell (X6).
TOOLS = {"Bash": BASH, "apply_patch": PATCH}


def parse(data: bytes) -> "ToolCall | None":
    """The call in a payload; None if the bytes are not one JSON object (SPEC A3, A4). Never raises.

    `command` is the shell text, or the raw patch of an `apply_patch`. Another tool with a string `command` counts as an
    unknown shell, which a matcher of the user's own may send. Missing and mistyped fields count as absent.
    """
    try:
        document = load(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    except RecursionError:
        return None
    if not isinstance(document, dict):
        return None
    tool, fields = document.get("tool_name"), document.get("tool_input")
    command = fields.get("command") if isinstance(fields, dict) else None
    kind = OTHER
    if isinstance(command, str):
        kind = BASH if tool is None else TOOLS.get(_text(tool), UNKNOWN_SHELL)
    # A shell is never handed a NUL; a patch writes it to the file.
    text = _text(command) if kind == PATCH else _text(command).replace("\0", "")
    return ToolCall("codex", _text(tool), kind, text, _text(document.get("cwd")), _text(document.get("session_id")))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def render(decision: Decision) -> tuple[bytes, int, str]:
    """Standard output, exit status and standard error for a decision (SPEC X4).

    A denial is one document, 2, and its reason; everything else, an ask and advice too, is nothing, 0, and nothing.
    """
    verdict = decision.verdict
    if verdict is None or verdict.kind != DENY:
        return b"", 0, ""
    # A lone surrogate would make the document invalid for Codex, and cannot be written to standard error.
    reason = verdict.reason.encode("utf-8", "replace").decode()
    if not reason.strip():
        reason = f"guardhook denies this call ({verdict.code})."
    inner = f'"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":{quote(reason)}'
    return f'{{"hookSpecificOutput":{{{inner}}}}}'.encode(), 2, reason
