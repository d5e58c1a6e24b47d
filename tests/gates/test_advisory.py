"""The style advisory as a gate (SPEC V1, I1): when it is asked, with what, and what becomes of its answer."""

import pytest

from guardhook import engine
from guardhook.call import EDITOR, ToolCall
from guardhook.hatches import Settings
from guardhook.style import recorded

Asked = list[tuple[list[str], str, str, tuple[str, ...]]]


@pytest.fixture(name="asked")
def _asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    calls: Asked = []

    def advise(texts: list[str], extension: str, path: str, folders: tuple[str, ...]) -> str:
        calls.append((texts, extension, path, folders))
        return "a remark"

    monkeypatch.setattr("guardhook.style.advise.advise_edits", advise)
    monkeypatch.setattr(recorded, "FOLDERS", ("/opt/style",))
    return calls


def _decide(path: str, text: str, **environment: str) -> tuple[str, str]:
    call = ToolCall("claude", "Write", EDITOR, "", "/srv")
    call.path, call.edits = path, [(None, text, False)]
    decision = engine.decide(call, Settings(environment))
    return (decision.verdict.kind if decision.verdict else "", decision.advice)


def test_it_gets_the_new_text_and_the_absolute_path(asked: Asked) -> None:
    assert _decide("docs/A.MD", "fine") == ("", "a remark")
    assert asked == [(["fine"], ".md", "/srv/docs/A.MD", ("/opt/style",))]


@pytest.mark.parametrize(
    "path", ["a.py", "agent-io/a.md", "x/Agent-IO/a.md", "x\\agent-io\\a.md", "/y/agent-io/z/a.tex"]
)
def test_it_is_not_asked_about_code_or_carried_text(asked: Asked, path: str) -> None:
    assert _decide(path, "fine") == ("", "")
    assert asked == []


def test_a_denied_write_gets_one_message(asked: Asked) -> None:
    assert _decide("a.md", "pivotal") == ("deny", "")
    assert asked == []


@pytest.mark.parametrize("name", ["AGENT_STYLE_HOOK", "AGENT_CONFIG_GATES"])
def test_both_hatches_switch_it_off(asked: Asked, name: str) -> None:
    assert _decide("a.md", "fine", **{name: "off"}) == ("", "")
    assert asked == []
