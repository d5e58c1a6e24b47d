"""What a wrapper row is: data that says where a program carries another command. The recursion is in `opening`."""

from guardhook.call import BASH
from guardhook.shell.options import Grammar

# Where the payload is.
ARGUMENTS = "arguments"  # what follows the options and skipped operands is a command, word by word
TEXT = "text"  # the first operand is a shell line, if one of the `flags` was given (`bash -c`)
JOINED = "joined"  # what follows is joined by blanks and read as a shell line (`ssh host`, `eval`)
EXEC = "exec"  # `find`: between one of the `flags` and `;` or `+`
ALIAS = "alias"  # `git -c alias.x=COMMAND x`


class Wrapper:
    """One program (or subcommand) that runs another command.

    names: base names of the program. path: the subcommand, as in `docker exec` -> ("exec",); () if there is none.
    outer: the options that may stand before the subcommand (unused without one). grammar: those before the payload.
    payload: one of the constants above. skip: operands before the payload (a host, a container, a duration).
    again: options may also follow a skipped operand or an assignment (`ssh host -t cmd`).
    instead: options with which there is nothing to skip (`podman exec -l cmd`).
    dashes: the payload stands behind `--`.
    entry: options whose value stands in front of the payload (`docker run --entrypoint git image push`).
    versioned: the program may carry a version (`npx npm@10 publish`).
    flags: options that announce the payload (TEXT, EXEC), or shell input where there is none (`sudo -s`).
    values: options whose value is a shell line (`npx -c`).
    split: options whose value is split into words that stand in front of the remaining arguments (`env -S`).
    module: option whose value is a program that is run as if it stood alone (`python -m twine`).
    idle: options with which nothing is run (`command -v`, `sudo -l`).
    assignments: `NAME=value` operands before the command are taken as its environment (`env`, `sudo`).
    counts: it counts towards the nesting limit (SPEC C4); a prefix runner (SPEC C3) does not.
    remote: the payload runs elsewhere: another machine, another file system.
    stdin: without a payload it reads commands from standard input.
    same: its shell lines run in the calling shell itself (`eval`).
    shell: the language of its shell lines. only: the language in which the name means this, "" for every one.
    sealed: options whose payload is encoded, so that nobody can read it.
    manual: program and version whose manual the row was read from.
    """

    __slots__ = (
        "again", "assignments", "counts", "dashes", "entry", "flags", "grammar", "idle", "instead", "manual", "module",
        "names", "only", "outer", "path", "payload", "remote", "same", "sealed", "shell", "skip", "split", "stdin",
        "values", "versioned",
    )  # fmt: skip

    def __init__(
        self,
        names: str,
        grammar: Grammar,
        *,
        manual: str,
        path: str = "",
        outer: Grammar | None = None,
        payload: str = ARGUMENTS,
        skip: int = 0,
        again: bool = False,
        instead: str = "",
        dashes: bool = False,
        entry: str = "",
        versioned: bool = False,
        flags: str = "",
        values: str = "",
        split: str = "",
        module: str = "",
        idle: str = "",
        assignments: bool = False,
        counts: bool = True,
        remote: bool = False,
        stdin: bool = False,
        same: bool = False,
        shell: str = BASH,
        only: str = "",
        sealed: str = "",
    ) -> None:
        self.names = tuple(names.split())
        self.grammar = grammar
        self.manual = manual
        self.path = tuple(path.split())
        self.outer = outer
        self.payload = payload
        self.skip = skip
        self.again = again
        self.instead = tuple(instead.split())
        self.dashes = dashes
        self.entry = tuple(entry.split())
        self.versioned = versioned
        self.flags = tuple(flags.split())
        self.values = tuple(values.split())
        self.split = tuple(split.split())
        self.module = module
        self.idle = tuple(idle.split())
        self.assignments = assignments
        self.counts = counts
        self.remote = remote
        self.stdin = stdin
        self.same = same
        self.shell = shell
        self.only = only
        self.sealed = tuple(sealed.split())
