"""What the gates share about one call: settings, the shell text read once, and the trace."""

from guardhook.call import BASH, POWERSHELL, ToolCall
from guardhook.gates import CHANGES, INIT, INIT_WORDS, INTO_FILE, UNREAD, WATCHED, WRITES
from guardhook.hatches import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.shell.unwrap import Unwrapped

# A command longer than this is not read (SPEC C9): the risk gate asks about it.
MAX_COMMAND = 1_000_000


class Context:
    """Lives for one call.

    `commands()` reads and unwraps the command text on first use; every gate gets the same result, kept in `read`.
    ask: what `asker()` gives, once it was looked up.
    """

    __slots__ = ("ask", "call", "found_marks", "read", "settings", "trace")

    def __init__(self, call: ToolCall, settings: Settings) -> None:
        self.call = call
        self.settings = settings
        self.trace: list[tuple[str, str, str]] = []
        self.read: Unwrapped | None = None
        self.found_marks: set[str] | None = None
        self.ask: str | None = None

    def commands(self) -> "Unwrapped":
        """All simple commands of the call, wrappers opened. The caller makes sure that the text is short enough."""
        if self.read is None:
            from guardhook.shell import unwrap

            language = POWERSHELL if self.call.kind == POWERSHELL else BASH
            self.read = unwrap.unwrap(self.call.command, WATCHED, language)
        return self.read

    def marks(self) -> "set[str] | None":
        """What a gate's row can ask for: the programs of all parts, WRITES, UNREAD, INIT. None: too long to be read."""
        if self.found_marks is None and len(self.call.command) <= MAX_COMMAND:
            self.found_marks = _marks(self.commands())
        return self.found_marks

    def asker(self) -> str:
        """Under Codex, the path of the program by which a person can be asked about this call, "" if none (SPEC X5)."""
        if self.ask is None:
            from guardhook.agents import codex_ask

            self.ask = codex_ask.find(self.settings.environment) if codex_ask.speaks(self.call) else ""
        return self.ask

    def note(self, gate: str, outcome: str, why: str) -> None:
        """Add a line to the trace; a gate calls this with `declined` for a shape that it cannot judge."""
        self.trace.append((gate, outcome, why))

    def settle(self, gate: str) -> None:
        """Note a plain pass, unless the gate already said that it declined."""
        if not self.trace or self.trace[-1][0] != gate:
            self.note(gate, "pass", "nothing it looks for")


# Programs that change files only with an option, and the letter or word in it.
_SOMETIMES = {"find": "-delete", "sed": "i", "perl": "i"}
# What a redirection writes to without changing a file.
_NO_FILES = ("/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty")

# A file name that ends otherwise is no prose.
_ENDINGS = (".md", ".tex", ".rst", ".txt")


def _marks(found: "Unwrapped") -> set[str]:
    marks = {invocation.name for invocation in found.invocations}
    if "git" in marks and any(
        invocation.name == "git" and not INIT_WORDS.isdisjoint(invocation.arguments) for invocation in found.invocations
    ):
        marks.add(INIT)
    if _may_change(found):
        marks.add(CHANGES)
    if found.flaws or any(invocation.obstacle for invocation in found.invocations):
        marks.add(UNREAD)
    for layer in found.layers:
        for command in layer.reading.commands:
            for redirection in command.redirections:
                word = redirection.target
                if word.parts or word.text.lower().endswith(_ENDINGS):
                    marks.add(WRITES)
                if ">" in redirection.operator and word.text not in _NO_FILES and not word.text.isdigit():
                    marks.add(INTO_FILE)
    return marks


def _may_change(found: "Unwrapped") -> bool:
    """True for a `find`, `sed` or `perl` with an option by which it changes files."""
    seen = set()  # one `find` may run thousands of programs
    for invocation in found.invocations:
        if invocation.name not in _SOMETIMES and not invocation.prefixes:
            continue
        from guardhook.shell.commands import UNKNOWN

        letters = [_SOMETIMES.get(invocation.name)]
        if invocation.prefixes and "find" in invocation.prefixes:
            letters.append(_SOMETIMES["find"])
        for letter in letters:
            if letter is not None and (invocation.command, letter) not in seen:
                seen.add((invocation.command, letter))
                for word in invocation.command.words:
                    if UNKNOWN in word.text or (word.text[:1] == "-" and letter in word.text):
                        return True
    return False
