"""Codex's files as they are: the guard's handlers in hooks.json, whether Codex runs them, what its real ask needs."""

import os
import re
import shlex
import tomllib
from collections.abc import Mapping

from guardhook.health import files, patterns
from guardhook.health.settings import Entry
from guardhook.install import codex_form, codex_handler, codex_hooks, codex_places, codex_trust, jsontext
from guardhook.install.claude import Own
from guardhook.install.codex_form import RefusedError
from guardhook.install.codex_places import CodexHome
from guardhook.install.codex_rules import AskPlaces
from guardhook.install.codex_trust import State
from guardhook.install.places import Places

TOOLS = ("Bash", "apply_patch")
# A matcher may also name the patch tool as the file tools of another agent (0.171.0).
_NAMES = {"apply_patch": ("apply_patch", "Edit", "Write")}
_EXACT = re.compile(r"[A-Za-z0-9_|]+")
_SHELL_WORDS = 4  # of the shell around a guard that fails closed


class Hook:
    """One handler of ours. entry: its fields. state: what Codex does with it. script: the launcher that it names.

    closed: is a call blocked when it cannot start? moved: the entry (from 1) whose trust it has, 0 for none.
    """

    __slots__ = ("closed", "entry", "interpreter", "moved", "script", "state")

    def __init__(self, entry: Entry, state: State) -> None:
        self.entry = entry
        self.state = state
        self.closed = codex_handler.is_closed(entry.command)
        words = shlex.split(entry.command)[_SHELL_WORDS if self.closed else 0 :]
        self.interpreter = os.path.expandvars(os.path.expanduser(words[0]))
        script = next((word for word in words[1:] if not word.startswith("-")), "")
        self.script = os.path.normpath(os.path.expandvars(os.path.expanduser(script)))
        self.moved = 0


class Ask:
    """The real ask (SPEC X5). installed: is it, whole or in part? rules, program: "" or what is wrong with the file."""

    __slots__ = ("installed", "places", "program", "rules")

    def __init__(self, where: AskPlaces) -> None:
        self.places = where
        copy, rules = files.read(where.copy), files.read(where.rules)
        self.installed = copy.exists
        self.rules = self.program = ""
        if self.installed and (copy.data is None or copy.data != rules.data):
            self.rules = rules.flaw or ("it is gone" if not rules.exists else "it is not what was installed")
        if self.installed and not os.access(where.program, os.X_OK):
            self.program = "it cannot be run" if os.path.lexists(where.program) else "it is gone"

    @property
    def works(self) -> bool:
        """Can Codex's rules ask a person?"""
        return self.installed and not self.rules


class CodexSide:
    """home: its places. exists: is there such a folder? refused: "" or why hooks.json is not read. hooks: ours, in
    order. wired: does hooks.json exist at all?"""

    __slots__ = ("ask", "exists", "home", "hooks", "refused", "wired")

    def __init__(self, home: CodexHome, where: Places) -> None:
        self.home = home
        self.exists = os.path.isdir(home.home)
        self.refused = ""
        self.hooks: list[Hook] = []
        self.wired = False
        self.ask = Ask(AskPlaces(where.releases, home.home))


def look(where: Places) -> CodexSide:
    """Codex's home of this environment, with what is in it."""
    found = CodexSide(codex_places.from_environment(), where)
    if not found.exists:
        return found
    hooks, config = files.read(found.home.hooks), files.read(found.home.config)
    found.wired = hooks.exists
    found.refused = hooks.flaw
    try:
        document = codex_form.read(hooks.data or b"{}")
    except RefusedError as error:
        found.refused = str(error)
        return found
    for own in codex_hooks.find(document, where):
        found.hooks.append(_hook(own, found.home.hooks, config))
    return found


def misses(matcher: object) -> list[str]:
    """The tools of TOOLS whose calls a matcher keeps from a hook (measured on Codex 0.171.0)."""
    if not isinstance(matcher, str) or matcher in ("", "*"):
        return []
    return [tool for tool in TOOLS if not any(_matches(matcher, name) for name in _NAMES.get(tool, (tool,)))]


def _matches(matcher: str, name: str) -> bool:
    if _EXACT.fullmatch(matcher):
        return name in matcher.split("|")
    try:
        return patterns.fits(lambda: re.search(matcher, name) is not None)
    except re.error:
        return False


def _hook(own: Own, path: str, config: files.File) -> Hook:
    matcher, value = own.group.member("matcher"), jsontext.value(own.node)
    text = jsontext.value(matcher) if matcher else None
    entry = Entry("PreToolUse", own.group_index + 1, text, value if isinstance(value, dict) else {}, path)
    entry.own = True
    hook = Hook(entry, codex_trust.own_state(own, path, config.data, config.flaw))
    if hook.state.name in (codex_trust.UNTRUSTED, codex_trust.MODIFIED):
        hook.moved = _moved(own, path, config.data or b"")
    return hook


def _moved(own: Own, path: str, config: bytes) -> int:
    """The entry, from 1, for which Codex holds the trust that this handler would need; 0 for none."""
    records: object = tomllib.loads(config.decode("utf-8-sig")).get("hooks", {}).get("state", {})
    current = codex_trust.own_hash(own)
    for name, record in records.items() if isinstance(records, Mapping) else ():
        if isinstance(record, dict) and record.get("trusted_hash") == current:
            file, _, indices = name.partition(f":{codex_trust.LABEL}:")
            number = indices.partition(":")[0]
            if file.strip() == path and number.isdecimal():
                return int(number) + 1
    return 0
