"""A real ask on Codex, which knows none: the call is rewritten so that Codex's own rules prompt a person (SPEC X5).

Measured on 0.171.0, whose rules are tried on what a hook leaves. They see one plain command at most: the program's word
must stand bare, and what a person is asked about is one quoted word at the end. Anything else would run unasked.
"""

import sys

from guardhook.agents.claude import quote as json_string
from guardhook.call import BASH
from guardhook.context import Context
from guardhook.verdict import ASK, DENY, Decision, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.call import ToolCall

PROGRAM = "guardhook-ask"  # beside the launcher; it runs what was approved
COPY = "guardhook-ask.rules"  # beside it: what the rules file must hold, byte for byte
RULES = "rules/guardhook.rules"  # in Codex's home, where Codex reads every *.rules
HEAD = "# The rules of guardhook for "  # how both begin; the program's path follows, to the end of the line

# Linux takes no argument of 128 KB. Codex may quote the command once more before it starts the shell.
MAX_BYTES = 120_000
_MAX_FILE = 1_000_000  # SPEC A8
_FORMAT, _REGULAR = 0o170000, 0o100000

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
PLAIN = frozenset(_LETTERS + "0123456789/._-")

# Codes, the gravest first: what nobody can read, what is lost, what others see, what can be mended.
GRAVITY = (
    "protect.change protect.unread"
    " guard.fault shell.too-long shell.unread shell.too-deep shell.encoded delete.mkfs delete.dd delete.shred delete.rm"
    " delete.remove-item delete.rd delete.del gh.repo-delete gh.api-delete gh.release-delete publish.npm publish.pnpm"
    " publish.yarn publish.bun publish.uv publish.poetry publish.hatch publish.flit publish.pdm publish.twine"
    " publish.cargo publish.gem publish.npm-unpublish publish.pnpm-unpublish publish.yarn-unpublish gh.release-create"
    " gh.release-upload gh.release-edit git.push gh.pr-merge gh.api-write gh.pr-create gh.pr-close git.clean"
    " git.reset-hard git.stash-clear git.stash-drop git.checkout-discard git.branch-delete git.tag-delete git.rebase"
    " git.merge git.commit"
).split()

# Codes that no row has -> the act, and why a person should see it.
ROWLESS = {
    "protect.change": ("a change to what keeps guardhook in place", "without it, every later call runs unseen"),
    "protect.unread": ("a command that may change what keeps guardhook in place", "it has too much to follow"),
    "guard.fault": ("a command that could not be judged", "guardhook itself failed"),
    "shell.too-long": ("a command too long to be read", "nobody has looked at what it runs"),
    "shell.unread": ("a command that cannot be read", "a part of it may hide what runs"),
    "shell.too-deep": ("a command wrapped too deep", "guardhook could not look at what it runs"),
    "shell.encoded": ("an encoded command", "nobody can see what it runs"),
}


def find(environment: dict[str, str], folder: str = "") -> str:
    """The path of guardhook-ask while a person can be asked, else "".

    That is while Codex's rules file is what was installed, to the byte. environment: the hook's own. folder: where the
    launcher really lies; by default where this process was started from.
    """
    folder = folder or sys.path[0].rpartition("/")[0]
    home = environment.get("CODEX_HOME") or (environment.get("HOME") or "/nowhere") + "/.codex"
    rules = _read(f"{folder}/{COPY}")
    if not rules.startswith(HEAD.encode()) or rules != _read(f"{home}/{RULES}"):
        return ""
    program = rules[len(HEAD) :].partition(b"\n")[0].decode("utf-8", "replace")
    return program if is_plain(program) else ""


def is_plain(path: str) -> bool:
    """True for an absolute path that a shell, and Codex's reading of it, takes as one bare word."""
    return path.startswith("/") and PLAIN.issuperset(path)


def speaks(call: "ToolCall") -> bool:
    """Does Codex try its rules on this call? An MCP server's tool may carry a command too, and is no shell of Codex."""
    return call.kind == BASH and call.tool == "Bash"


def unwrap(context: Context) -> None:
    """Have the text inside a command of our own form judged, so that it is not wrapped twice.

    The form must be ours to the letter: every other spelling is opened as a wrapper, and wrapped again.
    """
    given = context.call.command
    program = context.asker() if PROGRAM in given else ""
    if program and given.startswith(program + " "):
        from guardhook.shell.bash import lexer

        commands = lexer.read(given).commands
        words = [word.text for word in commands[0].words] if len(commands) == 1 else []
        named = words[2:-4]
        ours = len(words) > 5 and len(named) < 2 and PLAIN.issuperset(words[1])
        if ours and line(program, words[1], named, words[-1]) == given:
            context.call.command = words[-1]


def render(decision: Decision, context: Context, given: str) -> tuple[bytes, int, str]:
    """Standard output, exit status and standard error for a decision to ask (SPEC X4, X5).

    given: the command as Codex sent it. Nothing where nobody can be asked, or where Codex asks already; a denial for a
    command that cannot be handed on.
    """
    command = handed_on(decision, context)
    if not command or command == given or decision.verdict is None:
        return b"", 0, ""
    try:
        too_long = len(command.encode()) > MAX_BYTES
    except UnicodeEncodeError:  # a lone surrogate, which would void the answer
        too_long = True
    if too_long:
        from guardhook.agents import codex

        verdict = Verdict(DENY, decision.verdict.code, _TOO_LONG + decision.verdict.reason)
        return codex.render(Decision(verdict, "", []))
    inner = f'"permissionDecision":"allow","updatedInput":{{"command":{json_string(command)}}}'
    return f'{{"hookSpecificOutput":{{"hookEventName":"PreToolUse",{inner}}}}}'.encode(), 0, ""


def handed_on(decision: Decision, context: Context) -> str:
    """The command that Codex is handed in place of one to be asked about; "" where nobody is asked."""
    verdict = decision.verdict
    if verdict is None or verdict.kind != ASK or not context.asker():
        return ""
    codes = list(dict.fromkeys(verdict.code.split("+")))
    named = [", ".join(dict.fromkeys(act(each)[0] for each in codes))] if len(codes) > 1 else []
    return line(context.asker(), gravest(codes), named, context.call.command)


_TOO_LONG = (
    "guardhook cannot have a person asked about this command: it is too long to be handed on, or not valid text.\n"
    "Suggested rewrite: put the long text into a file with apply_patch; make what needs approval a call of its own.\n"
)


def line(program: str, code: str, named: list[str], original: str) -> str:
    """The command that stands for `original`: one plain command, the original its last word.

    named: one text with all acts where there are several, else empty.
    """
    words = [program, code, *[quoted(text) for text in named], "--", shell(), "-c", quoted(original)]
    return " ".join(words)


def quoted(text: str) -> str:
    """text as one word of a POSIX shell, in the two kinds of quotes that Codex's reading of a command accepts."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def shell() -> str:
    """The user's shell, as Codex chooses it: the account's, if it is one that Codex knows, else bash."""
    import pwd
    from posix import getuid

    try:
        path = pwd.getpwuid(getuid()).pw_shell
    except KeyError:
        path = ""
    known = path.rpartition("/")[2] in ("bash", "zsh", "sh")
    if known and is_plain(path):
        return path
    return "/bin/zsh" if sys.platform == "darwin" else "/bin/bash"


def gravest(codes: list[str]) -> str:
    """The code that a person must see first; one that is not listed has no rule of its own, and comes first."""
    return min(codes, key=lambda code: GRAVITY.index(code) if code in GRAVITY else -1)


def act(code: str) -> tuple[str, str]:
    """What a code stands for, as a person would type it, and why it cannot be taken back, "" if nobody has said."""
    if code in ROWLESS:
        return ROWLESS[code]
    from guardhook.gates import RISKY

    family = code.partition(".")[0]
    for module in sorted({name for table in RISKY.values() for name in table.values()}):
        if module.partition("_")[0] == family:
            for row in __import__(f"guardhook.gates.risk.{module}", None, None, ["ROWS"]).ROWS:
                if row.code == code:
                    return row.label, row.why
    return code, ""


def _read(path: str) -> bytes:
    """The bytes of a regular file, at most _MAX_FILE; b"" where there is none."""
    try:
        from posix import stat

        found = stat(path)
        if found.st_mode & _FORMAT != _REGULAR or found.st_size > _MAX_FILE:
            return b""
        with open(path, "rb", 0) as file:
            return file.read() or b""
    except (ImportError, OSError, ValueError):
        return b""
