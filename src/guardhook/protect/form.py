"""What Claude Code's settings must look like, lest the client drop the whole file, permission rules and hooks and all.

Some 200 files were tried on the client (2.1.332): one flaw in a hook of PreToolUse or PermissionRequest costs the file,
in other events it costs that entry; unknown events and fields are skipped. What was not seen to cost a file is no flaw.
The tables are the installer's, too (`install/settings_form`), which also says where in the file a flaw stands.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

GUARDING = ("PreToolUse", "PermissionRequest")

# Kinds of values: what one must be, in words.
TEXT, TEXTS, TABLE, ADDRESS = (
    "a string",
    "an array of strings",
    "an object of strings",
    "an address such as https://host/path",
)
SWITCH, NUMBER, SECONDS = "true or false", "a number", "a number above 0"
OBJECT, ARRAY = "an object", "an array"
ON_FAILURE, SHELL = '"continue" or "block"', '"bash" or "powershell"'

ANY = {"if": TEXT, "timeout": SECONDS, "statusMessage": TEXT, "once": SWITCH}
_COMMAND = {
    "command": TEXT,
    "args": TEXTS,
    "shell": SHELL,
    "async": SWITCH,
    "asyncRewake": SWITCH,
    "rewakeMessage": TEXT,
    "rewakeSummary": TEXT,
    "onFailure": ON_FAILURE,
}
_HTTP = {"url": ADDRESS, "headers": TABLE, "allowedEnvVars": TEXTS, "onFailure": ON_FAILURE}
_MCP_TOOL = {"server": TEXT, "tool": TEXT, "input": OBJECT}
_PROMPT = {"prompt": TEXT, "model": TEXT, "continueOnBlock": SWITCH}
_AGENT = {"prompt": TEXT, "model": TEXT}
# Type of a handler -> the fields that are looked at beside those of ANY, and which of them must be there.
HANDLERS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "command": (_COMMAND, ("command",)),
    "http": (_HTTP, ("url",)),
    "mcp_tool": (_MCP_TOOL, ("server", "tool")),
    "prompt": (_PROMPT, ("prompt",)),
    "agent": (_AGENT, ("prompt",)),
}
# Of the fields outside `hooks`, those that were tried.
ROOT = {
    "permissions": OBJECT,
    "env": OBJECT,
    "disableAllHooks": SWITCH,
    "model": TEXT,
    "apiKeyHelper": TEXT,
    "includeCoAuthoredBy": SWITCH,
    "statusLine": OBJECT,
    "cleanupPeriodDays": NUMBER,
}
PERMISSIONS = {"allow": ARRAY, "deny": ARRAY, "ask": ARRAY, "additionalDirectories": TEXTS, "defaultMode": TEXT}


def is_taken(settings: "dict[str, object]") -> bool:
    """Whether the client takes a settings file with these values. Numbers are floats."""
    permissions, hooks = settings.get("permissions"), settings.get("hooks", {})
    if not _fit(settings, ROOT) or (isinstance(permissions, dict) and not _fit(permissions, PERMISSIONS)):
        return False
    return isinstance(hooks, dict) and all(_is_event(hooks.get(event)) for event in GUARDING)


def _is_event(groups: object) -> bool:
    return groups is None or (isinstance(groups, list) and all(map(_is_group, groups)))


def _is_group(group: object) -> bool:
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list) or not _fit(group, {"matcher": TEXT}):
        return False
    return all(map(_is_handler, group["hooks"]))


def _is_handler(handler: object) -> bool:
    kind = handler.get("type") if isinstance(handler, dict) else None
    if not isinstance(handler, dict) or not isinstance(kind, str) or kind not in HANDLERS:
        return False
    fields, needed = HANDLERS[kind]
    return all(name in handler for name in needed) and _fit(handler, {**ANY, **fields})


def _fit(values: "dict[str, object]", wanted: dict[str, str]) -> bool:
    """Whether each of these members is what it must be; all of them may be missing."""
    return all(_KINDS[kind](values[name]) for name, kind in wanted.items() if name in values)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_address(text: str) -> bool:
    """Whether a text is an address as far as the client wants one: a scheme, a colon, and something behind it."""
    scheme, colon, rest = text.lstrip().partition(":")
    plain = scheme.isascii() and scheme[:1].isalpha() and all(c.isalnum() or c in "+.-" for c in scheme)
    return bool(colon) and plain and any(c not in "/:" and not c.isspace() for c in rest)


_KINDS: "dict[str, Callable[[object], bool]]" = {
    TEXT: lambda value: isinstance(value, str),
    TEXTS: _is_texts,
    TABLE: lambda value: isinstance(value, dict) and _is_texts(list(value.values())),
    ADDRESS: lambda value: isinstance(value, str) and is_address(value),
    SWITCH: lambda value: isinstance(value, bool),
    NUMBER: lambda value: isinstance(value, float),
    SECONDS: lambda value: isinstance(value, float) and 0 < value < float("inf"),
    OBJECT: lambda value: isinstance(value, dict),
    ARRAY: lambda value: isinstance(value, list),
    ON_FAILURE: lambda value: value in ("continue", "block"),
    SHELL: lambda value: value in ("bash", "powershell"),
}
