"""The house rules that a machine can look at (docs/architecture.md): one reader a language, explicit tables, sizes."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from guardhook import gates
from guardhook.call import BASH
from guardhook.shell import wrappers
from tests.corpus_cases import FOLDER, load

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "guardhook"
SOURCES = sorted(PACKAGE.rglob("*.py"))
# What the hook can load: everything but the command line and the installer.
# Of `session`, what runs once a session and not in the hook of a call.
SESSION = tuple(f"session/{name}.py" for name in ("clients", "event", "report", "shots", "start"))
COLD = ("cli", "install", "health", "__main__.py", "style/audit.py", "style/changes.py", *SESSION)
HOT = [path for path in SOURCES if not path.relative_to(PACKAGE).as_posix().startswith(COLD)]

# The rooms whose modules know quotes, one reader a language.
READERS = ("shell/bash/", "shell/powershell/", "shell/cmd.py", "shell/cmd_")
# Tables may be long; code is split at 350 lines.
TABLES = {"prose/table.py", "shell/wrappers/containers.py", "gates/risk/git.py", "gates/risk/publish.py"}
FORBIDDEN = {"re", "json", "typing", "enum", "dataclasses", "collections", "pathlib", "shlex", "argparse", "logging"}
FORBIDDEN |= {"subprocess", "tempfile", "os", "functools"}
# `json` and `os` stand in where CPython's private modules are missing.
FALLBACKS = {
    ("agents/claude.py", "json"),
    ("hatches.py", "os"),
    ("prose/scope.py", "os"),
    ("gates/banner.py", "os"),
    ("gates/init_target.py", "os"),
    ("gates/self_protection.py", "os"),
    ("protect/parts.py", "json"),
}


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """Every node that may run: not what stands under `if TYPE_CHECKING`."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING"):
            yield from _running(child)


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in _running(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("path", HOT, ids=_name)
def test_hot_path_imports_only_what_is_cheap(path: Path) -> None:
    allowed = {module for name, module in FALLBACKS if name == _name(path)}
    assert not (set(_imports(_tree(path))) & FORBIDDEN) - allowed


@pytest.mark.parametrize("path", [path for path in HOT if not _name(path).startswith(READERS)], ids=_name)
def test_one_quote_scanner(path: Path) -> None:
    """Looking for a quote character in text is the readers' business alone."""
    for node in ast.walk(_tree(path)):
        compared: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            compared = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            compared = node.args if node.func.attr in ("find", "index", "startswith", "split", "partition") else []
        for value in compared:
            assert not (isinstance(value, ast.Constant) and value.value in ("'", '"')), f"{_name(path)}:{value.lineno}"


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_sizes(path: Path) -> None:
    lines = path.read_text("utf-8").count("\n")
    assert lines <= 350 or _name(path) in TABLES
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.FunctionDef) and node.end_lineno:
            assert node.end_lineno - node.lineno < 60, f"{_name(path)}:{node.lineno} {node.name}"


@pytest.mark.parametrize("path", HOT, ids=_name)
def test_no_asserts_on_the_hot_path(path: Path) -> None:
    """The pack is compiled without them."""
    assert not any(isinstance(node, ast.Assert) for node in ast.walk(_tree(path)))


def test_launcher_is_short() -> None:
    assert (ROOT / "scripts" / "guard.py").read_text("utf-8").count("\n") <= 110
    assert (PACKAGE / "hook.py").read_text("utf-8").count("\n") <= 100


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_names_and_docstrings(path: Path) -> None:
    tree = _tree(path)
    assert ast.get_docstring(tree), "a module says what it is for"
    assert not {"utils", "helpers", "manager", "misc", "common"} & set(path.relative_to(PACKAGE).with_suffix("").parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            assert not node.name.lstrip("_").startswith("check_"), node.name
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{_name(path)}:{node.lineno} {node.name}"


@pytest.mark.parametrize("path", HOT, ids=_name)
def test_only_three_places_catch_everything(path: Path) -> None:
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ExceptHandler):
            everything = node.type is None or (
                isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")
            )
            allowed = ("engine.py", "hook.py", "style/advise.py")
            assert not everything or _name(path) in allowed, f"{_name(path)}:{node.lineno}"


def test_every_gate_has_its_rooms() -> None:
    """A row's module can judge, has a test file, and has cases that fire and cases that pass."""
    corpus = {gate.name: [gate.name] for gate in gates.TABLE} | {"risk": ["git", "gh", "publish", "delete"]}
    fires = {"deny", "ask", "advise"}
    assert set(corpus) == {gate.name for gate in gates.TABLE}
    for gate in gates.TABLE:
        module = __import__(gate.module, None, None, ["judge"])
        assert callable(module.judge)
        room = gate.module.removeprefix("guardhook.gates.")
        assert (ROOT / "tests" / "gates" / f"test_{room}.py").exists()
        for name in corpus[gate.name]:
            expected = {case["expected"] for case in load(name)}
            assert "pass" in expected
            assert expected & fires


def test_every_file_of_gates_is_in_the_table() -> None:
    files = {path.stem for path in (PACKAGE / "gates").glob("*.py")} - {"__init__"}
    files |= {path.name for path in (PACKAGE / "gates").iterdir() if path.is_dir() and path.name != "__pycache__"}
    modules = {gate.module.removeprefix("guardhook.gates.") for gate in gates.TABLE}
    others = {"cd_rewrite", "init_shapes", "init_site", "init_target", "patch_words", "relinks"}
    assert files - modules == others, "a gate's own second file is named here"
    assert modules <= files


def test_risk_table_and_rows_agree() -> None:
    found = set()
    for path in (PACKAGE / "gates" / "risk").glob("*.py"):
        if path.stem in ("__init__", "rows"):
            continue
        module = __import__(f"guardhook.gates.risk.{path.stem}", None, None, ["ROWS"])
        for row in module.ROWS:
            assert row.code.startswith(path.stem.partition("_")[0] + ".")
            found.add((row.path[0], path.stem))
    assert found == {item for table in gates.RISKY.values() for item in table.items()}
    for language, table in gates.RISKY.items():
        assert set(table) <= gates.WATCHED[language]


def test_first_words_and_rows_agree() -> None:
    for program, words in gates.FIRST_WORDS.items():
        module = __import__(f"guardhook.gates.risk.{gates.RISKY[BASH][program]}", None, None, ["ROWS"])
        assert {row.path[1] for row in module.ROWS if row.path[0] == program} == words


def test_wrapper_index_and_rows_agree() -> None:
    found = {}
    for path in (PACKAGE / "shell" / "wrappers").glob("*.py"):
        if path.stem in ("__init__", "rows"):
            continue
        module = __import__(f"guardhook.shell.wrappers.{path.stem}", None, None, ["ROWS"])
        for row in module.ROWS:
            assert row.manual, row.names
            found.update(dict.fromkeys(row.names, path.stem))
    assert found == wrappers.ROOMS


def test_corpus_ids_are_unique() -> None:
    ids = [case["id"] for path in FOLDER.glob("*.jsonl") for case in load(path.stem)]
    assert len(ids) == len(set(ids))
