"""Which files are prose, and which are marked as carried text (SPEC W1, I1, I2, A3, A8)."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.prose import scope


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.md", ".md"),
        ("/x/README.MD", ".md"),
        ("paper.TeX", ".tex"),
        ("C:\\docs\\a.rst", ".rst"),
        ("a.b.txt", ".txt"),
        (".hidden.md", ".md"),
        ("a.md.bak", ".bak"),
        ("a.markdown", ".markdown"),
        ("a.md ", ".md "),
        ("a.md/", ""),
        ("x.md/a", ""),
        ("md", ""),
        ("", ""),
    ],
)
def test_extension(path: str, expected: str) -> None:
    assert scope.extension(path) == expected
    assert scope.is_prose(path) == (expected in (".md", ".tex", ".rst", ".txt"))


@pytest.mark.parametrize("path", ["/a/agent-io/x.md", "/a/Agent-IO/b/x.md", "C:\\agent-io\\x.md", "agent-io/x.md"])
def test_marked_anywhere(path: str) -> None:
    assert scope.marked_anywhere(path)


@pytest.mark.parametrize("path", ["/a/my-agent-io/x.md", "/a/agent-io.md", "/a/agent-io", "/agent_io/x.md", "x.md", ""])
def test_not_marked_anywhere(path: str) -> None:
    assert not scope.marked_anywhere(path)


@pytest.mark.parametrize(
    ("path", "cwd", "expected"),
    [
        ("/a/../b", "/c", "/a/../b"),
        ("b.md", "/c", "/c/b.md"),
        ("~/b.md", "/c", "/home/u/b.md"),
        ("~", "/c", "/home/u"),
        ("~other/b.md", "/c", None),
        ("b.md", "c", None),
        ("", "/c", None),
        ("a\0b", "/c", None),
        ("a", "/c\0", None),
    ],
)
def test_absolute(path: str, cwd: str, expected: str | None) -> None:
    assert scope.absolute(path, cwd, {"HOME": "/home/u"}) == expected


def test_absolute_without_what_it_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert scope.absolute("a.md", "", {}) == f"{os.getcwd()}/a.md"
    assert scope.absolute("~/a.md", "/c", {}) is None
    assert scope.absolute("~/a.md", "/c", {"HOME": "home"}) is None
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert scope.absolute("a.md", "", {}) is None


class Place:
    """A temp root `t` with directories around it, and the environment that names it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("t/scratch/agent-io", "t/repo/.git", "t/repo/docs", "home", "elsewhere/agent-io"):
            (root / name).mkdir(parents=True)
        self.environment = {"TMPDIR": str(root / "t"), "HOME": str(root / "home")}

    def carries(self, path: str, **environment: str) -> bool:
        """path: below the temp root, which is the working directory too."""
        return scope.is_carried(path, str(self.root / "t"), self.environment | environment)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    # The folder of the test lies below a real temp root, which must not be what makes a path carried here.
    monkeypatch.setattr(scope, "_SYSTEM_ROOTS", ())
    return Place(tmp_path)


@pytest.mark.parametrize(
    "path",
    [
        "agent-io/x.md",
        "AGENT-io/x.md",
        "./scratch//agent-io/x.md",
        "scratch/agent-io/deep/er/x.md",
        "scratch/../scratch/agent-io/x.md",
        "missing/../scratch/agent-io/x.md",
        "repo/../agent-io/x.md",
        "agent-io/é ü/x.md",
    ],
)
def test_carried(place: Place, path: str) -> None:
    assert place.carries(path)
    assert place.carries(f"{place.root}/t/{path}")


@pytest.mark.parametrize(
    "path",
    [
        "x.md",
        "agent-io",
        "agent-io.md",
        "agent_io/x.md",
        "my-agent-io/x.md",
        "agent-io/../x.md",
        "../elsewhere/agent-io/x.md",
        "agent-io/../../elsewhere/agent-io/x.md",
        "../t2/agent-io/x.md",
        "repo/agent-io/x.md",
        "repo/docs/agent-io/x.md",
        "scratch\\agent-io\\x.md",
        "~/agent-io/x.md",
        "~t/agent-io/x.md",
        "agent-io/\0/x.md",
        "agent-io/\ud800/x.md",
        "agent-io/" + "a/" * 3000 + "x.md",
        "scratch/agent-io/" + "a" * 300 + "/x.md",
    ],
)
def test_not_carried(place: Place, path: str) -> None:
    assert not place.carries(path)


def test_links_are_followed(place: Place) -> None:
    temp = place.root / "t"
    (temp / "in").symlink_to("scratch/agent-io")
    (temp / "out").symlink_to(place.root / "elsewhere")
    (temp / "checkout").symlink_to("repo")
    (temp / "loop").symlink_to("loop")
    (temp / "ping").symlink_to("pong")
    (temp / "pong").symlink_to("./ping")
    (temp / "scratch/agent-io/real.md").symlink_to(place.root / "elsewhere/agent-io/x.md")
    (temp / "dangling").symlink_to("nowhere/agent-io")
    (place.root / "back").symlink_to(temp / "scratch")
    assert place.carries("in/x.md")
    assert place.carries("in/deep/x.md")
    assert place.carries("dangling/x.md")
    assert place.carries("../back/agent-io/x.md")
    assert not place.carries("out/agent-io/x.md")
    assert not place.carries("checkout/agent-io/x.md")
    assert not place.carries("agent-io/../loop/agent-io/x.md")
    assert not place.carries("ping/agent-io/x.md")
    assert not place.carries("in/real.md")


def test_dots_behind_a_link_must_be_marked_both_ways(place: Place) -> None:
    temp = place.root / "t"
    (temp / "far").symlink_to(place.root / "elsewhere/agent-io")
    (temp / "near").symlink_to("scratch/agent-io")
    (temp / "agent-io").mkdir()
    assert not place.carries("far/../agent-io/x.md"), "a shell writes outside the temp root"
    assert not place.carries("near/../x.md"), "neither place is marked"
    assert not place.carries("near/../../repo/../scratch/agent-io/../x.md")
    (place.root / "back").symlink_to(temp / "scratch")
    assert not place.carries("../back/../agent-io/x.md"), "an editor writes outside the temp root"
    assert place.carries("near/../agent-io/x.md")


def test_many_links_are_a_loop(place: Place) -> None:
    temp = place.root / "t"
    previous = "scratch/agent-io"
    for number in range(45):
        (temp / f"l{number}").symlink_to(previous)
        previous = f"l{number}"
    assert place.carries("l39/x.md")
    assert not place.carries("l40/x.md")


@pytest.mark.parametrize("kind", ["directory", "file"])
@pytest.mark.parametrize("where", [".", "t", "t/agent-io", "t/agent-io/deep"])
def test_a_repository_that_encloses(place: Place, kind: str, where: str) -> None:
    (place.root / "t/agent-io/deep").mkdir(parents=True)
    assert place.carries("agent-io/deep/x.md")
    mark = place.root / where / ".git"
    if kind == "file":
        mark.write_text("gitdir: x\n", "utf-8")
    else:
        mark.mkdir()
    assert not place.carries("agent-io/deep/x.md")


def test_what_is_no_repository(place: Place) -> None:
    os.mkfifo(place.root / "t/.git")
    (place.root / ".git").symlink_to("nowhere")
    assert place.carries("agent-io/x.md")


@pytest.mark.parametrize("name", ["TMPDIR", "TEMP", "TMP"])
def test_each_variable_names_a_root(place: Place, name: str) -> None:
    other = str(place.root / "elsewhere")
    assert not place.carries(f"{other}/agent-io/x.md")
    assert place.carries(f"{other}/agent-io/x.md", **{name: other})
    assert place.carries(f"{other}/agent-io/x.md", **{name: f"{other}/./"})
    assert not place.carries(f"{other}/agent-io/x.md", **{name: f"{other}/agent-io"})
    assert not place.carries(f"{other}/agent-io/x.md", **{name: "elsewhere"})
    assert not place.carries(f"{other}2/agent-io/x.md", **{name: other})


def test_roots_that_do_not_count(place: Place) -> None:
    home = place.root / "home"
    assert not place.carries("/agent-io/x.md", TMPDIR="/")
    assert not place.carries(f"{home}/agent-io/x.md", TMPDIR=str(home))
    assert not place.carries(f"{place.root}/agent-io/x.md", TMPDIR=str(place.root))
    assert place.carries(f"{home}/tmp/agent-io/x.md", TMPDIR=f"{home}/tmp")
    (place.root / "alias").symlink_to("home")
    assert not place.carries(f"{home}/agent-io/x.md", TMPDIR=f"{place.root}/alias")
    assert not place.carries(f"{home}/agent-io/x.md", TMPDIR=str(home), HOME=f"{place.root}/alias")
    assert not place.carries("agent-io/x.md", TMPDIR="", HOME="")
    assert not place.carries("agent-io/x.md", TMPDIR="\0", HOME="\0")
    assert not place.carries("agent-io/x.md", TMPDIR=f"{place.root}/t/repo")


def test_root_behind_a_link(place: Place) -> None:
    (place.root / "private").symlink_to("t")
    assert place.carries(f"{place.root}/t/agent-io/x.md", TMPDIR=f"{place.root}/private")
    assert place.carries(f"{place.root}/private/agent-io/x.md")


@pytest.mark.parametrize("root", ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp"])
def test_system_roots(root: str) -> None:
    """They count whatever the environment says, also where HOME lies below one."""
    folder = f"{root}/guardhook-that-is-not-there"
    for environment in ({}, {"HOME": f"{root}/home"}, {"HOME": f"{root}/home", "TMPDIR": root}):
        assert scope.is_carried(f"{folder}/agent-io/x.md", "/", environment)
        assert not scope.is_carried(f"{folder}/x.md", "/", environment)


@pytest.mark.parametrize("root", ["/srv", "/srv/tmp", "/dev/shm", "/tmpx", "/var", "/private", "/usr/tmp.d"])
def test_other_folders_are_no_roots(root: str) -> None:
    assert not scope.is_carried(f"{root}/agent-io/x.md", "/", {})


def test_a_folder_that_cannot_be_looked_into(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The superuser may look everywhere, so the refusal is made."""
    (place.root / "t/agent-io").mkdir()
    real = scope.system

    class Closed:
        def __init__(self, name: str, ending: str) -> None:
            self.name, self.ending = name, ending

        def __getattr__(self, name: str) -> object:
            if name != self.name:
                return getattr(real, name)
            return self.refuse

        def refuse(self, path: str) -> object:
            if path.endswith(self.ending):
                raise PermissionError(13, "refused", path)
            return getattr(real, self.name)(path)

    assert place.carries("agent-io/x.md")
    monkeypatch.setattr(scope, "system", Closed("lstat", "/agent-io/x.md"))
    assert not place.carries("agent-io/x.md")
    monkeypatch.setattr(scope, "system", Closed("stat", "/t/.git"))
    assert not place.carries("agent-io/x.md")


@given(st.text(alphabet="/.~ab\0\ud800\\-", max_size=30), st.sampled_from(["", "/", "/a", "b", "/\ud800"]))
def test_never_raises(path: str, cwd: str) -> None:
    assert scope.is_carried(path, cwd, {"TMPDIR": path, "HOME": path}) in (True, False)
    assert scope.open_text("/nowhere/" + path) is None


def test_open_text(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbfone\r\n\xfftwo\xc3\xa9\0")
    assert scope.open_text(str(path)) == "one\r\n\ufffdtwo\xe9\0"
    path.write_bytes(b"")
    assert scope.open_text(str(path)) == ""
    (tmp_path / "link.md").symlink_to("a.md")
    assert scope.open_text(str(tmp_path / "link.md")) == ""


def test_open_text_stops_at_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"a" * (scope.MAX_BYTES - 1) + "é".encode() + b"b" * 10)
    text = scope.open_text(str(path))
    assert text == "a" * (scope.MAX_BYTES - 1) + "\ufffd"


def test_open_text_refuses_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.md")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "null.md").symlink_to("/dev/null")
    for name in ("fifo.md", "folder.md", "loop.md", "null.md", "missing.md", "a\0.md", "\ud800.md"):
        assert scope.open_text(f"{tmp_path}/{name}") is None


def test_a_fifo_that_takes_the_file_s_place_does_not_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("x", "utf-8")
    os.mkfifo(tmp_path / "fifo.md")
    monkeypatch.setattr(scope.system, "stat", lambda path: os.lstat(tmp_path / "a.md"))
    assert scope.open_text(f"{tmp_path}/fifo.md") is None
