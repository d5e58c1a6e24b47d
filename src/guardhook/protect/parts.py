"""The parts of the agents' configuration files that concern the guard, and which of them an edit changes (SPEC P1, P2).

The files are compared as data, so a new layout or another person's entry is no change. What the agent could not read
any more is one: it would then run without the guard.
"""

import sys

from guardhook.hatches import _ESCAPE_HATCH_ENV_NAMES
from guardhook.protect.form import is_taken
from guardhook.protect.places import CONFIG, HOOKS, SETTINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Parts = dict[str, object]

# Variables of the hook's environment that decide what it does: the hatches, where it looks for files, and what the
# system loads into its process.
VARIABLES = (
    *_ESCAPE_HATCH_ENV_NAMES,
    *"HOME USERPROFILE USER LOGNAME TMPDIR TEMP TMP CLAUDE_CONFIG_DIR CODEX_HOME XDG_CONFIG_HOME".split(),
    *"LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES".split(),
)
# Settings that are a switch of all hooks, or of all but those of an administrator.
SWITCHES = ("disableAllHooks", "allowManagedHooksOnly")
UNREADABLE = {
    SETTINGS: "the file would not be valid JSON any more, and Claude Code would go on without all of it",
    HOOKS: "the file would not be valid JSON any more, and Codex would go on without its hooks",
    CONFIG: "the file would not be valid TOML any more, and Codex would go on without its trust in the guard",
}
DROPPED = "Claude Code would drop the whole file for a value of a wrong type, and go on without its hooks"
_HOOKS_KEYS = ("description", "hooks")  # Codex refuses the whole file for any other (0.171.0)
_LAUNCHER = "guard.py"
_SPACE = " \t\r\n"


def changed(kind: str, old: str, new: str, hooks: str = "") -> list[str]:
    """What an edit changes for the guard, in words; empty if nothing.

    kind: of the file. old, new: its text before and after, "" for no file. hooks: for a CONFIG, the text of the
    hooks.json beside it, which says which trust record is the guard's.
    """
    read = _READERS[kind]
    after = read(new, hooks)
    if after is None:
        return [UNREADABLE[kind]]
    before = read(old, hooks) or read("", hooks) or {}
    if kind == SETTINGS and not is_taken(settings(new) or {}) and is_taken(settings(old) or {}):
        return [DROPPED]
    return [name for name in {**before, **after} if not _is_same(before.get(name), after.get(name))]


def settings(text: str) -> "dict[str, object] | None":
    """The object in Claude Code's settings, {} for an empty text; None for anything that JSON.parse would refuse."""
    value = _json(text) if text.strip(_SPACE) else {}
    return value if isinstance(value, dict) else None


def _settings_parts(text: str, _: str) -> "Parts | None":
    value = settings(text)
    if value is None:
        return None
    found: Parts = {'"hooks"': value.get("hooks")}
    for name in SWITCHES:
        found[f'"{name}"'] = value.get(name) or None
    environment = value.get("env")
    for name in VARIABLES:
        found[f'{name} in "env"'] = environment.get(name) if isinstance(environment, dict) else None
    return found


def _hooks_parts(text: str, _: str) -> "Parts | None":
    value = settings(text)
    if value is None:
        return None
    found: Parts = {"the guard's group of hooks": [list(own) for own in _own(value)]}
    for name in value:
        if name not in _HOOKS_KEYS:
            found[f'"{name}", for which Codex refuses the whole file'] = value[name]
    return found


def _config_parts(text: str, hooks: str) -> "Parts | None":
    from tomllib import loads

    try:
        value = loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError):
        return None
    found: Parts = {"the switch of all hooks": _switches(value)}
    marks = tuple([f":pre_tool_use:{own[0]}:{own[1]}" for own in _own(settings(hooks) or {})])
    records = _table(_table(value, "hooks"), "state")
    found["the record of the trust in the guard"] = {
        key.strip(): records[key] for key in records if marks and key.strip().endswith(marks)
    }
    return found


def _own(document: "dict[str, object]") -> "list[tuple[int, int, object, object]]":
    """(group's index, handler's index, matcher, handler) of every handler that starts a guard."""
    groups = _table(document, "hooks").get("PreToolUse")
    found = []
    for index, group in enumerate(groups if isinstance(groups, list) else []):
        handlers = group.get("hooks") if isinstance(group, dict) else None
        for number, handler in enumerate(handlers if isinstance(handlers, list) else []):
            if starts_guard(handler):
                found.append((index, number, group.get("matcher"), handler))
    return found


def starts_guard(handler: object) -> bool:
    """Whether a handler of hooks names the launcher, in whichever of its fields."""
    if not isinstance(handler, dict):
        return False
    fields = [handler.get(name) for name in ("command", "commandWindows", "command_windows")]
    arguments = handler.get("args")
    fields += arguments if isinstance(arguments, list) else []
    return any(isinstance(field, str) and _LAUNCHER in field for field in fields)


def _switches(value: "dict[str, object]") -> "Parts":
    """`features.hooks` and its older name, at the top and in each profile."""
    profiles = _table(value, "profiles")
    found: Parts = {}
    if not isinstance(value.get("features", {}), dict) or not isinstance(value.get("profiles", {}), dict):
        found["features"] = "of a wrong type"
    for where, table in (("", value), *((name, _table(profiles, name)) for name in profiles)):
        for name in ("hooks", "codex_hooks"):
            switch = _table(table, "features").get(name)
            if switch is not None and switch is not True:
                found[f"{where} {name}"] = switch
    return found


def _table(value: "dict[str, object]", name: str) -> "dict[str, object]":
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _json(text: str) -> object:
    """The value of a text that JSON.parse would take, None for another one. A byte order mark is skipped."""
    text = text.removeprefix("\ufeff").strip(_SPACE)
    try:
        from _json import make_scanner

        value, end = make_scanner(_OPTIONS)(text, 0)  # type: ignore[arg-type]
        return value if end == len(text) else None
    except ImportError:
        import json

        try:
            return json.loads(text, parse_constant=_refuse)
        except (ValueError, RecursionError):
            return None
    except (ValueError, StopIteration, SystemError, RecursionError):
        return None


def _refuse(name: str) -> object:
    """`NaN` and `Infinity` are no JSON."""
    raise ValueError(name)


_OPTIONS = type(sys.implementation)(  # type: ignore[call-arg]
    strict=True, object_hook=None, object_pairs_hook=None, parse_float=float, parse_int=float, parse_constant=_refuse
)


def _is_same(one: object, other: object) -> bool:
    """Equal as data, and of the same types: 1 is not true."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return type(one) is type(other) and one == other


_READERS: "dict[str, Callable[[str, str], Parts | None]]" = {
    SETTINGS: _settings_parts,
    HOOKS: _hooks_parts,
    CONFIG: _config_parts,
}
