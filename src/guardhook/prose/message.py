"""What is said about banned words (SPEC W5, S5): which, where, what to write instead, and how to go on."""

from guardhook.hatches import PLACES
from guardhook.verdict import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.prose.words import Hit

WHY = "Such words read as filler, and plain ones say the same."

# So many words are listed; the rest is counted.
LISTED = 10


def found(hits: "list[Hit]", with_lines: bool = True) -> str:
    """The hits as the middle of a sentence: `2 banned words, "pivotal" (line 3) and "vast" (line 5)`."""
    names = [f'"{hit.word}" (line {hit.line})' if with_lines else f'"{hit.word}"' for hit in hits]
    names = list(dict.fromkeys(names))
    count = len(names)
    listed = names[:LISTED] + ([f"{count - LISTED} more"] if count > LISTED else [])
    text = ", ".join(listed[:-1]) + " and " + listed[-1] if len(listed) > 1 else listed[0]
    return f"the banned word {text}" if count == 1 else f"{count} banned words: {text}"


def instead(hits: "list[Hit]") -> str:
    """What to write for each word: `"pivotal" -> central, key; "vast" -> large, wide`."""
    pairs = {hit.word.lower(): hit.replacement for hit in hits}
    return "; ".join(f'"{word}" -> {replacement}' for word, replacement in list(pairs.items())[:LISTED])


def way_off(agent: str) -> str:
    """How a person switches the gate off for one write."""
    return (
        "Code spans are exempt, and so is text that is only carried: a file under a directory agent-io of a temporary "
        f"folder. If this text must hold the word, a person can set AGENT_STYLE_HOOK=off in {PLACES[agent]}, and "
        "remove it again after the write."
    )


def marker(path: str) -> str:
    """A sentence for a path that bears the marker and is not exempt, else ""."""
    from guardhook.prose.scope import marked_anywhere

    if not marked_anywhere(path):
        return ""
    return (
        "Its agent-io does not count: that directory must lie below a temporary folder, with no repository around it, "
        "and the same command must not move or link it.\n"
    )


def file(path: str) -> str:
    """A path for a message."""
    return shown(path, 200)
