"""One tool call as the gates see it, whichever agent made it (SPEC A3)."""

# The languages of a shell text; each has one reader. The first two are tool classes as well.
BASH = "bash"
POWERSHELL = "powershell"
CMD = "cmd"

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Old text (None where the new text is the whole file), new text, whether every occurrence is replaced.
    Edit = tuple[str | None, str, bool]

# Tool classes: what a gate's table row names. EDITOR is a tool that writes files, PATCH one whose
# command is a patch. UNKNOWN_SHELL is a tool guardhook does not know that carries a string
# command, an MCP server's shell say.
MONITOR = "monitor"
UNKNOWN_SHELL = "unknown shell"
EDITOR = "editor"
PATCH = "patch"
OTHER = "other"

SHELLS = (BASH, MONITOR, POWERSHELL, UNKNOWN_SHELL)


class ToolCall:
    """agent: `claude` or `codex`. tool: the name the agent gave ("" for a payload without one).

    kind: the tool's class, one of the constants above.
    command: the shell text of a shell tool, a PATCH's patch, else "".
    cwd: the payload's working directory, session: the agent's session id, "" where there is none.
    mode: the client's permission mode, "" where it does not say.
    path, edits: the file that an EDITOR changes, and how, in order.
    """

    __slots__ = ("agent", "command", "cwd", "edits", "kind", "mode", "path", "session", "tool")

    def __init__(self, agent: str, tool: str, kind: str, command: str = "", cwd: str = "", session: str = "") -> None:
        self.path = ""
        self.mode = ""
        self.edits: list[Edit] = []
        self.agent = agent
        self.tool = tool
        self.kind = kind
        self.command = command
        self.cwd = cwd
        self.session = session
