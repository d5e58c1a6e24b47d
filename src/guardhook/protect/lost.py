"""Questions that Claude Code loses (measured on 2.1.124 to 2.1.332).

About a file that it guards itself it has a question of its own, which takes the place of the hook's `ask` for the whole
call. Under bypassPermissions it answers that with yes; under auto and plan a classifier does. A denial holds.
"""

from guardhook.call import SHELLS, ToolCall
from guardhook.context import MAX_COMMAND, Context
from guardhook.verdict import DENY, Verdict, shown

# Permission modes in which no person answers the client's own question.
MODES = frozenset(("bypassPermissions", "auto", "plan"))

# What the client guards itself: everything below these folders, and these files, in any case (2.1.332).
_FOLDERS = frozenset(".claude .git .vscode .idea .husky .cargo .yarn .devcontainer".split())
_FILES = frozenset(
    ".gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv"
    " .zprofile .zlogin .zlogout .ripgreprc .envrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnp.cjs .pnp.loader.mjs"
    " bunfig.toml .bunfig.toml .bazelrc .pre-commit-config.yaml lefthook.yml .lefthook.yml .devcontainer.json .mcp.json"
    " .claude.json".split()
)
_GIT_CONFIG = (".config", "git")
# Programs whose operands it looks at, those that are only read too.
_PROGRAMS = frozenset("touch mkdir rm rmdir cp mv tee sed".split())
# So many paths of one call are followed through links; those behind them are taken as they are written.
_MAX_LINKS = 500

# Codes of commands whose paths nobody can tell.
_UNREAD = frozenset(("shell.unread", "shell.too-deep", "shell.encoded", "guard.fault", "protect.unread"))


def denied(call: ToolCall, context: Context, asked: Verdict) -> Verdict | None:
    """A denial in place of an `ask` that would be lost; None where the `ask` stands."""
    if call.mode not in MODES or call.kind not in SHELLS or len(call.command) > MAX_COMMAND:
        return None
    path = _guarded(call, context) or (_mentioned(call) if not _UNREAD.isdisjoint(asked.code.split("+")) else "")
    if not path:
        return None
    reason = (
        f"{asked.reason}\nguardhook denies it instead: the call also touches {shown(path, 120)}, which Claude Code "
        f"guards itself, and in {call.mode} mode the question would not reach a person.\n"
        "Suggested rewrite: make what needs approval a call of its own that touches no such file; if that is the point "
        "of the call, ask the user to do it by hand."
    )
    return Verdict(DENY, asked.code, reason)


def _mentioned(call: ToolCall) -> str:
    """Of a command that could not be read in full: what it mentions of such names."""
    text = call.command
    for mark in "'\"`;|&<>()$={}":
        text = text.replace(mark, " ")
    return next((word for word in text.split() if _is_guarded(word)), "")


def _guarded(call: ToolCall, context: Context) -> str:
    """A path that the call names and that the client guards, "" if there is none."""
    from guardhook.prose import scope
    from guardhook.protect import commands

    environment = context.settings.environment
    site = commands.Site(call, context, commands.known(call, context))
    for number, (path, where) in enumerate(site.named(_PROGRAMS)):
        whole = scope.absolute(path, where or "", environment) or path
        if _is_guarded(whole) or (number < _MAX_LINKS and _is_guarded(scope.resolved(whole) or "")):
            return path
    return ""


def _is_guarded(path: str) -> bool:
    steps = path.lower().rstrip("/").split("/")
    if steps[-1] in _FILES:
        return True
    for step, following in zip(steps, [*steps[1:], ""], strict=True):
        if (step in _FOLDERS and (step, following) != (".claude", "worktrees")) or (step, following) == _GIT_CONFIG:
            return True
    return False
