"""The ordered gate table. A gate is one row here and one module with `judge(call, context) -> Verdict | None`.

The order is SPEC A6: the first deny ends a call, so what denies stands before what asks.
"""

from guardhook.call import BASH, CMD, EDITOR, MONITOR, OTHER, PATCH, POWERSHELL, SHELLS


class Gate:
    """name: its name in traces and docs. module: where `judge` is. tools, agents: tool classes and agents it judges.

    hatches: the escape hatches that switch it off, empty where none does. marks: of a shell call, what must be in it
    for the gate to be asked, as in `Context.marks`; None where it wants to see every call. A gate that is not asked is
    not loaded, and most calls concern none. asks: it can only ask, so under Codex it needs what SPEC X5 installs.
    """

    __slots__ = ("agents", "asks", "hatches", "marks", "module", "name", "tools")

    def __init__(
        self,
        name: str,
        module: str,
        tools: tuple[str, ...],
        agents: tuple[str, ...],
        hatches: tuple[str, ...] = (),
        marks: frozenset[str] | None = None,
        asks: bool = False,
    ) -> None:
        self.name = name
        self.module = module
        self.tools = tools
        self.agents = agents
        self.hatches = hatches
        self.marks = marks
        self.asks = asks


_PUBLISHERS = "npm pnpm yarn bun twine uv poetry hatch flit pdm cargo gem".split()

# Language -> program -> the module of `gates/risk` whose rows speak of it. PowerShell and cmd have no dd, mkfs or
# shred, other names for deletion, and no case.
RISKY = {
    BASH: {
        "git": "git",
        "gh": "gh",
        **dict.fromkeys(_PUBLISHERS, "publish"),
        **dict.fromkeys("rm dd mkfs shred".split(), "delete"),
    },
    POWERSHELL: {
        "git": "git",
        "gh": "gh",
        **dict.fromkeys(_PUBLISHERS, "publish"),
        **dict.fromkeys("remove-item ri rm del erase rd rmdir".split(), "delete_windows"),
    },
}
RISKY[CMD] = RISKY[POWERSHELL]

# The first words behind a program that its rows speak of, for programs whose everyday calls nearly all use others:
# those end here, without loading the rows. A test compares this with the rows.
FIRST_WORDS = {"git": frozenset("branch checkout clean commit merge push rebase reset stash tag".split())}

# Programs whose arguments some gate looks at: the readers expand the words of these and of wrappers, and no others.
WATCHED = {
    BASH: frozenset(("cd", *RISKY[BASH])),
    POWERSHELL: frozenset(RISKY[POWERSHELL]),
}
WATCHED[CMD] = WATCHED[POWERSHELL]

# Marks of a call beside its programs: a redirection whose target may be prose; text that could not be read; a git with
# one of the words behind which a repository may be made.
WRITES = ">"
UNREAD = "?"
INIT = "git init"
INIT_WORDS = frozenset(("init", "init-db"))

# A redirection into a file, and an in-place edit or a deletion by a program that mostly only reads.
INTO_FILE = ">file"
CHANGES = "-i"

# What changes the files that it is given, in any language. A test compares this with `protect/programs`.
CHANGERS = frozenset(
    "rm rmdir unlink shred truncate chmod chown chgrp chattr setfacl mv ln cp install rsync dd tee"
    " copy-item cpi copy xcopy robocopy remove-item ri del erase rd move-item mi move rename-item rni ren rename"
    " clear-content clc clear-item cli set-item si new-item ni set-itemproperty sp attrib icacls takeown set-acl"
    " set-content sc add-content ac out-file tee-object apply_patch applypatch guardhook codex".split()
)

# What may write a file without a redirection.
_WRITERS = frozenset(
    (WRITES, *"tee sed perl set-content sc add-content ac out-file tee-object apply_patch applypatch".split())
)
_PROSE_HATCHES = ("AGENT_STYLE_HOOK", "AGENT_CONFIG_GATES")

TABLE = (
    Gate("banned-word-write", "guardhook.gates.writing", (EDITOR, PATCH), ("claude", "codex"), _PROSE_HATCHES),
    Gate("banner", "guardhook.gates.banner", (*SHELLS, EDITOR, OTHER), ("claude",), ("AGENT_CONFIG_GATES",)),
    Gate(
        "compound-cd",
        "guardhook.gates.compound_cd",
        (BASH,),
        ("claude",),
        ("AGENT_COMPOUND_CD_HOOK",),
        frozenset(("cd",)),
    ),
    # A shell that guardhook does not know may run on another machine.
    Gate(
        "nested-init",
        "guardhook.gates.nested_init",
        (BASH, MONITOR, POWERSHELL),
        ("claude", "codex"),
        ("AGENT_NESTED_GIT_INIT_HOOK",),
        frozenset((INIT,)),
    ),
    Gate("banned-word-shell", "guardhook.gates.shell_prose", SHELLS, ("claude", "codex"), _PROSE_HATCHES, _WRITERS),
    Gate(
        "self-protection",
        "guardhook.gates.self_protection",
        (*SHELLS, EDITOR, PATCH),
        ("claude", "codex"),
        (),
        frozenset((INTO_FILE, CHANGES, *CHANGERS)),
    ),
    Gate(
        "risk",
        "guardhook.gates.risk",
        SHELLS,
        ("claude", "codex"),
        (),
        frozenset((UNREAD, *RISKY[BASH], *RISKY[POWERSHELL])),
        asks=True,
    ),
    Gate("style-advisory", "guardhook.gates.advisory", (EDITOR,), ("claude",), _PROSE_HATCHES),
)
