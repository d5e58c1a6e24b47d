"""All escape hatches are advertised, and nothing else in the environment switches a gate off (SPEC E1 to E3)."""

import ast
import importlib.util
from pathlib import Path

import pytest

from guardhook import hatches
from tests.corpus_cases import answer, payload
from tests.test_house import HOT, PACKAGE

LAUNCHER = PACKAGE.parent.parent / "scripts" / "guard.py"

# Upper-case literals in the hook's modules that switch nothing off.
NON_GATES = {
    "PWD": "a word of a judged command",
    "IFS": "a word of a judged command",
    "OLDPWD": "a word of a judged command",
    "DIRSTACK": "a word of a judged command",
    "PIPESTATUS": "a word of a judged command",
    "CDPATH": "a word of a judged command",
    "HOME": "where paths lead",
    "USERPROFILE": "where paths lead",
    "CODEX_HOME": "where Codex reads its rules",
    "USER": "whose home `~name` is",
    "LOGNAME": "whose home `~name` is",
    "CLAUDE_CONFIG_DIR": "where what is protected lies",
    "CLAUDE_PROJECT_DIR": "where what is protected lies",
    "XDG_CONFIG_HOME": "where what is protected lies",
    "TMPDIR": "a root for carried files",
    "TEMP": "a root for carried files",
    "TMP": "a root for carried files",
    "GIT_DIR": "git's own: such a command is declined",
    "GIT_WORK_TREE": "git's own: such a command is declined",
    "EOF": "the end of a here-document",
    **dict.fromkeys(("O_BINARY", "O_CLOEXEC", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK"), "a flag for opening files"),
    "DELETE": "an HTTP method",
    "PATCH": "an HTTP method",
    "POST": "an HTTP method",
    "PUT": "an HTTP method",
    "GET": "an HTTP method",
    "HEAD": "an HTTP method",
    "OPTIONS": "an HTTP method",
    "ROWS": "a name in a module",
    "HELP": "a name in a module",
    "RELEASE": "a global of the launcher",
    "MODULES": "a global of the launcher",
    "FILE": "a global of the launcher",
}


def _literals(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _looks_like_a_variable(text: str) -> bool:
    return len(text) > 2 and text[0].isalpha() and text == text.upper() and text.replace("_", "").isalnum()


@pytest.mark.parametrize("path", [*HOT, LAUNCHER], ids=lambda path: path.name)
def test_every_variable_the_hook_names_is_registered(path: Path) -> None:
    named = {text for text in _literals(path) if text.isascii() and _looks_like_a_variable(text)}
    assert named - set(hatches._ESCAPE_HATCH_ENV_NAMES) - set(NON_GATES) == set()


@pytest.mark.parametrize("path", [*HOT, LAUNCHER], ids=lambda path: path.name)
def test_only_hatches_reads_the_environment(path: Path) -> None:
    names = {"environ", "environb", "getenv", "getenvb"}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        reads = (isinstance(node, ast.Attribute) and node.attr in names) or (
            isinstance(node, ast.ImportFrom) and any(alias.name in names for alias in node.names)
        )
        assert not reads or path.name == "hatches.py"


def test_the_set_can_be_imported_from_the_launcher() -> None:
    spec = importlib.util.spec_from_file_location("deployed_guard", LAUNCHER)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module._ESCAPE_HATCH_ENV_NAMES == hatches._ESCAPE_HATCH_ENV_NAMES
    with pytest.raises(AttributeError):
        _ = module.something_else


@pytest.mark.parametrize("value", ["off", "0", "disabled", "false", "no", " OFF\t", "No", "FALSE"])
def test_off_values(value: str) -> None:
    assert hatches.Settings({"AGENT_COMPOUND_CD_HOOK": value}).off == ("AGENT_COMPOUND_CD_HOOK",)


@pytest.mark.parametrize("value", ["", "on", "1", "none", "offf", "n", "true", "off off", "of f"])
def test_other_values_are_on(value: str) -> None:
    assert hatches.Settings({"AGENT_COMPOUND_CD_HOOK": value}).off == ()


@pytest.mark.parametrize("name", hatches._ESCAPE_HATCH_ENV_NAMES)
def test_no_hatch_reaches_the_ask_rows(name: str) -> None:
    data = payload({"tool_name": "Bash", "tool_input": {"command": "git push"}})
    assert answer(data, {name: "off"})[0] == "ask"
