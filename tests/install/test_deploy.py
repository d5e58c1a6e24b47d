"""The release folder: what is in it, when it is built, and that a broken build leaves nothing."""

import ast
import marshal
import os
from pathlib import Path
from types import CodeType

import pytest

from guardhook.install import InstallError, deploy, interpreter, pack
from guardhook.install.interpreter import Interpreter
from guardhook.install.places import RELEASE_NAME, Places, release_of
from tests.install.deployment import tree

SOURCES = {
    "__init__.py": '__version__ = "0.1.0"\n',
    "__main__.py": "raise SystemExit\n",
    "hook.py": "VALUE = 1\n",
    "rows/git.py": "def push():\n    raise ValueError\n",
    "data/words.tsv": "a\tb\n",
    "cli/main.py": "",
    "install/__init__.py": "",
    "launchers/guard.py": "",
    "hook.py~": "",
    ".hidden": "",
    "__pycache__/hook.cpython-311.pyc": "",
}
DEPLOYED = ["__init__.py", "data/words.tsv", "hook.py", "rows/git.py"]


@pytest.fixture
def package(tmp_path: Path) -> str:
    for name, text in SOURCES.items():
        path = tmp_path / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(tmp_path / "src")


@pytest.fixture(scope="module")
def python() -> Interpreter:
    return interpreter.find()


def test_a_release_holds_what_the_hook_can_load_and_is_named_by_it(package: str, python: Interpreter) -> None:
    release = deploy.compose(python, package)
    assert list(release.files) == [*(f"guardhook/{name}" for name in DEPLOYED), "guard.py", "session_start.py"]
    assert RELEASE_NAME.fullmatch(release.name)
    assert deploy.compose(python, package).name == release.name
    other = Interpreter(python.path, python.version, "cpython-399-1.pack", python.base)
    assert deploy.compose(other, package).name != release.name
    Path(package, "hook.py").write_text("VALUE = 2\n", encoding="utf-8")
    assert deploy.compose(python, package).name != release.name


def test_the_folder_is_built_once_and_then_left_alone(package: str, python: Interpreter, where: Places) -> None:
    release = deploy.compose(python, package)
    assert deploy.build(release, where)
    assert os.listdir(where.releases) == [release.name]
    before = tree(Path(where.releases))
    tag = python.pack.rpartition("-")[0]
    compiled = [f"guardhook/{part}__pycache__/{name}.{tag}.pyc" for part, name in (("", "hook"), ("rows/", "git"))]
    assert {
        f"{release.name}/{name}" for name in [*release.files, *compiled, python.pack, "manifest.json"]
    } <= before.keys()
    assert not deploy.build(release, where)
    assert tree(Path(where.releases)) == before


def damage_source(folder: Path, pack: Path) -> None:
    (folder / "guardhook/hook.py").write_text("VALUE = 3\n", encoding="utf-8")


def damage_pack(folder: Path, pack: Path) -> None:
    pack.write_bytes(pack.read_bytes()[:-1])


def damage_bytecode(folder: Path, pack: Path) -> None:
    next((folder / "guardhook/__pycache__").iterdir()).write_bytes(b"")


def damage_data(folder: Path, pack: Path) -> None:
    (folder / "guardhook/data/words.tsv").unlink()


def damage_manifest(folder: Path, pack: Path) -> None:
    (folder / "manifest.json").write_text("[]", encoding="utf-8")


@pytest.mark.parametrize("damage", [damage_source, damage_pack, damage_bytecode, damage_data, damage_manifest])
def test_a_damaged_folder_is_replaced(package: str, python: Interpreter, where: Places, damage: object) -> None:
    release = deploy.compose(python, package)
    deploy.build(release, where)
    folder = Path(where.releases, release.name)
    contents = {name: data for name, (data, _) in tree(folder).items() if name not in (python.pack, "manifest.json")}
    assert callable(damage)
    damage(folder, folder / python.pack)
    assert not deploy.is_whole(str(folder), release)
    assert deploy.build(release, where)
    assert deploy.is_whole(str(folder), release)
    assert contents.items() <= {name: data for name, (data, _) in tree(folder).items()}.items()
    assert os.listdir(where.releases) == [release.name]


def test_the_pack_has_every_module_with_its_place_in_the_deployed_folder(
    package: str, python: Interpreter, where: Places
) -> None:
    release = deploy.compose(python, package)
    deploy.build(release, where)
    folder = os.path.join(where.releases, release.name)
    modules = pack.unpack(Path(folder, python.pack).read_bytes())  # made by the Python that runs this test
    expected = {"guardhook": True, "guardhook.hook": False, "guardhook.rows": True, "guardhook.rows.git": False}
    expected["guard"] = False
    assert {name: is_package for name, (is_package, _) in modules.items()} == expected
    code = marshal.loads(modules["guardhook.rows.git"][1])
    assert code.co_filename == f"{folder}/guardhook/rows/git.py"
    (function,) = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    assert function.co_filename == code.co_filename
    namespace: dict[str, object] = {}
    exec(marshal.loads(modules["guardhook.hook"][1]), namespace)
    assert namespace["VALUE"] == 1


def test_sources_that_do_not_compile_leave_nothing_behind(package: str, python: Interpreter, where: Places) -> None:
    Path(package, "hook.py").write_text("def\n", encoding="utf-8")
    with pytest.raises(InstallError, match=r"cannot compile guardhook(.|\n)*hook\.py"):
        deploy.build(deploy.compose(python, package), where)
    assert os.listdir(where.releases) == []


def test_a_place_that_cannot_be_written_is_refused(package: str, python: Interpreter, home: Path) -> None:
    (home / "file").write_bytes(b"")
    with pytest.raises(InstallError, match="cannot be made"):
        deploy.build(deploy.compose(python, package), Places(str(home / "file")))


def test_the_deployed_launcher_holds_its_release_and_the_whole_launcher(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Path(deploy.PACKAGE, "../../scripts/guard.py").resolve().read_text(encoding="utf-8")
    made = deploy.launcher("guardhook-0.1.0-0123456789ab")
    assert constants(made) == {"RELEASE": "guardhook-0.1.0-0123456789ab", "LAUNCHER": original}
    assert release_of(made) == "guardhook-0.1.0-0123456789ab"
    monkeypatch.setattr(deploy, "PACKAGE", package)
    Path(package, "launchers/guard.py").write_text("x = 1\n", encoding="utf-8")
    assert constants(deploy.launcher("y")) == {"RELEASE": "y", "LAUNCHER": "x = 1\n"}
    Path(package, "launchers/guard.py").write_text("x = '''1'''\n", encoding="utf-8")
    with pytest.raises(InstallError, match="three quotes"):
        deploy.launcher("z")
    Path(package, "launchers/guard.py").unlink()
    with pytest.raises(InstallError, match="lacks its launcher"):
        deploy.launcher("z")


def constants(source: bytes) -> dict[str, object]:
    """The names that a script assigns a string to, at its top level."""
    assigned = [node for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    return {ast.unparse(node.targets[0]): ast.literal_eval(node.value) for node in assigned}
