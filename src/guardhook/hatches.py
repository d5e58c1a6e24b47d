"""The escape hatches: every environment variable that can switch a gate off, and what counts as off (SPEC E1, E3).

Only the hook's own environment is read. No hatch reaches the ask rows. A test scans every module the hook can load and
fails on a variable that is not listed here, so no gate grows a way out that is not advertised.
"""

_ESCAPE_HATCH_ENV_NAMES = (
    "AGENT_STYLE_HOOK",
    "AGENT_COMPOUND_CD_HOOK",
    "AGENT_NESTED_GIT_INIT_HOOK",
    "AGENT_CONFIG_GATES",
)

# Agent -> where a person sets them.
PLACES = {
    "claude": "the env block of Claude Code's settings",
    "codex": "the environment that Codex is started in",
}

_OFF = ("off", "0", "disabled", "false", "no")


class Settings:
    """What the hook's own environment says. off: the hatches that are open; nothing else there switches anything."""

    __slots__ = ("_environment", "_known", "off")

    def __init__(self, environment: dict[str, str], whole: bool = True) -> None:
        """environment: variable names and values as the hook process has them. whole: they are all there are."""
        self.off = tuple(name for name in _ESCAPE_HATCH_ENV_NAMES if _is_off(environment.get(name, "")))
        self._environment = environment
        self._known = whole

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment: where paths lead (SPEC S3, I2)."""
        if not self._known:
            self._environment = _whole()
            self._known = True
        return self._environment


def _is_off(value: str) -> bool:
    return value.strip().lower() in _OFF


def from_process() -> Settings:
    """Settings of this process. `os` would cost a tenth of the whole start, so the built-in module is asked instead."""
    try:
        from posix import environ
    except ImportError:
        return Settings(_whole())
    return Settings({_text(name): _text(environ[name]) for name in environ if name.startswith(b"AGENT_")}, False)


def _whole() -> dict[str, str]:
    try:
        from posix import environ
    except ImportError:  # Windows
        import os

        return dict(os.environ)
    return {_text(name): _text(value) for name, value in environ.items()}


def _text(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")
