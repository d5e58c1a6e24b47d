"""Shapes of a call in which no `git init` is judged (SPEC N4, and GIT_DIR of N2).

The escapes are looked for in the raw text, whatever the shell and however often they are doubled: where an escape moves
the end of a quoted region or of a comment, a reader that is wrong about it denies what nobody wrote.
"""

from guardhook.call import POWERSHELL
from guardhook.shell.unwrap import Unwrapped

_ESCAPED_QUOTES = ('\\"', "\\'", '`"', "`'")
_HERE_STRINGS = ('@"', "@'")
_BOUNDARIES = " \t\n;&|()"
_DEFINITIONS = (("", "()"), ("", " ()"), ("function ", ""))
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE")
# What runs its script block somewhere else: on another machine, or in a process with a directory of its own.
_REMOTE = frozenset("invoke-command icm enter-pssession etsn new-pssession nsn start-job sajb start-threadjob".split())


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
            if layer.language == POWERSHELL and part.words and layer.program(part.words[0].text) in _REMOTE:
                return "the command goes to another machine or process, where a path is another one"
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
    why = _redefined(command, found)
    if why:
        return why
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


def _redefined(command: str, found: Unwrapped) -> str:
    """Why a word of the call may not mean what it says, or ""."""
    for name in ("git", "cd", "mkdir"):
        if any(f"{start}{name}{end}" in command for start, end in _DEFINITIONS):
            return f"the command may define {name} anew"
    for layer in found.layers:
        for part in layer.reading.commands:
            words = [word.text for word in part.words]
            name = layer.program(words[0]) if words else ""
            if name in ("alias", "hash", "set-alias", "sal", "new-alias", "nal") and any(
                "git" in word for word in words
            ):
                return "the command may define git anew"
            if (name == "printf" and words[1:2] and words[1][:2] == "-v") or (
                name in ("declare", "typeset", "local") and any(word[:1] == "-" and "n" in word for word in words[1:])
            ):
                return "the command sets a variable by its name, which is not followed"
    return "the command sets IFS, so where words end is in doubt" if is_touched("IFS", found) else ""


def is_touched(name: str, found: Unwrapped) -> bool:
    """True if a command of the call sets or unsets a variable, or reads into it."""
    if _is_set(name, found):
        return True
    for layer in found.layers:
        for command in layer.reading.commands:
            if any(word.text == name or word.text.lower() == "env:" + name.lower() for word in command.words[1:]):
                return True
    return False


def is_emptied(found: Unwrapped) -> bool:
    """True if a command of the call runs without the environment: `env -i`."""
    for layer in found.layers:
        for command in layer.reading.commands:
            words = [word.text for word in command.words]
            if "env" in words and any(word in ("-", "--ignore-environment") or _is_i(word) for word in words):
                return True
    return False


def _is_i(word: str) -> bool:
    return word[:1] == "-" and word[1:2] != "-" and "i" in word


def _is_set(name: str, found: Unwrapped) -> bool:
    """True if a command of the call sets the variable, for itself, for its shell or through `env` and its kin."""
    for layer in found.layers:
        for command in layer.reading.commands:
            if any(assignment.name.upper() == name for assignment in command.assignments):
                return True
            if any(word.text.startswith(name + "=") for word in command.words):
                return True
    return False
