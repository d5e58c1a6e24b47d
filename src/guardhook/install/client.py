"""Which Claude Code is installed, read from files: starting it could update it, log in, or take a second."""

from guardhook.session import clients

# The first release that knows `"onFailure": "block"` on a hook.
KNOWS_ON_FAILURE = (2, 1, 295)


def version(config: str, path: str | None = None) -> tuple[int, int, int] | None:
    """The client's version, None if there is no client or it does not show which it is.

    config: Claude Code's configuration folder, which can hold an installation of its own. path: a PATH to search, None
    for that of the process.
    """
    programs = clients.programs(clients.CLAUDE, config, path)
    return next(filter(None, (clients.version(clients.CLAUDE, program) for program in programs)), None)


def blocks_on_failure(found: tuple[int, int, int] | None) -> bool:
    """Shall `onFailure` be written? Yes where the version is unknown: a client that does not know a handler's field was
    measured to ignore it, and without the field a guard that cannot start lets everything run (SPEC A5)."""
    return found is None or found >= KNOWS_ON_FAILURE
