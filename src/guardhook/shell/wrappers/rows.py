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
    direct: options with which a JOINED payload is a command word by word (`wsl --exec`).
    script: option that names a script file; `-` there is standard input.
    requoted: what starts it puts quotes around each of several words with blanks.
    titled: the first operand may be a title and no command (`start "" git push`).
    manual: program and version whose manual the row was read from.
    """

    __slots__ = (
        "again", "assignments", "counts", "dashes", "direct", "entry", "flags", "grammar", "idle", "instead",
        "manual", "module", "names", "only", "outer", "path", "payload", "remote", "requoted", "same", "script",
        "sealed", "shell", "skip", "split", "stdin", "titled", "values", "versioned",
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
        direct: str = "",
        script: str = "",
        requoted: bool = False,
        titled: bool = False,
    ) -> None:
        self.names, self.path, self.manual = tuple(names.split()), tuple(path.split()), manual
        self.grammar, self.outer = grammar, outer
        self.payload, self.skip, self.shell, self.only = payload, skip, shell, only
        self.module, self.script = module, script
        self.instead, self.entry, self.flags = tuple(instead.split()), tuple(entry.split()), tuple(flags.split())
        self.values, self.split, self.idle = tuple(values.split()), tuple(split.split()), tuple(idle.split())
        self.sealed, self.direct = tuple(sealed.split()), tuple(direct.split())
        self.again, self.dashes, self.versioned, self.titled = again, dashes, versioned, titled
        self.assignments, self.counts, self.requoted = assignments, counts, requoted
        self.remote, self.stdin, self.same = remote, stdin, same
