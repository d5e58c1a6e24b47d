"""Recording trust through the client's app server, against a stand-in; tests/live/test_codex.py does it for real."""

import json
import sys
from pathlib import Path

import pytest

from guardhook.install import InstallError, codex_app_server
from guardhook.install.codex_places import CodexHome

KEY, COMMAND, HASH = "/h/hooks.json:pre_tool_use:0:0", "python3 guard.py", "sha256:00"
HOOK = {"key": KEY, "command": COMMAND, "currentHash": HASH, "trustStatus": "untrusted"}

# Answers with one hook; a write is put into written.json and makes the hook trusted, unless {stubborn}.
STAND_IN = """\
#!{python}
import json, sys
hook = {hook!r}
print("not JSON", flush=True)
print(json.dumps({{"method": "a/note", "id": 1}}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    {extra}
    result = {{}}
    if message["method"] == "hooks/list":
        result = {{"data": [{{"hooks": [hook], "warnings": ["a warning"], "errors": []}}]}}
    if message["method"] == "config/batchWrite":
        open("written.json", "w").write(json.dumps(message["params"]))
        hook["trustStatus"] = {after!r}
    if "id" in message:
        print(json.dumps({{"id": message["id"], "result": result}}), flush=True)
"""


def stand_in(tmp_path: Path, *, extra: str = "pass", after: str = "trusted", **hook: str) -> str:
    program = tmp_path / "codex"
    program.write_text(STAND_IN.format(python=sys.executable, hook=HOOK | hook, extra=extra, after=after))
    program.chmod(0o755)
    return str(program)


def record(tmp_path: Path, program: str, key: str = KEY) -> str:
    return codex_app_server.record_trust(CodexHome(str(tmp_path)), key, COMMAND, program)


def test_the_client_s_own_hash_is_recorded_and_read_back(tmp_path: Path) -> None:
    assert record(tmp_path, stand_in(tmp_path)) == HASH
    edit = {"keyPath": "hooks.state", "mergeStrategy": "upsert", "value": {KEY: {"trusted_hash": HASH}}}
    assert json.loads((tmp_path / "written.json").read_text()) == {"edits": [edit], "reloadUserConfig": True}


def test_another_command_in_the_guard_s_place_is_not_trusted(tmp_path: Path) -> None:
    with pytest.raises(InstallError, match="another command in the guard's place: something else"):
        record(tmp_path, stand_in(tmp_path, command="something else"))
    assert not (tmp_path / "written.json").exists()


def test_a_hook_that_the_client_does_not_see(tmp_path: Path) -> None:
    with pytest.raises(InstallError, match=r"does not see the guard in .*hooks\.json.* a warning"):
        record(tmp_path, stand_in(tmp_path), "another key")


def test_a_record_that_does_not_take(tmp_path: Path) -> None:
    with pytest.raises(InstallError, match="now says that it is 'modified'"):
        record(tmp_path, stand_in(tmp_path, after="modified"))


BROKEN = [
    ("sys.exit(0)", "ended without an answer to initialize"),
    ('print(json.dumps({"id": message["id"], "error": "no"}), flush=True); continue', "refused initialize: no"),
    (
        'print(json.dumps({"id": message["id"], "result": {"data": []}}), flush=True); continue',
        "form that is not known",
    ),
    ("import time; time.sleep(60)", "did not answer initialize within 1 seconds"),
]


@pytest.mark.parametrize(("extra", "text"), BROKEN)
def test_a_server_that_does_not_play_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extra: str, text: str
) -> None:
    monkeypatch.setattr(codex_app_server, "LIMIT", 1.0)
    if "initialize" not in text:
        extra = f'if message["method"] == "hooks/list": {extra}'
        monkeypatch.setattr(codex_app_server, "LIMIT", 10.0)
    with pytest.raises(InstallError, match=text):
        record(tmp_path, stand_in(tmp_path, extra=extra))


def test_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InstallError, match="not on PATH"):
        codex_app_server.record_trust(CodexHome(str(tmp_path)), KEY, COMMAND)
    with pytest.raises(InstallError, match="cannot be started"):
        record(tmp_path, str(tmp_path / "gone"))
