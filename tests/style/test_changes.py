"""What a change brings in: its files, their bytes and added lines, whatever their names and kinds (SPEC T1, A8)."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from guardhook.style import changes
from guardhook.style.changes import Change, ChangeError
from tests.style.repository import Repository


def read(repository: Repository, *names: str) -> changes.Repository:
    return changes.Repository(str(repository.path), list(names))


def added(change: Change) -> dict[str, "list[int] | None"]:
    return {prose.path: None if prose.added is None else sorted(prose.added) for prose in change.files}


def data(change: Change) -> dict[str, bytes]:
    return {prose.path: prose.data for prose in change.files}


def test_staged_bytes_before_the_first_commit(repository: Repository) -> None:
    repository.stage("a.md", "staged\n")
    repository.write("a.md", "on the disk\n")
    repository.stage("b.py", "delve\n")
    change = read(repository).staged()
    assert (added(change), data(change)) == ({"a.md": None}, {"a.md": b"staged\n"})
    assert data(read(repository).worktree()) == {"a.md": b"on the disk\n"}
    assert added(read(repository).worktree()) == {"a.md": [1]}


def test_added_lines(repository: Repository) -> None:
    repository.commit(a__md="1\n2\n3\n4\n5\n6\n", gone__md="x\n")
    repository.stage("a.md", "0\n1\n2\nthree\n4\n6\n7")
    repository.git("rm", "-q", "gone.md")
    assert added(read(repository).staged()) == {"a.md": [1, 4, 7]}


def test_a_text_that_only_loses_lines_is_changed(repository: Repository) -> None:
    repository.commit(a__md="1\n2\n3\n")
    repository.stage("a.md", "1\n3\n")
    assert added(read(repository).staged()) == {"a.md": []}


@pytest.mark.parametrize("side", ["staged", "worktree", "base"])
def test_names_of_every_kind(repository: Repository, side: str) -> None:
    names = ["plain.md", "mit Blank.md", "Übung.md", 'quo"te.tex', "tab\there.txt", "new\nline.rst", "-dash.md", "*.md"]
    names += [os.fsdecode(b"latin-\xe9.md"), "sub/日本.MD", ":(top)x.md", " a.md", "b -> c.md"]
    repository.commit(**{name: f"{number}\nold\n" for number, name in enumerate(names)})
    for number, name in enumerate(names):
        repository.write(name, f"{number}\nold\nnew {number}\n")
    repository.git("config", "core.quotePath", "true")
    if side == "staged":
        repository.git("add", "-A")
    reader = read(repository)
    change = reader.since("HEAD") if side == "base" else reader.staged() if side == "staged" else reader.worktree()
    assert added(change) == {name: [3] for name in names}
    assert data(change) == {name: f"{number}\nold\nnew {number}\n".encode() for number, name in enumerate(names)}


def test_untracked_names(repository: Repository) -> None:
    repository.stage(".gitignore", "ignored.md\n")
    for name in ("Ü.md", "new\nline.md", "deep/er/x.txt", "ignored.md", "code.py"):
        repository.write(name, "x\n")
    assert added(read(repository).worktree()) == dict.fromkeys(["Ü.md", "new\nline.md", "deep/er/x.txt"])


OLD = "".join(f"This is line number {number} of it.\n" for number in range(1, 21))


@pytest.mark.parametrize("renames", ["true", "false", "copies"])
def test_renamed_files(repository: Repository, renames: str) -> None:
    repository.commit(**{"a.md": OLD, "b.md": OLD.replace("line", "row"), "c.txt": OLD.replace("line", "part")})
    repository.git("config", "diff.renames", renames)
    repository.git("mv", "a.md", "ä b.md")
    repository.write("ä b.md", OLD + "One more.\n")
    repository.git("mv", "b.md", "same.md")
    repository.git("mv", "c.txt", "c.py")
    repository.git("add", "-A")
    change = read(repository).staged()
    assert added(change) == {"ä b.md": [21]}
    assert change.left_out == [("same.md", "its text is the same as before")]
    assert added(read(repository).since("HEAD")) == {"ä b.md": [21]}


@pytest.mark.parametrize("autocrlf", ["false", "true", "input"])
def test_crlf(repository: Repository, autocrlf: str) -> None:
    repository.commit(a__md="one\r\ntwo\r\nthree\r\n")
    repository.git("config", "core.autocrlf", autocrlf)
    repository.write("a.md", "one\r\nzwei\r\nthree\r\nfour\r\n")
    assert added(read(repository).worktree()) == {"a.md": [2, 4]}
    repository.git("add", "a.md")
    assert added(read(repository).staged()) == {"a.md": [2, 4]}


def test_crlf_on_the_disk_only(repository: Repository) -> None:
    repository.commit(a__md="one\ntwo\n")
    repository.git("config", "core.autocrlf", "true")
    repository.write("a.md", "one\r\nzwei\r\n")
    assert added(read(repository).worktree()) == {"a.md": [2]}


def test_line_ends_alone_are_no_change(repository: Repository) -> None:
    repository.commit(a__md="one\ntwo\n")
    repository.stage("a.md", "one\r\ntwo\r\n")
    change = read(repository).staged()
    assert (change.files, change.left_out) == ([], [("a.md", "its text is the same as before")])


def test_a_configuration_does_not_bend_the_lines(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit(a__md="1\n2\n3\n4\n5\n")
    settings = "diff.noprefix=true diff.mnemonicPrefix=true diff.context=9 diff.interHunkContext=9 diff.external=false "
    settings += "color.ui=always diff.algorithm=patience diff.relative=true diff.x.textconv=false diff.x.command=false"
    for setting in settings.split():
        repository.git("config", *setting.split("=", 1))
    repository.write(".git/info/attributes", "*.md -diff\n*.md diff=x\n")
    for name in ("GIT_DIFF_OPTS", "GIT_EXTERNAL_DIFF", "GIT_GLOB_PATHSPECS"):
        monkeypatch.setenv(name, "--unified=9" if name == "GIT_DIFF_OPTS" else "1")
    repository.write("a.md", "1\ntwo\n3\nfour\n5\n")
    (repository.path / "sub").mkdir()
    reader = changes.Repository(str(repository.path / "sub"), [])
    assert added(reader.worktree()) == {"a.md": [2, 4]}
    repository.write(".git/info/attributes", "*.md -diff\n")
    assert added(reader.worktree()) == {"a.md": [2, 4]}


def test_what_is_no_text_is_left_out(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("outside")
    for name in ("link.md", "untracked-link.md"):
        (repository.path / name).symlink_to(tmp_path / "secret.md")
    repository.stage("binary.txt", b"a\0b")
    repository.stage("long.txt", b"a\n" * 500_001)
    repository.stage("empty.md", "")
    repository.stage("good.md", "x\n")
    repository.git("add", "link.md")
    change = read(repository).staged()
    assert list(data(change)) == ["good.md"]
    assert dict(change.left_out) == {
        "binary.txt": "it is binary",
        "long.txt": "it is longer than 1,000,000 bytes",
        "empty.md": "it is empty",
        "link.md": "it is a symbolic link",
    }
    os.mkfifo(repository.path / "fifo.md")
    (repository.path / "good.md").unlink()
    os.mkfifo(repository.path / "good.md")
    change = read(repository).worktree()
    assert change.files == []
    assert dict(change.left_out)["untracked-link.md"] == "it is a symbolic link"
    assert "good.md" in dict(change.left_out)


def test_submodules_are_left_out(repository: Repository, tmp_path: Path) -> None:
    inner = Repository(tmp_path / "inner")
    inner.commit(a__md="x\n")
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.path), "docs.md")
    repository.write("docs.md/a.md", "delve\n")
    repository.write("docs.md/b.md", "delve\n")
    assert added(read(repository).staged()) == {}
    assert added(read(repository).worktree()) == {}


def test_type_changes_and_conflicts(repository: Repository) -> None:
    (repository.path / "was-link.md").symlink_to("a.md")
    repository.git("add", "-A")
    repository.commit(a__md="base\n")
    repository.git("switch", "-q", "-c", "other")
    repository.commit(a__md="theirs\n")
    repository.git("switch", "-q", "main")
    repository.commit(a__md="ours\n")
    with pytest.raises(Exception, match="returned non-zero"):
        repository.git("merge", "-q", "other")
    (repository.path / "was-link.md").unlink()
    repository.stage("was-link.md", "text\n")
    change = read(repository).staged()
    assert added(change) == {"was-link.md": [1]}
    assert change.left_out == [("a.md", "it is in conflict")]


def test_since_a_revision(repository: Repository) -> None:
    repository.commit(a__md="1\n")
    repository.git("switch", "-q", "-c", "topic")
    repository.commit(a__md="1\n2\n", b__md="x\n")
    repository.git("switch", "-q", "main")
    repository.commit(a__md="0\n1\n", c__md="main only\n")
    repository.git("switch", "-q", "topic")
    repository.stage("a.md", "1\n2\n3\n")
    repository.write("a.md", "1\n2\n3\n4\n")
    repository.write("untracked.md", "x\n")
    assert added(read(repository).since("main")) == {"a.md": [2, 3, 4], "b.md": None}
    assert added(read(repository).since("HEAD~1")) == {"a.md": [2, 3, 4], "b.md": None}
    repository.git("switch", "-q", "--discard-changes", "--orphan", "rootless")
    repository.commit(d__md="d\n")
    assert "d.md" in added(read(repository).since("main"))


def test_only_the_named(repository: Repository, tmp_path: Path) -> None:
    for name in ("a.md", "docs/b.md", "docs/c.md", "*.md"):
        repository.stage(name, "x\n")
    (tmp_path / "way").symlink_to(repository.path)
    cases: list[tuple[str, list[str], list[str]]] = [
        ("", ["a.md"], ["a.md"]),
        ("", ["docs"], ["docs/b.md", "docs/c.md"]),
        ("", ["*.md"], ["*.md"]),
        ("docs", ["b.md", "../a.md"], ["a.md", "docs/b.md"]),
        ("docs", ["."], ["docs/b.md", "docs/c.md"]),
        ("docs", [], ["*.md", "a.md", "docs/b.md", "docs/c.md"]),
        ("", [str(tmp_path / "way" / "docs" / "b.md")], ["docs/b.md"]),
        ("", ["absent.md"], []),
    ]
    for folder, names, expected in cases:
        change = changes.Repository(str(repository.path / folder), names).staged()
        assert sorted(added(change)) == expected, names


def test_named_files_alone(tmp_path: Path) -> None:
    (tmp_path / "Ü.MD").write_text("x\r\ny")
    (tmp_path / "a.py").write_text("x")
    (tmp_path / "link.md").symlink_to("Ü.MD")
    change = changes.named(str(tmp_path), ["Ü.MD", "a.py", "link.md"])
    assert added(change) == {"Ü.MD": None, "link.md": None}
    assert data(change)["Ü.MD"] == b"x\r\ny"
    assert change.left_out == [("a.py", "it is no prose file")]


def _bare(repository: Repository) -> object:
    repository.git("config", "core.bare", "true")
    return read(repository)


ERRORS: list[tuple[str, Callable[[Repository], object]]] = [
    ("not a git repository", lambda r: changes.Repository(str(r.path.parent / "home"), [])),
    ("cannot change to", lambda r: changes.Repository(str(r.path / "absent"), [])),
    ("work tree", _bare),
    ("is no revision", lambda r: read(r).since("main")),  # nothing is committed
    ("is no revision", lambda r: read(r).since("--output=x")),
    ("is no revision", lambda r: read(r).since("")),
    ("is outside the repository", lambda r: read(r, "../elsewhere.md")),
    ("there is no file", lambda r: changes.named(str(r.path), ["absent.md"])),
    ("is a folder", lambda r: changes.named(str(r.path), ["."])),
]


@pytest.mark.parametrize(("said", "act"), ERRORS)
def test_what_is_not_there_is_said(repository: Repository, said: str, act: Callable[[Repository], object]) -> None:
    with pytest.raises(ChangeError, match=said):
        act(repository)


def test_git_is_not_there(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ChangeError, match="not on PATH"):
        read(repository)


def test_variables_of_a_git_hook(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit(a__md="1\n")
    repository.git("read-tree", "--index-output=.git/other", "HEAD")
    repository.stage("a.md", "1\n2\n")
    other = Repository(tmp_path / "other")
    other.stage("b.md", "x\n")
    monkeypatch.setenv("GIT_DIR", str(repository.path / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repository.path / ".git" / "other"))
    assert added(changes.Repository(str(repository.path), []).staged()) == {}
    assert added(changes.Repository(str(other.path), [], is_named=True).staged()) == {"b.md": None}


def test_heads_of_hunks() -> None:
    hunks = b"--- a/x\n+++ b/x\n@@ -1 +1,2 @@ @@ -9 +9 @@\n-@@ -5 +5 @@\n+@@ -7 +7 @@\n+x\n"
    hunks += b"@@ -8,2 +8,0 @@\n-x\n@@ -12,0 +13 @@\n+y\n"
    assert changes.added_lines(hunks) == {1, 2, 13}
