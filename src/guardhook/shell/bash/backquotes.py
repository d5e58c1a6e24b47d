"""Backquoted commands that hold backslashes: read from a copy without them, with spans carried back to the text."""

from guardhook.shell.commands import ArrayWord, Command, Word


def unescape(source: str, start: int, size: int, double: bool) -> tuple[str, list[int], int]:
    """The text of the backquoted command at `start`, where each of its characters begins, and the closing position.

    A backslash goes in front of `$`, a backquote or a backslash, and, with `double`, of `"`. The list is one position
    longer than the text. The closing position is `size` if there is no closing backquote.
    """
    special = '$`\\"' if double else "$`\\"
    pieces: list[str] = []
    positions: list[int] = []
    i = start
    end = source.find("`", i, size)
    while True:
        end = size if end < 0 else end
        slash = source.find("\\", i, end)
        stop = end if slash < 0 else slash
        pieces.append(source[i:stop])
        positions.extend(range(i, stop))
        if slash < 0:
            break
        i = min(slash + 2, size)
        if i > slash + 1 and source[slash + 1] in special:
            pieces.append(source[slash + 1])
            positions.append(slash)
        else:
            pieces.append(source[slash:i])
            positions.extend(range(slash, i))
        if i > end:
            end = source.find("`", i, size)
    positions.append(end)
    return "".join(pieces), positions, end


def relocate(commands: list[Command], first: int, positions: list[int], done: list[tuple[int, int]]) -> None:
    """Carry the spans of the commands from `first` on back to the text, but for those in the ranges `done`."""
    i = first
    for begin, end in [*done, (len(commands), len(commands))]:
        for command in commands[i:begin]:
            _relocate_command(command, positions)
        i = end


def _relocate_command(command: Command, positions: list[int]) -> None:
    command.start, command.end = positions[command.start], positions[command.end]
    for word in command.words:
        _relocate_word(word, positions)
    for assignment in command.assignments:
        if assignment.value is not None:
            _relocate_word(assignment.value, positions)
        for word in assignment.elements or ():
            _relocate_word(word, positions)
    for redirection in command.redirections:
        _relocate_word(redirection.target, positions)
        if redirection.body is not None:
            _relocate_word(redirection.body, positions)


def _relocate_word(word: Word, positions: list[int]) -> None:
    word.start, word.end = positions[word.start], positions[word.end]
    for part in word.parts:
        if part.operand is not None:
            _relocate_word(part.operand, positions)
    if isinstance(word, ArrayWord):
        for element in word.elements:
            _relocate_word(element, positions)
