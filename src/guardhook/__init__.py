"""guardhook: the hook that coding agents start before each tool call."""

__version__ = "0.1.0"
