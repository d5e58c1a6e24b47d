"""One tool call as the gates see it, whichever agent made it (SPEC A3)."""

# Tool classes: what a gate's table row names. UNKNOWN_SHELL is a tool guardhook does not know that carries a string
# command, an MCP server's shell say.
BASH = "bash"
MONITOR = "monitor"
POWERSHELL = "powershell"
UNKNOWN_SHELL = "unknown shell"
OTHER = "other"

SHELLS = (BASH, MONITOR, POWERSHELL, UNKNOWN_SHELL)


class ToolCall:
    """agent: `claude` or `codex`. tool: the name the agent gave ("" for a payload without one).

    kind: the tool's class, one of the constants above.
    command: the shell text of a shell tool, else "". cwd: the payload's working directory, "" if it has none.
    session: the agent's session id, "" if none.
    """

    __slots__ = ("agent", "command", "cwd", "kind", "session", "tool")

    def __init__(self, agent: str, tool: str, kind: str, command: str = "", cwd: str = "", session: str = "") -> None:
        self.agent = agent
        self.tool = tool
        self.kind = kind
        self.command = command
        self.cwd = cwd
        self.session = session
