"""Variables of the hook's own environment, under the names that the shells have for them (SPEC S3)."""


class Lookup:
    """cwd: the working directory of the call. environment: the hook's own."""

    __slots__ = ("cwd", "environment")

    def __init__(self, environment: dict[str, str], cwd: str) -> None:
        self.cwd = cwd
        self.environment = environment

    def get(self, name: str) -> str | None:
        """The value of a variable that a command does not set itself, or None."""
        if name in ("PWD", "$pwd"):
            return self.cwd or None
        return self.environment.get("HOME" if name == "$home" else name)
