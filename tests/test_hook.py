"""The whole process, started from the checkout: bytes in, one document or nothing out (SPEC A1, A4, A5, A9, A10)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from guardhook import hook

LAUNCHER = Path(__file__).parent.parent / "scripts" / "guard.py"


def _run(data: bytes, *arguments: str, cwd: Path | None = None, **environment: str) -> tuple[bytes, int]:
    clean = {"PATH": os.defpath, "HOME": str(cwd or "/nonexistent"), **environment}
    command = [sys.executable, "-I", "-S", str(LAUNCHER), *arguments]
    done = subprocess.run(command, input=data, capture_output=True, env=clean, cwd=cwd, timeout=30, check=False)
    assert done.stderr == b""
    return done.stdout, done.returncode


def _bash(command: str) -> bytes:
    return json.dumps({"tool_name": "Bash", "tool_input": {"command": command}}).encode()


def _decision(output: bytes) -> str:
    decision: str = json.loads(output)["hookSpecificOutput"]["permissionDecision"]
    return decision


def test_ask_deny_and_pass() -> None:
    output, status = _run(_bash("git push"))
    assert (_decision(output), status) == ("ask", 0)
    output, status = _run(_bash("cd a && make"))
    assert (_decision(output), status) == ("deny", 0)
    assert _run(_bash("ls")) == (b"", 0)
    assert _run(b'{"tool_name":"Read","tool_input":{"file_path":"/a"}}') == (b"", 0)


@pytest.mark.parametrize("data", [b"", b" \n"])
def test_no_input_no_answer(data: bytes) -> None:
    assert _run(data) == (b"", 0)


@pytest.mark.parametrize("data", [b"{", b"\x00", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_payload_is_asked_about(data: bytes) -> None:
    output, status = _run(data)
    assert (_decision(output), status) == ("ask", 0)


def test_codex_gets_nothing() -> None:
    assert _run(_bash("git push"), "--agent", "codex") == (b"", 0)
    assert _run(_bash("git push"), "--agent=codex") == (b"", 0)


def test_an_unknown_agent_is_judged_as_claude() -> None:
    assert _decision(_run(_bash("git push"), "--agent", "claud")[0]) == "ask"


def test_same_bytes_every_time() -> None:
    data = _bash("git push; rm -rf x; echo $(git commit)")
    assert len({_run(data, PYTHONHASHSEED=str(seed)) for seed in (0, 1, 2)}) == 1


def test_planted_modules_and_python_variables_change_nothing(tmp_path: Path) -> None:
    expected = _run(_bash("git push"))
    for name in ("guardhook", "_json", "json", "os", "re", "sitecustomize", "usercustomize", "marshal", "gc"):
        (tmp_path / f"{name}.py").write_text("print('planted')\nraise SystemExit(7)\n")
    (tmp_path / "startup.py").write_text("print('planted')\n")
    variables = {
        "PYTHONPATH": str(tmp_path),
        "PYTHONSTARTUP": str(tmp_path / "startup.py"),
        "PYTHONHOME": str(tmp_path),
    }
    assert _run(_bash("git push"), cwd=tmp_path, PYTHONINSPECT="1", PYTHONVERBOSE="1", **variables) == expected


def test_an_assignment_in_the_command_is_no_hatch() -> None:
    assert _decision(_run(_bash("AGENT_COMPOUND_CD_HOOK=off; cd a && ls"))[0]) == "deny"
    assert _run(_bash("cd a && ls"), AGENT_COMPOUND_CD_HOOK="off") == (b"", 0)


def test_the_timer_ends_a_judgement(monkeypatch: pytest.MonkeyPatch) -> None:
    from guardhook import engine

    def stuck(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(hook, "DEADLINE", 0.05)
    monkeypatch.setattr(engine, "_load", lambda _: type("Gate", (), {"judge": staticmethod(stuck)}))
    output, status = hook.answer(_bash("git push"), [])
    assert (_decision(output), status) == ("ask", 0)
    assert "5 seconds" in json.loads(output)["hookSpecificOutput"]["permissionDecisionReason"]


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_other_interpreters_give_the_same_bytes(version: str) -> None:
    found = [path for path in _interpreters(version) if path.exists()]
    if not found:
        pytest.skip(f"no Python {version} on this machine")
    for command in ("git push; ls", "cd a && git status", "ls", "bash -c 'rm -rf x'"):
        done = subprocess.run(
            [found[0], "-I", "-S", LAUNCHER], input=_bash(command), capture_output=True, check=True, timeout=30
        )
        assert (done.stdout, 0) == _run(_bash(command))


def _interpreters(version: str) -> list[Path]:
    folders = [Path(folder) for folder in os.environ.get("PATH", os.defpath).split(os.pathsep)]
    folders += sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin"))
    return [folder / f"python{version}" for folder in folders if "shims" not in folder.parts]


@pytest.mark.parametrize(
    ("command", "status"),
    [("'pivotal' | Out-File notes.md", 2), ("echo pivotal > notes.md", 2), ("'fine' | Out-File notes.md", 0)],
)
def test_codex_on_windows_is_read_by_both_grammars(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, status: int
) -> None:
    data = json.dumps({"tool_name": "Bash", "tool_input": {"command": command}, "cwd": "/srv"}).encode()
    monkeypatch.setattr("sys.platform", "win32")
    output, found = hook.answer(data, ["--agent", "codex"])
    assert found == status
    assert bool(output) == bool(capsys.readouterr().err) == bool(status)
