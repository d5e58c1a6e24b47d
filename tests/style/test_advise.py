"""The advisory: which detectors run, what they are given, what is said, and that none of it can hurt (SPEC V1-V7)."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from guardhook.style import advise
from tests.style.repository import NAMES, made_up

SOURCES = Path(__file__).resolve().parents[2] / "src"
Release = Callable[[str], str]

pytestmark = pytest.mark.usefixtures("home")

LONG = "word " * 99 + "word.\n"
# One place for each of the six baseline rules, and what agent-style says there.
BASELINE = (
    "It paves the way for more.\n\n"
    "We leverage it.\n\n"
    + LONG
    + "\nA thing - or two — or three.\n\n"
    + "Additionally, it works. Moreover, it works.\n\n"
    + "It doesn't work.\n"
)


def advice(folder: str, text: str = "Some text.\n", extension: str = ".md", path: str = "/srv/a.md") -> str:
    return advise.advise(text, extension, path, (folder,))


def rules(message: str) -> list[str]:
    """The rule of each finding in a message, in order."""
    return [line.split(":")[0].split()[-1] for line in message.splitlines()[1:] if "RULE-" in line]


@pytest.mark.parametrize("version", ["0.5.0", "0.6.0", "0.7.0", "0.8.0", "0.9.0"])
def test_real_releases(release: Release, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advise, "PRINTED", 100)
    message = advice(release(version), BASELINE)
    assert list(dict.fromkeys(rules(message))) == ["RULE-05", "RULE-06", "RULE-12", "RULE-B", "RULE-D", "RULE-I"]
    assert "line 1, RULE-05" in message
    assert "line 5, RULE-12" in message
    assert "line 11, RULE-I" in message


def test_real_clean_text_and_code(release: Release) -> None:
    folder = release("0.9.0")
    assert advice(folder, "The guard asks before a push.\n") == ""
    assert advice(folder, "```\nIt doesn't work.\n```\n`it doesn't`\n") == ""
    assert advice(folder, "\\verb|it doesn't|\n", ".tex", "/srv/a.tex") == ""


TABLE = "\\begin{tabular}{ll}\na & " + "some words of a long cell " * 4 + "\\\\\n\\end{tabular}\n"


@pytest.mark.parametrize(("version", "found"), [("0.6.0", []), ("0.7.0", ["RULE-A"]), ("0.9.0", ["RULE-A"])])
def test_real_rules_that_need_the_path(release: Release, version: str, found: list[str]) -> None:
    folder = release(version)
    assert rules(advice(folder, TABLE, ".tex", "/srv/main.tex")) == found
    assert rules(advice(folder, TABLE, ".tex", "/srv/appendix.tex")) == []


@pytest.mark.parametrize(("version", "found"), [("0.7.0", True), ("0.8.0", False), ("0.9.0", False)])
def test_real_sentences_of_thirty_words_and_more(release: Release, version: str, found: bool) -> None:
    text = "word " * 40 + "end.\n"
    assert (rules(advice(release(version), text)) == ["RULE-12"]) is found


def test_real_abstract_of_figures(release: Release) -> None:
    text = "The gain is 12.5% (95% CI 3.1 to 4.2), 13.7% and 19.2% on it.\n" * 4
    assert "RULE-03" in rules(advice(release("0.6.0"), text, ".md", "/srv/abstract.md"))
    assert "RULE-03" not in rules(advice(release("0.5.0"), text, ".md", "/srv/abstract.md"))


SETS = [
    (version, names)
    for versions, names in [
        (["", "None", "''", "'x'", "'0.5.9'", "['0.9']"], "_rule_05 _rule_06 _rule_12 _rule_b _rule_d _rule_i"),
        (["'0.6.0'"], "_rule_03 _rule_05 _rule_06 _rule_12 _rule_b _rule_d _rule_i"),
        (["'0.7.3'"], "_rule_03 _rule_a _rule_05 _rule_06 _rule_12 _rule_b _rule_d _rule_i"),
        (
            ["'0.8'", "'0.8.0rc1'", "'0.10.0'", "'1.0'"],
            "_rule_03 _rule_a _rule_08_repeats _rule_05 _rule_06 _rule_12_profile _rule_b _rule_d _rule_i",
        ),
    ]
    for version in versions
]
ECHO = """
def echo(name):
    def detector(text, **options):
        return [Finding(f"{name} {sorted(options.items())}")]
    return detector
""" + "".join(f"{name} = echo({name!r})\n" for name in NAMES)


@pytest.mark.parametrize(("version", "names"), SETS)
def test_the_set_its_order_and_who_gets_the_path(
    version: str, names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advise, "PRINTED", 100)
    message = advice(made_up(tmp_path / "pk", version, ECHO))
    said = [line.partition(": ")[2] for line in message.splitlines()[1:]]
    path = "[('file_path', '/srv/a.md')]"
    with_path = {"_rule_03", "_rule_a", "_rule_08_repeats", "_rule_12_profile"}
    assert said == [f"{name} {path if name in with_path else '[]'}" for name in names.split()]


@pytest.mark.parametrize(("version", "names"), SETS)
def test_one_name_missing_ends_the_advisory(version: str, names: str, tmp_path: Path) -> None:
    for name in NAMES:
        folder = made_up(tmp_path / name, version, ECHO + f"del {name}\n")
        assert (advice(folder) == "") is (name in names.split()), name


LOUD = "def _rule_12(text): return [Finding('found', 3)]\n"
HEAD = "Style, /srv/a.md: 1 departure from typical human prose. One that reads well can stay; this hook did not block "
SAID = HEAD + "the write.\n- line 3, RULE-12: found"


@pytest.mark.parametrize(
    "body",
    [
        "def _rule_i(text): raise RuntimeError('x')",
        "def _rule_i(text): raise SystemExit(3)",
        "def _rule_i(text): raise KeyboardInterrupt",
        "def _rule_i(text): import os; os._exit(0)",
        "def _rule_i(text): import os; os.kill(os.getpid(), 9)",
        "def _rule_i(text): return None",
        "def _rule_i(text): yield Finding('x'); raise RuntimeError('late')",
        "def _rule_i(): return []",
        "_rule_i = 3",
        "class Bad:\n    @property\n    def detail(self): raise ValueError\ndef _rule_i(text): return [Bad()]",
        "raise SystemError('x')",
        "import sys; sys.exit(1)",
        "import no_such_module_of_anyone",
        "syntax error",
    ],
)
def test_a_broken_package_is_silent(body: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert advice(made_up(tmp_path / "good", "", LOUD)) == SAID
    assert advice(made_up(tmp_path / "bad", "", LOUD + body)) == ""
    assert capfd.readouterr() == ("", "")


NOISE = """
import atexit, os, sys, threading, time
print("at import")
sys.__stdout__.write("at import, in the buffer")
os.write(1, b"at import")
atexit.register(lambda: os.write(1, b"at exit"))
def _rule_d(text):
    print("in a detector")
    os.write(1, b"in a detector")
    os.write(2, b"in a detector")
    sys.stdout.close()
    os.chdir("/")
    threading.Thread(target=lambda: [os.write(1, b"thread") for _ in iter(int, 1)]).start()
    return []
"""
WIRED = """
import sys
sys.path.insert(0, sys.argv[1])
from guardhook.style import advise
path = sys.path[:]
message = advise.advise("Some text.", ".md", "/srv/a.md", sys.argv[2:])
assert sys.path == path and "agent_style" not in sys.modules
sys.stdout.buffer.write(message.encode())
"""


def wired(*folders: str, flags: tuple[str, ...] = ("-I", "-S"), **environment: str) -> str:
    command = [sys.executable, *flags, "-c", WIRED, str(SOURCES), *folders]
    env = {"PATH": os.defpath, **environment}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env, timeout=20)
    assert done.stderr == ""
    return done.stdout


def test_noise_does_not_reach_the_answer(tmp_path: Path) -> None:
    assert wired(made_up(tmp_path / "pk", "'0.5'", LOUD + NOISE)) == SAID


def test_the_recorded_folder_and_the_ambient_path(tmp_path: Path) -> None:
    folder = made_up(tmp_path / "pk", "", LOUD)
    assert wired(folder) == SAID
    assert wired() == ""
    assert wired(PYTHONPATH=folder) == ""
    assert wired(flags=(), PYTHONPATH=folder) == SAID
    assert wired(str(tmp_path / "absent")) == ""
    (tmp_path / "pk" / "select.py").write_text("raise RuntimeError('shadowed')")
    (tmp_path / "pk" / "string.py").write_text("raise RuntimeError('shadowed')")
    other = made_up(tmp_path / "other", "", LOUD + "import string\n")
    assert wired(other, folder) == SAID, "the folders come last on the path"


def test_five_findings_and_the_count_of_the_rest(tmp_path: Path) -> None:
    body = "def _rule_05(text): return [Finding(f'number {n}', n) for n in range(1, int(text) + 1)]"
    folder = made_up(tmp_path / "pk", "", body)
    five = advice(folder, "5").splitlines()
    assert [line.partition(":")[0] for line in five[1:]] == [f"- line {n}, RULE-05" for n in range(1, 6)]
    assert "5 departures" in five[0]
    six = advice(folder, "6").splitlines()
    assert (six[1:6], six[6:]) == (five[1:], ["- and 1 more"])
    assert advice(folder, "0") == ""


def test_a_finding_that_cannot_be_printed_as_it_is(tmp_path: Path) -> None:
    body = "def _rule_05(text):\n    odd = 'a\\n- b\\x1b[2K\\udcff' + 'x' * 9999\n"
    body += "    return [Finding(odd, True), Finding(None, '7'), object()]"
    lines = advice(made_up(tmp_path / "pk", "", body)).splitlines()
    assert len(lines) == 4
    assert lines[1].startswith("- RULE-05: a - b\\u{1b}[2K\\u{dcff}xxx")
    assert len(lines[1]) < 500
    assert lines[2:] == ["- RULE-05: None", "- RULE-05: "]


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    body = "def _rule_05(text):\n    lines = text.splitlines()\n"
    body += "    return [Finding(line, n) for n, line in enumerate(lines, 1) if 'HERE' in line]"
    folder = made_up(tmp_path / "pk", "", body)
    for text in ("a\r\n\r\nHERE\r\n", "a\x0cb\u2028c\n\rd\x85\nHERE", "```\nHERE\n```\n".replace("HERE", "x") + "HERE"):
        line = text.replace("\r\n", "\n").partition("HERE")[0].count("\n") + 1
        assert f"line {line}, RULE-05: HERE" in advice(folder, text)


def test_edits_are_read_one_by_one(tmp_path: Path) -> None:
    body = "def _rule_05(text): return [Finding('five', text.count('\\n'))] if 'five' in text else []\n"
    body += "def _rule_i(text): return [Finding('contraction', 1)]"
    folder = made_up(tmp_path / "pk", "", body)
    message = advise.advise_edits(("one", "\nfive"), ".md", "/srv/a.md", [folder])
    assert message.splitlines()[1:] == [
        "- edit 2, line 1, RULE-05: five",
        "- edit 1, line 1, RULE-I: contraction",
        "- edit 2, line 1, RULE-I: contraction",
    ]
    assert "3 departures" in message


def test_bounds(tmp_path: Path) -> None:
    folder = made_up(tmp_path / "pk", "", LOUD)
    assert advice(folder, "a" * advise.LIMIT) == SAID
    assert advice(folder, "a" * (advise.LIMIT + 1)) == ""
    assert advice(folder, "é" * (advise.LIMIT // 2 + 1)) == ""
    assert advice(folder, "") == ""
    assert advice(folder, "\ud800") == SAID
    assert advise.advise_edits(("a" * advise.LIMIT, "b"), ".md", "/srv/a.md", [folder]) == ""


def test_nothing_raises(tmp_path: Path) -> None:
    folder = made_up(tmp_path / "pk", "", LOUD)
    assert advise.advise(None, ".md", "/srv/a.md", (folder,)) == ""  # type: ignore[arg-type]
    assert advise.advise("a", ".md", "/srv/a.md", (None,)) == ""  # type: ignore[arg-type]


def test_a_detector_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advise, "SILENCE", 0.3)
    assert advice(made_up(tmp_path / "pk", "", LOUD + "def _rule_i(text):\n    while True: pass")) == ""


@pytest.mark.usefixtures("without_fork")
def test_without_fork(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    body = LOUD + "import os\nprint('import')\ndef _rule_d(text): print('x'); os.write(1, b'y'); return []"
    folder = made_up(tmp_path / "pk", "", body)
    assert advice(folder) == SAID
    assert advice(folder, "a\n" * (advise.LINES_WITHOUT_FORK + 1)) == ""
    assert folder not in sys.path
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("without_fork")
@pytest.mark.parametrize("body", ["def _rule_i(text): raise SystemExit", "import sys; sys.exit()", "del _rule_i"])
def test_a_broken_package_without_fork(body: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert advice(made_up(tmp_path / "pk", "", LOUD + body)) == ""
    assert capfd.readouterr() == ("", "")


def test_importing_it_costs_little() -> None:
    script = "import sys; before = set(sys.modules); sys.path.insert(0, sys.argv[1]); import guardhook.style.advise; "
    script += "print(*sorted(set(sys.modules) - before))"
    command = [sys.executable, "-I", "-S", "-c", script, str(SOURCES)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    style = {"guardhook.style" + name for name in ("", ".advise", ".isolation", ".releases")}
    assert set(done.stdout.split()) == {"guardhook", "guardhook.verdict", *style}
