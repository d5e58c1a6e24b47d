"""Which parts of a call run for sure, and which moves, where a later part depends on one (SPEC N5).

Behind `&&` a part counts as run: a line is written for the case that all of it succeeds. What asks a question may well
fail, so what stands behind that may not run; nor may what stands behind `||` or an `exit`, in a branch, a loop or a
function. A move matters even where it stands behind a mishap, so for one behind `&&` more is asked: see `loose`.
"""

from guardhook.shell.commands import BRANCH, FUNCTION, GROUP, LOOP, PIPELINE, Command, Scope
from guardhook.shell.directory import moves
from guardhook.shell.unwrap import Invocation, Unwrapped

# No question and no mishap: what is written in front of `||` or behind `if` so that the rest counts.
_CONSTANT = frozenset(("true", ":", "false"))
# What fails in order to say no. `command` is among the parts where it runs nothing: `command -v`.
_QUESTIONS = frozenset(
    "false [ test grep egrep fgrep rg pgrep cmp diff which where command type hash select-string test-path get-command"
    " compare-object mountpoint".split()
)
_GIT_QUESTIONS = frozenset("rev-parse show-ref ls-files ls-remote cat-file config check-ignore diff grep".split())
# What hardly ever fails: a move behind these has happened.
_HARMLESS = frozenset("true : echo printf export set pwd mkdir touch declare local readonly unset umask".split())
_ENDS = frozenset(("exit", "return", "throw"))
_CHAIN = ("&&", "||")
_PIPES = ("|", "|&")


class Runs:
    """doubted: the commands that may not run. loose: the moves of which that matters where nothing is in a chain with
    them, each with its chain; `cd x && git init` is one chain, and its second command runs only behind the first.
    """

    __slots__ = ("_asked", "_before", "_chains", "_count", "_dead", "_mishap", "chains", "doubted", "loose")

    def __init__(self, found: Unwrapped) -> None:
        self.doubted: set[Command] = set()
        self.loose: dict[Command, int] = {}
        self.chains: dict[Command, set[int]] = {}
        self._asked: dict[Scope, bool] = {}
        self._mishap: dict[Scope, bool] = {}
        self._chains: dict[Scope, int] = {}
        self._dead: set[Scope] = set()
        self._before: Command | None = None
        self._count = 0
        last: Invocation | None = None
        for invocation in found.invocations:
            if invocation.command is not self._before:
                self._begin(invocation, last)
            self._end(invocation)
            self._before, last = invocation.command, invocation

    def _begin(self, invocation: Invocation, last: "Invocation | None") -> None:
        """Say whether a command runs, by what stands before it."""
        command, level = invocation.command, _level(invocation.command)
        linked = self._before is not None and _level(self._before) is level and self._before.after == command.before
        if command.before not in (*_CHAIN, *_PIPES):
            self._asked[level] = self._mishap[level] = False
        elif command.before == "&&" and not linked:  # behind a compound command
            self._asked[level] = self._asked.get(level, False) or _behind_test(invocation)
            self._mishap[level] = True
        if command.before not in ("&&", *_PIPES) or level not in self._chains:
            self._count += 1
            self._chains[level] = self._count
        doubtful = command.before == "||" and not linked
        chains = set()
        scope: Scope | None = command.scope
        while scope is not None:
            doubtful = doubtful or self._asked.get(scope, False) or scope in self._dead
            doubtful = doubtful or (scope.kind in (BRANCH, LOOP, FUNCTION) and not _is_entered(scope, last))
            chains.add(self._chains.get(scope, 0))
            scope = scope.parent
        self.chains[command] = chains
        if doubtful:
            self.doubted.add(command)
        if self._mishap.get(level) and moves(invocation):
            self.loose[command] = self._chains[level]

    def _end(self, invocation: Invocation) -> None:
        """Note what a command means for the next one."""
        command, level = invocation.command, _level(invocation.command)
        name = invocation.name
        if name in _ENDS and command.before != "||":
            self._dead.add(_ended(command.scope))
        if command.after == "||":
            self._asked[level] = name not in _CONSTANT
        elif command.after == "&&":
            before = command.before != "||" and self._asked.get(level, False)
            self._asked[level] = before or _is_question(invocation)
            self._mishap[level] = self._mishap.get(level, False) or not _is_harmless(invocation)


def _level(command: Command) -> Scope:
    """The list in which a command stands, whether alone or in a pipeline."""
    scope = command.scope
    while scope.kind == PIPELINE and scope.parent is not None:
        scope = scope.parent
    return scope


def _ended(scope: Scope) -> Scope:
    """What an `exit` ends: the process, or the function, which may never be called."""
    while scope.kind in (GROUP, BRANCH, LOOP) and scope.parent is not None:
        scope = scope.parent
    return scope


def _is_entered(scope: Scope, last: "Invocation | None") -> bool:
    """True for a branch right behind `if true`."""
    if scope.kind != BRANCH or last is None or last.name not in ("true", ":"):
        return False
    return last.command.scope.kind == GROUP and last.command.scope.parent is scope.parent


def _is_question(invocation: Invocation) -> bool:
    if invocation.name == "git":
        return not _GIT_QUESTIONS.isdisjoint(invocation.arguments) or _is_negated(invocation)
    return invocation.name in _QUESTIONS or _is_negated(invocation)


def _is_harmless(invocation: Invocation) -> bool:
    is_init = invocation.name == "git" and not {"init", "init-db"}.isdisjoint(invocation.arguments)
    return (invocation.name in _HARMLESS or is_init or moves(invocation)) and not _is_negated(invocation)


def _is_negated(invocation: Invocation) -> bool:
    start = invocation.command.start
    return invocation.layer.reading.text[max(0, start - 20) : start].rstrip()[-1:] == "!"


def _behind_test(invocation: Invocation) -> bool:
    """True for what stands behind `[[ … ]] &&` or `(( … )) &&`, which are no simple commands."""
    start = invocation.command.start
    before = invocation.layer.reading.text[max(0, start - 100) : start].rstrip()
    return before.removesuffix("&&").rstrip()[-2:] in ("]]", "))")
