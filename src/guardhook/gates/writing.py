"""Banned words in a file tool's text. A better word is at hand, so the gate denies and names it (SPEC W, B1).

Only what the call writes is judged, never what the file held before; code spans are found on the whole file where an
edit can be placed in it.
"""

from guardhook.call import PATCH, ToolCall
from guardhook.context import Context
from guardhook.prose.scope import is_prose
from guardhook.verdict import DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.prose.words import Hit

CODE = "prose.word"


def judge(call: ToolCall, context: Context) -> Verdict | None:
    """DENY if the new text for a prose file has a banned word outside code."""
    if call.kind == PATCH:
        return _judge_patch(call, context)
    if not is_prose(call.path) or not call.edits:
        return None
    from guardhook.prose import words

    if not any(words.hits(new) for _, new, _ in call.edits):
        return None
    from guardhook.prose import scope

    if scope.is_carried(call.path, call.cwd, context.settings.environment):
        context.note("banned-word-write", "pass", "a carried file: under agent-io in a scratch area")
        return None
    hits = _placed(call, context)
    return _verdict(call, call.path, hits) if hits else None


def _judge_patch(call: ToolCall, context: Context) -> Verdict | None:
    from guardhook.gates import patch_words

    for path, hits in patch_words.hits(call.command, call.cwd, context.settings.environment):
        return _verdict(call, path, hits)
    return None


def _placed(call: ToolCall, context: Context) -> "list[Hit]":
    """The hits in the text that the call writes, by the lines of the file where that is known."""
    from guardhook.prose import placing, scope, spans, words

    extension = scope.extension(call.path)
    if call.edits[0][0] is None:
        return [hit for _, new, _ in call.edits for hit in words.hits(spans.blank(new, extension))]
    place = scope.absolute(call.path, call.cwd, context.settings.environment)
    text = scope.open_text(place) if place is not None else None
    placed = placing.place(text, call.edits) if text is not None else None
    if placed is not None:
        whole, written = placed
        return placing.written(words.hits(spans.blank(whole, extension)), written)
    return [hit for _, new, _ in call.edits for hit in words.hits(spans.blank(new, extension))]


def _verdict(call: ToolCall, path: str, hits: "list[Hit]") -> Verdict:
    from guardhook.prose import message

    reason = (
        f"guardhook denies this write to {message.file(path)}: its text has {message.found(hits)}. {message.WHY}\n"
        f"Suggested rewrite: the same text with other words: {message.instead(hits)}.\n"
        f"{message.marker(path)}{message.way_off(call.agent)}"
    )
    return Verdict(DENY, CODE, reason)
