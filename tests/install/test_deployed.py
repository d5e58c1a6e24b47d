"""The deployed hook as a process (SPEC A1, A5, A10): packed or not, damaged or not, whatever lies around it."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import corpus_cases
from tests.install.deployment import ASK, DENY, PASS, READ, Deployment, decision

# Answers every payload in a file of hex lines, in one process, through the launcher's own finder if `pack` is given.
DRIVER = """
import marshal, sys
folder, payloads, *pack = sys.argv[1:]
file = open(pack[0], "rb", 0) if pack else None
modules = marshal.loads(file.read(int.from_bytes(file.read(4), "little"))) if file else {}
scope = {"__name__": "launcher", "__file__": folder + "/guard.py", "MODULES": modules, "FILE": file}
exec(open(folder + "/guard.py", encoding="utf-8").read(), scope)
sys.path.insert(0, folder)
if modules:
    sys.meta_path.insert(0, scope["Pack"])
from guardhook import hook
for line in open(payloads, encoding="ascii"):
    try:
        answer = hook.answer(bytes.fromhex(line), [])[0]
    except BaseException as error:  # as the launcher has it
        answer = scope["fallback"](bytes.fromhex(line), f"{type(error).__name__}: {error}")
    print(answer.hex())
loaded = [module for name, module in sys.modules.items() if name.partition(".")[0] == "guardhook"]
assert {module.__loader__ is scope["Pack"] for module in loaded} == {bool(pack)}, loaded
"""


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    return Deployment(tmp_path_factory.mktemp("deployed") / ".claude")


@pytest.fixture
def deployed(original: Deployment) -> Iterator[Deployment]:
    """The deployment, to be damaged: it is put right again afterwards."""
    kept = original.folder.with_name("kept")
    shutil.copytree(original.folder, kept)
    yield original
    shutil.rmtree(original.folder, ignore_errors=True)
    kept.rename(original.folder)


def answers(deployment: Deployment, cwd: Path) -> list[str]:
    return [deployment.answer(payload, cwd) for payload in (DENY, ASK, PASS, READ)]


def test_the_wired_start_of_a_session_checks_the_wired_guard_and_its_banner_is_asked_for(
    original: Deployment, tmp_path: Path
) -> None:
    folder = tmp_path / ".agent-config"
    folder.mkdir()
    (folder / "bootstrap.sh").write_text("#\n")
    group = json.loads(Path(original.where.settings).read_text("utf-8"))["hooks"]["SessionStart"][0]
    command = group["hooks"][0]["command"]
    payload = json.dumps({"session_id": "s", "cwd": str(tmp_path), "source": "startup"}).encode()
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": original.where.config}
    run = subprocess.run(
        ["/bin/sh", "-c", command], input=payload, capture_output=True, check=False, cwd=tmp_path, env=environment
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert "before other work" in json.loads(run.stdout)["hookSpecificOutput"]["additionalContext"]
    last = json.loads((folder / "last-run.json").read_text("utf-8"))
    assert (last["result"], last["detail"]) == ("ok", "")
    denied = original.answer(PASS, tmp_path)
    assert decision(denied) == "deny"
    assert "Session check: passed" in json.loads(denied)["hookSpecificOutput"]["permissionDecisionReason"]
    content = json.dumps({"ts": json.loads((folder / "session-event.json").read_text("utf-8"))["ts"]})
    target = str(folder / "banner-emitted.json")
    write = {"tool_name": "Write", "tool_input": {"file_path": target, "content": content}}
    assert decision(original.answer(write, tmp_path)) == "pass"
    Path(target).write_text(content, "utf-8")
    assert [decision(output) for output in answers(original, tmp_path)] == ["deny", "ask", "pass", "pass"]


def test_the_wired_command_answers(original: Deployment, tmp_path: Path) -> None:
    assert [decision(output) for output in answers(original, tmp_path)] == ["deny", "ask", "pass", "pass"]
    assert "Suggested rewrite:" in original.answer(DENY, tmp_path)


def test_the_pack_and_the_package_give_the_same_answers_on_the_corpus(original: Deployment, tmp_path: Path) -> None:
    names = sorted(path.stem for path in corpus_cases.FOLDER.glob("*.jsonl"))
    cases = [corpus_cases.payload(case) for name in names for case in corpus_cases.load(name)]
    cases = [data for data in cases if len(data) < 200_000] + [json.dumps(p).encode() for p in (DENY, ASK, PASS, READ)]
    payloads, driver = tmp_path / "payloads", tmp_path / "driver.py"
    payloads.write_text("".join(data.hex() + "\n" for data in cases), encoding="ascii")
    driver.write_text(DRIVER, encoding="utf-8")
    outputs = []
    for pack in ([], [str(original.pack)]):
        start = [original.python.path, "-I", "-S", str(driver), str(original.folder), str(payloads)]
        run = subprocess.run([*start, *pack], capture_output=True, check=False, cwd=tmp_path, timeout=120)
        assert run.stderr.decode() == ""
        outputs.append(run.stdout.decode().splitlines())
    assert len(outputs[0]) == len(cases) > 500
    assert outputs[0] == outputs[1]
    assert {decision(bytes.fromhex(line).decode()) for line in outputs[0]} == {"deny", "ask", "pass"}


def truncated(deployment: Deployment) -> bytes:
    return deployment.pack.read_bytes()[:-100]


def empty(deployment: Deployment) -> bytes:
    return b""


def foreign(deployment: Deployment) -> bytes:
    return b"PK\x03\x04 something else entirely"


def flipped(deployment: Deployment) -> bytes:
    data = bytearray(deployment.pack.read_bytes())
    for position in range(1000, len(data), 5000):
        data[position] ^= 4
    return bytes(data)


def renamed(deployment: Deployment) -> bytes:
    """Whole as marshalled data, but not what was packed."""
    data = deployment.pack.read_bytes()
    assert b"push" in data
    return data.replace(b"push", b"pull")


@pytest.mark.parametrize("damage", [None, truncated, empty, foreign, flipped, renamed])
def test_without_a_usable_pack_the_package_answers_the_same(
    deployed: Deployment, tmp_path: Path, damage: object
) -> None:
    before = answers(deployed, tmp_path)
    if callable(damage):
        deployed.pack.write_bytes(damage(deployed))
    else:
        deployed.pack.unlink()
    assert answers(deployed, tmp_path) == before
    assert [decision(output) for output in before] == ["deny", "ask", "pass", "pass"]


def test_the_pack_alone_is_enough_and_is_what_answers(deployed: Deployment, tmp_path: Path) -> None:
    before = answers(deployed, tmp_path)
    shutil.rmtree(deployed.folder / "guardhook")
    assert answers(deployed, tmp_path) == before


def test_with_its_code_gone_the_launcher_asks_and_advises(deployed: Deployment, tmp_path: Path) -> None:
    shutil.rmtree(deployed.folder)
    assert [decision(output) for output in answers(deployed, tmp_path)] == ["ask", "ask", "ask", "advise"]
    advisory = json.loads(deployed.answer(READ, tmp_path))
    assert advisory["systemMessage"] == advisory["hookSpecificOutput"]["additionalContext"]
    assert "guardhook install" in advisory["systemMessage"]
    assert decision(deployed.answer(b"not JSON", tmp_path)) == "ask"
    assert deployed.answer(DENY, tmp_path, " --agent codex") == ""


def test_with_its_code_broken_the_launcher_asks(deployed: Deployment, tmp_path: Path) -> None:
    deployed.pack.unlink()
    shutil.rmtree(deployed.folder / "guardhook/__pycache__")
    (deployed.folder / "guardhook/hook.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    assert [decision(output) for output in answers(deployed, tmp_path)] == ["ask", "ask", "ask", "advise"]


PLANTED = (
    "guardhook/__init__.py",
    "_json.py",
    "json.py",
    "os.py",
    "sitecustomize.py",
    "usercustomize.py",
    "marshal.py",
    "re.py",
)


@pytest.mark.parametrize("packed", [True, False])
def test_nothing_planted_and_no_python_variable_is_heard(deployed: Deployment, tmp_path: Path, packed: bool) -> None:
    before = answers(deployed, tmp_path)
    if not packed:
        deployed.pack.unlink()
    planted, marker = tmp_path / "planted", tmp_path / "marker"
    for name in PLANTED:
        path = planted / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"open({str(marker)!r}, 'w').close()\nprint('planted')\nraise SystemExit(0)\n", encoding="utf-8"
        )
    variables = {name: str(planted) for name in ("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX")}
    variables |= {
        "PYTHONSTARTUP": str(planted / "os.py"),
        "PYTHONINSPECT": "1",
        "PYTHONVERBOSE": "2",
        "PYTHONDEBUG": "1",
    }
    variables |= {"PYTHONWARNINGS": "error", "PYTHONIOENCODING": "utf-16", "PYTHONOPTIMIZE": "2", "PYTHONDEVMODE": "1"}
    variables |= {"LC_ALL": "C", "LANG": "tr_TR.ISO-8859-9"}
    found = [deployed.answer(payload, planted, **variables) for payload in (DENY, ASK, PASS, READ)]
    assert found == before
    assert not marker.exists()
    # The trap is live: without isolation the planted file runs.
    subprocess.run([deployed.python.path, "-c", "pass"], cwd=planted, env={"PYTHONPATH": str(planted)}, check=False)
    assert marker.exists()


@pytest.mark.parametrize("links", [["{guard}"], ["store/guard.py", "{guard}"], ["b.py", "c.py", "{guard}"]])
def test_the_launcher_can_be_a_link(original: Deployment, tmp_path: Path, links: list[str]) -> None:
    path = first = tmp_path / "a.py"
    (tmp_path / "store").mkdir()
    for link in links:
        path.symlink_to(link.format(guard=original.where.guard))
        path = path.parent / link
    command = original.command.replace(original.where.guard, str(first))
    run = subprocess.run(
        ["/bin/sh", "-c", command], input=json.dumps(DENY).encode(), capture_output=True, check=True, cwd=tmp_path
    )
    assert decision(run.stdout.decode()) == "deny"


def test_only_the_hooks_own_environment_switches_a_gate_off(original: Deployment, tmp_path: Path) -> None:
    assert original.answer(DENY, tmp_path, AGENT_COMPOUND_CD_HOOK="off") == ""
    assert decision(original.answer(ASK, tmp_path, AGENT_CONFIG_GATES="off")) == "ask"
