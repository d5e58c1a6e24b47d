"""How the commands of one list hang together: operators, pipes, and who shares a process."""

from guardhook.shell.commands import BACKGROUND, GROUP, PIPELINE, UNKNOWN, Command, Compound, Redirection, Scope

_INPUT = frozenset(("<", "<<", "<<-", "<<<", "<>"))
_OUTPUT = frozenset((">", ">>", ">|", "&>", "&>>", ">&"))


class Chain:
    """One list while it is read.

    scope: where its commands run unless a pipe or `&` says otherwise.
    operator: the operator behind the last element, "" at the start; idle: no element has begun since.
    previous: the last element's command or carrier. simple: the last element if it is a simple command.
    compound: the last element if it is a compound command.
    feeder: the element in front of a pipe just met; inbound: that of the element now begun.
    piped: the element stands in a pipeline.
    element: commands and scopes that lie directly in the current element; members: in the and-or list before it.
    """

    __slots__ = (
        "compound",
        "element",
        "feeder",
        "idle",
        "inbound",
        "members",
        "operator",
        "piped",
        "previous",
        "scope",
        "simple",
    )

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.operator = ""
        self.idle = True
        self.previous: Command | None = None
        self.simple: Command | None = None
        self.compound: Compound | None = None
        self.feeder: Command | Compound | None = None
        self.inbound: Command | Compound | None = None
        self.piped = False
        self.element: list[Command | Scope] = []
        self.members: list[Command | Scope] = []

    def begin(self, command: "Command | None") -> str:
        """An element begins: a simple command, or a compound one (None). Gives the operator in front of it."""
        if self.previous is not None and self.idle:
            self.previous.after = self.operator
        self.idle = False
        self.previous = self.simple = command
        self.compound = None
        self.inbound = self.feeder
        if command is not None:
            command.feeder = self.feeder
            self.element.append(command)
        self.feeder = None
        return self.operator

    def connect(self, operator: str) -> None:
        """An operator ends the element. A newline behind another operator belongs to it, but makes `;` a newline."""
        if self.idle:
            if operator != "\n" and self.operator:
                self.operator = operator
            elif self.operator == ";":
                self.operator = "\n"
            return
        self.idle = True
        self.operator = operator
        if operator in ("|", "|&"):
            self.wrap(PIPELINE)
            self.members.extend(self.element)
            self.element = []
            self.piped = True
            if self.simple is not None and _writes_to_pipe(self.simple):
                self.feeder = self.simple
            elif self.compound is not None:
                carrier = self.compound.carrier
                self.feeder = self.compound if carrier is None or _writes_to_pipe(carrier) else None
            return
        if self.piped:
            self.wrap(PIPELINE)
            self.piped = False
        if operator in ("&&", "||"):
            self.members.extend(self.element)
            self.element = []
            return
        if operator == "&":
            self.element = self.members + self.element
            self.wrap(BACKGROUND)
        self.element.clear()
        if self.members:
            self.members = []

    def finish(self) -> None:
        """The list ends: the last element of a pipeline has a scope of its own too."""
        if self.piped and not self.idle:
            self.wrap(PIPELINE)

    def wrap(self, kind: str) -> None:
        """Put the element into a scope of its own; a group's scope becomes that scope."""
        element = self.element
        if len(element) == 1 and isinstance(element[0], Scope) and element[0].kind == GROUP:
            element[0].kind = kind
            return
        scope = Scope(kind, self.scope)
        for child in element:
            if isinstance(child, Scope):
                child.parent = scope
            else:
                child.scope = scope
        self.element = [scope]


def _leads_elsewhere(redirection: Redirection) -> bool:
    """True if the target is a file for sure; `/dev/stdout` and its kin may be the pipe itself."""
    text = redirection.target.text
    if redirection.operator == ">&" and (text.rstrip("-").isdigit() or text == "-"):
        return False
    return UNKNOWN not in text and not text.startswith(("/dev/", "/proc/"))


def _writes_to_pipe(command: Command) -> bool:
    for redirection in reversed(command.redirections):
        if redirection.operator in _OUTPUT and redirection.descriptor in ("", "1"):
            return not _leads_elsewhere(redirection)
    return True


def reads_from_pipe(command: Command) -> bool:
    """False if a redirection gives the command another standard input than its pipe."""
    for redirection in reversed(command.redirections):
        if redirection.operator in _INPUT and redirection.descriptor in ("", "0"):
            return redirection.operator in ("<", "<>") and not _leads_elsewhere(redirection)
    return True
