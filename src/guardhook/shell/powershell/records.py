"""What PowerShell's readings hold beyond the records that every shell's reader gives."""

from guardhook.shell.commands import Command, Scope, Word


class ListItem(Word):
    """An element of a list `a, b` behind its first one: the same argument as the word before."""

    __slots__ = ()


class Expression(Command):
    """A pipeline's element in expression mode: a value that goes down the pipe, and no command.

    It has no words and counts as a carrier; its redirections are where the value is written.
    value: the value's word, with literal text where it is a literal; the first element of a list.
    elements: all elements of a list `'a', 'b'`; one for anything else, none
    for `@()`. listed: it was written as a list or `@( )`.
    """

    __slots__ = ("elements", "listed", "value")

    def __init__(self, scope: Scope, before: str, start: int, value: Word, elements: tuple[Word, ...]) -> None:
        super().__init__(scope, before, start)
        self.carrier = True
        self.value = value
        self.elements = elements
        self.listed = False
