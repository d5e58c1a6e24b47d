"""Claude Code's event ConfigChange: a settings file has changed on disk, by whatever road (SPEC P3).

Exit status 2 keeps the settings of before in force for this session (measured on 2.1.332), so the guard that is running
stays. The file stays as it is; the next session reads it, and `guardhook status` names what is wrong in it.
"""

import sys

from guardhook.prose import scope
from guardhook.protect import parts

EVENT = "ConfigChange"
_EVERY_TOOL = ("*", "", ".*", None)
_CLOSING = (
    "The settings of before stay in force for this session. If a person wants this change, it holds from the next "
    "session on; `guardhook install` brings the guard back."
)


def refusal(document: "dict[str, object]", environment: dict[str, str]) -> str:
    """Why the changed settings shall not be taken into the session; "" if they may be.

    document: the event's payload. environment: the hook's own, which holds what the settings of before set.
    """
    path = document.get("file_path")
    path = path if isinstance(path, str) else ""
    text = scope.open_text(path) if path else None
    wires = document.get("source") == "user_settings" or _is_own(path)
    if text is None and path and not scope.is_there(path) and not wires:
        return ""
    settings = parts.settings(text or "")
    if settings is None or (text is None and not wires):
        return _said(path, "it cannot be read as JSON any more, so the guard would go with everything else in it")
    switched = [f'"{name}" is set' for name in parts.SWITCHES if settings.get(name)]
    switched += _variables(settings, environment)
    if wires and not is_wired(settings):
        switched.append("it does not wire the guard any more")
    return _said(path, "; ".join(switched)) if switched else ""


def is_wired(settings: "dict[str, object]") -> bool:
    """Whether these settings start the guard before every tool call, and wait for its answer."""
    hooks = settings.get("hooks")
    groups = hooks.get("PreToolUse") if isinstance(hooks, dict) else None
    for group in groups if isinstance(groups, list) else ():
        handlers = group.get("hooks") if isinstance(group, dict) and group.get("matcher") in _EVERY_TOOL else None
        for handler in handlers if isinstance(handlers, list) else ():
            if parts.starts_guard(handler) and handler.get("async") is not True and "if" not in handler:
                return True
    return False


def _variables(settings: "dict[str, object]", environment: dict[str, str]) -> list[str]:
    """Variables that the guard reads and that these settings set otherwise than they are."""
    block = settings.get("env")
    if not isinstance(block, dict):
        return []
    return [f'"env" sets {name}' for name in parts.VARIABLES if name in block and block[name] != environment.get(name)]


def _is_own(path: str) -> bool:
    """Whether the settings file lies beside the hooks folder that this launcher runs from."""
    own = sys.path[0].replace("\\", "/").rpartition("/")[0] if sys.path else ""
    return bool(own) and path.replace("\\", "/") == own.rpartition("/")[0] + "/settings.json"


def _said(path: str, why: str) -> str:
    return f"guardhook does not let this change of {path or 'the settings'} into the session: {why}. {_CLOSING}"


def answer(data: bytes, environment: dict[str, str]) -> int | None:
    """The exit status for a payload, 2 after a refusal on standard error; None if the payload is of another event."""
    from guardhook.agents.claude import load

    document = load(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    if not isinstance(document, dict) or document.get("hook_event_name") != EVENT or "tool_name" in document:
        return None
    reason = refusal(document, environment)
    if reason:
        sys.stderr.write(reason.encode("utf-8", "replace").decode() + "\n")
        sys.stderr.flush()
    return 2 if reason else 0
