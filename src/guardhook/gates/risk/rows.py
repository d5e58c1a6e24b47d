"""What a risk row is: data that names a program, a subcommand path, and the options that make the call risky."""

from guardhook.shell.options import Grammar, Walk


class Condition:
    """What must hold of the arguments behind a row's path. A family with a question of its own subclasses it."""

    __slots__ = ()

    def holds(self, walk: Walk) -> bool:
        """True if the call is what the row names. walk: all arguments behind the path, read by the leaf's grammar."""
        raise NotImplementedError


class Options(Condition):
    """Holds if every group has one of its options in the walk: `Options("-r -R --recursive", "-f --force")`."""

    __slots__ = ("groups",)

    def __init__(self, *groups: str) -> None:
        self.groups = tuple(tuple(group.split()) for group in groups)

    def holds(self, walk: Walk) -> bool:
        return all(walk.has(*group) for group in self.groups)


class Dashes(Condition):
    """Holds if the arguments contain the separator `--`."""

    __slots__ = ()

    def holds(self, walk: Walk) -> bool:
        return walk.dashes >= 0


class Row:
    """One thing worth asking about.

    code: stable verdict code (`git.push`). row: the row's name in SPEC C (`git` `gh` `publish` `delete`).
    path: program and subcommands (`"gh pr create"`), spelled as the program's base name.
    label: the act in a few words, as a person would type it. why: one clause that says what cannot be taken back.
    condition: what must hold of the arguments behind the path; None for "always".
    """

    __slots__ = ("code", "condition", "label", "path", "row", "why")

    def __init__(self, code: str, path: str, label: str, why: str, condition: "Condition | None" = None) -> None:
        self.code = code
        self.row = code.partition(".")[0]
        self.path = tuple(path.split())
        self.label = label
        self.why = why
        self.condition = condition


__all__ = ["Condition", "Dashes", "Grammar", "Options", "Row"]
