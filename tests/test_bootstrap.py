"""The shell scripts of a checkout: bootstrap.sh, scripts/test and .ci/run, with stand-ins and once for real."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from guardhook.install import interpreter
from tests.install.deployment import tree

CHECKOUT = Path(__file__).parent.parent
PYTHON = interpreter.find().path
# What pip and uv say when they reach no package index.
OFFLINE = (
    "Could not find a version",
    "No matching distribution",
    "ConnectionError",
    "Temporary failure",
    "client error",
)

# A Python that answers for itself where scripts ask for the base interpreter, so that they go on using it.
STUB = f"""#!/bin/bash
case "$*" in
    *_base_executable*) echo "$0"; exit 0 ;;
    "-m venv"*) echo "The environment was not created: ensurepip is not available."; exit 1 ;;
    *"import ensurepip, venv"*) exit 1 ;;
esac
exec {PYTHON} "$@"
"""


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what a clone holds, without what is made in it."""
    copy = tmp_path / "clone"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, copy)
    for name in ("bootstrap", "scripts", "src", ".ci"):
        shutil.copytree(CHECKOUT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def run(script: Path, home: Path, path: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    home.mkdir(exist_ok=True)
    return subprocess.run(
        ["/bin/bash", str(script), *arguments],
        capture_output=True,
        check=False,
        env={"HOME": str(home), "PATH": path, **environment},
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=300,
    )


def only(folder: Path, *names: str) -> str:
    """A PATH with these programs of the system and nothing else."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).symlink_to(shutil.which(name, path="/usr/bin:/bin") or name)
    return str(folder)


TOOLS = ("bash", "cat", "cmp", "cp", "dirname", "env", "ln", "mkdir", "readlink", "rm")


@pytest.mark.parametrize("script", ["bootstrap/bootstrap.sh", "bootstrap/find_python.sh", "scripts/test", ".ci/run"])
def test_the_script_is_bash(script: str) -> None:
    assert subprocess.run(["/bin/bash", "-n", CHECKOUT / script], check=False).returncode == 0


def test_from_a_clone_to_a_guarded_client_and_again(checkout: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    path = "/usr/local/bin:/usr/bin:/bin"
    first = run(checkout / "bootstrap/bootstrap.sh", home, path)
    if first.returncode and any(words in first.stderr for words in OFFLINE):
        pytest.skip(f"no package index can be reached: {first.stderr.strip().splitlines()[-1]}")
    assert first.returncode == 0, first.stdout + first.stderr
    assert '"permissionDecision":"deny"' in first.stdout
    assert "no output" in first.stdout
    link = home / ".local/bin/guardhook"
    assert os.readlink(link) == str(home / ".local/share/guardhook/venv/bin/guardhook")
    settings = json.loads((home / ".claude/settings.json").read_text(encoding="utf-8"))
    (group,) = settings["hooks"]["PreToolUse"]
    assert str(home / ".local/share") not in group["hooks"][0]["command"]

    before = tree(home)
    second = run(checkout / "bootstrap/bootstrap.sh", home, path)
    assert second.returncode == 0, second.stdout + second.stderr
    assert "(up to date)" in second.stdout
    after = tree(home)
    changed = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
    assert [name for name in changed if "__pycache__" not in name] == []

    gone = subprocess.run([link, "uninstall"], capture_output=True, check=True, env={"HOME": str(home)}, text=True)
    assert f"left        {home}/.local/share/guardhook/venv" in gone.stdout
    assert not (home / ".claude").exists()


def test_without_a_python_it_says_what_to_install(checkout: Path, tmp_path: Path) -> None:
    path = only(tmp_path / "bin", *TOOLS)
    found = run(checkout / "bootstrap/bootstrap.sh", tmp_path / "home", path)
    assert found.returncode == 1
    assert "needs Python 3.11 or later, and found none on PATH" in found.stderr
    assert "apt install python3 python3-venv" in found.stderr
    program(tmp_path / "bin/python3", "#!/bin/bash\necho 'Python 3.9.2' >&2\nexit 1\n")
    found = run(checkout / "bootstrap/bootstrap.sh", tmp_path / "home", path)
    assert found.returncode == 1
    assert "and found python3 (Python 3.9.2).\n" in found.stderr
    assert os.listdir(tmp_path / "home") == []


def test_without_venv_it_says_what_to_install(checkout: Path, tmp_path: Path) -> None:
    program(tmp_path / "bin/python3", STUB)
    found = run(checkout / "bootstrap/bootstrap.sh", tmp_path / "home", only(tmp_path / "bin", *TOOLS))
    assert found.returncode == 1
    assert "apt install python3-venv" in found.stderr
    assert "ensurepip is not available" in found.stderr
    assert not (tmp_path / "home/.claude").exists()
    assert not (tmp_path / "home/.local/share/guardhook/venv").exists()


MADE = f"""
    mkdir -p "$place/bin"
    printf '#!/bin/sh\\necho program "$@"\\n' >"$place/bin/guardhook"
    chmod +x "$place/bin/guardhook"
    ln -sf {PYTHON} "$place/bin/python"
"""
UV = f"""#!/bin/bash
echo "uv $*" >>"$HOME/log"
if [ "$1" = venv ]; then place="${{@: -1}}"; {MADE} fi
"""
PIPX = f"""#!/bin/bash
echo "pipx $*" >>"$HOME/log"
place=$PIPX_HOME/venvs/guardhook
{MADE}
"""


@pytest.mark.parametrize(("tool", "text"), [("uv", UV), ("pipx", PIPX)])
def test_uv_and_pipx_do_where_venv_does_not(checkout: Path, tmp_path: Path, tool: str, text: str) -> None:
    program(tmp_path / "bin/python3", STUB)
    program(tmp_path / f"bin/{tool}", text)
    path = only(tmp_path / "bin", *TOOLS, "chmod")
    home, data = tmp_path / "home", tmp_path / "data"
    found = run(checkout / "bootstrap/bootstrap.sh", home, path, "--fail-open", XDG_DATA_HOME=str(data))
    assert found.returncode == 0, found.stderr
    assert f"(made with {tool}, " in found.stdout
    assert found.stdout.endswith("program install --fail-open\n")
    log = (home / "log").read_text(encoding="utf-8")
    assert str(checkout) in log
    again = run(checkout / "bootstrap/bootstrap.sh", home, path, XDG_DATA_HOME=str(data))
    assert again.stdout.endswith("program install\n")
    assert (home / "log").read_text(encoding="utf-8") == log
    (checkout / "src/guardhook/hook.py").write_text("changed = 1\n", encoding="utf-8")
    run(checkout / "bootstrap/bootstrap.sh", home, path, XDG_DATA_HOME=str(data))
    assert (home / "log").read_text(encoding="utf-8") == log * 2


def test_a_program_that_is_no_link_is_left_alone(checkout: Path, tmp_path: Path) -> None:
    program(tmp_path / "bin/python3", STUB)
    program(tmp_path / "bin/uv", UV)
    program(tmp_path / "home/.local/bin/guardhook", "mine\n")
    found = run(checkout / "bootstrap/bootstrap.sh", tmp_path / "home", only(tmp_path / "bin", *TOOLS, "chmod"))
    assert found.returncode == 0, found.stderr
    assert "was left alone" in found.stdout
    assert (tmp_path / "home/.local/bin/guardhook").read_text(encoding="utf-8") == "mine\n"


STAGES = f"""#!/bin/bash
case "$1" in -c) exec {PYTHON} "$@" ;; esac
echo "$*" >>"$LOG"
case "$*" in "-m $FAIL"*) exit 3 ;; esac
"""


@pytest.mark.parametrize(
    ("fail", "name", "stages"),
    [
        ("nothing", "", 4),
        ("ruff check", "ruff check", 1),
        ("ruff format", "ruff format", 2),
        ("mypy", "mypy", 3),
        ("pytest", "pytest", 4),
    ],
)
def test_the_checks_stop_at_the_first_that_fails(
    checkout: Path, tmp_path: Path, fail: str, name: str, stages: int
) -> None:
    program(checkout / ".venv/bin/python", STAGES)
    shutil.copy(checkout / "pyproject.toml", checkout / ".venv/guardhook-pyproject")
    log = tmp_path / "log"
    found = run(
        checkout / ".ci/run", tmp_path / "home", "/usr/bin:/bin", "tests/shell", "-k", "a b", LOG=str(log), FAIL=fail
    )
    expected = ["-m ruff check .", "-m ruff format --check .", "-m mypy", "-m pytest tests/shell -k a b"]
    assert log.read_text(encoding="utf-8").splitlines() == expected[:stages]
    assert found.returncode == (3 if name else 0)
    assert found.stderr == (f"scripts/test: {name} failed with exit status 3\n" if name else "")


def test_the_environment_is_made_again_only_when_the_project_file_changed(checkout: Path, tmp_path: Path) -> None:
    program(checkout / ".venv/bin/python", STAGES)
    (checkout / ".venv/guardhook-pyproject").write_text("older\n", encoding="utf-8")
    log = tmp_path / "log"
    for _ in range(2):
        found = run(checkout / "scripts/test", tmp_path / "home", "/usr/bin:/bin", LOG=str(log), FAIL="nothing")
        assert found.returncode == 0, found.stderr
    lines = log.read_text(encoding="utf-8").splitlines()
    installs = [line for line in lines if line.startswith("-m pip install")]
    assert len(installs) == 1
    assert "--editable ." in installs[0]
    for package in ("hypothesis", "mypy", "pytest", "ruff", "shfmt-py"):
        assert f" {package}>=" in installs[0]
    assert lines.count("-m mypy") == 2
