"""Shapes of a call in which no `git init` is judged (SPEC N4, and GIT_DIR of N2).

The escapes are looked for in the raw text, whatever the shell and however often they are doubled: where an escape moves
the end of a quoted region or of a comment, a reader that is wrong about it denies what nobody wrote.
"""

from guardhook.call import POWERSHELL
from guardhook.shell.unwrap import Unwrapped

_ESCAPED_QUOTES = ('\\"', "\\'", '`"', "`'")
_HERE_STRINGS = ('@"', "@'")
_BOUNDARIES = " \t\n;&|()"
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE")


def declined(command: str, environment: dict[str, str], found: Unwrapped) -> str:
    """Why nothing in a call is judged, or "".

    command: its whole text. environment: the hook's own.
    """
    for layer in found.layers:
        text = layer.reading.text
        if layer.language == POWERSHELL:
            if any(_opens_here_string(text, opening) for opening in _HERE_STRINGS):
                return "the command has a here-string, whose text reads like commands"
            if "<#" in text:
                return "the command has a block comment, which may span lines"
        for part in layer.reading.commands:
            if any(redirection.operator in ("<<", "<<-") for redirection in part.redirections):
                return "the command has a here-document, whose body reads like commands"
    if any(pair in command for pair in _ESCAPED_QUOTES):
        return "a backslash or backtick stands immediately before a quote, so where quotes end is in doubt"
    if _has_escaped_boundary(command):
        return "a # that may begin a comment stands behind an escaped character, so where the comment ends is in doubt"
    for name in _ELSEWHERE:
        if name in environment:
            return f"the environment has {name}, which says where the repository is"
        if _is_set(name, found):
            return f"the command sets {name}, which says where the repository is"
    return f"the command has {found.flaws[0]}" if found.flaws else ""


def _opens_here_string(text: str, opening: str) -> bool:
    """True if nothing but blanks follows `opening` in one of the lines."""
    return any(opening in line and not line.rpartition(opening)[2].strip() for line in text.split("\n")[:-1])


def _has_escaped_boundary(text: str) -> bool:
    at = text.find("#", 2)
    while at > 0:
        if text[at - 1] in _BOUNDARIES and text[at - 2] in "\\`":
            return True
        at = text.find("#", at + 1)
    return False


def _is_set(name: str, found: Unwrapped) -> bool:
    """True if a command of the call sets the variable, for itself, for its shell or through `env` and its kin."""
    for layer in found.layers:
        for command in layer.reading.commands:
            if any(assignment.name.upper() == name for assignment in command.assignments):
                return True
            if any(word.text.startswith(name + "=") for word in command.words):
                return True
    return False
