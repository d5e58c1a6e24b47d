"""The real ask on Codex: when a call is handed on, and in which words (SPEC X4, X5)."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from guardhook import engine, hatches, hook
from guardhook.agents import codex_ask
from guardhook.install import codex_rules
from guardhook.shell.bash import lexer

BASH = "/bin/bash"
SHELLS = [name for name in ("bash", "sh", "zsh") if shutil.which(name)]
# What Codex's reader takes for one plain command: bare words, and words in the two kinds of quotes.
BARE, QUOTED = r"[A-Za-z0-9./_-]+", r"'[^']*'(?:\"'\"'[^']*')*"
FORM = re.compile(rf"{BARE} {BARE}(?: {QUOTED})? -- {BARE} -c {QUOTED}")
# No shell is handed a NUL, and Codex sends valid Unicode.
COMMANDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)


class Home:
    """A deployed folder and a Codex home with the ask in place."""

    def __init__(self, root: Path) -> None:
        self.hooks, self.codex = root / "hooks", root / "codex"
        self.places = codex_rules.AskPlaces(str(self.hooks), str(self.codex))
        self.program = self.places.program
        self.rules, self.copy = Path(self.places.rules), Path(self.places.copy)
        for path in (self.rules, self.copy):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(codex_rules.rules(self.program))

    def answer(self, command: str, tool: "str | None" = "Bash", **environment: str) -> tuple[bytes, int]:
        """The hook's answer to a call of a shell, as a launcher in `hooks` would get it."""
        document = {"tool_name": tool, "tool_input": {"command": command}, "cwd": "/nowhere"}
        if tool is None:
            del document["tool_name"]
        known = hatches.Settings({"CODEX_HOME": str(self.codex), **environment})
        with patch.object(hatches, "from_process", lambda: known):
            return hook.answer(json.dumps(document).encode(), ["--agent", "codex"])

    def handed(self, command: str) -> str:
        """The command that Codex is handed; "" where it hears nothing. Fails for a denial."""
        output, status = self.answer(command)
        assert status == 0
        if not output:
            return ""
        document = json.loads(output)
        assert list(document) == ["hookSpecificOutput"]
        inner = document["hookSpecificOutput"]
        assert inner.pop("hookEventName") == "PreToolUse"
        assert inner.pop("permissionDecision") == "allow"
        assert list(inner) == ["updatedInput"]
        assert list(inner["updatedInput"]) == ["command"]
        found: str = inner["updatedInput"]["command"]
        return found


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = Home(tmp_path)
    monkeypatch.syspath_prepend(str(made.hooks / "guardhook-0-release"))
    monkeypatch.setattr(codex_ask, "shell", lambda: BASH)
    return made


def test_a_push_is_handed_on(home: Home) -> None:
    assert home.handed("git push") == f"{home.program} git.push -- /bin/bash -c 'git push'"
    hidden = "bash -c 'git push' > \"$HOME/log\""
    assert home.handed(hidden) == f"{home.program} git.push -- /bin/bash -c {codex_ask.quoted(hidden)}"


@pytest.mark.parametrize("command", ["ls", "git status", "echo 'git push'", "rm -r x", "cd a && git status"])
def test_what_needs_no_person_is_not_touched(home: Home, command: str) -> None:
    assert home.answer(command) == (b"", 0)


def test_a_denial_is_still_a_denial(home: Home) -> None:
    output, status = home.answer("git push; echo 'let us delve' > /srv/notes.md")
    assert status == 2
    assert json.loads(output)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_several_acts_have_the_code_of_the_gravest_and_are_all_named(home: Home) -> None:
    command = "git commit -m x; git push; rm -rf build; git push -f"
    expected = f"{home.program} delete.rm 'git commit, git push, rm -rf' -- /bin/bash -c '{command}'"
    assert home.handed(command) == expected


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("echo 'unclosed", "shell.unread"),
        ("pwsh -EncodedCommand ZwBpAHQA", "shell.encoded"),
        ('bash -c \'bash -c "bash -c \\"bash -c x\\""\'', "shell.too-deep"),
    ],
)
def test_what_cannot_be_read_is_asked_about(home: Home, command: str, code: str) -> None:
    assert home.handed(command).startswith(f"{home.program} {code} -- ")


def test_a_gate_that_fails_is_asked_about(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(engine, "_load", lambda _: type("Gate", (), {"judge": staticmethod(fails)}))
    assert home.handed("git push").startswith(f"{home.program} guard.fault")


def test_only_codex_own_shell_is_handed_on(home: Home) -> None:
    """Rules are not tried on an MCP server's tool: there the rewritten command would run unasked."""
    assert home.answer("git push", tool="mcp__x__run") == (b"", 0)
    assert home.answer("git push", tool=None) == (b"", 0)


def _remove(path: Path) -> None:
    path.unlink()


def _change(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def _mark(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("change", [_remove, _change, _mark, _pipe, _folder])
@pytest.mark.parametrize("name", ["rules", "copy"])
def test_without_intact_rules_nothing_is_handed_on(home: Home, name: str, change: Callable[[Path], None]) -> None:
    change(home.rules if name == "rules" else home.copy)
    assert home.answer("git push") == (b"", 0)


def test_rules_of_another_home_do_not_count(home: Home, tmp_path: Path) -> None:
    assert home.answer("git push", CODEX_HOME=str(tmp_path / "other")) == (b"", 0)
    assert home.answer("git push", CODEX_HOME="", HOME=str(tmp_path)) == (b"", 0)
    home.codex.rename(tmp_path / ".codex")
    assert home.answer("git push", CODEX_HOME="", HOME=str(tmp_path))[0] != b""
    assert home.answer("git push", CODEX_HOME="") == (b"", 0)


def test_no_hatch_reaches_the_ask(home: Home) -> None:
    for name in hatches._ESCAPE_HATCH_ENV_NAMES:
        assert home.answer("git push", **{name: "off"})[0] != b""


@pytest.mark.parametrize("command", ["git push", "git push; rm -rf 'a b'", "echo 'unclosed", "git push\n'\"'\"'\\''"])
def test_its_own_form_is_not_wrapped_again(home: Home, command: str) -> None:
    handed = home.handed(command)
    assert handed
    assert home.answer(handed) == (b"", 0)


def test_its_own_form_around_a_harmless_command_is_left_to_the_rules(home: Home) -> None:
    assert home.answer(f"{home.program} git.push -- /bin/bash -c 'ls'") == (b"", 0)


def test_its_own_form_with_another_act_is_corrected(home: Home) -> None:
    assert home.handed(f"{home.program} git.commit -- /bin/bash -c 'git push'") == home.handed("git push")
    assert home.handed(f"{home.program} git.push 'rm -rf' -- /bin/bash -c 'git push'") == home.handed("git push")


@pytest.mark.parametrize(
    "spelling",
    [
        "env {program} git.push -- /bin/bash -c 'git push'",
        "/other/guardhook-ask git.push -- /bin/bash -c 'git push'",
        "guardhook-ask git.push -- git push",
        "{program} git.push -- git push",
        '{program} git.push -- /bin/bash -c "git push"',
        "{program} git.push -- /bin/sh -c 'git push'",
        "{program} git.push -- /bin/bash -c 'git push' ",
        "{program} git.push -- /bin/bash -c 'git push' > x",
        "{program} * -- /bin/bash -c 'git push'",
        "'{program}' git.push -- /bin/bash -c 'git push'",
        "A=1 {program} git.push -- /bin/bash -c 'git push'",
        "{program} git.push -- /bin/bash -c 'git push'\nls",
        "{program} git.push -- /bin/bash -c 'git push' # x",
    ],
)
def test_every_other_spelling_is_opened_and_wrapped(home: Home, spelling: str) -> None:
    command = spelling.format(program=home.program)
    handed = home.handed(command)
    assert handed == f"{home.program} git.push -- /bin/bash -c {codex_ask.quoted(command)}"
    assert home.answer(handed) == (b"", 0)


def test_a_denial_inside_its_own_form_is_found(home: Home) -> None:
    inner = codex_ask.quoted("echo 'let us delve' > /srv/notes.md")
    assert home.answer(f"{home.program} git.push -- /bin/bash -c {inner}")[1] == 2


@pytest.mark.parametrize("length", [100_000, codex_ask.MAX_BYTES - 1_000])
def test_a_long_command_is_handed_on(home: Home, length: int) -> None:
    assert home.handed("git push " + "x" * length).endswith("x" * length + "'")


@pytest.mark.parametrize("rest", ["x" * codex_ask.MAX_BYTES, "'" * 30_000, "\ud800"])
def test_what_cannot_be_handed_on_is_denied(home: Home, rest: str) -> None:
    output, status = home.answer("git push " + rest)
    reason = json.loads(output)["hookSpecificOutput"]["permissionDecisionReason"]
    assert status == 2
    assert "Suggested rewrite:" in reason
    assert "git push" in reason


def test_every_code_has_its_place_and_its_words() -> None:
    assert sorted(codex_ask.GRAVITY) == codex_rules.codes()
    for code in codex_ask.GRAVITY:
        label, why = codex_ask.act(code)
        assert label not in ("", code)
        assert why


def test_an_unknown_code_comes_first_and_stands_for_itself() -> None:
    assert codex_ask.gravest(["git.push", "protect.hooks", "delete.rm"]) == "protect.hooks"
    assert codex_ask.act("protect.hooks") == ("protect.hooks", "")


@pytest.mark.parametrize(
    ("account", "platform", "expected"),
    [
        ("/bin/bash", "linux", "/bin/bash"),
        ("/usr/bin/zsh", "linux", "/usr/bin/zsh"),
        ("/bin/sh", "linux", "/bin/sh"),
        ("/usr/bin/fish", "linux", "/bin/bash"),
        ("/opt/my shells/zsh", "linux", "/bin/bash"),
        ("", "linux", "/bin/bash"),
        ("/usr/local/bin/fish", "darwin", "/bin/zsh"),
    ],
)
def test_the_shell_is_the_account_s(account: str, platform: str, expected: str) -> None:
    entry = type("Entry", (), {"pw_shell": account})
    with patch("pwd.getpwuid", lambda _: entry), patch.object(codex_ask.sys, "platform", platform):
        assert codex_ask.shell() == expected


def test_an_unknown_account_has_a_shell() -> None:
    with patch("pwd.getpwuid", side_effect=KeyError):
        assert codex_ask.shell() in ("/bin/bash", "/bin/zsh")


@given(COMMANDS)
@example("x" * 100_000)
@example("'" * 1_000)
@example("a\nb\r\n\tc\x1b\x85\u2028\u202e😀")
@settings(max_examples=300, deadline=None)
def test_the_command_is_one_plain_command_of_two_kinds_of_quotes(command: str) -> None:
    for named in ([], ["git push, rm -rf"]):
        handed = codex_ask.line("/h/guardhook-ask", "git.push", named, command)
        assert FORM.fullmatch(handed)
        found = lexer.read(handed)
        assert [len(found.commands), found.flaw] == [1, ""]
        assert not found.commands[0].redirections
        words = [word.text for word in found.commands[0].words]
        assert words == ["/h/guardhook-ask", "git.push", *named, "--", codex_ask.shell(), "-c", command]


@given(COMMANDS)
@example("'\"'\"'\\'' $(x) `y` !! ${z}\n<<E\nE\n")
@settings(max_examples=40, deadline=None)
def test_shells_give_the_program_the_command_byte_for_byte(command: str) -> None:
    handed = codex_ask.line("/usr/bin/printf", "%s", [], command)
    for shell in SHELLS:
        run = subprocess.run([shell, "-c", handed], capture_output=True, check=True)
        assert run.stdout == f"--{codex_ask.shell()}-c{command}".encode()
