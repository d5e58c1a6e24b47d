"""Which Claude Code is installed, read from files: starting it could update it, log in, or take a second.

And what it makes of our entries, as measured on the releases from 1.0.38 to 2.1.332: `docs/claude-code-versions.md`.
"""

from guardhook.session import clients

# The first release in which a hook can deny by a JSON answer; older ones let the call run.
KNOWS_DENY = (1, 0, 59)
# The first release that has the event SessionStart.
KNOWS_SESSION_START = (1, 0, 62)
# The first release that has the event ConfigChange and keeps the old settings in force when its hook says so.
KNOWS_CONFIG_CHANGE = (2, 1, 48)
# The first release in which an `ask` stands above an allow rule and above bypassPermissions.
KNOWS_ASK = (2, 1, 85)
# The first release that ignores an event it does not know; older ones drop the whole settings file, and say nothing.
IGNORES_UNKNOWN_EVENTS = (2, 1, 101)
# The first release that knows `"onFailure": "block"` on a hook; older ones ignore the field.
KNOWS_ON_FAILURE = (2, 1, 295)

# The events of our entries that came later than hooks themselves.
_SINCE = {"SessionStart": KNOWS_SESSION_START, "ConfigChange": KNOWS_CONFIG_CHANGE}


def version(config: str, path: str | None = None) -> tuple[int, int, int] | None:
    """The client's version, None if there is no client or it does not show which it is.

    config: Claude Code's configuration folder, which can hold an installation of its own. path: a PATH to search, None
    for that of the process.
    """
    programs = clients.programs(clients.CLAUDE, config, path)
    return next(filter(None, (clients.version(clients.CLAUDE, program) for program in programs)), None)


def blocks_on_failure(found: tuple[int, int, int] | None) -> bool:
    """Does this client block a call when the guard cannot start (SPEC A5)? Taken for granted where its version is
    unknown. `onFailure` is written for any: every release that was tried ignores a handler's field it does not know."""
    return found is None or found >= KNOWS_ON_FAILURE


def knows_config_change(found: tuple[int, int, int] | None, config: str = "", path: str | None = None) -> bool:
    """Shall a ConfigChange hook be wired (SPEC P3)? A client that does not know the event drops the whole settings file
    for it, the guard and all permission rules. So not for one whose version cannot be told; where none is installed,
    one that comes later knows it.

    found: of `version`, and config and path as there.
    """
    if found is None:
        return not clients.programs(clients.CLAUDE, config, path)
    return found >= KNOWS_CONFIG_CHANGE


def knows_session_start(found: tuple[int, int, int] | None) -> bool:
    """Shall a SessionStart hook be wired? Yes where the version is unknown: hooks without it were there for four weeks
    of 2025 only."""
    return found is None or found >= KNOWS_SESSION_START


def asks(found: tuple[int, int, int] | None) -> bool:
    """Does an `ask` reach a person whatever the permission rules say? An older client runs such a call without a word
    if an allow rule or bypassPermissions covers it."""
    return found is None or found >= KNOWS_ASK


def dropped_for(found: tuple[int, int, int] | None, events: list[str]) -> str:
    """The first of these events of ours for which this client drops its whole settings file; "" if there is none."""
    if found is None or found >= IGNORES_UNKNOWN_EVENTS:
        return ""
    return next((event for event in events if event in _SINCE and found < _SINCE[event]), "")
