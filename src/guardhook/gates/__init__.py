"""The ordered gate table. A gate is one row here and one module with `judge(call, context) -> Verdict | None`.

The order is SPEC A6: the first deny ends a call, so what denies stands before what asks.
"""

from guardhook.call import BASH, SHELLS


class Gate:
    """name: its name in traces and docs. module: where `judge` is. tools, agents: tool classes and agents it judges.

    hatches: the escape hatches that switch it off, empty where none does.
    """

    __slots__ = ("agents", "hatches", "module", "name", "tools")

    def __init__(
        self, name: str, module: str, tools: tuple[str, ...], agents: tuple[str, ...], hatches: tuple[str, ...] = ()
    ) -> None:
        self.name = name
        self.module = module
        self.tools = tools
        self.agents = agents
        self.hatches = hatches


TABLE = (
    Gate("compound-cd", "guardhook.gates.compound_cd", (BASH,), ("claude",), ("AGENT_COMPOUND_CD_HOOK",)),
    Gate("risk", "guardhook.gates.risk", SHELLS, ("claude",)),
)

# Program -> the module of `gates/risk` whose rows speak of it.
RISKY = {
    "git": "git",
    "gh": "gh",
    **dict.fromkeys("npm pnpm yarn bun twine uv poetry hatch flit pdm cargo gem".split(), "publish"),
    **dict.fromkeys("rm dd mkfs shred".split(), "delete"),
}

# The first words behind a program that its rows speak of, for programs whose everyday calls nearly all use others:
# those end here, without loading the rows. A test compares this with the rows.
FIRST_WORDS = {"git": frozenset("branch checkout clean commit merge push rebase reset stash tag".split())}

# Programs whose arguments some gate looks at: the readers expand the words of these and of wrappers, and no others.
WATCHED = frozenset(("cd", *RISKY))
