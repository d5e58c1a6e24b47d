"""Banned words through a shell (SPEC S): which way out the message names, and what the gate says that it declines."""

from pathlib import Path

import pytest

from guardhook import engine
from guardhook.call import BASH, POWERSHELL, ToolCall
from guardhook.context import Context
from guardhook.gates import shell_prose
from guardhook.hatches import Settings
from guardhook.verdict import Verdict


def _context(command: str, kind: str = BASH, cwd: str = "/srv", **environment: str) -> Context:
    return Context(ToolCall("claude", "T", kind, command, cwd), Settings(environment))


def _judge(command: str, kind: str = BASH, cwd: str = "/srv", **environment: str) -> Verdict | None:
    context = _context(command, kind, cwd, **environment)
    return shell_prose.judge(context.call, context)


WAYS = [
    ("echo 'a pivotal idea' > notes.md", 'the same text with other words: "pivotal" -> key, central.'),
    ("cat > a.tex <<'E'\nvast\nE", 'the same text with other words: "vast" -> large, wide.'),
    (
        "sed -i 's/delve/examine/' notes.md",
        "use the Edit tool on notes.md: its new text need not hold the word that goes.",
    ),
    ("perl -pi -e 's/delve/x/' a.md", "use the Edit tool on a.md"),
    ("rg delve docs > hits.txt", "save what was found under a directory named agent-io in the scratch area"),
    ("rg delve docs | sort | uniq > hits.txt", "save what was found under a directory named agent-io"),
    ("git -C x log --grep pivotal > l.txt", "save what was found under a directory named agent-io"),
]


@pytest.mark.parametrize(("command", "way"), WAYS)
def test_the_way_out_fits_what_was_done(command: str, way: str) -> None:
    verdict = _judge(command)
    assert verdict is not None
    (line,) = [line for line in verdict.reason.splitlines() if line.startswith("Suggested rewrite: ")]
    assert line.removeprefix("Suggested rewrite: ").startswith(way)


def test_the_whole_message() -> None:
    verdict = _judge("echo pivotal pivotal > notes.md")
    assert verdict is not None
    assert verdict.code == "prose.word-shell"
    assert verdict.reason == (
        'guardhook denies this command: it writes notes.md, and its text has the banned word "pivotal". '
        "Such words read as filler, and plain ones say the same.\n"
        'Suggested rewrite: the same text with other words: "pivotal" -> key, central.\n'
        "Code spans are exempt, and so is text that is only carried: a file under a directory agent-io of a temporary "
        "folder. If this text must hold the word, a person can set AGENT_STYLE_HOOK=off in the env block of Claude "
        "Code's settings, and remove it again after the write."
    )


ROADS = [
    "printf 'a\\n\\ndelve' > n.md",
    "echo $'x\\tdelve' > n.md",
    "perl -0pi -e 's/x/delve/' n.md",
    "perl -0777pi -e 's/x/delve/' n.md",
    "perl -lpi -e 's/x/delve/' n.md",
    "perl -pi.bak -e 's/x/delve/' n.md",
]


@pytest.mark.parametrize("command", ROADS)
def test_other_roads(command: str) -> None:
    assert _judge(command) is not None


def test_escaped_backticks_of_an_unquoted_here_document_are_code_in_the_file() -> None:
    assert _judge("cat > n.md <<E\ncall \\`delve\\` here\nE") is None
    assert _judge("cat > n.md <<'E'\ncall \\`delve\\` here\nE") is not None
    assert _judge("cat > n.md <<E\ncall \\`delve\\` and delve\nE") is not None


def test_codex_has_another_tool_for_edits() -> None:
    call = ToolCall("codex", "Bash", BASH, "sed -i 's/delve/x/' a.md", "/srv")
    verdict = shell_prose.judge(call, Context(call, Settings({})))
    assert verdict is not None
    assert "Suggested rewrite: use apply_patch on a.md" in verdict.reason


def test_a_marker_that_does_not_count_is_explained() -> None:
    verdict = _judge("echo pivotal > /srv/agent-io/n.md")
    assert verdict is not None
    assert "Its agent-io does not count: that directory must lie below a temporary folder" in verdict.reason
    verdict = _judge("echo pivotal > n.md")
    assert verdict is not None
    assert "does not count" not in verdict.reason


def test_the_line_of_a_long_command_is_named() -> None:
    verdict = _judge("cat > n.md <<'E'\nfine\na pivotal step\nE")
    assert verdict is not None
    assert '"pivotal" (line 3)' in verdict.reason


DECLINED = [
    ("echo pivotal > $OUT", "nobody knows yet which file `echo pivotal > $OUT` writes"),
    ("echo pivotal | tee $(mktemp).md", "nobody knows yet which file"),
    ("find . -name '*.md' -exec sed -i 's/delve/x/' {} +", "nobody knows yet which file"),
    ("ls | xargs sed -i 's/delve/x/'", "nobody knows yet which file"),
    ('cd "$D"\necho pivotal > p.md', "nobody knows in which directory p.md lies"),
]


@pytest.mark.parametrize(("command", "why"), DECLINED)
def test_declined_shapes_say_so(command: str, why: str) -> None:
    context = _context(command)
    assert shell_prose.judge(context.call, context) is None
    ((gate, outcome, said),) = context.trace
    assert (gate, outcome) == ("banned-word-shell", "declined")
    assert said.startswith(why)


def test_a_declined_write_does_not_hide_another() -> None:
    assert _judge("echo pivotal > $OUT; echo x > notes.md") is not None


MOVES = [
    # with a marked directory m and an unmarked one u below the sandbox
    ("echo pivotal > {m}/p.md", True),
    ("echo pivotal > {u}/p.md", False),
    ("cd {m}; echo pivotal > p.md", True),
    ("cd {m} && echo pivotal > p.md", True),
    ("cd {u}; echo pivotal > {m}/p.md", True),
    ("(cd {u}); cd {m}; echo pivotal > p.md", True),
    ("pushd {m}; echo pivotal > p.md", True),
    ("cd {m}; cd ../u; echo pivotal > p.md", False),
    ("if cd {m}; then echo pivotal > p.md; fi", True),
    ("bash -c 'cd {m}; echo pivotal > p.md'", True),
    ("cd {m}; bash -c 'echo pivotal > p.md'", True),
    ("ln -sfn {u} {m}; echo pivotal > {m}/p.md", False),
    ("mv {u} {m}/x; echo pivotal > {m}/x/p.md", False),
    ("ln -sfn {u} {m}//d; echo pivotal > {m}/d/p.md", False),
    ("ln -s {u} {m}/../agent-io/d; echo pivotal > {m}/d/p.md", False),
    ("ln -st {m} {u}; echo pivotal > {m}/u/p.md", False),
    ("ln -s --target-directory={m} {u}; echo pivotal > {m}/u/p.md", False),
    ("cd {m}; ln -s {u} d; echo pivotal > d/p.md", False),
    ("ls | xargs ln -s {u}; echo pivotal > {m}/d/p.md", False),
    ("ln -s {u} $d; echo pivotal > {m}/d/p.md", False),
    ("cp -rs {u} {m}/d; echo pivotal > {m}/d/p.md", False),
    ("cp {u}/a.md {m}/b.md; echo pivotal > {m}/p.md", True),
    ("mv a.md {m}/; echo pivotal > {m}/p.md", True),
    ("mv a.md {m}; echo pivotal > {m}/p.md", True),
    ("mv {m} {u}/x; echo pivotal > {m}/p.md", False),
    ("ln -s a b; echo pivotal > {m}/p.md", True),
    ("ssh h 'cd {m}; echo pivotal > p.md'", False),
    ("ssh h 'echo pivotal > p.md'", False),
]


@pytest.mark.parametrize(("command", "passes"), MOVES)
def test_the_working_directory_is_followed(tmp_path: Path, command: str, passes: bool) -> None:
    marked, unmarked = tmp_path / "agent-io", tmp_path / "u"
    marked.mkdir()
    unmarked.mkdir()
    line = command.replace("{m}", str(marked)).replace("{u}", str(unmarked))
    verdict = _judge(line, cwd=str(tmp_path), TMPDIR=str(tmp_path))
    assert (verdict is None) == passes


@pytest.mark.parametrize(
    ("command", "denied"),
    [
        ("'pivotal' > n.md", True),
        ("'pivotal' | Out-File -Path n.md", True),
        ("'pivotal' | tee n.md", True),
        ("'pivotal' | tee -Variable n.md", False),
        ("Set-Content a.log, n.md pivotal", True),
        ("Set-Content -Path:n.md pivotal", True),
        ("Set-Content n.md pivotal -WhatIf:$false", True),
        ("Set-Content n.md pivotal -WhatIf:$true", False),
        ("Set-Content -Value n.md a.log # pivotal", False),
        ("Set-Location /srv/x; 'pivotal' > n.md", True),
        ("$d = Get-Date; 'pivotal' > $d", False),
        ("'pivotal' > $HOME/n.md", True),
        ("'pivotal' > ~/n.md", True),
        ("ls | % { 'pivotal' > n.md }", True),
        ("1> n.md 'pivotal'", True),
    ],
)
def test_powershell(command: str, denied: bool) -> None:
    assert (_judge(command, POWERSHELL, HOME="/home/u") is not None) == denied


def test_codex_is_told_where_its_switch_is() -> None:
    call = ToolCall("codex", "Bash", BASH, "echo pivotal > a.md", "/srv")
    verdict = shell_prose.judge(call, Context(call, Settings({})))
    assert verdict is not None
    assert "in the environment that Codex is started in" in verdict.reason


def test_too_long_is_declined() -> None:
    context = _context("echo pivotal > a.md;" * 60_000)
    assert shell_prose.judge(context.call, context) is None
    assert context.trace == [("banned-word-shell", "declined", "the command is too long to be read")]


def test_the_advisory_never_runs_on_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> str:
        raise AssertionError(arguments)

    monkeypatch.setattr("guardhook.style.advise.advise_edits", fail)
    decision = engine.decide(ToolCall("claude", "Bash", BASH, "echo x > a.md", "/srv"), Settings({}))
    assert (decision.verdict, decision.advice) == (None, "")
