"""The ask on Codex as it is installed and removed: the rules, the program, the copy, and in which order (SPEC X5)."""

import ast
import json
import os
from pathlib import Path

import pytest

from guardhook.agents import codex_ask
from guardhook.install import InstallError, apply, codex_rules
from guardhook.install.codex_rules import AskPlaces
from guardhook.install.plan import Edit, Plan

SOURCE = (Path(__file__).parents[2] / "scripts" / "guardhook-ask").read_bytes()
PYTHON = "/usr/bin/python3"
STAMP = "20260102-030405"


@pytest.fixture
def ask(home: Path) -> AskPlaces:
    (home / ".claude" / "hooks").mkdir(parents=True)
    (home / ".codex").mkdir()
    return AskPlaces(str(home / ".claude" / "hooks"), codex_rules.home())


def _apply(edits: list[Edit]) -> None:
    plan = Plan()
    plan.edits.extend(edits)
    apply.apply(plan, STAMP)


def _install(ask: AskPlaces) -> None:
    _apply(codex_rules.install(ask, PYTHON, SOURCE))


def _rules(data: bytes) -> list[dict[str, object]]:
    """The keyword arguments of each call in a rules file, which is Python as far as these go."""
    calls = [node.value for node in ast.parse(data).body if isinstance(node, ast.Expr)]
    assert all(isinstance(call, ast.Call) and isinstance(call.func, ast.Name) for call in calls)
    assert {call.func.id for call in calls} == {"prefix_rule"}  # type: ignore[attr-defined]
    return [{word.arg: ast.literal_eval(word.value) for word in call.keywords} for call in calls]  # type: ignore


def test_one_rule_on_the_program_and_one_for_each_code() -> None:
    found = _rules(codex_rules.rules("/h/guardhook-ask"))
    assert {rule["decision"] for rule in found} == {"prompt"}
    assert [rule["pattern"] for rule in found] == [["/h/guardhook-ask"]] + [
        ["/h/guardhook-ask", code] for code in codex_rules.codes()
    ]
    reasons = {str(rule["pattern"][-1]): str(rule["justification"]) for rule in found}  # type: ignore[index]
    assert reasons["git.push"].startswith("guardhook: git push: ")
    for code in codex_rules.codes():
        assert codex_ask.act(code)[0] in reasons[code]


def test_the_same_program_makes_the_same_rules() -> None:
    assert codex_rules.rules("/h/guardhook-ask") == codex_rules.rules("/h/guardhook-ask")
    assert codex_rules.rules("/h/guardhook-ask") != codex_rules.rules("/g/guardhook-ask")


@pytest.mark.parametrize("folder", ["/a b", "/a'b", "/a$b", "/ö", "/a;b", "/a\nb", "/a\\b", "~", "hooks"])
def test_a_path_that_has_to_be_quoted_has_no_rules(folder: str) -> None:
    """Codex takes a quoted program for no plain command, so no rule would match and nobody would be asked (0.171.0)."""
    with pytest.raises(InstallError, match="cannot be named in Codex's rules"):
        codex_rules.rules(f"{folder}/guardhook-ask")


def test_the_copy_is_written_last_and_removed_first(ask: AskPlaces) -> None:
    edits = codex_rules.install(ask, PYTHON, SOURCE)
    assert [edit.path for edit in edits] == [ask.program, ask.rules, ask.copy]
    assert edits[1].new == edits[2].new
    _apply(edits)
    assert [edit.path for edit in codex_rules.uninstall(ask)] == [ask.copy, ask.rules, ask.program]


def test_what_is_installed_is_found_by_the_hook_and_again_gone(ask: AskPlaces, home: Path) -> None:
    environment = {"CODEX_HOME": str(home / ".codex")}
    folder = os.path.dirname(ask.program)
    assert not codex_rules.is_installed(ask)
    assert codex_ask.find(environment, folder) == ""
    _install(ask)
    assert codex_rules.is_installed(ask)
    assert codex_ask.find(environment, folder) == ask.program
    assert os.access(ask.program, os.X_OK)
    _apply(codex_rules.uninstall(ask))
    assert codex_ask.find(environment, folder) == ""
    assert not any(map(os.path.exists, (ask.program, ask.rules, ask.copy)))
    assert codex_rules.uninstall(ask) == []


def test_a_second_installation_changes_nothing(ask: AskPlaces) -> None:
    _install(ask)
    assert codex_rules.install(ask, PYTHON, SOURCE) == []


def test_what_was_changed_is_mended(ask: AskPlaces) -> None:
    _install(ask)
    whole = Path(ask.rules).read_bytes()
    Path(ask.rules).write_bytes(whole + b"# more\n")
    edits = codex_rules.install(ask, "/usr/bin/python3.13", SOURCE)
    assert [edit.path for edit in edits] == [ask.program, ask.rules]
    _apply(edits)
    assert Path(ask.rules).read_bytes() == whole
    assert Path(ask.program).read_bytes().startswith(b"#!/usr/bin/python3.13 -ISXutf8\n")


@pytest.mark.parametrize("name", ["program", "rules", "copy"])
def test_a_file_of_somebody_else_is_left_alone(ask: AskPlaces, name: str) -> None:
    foreign = Path(getattr(ask, name))
    foreign.parent.mkdir(exist_ok=True)
    foreign.write_bytes(b"theirs\n")
    with pytest.raises(InstallError, match="is not guardhook's"):
        codex_rules.install(ask, PYTHON, SOURCE)
    assert codex_rules.uninstall(ask) == []


def _codex(home: Path, monkeypatch: pytest.MonkeyPatch, answer: str, status: int = 0) -> Path:
    """A stand-in for codex on PATH that logs its arguments and answers with one text."""
    folder = home / "bin"
    folder.mkdir()
    program = folder / "codex"
    program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$*\" >>'{home}/log'\n{answer}\nexit {status}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return home / "log"


ANSWERS = 'case "$*" in *guardhook-ask\\ *) echo \'{"decision":"prompt"}\' ;; *) echo \'{"matchedRules":[]}\' ;; esac'


def test_the_ask_is_added_on_request_and_kept_from_then_on(ask: AskPlaces) -> None:
    folder = os.path.dirname(ask.program)
    plan = Plan()
    assert codex_rules.add(plan, folder, None, PYTHON, SOURCE).startswith("no")
    assert plan.edits == []
    assert codex_rules.add(plan, folder, True, PYTHON, SOURCE).startswith("yes")
    assert len(plan.edits) == 3
    assert any("no codex on PATH" in note for note in plan.notes)
    apply.apply(plan, STAMP)
    again = Plan()
    assert codex_rules.add(again, folder, None, PYTHON, SOURCE).startswith("yes")
    assert again.edits == []
    assert codex_rules.add(again, folder, False, PYTHON, SOURCE).startswith("no")
    assert [edit.new for edit in again.edits] == [None, None, None]
    apply.apply(again, STAMP)
    assert not os.path.exists(os.path.dirname(ask.rules))


def test_without_a_codex_home_there_is_nothing_to_ask(ask: AskPlaces, home: Path) -> None:
    (home / ".codex").rmdir()
    with pytest.raises(InstallError, match="no Codex home"):
        codex_rules.add(Plan(), os.path.dirname(ask.program), True, PYTHON, SOURCE)


def test_codex_reads_the_rules_with_all_others_of_its_home(
    ask: AskPlaces, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = _codex(home, monkeypatch, ANSWERS)
    other = home / ".codex" / "rules" / "default.rules"
    other.parent.mkdir()
    other.write_text('prefix_rule(pattern=["ls"])\n')
    plan = Plan()
    codex_rules.add(plan, os.path.dirname(ask.program), True, PYTHON, SOURCE)
    assert plan.notes == []
    calls = log.read_text().splitlines()
    assert all(call.startswith("execpolicy check --rules ") for call in calls)
    assert sum(str(other) in call for call in calls) == 2
    assert calls[-1].endswith("-- ls")


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        ("echo 'starlark error' >&2", 1, "may drop all its rules:\nstarlark error"),
        ("echo '[]'", 0, "may drop all its rules"),
        ("echo 'not JSON'", 0, "may drop all its rules"),
        ("echo '{\"matchedRules\":[]}'", 0, "say nothing where it has to ask"),
        ('echo \'{"decision":"forbidden"}\'', 0, "forbidden where it has to ask"),
        ('echo \'{"decision":"prompt"}\'', 0, "commands that are not guardhook's"),
    ],
)
def test_rules_that_codex_does_not_take_are_not_installed(
    ask: AskPlaces, home: Path, monkeypatch: pytest.MonkeyPatch, answer: str, status: int, message: str
) -> None:
    _codex(home, monkeypatch, answer, status)
    with pytest.raises(InstallError) as error:
        codex_rules.add(Plan(), os.path.dirname(ask.program), True, PYTHON, SOURCE)
    assert message in str(error.value)


def test_a_flaw_does_not_keep_the_guard_from_being_brought_up_to_date(
    ask: AskPlaces, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(ask)
    _codex(home, monkeypatch, "echo 'starlark error' >&2", 1)
    plan = Plan()
    assert codex_rules.add(plan, os.path.dirname(ask.program), None, PYTHON, SOURCE).startswith("not for certain")
    assert plan.edits == []
    assert any("starlark error" in note for note in plan.notes)


def test_home_is_codex_s(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert codex_rules.home() == str(home / ".codex")
    monkeypatch.setenv("CODEX_HOME", "")
    assert codex_rules.home() == str(home / ".codex")
    monkeypatch.setenv("CODEX_HOME", str(home / "c"))
    assert codex_rules.home() == str(home / "c")


def test_an_interpreter_s_path_with_a_quote_is_refused() -> None:
    with pytest.raises(InstallError):
        codex_rules.program("/it's/python3", SOURCE)


def test_justifications_are_one_line_of_ascii() -> None:
    """They are shown in a dialog, and a JSON string is a Starlark string only as far as both know its escapes."""
    for line in codex_rules.rules("/h/guardhook-ask").decode("ascii").splitlines():
        assert "\\u" not in line
        if not line.startswith("#"):
            assert json.loads("[" + line.split("pattern=[")[1].split("]")[0] + "]")
