"""The style advisory: what agent-style finds in prose on its way into a file. It reports and never blocks (SPEC V).

It runs last, so that a denied write gets one message and not two.
"""

import sys

from guardhook.call import ToolCall
from guardhook.context import Context
from guardhook.prose.scope import is_prose
from guardhook.verdict import ADVISE, Verdict

NAME = "style-advisory"
CODE = "style.advisory"


def judge(call: ToolCall, context: Context) -> Verdict | None:
    """ADVISE if agent-style is there and finds something in the call's new text for a prose file."""
    if not is_prose(call.path) or not call.edits:
        return None
    from guardhook.style import recorded

    if not recorded.FOLDERS and sys.flags.isolated:  # as wired, where no folder was found at install
        return None
    from guardhook.prose import scope
    from guardhook.style import advise

    place = scope.absolute(call.path, call.cwd, context.settings.environment) or call.path
    if scope.marked_anywhere(place):
        context.note(NAME, "pass", "a carried file: under a directory named agent-io")
        return None
    texts = [new for _, new, _ in call.edits]
    said = advise.advise_edits(texts, scope.extension(place), place, recorded.FOLDERS)
    return Verdict(ADVISE, CODE, said) if said else None
