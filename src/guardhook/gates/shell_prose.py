"""Banned words that a shell command writes into a prose file (SPEC S): the same text, by another road.

*Where* it writes is what the reader saw; *what* it writes is the whole text of the command, because nobody can tell
from a command line which of its words end up in the file.
"""

from guardhook.call import ToolCall
from guardhook.context import MAX_COMMAND, Context
from guardhook.verdict import DENY, Verdict, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.prose.words import Hit
    from guardhook.shell.commands import Command, Compound
    from guardhook.shell.directory import Directories
    from guardhook.shell.unwrap import Unwrapped
    from guardhook.shell.writes import Write

NAME = "banned-word-shell"
CODE = "prose.word-shell"

# What searches or lists: its saved output is a record, not somebody's prose.
_SEARCHES = frozenset(
    "grep egrep fgrep rg ag ack find fd locate ls tree select-string sls get-childitem dir findstr".split()
)
_GIT_SEARCHES = frozenset("log grep diff show status ls-files blame shortlog reflog".split())
_ENDINGS = (".md", ".tex", ".rst", ".txt")


def judge(call: ToolCall, context: Context) -> Verdict | None:
    """DENY if a command writes a prose file and its text has a banned word outside code."""
    if len(call.command) > MAX_COMMAND:
        return _too_long(call, context)
    found = context.commands()
    from guardhook.prose import words

    if not words.hits(call.command) and not words.hits(_unescaped(call.command)):
        return None
    return _judge_patches(call, context, found) or _judge_targets(call, context, found)


def _too_long(call: ToolCall, context: Context) -> Verdict | None:
    """Claude Code is asked about such a command by the risk gate; Codex cannot be asked, so it is told what to do."""
    if call.agent != "codex":
        context.note(NAME, "declined", "the command is too long to be read")
        return None
    reason = (
        f"guardhook denies this command: it is {len(call.command):,} characters long, and {MAX_COMMAND:,} are read at "
        "most.\nSuggested rewrite: put the text in a file and let the command read that."
    )
    return Verdict(DENY, "shell.too-long", reason)


def _as_written(text: str, found: "Unwrapped") -> str:
    """The command as its here-documents write it: an escaped backtick in an unquoted one is a plain one in the file."""
    for layer in found.layers:
        for command in layer.reading.commands:
            for redirection in command.redirections:
                body = redirection.body
                if body is not None and "`" in body.text and not any(part.quoted for part in redirection.target.parts):
                    return text.replace("\\`", "` ")
    return text


def _unescaped(text: str) -> str:
    """With blanks for the escapes that end a line or a column: `printf 'a\\ndelve'` writes the word alone."""
    for mark in ("\\", "`"):
        if mark in text:
            for letter in "ntr":
                text = text.replace(mark + letter, "  ")
    return text


def _judge_patches(call: ToolCall, context: Context, found: "Unwrapped") -> Verdict | None:
    """Codex's patch program, fed by the shell: judged as its tool is (SPEC X3). Elsewhere there is no such program."""
    if call.agent != "codex":
        return None
    from guardhook.gates import patch_words
    from guardhook.prose import message
    from guardhook.shell import directory, patches

    for text, where in patches.patches(found, directory.Directories(found, call.cwd)):
        for path, hits in patch_words.hits(text, where, context.settings.environment):
            return _denied(call, path, hits, f"the same patch with other words: {message.instead(hits)}.")
    return None


def _judge_targets(call: ToolCall, context: Context, found: "Unwrapped") -> Verdict | None:
    from guardhook.prose import scope, spans, words
    from guardhook.shell import directory, lookup, writes

    environment = context.settings.environment
    directories = directory.Directories(found, call.cwd)
    by_extension: dict[str, list[Hit]] = {}
    for write in writes.writes(found, lookup.Lookup(environment, call.cwd).get):
        if not write.path:
            context.note(NAME, "declined", f"nobody knows yet which file `{shown(write.segment(), 80)}` writes")
            continue
        if not scope.is_prose(write.path):
            continue
        where = directories.of(write.command) if write.layer.local else ""
        if where is None and not directory.is_absolute(write.path):
            context.note(NAME, "declined", f"nobody knows in which directory {shown(write.path, 80)} lies")
            continue
        extension = scope.extension(write.path)
        if extension not in by_extension:
            text = spans.blank(_as_written(call.command, found), extension)
            by_extension[extension] = words.hits(text) or words.hits(_unescaped(text))
        hits = by_extension[extension]
        if hits and not _is_exempt(write, where or call.cwd, environment, found, directories):
            return _verdict(call, write, hits)
    return None


def _is_exempt(
    write: "Write", where: str, environment: dict[str, str], found: "Unwrapped", directories: "Directories"
) -> bool:
    """True for a file that is only carried, unless the same command makes its path lead elsewhere (SPEC I2)."""
    from guardhook.prose import scope
    from guardhook.shell import directory

    if not write.layer.local and not directory.is_absolute(write.path):
        return False
    if not scope.is_carried(write.path, where, environment):
        return False
    from guardhook.gates import relinks

    return not relinks.leads_elsewhere(write.path, where, environment, found, directories)


def _is_search(source: "Command | Compound | None") -> bool:
    """True if what is written comes from a search or a listing, through a pipe or not."""
    while source is not None:
        words = [word.text.lower() for word in getattr(source, "words", ())]
        if words and (words[0] in _SEARCHES or (words[0] == "git" and not _GIT_SEARCHES.isdisjoint(words))):
            return True
        source = source.feeder
    return False


def _verdict(call: ToolCall, write: "Write", hits: "list[Hit]") -> Verdict:
    from guardhook.prose import message
    from guardhook.shell.writes import IN_PLACE

    path = message.file(write.path)
    if write.kind == IN_PLACE:
        tool = "apply_patch" if call.agent == "codex" else "the Edit tool"
        way = f"use {tool} on {path}: its new text need not hold the word that goes. {message.instead(hits)}."
    elif _is_search(write.command):
        way = (
            "save what was found under a directory named agent-io in the scratch area, or with an extension other than "
            f"{', '.join(_ENDINGS)}."
        )
    else:
        way = f"the same text with other words: {message.instead(hits)}."
    return _denied(call, write.path, hits, way)


def _denied(call: ToolCall, path: str, hits: "list[Hit]", way: str) -> Verdict:
    from guardhook.prose import message

    found = message.found(hits, with_lines="\n" in call.command)
    reason = (
        f"guardhook denies this command: it writes {message.file(path)}, and its text has {found}. {message.WHY}\n"
        f"Suggested rewrite: {way}\n{message.marker(path)}{message.way_off(call.agent)}"
    )
    return Verdict(DENY, CODE, reason)
