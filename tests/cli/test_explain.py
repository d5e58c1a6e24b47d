"""`guardhook explain`: it shows what the engine decided, for people and for programs (SPEC K2)."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from guardhook.cli.explain import command
from guardhook.install import codex_rules

LINE = 'sudo bash -lc "git -C a fetch && git push" | tee x'


def _explain(*arguments: str, **environment: str | None) -> Result:
    clean = dict.fromkeys(("AGENT_COMPOUND_CD_HOOK", "AGENT_CONFIG_GATES", "AGENT_STYLE_HOOK"))
    return CliRunner().invoke(command, arguments, env={**clean, "COLUMNS": "40", **environment})


def _document(*arguments: str, **environment: str | None) -> dict[str, object]:
    result = _explain("--json", *arguments, **environment)
    assert result.exit_code == 0
    document: dict[str, object] = json.loads(result.stdout)
    return document


def test_page() -> None:
    result = _explain(LINE)
    assert result.exit_code == 0
    for text in ("ASK", "git -C a fetch", "sudo > bash", "git.push", "tee x", "compound-cd", "1 of 3 parts"):
        assert text in result.stdout
    assert max(len(line) for line in result.stdout.splitlines()) > 40  # nothing is wrapped inside a command


@pytest.mark.parametrize(
    ("line", "outcome"), [("git push", "ask"), ("cd a && git status", "deny"), ("ls", "pass"), ("echo 'x", "ask")]
)
def test_outcomes(line: str, outcome: str) -> None:
    assert _document(line)["outcome"] == outcome
    assert outcome.upper() in _explain(line).stdout


def test_document() -> None:
    document = _document(LINE)
    assert document["code"] == "git.push"
    assert document["parts"] == [
        {
            "segment": segment,
            "program": program,
            "arguments": arguments,
            "through": through,
            "local": True,
            "other_value": False,
            "code": code,
            "why": document["parts"][number]["why"],  # type: ignore[index]
        }
        for number, (segment, program, arguments, through, code) in enumerate(
            [
                ("git -C a fetch", "git", ["git", "-C", "a", "fetch"], ["sudo", "bash"], None),
                ("git push", "git", ["git", "push"], ["sudo", "bash"], "git.push"),
                ("tee x", "tee", None, [], None),
            ]
        )
    ]
    assert document["gates"][1] == {"gate": "compound-cd", "outcome": "pass", "why": "nothing it looks for"}  # type: ignore[index]


def test_what_was_not_read_and_what_was_declined() -> None:
    assert _document("echo 'x")["unread"] == ["a quote that is never closed"]
    assert "never closed" in _explain("echo 'x").stdout
    assert "not on this machine" in _explain("ssh h ls").stdout


def test_a_hatch_of_the_environment_counts() -> None:
    document = _document("cd a && ls", AGENT_COMPOUND_CD_HOOK="off")
    assert document["outcome"] == "pass"
    assert document["gates"][1]["outcome"] == "off"  # type: ignore[index]


def test_payload(tmp_path: Path) -> None:
    path = tmp_path / "payload.json"
    path.write_text('{"tool_name":"PowerShell","tool_input":{"command":"git push"}}')
    document = _document("--payload", str(path))
    assert (document["tool"], document["outcome"]) == ("PowerShell", "ask")
    path.write_text('{"tool_name":"Read","tool_input":{"file_path":"/a"}}')
    assert "banner            pass     nothing it looks for" in _explain("--payload", str(path)).stdout
    path.write_text("[]")
    result = _explain("--payload", str(path))
    assert result.exit_code == 1
    assert "not one JSON object" in result.output


def test_powershell() -> None:
    assert _document("Remove-Item x -Recurse")["outcome"] == "pass"
    document = _document("--shell", "powershell", "& { Remove-Item x -Recurse }")
    assert (document["tool"], document["outcome"], document["code"]) == ("PowerShell", "ask", "delete.remove-item")
    assert [part["segment"] for part in document["parts"]] == ["Remove-Item x -Recurse"]  # type: ignore[attr-defined]
    assert "PowerShell: git push" in _explain("--shell", "powershell", "git push").stdout
    assert _explain("--shell", "fish", "ls").exit_code == 2


def test_a_declined_gate_says_why() -> None:
    document = _document("echo pivotal > $OUT")
    (why,) = [gate["why"] for gate in document["gates"] if gate["outcome"] == "declined"]  # type: ignore[attr-defined]
    assert why == "nobody knows yet which file `echo pivotal > $OUT` writes"


def test_usage() -> None:
    assert _explain().exit_code == 2
    assert _explain("ls", "--payload", "-").exit_code == 2
    result = _explain("git", "push")
    assert result.exit_code == 2
    assert "in quotes" in result.output


def test_nothing_reaches_the_terminal_raw() -> None:
    result = _explain("git push \x1b[2K\rls \u202e; echo a\nb")
    assert not set(result.stdout) & set("\x1b\r\u202e")
    assert "\\u{1b}" in result.stdout
    assert "echo a" in result.stdout


def test_codex_is_not_asked_where_it_cannot_ask(tmp_path: Path) -> None:
    document = _document("--agent", "codex", "git push", CODEX_HOME=str(tmp_path), CLAUDE_CONFIG_DIR=str(tmp_path))
    assert (document["agent"], document["outcome"], document["handed_on"]) == ("codex", "pass", None)
    assert {"gate": "risk", "outcome": "off", "why": "Codex cannot ask here (guardhook install --codex-ask)"} in list(
        document["gates"]  # type: ignore[call-overload]
    )


def test_what_codex_is_handed_is_shown(tmp_path: Path) -> None:
    places = codex_rules.AskPlaces(str(tmp_path / "hooks"), str(tmp_path / "codex"))
    for path in map(Path, (places.rules, places.copy)):
        path.parent.mkdir(parents=True)
        path.write_bytes(codex_rules.rules(places.program))
    environment = {"CODEX_HOME": str(tmp_path / "codex"), "CLAUDE_CONFIG_DIR": str(tmp_path)}
    handed = str(_document("--agent", "codex", "git push", **environment)["handed_on"])
    assert handed.startswith(f"{places.program} git.push -- ")
    assert handed.endswith(" -c 'git push'")
    assert handed in _explain("--agent", "codex", "git push", **environment).stdout
    assert _document("--agent", "codex", "ls", **environment)["handed_on"] is None
    assert _document("git push", **environment)["handed_on"] is None


def test_codex_payload_of_a_patch_can_be_explained(tmp_path: Path) -> None:
    payload = tmp_path / "payload.json"
    text = "*** Begin Patch\n*** Add File: /srv/a.md\n+delve\n*** End Patch\n"
    payload.write_text(json.dumps({"tool_name": "apply_patch", "tool_input": {"command": text}}))
    assert _document("--agent", "codex", "--payload", str(payload))["outcome"] == "deny"
