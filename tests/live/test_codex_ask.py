"""The real ask in the real Codex: its rules prompt for what the hook handed on, and what is approved runs (SPEC X5)."""

import json
import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from guardhook.agents import codex_ask
from guardhook.install import InstallError, codex_rules
from tests.live import codex_npm
from tests.live.codex_sandbox import AppServer, CodexSandbox
from tests.live.mock_responses import CODE_MODEL, DIRECT_MODEL, ResponsesMock, code, shell
from tests.live.npm import UnavailableError, run_limited
from tests.live.sandbox import INSTALLER_SECONDS, SOURCES

pytestmark = pytest.mark.live

PUSH = "bash -c 'git push'"
REASON = "guardhook: git push: what is pushed can be fetched by others at once"
DECLINED = "rejected by user"
REFUSED = "approval required by policy, but AskForApproval is set to Never"
MODELS = {"direct": DIRECT_MODEL, "code": CODE_MODEL}
# What is likely to end a word, a quote or a command early, or to be no text for one of the readers.
PIECES = ["'", '"', "`", "$", "$(", "${x}", "\\", "\n", "\r\n", "\r", "\t", " ", "<<EOF\n", "EOF\n", "|", "&", ";"]
PIECES += ["(", ")", "{", "}", "[[", "]]", "#", "!", "*", "~", "=", "<", ">", "\x01", "\x1b", "\x7f", "\x0b", "\x85"]
PIECES += ["\xa0", "\u2028", "\u202e", "\ufeff", "é", "日本", "😀", "''", "'\\''", "$'", "\\n", "--", "-c", "if"]


class Played:
    """asked: the parameters of each approval. results: what the model was told. calls: how the stubs were called."""

    def __init__(self, asked: list[dict[str, Any]], results: list[str], calls: list[str]) -> None:
        self.asked, self.results, self.calls = asked, results, calls


@pytest.fixture(scope="module", name="client")
def _client() -> Path:
    """The executable of the pinned Codex. Skips, with the reason, where it cannot be had."""
    try:
        return codex_npm.executable()
    except UnavailableError as reason:
        pytest.skip(str(reason))


def _box(client: Path, root: Path, *options: str) -> CodexSandbox:
    sandbox = CodexSandbox(root)
    sandbox.install_guard(client, "--no-proof", *options)
    sandbox.wire()
    return sandbox


@pytest.fixture(scope="module", name="asking")
def _asking(client: Path, tmp_path_factory: pytest.TempPathFactory) -> CodexSandbox:
    """A sandbox with the guard and the ask, installed by our own installer, which has Codex read the rules."""
    return _box(client, tmp_path_factory.mktemp("ask") / "box", "--codex-ask")


@pytest.fixture(scope="module", name="plain")
def _plain(client: Path, tmp_path_factory: pytest.TempPathFactory) -> CodexSandbox:
    """A sandbox with the guard, without the ask."""
    return _box(client, tmp_path_factory.mktemp("plain") / "box")


def item(mode: str, command: str, **arguments: Any) -> dict[str, Any]:
    """A call of Codex's shell, by the model itself or by a script that it writes."""
    if mode == "direct":
        return shell(command, **arguments)
    call = json.dumps({"cmd": command, **arguments})
    script = f"text((await tools.exec_command({call})).output)"
    return code(f"try {{ {script} }} catch (error) {{ text(String(error)) }}")


def play(
    sandbox: CodexSandbox, client: Path, items: list[dict[str, Any]], decision: str = "decline", **settings: str
) -> Played:
    """Play items, one a turn of the model; a person gives the same decision each time."""
    sandbox.log.unlink(missing_ok=True)
    with ResponsesMock([[item] for item in items]) as mock:
        sandbox.configure(mock.url, **{"approval_policy": "on-request", **settings})
        with AppServer(client, sandbox, lambda method, params: {"decision": decision}) as server:
            server.trust_all()
            server.turn()
            played = Played(server.asked(), mock.results(), sandbox.calls())
        assert len(played.results) == len(items)
        assert mock.strays() == []
    return played


def handed(sandbox: CodexSandbox, command: str, name: str = "git.push") -> str:
    """The command that Codex is handed by the hook. name: of the act."""
    return codex_ask.line(str(sandbox.hooks / codex_ask.PROGRAM), name, [], command)


def output(result: str) -> str:
    """What a command printed, of what the model was told about it."""
    return result.partition("Output:\n")[2]


@pytest.mark.parametrize("mode", MODELS)
def test_declined_nothing_runs(client: Path, asking: CodexSandbox, mode: str) -> None:
    played = play(asking, client, [item(mode, PUSH)], "decline", model=MODELS[mode])
    (asked,) = played.asked
    assert asked["reason"].endswith(f"requires approval: {REASON}")
    assert f"{asking.hooks}/guardhook-ask git.push -- " in asked["command"]
    assert asked["availableDecisions"] == ["accept", "cancel"]
    assert DECLINED in played.results[0]
    assert played.calls == []


@pytest.mark.parametrize("mode", MODELS)
def test_accepted_the_original_runs(client: Path, asking: CodexSandbox, mode: str) -> None:
    played = play(asking, client, [item(mode, PUSH)], "accept", model=MODELS[mode])
    assert len(played.asked) == 1
    assert "stub: git push" in played.results[0]
    assert played.calls == ["git push"]


@pytest.mark.parametrize("mode", MODELS)
def test_with_approvals_off_it_is_refused(client: Path, asking: CodexSandbox, mode: str) -> None:
    played = play(asking, client, [item(mode, PUSH)], "accept", model=MODELS[mode], approval_policy="never")
    assert played.asked == []
    assert REFUSED in played.results[0]
    assert played.calls == []


def test_codex_exec_refuses_it(client: Path, asking: CodexSandbox) -> None:
    """`codex exec` never asks."""
    asking.log.unlink(missing_ok=True)
    with ResponsesMock([[shell(PUSH)], [shell("echo hi")]]) as mock:
        asking.configure(mock.url)
        with AppServer(client, asking) as server:
            server.trust_all()
        run = asking.exec(client, mock)
    assert REFUSED in run.results[0]
    assert output(run.results[1]) == "hi\n"
    assert run.calls == []


@pytest.mark.parametrize("mode", MODELS)
def test_without_the_ask_it_runs(client: Path, plain: CodexSandbox, mode: str) -> None:
    played = play(plain, client, [item(mode, PUSH)], model=MODELS[mode])
    assert played.asked == []
    assert played.calls == ["git push"]


def test_the_gravest_act_is_named_and_all_are_shown(client: Path, asking: CodexSandbox) -> None:
    (asked,) = play(asking, client, [shell("git commit -m x; git push; rm -rf gone")]).asked
    assert "guardhook: rm -rf: everything below is deleted" in asked["reason"]
    assert "guardhook-ask delete.rm 'git commit, git push, rm -rf' -- " in asked["command"]


def test_whatever_the_command_a_person_is_asked_first(client: Path, asking: CodexSandbox) -> None:
    """Codex reads a command with a parser of its own: one text that it takes for more than a plain command runs."""
    chosen = random.Random(6)
    texts = ["git push\n" + "".join(chosen.choices(PIECES, k=chosen.randint(1, 30))) for _ in range(80)]
    texts += ["git push '", "git push " + "'" * 50, "\n\n  git push\n\n", "git push \\", "git push #'", "'git' push"]
    texts += ["git push " + "x" * 100_000, "git push\n" + "日本" * 10_000, "git push " + "'a' " * 5_000]
    played = play(asking, client, [shell(text) for text in texts])
    assert len(played.asked) == len(texts)
    assert all(DECLINED in result for result in played.results)
    assert played.calls == []


@pytest.mark.parametrize("name", ["/bin/sh", "dash", "zsh", "/usr/bin/python3", "no-such-shell"])
def test_whatever_shell_the_model_names_a_person_is_asked(client: Path, asking: CodexSandbox, name: str) -> None:
    """A name that Codex does not know stands for sh; PowerShell is the exception, and there guardhook-ask refuses."""
    played = play(asking, client, [shell("git push", shell=name)])
    assert len(played.asked) == 1
    assert played.calls == []


@pytest.mark.parametrize("mode", ["workspace-write", "read-only"])
def test_in_a_sandbox_a_person_is_asked_once(client: Path, asking: CodexSandbox, mode: str) -> None:
    played = play(asking, client, [shell("git push")], sandbox_mode=mode)
    assert [REASON in asked["reason"] for asked in played.asked] == [True]
    assert played.calls == []


PROBE = """\
git push "it's" 'a "b"' $'x\\ty' `echo c` $(echo d) <<'EOF'
here "it's" $HOME `echo e`
EOF
cat <<EOF
${HOME##*/} 日本
EOF
pwd; umask; echo "$0 $-"; env | grep -vE '^CODEX_(SESSION|THREAD)_ID=' | sort
(exit 41) || exit 37
"""


@pytest.mark.parametrize("arguments", [{}, {"workdir": "sub"}, {"login": False}, {"tty": True}], ids=str)
def test_what_runs_is_what_would_have_run(
    client: Path, asking: CodexSandbox, plain: CodexSandbox, arguments: dict[str, Any]
) -> None:
    """The same output, environment, directory and exit status as without the ask."""
    told = []
    for sandbox in (asking, plain):
        played = play(sandbox, client, [shell(PROBE, **arguments)], "accept")
        assert len(played.asked) == (sandbox is asking)
        assert played.calls == ['git push it\'s a "b" x\ty c d']
        text = re.sub(r"^(Chunk ID|Wall time|Original token count): .*\n", "", played.results[0], flags=re.MULTILINE)
        told.append(text.replace(str(sandbox.root), "BOX"))
    assert told[0] == told[1]
    assert "exited with code 37" in told[0]


def test_its_own_form_is_not_wrapped_twice(client: Path, asking: CodexSandbox) -> None:
    own = handed(asking, "git push")
    spelled = [own, handed(asking, "git push", "git.commit"), f"env {own}", f"cd sub && {own}"]
    played = play(asking, client, [shell(command) for command in spelled])
    assert [REASON in asked["reason"] for asked in played.asked] == [True] * 4
    assert [asked["command"].count("guardhook-ask") for asked in played.asked] == [1, 1, 2, 2]
    assert played.calls == []


def test_changed_rules_end_the_rewriting(client: Path, asking: CodexSandbox) -> None:
    rules = asking.codex / codex_ask.RULES
    whole = rules.read_bytes()
    rules.write_bytes(whole.replace(b"at once", b"soon"))
    try:
        played = play(asking, client, [shell("git push")])
    finally:
        rules.write_bytes(whole)
    assert played.asked == []
    assert played.calls == ["git push"]
    assert "guardhook-ask" not in json.dumps(played.results)


def test_a_rule_that_allows_it_does_not_win(client: Path, asking: CodexSandbox) -> None:
    other = asking.codex / "rules" / "default.rules"
    other.write_text(f'prefix_rule(pattern=["{asking.hooks}/guardhook-ask"], decision="allow")\n')
    try:
        played = play(asking, client, [shell("git push")])
    finally:
        other.unlink()
    assert len(played.asked) == 1
    assert played.calls == []


def test_one_file_that_codex_cannot_read_ends_all_its_rules(client: Path, asking: CodexSandbox) -> None:
    """What docs/codex-ask.md warns of. Installing finds such a file; the hook cannot."""
    other = asking.codex / "rules" / "default.rules"
    other.write_text("prefix_rule(pattern=[\n")
    try:
        played = play(asking, client, [shell("git push")])
        with pytest.raises(InstallError, match="may drop all its rules"):
            codex_rules.prove(codex_rules.AskPlaces(str(asking.hooks), str(asking.codex)), str(client))
    finally:
        other.unlink()
    assert played.asked == []
    assert played.calls == ["git push"]


def test_codex_takes_the_rules_and_prompts_for_each_code(client: Path, tmp_path: Path) -> None:
    rules = tmp_path / "guardhook.rules"
    rules.write_bytes(codex_rules.rules("/h/guardhook-ask"))

    def decide(*words: str) -> str:
        return codex_rules.decide(str(client), [str(rules)], list(words), str(tmp_path))

    for name in codex_rules.codes():
        assert decide("/h/guardhook-ask", name, "--", "/bin/bash", "-c", "x") == "prompt"
    assert decide("/h/guardhook-ask", "some.other", "acts", "--", "sh") == "prompt"
    assert decide("/h/guardhook-ask") == "prompt"
    for line in ("git push", "guardhook-ask git.push", "/g/guardhook-ask git.push", "env /h/guardhook-ask git.push"):
        assert decide(*line.split()) == ""


def test_uninstalling_leaves_nothing(client: Path, tmp_path: Path) -> None:
    sandbox = _box(client, tmp_path / "box", "--codex-ask")
    assert (sandbox.codex / codex_ask.RULES).exists()
    argv = [sys.executable, "-m", "guardhook", "uninstall", "--config-dir", str(sandbox.config)]
    status, said = run_limited(argv, sandbox.environment(PYTHONPATH=str(SOURCES)), sandbox.work, INSTALLER_SECONDS)
    assert status == 0, said
    assert not (sandbox.codex / "rules").exists()
    assert not (sandbox.hooks / codex_ask.PROGRAM).exists()
