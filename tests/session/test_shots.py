"""The check of the wired guard: which command is fired, how, and what counts as a flaw (SPEC G4)."""

import json
import os
import shlex
import time
from pathlib import Path

import pytest

from guardhook import hatches
from guardhook.install.places import Places
from guardhook.session import shots

DENIAL = json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}})
GOOD = f"case $(cat) in *'cd sub && make'*) echo '{DENIAL}';; esac"


def settings(where: Places, wired: object, **more: object) -> shots.Settings:
    """A settings file whose PreToolUse hooks are `wired`."""
    os.makedirs(where.hooks, exist_ok=True)
    Path(where.settings).write_text(json.dumps({"hooks": {"PreToolUse": wired}, **more}), "utf-8-sig")
    return shots.Settings(os.environ)


def stub(where: Places, body: str) -> shots.Settings:
    """A shell script in the guard's place, wired as the guard is."""
    found = settings(where, [{"matcher": "*", "hooks": [{"command": f"/bin/sh {shlex.quote(where.guard)}"}]}])
    Path(where.guard).write_text(body + "\n", "utf-8")
    return found


def test_the_settings_are_those_of_the_environment(
    where: Places, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = shots.Settings(os.environ)
    assert (found.path, found.guard) == (where.settings, where.guard)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "c"))
    assert shots.Settings(os.environ).guard == str(tmp_path / "c" / "hooks" / "guard.py")


# A handler, with %s for the guard's path; what is fired.
WIRED: list[tuple[dict[str, object], str | list[str] | None]] = [
    ({"command": "/usr/bin/python3 -I -S %s"}, "/usr/bin/python3 -I -S %s"),
    ({"command": "env X=1 python3 '%s' --agent claude"}, "env X=1 python3 '%s' --agent claude"),
    ({"command": "python3 -I $HOME/.claude/hooks/guard.py"}, "python3 -I $HOME/.claude/hooks/guard.py"),
    ({"command": "python3", "args": ["-I", "%s"]}, ["python3", "-I", "%s"]),
    ({"command": "python3 /elsewhere/guard.py"}, None),
    ({"command": "python3 '%s"}, None),
    ({"command": "python3 %s", "if": "Bash(git *)"}, None),
    ({"command": 5}, None),
    ({}, None),
]


@pytest.mark.parametrize(("handler", "expected"), WIRED, ids=range(len(WIRED)))
def test_the_wired_command(where: Places, handler: dict[str, object], expected: "str | list[str] | None") -> None:
    def fill(value: object) -> object:
        return json.loads(json.dumps(value).replace("%s", where.guard))

    found = settings(
        where, [{"hooks": []}, {"matcher": "Bash|Write|Edit", "hooks": [{"command": "true"}, fill(handler)]}]
    )
    assert shots.wiring(found)[0] == fill(expected)


MATCHERS = [
    ("", True),
    ("*", True),
    (None, True),
    ("Write|Bash", True),
    ("Write, Bash", True),
    ("Ba.*", True),
    (".ash", True),
    ("^(Write|Bash)$", True),
    ("Read", False),
    ("bash", False),
    ("Ba", False),
    ("(?i)bash", False),
    ("[", False),
    (5, False),
]


@pytest.mark.parametrize(("matcher", "expected"), MATCHERS)
def test_a_matcher_is_read_as_the_client_does(matcher: object, expected: bool) -> None:
    """The table that was measured on Claude Code 2.1.332."""
    assert shots.matches(matcher, "Bash") is expected


@pytest.mark.parametrize("matcher", ["Read", "Bash"])
def test_a_matcher_that_keeps_calls_from_the_guard_is_no_wiring(where: Places, matcher: str) -> None:
    stub(where, GOOD)
    found = settings(where, [{"matcher": matcher, "hooks": [{"command": f"sh {where.guard}"}]}])
    check = shots.prove(found, limit=10)
    assert check.result == shots.UNWIRED
    assert "keeps these from the guard: " in check.detail
    assert ("Bash" in check.detail.rpartition(": ")[2]) is (matcher == "Read")


def test_a_second_handler_may_see_what_the_first_does_not(where: Places) -> None:
    groups = [{"matcher": name, "hooks": [{"command": f"sh {where.guard} {name}"}]} for name in ("Read", "*")]
    assert shots.wiring(settings(where, groups))[0] == f"sh {where.guard} *"


def test_hooks_that_are_switched_off_are_no_wiring(where: Places) -> None:
    group = [{"hooks": [{"command": f"sh {where.guard}"}]}]
    assert shots.wiring(settings(where, group, disableAllHooks=False))[0]
    check = shots.prove(settings(where, group, disableAllHooks=True))
    assert (check.result, "disableAllHooks" in check.detail) == (shots.UNWIRED, True)


def test_a_guard_that_floods_is_cut_short(where: Places) -> None:
    start = time.monotonic()
    check = shots.prove(stub(where, "while :; do echo 0123456789012345678901234567890123456789; done"), limit=10)
    assert time.monotonic() - start < 5
    assert check.detail == "more than 100,000 bytes in answer to a test call (cd sub && make)"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"hooks": 1}', '{"hooks": {"PreToolUse": [1]}}', "[" * 100_000])
def test_settings_that_wire_nothing(where: Places, text: str) -> None:
    os.makedirs(where.config)
    Path(where.settings).write_text(text)
    check = shots.prove(shots.Settings(os.environ))
    assert check.result == shots.UNWIRED
    assert where.settings in check.detail


def test_no_settings_and_a_fifo(where: Places) -> None:
    assert shots.prove(shots.Settings(os.environ)).result == shots.UNWIRED
    os.makedirs(where.config)
    os.mkfifo(where.settings)
    assert shots.prove(shots.Settings(os.environ)).result == shots.UNWIRED


# A stub's body, the result, words of the detail.
STUBS = [
    (GOOD, shots.OK, ""),
    ("cat >/dev/null", shots.FAILED, "must be denied (cd sub && make) was not"),
    (f"cat >/dev/null; echo '{DENIAL}'", shots.FAILED, "must pass (ls -la) got an answer"),
    ("echo oops; exit 0", shots.FAILED, "must be denied"),
    ("exit 3", shots.FAILED, "exit status 3 for a test call (cd sub && make)"),
    (GOOD + "\ncase $0 in *) exit 1;; esac", shots.FAILED, "exit status 1"),
    ("kill -9 $$", shots.FAILED, "exit status "),
]


@pytest.mark.parametrize(("body", "result", "detail"), STUBS, ids=range(len(STUBS)))
def test_what_counts_as_a_flaw(where: Places, body: str, result: str, detail: str) -> None:
    check = shots.prove(stub(where, body), limit=10)
    assert (check.result, detail in check.detail, bool(detail)) == (result, True, bool(check.detail))
    assert check.milliseconds > 0


def test_a_command_that_is_missing_is_a_flaw(where: Places) -> None:
    shell = settings(where, [{"hooks": [{"command": f"/no/such/python {where.guard}"}]}])
    assert "exit status 127" in shots.prove(shell, limit=10).detail
    direct = settings(where, [{"hooks": [{"command": "/no/such/python", "args": [where.guard]}]}])
    assert "cannot be started (No such file or directory)" in shots.prove(direct, limit=10).detail


def test_both_shots_are_ended_in_time_with_what_they_started(where: Places, tmp_path: Path) -> None:
    found = stub(where, f"sh -c 'sleep 1; : >>{tmp_path}/late' & sleep 30")
    start = time.monotonic()
    check = shots.prove(found, limit=0.2)
    assert time.monotonic() - start < 0.9
    assert check.result == shots.FAILED
    assert "no answer to a test call (cd sub && make) within 0.2 seconds" in check.detail
    time.sleep(1.2)
    assert not (tmp_path / "late").exists()


def test_a_shot_sees_no_hatch_and_no_project(where: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in hatches._ESCAPE_HATCH_ENV_NAMES:
        monkeypatch.setenv(name, "off")
    monkeypatch.setenv("OTHER", "kept")
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "log"
    shots.prove(stub(where, f"{{ pwd; env; cat; }} >{log}.$$"), limit=10)
    found = [path.read_text("utf-8") for path in sorted(tmp_path.glob("log.*"))]
    assert sorted(json.loads(text.splitlines()[-1])["tool_input"]["command"] for text in found) == [
        "cd sub && make",
        "ls -la",
    ]
    for text in found:
        assert text.splitlines()[0] == "/"
        assert json.loads(text.splitlines()[-1])["cwd"] == "/"
        assert "OTHER=kept" in text
        assert not [name for name in hatches._ESCAPE_HATCH_ENV_NAMES if name in text]
