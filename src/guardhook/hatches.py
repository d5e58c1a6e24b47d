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

_OFF = ("off", "0", "disabled", "false", "no")


class Settings:
    """The hook's environment, reduced to what may change a verdict."""

    __slots__ = ("off",)

    def __init__(self, environment: dict[str, str]) -> None:
        """environment: variable names and values as the hook process has them."""
        self.off = tuple(name for name in _ESCAPE_HATCH_ENV_NAMES if _is_off(environment.get(name, "")))


def _is_off(value: str) -> bool:
    return value.strip().lower() in _OFF


def from_process() -> Settings:
    """Settings of this process. `os` would cost a tenth of the whole start, so the built-in module is asked instead."""
    try:
        from posix import environ

        return Settings({_text(name): _text(environ[name]) for name in environ if name.startswith(b"AGENT_")})
    except ImportError:  # Windows
        import os

        return Settings(dict(os.environ))


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")
