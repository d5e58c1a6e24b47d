"""The way out of a compound `cd`: the same line with `git -C DIR`, or words where no such line exists (SPEC D2, B2)."""

from guardhook.call import ToolCall
from guardhook.context import Context
from guardhook.shell.commands import LITERAL, OPAQUE, UNKNOWN, VARIABLE, Command, Word
from guardhook.shell.git import GIT
from guardhook.shell.options import walk
from guardhook.verdict import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.shell.unwrap import Invocation

# Programs that read nothing of the working directory, whatever words they are given.
_SPEAKERS = ("echo", "printf", "true", "false", ":")

# Programs that only filter what a pipe brings them, with the letters of options that name no file. Digits are allowed.
_FILTERS = {
    "cat": "AbeEnstTuv",
    "head": "cnqv",
    "sort": "bdfghiMnrsuVz",
    "tac": "",
    "tail": "cnqv",
    "uniq": "cdiuz",
    "wc": "clLmw",
}

# A new repository is put somewhere on purpose: where it belongs is for its author to say, not for a mechanical
# rewrite.
_PLACED = ("init", "clone")

# Characters of an unquoted word that the shell compares with the files of the directory, or makes several words of.
_PATTERN = "*?[{"

# Parameters that mean something else once the `cd` is gone.
_LOCAL = ("PWD", "OLDPWD", "DIRSTACK", "_", "?", "!", "PIPESTATUS")


def rewrite(call: ToolCall, context: Context, invocation: "Invocation") -> str:
    """The whole line without its `cd`; "" if part of it cannot be carried over or the result would be denied."""
    reading = invocation.layer.reading
    first = invocation.command
    if reading.compound or reading.flaw or invocation.layer.via or invocation.prefixes:
        return ""
    path = _path(first)
    # A `cd` that may not run leaves what follows where it is; CDPATH or a variable makes another place of the path.
    sets = any(command.assignments and not command.words for command in reading.commands)
    if sets or "CDPATH" in reading.text or first.before not in ("", ";", "\n"):
        return ""
    number = reading.commands.index(first)
    behind = reading.commands[number + 1 :]
    # If the directory is missing, nothing behind the `cd` runs; so git, which then fails too, must come first.
    if path is None or not behind or behind[0].words[:1] == [] or behind[0].words[0].text != "git":
        return ""
    if not all(_operators_fit(command) for command in reading.commands):
        return ""
    if not all(_carries(command) for command in behind):
        return ""
    where = " -C " + reading.text[path.start : path.end]
    cuts = [(command.words[0].end, where) for command in behind if command.words[0].text == "git"]
    line = _insert(reading.text, cuts, first.start, behind[0].start).strip()
    return "" if not cuts or "\n" in line or _is_denied(call, context, line) else line


def _operators_fit(command: Command) -> bool:
    return command.before in ("", "&&", ";", "|", "\n") and command.after in ("", "&&", ";", "|", "\n")


def _path(command: Command) -> Word | None:
    """The directory of a plain `cd DIR` that git would understand the same way."""
    words = command.words[1:]
    if words and words[0].text == "--":
        words = words[1:]
    if len(words) != 1 or command.redirections or command.assignments or command.words[0].text != "cd":
        return None
    path = words[0]
    steps = path.text.split("/")
    climbs = ".." in steps[steps.count("..") :]  # `link/..` is another place for git than for the shell
    splits = any(part.operator and not part.quoted for part in path.parts)  # `${D:-a b}` is two words for git
    return path if path.text and path.text[0] not in "-+" and not climbs and not splits and _is_portable(path) else None


def _is_portable(word: Word) -> bool:
    """The word means the same in another directory: no substitution, no file name pattern, no `$PWD`, no `~+`."""
    if word.text[:2] in ("~+", "~-"):
        return False
    if not word.parts:
        return not any(c in word.text for c in _PATTERN)
    for part in word.parts:
        if part.kind == OPAQUE or (part.kind == VARIABLE and part.text.partition("[")[0] in _LOCAL):
            return False
        if part.kind == LITERAL and not part.quoted and any(c in part.text for c in _PATTERN):
            return False
        if part.operand is not None and not _is_portable(part.operand):
            return False
    return True


def _carries(command: Command) -> bool:
    """The command does the same without the `cd`, once git has been told the directory."""
    words = command.words
    if not words or command.redirections or words[0].parts:
        return False
    values = [assignment.value for assignment in command.assignments]
    if not all(_is_portable(word) for word in words) or not all(value and _is_portable(value) for value in values):
        return False
    name = words[0].text
    if name == "git":
        texts = [word.text for word in words]
        stop = walk(texts, GIT, 1).stop
        return stop < len(texts) and texts[stop] not in _PLACED and UNKNOWN not in texts[stop]
    if name in _FILTERS and command.before == "|":
        return all(_names_no_file(word.text, _FILTERS[name]) for word in words[1:])
    return name in _SPEAKERS


def _names_no_file(word: str, letters: str) -> bool:
    return word.isdigit() or (word[:1] == "-" and not word[1:].strip(letters + "0123456789"))


def _insert(text: str, cuts: list[tuple[int, str]], start: int, end: int) -> str:
    """text without its characters start..end, with each piece of `cuts` put in at its position (all behind `end`)."""
    pieces = [text[:start]]
    for position, piece in cuts:
        pieces += [text[end:position], piece]
        end = position
    return "".join([*pieces, text[end:]])


def _is_denied(call: ToolCall, context: Context, line: str) -> bool:
    from guardhook import engine

    again = ToolCall(call.agent, call.tool, call.kind, line, call.cwd, call.session)
    verdict = engine.decide(again, context.settings).verdict
    return verdict is not None and verdict.kind == "deny"


def words(invocation: "Invocation") -> str:
    """The way out in words, for a line that has no mechanical rewrite."""
    place = shown(invocation.segment(200), 120)
    if _has_handler(invocation):
        return (
            f"make separate calls: first `{place}` alone, then, once you have seen whether it worked, the command that "
            "fits. Behind || it would run in a directory that nobody chose."
        )
    programs = {command.words[0].text for command in invocation.layer.reading.commands if command.words}
    git = " (git's is `-C`)" if "git" in programs else ""
    return (
        f"pass the directory to the program, which may have an option for it{git} or take a path; or put the line into "
        "a subshell, `( … )`, which leaves the session where it is; or make separate calls."
    )


def _has_handler(invocation: "Invocation") -> bool:
    """True if the list behind the `cd` holds a `||`."""
    commands = invocation.layer.reading.commands
    for command in commands[commands.index(invocation.command) :]:
        if command.after == "||" or command.before == "||":
            return True
        if command.after in ("\n", ""):
            return False
    return False
