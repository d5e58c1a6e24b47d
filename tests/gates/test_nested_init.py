"""Nested `git init`: what counts as one, what is declined and why, and the way out (SPEC N1 to N5, B1, B2, E1)."""

import os
import sys
import time
from pathlib import Path

import pytest

from guardhook import engine, gates
from guardhook.call import BASH, MONITOR, POWERSHELL, ToolCall
from guardhook.gates import init_target
from guardhook.hatches import Settings
from guardhook.verdict import Decision, Verdict
from tests.corpus_cases import rewrites

HATCH = "AGENT_NESTED_GIT_INIT_HOOK"
ROW = gates.Gate(
    "nested-init", "guardhook.gates.nested_init", (BASH, MONITOR, POWERSHELL), ("claude", "codex"), (HATCH,)
)


@pytest.fixture(autouse=True)
def _only_this_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "TABLE", (ROW,))


def repository(folder: Path) -> None:
    """A `.git` directory as git makes it, as far as anybody looks."""
    bare(folder / ".git")


def bare(folder: Path) -> None:
    """A git directory."""
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """`work`, a worktree with directories, an inner repository and a `.git` file in it; `out`; links between them."""
    repository(tmp_path / "work")
    repository(tmp_path / "work" / "inner")
    for name in ("work/sub/deep", "work/linked", "work/odd [x]", "work/~/x", "out/dir", "home", "scratch"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "work/linked/.git").write_text("gitdir: ../../elsewhere\n")
    (tmp_path / "work/file").write_text("")
    (tmp_path / "out/into").symlink_to("../work/sub")
    (tmp_path / "work/away").symlink_to("../out/dir")
    (tmp_path / "work/nowhere").symlink_to("missing")
    for name in ("fake/objects", "fake/refs"):
        (tmp_path / "work" / name).mkdir(parents=True)
    (tmp_path / "work/fake/HEAD").write_text("hello\n")
    bare(tmp_path / "out/bare.git")
    bare(tmp_path / "work/bare.git")
    return tmp_path


def decide(
    place: Path, command: str, kind: str = BASH, cwd: str = "work", agent: str = "claude", **more: str
) -> Decision:
    environment = {"HOME": str(place / "home"), "TMPDIR": str(place / "scratch"), **more}
    call = ToolCall(agent, "T", kind, command.replace("ROOT", str(place)), str(place / cwd))
    return engine.decide(call, Settings(environment))


def denied(place: Path, command: str, kind: str = BASH, cwd: str = "work", **more: str) -> Verdict:
    decision = decide(place, command, kind, cwd, **more)
    assert decision.verdict is not None, (command, decision.trace)
    assert (decision.verdict.kind, decision.verdict.code) == ("deny", "nested-init")
    return decision.verdict


def note(place: Path, command: str, kind: str = BASH, cwd: str = "work", **more: str) -> str:
    """Why a call that passes was declined."""
    decision = decide(place, command, kind, cwd, **more)
    assert decision.verdict is None, decision.verdict and decision.verdict.reason
    (line,) = decision.trace
    assert line[1] == "declined", line
    return line[2]


DENIED = [
    ("git init sub", "work/sub"),
    ("git init new/one", "work/new/one"),
    ("git init-db sub", "work/sub"),
    ("git-init sub", "work/sub"),
    ("/usr/bin/git init sub", "work/sub"),
    ("git init -- sub", "work/sub"),
    ("git init -qb main sub --shared", "work/sub"),
    ("git init --initial=main --template tpl sub", "work/sub"),
    ("git init sub --separate-git-dir ../gd", "work/sub"),
    ("git init --bare sub.git", "work/sub.git"),
    ("git init --bare", "work"),
    ("git --bare init", "work"),
    ("git init --bare inner", "work/inner"),
    ("git init --no-bare sub", "work/sub"),
    ("git -C sub init", "work/sub"),
    ("git -Csub init", "work/sub"),
    ("git -C sub -C deep init", "work/sub/deep"),
    ("git -C '' -C sub init", "work/sub"),
    ("git -C ROOT/work init x", "work/x"),
    ("git -C .. init work/x", "work/x"),
    ("git -C inner init x", "work/inner/x"),
    ("git -c user.name=x --no-pager --namespace n -C sub init", "work/sub"),
    ("git init missing/../x", "work/x"),
    ("git init ../out/into/x", "work/sub/x"),
    ("git init ../out/into/../x", "work/x"),
    ("git -C ../out/into init", "work/sub"),
    ("D=sub; git init $D", "work/sub"),
    ("git init $HOME/../work/x", "work/x"),
    ('git init "$PWD/x"', "work/x"),
    ("git init ~/../work/x", "work/x"),
    ("git init '~/x'", "work/~/x"),
    ("git init 'odd [x]'", "work/odd [x]"),
    ("true || git init sub", "work/sub"),
    ("if true; then git init sub; fi", "work/sub"),
    ("false || git init sub", "work/sub"),
    ("git status && git init sub", "work/sub"),
    ("f() { exit 1; }; git init sub", "work/sub"),
    ("(exit 0); git init sub", "work/sub"),
    ("cd sub || exit 1\ngit init x", "work/sub/x"),
    ("echo a && (git init sub)", "work/sub"),
    ("make || exit 1; git init sub", "work/sub"),
    ("ls && cd sub && git init x", "work/sub/x"),
    ("[ -d sub ] && cd sub\ngit init x", "work/sub/x"),
    ("mkdir q && cd q; git init", "work/q"),
    ("export A=1 && cd sub; git init x", "work/sub/x"),
    ("env -u git git init sub", "work/sub"),
    ("sudo -nu git git init sub", "work/sub"),
    ("git init --shared=0640 -b feature/x --object-format=sha256 sub", "work/sub"),
    ("git init fake/x", "work/fake/x"),
    ("git worktree add ../out/wt -b w; git init ../out/wt/x", "out/wt/x"),
    ("git -C ../out clone -q --depth 1 host:a/c2.git && git init ../out/c2/x", "out/c2/x"),
    ("x=$(git init sub)", "work/sub"),
    ("cat <<< x; git init sub", "work/sub"),
    ("echo hi > f && git init sub", "work/sub"),
    ("{ git init sub; } > log", "work/sub"),
    ("echo \\# no comment; git init sub", "work/sub"),
    ("echo a\\b; git init sub", "work/sub"),
    ("sudo -u me git init sub", "work/sub"),
    ("env -u X A=1 git init sub", "work/sub"),
    ("timeout 5 git init sub", "work/sub"),
    ("bash -c 'cd sub && git init'", "work/sub"),
    ('bash -c "git init sub"', "work/sub"),
    ("eval git init sub", "work/sub"),
    ("find . -maxdepth 0 -exec git init sub ';'", "work/sub"),
    ("uv run git init sub", "work/sub"),
    ("git -c alias.i=init -C sub i", "work/sub"),
    ("cd sub\ngit init", "work/sub"),
    ("cd sub; cd ..; git init x", "work/x"),
    ("command cd sub; git init", "work/sub"),
    ("pushd sub && git init", "work/sub"),
    ("cd ../out/into; git init x", "work/sub/x"),
    ("cd ../out/into/..; git init into/x", "work/sub/x"),
    ("(cd ../out); git init x", "work/x"),
    ("cd ../out | cat; git init x", "work/x"),
    ("bash -c 'cd ../out'; git init x", "work/x"),
    ("mkdir made && cd made && git init", "work/made"),
    ("mkdir -p made/er; git -C made init", "work/made"),
    ("rm -rf sub && git init sub", "work/sub"),
    ("git -C ../out init a && git init ../out/a/b", "out/a/b"),
    ("git init -q ../out/n; git init ../out/n; git -C ../out/n init x", "out/n/x"),
]


@pytest.mark.parametrize(("command", "where"), DENIED)
def test_denied(place: Path, command: str, where: str) -> None:
    reason = denied(place, command).reason
    assert f" at {place / where}, inside the worktree of {place}/" in reason


PASSED = [
    "git init",
    "git init .",
    "git -C sub init ..",
    "git init ROOT/work",
    "git init --separate-git-dir gd",
    "git init inner",
    "git -C inner init",
    "git -C linked init",
    "git init --bare bare.git",
    "git -C .git/objects init x",
    "git init ../out/x",
    "git -C .. init other",
    "git init away",
    "git init away/x",
    "git -C away init",
    "git -C ../out/bare.git init",
    "cd ../out\ngit init",
    "cd ../out; git init x",
    "cd; git init x",
    "(cd ../out; git init x)",
    "git init ~/x",
    "git -C ../out init a && git init ../out/a",
    "git -C ../out init --bare a && git init ../out/a/b",
    "git clone --mirror x ../out/m; git init ../out/m/x",
    "ln -s sub ../out/l; git init ../out/x",
    "git init --help",
    "git --help init sub",
    "git --exec-path init sub",
    "git init -h",
    "git status init",
    "git -C init status",
    "git add init sub",
    "git commit -m init",
    "git flow init",
    "git -- init sub",
    "gitk init sub",
    "echo git init sub",
    "git clone x sub",
    "git $x sub",
    "git log # git init sub",
]


@pytest.mark.parametrize("command", PASSED)
def test_passed(place: Path, command: str) -> None:
    decision = decide(place, command)
    assert decision.verdict is None, decision.verdict and decision.verdict.reason
    assert decision.trace == [("nested-init", "pass", "nothing it looks for")]


ESCAPED_QUOTE = "a backslash or backtick stands immediately before a quote, so where quotes end is in doubt"
ESCAPED_BLANK = "a # that may begin a comment stands behind an escaped character, so where the comment ends is in doubt"
REDIRECTED = "a redirection stands on it, and its words are not all arguments"
HERE_DOCUMENT = "the command has a here-document, whose body reads like commands"
UNKNOWN = "nobody knows yet which directory it names"
SOMEWHERE = "nobody knows in which directory it runs"
NOT_RUN = "it may not run"
MAY_BE_MADE = "an earlier part that may not run makes a repository around it"
MAY_MOVE = "whether it is nested depends on a move before it, which may not happen"
WHOSE_HOME = "nobody knows whose home directory it names"
ENV_MOVES = "env may run it in another directory"
DECLINED = [
    ("git init sub; cat <<E\nx\nE", HERE_DOCUMENT),
    ("bash <<E\ngit init sub\nE", HERE_DOCUMENT),
    ("echo $(cat <<-E\n\tx\n\tE\n)\ngit init sub", HERE_DOCUMENT),
    ("git init sub > log", REDIRECTED),
    ("git init sub 2>&1", REDIRECTED),
    ("git init sub <<< x", REDIRECTED),
    ("git init < sub", REDIRECTED),
    ('echo \\"x; git init sub', ESCAPED_QUOTE),
    ("echo it\\'s; git init sub", ESCAPED_QUOTE),
    ("echo '\\\\'; git init sub", ESCAPED_QUOTE),
    ("git init `echo x`'sub'", ESCAPED_QUOTE),
    ("# it`'s\ngit init sub", ESCAPED_QUOTE),
    ("echo a\\ #b; git init sub", ESCAPED_BLANK),
    ("echo a\\\\ #b\ngit init sub", ESCAPED_BLANK),
    ("echo a\\;#b; git init sub", ESCAPED_BLANK),
    ("echo a\\)#b; git init sub", ESCAPED_BLANK),
    ("echo a\\\n#b\ngit init sub", ESCAPED_BLANK),
    ("echo `ls` `x`\t#b\ngit init sub", ESCAPED_BLANK),
    ("git --git-dir x init sub", "--git-dir says where the repository is"),
    ("git --work-tree=. init sub", "--work-tree says where the repository is"),
    ("GIT_DIR=x git init sub", "the command sets GIT_DIR, which says where the repository is"),
    ("env GIT_DIR=x git init sub", "the command sets GIT_DIR"),
    ("export GIT_WORK_TREE=x; git init sub", "the command sets GIT_WORK_TREE"),
    ("ssh host git init sub", "it runs on another machine or in a container"),
    ("docker exec c git init sub", "it runs on another machine or in a container"),
    ("git init $NOT_SET", UNKNOWN),
    ("git -C $NOT_SET init", UNKNOWN),
    ("git init $(mktemp -d)", UNKNOWN),
    ("read d; git init $d", UNKNOWN),
    ("for d in a b; do git init $d; done", "it runs for several values of a variable"),
    ("git init {a,b}", "git takes one directory, and would refuse several"),
    ("git init a b", "git takes one directory, and would refuse several"),
    ("git init s*", "its directory is a pattern"),
    ("git init ~other/x", "nobody knows whose home directory it names"),
    ("git init ''", "git cannot make a directory"),
    ("git init file", "git cannot make a directory"),
    ("git init file/x", "git cannot make a directory"),
    ("git init nowhere/x", "git cannot make a directory"),
    ("git -C missing init", "there is no directory ROOT/work/missing"),
    ("git -C file init", "there is no directory ROOT/work/file"),
    ("cd missing; git init", "there is no directory ROOT/work/missing"),
    ("git --bare init --no-bare sub", "--bare in front of init says where the repository is"),
    ("git -C missing/.. init x", "there is no directory ROOT/work/missing/.."),
    ("cd missing; cd ..; git init sub", "there is no directory ROOT/work/missing"),
    ("cd missing/..; git init sub", "there is no directory ROOT/work/missing/.."),
    ("git init missing/..", "git cannot make a directory"),
    ("git --bare -C sub init", "--bare in front of -C makes the repository in the directory of before"),
    ("git init --bare --separate-git-dir=x sub", "git would refuse --bare together with --separate-git-dir"),
    ("git init --frob sub", "--frob is no option of git init that guardhook knows"),
    ("git init sub -b", "-b has no value, which git would refuse"),
    ("cd $NOT_SET; git init x", SOMEWHERE),
    ("cd -; git init x", SOMEWHERE),
    ("cd -P sub; git init", SOMEWHERE),
    ("popd; git init x", SOMEWHERE),
    ("cd sub || git init x", SOMEWHERE),
    ("a || cd sub; git init x", SOMEWHERE),
    ("while a; do cd sub; done; git init x", SOMEWHERE),
    ("CDPATH=/; cd sub; git init", SOMEWHERE),
    ("f() { git init x; }; cd sub; f", SOMEWHERE),
    ("echo x | xargs git init", "xargs adds to its words"),
    ("find . -type d -exec git init {} ';'", "find puts names into its words"),
    ("find . -execdir git init x ';'", "find may run it in another directory"),
    ("env -C ../out git init x", "env may run it in another directory"),
    ("env --chdir=../out bash -c 'git init x'", "env may run it in another directory"),
    ("sudo -iu me git init x", "sudo may run it in another directory"),
    ("git -c alias.i='!git init x' i", "an alias runs it at the top of its repository"),
    ("ln -s ../out l; git init l/x", "an earlier part of the command changes where its path leads"),
    ("rm -rf .git; git init sub", "an earlier part of the command changes where its path leads"),
    ("mv .git ../out; git init sub", "an earlier part of the command changes where its path leads"),
    ('git init sub; echo "x', "the command has"),
    # It may not run.
    ("git rev-parse --git-dir || git init sub", NOT_RUN),
    ("git status || git init sub", NOT_RUN),
    ("if a; then git init sub; fi", NOT_RUN),
    ("if ! git rev-parse --git-dir; then git init sub; fi", NOT_RUN),
    ("if true; then git init; else git init sub; fi", NOT_RUN),
    ("case x in a) git init sub;; esac", NOT_RUN),
    ("for a in b; do git init sub; done", NOT_RUN),
    ("f() { git init sub; }; f", NOT_RUN),
    ("[ -d x ] && git init sub", NOT_RUN),
    ("[ -d x ] && echo a && git init sub", NOT_RUN),
    ("[[ -d x ]] && git init sub", NOT_RUN),
    ("! git status && git init sub", NOT_RUN),
    ("a || { git init sub; }", NOT_RUN),
    ("a || bash -c 'git init sub'", NOT_RUN),
    ("{ a; } || git init sub", NOT_RUN),
    ("exit 0; git init sub", NOT_RUN),
    ("[ -d sub ] && exit 0; git init sub", NOT_RUN),
    ("if a; then exit 0; fi; git init sub", NOT_RUN),
    ("find . -name gone -exec git init sub ';'", "find may find nothing to run it for"),
    ("false && git init ../out/a; git init ../out/a/b", MAY_BE_MADE),
    ("f() { git init ../out/a; }; git init ../out/a/b", MAY_BE_MADE),
    ("true || git init ../out/a; git init ../out/a/b", MAY_BE_MADE),
    ("a || git clone x ../out/a; git init ../out/a/b", MAY_BE_MADE),
    ("git init ../out/a/b; git init ../out/a", "it goes around a repository that an earlier part makes"),
    # Nobody knows where it runs.
    ("[ -d x ] && cd ../out\ngit init x", MAY_MOVE),
    ("a && cd ../out; git init x", MAY_MOVE),
    ("[[ -d x ]] && cd ../out; git init x", MAY_MOVE),
    ("a && cd ../out; cd .; git init x", MAY_MOVE),
    ("set -P; cd ../out/into; cd ..; git init x", SOMEWHERE),
    ("set -o physical; cd ../out/into/..; git init x", SOMEWHERE),
    ("time cd ../out; git init x", SOMEWHERE),
    ("cmd /c 'D: && git init x'", SOMEWHERE),
    ("cmd /c 'cd D:/x && git init x'", SOMEWHERE),
    ("stat zz; git -C zz init", "there is no directory ROOT/work/zz"),
    ("touch zz; cd zz; git init q", "there is no directory ROOT/work/zz"),
    # Whose home directory?
    ("export HOME=ROOT/work; git init ~/x", WHOSE_HOME),
    ("unset HOME; git init ~/x", WHOSE_HOME),
    ("export HOME=ROOT/work; cd; git init x", SOMEWHERE),
    ("HOME=ROOT/work bash -c 'cd; git init x'", SOMEWHERE),
    ("read HOME; cd ~; git init x", SOMEWHERE),
    ("env -i bash -c 'cd; git init x'", SOMEWHERE),
    ("sudo -u me bash -c 'cd; git init x'", "it runs as another user, with another home directory"),
    ('git init ~"/x"', WHOSE_HOME),
    # Wrappers that move, however they are spelled.
    ("env -iC ../out git init x", ENV_MOVES),
    ("env --chd=../out git init x", ENV_MOVES),
    ("env -S'-C ../out' git init x", ENV_MOVES),
    ("env --split-string='-C ../out' git init x", ENV_MOVES),
    ("env -u git -C ../out git init x", ENV_MOVES),
    ("e=env; $e -C ../out git init x", ENV_MOVES),
    ("O=-C; env $O ../out git init x", ENV_MOVES),
    ("sudo -ni git init x", "sudo may run it in another directory"),
    ("sudo -Hiu me git init x", "sudo may run it in another directory"),
    ("sudo --chd=../out git init x", "sudo may run it in another directory"),
    ("sudo A=1 -D ../out git init x", "sudo may run it in another directory"),
    ("sudo -u git -i git init --bare x.git", "sudo may run it in another directory"),
    # Git refuses it.
    ("git init -b '' sub", "git would refuse this value of -b"),
    ("git init -b 'a b' sub", "git would refuse this value of -b"),
    ("git init --object-format=sha3 sub", "git would refuse this value of --object-format"),
    ("git init --shared=frob sub", "git would refuse this value of --shared"),
    ("git init --bare=x sub", "git would refuse this value of --bare"),
    ("git --frob init sub", "git would refuse --frob in front of init"),
    ("git --no-pag init sub", "git would refuse --no-pag in front of init"),
    ("git -c foo init sub", "git would refuse the value of -c"),
    ("git -c alias.i='-C sub init' i", "git would refuse an alias that begins with an option"),
    ("git init --separate-git-dir no/such/gd sub", "git would refuse --separate-git-dir where there is no directory"),
    # Words that do not mean what they say.
    ("D=sub; printf -v D x; git init $D", "the command sets a variable by its name, which is not followed"),
    ("declare -n D=E; git init $D", "the command sets a variable by its name, which is not followed"),
    ("IFS=u; D=sub; git init $D", "the command sets IFS"),
    ("git() { echo; }; git init sub", "the command may define git anew"),
    ("function cd { :; }; cd sub; git init", "the command may define cd anew"),
    ("alias git=echo\ngit init sub", "the command may define git anew"),
    ("ln -s ../work/sub ../out/l; git init ../out/l/x", "changes where its path leads"),
]


@pytest.mark.parametrize(("command", "why"), DECLINED)
def test_declined(place: Path, command: str, why: str) -> None:
    assert why.replace("ROOT", str(place)) in note(place, command)


def test_every_part_is_judged_though_one_is_declined(place: Path) -> None:
    decision = decide(place, "git init $X; git init sub")
    assert [outcome for _, outcome, _ in decision.trace] == ["declined", "deny"]


def test_the_environment_counts(place: Path) -> None:
    assert "the environment has GIT_DIR" in note(place, "git init sub", GIT_DIR="x")
    denied(place, "git init $WHERE", WHERE="sub")
    denied(place, "cd $WHERE; git init", WHERE="sub")
    assert note(place, "cd sub; git init", CDPATH="/srv").endswith(SOMEWHERE)


POWERSHELL_DENIED = [
    "git init sub",
    "git init .\\sub",
    "git -C .\\sub\\deep init",
    "GIT.EXE init sub",
    "Set-Location sub; git init",
    "Set-Location -LiteralPath '.\\sub\\deep'; git init",
    "cd ..; git init work\\x",
    "$d = 'sub'; git init $d",
    "bash -c 'git init sub'",
    "$a = 'init', 'sub'; git @a",
    "cd sub; cd..; git init x",
    "Write-Host a # b\ngit init sub",
]


@pytest.mark.parametrize("command", POWERSHELL_DENIED)
def test_powershell_denied(place: Path, command: str) -> None:
    denied(place, command, POWERSHELL)


PS_ELSEWHERE = "the command goes to another machine or process, where a path is another one"
POWERSHELL_DECLINED = [
    ('$x = @"\nhi\n"@\ngit init sub', "the command has a here-string, whose text reads like commands"),
    ("$x = @' \r\nhi\n'@\ngit init sub", "the command has a here-string"),
    ("<# a\ncomment #>\ngit init sub", "the command has a block comment, which may span lines"),
    ('Write-Host `"hi`"; git init sub', ESCAPED_QUOTE),
    ("echo 'a\\'; git init sub", ESCAPED_QUOTE),
    ("echo a` #b; git init sub", ESCAPED_BLANK),
    ("git init sub 2>&1", REDIRECTED),
    ("git init sub | Out-Null; git init $d", None),
    ("git init $d", UNKNOWN),
    ("Set-Location $d; git init x", SOMEWHERE),
    ("Pop-Location; git init x", SOMEWHERE),
    ("$env:GIT_DIR = 'x'; git init sub", "the command sets GIT_DIR"),
    ("git init ~/x", "nobody knows whose home directory it names"),
    ("cd\\; git init x", SOMEWHERE),
    ("D:; git init x", SOMEWHERE),
    ("Invoke-Command -ComputerName srv { git init sub }", PS_ELSEWHERE),
    ("icm srv { git init sub }", PS_ELSEWHERE),
    ("Enter-PSSession srv; git init sub", PS_ELSEWHERE),
    ("Start-Job -WorkingDirectory ..\\out { git init x }", PS_ELSEWHERE),
    ("if (Test-Path x) { git init sub }", NOT_RUN),
    ("Test-Path x && git init sub", NOT_RUN),
    ("Set-Alias git echo; git init sub", "the command may define git anew"),
]


@pytest.mark.parametrize(("command", "why"), POWERSHELL_DECLINED)
def test_powershell_declined(place: Path, command: str, why: str | None) -> None:
    if why is None:  # the pipe takes nothing away
        denied(place, command, POWERSHELL)
    else:
        assert why in note(place, command, POWERSHELL)


def test_powershell_text_in_bash(place: Path) -> None:
    assert "here-string" in note(place, "pwsh -c '$x = @\"\nhi\n\"@\ngit init sub'")
    denied(place, "pwsh -c 'cd sub; git init'")


def test_the_whole_message(place: Path) -> None:
    work = place / "work"
    assert denied(place, "git init -q sub").reason == (
        f"guardhook denies `git init -q sub`: it would make a second repository at {work}/sub, inside the worktree of "
        f"{work}.\n"
        "The outer repository does not see into an inner one: its `git status` never lists that work again, while an "
        "editor takes the folder for a second root and offers its files beside real work, one wrong click away from a "
        "commit.\n"
        f"Suggested rewrite: git init -q {place}/scratch/sub\n"
        "For an inner repository that is meant to be there, a submodule say, a person can set "
        "AGENT_NESTED_GIT_INIT_HOOK=off in the env block of Claude Code's settings, and remove it again after the call."
    )


def test_codex_reads_another_place(place: Path) -> None:
    verdict = decide(place, "git init sub", agent="codex").verdict
    assert verdict is not None
    assert f"{HATCH}=off in the environment that Codex is started in" in verdict.reason


REWRITES = [
    ("git init sub", "git init ROOT/scratch/sub"),
    ("git init sub --bare -b main", "git init --bare -b main ROOT/scratch/sub"),
    ("git -C sub init", "git init ROOT/scratch/sub"),
    ("git-init -- sub/deep", "git init -- ROOT/scratch/deep"),
]


@pytest.mark.parametrize(("command", "rewrite"), REWRITES)
def test_rewrite(place: Path, command: str, rewrite: str) -> None:
    verdict = denied(place, command)
    assert rewrites(verdict.reason) == [verdict.rewrite] == [rewrite.replace("ROOT", str(place))]
    assert decide(place, verdict.rewrite).verdict is None


WORDS = [
    "git init sub && git -C sub add .",
    "sudo git init sub",
    "A=1 git init sub",
    "bash -c 'git init sub'",
    "git -c user.name=x init sub",
    "git init --template tpl sub",
    "git init --separate-git-dir gd sub",
    "git init 'a b'",
    "git init taken",
    "git init -b main --separate-git-dir gd sub",
]


@pytest.mark.parametrize("command", WORDS)
def test_way_out_in_words(place: Path, command: str) -> None:
    (place / "scratch" / "taken").mkdir()
    verdict = denied(place, command)
    (way,) = rewrites(verdict.reason)
    assert verdict.rewrite == ""
    assert way.startswith("make the repository in ")
    assert str(place / "scratch") in way
    again = decide(place, way).verdict
    assert again is None


def test_the_scratch_directory_is_in_no_worktree(place: Path) -> None:
    (place / "work" / "tmp").mkdir()
    for name in ("work/tmp", "work", "work/.git", "work/file", "missing", "out/into"):
        found = init_target.scratch({"TMPDIR": str(place / name), "TEMP": str(place / "scratch")})
        assert found == str(place / "scratch"), name
    assert init_target.scratch({"TMPDIR": f"{place}/scratch/"}) == str(place / "scratch")
    assert init_target.scratch({"TMPDIR": "scratch", "TEMP": "~", "TMP": str(place / "out")}) == str(place / "out")


def test_no_scratch_directory(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(init_target, "scratch", lambda environment: "")
    verdict = denied(place, "git init sub")
    assert rewrites(verdict.reason) == [
        "make the repository in a directory that lies in no other repository, and use that path."
    ]


def test_a_rewrite_that_another_gate_stops_is_not_printed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = gates.Gate("stop", "stop", (BASH,), ("claude",))

    class Stop:
        @staticmethod
        def judge(call: ToolCall, context: object) -> Verdict | None:
            return Verdict("ask", "no", "no") if "scratch" in call.command else None

    monkeypatch.setitem(sys.modules, "stop", Stop)  # type: ignore[arg-type]
    monkeypatch.setattr(gates, "TABLE", (first, ROW))
    assert denied(place, "git init sub").rewrite == ""


@pytest.mark.parametrize("value", ["off", "0", "Disabled ", "false", "NO"])
def test_hatch(place: Path, value: str) -> None:
    decision = decide(place, "git init sub", **{HATCH: value})
    assert (decision.verdict, decision.trace[0][1]) == (None, "off")


def test_other_hatches_do_not_reach_it(place: Path) -> None:
    others = {"AGENT_CONFIG_GATES": "off", "AGENT_STYLE_HOOK": "off", "AGENT_COMPOUND_CD_HOOK": "off"}
    denied(place, "git init sub", **others)
    denied(place, f"{HATCH}=off git init sub", **{HATCH: "on"})


def test_what_counts_as_a_worktree(place: Path) -> None:
    """A `.git` directory without a HEAD is none; one with a HEAD that leads nowhere is; nothing is opened (A8)."""
    out = place / "out" / "dir"
    (out / ".git").mkdir()
    assert decide(place, "git init x", cwd="out/dir").verdict is None
    (out / ".git" / "HEAD").symlink_to("refs/heads/main")
    denied(place, "git init x", cwd="out/dir")
    (out / ".git" / "HEAD").unlink()
    os.mkfifo(out / ".git" / "HEAD")
    denied(place, "git init x", cwd="out/dir")
    other = place / "out" / "other"
    other.mkdir()
    os.mkfifo(other / ".git")
    assert decide(place, "git init x", cwd="out/other").verdict is None


# What stands in the outer directory; what is said of it.
OUTER = [
    ({".git": "gitdir: ../elsewhere\n"}, "inside ROOT/out/o, whose .git file names a repository out of reach"),
    ({".git": "no pointer\n"}, "inside ROOT/out/o, whose .git file names a repository out of reach"),
    ({".git": "gitdir: ROOT/out/bare.git\n"}, "inside the worktree of ROOT/out/o"),
    ({".git": "gitdir: ../bare.git\n", "../bare.git/config": "[core]\n\tbare = true\n"}, None),
    (
        {".git": "gitdir: ../bare.git\n", "../bare.git/commondir": "x", "../bare.git/config": "[core]\nbare"},
        "inside the",
    ),
    ({".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n bare = true ; x\n"}, None),
    ({".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\tbare\n"}, None),
    ({".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[a]\nbare = true\n[core]\nbare = false\n"}, "inside the"),
    ({".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\nworktree = ../../dir\n"}, None),
    ({".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\nworktree = ..\n"}, "inside the worktree of"),
]


@pytest.mark.parametrize(("files", "words"), OUTER, ids=range(len(OUTER)))
def test_what_is_said_of_the_outer_repository(place: Path, files: dict[str, str], words: str | None) -> None:
    """A `.git` counts (N2), unless git plainly has no worktree there; the message claims no more than is so."""
    outer = place / "out" / "o"
    outer.mkdir()
    for name, text in files.items():
        (outer / name).parent.mkdir(exist_ok=True)
        (outer / name).write_text(text.replace("ROOT", str(place)))
    if words is None:
        assert f"the repository of {outer} has no worktree there" in note(place, "git init x", cwd="out/o")
    else:
        assert words.replace("ROOT", str(place)) in denied(place, "git init x", cwd="out/o").reason


def test_inside_a_bare_repository_is_no_worktree(place: Path) -> None:
    assert decide(place, "git init x", cwd="work/bare.git").verdict is None
    assert decide(place, "git init x", cwd="out/bare.git").verdict is None


def test_without_a_working_directory(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The payload's directory, else the process's (A3)."""
    call = ToolCall("claude", "Bash", BASH, "git init sub")
    monkeypatch.chdir(place / "work")
    assert engine.decide(call, Settings({})).verdict is not None
    monkeypatch.chdir(place / "out")
    assert engine.decide(call, Settings({})).verdict is None


def test_a_long_command_is_declined(place: Path) -> None:
    assert note(place, "git init sub #" + "x" * 1_000_000) == "the command is too long to be read"


@pytest.mark.parametrize(
    "part", ["git -C missing init", "git init ../out/x", "cd sub", "git init $X", "mkdir a b c", "a && cd sub"]
)
def test_long_commands_stay_within_time(place: Path, part: str) -> None:
    """The bound of A4 with room for a busy machine; the time for a quarter of a megabyte is linear in it."""
    start = time.process_time()
    decision = decide(place, f"{part}; " * (250_000 // len(part)) + "git -C missing init; git -C gone init")
    assert time.process_time() - start < 4
    assert decision.verdict is None
    assert decision.trace[0][1] == "declined"


def test_so_many_are_judged(place: Path) -> None:
    denied(place, "git init ../out/x; " * 49 + "git init sub")
    decision = decide(place, "git init ../out/x; " * 50 + "git init sub")
    assert decision.verdict is None
    assert decision.trace == [
        ("nested-init", "declined", "the command has more than 50 of them; the first ones are judged")
    ]


def test_far_away_nobody_knows(place: Path) -> None:
    denied(place, "cd .; " * 99 + "git init sub")
    assert SOMEWHERE in note(place, "cd .; " * 101 + "git init sub")


@pytest.mark.parametrize("command", ["git status", "git log -3", "git commit -m 'x'", "ls"])
def test_everyday_calls_import_nothing_more(place: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("init_site", "init_shapes", "init_target"):
        monkeypatch.delitem(sys.modules, f"guardhook.gates.{name}", raising=False)
    decide(place, command)
    assert not [name for name in sys.modules if name.startswith("guardhook.gates.init_")]
