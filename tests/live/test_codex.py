"""The guard in the real Codex: what reaches the model, what runs, and what its trust is (SPEC X1-X4, X6, A5)."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from guardhook.install import codex, codex_app_server, codex_places, codex_trust, interpreter
from guardhook.install.codex_handler import Handler
from guardhook.install.codex_places import CodexHome
from guardhook.install.places import Places
from tests.install.test_codex_form import REFUSED, TAKEN
from tests.live import codex_npm
from tests.live.codex_sandbox import AppServer, CodexRun, CodexSandbox
from tests.live.mock_responses import CODE_MODEL, SESSION, ResponsesMock, call, code, patch, shell
from tests.live.npm import SYSTEM_PATH, UnavailableError

pytestmark = pytest.mark.live

NOWHERE = "http://127.0.0.1:9/v1"  # for runs in which no model is asked
FENCED = "# Notes\n\n```\n" + "".join(f"line {number}\n" for number in range(80)) + "```\n\nThe end.\n"


def added(path: str, line: str) -> str:
    return f"*** Begin Patch\n*** Add File: {path}\n+{line}\n*** End Patch\n"


def updated(path: str, before: str, line: str) -> str:
    return f"*** Begin Patch\n*** Update File: {path}\n@@\n {before}\n+{line}\n*** End Patch\n"


PLAN = {
    "clean": patch(added("clean.md", "A central step.")),
    "banned": patch(added("banned.md", "A pivotal step.")),
    "inside a fence": patch(updated("fenced.md", "line 60", "pivotal = 1")),
    "below the fence": patch(updated("fenced.md", "The end.", "A pivotal end.")),
    "heredoc": shell(f"apply_patch <<'EOF'\n{added('heredoc.md', 'A pivotal step.')}EOF\n"),
    "shell text": shell("cat > shell.md <<'EOF'\nA pivotal step.\nEOF"),
    "nested": shell("git init inner"),
    "push": shell("git push"),
    "echo": shell("echo hi"),
}
DENIED = ("banned", "below the fence", "heredoc", "shell text")


@pytest.fixture(scope="module", name="client")
def _client() -> Path:
    """The executable of the pinned Codex. Skips, with the reason, where it cannot be had."""
    try:
        return codex_npm.executable()
    except UnavailableError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="module", name="wired")
def _wired(tmp_path_factory: pytest.TempPathFactory) -> CodexSandbox:
    """A sandbox in which the guard is deployed and registered; each test writes the configuration that it needs."""
    sandbox = CodexSandbox(tmp_path_factory.mktemp("codex") / "box")
    assert "(untrusted)" in sandbox.wire()
    subprocess.run(["git", "init", "-q", "."], cwd=sandbox.work, env=sandbox.environment(PATH=SYSTEM_PATH), check=True)
    return sandbox


def states(sandbox: CodexSandbox) -> list[codex_trust.State]:
    """What our own code says about the trust of the guard there."""
    where, home = Places(str(sandbox.config)), CodexHome(str(sandbox.codex.resolve()), True)
    python = interpreter.find().path
    outcome = codex.install(codex_places.find(home, where), home, where, Handler(python, where))
    assert outcome.plan.edits == []
    return outcome.states


def state(sandbox: CodexSandbox) -> codex_trust.State:
    (found,) = states(sandbox)
    return found


def trust(sandbox: CodexSandbox, client: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let Codex record trust, as `--codex-trust` does, in the sandbox's own environment."""
    with monkeypatch.context() as patched:
        patched.setattr(os, "environ", sandbox.codex_environment())
        command = json.loads(sandbox.hooks_file.read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        home = CodexHome(str(sandbox.codex.resolve()), True)
        return codex_app_server.record_trust(home, state(sandbox).key, command, str(client))


def play(
    sandbox: CodexSandbox, client: Path, items: list[dict[str, Any]], *, trusted: bool, **settings: str
) -> CodexRun:
    """Play items, one a turn, in fresh configuration; the shell's stubs begin a new log."""
    sandbox.log.unlink(missing_ok=True)
    (sandbox.work / "fenced.md").write_text(FENCED)
    with ResponsesMock([[item] for item in items]) as mock:
        sandbox.configure(mock.url, **settings)
        if trusted:
            with AppServer(client, sandbox) as server:
                server.trust_all()
        return sandbox.exec(client, mock)


@pytest.fixture(scope="module", name="guarded")
def _guarded(client: Path, wired: CodexSandbox) -> "tuple[CodexRun, dict[str, str]]":
    """The plan, played once with the guard in force, and the files that are there afterwards."""
    run = play(wired, client, list(PLAN.values()), trusted=True)
    return run, {path.name: path.read_text() for path in wired.work.iterdir() if path.is_file()}


@pytest.fixture(name="run")
def _guarded_run(guarded: "tuple[CodexRun, dict[str, str]]") -> CodexRun:
    return guarded[0]


@pytest.fixture(name="told")
def _told(run: CodexRun) -> dict[str, str]:
    """The model's view of each call, by its name in PLAN."""
    return dict(zip(PLAN, run.results, strict=True))


@pytest.mark.parametrize("name", DENIED)
def test_a_banned_word_is_denied_and_the_model_sees_why(told: dict[str, str], name: str) -> None:
    assert told[name].startswith("Command blocked by PreToolUse hook: ")
    reason = told[name].partition(" Command: ")[0]
    assert "Suggested rewrite: the same" in reason
    assert '"pivotal" -> key, central.' in reason


def test_a_nested_repository_is_denied(told: dict[str, str]) -> None:
    assert told["nested"].startswith("Command blocked by PreToolUse hook: ")
    assert "git init" in told["nested"].partition("Command: ")[0]


def test_what_passed_was_written_and_nothing_else(
    guarded: "tuple[CodexRun, dict[str, str]]", told: dict[str, str]
) -> None:
    fenced = FENCED.replace("line 60\n", "line 60\npivotal = 1\n")
    assert guarded[1] == {"clean.md": "A central step.\n", "fenced.md": fenced}
    assert "Success" in told["clean"] and "Success" in told["inside a fence"]


def test_a_push_runs_since_codex_cannot_be_asked(run: CodexRun, told: dict[str, str]) -> None:
    assert run.calls == ["git push"]
    assert "stub: git push" in told["push"] and "guardhook" not in told["push"]


def test_a_pass_leaves_no_trace(told: dict[str, str]) -> None:
    assert told["echo"].endswith("\nhi\n")
    assert "hook" not in told["echo"]


def test_what_keeps_the_guard_in_place_is_not_changed(client: Path, tmp_path: Path) -> None:
    """By a patch, by the shell, and by the client's own command line, which is a stub here (SPEC P1, P2)."""
    sandbox = CodexSandbox(tmp_path / "box")
    sandbox.wire()
    guard, hooks = sandbox.config / "hooks/guard.py", sandbox.hooks_file
    items = [
        patch(f"*** Begin Patch\n*** Delete File: {hooks}\n*** End Patch\n"),
        patch(added(str(guard), "pass")),
        shell(f"apply_patch <<'EOF'\n{added(str(hooks), '{}')}EOF\n"),
        shell('printf x > "$CODEX_HOME/hooks.json"'),
        shell("git stash; codex features disable hooks"),
    ]
    before = guard.read_bytes(), hooks.read_bytes()
    run = play(sandbox, client, items, trusted=True)
    for told in run.results:
        assert told.startswith(
            "Command blocked by PreToolUse hook: guardhook denies this call: it would change what keeps"
        )
        assert "ask the user to change this by hand" in told
    assert (guard.read_bytes(), hooks.read_bytes()) == before
    assert run.calls == []


def test_code_mode_is_guarded_too(client: Path, wired: CodexSandbox) -> None:
    script = (
        f"try {{ text(await tools.apply_patch({json.dumps(added('banned.md', 'A pivotal step.'))})); }}"
        " catch (error) { text(String(error)); }\n"
        "text(JSON.stringify(await tools.exec_command({cmd: 'git push'})));"
    )
    run = play(wired, client, [code(script)], trusted=True, model=CODE_MODEL)
    assert 'with other words: \\"pivotal\\" -> key, central.' in json.dumps(run.results[0])
    assert not (wired.work / "banned.md").exists()
    assert run.calls == ["git push"]


def test_an_untrusted_hook_is_skipped_in_silence_and_we_say_so(client: Path, wired: CodexSandbox) -> None:
    run = play(wired, client, [PLAN["banned"]], trusted=False)
    assert (wired.work / "banned.md").read_text() == "A pivotal step.\n"
    assert "hook" not in run.output
    found = state(wired)
    assert found.name == codex_trust.UNTRUSTED
    assert "untrusted" in codex_trust.reminder(found) and "untrusted" in wired.wire()
    (wired.work / "banned.md").unlink()


def test_codex_records_the_trust_that_we_computed(
    client: Path, wired: CodexSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = "# mine\n[hooks.state.'/else/hooks.json:stop:0:0']\ntrusted_hash = 'sha256:00'\nenabled = false\n"
    wired.configure(NOWHERE, more=mine)
    assert state(wired).name == codex_trust.UNTRUSTED
    recorded = trust(wired, client, monkeypatch)
    found = state(wired)
    assert (found.name, codex_trust.reminder(found)) == (codex_trust.TRUSTED, "")
    assert recorded in wired.config_file.read_text()
    for line in mine.splitlines():
        assert line.replace("'", '"') in wired.config_file.read_text().replace("'", '"')
    assert "note" not in wired.wire()


KEY_AND_HASH = "[hooks.state.{key}]\ntrusted_hash = {hash}\n"
STATES = [
    ("", codex_trust.UNTRUSTED, (True, "untrusted")),
    (KEY_AND_HASH, codex_trust.TRUSTED, (True, "trusted")),
    (KEY_AND_HASH + "enabled = true\n", codex_trust.TRUSTED, (True, "trusted")),
    (KEY_AND_HASH.replace("{hash}", '"sha256:00"'), codex_trust.MODIFIED, (True, "modified")),
    (KEY_AND_HASH + "enabled = false\n", codex_trust.DISABLED, (False, "trusted")),
    ("[hooks.state.{key}]\nenabled = false\n", codex_trust.DISABLED, (False, "untrusted")),
    (KEY_AND_HASH + "[features]\nhooks = false\n", codex_trust.HOOKS_OFF, None),
    (KEY_AND_HASH + "[features]\ncodex_hooks = false\n", codex_trust.HOOKS_OFF, None),
    (KEY_AND_HASH + "[features]\nhooks = true\ncodex_hooks = false\n", codex_trust.TRUSTED, (True, "trusted")),
    (KEY_AND_HASH.replace("{hash}", "1"), codex_trust.UNREADABLE, None),
    ("[features]\nhooks = 0\n", codex_trust.UNREADABLE, None),
    ("[hooks.state]\n{key} = 1\n", codex_trust.UNREADABLE, None),
]


@pytest.mark.parametrize(("config", "name", "client_says"), STATES)
def test_our_word_about_trust_is_the_client_s(
    client: Path, wired: CodexSandbox, config: str, name: str, client_says: "tuple[bool, str] | None"
) -> None:
    key = codex_trust.key(str(wired.codex.resolve() / "hooks.json"), 0, 0)
    (group,) = json.loads(wired.hooks_file.read_text())["hooks"]["PreToolUse"]
    current = codex_trust.handler_hash(group["matcher"], group["hooks"][0])
    wired.configure(NOWHERE)
    with AppServer(client, wired) as server:
        text = config.replace("{key}", json.dumps(key)).replace("{hash}", json.dumps(current))
        wired.configure(NOWHERE, more=text)
        hooks = server.hooks()["hooks"]
    assert [(hook["enabled"], hook["trustStatus"]) for hook in hooks] == ([client_says] if client_says else [])
    assert state(wired).name == name


DEFINITIONS: list[tuple["str | None", list[dict[str, Any]]]] = [
    (
        "Bash|apply_patch",
        [{"command": "/usr/bin/python3 -I -S /home/u/.claude/hooks/guard.py --agent codex", "timeout": 10}],
    ),
    (None, [{"command": "true"}]),
    ("", [{"command": "true"}]),
    ("*", [{"command": "true"}]),
    ("Bash", [{"command": "true", "timeout": 0}]),
    ("Bash", [{"command": "true", "timeout": 1}]),
    ("Bash", [{"command": "true", "timeout": 600}]),
    ("Bash", [{"command": "true", "timeout": 2**63 - 1}]),
    ("Bash", [{"command": "true", "timeout": None}]),
    ("Bash", [{"command": "true", "async": True}]),
    ("Bash", [{"command": "true", "async": False}]),
    ("Bash", [{"command": "true", "statusMessage": "Looking"}]),
    ("Bash", [{"command": "true", "statusMessage": ""}]),
    ("Bash", [{"command": "true", "statusMessage": None}]),
    ("Bash", [{"command": "true", "additionalContextLimit": 0}]),
    ("Bash", [{"command": "true", "additionalContextLimit": 2500}]),
    ("Bash", [{"command": "true", "additionalContextLimit": 2501}]),
    ("Bash", [{"command": "true", "commandWindows": "other", "unknown": [1.5]}]),
    ("Bash", [{"command": "true"}, {"command": "false"}, {"command": "true", "timeout": 5}]),
    ("^(Bash|apply_patch)$", [{"command": "  true  "}]),
    ("blåbær 日本 😀", [{"command": "echo blåbær 日本 😀 \u2028 \x7f \ue000"}]),
    ("Bash", [{"command": "printf '\"\\\\' \b\f\n\r\t\x01\x1f </script> & \u00a0"}]),
    ("Bash", [{"command": "a" * 20_000}]),
    ("Bash", [{"command": "true", "statusMessage": '\\ " / \x00', "timeout": 7, "async": True}]),
]


def test_the_computed_hash_is_the_client_s(client: Path, tmp_path: Path) -> None:
    sandbox = CodexSandbox(tmp_path / "box")
    groups: list[dict[str, Any]] = []
    expected: dict[str, str] = {}
    for matcher, handlers in DEFINITIONS:
        full = [{"type": "command", **handler} for handler in handlers]
        for index, handler in enumerate(full):
            key = codex_trust.key(str(sandbox.codex.resolve() / "hooks.json"), len(groups), index)
            expected[key] = codex_trust.handler_hash(matcher, handler)
        groups.append({**({} if matcher is None else {"matcher": matcher}), "hooks": full})
    sandbox.hooks_file.write_text(json.dumps({"hooks": {"PreToolUse": [*groups, {"hooks": []}]}}, ensure_ascii=False))
    sandbox.configure(NOWHERE)
    with AppServer(client, sandbox) as server:
        found = {hook["key"]: hook["currentHash"] for hook in server.hooks()["hooks"]}
    assert len(expected) >= 20
    assert found == expected


def test_the_key_without_codex_home_has_links_in_it(
    client: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With CODEX_HOME they are followed, without it they are not; our own code finds the same path."""
    sandbox = CodexSandbox(tmp_path / "box")
    (sandbox.root / "linked").symlink_to(sandbox.codex)
    (sandbox.home / ".codex").symlink_to(sandbox.codex)
    sandbox.hooks_file.write_text('{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}')
    sandbox.configure(NOWHERE)
    for named in (str(sandbox.root / "linked"), ""):
        env = {**sandbox.codex_environment(), "CODEX_HOME": named}
        if not named:
            del env["CODEX_HOME"]
        with monkeypatch.context() as patched:
            patched.setenv("HOME", str(sandbox.home))
            patched.setenv("CODEX_HOME", named)
            ours = codex_places.from_environment().hooks
        with AppServer(client, sandbox, env=env) as server:
            (hook,) = server.hooks()["hooks"]
        assert hook["key"] == f"{ours}:stop:0:0"
        assert ("linked" in ours, ".codex" in ours) == (False, not named)


def test_the_client_refuses_the_files_that_we_refuse(client: Path, tmp_path: Path) -> None:
    sandbox = CodexSandbox(tmp_path / "box")
    sandbox.configure(NOWHERE)
    with AppServer(client, sandbox) as server:
        for text in [*TAKEN, *REFUSED]:
            sandbox.hooks_file.write_text(text)
            reply = server.reply("hooks/list", cwds=[str(sandbox.work)])
            said = reply["result"]["data"][0]["warnings"] if "result" in reply else [reply["error"]["message"]]
            refused = any(
                re.match("failed to (parse|read) hooks config|hook discovery task failed", line) for line in said
            )
            assert refused == (text in REFUSED), (text, reply)


@pytest.mark.parametrize("closed", [False, True])
def test_what_happens_without_an_interpreter(client: Path, wired: CodexSandbox, tmp_path: Path, closed: bool) -> None:
    """A guard that cannot start lets the call run, unless it was wired to fail closed (SPEC A5)."""
    sandbox = CodexSandbox(tmp_path / "box")
    handler = Handler(str(tmp_path / "gone" / "python3"), Places(str(wired.config)), closed)
    sandbox.hooks_file.write_text(json.dumps({"hooks": {"PreToolUse": [handler.group()]}}))
    run = play(sandbox, client, [PLAN["push"]], trusted=True)
    assert run.calls == ([] if closed else ["git push"])
    assert ("guardhook could not run (status 127)" in run.results[0]) == closed


@pytest.mark.parametrize("closed", [False, True])
def test_a_closed_guard_answers_as_an_open_one(client: Path, wired: CodexSandbox, tmp_path: Path, closed: bool) -> None:
    sandbox = CodexSandbox(tmp_path / "box")
    handler = Handler(interpreter.find().path, Places(str(wired.config)), closed)
    sandbox.hooks_file.write_text(json.dumps({"hooks": {"PreToolUse": [handler.group()]}}))
    run = play(sandbox, client, [PLAN["banned"], PLAN["push"]], trusted=True)
    assert "with other words" in run.results[0] and "could not run" not in run.results[0]
    assert run.calls == ["git push"]


def test_without_the_launcher_the_call_is_blocked(client: Path, wired: CodexSandbox, tmp_path: Path) -> None:
    """Python ends with 2 and a message for a script that is not there, and that is how a hook denies."""
    sandbox = CodexSandbox(tmp_path / "box")
    shutil.copytree(wired.hooks, sandbox.hooks)
    (sandbox.hooks / "guard.py").unlink()
    handler = Handler(interpreter.find().path, Places(str(sandbox.config)))
    sandbox.hooks_file.write_text(json.dumps({"hooks": {"PreToolUse": [handler.group()]}}))
    run = play(sandbox, client, [PLAN["push"]], trusted=True)
    assert run.calls == []
    assert "can't open file" in run.results[0]


def test_text_typed_into_a_running_shell_is_not_seen(client: Path, wired: CodexSandbox) -> None:
    """The limit that docs/agents.md names: there is no hook call for write_stdin."""
    typed = call("write_stdin", session_id=SESSION, chars="cd sub && git push\ngit init inner\n", yield_time_ms=500)
    run = play(wired, client, [shell("sh", tty=True, yield_time_ms=300), typed], trusted=True)
    assert run.calls == ["git push", "git init inner"]
