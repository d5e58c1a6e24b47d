"""What the gates share about one call: settings, the shell text read once, and the trace."""

from guardhook.call import ToolCall
from guardhook.gates import WATCHED
from guardhook.hatches import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.shell.unwrap import Unwrapped

# A command longer than this is not read (SPEC C9): the risk gate asks about it.
MAX_COMMAND = 1_000_000


class Context:
    """Lives for one call.

    `commands()` reads and unwraps the command text on first use; every gate gets the same result, kept in `read`.
    """

    __slots__ = ("call", "read", "settings", "trace")

    def __init__(self, call: ToolCall, settings: Settings) -> None:
        self.call = call
        self.settings = settings
        self.trace: list[tuple[str, str, str]] = []
        self.read: Unwrapped | None = None

    def commands(self) -> "Unwrapped":
        """All simple commands of the call, wrappers opened. The caller makes sure that the text is short enough."""
        if self.read is None:
            from guardhook.shell import unwrap

            self.read = unwrap.unwrap(self.call.command, WATCHED)
        return self.read

    def note(self, gate: str, outcome: str, why: str) -> None:
        """Add a line to the trace; a gate calls this with `declined` for a shape that it cannot judge."""
        self.trace.append((gate, outcome, why))

    def settle(self, gate: str) -> None:
        """Note a plain pass, unless the gate already said that it declined."""
        if not self.trace or self.trace[-1][0] != gate:
            self.note(gate, "pass", "nothing it looks for")
