"""`guardhook-ask` as it is deployed: what it runs is byte for byte the original, in an unchanged process (SPEC X5)."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from guardhook.agents import codex_ask
from guardhook.install import codex_rules, interpreter

SOURCE = Path(__file__).parent.parent / "scripts" / "guardhook-ask"
PYTHON = interpreter.find().path
COMMANDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)
# What a variable may be called and hold, for a kernel: any bytes but NUL, and no = in the name.
NAMES = st.binary(min_size=1, max_size=8).filter(lambda name: not {0, ord("=")} & set(name))
VALUES = st.binary(max_size=8).filter(lambda value: 0 not in value)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


class Asked:
    """The program in a folder of its own, with a shell beside it that writes down the text it is given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "guardhook-ask"
        self.program.write_bytes(codex_rules.program(PYTHON, SOURCE.read_bytes()))
        self.shell = folder / "bash"
        self.shell.write_text(f'#!/bin/sh\nprintf %s "$2" >\'{folder}/ran\'\nprintf \'%s %s\' "$#" "$1"\n')
        for path in (self.program, self.shell):
            path.chmod(0o755)

    def run(self, *words: "str | bytes", cwd: Path | None = None, **more: str) -> subprocess.CompletedProcess[bytes]:
        """Run the program with these arguments; more: environment variables."""
        env = {"PATH": os.defpath, **more}
        return subprocess.run([self.program, *words], capture_output=True, check=False, cwd=cwd, env=env, timeout=20)

    def ran(self) -> bytes:
        return (self.folder / "ran").read_bytes()


@pytest.fixture(scope="module")
def asked() -> Iterator[Asked]:
    with tempfile.TemporaryDirectory(prefix="guardhook-ask-") as folder:
        yield Asked(Path(folder).resolve())


@given(COMMANDS)
@example("git push\n'\"'\"'\\'' $(x) `y` !! ${z} <<E\nE\r\n\x1b\u202e日本😀")
@example("git push " + "x" * 100_000)
@example("-c")
@example("--")
@settings(max_examples=60, deadline=None)
def test_what_runs_is_the_original(asked: Asked, command: str) -> None:
    """The rewritten command through the shell of Codex, the program as deployed, up to the shell that runs it."""
    with patch.object(codex_ask, "shell", lambda: str(asked.shell)):
        handed = codex_ask.line(str(asked.program), "git.push", ["git push, rm -rf"], command)
    run = subprocess.run(["bash", "-c", handed], capture_output=True, check=True, timeout=20)
    assert (run.stdout, run.stderr) == (b"2 -c", b"")
    assert asked.ran() == command.encode()


@on_linux
@given(st.dictionaries(NAMES, VALUES, max_size=8))
@example({b"BASH_FUNC_f%%": b"() { :; }", b"a/b:c": b"1", b"\xff": b"\xfe", b"LC_ALL": b"ja_JP.SJIS"})
@example({b"LC_CTYPE": b"C"})
@example({b"LC_CTYPE": b"POSIX", b"LANG": b"C"})
@example({b"LC_CTYPE": b""})
@example({})
@settings(max_examples=40, deadline=None)
def test_the_environment_is_unchanged(asked: Asked, variables: dict[bytes, bytes]) -> None:
    """Each variable, whatever its name, also where Python would add its own to the C locale."""
    run = subprocess.run(
        [asked.program, "git.push", "--", "/bin/cat", "/proc/self/environ"],
        capture_output=True,
        check=True,
        env=variables,
        timeout=20,
    )
    assert sorted(run.stdout.split(b"\0")[:-1]) == sorted(name + b"=" + value for name, value in variables.items())


@on_linux
def test_the_process_is_the_same_but_for_the_program(asked: Asked, tmp_path: Path) -> None:
    """Directory, umask, open files, limits and every signal's handling are what they are without it."""
    script = (
        "pwd; umask; ulimit -a; ls /proc/self/fd; grep -E '^(Sig|NoNew|Seccomp)' /proc/self/status; echo $0 $#; cat"
    )
    words = ["/bin/bash", "-c", script]
    outputs = [
        subprocess.run(command, cwd=tmp_path, input=b"input\n", capture_output=True, check=True, timeout=20).stdout
        for command in (words, [asked.program, "git.push", "--", *words])
    ]
    assert outputs[0] == outputs[1]
    assert b"SigIgn:\t0000000000000000" in outputs[0]


def test_the_exit_status_is_the_original_s(asked: Asked) -> None:
    assert asked.run("git.push", "--", "/bin/sh", "-c", "exit 37").returncode == 37
    assert asked.run("git.push", "--", "/bin/sh", "-c", "kill -TERM $$").returncode == -signal.SIGTERM
    assert asked.run("git.push", "acts", "--", "/bin/sh", "-c", "true").returncode == 0


def test_the_first_dashes_end_what_is_for_the_person(asked: Asked) -> None:
    assert asked.run("git.push", "git checkout --", "--", "/bin/echo", "--", "x").stdout == b"-- x\n"


def test_bytes_that_are_no_text_pass(asked: Asked) -> None:
    for locale in ("C", "C.UTF-8", "ja_JP.SJIS"):
        run = asked.run("git.push", "--", "printf", "%s", b"\xff\xfe\x80 \xc3", LC_ALL=locale)
        assert run.stdout == b"\xff\xfe\x80 \xc3"


@pytest.mark.parametrize("words", [(), ("git.push",), ("git.push", "--"), ("--help",)])
def test_without_a_command_nothing_runs(asked: Asked, words: tuple[str, ...]) -> None:
    run = asked.run(*words)
    assert (run.returncode, run.stdout) == (64, b"")
    assert run.stderr.startswith(b"usage: guardhook-ask CODE")


def test_what_cannot_be_started_is_reported_as_a_shell_does(asked: Asked, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    assert asked.run("git.push", "--", "no-such-program").returncode == 127
    run = asked.run("git.push", "--", str(tmp_path / "data"))
    assert run.returncode == 126
    assert b"guardhook-ask: " in run.stderr


def test_planted_modules_and_python_variables_change_nothing(asked: Asked, tmp_path: Path) -> None:
    for name in ("os", "sys", "_signal", "encodings", "sitecustomize", "usercustomize"):
        (tmp_path / f"{name}.py").write_text("print('planted')\nraise SystemExit(7)\n")
    variables = {"PYTHONPATH": str(tmp_path), "PYTHONHOME": str(tmp_path), "PYTHONSTARTUP": str(tmp_path / "os.py")}
    run = asked.run("git.push", "--", "/bin/echo", "ran", cwd=tmp_path, PYTHONINSPECT="1", **variables)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"ran\n", b"")


@on_linux
@pytest.mark.parametrize(("name", "status"), [("pwsh", 126), ("pwsh-preview", 126), ("dash", 0)])
def test_nothing_runs_for_powershell(asked: Asked, tmp_path: Path, name: str, status: int) -> None:
    """Codex's rules do not read its command line, so nobody was asked. The stand-in is a shell under that name."""
    shutil.copy(os.path.realpath("/bin/sh"), tmp_path / name)
    script = f"{asked.program} git.push -- /bin/echo ran; exit $?"
    run = subprocess.run([tmp_path / name, "-c", script], capture_output=True, check=False, timeout=20)
    assert (run.returncode, run.stdout) == (status, b"" if status else b"ran\n")
    assert (b"nobody was asked" in run.stderr) == bool(status)


def test_an_interpreter_that_no_first_line_can_name(tmp_path: Path) -> None:
    """A blank in its path, or a path longer than Linux reads: a shell starts it."""
    for folder in (tmp_path / "a b", tmp_path / ("long" * 40)):
        folder.mkdir()
        (folder / "python").symlink_to(PYTHON)
        program = folder / "guardhook-ask"
        program.write_bytes(codex_rules.program(str(folder / "python"), SOURCE.read_bytes()))
        program.chmod(0o755)
        run = subprocess.run(
            [program, "git.push", "--", "printf", "%s|", "it's", "a\nb"], capture_output=True, check=True, timeout=20
        )
        assert (run.stdout, run.stderr) == (b"it's|a\nb|", b"")
