"""What is to be pasted is what would have been written."""

import json

from guardhook.install import claude, codex_form, codex_handler, jsontext, settings_form, snippet
from tests.install.simulation import PYTHON, WHERE


def test_the_settings_entries_are_those_that_installing_writes() -> None:
    handlers = claude.handlers(PYTHON, WHERE, True, True)
    pasted = f"{{\n{snippet.settings(handlers)}\n}}\n".encode()
    assert settings_form.flaws(jsontext.read(pasted)) == []
    written: bytes | None = None
    for handler in handlers:
        written = claude.wire(written, WHERE, handler).data
    assert pasted == written


def test_the_group_of_codex_is_the_one_that_installing_writes() -> None:
    handler = codex_handler.Handler(PYTHON, WHERE)
    pasted = f"{{\n{snippet.codex(handler)}\n}}\n".encode()
    codex_form.read(pasted)
    assert json.loads(pasted) == {"hooks": {"PreToolUse": [handler.group()]}}
