"""Questions that Claude Code loses (measured on 2.1.124 to 2.1.332).

Under bypassPermissions it answers its own question about a file that it guards itself with yes, and that answer takes
the place of the hook's `ask`, for the whole call. A denial holds, so there the call is denied.
"""

from guardhook.call import SHELLS, ToolCall
from guardhook.context import MAX_COMMAND, Context
from guardhook.verdict import DENY, Verdict, shown

MODE = "bypassPermissions"

# Folders and files that the client guards itself, and their kin.
_FOLDERS = frozenset((".claude", ".git", ".vscode", ".idea", ".husky"))
_FILES = frozenset(
    ".mcp.json .claude.json .gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_logout .bash_aliases"
    " .profile .zshrc .zprofile .zshenv .zlogin .zlogout .ripgreprc .envrc".split()
)
# Codes of commands whose paths nobody can tell.
_UNREAD = frozenset(("shell.unread", "shell.too-deep", "shell.encoded", "guard.fault", "protect.unread"))


def denied(call: ToolCall, context: Context, asked: Verdict) -> Verdict | None:
    """A denial in place of an `ask` that would be lost; None where the `ask` stands."""
    if call.mode != MODE or call.kind not in SHELLS or len(call.command) > MAX_COMMAND:
        return None
    path = _guarded(call, context) or (_mentioned(call) if not _UNREAD.isdisjoint(asked.code.split("+")) else "")
    if not path:
        return None
    reason = (
        f"{asked.reason}\nguardhook denies it instead: the call also touches {shown(path, 120)}, which Claude Code "
        "guards itself, and in bypassPermissions mode it would answer the question with yes, unseen.\n"
        "Suggested rewrite: make what needs approval a call of its own that touches no such file; if that is the point "
        "of the call, ask the user to do it by hand."
    )
    return Verdict(DENY, asked.code, reason)


def _mentioned(call: ToolCall) -> str:
    """Of a command that could not be read in full: what it mentions of such names."""
    text = call.command.lower()
    return next((name for name in sorted(_FOLDERS | _FILES) if name in text), "")


def _guarded(call: ToolCall, context: Context) -> str:
    """A path that the call changes and that the client guards, "" if there is none."""
    from guardhook.protect import commands

    site = commands.Site(call, context, commands.known(call, context))
    for path in site.paths():
        steps = path.text.lower().split("/")
        if not _FOLDERS.isdisjoint(steps) or steps[-1] in _FILES:
            return path.text
        where = (path.where or "").lower().split("/")
        if not _FOLDERS.isdisjoint(where) and path.text[:1] not in ("/", "~"):
            return path.text
    return ""
