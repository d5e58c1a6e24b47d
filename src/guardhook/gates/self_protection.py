"""A call that would change what keeps the guard in place: a person decides, whatever the agent was told (SPEC P1, P2).

One line in a settings file is all that stands between an agent and no guard. No escape hatch reaches this gate. Most
calls write somewhere else, so this module only glances at their paths, and `protect` is loaded for the rest.
"""

import sys

from guardhook.call import EDITOR, PATCH, ToolCall
from guardhook.context import MAX_COMMAND, Context
from guardhook.gates import CHANGERS, CHANGES

try:
    import posix as system
except ImportError:  # Windows
    import os as system  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.shell.unwrap import Invocation
    from guardhook.verdict import Verdict

NAME = "self-protection"

# In a path these make a closer look worth its cost; what lies elsewhere has a path of its own in `_Glance`.
_FOLDERS = ("/.claude", "/.codex")
# What the shell would put something else in place of, and what would have to be followed first.
_EXPANDED = frozenset("~*?[{}\\\0")
_FOLLOWED = frozenset("cd chdir pushd popd set-location sl push-location pop-location set builtin guardhook".split())
_FOLLOWED |= {"apply_patch", "applypatch", "cd..", "cd\\", "cd~", "time", "codex"}
_MOVING = frozenset(("env", "sudo", "doas"))
_LEADERS = frozenset(("find", "xargs"))
MAX_WORDS = 300
MANAGED = ("/etc/claude-code", "/Library/Application Support/ClaudeCode")
_FORMAT, _LINK = 0o170000, 0o120000


def judge(call: ToolCall, context: Context) -> "Verdict | None":
    """ASK (on Codex DENY, where nobody can be asked) if the call changes something that keeps the guard in place."""
    if call.kind not in (EDITOR, PATCH) and len(call.command) > MAX_COMMAND:
        context.note(NAME, "declined", "the command is too long to be read")
        return None
    words = _words(call, context)
    if words is not None and not _Glance(call, context).sees(words):
        return None
    from guardhook.protect import verdicts

    return verdicts.judge(call, context)


def _words(call: ToolCall, context: Context) -> "list[str] | None":
    """Every word of the call that may be a path which it changes; None where that takes a closer look."""
    if call.kind == EDITOR:
        return [call.path] if call.edits else []
    if call.kind == PATCH:
        paths = [line for line in call.command.split("\n") if line.lstrip()[:4] == "*** "]
        return [line.partition(": ")[2].rstrip() for line in paths]
    found, names = context.commands(), context.marks() or set()
    if not names.isdisjoint(_FOLLOWED):
        return None
    words: dict[str, None] = {}
    for layer in found.layers:
        for command in layer.reading.commands:
            for redirection in command.redirections:
                if ">" in redirection.operator:
                    words[redirection.target.text] = None
    for invocation in found.invocations:
        prefixes = invocation.prefixes
        changes = invocation.name in CHANGERS or invocation.name in ("sed", "perl")
        if (invocation.name == "find" or (prefixes and not _LEADERS.isdisjoint(prefixes))) and (
            changes or CHANGES in names
        ):
            return None
        if changes:
            if prefixes and not _MOVING.isdisjoint(prefixes) and _is_moved(invocation):
                return None
            for word in invocation.arguments[1:] or [word.text for word in invocation.command.words[1:]]:
                words[word] = None
        if len(words) > MAX_WORDS:
            return None
    return None if any(not _EXPANDED.isdisjoint(word) for word in words) else list(words)


def _is_moved(invocation: "Invocation") -> bool:
    """Whether `env -C` or `sudo -D` may send the program to another directory."""
    return any(word.text[:2] in ("-C", "-D", "--") or word.parts for word in invocation.command.words)


_NAMED = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLAUDE_PROJECT_DIR", "XDG_CONFIG_HOME")


class _Glance:
    """Whether a path can be, or lie above, anything protected. Errs on the side of seeing."""

    __slots__ = ("_anchors", "_cwd", "_folders", "_is_odd", "_plain")

    def __init__(self, call: ToolCall, context: Context) -> None:
        from guardhook.style.recorded import FOLDERS

        environment = context.settings.environment
        home, cwd = environment.get("HOME") or "", call.cwd or _cwd()
        named = [environment.get(name) or "" for name in _NAMED]
        project = named[2] and named[2] + "/.claude"
        usual = [f"{home}/.claude", f"{home}/.codex", f"{cwd}/.claude", f"{cwd}/.codex"]
        self._folders = dict.fromkeys(path for path in (*named[:2], project, *usual) if path)
        users = [named[3] or f"{home}/.config", f"{home}/.config"]
        # Paths that would have to be tidied before they can be compared.
        self._is_odd = any(path != _tidied(path) for path in (home, cwd, *filter(None, named)))
        own = sys.path[0] if sys.path else ""
        others = [*[f"{folder}/guardhook" for folder in users], own, *FOLDERS, *MANAGED]
        self._anchors = [*self._folders, *[path for path in dict.fromkeys(others) if path]]
        self._cwd = cwd
        # Folders without a link on the way to them.
        self._plain: dict[str, bool] = {"": True}

    def sees(self, words: list[str]) -> bool:
        """True if one of the words may be such a path, or one of the protected places is a link to another."""
        if not words:
            return False
        if sys.platform == "win32" or self._cwd[:1] != "/" or self._is_odd:
            return True
        for word in words:
            for path in (word, word[2:] if word[:1] == "-" else "", word.partition("=")[2]):
                if path and self._may_be(path):
                    return True
        return not (all(map(self._is_plain, self._anchors)) and all(map(_has_plain_files, self._folders)))

    def _may_be(self, path: str) -> bool:
        path = path.removeprefix("./")
        whole = (path if path[:1] == "/" else f"{self._cwd}/{path}").rstrip("/")
        lower = whole.lower() + "/"
        if (
            "/../" in lower
            or "/./" in lower
            or "//" in lower
            or not whole
            or path[:1] == "~"
            or any(name in lower for name in _FOLDERS)
        ):
            return True
        for anchor in self._anchors:
            if lower.startswith(anchor.lower() + "/") or anchor.lower().startswith(lower):
                return True
        return not self._is_plain(whole)

    def _is_plain(self, path: str) -> bool:
        """Whether no link stands on the way to a path, nor at it."""
        known = self._plain.get(path)
        if known is None:
            folder = path.rpartition("/")[0]
            known = self._is_plain(folder) and not _is_link(path) if len(path) < 4096 else False
            self._plain[path] = known
        return known


def _tidied(path: str) -> str:
    """An absolute path without doubled slashes, dots and a slash at the end."""
    return "/" + "/".join([step for step in path.split("/") if step not in ("", ".", "..")])


def _cwd() -> str:
    try:
        return system.getcwd()
    except OSError:
        return ""


def _has_plain_files(folder: str) -> bool:
    names = ("settings.json", "settings.local.json", "hooks", "hooks/guard.py", "hooks.json", "config.toml")
    return not any(_is_link(f"{folder}/{name}") for name in names)


def _is_link(path: str) -> bool:
    try:
        return system.lstat(path).st_mode & _FORMAT == _LINK
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return not isinstance(sys.exc_info()[1], NotADirectoryError)
