"""Claude Code's event ConfigChange: a settings file has changed on disk, by whatever road (SPEC P3).

Exit status 2 keeps the settings of before in force for this session (measured on 2.1.332), so the guard that is running
stays; the file stays as it is. A change that is let in makes the client read all its files again, those of refused
changes too, so every file is judged each time.
"""

import sys

from guardhook.prose import scope
from guardhook.protect import form, parts, places

EVENT = "ConfigChange"
_PROJECT = ("settings.json", "settings.local.json")
_UNWIRED = "the guard is not wired any more"
# Fields of a handler with which it does not see every call, or nobody waits for it.
_NEVER = frozenset(("if", "async", "asyncRewake", "once"))
_EVERY_TOOL = ("*", "", ".*", None)
_CLOSING = (
    "The settings of before stay in force for this session. If a person wants this change, it holds from the next "
    "session on; `guardhook install` brings the guard back."
)


def refusal(document: "dict[str, object]", environment: dict[str, str]) -> str:
    """Why the changed settings shall not be taken into the session; "" if they may be.

    document: the event's payload. environment: the hook's own, which holds what the settings of before set.
    """
    source, path = document.get("source"), document.get("file_path")
    if isinstance(source, str) and not source.endswith("_settings"):  # a skill: no settings are read for it
        return ""
    changed = path if isinstance(path, str) else ""
    own = places.own_config() and places.own_config() + "/settings.json"
    project = environment.get("CLAUDE_PROJECT_DIR") or document.get("cwd")
    files = [changed, own, *([f"{project}/.claude/{name}" for name in _PROJECT] if isinstance(project, str) else [])]
    for file in dict.fromkeys(files):
        why = _flaw(file, environment, file == own or (file == changed and source == "user_settings")) if file else ""
        if why:
            return f"guardhook does not let this change into the session: in {file} {why}. {_CLOSING}"
    return ""


def _flaw(path: str, environment: dict[str, str], wires: bool) -> str:
    """What a settings file has that would cost the guard, as a clause. wires: it is the file that wires the guard."""
    text = scope.open_text(path)
    if text is None and not scope.is_there(path):
        return _UNWIRED if wires else ""
    settings = None if text is None else parts.settings(text)
    if settings is None:
        return "nothing can be read as JSON any more, so the guard would go with all the rest"
    if not form.is_taken(settings):
        return "a value has a wrong type, for which Claude Code drops the whole file"
    found = [f'"{name}" is set' for name in parts.SWITCHES if settings.get(name)]
    found += _variables(settings, environment)
    if wires and not is_wired(settings):
        found.append(_UNWIRED)
    return "; ".join(found)


def is_wired(settings: "dict[str, object]") -> bool:
    """Whether these settings start the guard before every tool call, and wait for its answer."""
    hooks = settings.get("hooks")
    groups = hooks.get("PreToolUse") if isinstance(hooks, dict) else None
    for group in groups if isinstance(groups, list) else ():
        handlers = group.get("hooks") if isinstance(group, dict) and group.get("matcher") in _EVERY_TOOL else None
        for handler in handlers if isinstance(handlers, list) else ():
            if parts.starts_guard(handler) and handler.get("type") == "command" and not any(map(handler.get, _NEVER)):
                return True
    return False


def _variables(settings: "dict[str, object]", environment: dict[str, str]) -> list[str]:
    """Variables that the guard reads and that these settings set otherwise than they are."""
    block = settings.get("env")
    if not isinstance(block, dict):
        return []
    return [f'"env" sets {name}' for name in parts.VARIABLES if name in block and block[name] != environment.get(name)]


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
