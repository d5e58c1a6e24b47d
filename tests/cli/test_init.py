"""`guardhook init`: which projects it takes in, what it leaves for git to see, and the way back (SPEC G6)."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from guardhook.cli import init
from guardhook.gates import banner
from guardhook.session import acceptance, event
from tests.install.deployment import tree

OWN = sorted(name for name, _, _ in init.FILES)


@pytest.fixture
def project(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a folder `a/b`, outside HOME; git knows no other configuration."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    made = tmp_path / "my project"
    (made / "a" / "b").mkdir(parents=True)
    (made / "a" / "file").write_text("x")
    git(made, "init", "-q")
    monkeypatch.chdir(made / "a" / "b")
    return made


def git(root: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True).stdout


def run(*arguments: str) -> Result:
    return CliRunner().invoke(init.command, list(arguments))


def taken_in(root: Path) -> bool:
    return banner.project(str(root)) == f"{root}/.agent-config"


def test_the_repository_around_the_current_folder_takes_part(project: Path) -> None:
    before = git(project, "status", "--porcelain", "--ignored")
    result = run()
    assert result.exit_code == 0, result.output
    assert taken_in(project)
    assert sorted(os.listdir(project / ".agent-config")) == OWN
    assert os.access(project / ".agent-config/bootstrap.sh", os.X_OK)
    for name in (banner.EVENT, banner.ACKNOWLEDGEMENT):
        (project / ".agent-config" / name).write_text("{}")
    assert git(project, "status", "--porcelain") == before
    assert result.output.rstrip().endswith(f"To undo: guardhook init --undo '{project}'")


def test_a_second_run_changes_nothing(project: Path) -> None:
    run()
    before = tree(project)
    result = run(str(project))
    assert result.exit_code == 0
    assert result.output.count("unchanged") == len(OWN)
    assert tree(project) == before


def test_a_folder_that_is_no_repository(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    assert run().exit_code == 0
    assert taken_in(tmp_path / "plain")
    git(tmp_path / "plain", "init", "-q")
    assert git(tmp_path / "plain", "status", "--porcelain") == ""


def test_the_printed_undo_gives_back_what_was_there(project: Path) -> None:
    before = tree(project)
    printed = run().output.rstrip().rpartition("To undo: ")[2]
    for name in init.RECORDS:
        (project / ".agent-config" / name).write_text("{}")
    result = run(*shlex.split(printed)[2:])
    assert result.exit_code == 0, result.output
    assert {path: data for path, (data, _) in tree(project).items()} == {
        path: data for path, (data, _) in before.items()
    }
    assert "does not take part" in run("--undo").output


def test_what_is_somebody_else_s_stays(project: Path) -> None:
    folder = project / ".agent-config"
    folder.mkdir()
    (folder / "bootstrap.sh").write_text("#!/bin/sh\necho mine\n")
    (folder / "notes.md").write_text("mine")
    (folder / "bootstrap.ps1").symlink_to(project / "a/file")
    result = run()
    assert result.exit_code == 0
    assert result.output.count("left alone") == 2
    assert (folder / "bootstrap.sh").read_text() == "#!/bin/sh\necho mine\n"
    assert (project / "a/file").read_text() == "x"
    result = run("--undo")
    assert sorted(os.listdir(folder)) == ["bootstrap.ps1", "bootstrap.sh", "notes.md"]
    assert "bootstrap.ps1, bootstrap.sh, notes.md" in result.output


def test_an_older_file_of_ours_is_brought_up_to_date(project: Path) -> None:
    run()
    path = project / ".agent-config/bootstrap.sh"
    path.write_text(f"#!/bin/sh\n# {init.OWN} long ago\n")
    assert "bootstrap.sh  brought up to date" in run().output
    assert path.read_text() == init.SHELL


def test_every_text_is_recognised_as_ours() -> None:
    assert [name for name, text, _ in init.FILES if init.OWN not in text] == []


def test_all_that_sessions_leave_is_known_to_the_undo() -> None:
    names = {banner.EVENT, banner.ACKNOWLEDGEMENT, acceptance.REPORT, acceptance.LAST_RUN, event.LOCK}
    assert set(init.RECORDS) == names


# A folder, %s being the root of the test and HOME %s/home; what the refusal says.
REFUSED = [
    ("%s/nowhere", "is not a folder"),
    ("%s/my project/a/file", "is not a folder"),
    ("/", "holds your home folder"),
    ("%s", "holds your home folder"),
    ("%s/home", "holds your home folder"),
    ("~", "holds your home folder"),
    ("%s/link to home", "holds your home folder"),
    ("%s/home/.claude/projects", "belongs to Claude Code"),
    ("%s/my project/.git/hooks", "belongs to git or guardhook"),
    ("%s/taken/.agent-config", "belongs to git or guardhook"),
    ("%s/taken/below", "takes part already, with the project around it (%s/taken)"),
    ("%s/occupied", ".agent-config is there and is not a folder"),
    ("%s/linked", ".agent-config is there and is not a folder"),
]


@pytest.mark.parametrize(("folder", "words"), REFUSED)
def test_refusals(project: Path, home: Path, tmp_path: Path, folder: str, words: str) -> None:
    (tmp_path / "link to home").symlink_to(home)
    for name in ("home/.claude/projects", "taken/below", "occupied", "linked"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "occupied/.agent-config").write_text("")
    (tmp_path / "linked/.agent-config").symlink_to(home)
    assert run(str(tmp_path / "taken")).exit_code == 0
    before = tree(tmp_path)
    result = run(folder.replace("%s", str(tmp_path)))
    assert (result.exit_code, result.stdout) == (1, "")
    assert words.replace("%s", str(tmp_path)) in result.stderr
    assert result.stderr.endswith("Nothing was written.\n")
    assert tree(tmp_path) == before


def test_a_bare_repository_is_refused(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    before = tree(tmp_path / "bare.git")
    for folder in ("bare.git", "bare.git/hooks"):
        monkeypatch.chdir(tmp_path / folder)
        result = run()
        assert (result.exit_code, "lies in a bare repository" in result.stderr) == (1, True)
    assert tree(tmp_path / "bare.git") == before


def test_the_undo_says_that_a_mark_is_left(project: Path) -> None:
    folder = project / ".agent-config"
    folder.mkdir()
    (folder / "bootstrap.sh").write_text("mine")
    run()
    result = run("--undo")
    assert taken_in(project)
    assert "The project still takes part, because of bootstrap.sh there" in result.output
    (folder / "bootstrap.sh").rename(folder / "notes")
    assert "still takes part" not in run("--undo").output


def test_the_undo_of_a_folder_below_names_the_project(project: Path) -> None:
    run()
    before = tree(project)
    result = run("--undo", str(project / "a"))
    assert f"takes part with the project around it. To undo: guardhook init --undo '{project}'" in result.output
    assert tree(project) == before


@pytest.mark.parametrize(("text", "hidden"), [("*.log\n", False), ("# mine\n*\n", True)])
def test_a_gitignore_of_somebody_else_s_is_told_where_it_hides_nothing(project: Path, text: str, hidden: bool) -> None:
    (project / ".agent-config").mkdir()
    (project / ".agent-config/.gitignore").write_text(text)
    result = run()
    assert ("Git will list the files in " in result.output) is not hidden
    assert (git(project, "status", "--porcelain", "--", ".agent-config") == "") is hidden


@pytest.mark.parametrize("name", OWN)
def test_a_link_to_nothing_is_not_written_through(project: Path, tmp_path: Path, name: str) -> None:
    (project / ".agent-config").mkdir()
    (project / ".agent-config" / name).symlink_to(tmp_path / "beside")
    result = run()
    assert (result.exit_code, result.output.count("left alone")) == (0, 1)
    assert not (tmp_path / "beside").exists()
    run("--undo")
    assert os.listdir(project / ".agent-config") == [name]


@pytest.mark.parametrize("name", OWN)
def test_a_folder_in_the_place_of_a_file_ends_it_before_anything_is_written(project: Path, name: str) -> None:
    (project / ".agent-config" / name).mkdir(parents=True)
    before = tree(project)
    assert run().exit_code == 1
    assert tree(project) == before


def test_a_repository_inside_a_project_may_take_part_itself(project: Path) -> None:
    run()
    inner = project / "a" / "b"
    git(inner, "init", "-q")
    assert run(str(inner)).exit_code == 0
    assert taken_in(inner)


def test_a_fifo_is_refused_and_nothing_hangs(project: Path) -> None:
    (project / ".agent-config").mkdir()
    os.mkfifo(project / ".agent-config/.gitignore")
    result = run()
    assert (result.exit_code, "is not a regular file" in result.stderr) == (1, True)


def test_a_machine_without_the_hook_is_told(project: Path, home: Path) -> None:
    assert "run `guardhook install`" in run().output
    (home / "other/hooks").mkdir(parents=True)
    (home / "other/hooks/session_start.py").write_text("")
    assert "run `guardhook install`" not in run("--config-dir", str(home / "other")).output
    (home / ".claude/hooks").mkdir(parents=True)
    (home / ".claude/hooks/session_start.py").write_text("")
    assert "run `guardhook install`" not in run().output


def refresh(project: Path, home: Path, *argv: str) -> "subprocess.CompletedProcess[str]":
    """Run a script of the project from elsewhere, with arguments that it must not hand on."""
    script = str(project / ".agent-config" / argv[-1])
    environment = {"HOME": str(home), "PATH": f"{home}/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
    words = [*argv[:-1], script, "--fail-open"]
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd="/", env=environment, timeout=60)


def stub(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text('#!/bin/sh\necho "$0 $*"\n')
    path.chmod(0o755)


@pytest.mark.parametrize("place", ["bin", ".local/share/guardhook/venv/bin", ".local/bin"])
def test_bootstrap_sh_refreshes_the_installation(project: Path, home: Path, place: str) -> None:
    run()
    assert refresh(project, home, "sh", "bootstrap.sh").returncode == 1
    assert "not installed for this user" in refresh(project, home, "sh", "bootstrap.sh").stderr
    stub(home / place / "guardhook")
    done = refresh(project, home, "sh", "bootstrap.sh")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{home}/{place}/guardhook install\n", "")


@pytest.mark.skipif(shutil.which("pwsh") is None, reason="no PowerShell on this machine")
@pytest.mark.parametrize("place", ["bin", ".local/share/guardhook/venv/bin", ".local/bin"])
def test_bootstrap_ps1_refreshes_the_installation(project: Path, home: Path, place: str) -> None:
    run()
    pwsh = (str(shutil.which("pwsh")), "-NoProfile", "-File", "bootstrap.ps1")
    assert "not installed for this user" in refresh(project, home, *pwsh).stderr
    stub(home / place / "guardhook")
    done = refresh(project, home, *pwsh)
    assert (done.returncode, done.stdout.strip()) == (0, f"{home}/{place}/guardhook install")
