"""Assignments: what is assigned to, and which value."""

from guardhook.shell.commands import Assignment, Command, Word
from guardhook.shell.powershell.brackets import Brackets, is_known
from guardhook.shell.powershell.records import Expression
from guardhook.shell.powershell.values import Values


def assign(reader: Brackets, left: Values, operator: str, start: int, depth: int) -> None:
    """Read what follows the assignment operator that is here, and record what the variables in `left` are given.

    It is a whole statement (about_Assignment_Operators): `$x = git push`, `$x = if (...) { ... }`, `$x = $y = 1`.
    """
    chain = reader.chain
    reader.at += len(operator)
    reader.gap()
    begin = reader.at
    if reader.too_deep(depth):
        return
    right = reader.sequence(chain.scope, "", depth + 1, True)
    end = max(begin, _trimmed(reader, begin, reader.at))
    command = Command(chain.scope, "", start)
    command.end = max(end, left.end)
    element = reader.lone(right)
    words: list[Word] = []
    listed = False
    inner = right.previous
    if element is not None:
        reader.commands.pop()
        words, listed = list(element.elements), element.listed
    elif right.count == 1 and inner is not None and inner.assignments and not isinstance(inner, Expression):
        reader.commands.pop()
        command.assignments = inner.assignments
        last = inner.assignments[-1]
        words, listed = ([last.value], False) if last.value is not None else (list(last.elements or ()), True)
    if operator not in ("=", "+=") or not (words or listed) or not all(map(is_known, words)):
        words, listed = [reader.opaque_word(begin, end)], False
    command.assignments = _assignments(reader, left, operator, words, listed) + command.assignments
    if command.assignments:
        chain.begin(command)
        reader.commands.append(command)
    else:
        chain.begin(None)


def _trimmed(reader: Brackets, begin: int, end: int) -> int:
    """`end` without the blanks in front of it."""
    code = reader.code
    while end > begin and code[end - 1] in " \n":
        end -= 1
    return end


def _assignments(reader: Brackets, left: Values, operator: str, words: list[Word], listed: bool) -> list[Assignment]:
    """One assignment for each variable on the left side, with the element that it is given where that is known."""
    append = operator == "+="
    targets = left.targets
    if len(targets) == 1:
        if targets[0] is None:
            return []
        name, subscript = targets[0]
        if listed:
            return [Assignment(name, None, append, tuple(words), subscript)]
        return [Assignment(name, words[0], append, None, subscript)]
    if len(words) != len(targets):
        start, end = (words[0].start, words[-1].end) if words else (left.end, left.end)
        words = [reader.opaque_word(start, end)] * len(targets)
    return [
        Assignment(target[0], word, append, None, target[1])
        for target, word in zip(targets, words, strict=True)
        if target is not None
    ]
