"""The ask classifier: one walk over the parts of a call, four tables of rows (SPEC C, A7).

There is no way back from what these rows name, so no rewrite can be offered: a person decides.
"""

from guardhook.call import BASH, ToolCall
from guardhook.context import MAX_COMMAND, Context
from guardhook.gates import FIRST_WORDS, RISKY
from guardhook.shell.commands import UNKNOWN
from guardhook.verdict import ASK, Verdict, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from guardhook.gates.risk.rows import Row
    from guardhook.shell.commands import Command
    from guardhook.shell.unwrap import Invocation

# A segment is shown up to this length, in characters.
SEGMENT = 200

# So many parts are listed; nobody reads on.
SHOWN = 30

_CLOSING = "Approve only if this is what you want to happen now."


def judge(call: ToolCall, context: Context) -> Verdict | None:
    """ASK if a part of the command is in one of the rows, or if some of it cannot be read (SPEC C9)."""
    if len(call.command) > MAX_COMMAND:
        return Verdict(ASK, "shell.too-long", _too_long(len(call.command)))
    found = context.commands()
    lines: dict[str, int] = {}  # the text for a part -> how often that part stands in the command
    codes: dict[str, None] = {}
    hits = total = 0
    fired: Command | None = None
    for invocation in found.invocations:
        total += not invocation.variant
        seen = finding(invocation)
        if seen is None:
            continue
        hits += not invocation.variant or fired is not invocation.command
        fired = invocation.command
        line = f"{shown(invocation.segment(SEGMENT + 1), SEGMENT)}{_meaning(invocation)}"
        line += f"\n   {where(invocation)}{seen[1]} [{seen[0]}]"
        lines[line] = lines.get(line, 0) + 1
        codes[seen[0]] = None
    if found.flaws:
        codes["shell.unread"] = None
    return Verdict(ASK, "+".join(codes), _message(lines, hits, total, found.flaws)) if codes else None


def where(invocation: "Invocation") -> str:
    """Where a part runs, if that is not the call's own shell: the wrapper that a person must see, as a clause."""
    outermost = invocation.layer.outermost
    if not outermost:
        return ""
    place = "in" if invocation.local else "elsewhere, by"
    return f"({place} {shown(outermost, 60)}) "


def _meaning(invocation: "Invocation") -> str:
    """What the part's words become, where variables hide what it does: `git $g` does not show a push."""
    words = invocation.arguments
    if invocation.obstacle or not words or not any(word.parts for word in invocation.command.words):
        return ""
    segment = invocation.segment()
    text = " ".join(words)
    if UNKNOWN in text or all(word in segment for word in words):
        return ""
    return f"   (here: {shown(text, SEGMENT)})"


def finding(invocation: "Invocation") -> tuple[str, str] | None:
    """(code, why) if a person should see this part, else None."""
    if invocation.obstacle:
        return invocation.obstacle
    language = invocation.language
    if invocation.name not in RISKY[language] or not invocation.arguments or _is_everyday(invocation):
        return None
    row = match(invocation.name, invocation.arguments, language)
    return None if row is None else (row.code, f"{row.label}: {row.why}.")


def _is_everyday(invocation: "Invocation") -> bool:
    words = FIRST_WORDS.get(invocation.name)
    second = invocation.arguments[1] if len(invocation.arguments) > 1 else "-"
    return words is not None and second[:1] != "-" and second not in words


def match(name: str, arguments: list[str], language: str = BASH) -> "Row | None":
    """The row that an argument list falls under. name: the program's name; arguments[0]: its word."""
    family = __import__("guardhook.gates.risk." + RISKY[language][name], None, None, ["ROWS"])
    if len(arguments) > 1 and arguments[1][:1] not in ("-", "+") and not _leads_on(family, name, arguments[1]):
        return None
    from guardhook.shell.options import Grammar, walk

    help_options = family.HELP.get(name) or family.HELP[""]
    rows: list[Row] = family.ROWS
    path: tuple[str, ...] = (name,)
    index = 1
    while True:
        rows = [row for row in rows if len(row.path) >= len(path) and row.path[len(path) - 1] in (path[-1], "*")]
        leaves = [row for row in rows if len(row.path) == len(path)]
        grammar = family.GRAMMARS.get(path, Grammar(permutes=True) if leaves else Grammar())
        seen = walk(arguments, grammar, index)
        if leaves:
            if arguments[index:] and all(argument in help_options for argument in arguments[index:]):
                return None
            return next((row for row in leaves if row.condition is None or row.condition.holds(seen)), None)
        if not rows or seen.stop >= len(arguments) or seen.has(*help_options):
            return None
        path = (*path, arguments[seen.stop])
        index = seen.stop + 1


_NEXT: "dict[tuple[str, str], frozenset[str]]" = {}


def _leads_on(family: "ModuleType", name: str, word: str) -> bool:
    """False if no row can begin with this program and this word: most calls end here."""
    words = _NEXT.get((family.__name__, name))
    if words is None:
        words = frozenset(row.path[1] if len(row.path) > 1 else "*" for row in family.ROWS if row.path[0] == name)
        _NEXT[family.__name__, name] = words
    return word in words or "*" in words


def _message(lines: dict[str, int], hits: int, total: int, flaws: list[str]) -> str:
    text = []
    if lines:
        count = f"{hits} of {total} parts of " if total != 1 else ""
        text.append(f"guardhook asks before {count}this command:")
        shown = list(lines)[:SHOWN]
        text += [
            f"{number}. {line}" + f" ({lines[line]} times)" * (lines[line] > 1) for number, line in enumerate(shown, 1)
        ]
        if len(lines) > SHOWN:
            text.append(f"and {len(lines) - SHOWN} more of the same kinds.")
    for flaw in flaws:
        text.append(
            f"guardhook could not read all of this command: it has {flaw}, which may hide what runs. If it is not "
            "clear to you either, deny it and ask for the text to be put into a file."
        )
    return "\n".join([*text, _CLOSING])


def _too_long(length: int) -> str:
    return (
        f"guardhook could not read this command: it is {length:,} characters long, and {MAX_COMMAND:,} are read at "
        f"most. Put the text in a file instead. {_CLOSING}"
    )
