"""Files of any content: a survey and its rules end, and raise nothing."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guardhook.health import pythons
from guardhook.health.pythons import Python
from tests.health.installation import Installation

WORDS = st.sampled_from(
    "hooks PreToolUse ConfigChange SessionStart matcher command args timeout type env disableAllHooks onFailure if"
    " async Bash * apply_patch command [ (?i)x off block state features trusted_hash enabled".split()
)
LEAVES = st.one_of(WORDS, st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8))
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=4)),
    max_leaves=20,
)
HANDLER = st.dictionaries(WORDS, ANYTHING, max_size=6)


def settings_around(command: str) -> st.SearchStrategy[Any]:
    """Settings whose hooks are nearly right, with a handler of ours that has anything else in it."""
    own = HANDLER.map(lambda fields: {**fields, "type": "command", "command": command})
    groups = st.lists(
        st.one_of(
            ANYTHING,
            st.fixed_dictionaries({"matcher": ANYTHING, "hooks": st.lists(st.one_of(own, HANDLER), max_size=2)}),
        ),
        max_size=3,
    )
    events = st.sampled_from(["PreToolUse", "ConfigChange", "SessionStart"])
    hooks = st.one_of(ANYTHING, st.dictionaries(events, st.one_of(ANYTHING, groups), max_size=3))
    return st.fixed_dictionaries({"hooks": hooks}, optional={"env": ANYTHING, "disableAllHooks": ANYTHING})


@pytest.fixture
def quiet(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> Installation:
    """No interpreter is started."""
    monkeypatch.setattr(pythons, "look", Python)
    return installation


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_settings_of_any_form(quiet: Installation, data: st.DataObject) -> None:
    command = f"/usr/bin/python3 -I -S {quiet.guard}"
    fields = data.draw(settings_around(command))
    quiet.settings.write_text(json.dumps(fields), encoding="utf-8")
    codex = data.draw(settings_around(f"{command} --agent codex"))
    codex.pop("env", None)
    quiet.hooks_file.write_text(json.dumps(codex), encoding="utf-8")
    assert quiet.examine(fire=False).survey


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(junk=st.one_of(st.binary(max_size=40), ANYTHING.map(lambda value: json.dumps(value).encode())), which=st.data())
def test_files_of_any_bytes(quiet: Installation, junk: bytes, which: st.DataObject) -> None:
    files = [quiet.settings, quiet.hooks_file, quiet.config_file, quiet.guard, quiet.session]
    path = which.draw(st.sampled_from(files))
    before = path.read_bytes()
    path.write_bytes(junk)
    try:
        assert quiet.examine(fire=False).survey
    finally:
        path.write_bytes(before)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.sampled_from('[]{}="\n hoksstate.featur01'), max_size=30))
def test_a_configuration_of_codex_of_any_text(quiet: Installation, text: str) -> None:
    quiet.config_file.write_text(text + "\n[hooks.state]\nx = 1\n", encoding="utf-8")
    assert quiet.examine(fire=False).survey
