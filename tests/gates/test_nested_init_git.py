"""Nested `git init` against the real git: after each command, has a second repository appeared inside a worktree?

Every command is made here, from a seed, and run by bash in a folder of its own with a HOME and a configuration of its
own. Where the gate does not decline, it has to have known the answer (SPEC N2, N3, N5).
"""

import os
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from guardhook import engine, gates
from guardhook.call import ToolCall
from guardhook.hatches import Settings
from tests.gates.test_nested_init import ROW

COMMANDS = 560

# Working directories.
WHERE = [
    *("work", "work", "work/sub", "work/sub/deep", "work/inner", "work/mod", "work/.git", "work/bare.git", "out"),
    *("out", "out/dir", "out/into", "wt", "wt/sub", "separate", "separate/sub", "bare.git"),
]
# What commands name: places that are there, from where they run, and paths that may lead nowhere.
THERE = [*dict.fromkeys(WHERE), "work/away", "home", "."]
PATHS = [
    *("sub", "new", "new/er", "inner/new", ".", "..", "../..", "../new", "../out/into/..", "../out/into/../new", "a b"),
    *("../work/away/..", "missing/../new", "missing/..", "file", "file/new", "nowhere", "nowhere/new", "loop/new", "~"),
    *("~/new", "./sub/../inner/", "ROOT/out/new", "//ROOT/work//new", "~new", "-", "../gone", ".git/new"),
]
CONFIG = """[init]
\tdefaultBranch = main
[user]
\tname = x
\temail = x@localhost
[protocol "file"]
\tallow = always
"""
OUTER = [
    *("-C DIR", "-C DIR", "-C DIR", "-C DIR -C DIR", "-C DIR -c core.fileMode=true", "-c init.x=y", "--no-pager"),
    *("--namespace=n", "--namespace n", "-C ''", "-p", "--bare", "--literal-pathspecs", "-C DIR -C ''"),
]
OPTIONS = [
    *("-q", "--quiet", "--bare", "--bare", "-b other", "-bother", "-qb other", "--initial-branch=other", "--shared"),
    *("--initial-branch other", "--initial other", "--shared=group", "--template=", "--template ROOT/empty"),
    *("--no-bare", "--object-format=sha1", "--separate-git-dir=ROOT/gd"),
    *("--separate-git-dir ROOT/gd", "--separate-git-dir=gd"),
]
AROUND = [
    *("INIT", "INIT", "INIT", "INIT", "INIT", "INIT", "cd DIR; INIT", "cd DIR && INIT", "cd DIR\nINIT"),
    *("(cd DIR; INIT)", "cd DIR; cd ..; INIT", "cd DIR/..; INIT", "pushd DIR; INIT", "(cd DIR); INIT"),
    *("cd DIR | cat; INIT", "cd; INIT", "cd DIR; cd DIR; INIT", "command cd DIR; INIT"),
    *("mkdir -p made && cd made && INIT", "mkdir -p made; git -C made init", "env A=1 INIT", "A=1 INIT"),
    *('bash -c "INIT"', 'bash -c "cd DIR; INIT"', "timeout 60 INIT", "command INIT", "{ INIT; }"),
    *("if true; then INIT; fi", "x=$(INIT)", "true && INIT | cat", 'D=PATH; git init "$D"', "INIT && INIT"),
    *("git init -q new; git init new/er", "git init DIR/new && git -C DIR/new init new"),
    *("cd -P PATH; INIT", "cd - || INIT"),
]
UNJUDGED = [
    *("INIT > ROOT/log", "INIT 2>&1", "cat <<E\nx\nE\nINIT", 'echo \\"; INIT', "echo x\\ #y; INIT"),
    *("git init $UNSET", "git --git-dir=ROOT/gd --work-tree=. init", "GIT_DIR=ROOT/gd INIT"),
    *("echo PATH | xargs git init", "git init PATH PATH", "for d in sub new; do git init $d; done"),
    *("git init $(echo PATH)", "cd $UNSET/x; INIT", "env -C DIR INIT"),
]

# How many calls the gate knew, and why it declined the others.
COUNTS = {"nested": 199, "not nested": 212, "declined": 149}
DECLINED = {
    "there is no directory": 41,
    "nobody knows in which directory it runs": 34,
    "git cannot make a directory": 16,
    "a redirection stands on it, and its words are not all arguments": 13,
    "nobody knows yet which directory it names": 8,
    "xargs adds to its words": 8,
    "a backslash or backtick stands immediately before a quote, so where quotes end is in doubt": 5,
    "a # that may begin a comment stands behind an escaped character, so where the comment ends is in doubt": 5,
    "nobody knows whose home directory it names": 4,
    "it runs for several values of a variable": 4,
    "--work-tree says where the repository is": 3,
    "env may run it in another directory": 3,
    "git would refuse --bare together with --separate-git-dir": 3,
    "the command has a here-document, whose body reads like commands": 2,
}


def _environment(root: Path) -> dict[str, str]:
    return {
        "HOME": str(root / "home"),
        "PATH": os.environ.get("PATH", os.defpath),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(root / "home" / "config"),
        "GIT_TEMPLATE_DIR": str(root / "empty"),
        "LC_ALL": "C",
    }


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A worktree with a submodule and an inner repository, a linked worktree, bare repositories, links."""
    root = tmp_path_factory.mktemp("template").resolve()
    for name in ("home", "empty", "out/dir", "out/source", "work/sub/deep", "work/inner", "separate/sub"):
        (root / name).mkdir(parents=True)
    (root / "home" / "config").write_text(CONFIG)
    (root / "work" / "file").write_text("")
    for link, target in (
        ("out/into", "../work/sub"),
        ("work/away", "../out/dir"),
        ("work/nowhere", "gone"),
        ("work/loop", "loop"),
    ):
        (root / link).symlink_to(target)
    git = lambda *words: subprocess.run(  # noqa: E731
        ["git", *words], cwd=root, env=_environment(root), check=True, capture_output=True
    )
    for name in ("out/source", "work", "work/inner"):
        git("init", name)
    for name in ("out/source", "work"):
        git("-C", name, "commit", "--allow-empty", "-m", "x")
    git("-C", "work", "submodule", "add", str(root / "out" / "source"), "mod")
    git("-C", "work", "worktree", "add", "../wt", "-b", "other-worktree")
    (root / "wt" / "sub").mkdir()
    shutil.rmtree(root / "out" / "source")
    git("init", "--bare", "bare.git")
    git("init", "--bare", "work/bare.git")
    git("init", "--separate-git-dir", "separate.git", "separate")
    return root


def _copy(template: Path, root: Path) -> None:
    """The template at another place: the paths that git wrote into it are put right."""
    shutil.copytree(template, root, symlinks=True, copy_function=os.link)  # git never writes into a file in place
    for name in ("wt/.git", "work/.git/worktrees/wt/gitdir", "separate/.git"):
        path = root / name
        text = path.read_text().replace(str(template), str(root))
        path.unlink()
        path.write_text(text)


def _commands() -> Iterator[tuple[str, str]]:
    """(working directory, command), all different, the same ones each time. ROOT stands for the folder of the case."""
    choose = random.Random(20)
    seen = set()

    def directory(where: str) -> str:
        place = choose.choice(THERE)
        return f"ROOT/{place}" if choose.random() < 0.2 else os.path.relpath(place, where)

    def path(where: str) -> str:
        chance = choose.random()
        text = choose.choice(PATHS) if chance < 0.4 else directory(where) + "/new" * (chance < 0.7)
        return f"'{text}'" if " " in text or (text[0] != "~" and choose.random() < 0.15) else text

    def filled(text: str, where: str) -> str:
        while "DIR" in text:
            text = text.replace("DIR", directory(where) if choose.random() < 0.9 else choose.choice(PATHS[:-6]), 1)
        while "PATH" in text:
            text = text.replace("PATH", path(where), 1)
        return text

    def init(where: str) -> str:
        outer = filled(choose.choice(OUTER), where) if choose.random() < 0.5 else ""
        options = [choose.choice(OPTIONS) for _ in range(choose.choice((0, 0, 1, 1, 2)))]
        operand = choose.choice(("", "PATH", "PATH", "PATH", "-- PATH"))
        behind = choose.random() < 0.2 and not operand.startswith("-- ")
        words = [operand, *options] if behind else [*options, operand]
        return filled(" ".join(word for word in ("git", outer, "init", *words) if word), where)

    while len(seen) < COMMANDS:
        where = choose.choice(WHERE)
        text = choose.choice(UNJUDGED if choose.random() < 0.1 else AROUND)
        while "INIT" in text:
            text = text.replace("INIT", init(where), 1)
        call = (where, filled(text, where))
        if call not in seen:
            seen.add(call)
            yield call


def _repositories(root: Path) -> set[tuple[Path, bool]]:
    """(directory, whether it is bare) of every repository below `root`; git directories of worktrees are none."""
    found: set[tuple[Path, bool]] = set()
    owned: set[Path] = set()
    for folder, directories, files in os.walk(root):
        here = Path(folder)
        if ".git" in files:
            found.add((here, False))
            owned.add((here / (here / ".git").read_text().removeprefix("gitdir: ").strip()).resolve())
        elif ".git" in directories and (here / ".git" / "HEAD").exists():
            found.add((here, False))
            owned.add(here / ".git")
        if "HEAD" in files and {"objects", "refs"} <= set(directories):
            found.add((here, True))
    return {(place, bare) for place, bare in found if not bare or place not in owned}


def _nested(root: Path, place: Path, bare: bool) -> bool:
    """Whether git finds a worktree around a new repository."""
    start = place if bare and ((place / ".git" / "HEAD").exists() or (place / ".git").is_file()) else place.parent
    done = subprocess.run(
        ["git", "rev-parse", "--is-inside-work-tree"],
        cwd=start,
        env=_environment(root),
        capture_output=True,
        check=False,
    )
    return done.stdout.strip() == b"true"


def _reason(text: str, root: Path) -> str:
    """A reason without what is particular to one command."""
    text = text.rpartition("`: ")[2].replace(str(root), "ROOT")
    for common in ("there is no directory", "git cannot make a directory", "-- is no option"):
        text = common if text.startswith(common) else text
    return text


def _compared(template: Path, own: Path, where: str, text: str) -> tuple[bool, bool, list[str]]:
    """(whether the gate denies a command, whether git makes a nested repository, why the gate declined it)."""
    root = own / "a/b/c/d/e/f"  # a `..` too many stays in the folder of the case
    _copy(template, root)
    command = text.replace("ROOT", str(root))
    environment = _environment(root)
    call = ToolCall("claude", "Bash", "bash", command, str(root / where))
    decision = engine.decide(call, Settings(environment))
    before = _repositories(own)
    subprocess.run(
        ["bash", "-c", command], cwd=root / where, env=environment, capture_output=True, check=False,
        stdin=subprocess.DEVNULL, timeout=20,
    )  # fmt: skip
    nested = any(_nested(root, place, bare) for place, bare in _repositories(own) - before)
    reasons = [_reason(why, root) for _, outcome, why in decision.trace if outcome == "declined"]
    shutil.rmtree(own)
    return decision.verdict is not None, nested, reasons


def test_the_gate_answers_as_git_does(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "TABLE", (ROW,))
    counts: Counter[str] = Counter()
    declined: Counter[str] = Counter()
    wrong = []
    for number, (where, text) in enumerate(_commands()):
        denied, nested, reasons = _compared(template, tmp_path.resolve() / str(number), where, text)
        if reasons:
            counts["declined"] += 1
            declined.update(reasons[:1])
        elif denied == nested:
            counts["nested" if nested else "not nested"] += 1
        else:
            wrong.append((where, text, "git makes one" if nested else "git makes none"))
    assert wrong == []
    assert counts == COUNTS
    assert declined == DECLINED


# What may not run, moves that may not happen, homes, wrappers and words that git refuses: where the gate denies, git
# has to make one, and where it passes, none.
DOUBTFUL = [
    ("out", "export HOME=ROOT/home/x; mkdir ~; cd; git init x"),
    ("out", "export HOME=ROOT/work/sub; git init ~/x"),
    ("out", "[ -d gone ] && cd ../work/sub\ngit init x"),
    ("work", "[ -d sub ] && cd sub\ngit init x"),
    ("work", "ls gone && cd ../out; git init x"),
    ("work", "ls && cd sub && git init x"),
    ("work", "env -iC ../out git init x"),
    ("work", "env -u git git init x"),
    ("work", "git init ../out/a || git init ../out/a/b"),
    ("work", "false && git init ../out/a; git init ../out/a/b"),
    ("work", "git init --object-format=bad ../out/t; git init ../out/t/u"),
    ("work/sub", "git rev-parse --git-dir || git init"),
    ("work/sub", "if ! git status; then git init; fi"),
    ("work/sub", "[[ -d gone ]] && git init"),
    ("work/sub", "[ -d deep ] && exit 0; git init"),
    ("work", "find . -name gone -exec git init sub ';'"),
    ("work", "find . -maxdepth 0 -exec git init sub ';'"),
    ("out", "stat ../work/zz; git -C ../work/zz init"),
    ("out", "touch ../work/zz; cd ../work/zz; git init q"),
    ("out", "ln -s ../work/sub l; git init l/x"),
    ("work", "git worktree add ../wt3 -b w; git init ../wt3/x"),
    ("out", "git clone -q ../work; git init work/x"),
    ("work", "set -P; cd ../out/into; cd ..; git init x"),
    ("work", "git init --shared=0640 x"),
    ("work", "git -c alias.i='-C sub init' i"),
    ("work", 'git init ~"/x"'),
    ("out", "git init a/b; git init a"),
    ("work", "time cd ../out; git init x"),
]


@pytest.mark.parametrize(("where", "text"), DOUBTFUL)
def test_in_doubt_the_gate_declines(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, text: str
) -> None:
    monkeypatch.setattr(gates, "TABLE", (ROW,))
    denied, nested, reasons = _compared(template, tmp_path.resolve() / "case", where, text)
    assert denied == nested or (reasons and not denied)
