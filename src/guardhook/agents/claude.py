"""Claude Code's payload and answers (SPEC A2, A3, A4; measured on 2.1.332).

Reads and writes JSON with the C parts of the standard library alone: the `json` package imports `re`, which costs more
than everything else here together. They are private to CPython, so `json` stands in where they are missing.
"""

import sys

from guardhook.call import BASH, EDITOR, MONITOR, OTHER, POWERSHELL, UNKNOWN_SHELL, ToolCall
from guardhook.verdict import Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.call import Edit

SHELL_TOOLS = {"Bash": BASH, "PowerShell": POWERSHELL, "Monitor": MONITOR}

EDITORS = ("Write", "Edit", "MultiEdit")

# Tools of Claude Code that are no shells: a stray `command` in their input is not run.
OTHER_TOOLS = frozenset(
    "Agent AskUserQuestion BashOutput CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree "
    "ExitPlanMode ExitWorktree Glob Grep KillBash KillShell LS ListAgents ListMcpResourcesTool LSP MultiEdit "
    "NotebookEdit NotebookRead Read ReadMcpResourceTool ReportFindings ScheduleWakeup SendMessage Skill "
    "SlashCommand Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TodoRead TodoWrite ToolSearch "
    "WebFetch WebSearch Workflow Write".split()
)


# What the C scanner wants to know of its decoder. Integers become floats: one of thousands of digits must not raise.
_OPTIONS = type(sys.implementation)(  # type: ignore[call-arg]
    strict=False, object_hook=None, object_pairs_hook=None, parse_float=float, parse_int=float, parse_constant=float
)


def load(text: str) -> object:
    """The value of a JSON text; None if it is not one document. Raises RecursionError on extreme nesting."""
    start = len(text) - len(text.lstrip())
    try:
        try:
            from _json import make_scanner
        except ImportError:
            import json

            value: object = json.loads(text)
            return value
        value, end = make_scanner(_OPTIONS)(  # type: ignore[arg-type]
            text, start
        )
    except (ValueError, StopIteration, SystemError):  # SystemError: 3.11's scanner, which misses the `json` package
        return None
    return None if text[end:].strip() else value


def quote(text: str) -> str:
    """text as a JSON string, ASCII only."""
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        from json import dumps

        return dumps(text)
    return encode_basestring_ascii(text)


def parse(data: bytes) -> ToolCall | None:
    """The call in a payload; None if the bytes are not one JSON object. Missing and mistyped fields count as absent."""
    document = load(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    if not isinstance(document, dict):
        return None
    tool = document.get("tool_name")
    fields = document.get("tool_input")
    command = fields.get("command") if isinstance(fields, dict) else None
    has_command = isinstance(command, str)
    call = ToolCall(
        "claude",
        _text(tool),
        _kind(tool, has_command),
        # No shell can be handed a NUL: where one arrives it is dropped, as bash drops it from a script.
        command.replace("\0", "") if isinstance(command, str) else "",
        _text(document.get("cwd")),
        _text(document.get("session_id")),
    )
    call.mode = _text(document.get("permission_mode"))
    if call.tool in EDITORS and isinstance(fields, dict):
        call.kind = EDITOR
        call.path = _text(fields.get("file_path")).replace("\0", "")
        call.edits = _edits(fields)
    return call


def _edits(fields: "dict[str, object]") -> "list[Edit]":
    """What an editing tool's input changes; entries without a new text change nothing."""
    entries = fields.get("edits")
    entries = entries if isinstance(entries, list) else []
    found: list[Edit] = []
    if isinstance(fields.get("content"), str):
        found.append((None, _text(fields["content"]), False))
    for entry in [fields, *entries]:
        if isinstance(entry, dict) and isinstance(entry.get("new_string"), str):
            found.append((_text(entry.get("old_string")), entry["new_string"], entry.get("replace_all") is True))
    return found


def _kind(tool: object, has_command: bool) -> str:
    if not has_command:
        return OTHER
    if tool is None:
        return BASH
    if isinstance(tool, str) and tool in SHELL_TOOLS:
        return SHELL_TOOLS[tool]
    return OTHER if isinstance(tool, str) and tool in OTHER_TOOLS else UNKNOWN_SHELL


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def render(decision: Decision) -> bytes:
    """The document for a decision, or nothing where there is nothing to say."""
    verdict, advice = decision.verdict, decision.advice
    if verdict is None and not advice:
        return b""
    inner = '"hookEventName":"PreToolUse"'
    if verdict is None:
        message = quote(advice)
        return f'{{"systemMessage":{message},"hookSpecificOutput":{{{inner},"additionalContext":{message}}}}}'.encode()
    inner += f',"permissionDecision":"{verdict.kind}","permissionDecisionReason":{quote(verdict.reason)}'
    if advice:
        inner += f',"additionalContext":{quote(advice)}'
    return f'{{"hookSpecificOutput":{{{inner}}}}}'.encode()


def render_fault(error: BaseException) -> bytes:
    """An ask for a payload that could not even be parsed: it may have been a shell command (SPEC A5, C9)."""
    from guardhook import faults

    return render(Decision(faults.verdict(ToolCall("claude", "", BASH), error), "", []))
