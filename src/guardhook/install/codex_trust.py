"""Does Codex run the guard? Its trust records, computed as it computes them, and what config.toml says (SPEC X2).

Codex skips a hook without trust in silence, so somebody has to look. The hash covers the definition of one handler and
neither the script nor its neighbours; the record's name holds the file's path and the two indices. Measured on 0.171.0;
the client's own word (`hooks/list` of its app server) is the last one.
"""

import hashlib
import json
import sys
import tomllib
from typing import Any

from guardhook.install import jsontext
from guardhook.install.claude import Own
from guardhook.install.codex_hooks import command_of

LABEL = "pre_tool_use"
DEFAULT_TIMEOUT = 600  # seconds
DEFAULT_LIMIT = 2500  # of a handler's additional context; spelled out or not, the hash is the same

TRUSTED, MODIFIED, UNTRUSTED, DISABLED = "trusted", "modified", "untrusted", "disabled"
HOOKS_OFF, UNREADABLE = "hooks off", "unreadable"
_REVIEW = "start `codex` and take up its hook review (or `/hooks`), or run `guardhook install --codex-trust`"
_STEPS = {
    TRUSTED: "nothing to do",
    MODIFIED: f"what is wired is not what you trusted; {_REVIEW}",
    UNTRUSTED: f"Codex skips a hook that you have not trusted, without a word; {_REVIEW}",
    DISABLED: "you switched this hook off; `/hooks` in Codex switches it on again",
    HOOKS_OFF: "every hook is switched off; set `hooks = true` under [features] in config.toml",
    UNREADABLE: "Codex would not take this config.toml; mend it",
}


class State:
    """name: one of the constants above. step: the one thing to do about it, in words. key: of the trust record.

    command: of the hook, where it is known.
    """

    __slots__ = ("command", "key", "name", "step")

    def __init__(self, name: str, key: str, cause: str = "") -> None:
        self.name = name
        self.key = key
        self.command = ""
        self.step = _STEPS[name] + (f" ({cause})" if cause else "")


def key(hooks_file: str, group_index: int, index: int) -> str:
    """The name of a PreToolUse handler's trust record. hooks_file: as Codex spells it, see codex_places."""
    return f"{hooks_file}:{LABEL}:{group_index}:{index}"


def handler_hash(matcher: str | None, handler: dict[str, Any], windows: bool | None = None) -> str:
    """The hash of a PreToolUse handler of type `command`, `sha256:` and 64 lower-case digits.

    handler: its fields, as any JSON reader gives them, of a file that Codex takes. windows: is the client one for
    Windows, where another command counts? By default this system decides.
    """
    windows = sys.platform == "win32" if windows is None else windows
    command = handler["command"]
    if windows:
        other = handler.get("commandWindows", handler.get("command_windows"))
        command = command if other is None else other
    timeout = handler.get("timeout")
    fields: dict[str, object] = {
        "type": "command",
        "command": command,
        "timeout": DEFAULT_TIMEOUT if timeout is None else max(1, int(timeout)),
        "async": handler.get("async") is True,
    }
    if handler.get("statusMessage") is not None:
        fields["statusMessage"] = handler["statusMessage"]
    limit = handler.get("additionalContextLimit")
    if limit is not None and int(limit) != DEFAULT_LIMIT:
        fields["additionalContextLimit"] = int(limit)
    identity = {"event_name": LABEL, "hooks": [fields], **({} if matcher is None else {"matcher": matcher})}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def own_hash(own: Own) -> str:
    """The hash of a handler that was found in a file that Codex takes."""
    matcher = own.group.member("matcher")
    handler = jsontext.value(own.node)
    text = matcher.value if matcher else None
    return handler_hash(text if isinstance(text, str) else None, handler if isinstance(handler, dict) else {})


def state(config: bytes | None, record: str, current: str) -> State:
    """What Codex does with a hook. config: the bytes of config.toml. record: its key. current: its hash."""
    try:
        fields = tomllib.loads((config or b"").decode("utf-8-sig"))  # Codex skips a byte order mark, too
    except ValueError as error:
        return State(UNREADABLE, record, str(error))
    try:
        records = fields.get("hooks", {}).get("state", {})
        found: dict[str, Any] = next((records[name] for name in records if name.strip() == record), {})
        trusted, enabled = found.get("trusted_hash"), found.get("enabled", True)
        features = fields.get("features", {})
        switch = features.get("hooks", features.get("codex_hooks", True))
    except (AttributeError, TypeError):
        return State(UNREADABLE, record, "features, hooks and hooks.state must be tables")
    if not isinstance(trusted, str | None) or not isinstance(enabled, bool) or not isinstance(switch, bool):
        return State(UNREADABLE, record, "a switch of hooks is neither true nor false, or a trusted_hash no string")
    if not switch:
        return State(HOOKS_OFF, record)
    if not enabled:
        return State(DISABLED, record)
    if trusted is None:
        return State(UNTRUSTED, record)
    return State(TRUSTED if trusted == current else MODIFIED, record)


def own_state(own: Own, hooks_file: str, config: bytes | None, broken: str = "") -> State:
    """What Codex does with a handler that was found in its hooks.json. broken: why config.toml cannot be read."""
    record = key(hooks_file, own.group_index, own.index)
    found = State(UNREADABLE, record, broken) if broken else state(config, record, own_hash(own))
    found.command = command_of(own)
    return found


def reminder(found: State) -> str:
    """What each installation says until the guard is in force; "" if it is, and where the user switched it off."""
    if found.name in (TRUSTED, DISABLED):
        return ""
    return f"Codex does not run the guard yet ({found.name}): {found.step}."
