"""A thousand files of each agent: installing twice is installing once, and uninstalling gives the same bytes (issue 7).

Where entries of ours stood before, installing and uninstalling gives what uninstalling alone would have given.
"""

from collections import Counter

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from guardhook.install import claude, codex, codex_form, codex_hooks, jsontext, settings_form
from guardhook.install.codex_handler import Handler
from guardhook.install.jsontext import Document
from tests.install import simulation, test_codex
from tests.install.settings_files import Pairs, Spelled, files, roots
from tests.install.simulation import PYTHON, WHERE
from tests.install.test_codex import HOME, hooks_values

LEAST = 1000
MANY = settings(
    max_examples=1500,  # of which some hundred are the same file again
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


def older(script: str, arguments: str = "") -> st.SearchStrategy[Pairs]:
    """Handlers that earlier versions, or the user, may have made of ours."""
    fields: list[list[tuple[str, object]]] = [
        [("command", f"{PYTHON} -I -S {script}{arguments}"), ("timeout", Spelled("10")), ("onFailure", "block")],
        [("command", f"/old/python3 -I -S {script}{arguments}")],
        [("timeout", Spelled("600")), ("command", f"'/a b/python3' -IS '{script}'{arguments}"), ("async", True)],
        [("command", "/usr/bin/python3"), ("args", ["-I", "-S", script])],
        [("command", "nothing"), ("command", f"/old/python3 -I {script}{arguments}"), ("statusMessage", "é")],
    ]
    if arguments:
        del fields[3:]
    return st.sampled_from(fields).map(lambda members: Pairs([("type", "command"), *members]))


OURS = {claude.GUARD: older(WHERE.guard), claude.START: older(WHERE.session), claude.CONFIG: older(WHERE.guard)}
CODEX_OURS = older(WHERE.guard, " --agent codex")


def kinds(data: bytes) -> set[str]:
    """Which peculiarities a file has."""
    text = data.decode("utf-8-sig")
    document = Document(text)
    found = {
        "BOM": data.startswith(jsontext.BOM),
        "CRLF": "\r\n" in text,
        "tabs": "\t" in text,
        "no final newline": not text.endswith(("\n", "\r")),
        "one line": "\n" not in text and "\r" not in text,
        "deep": "[" * 40 in text,
        "Unicode": not text.isascii(),
        "escapes": "\\u" in text,
        "long numbers": "12345678901234567890123" in text or "1e400" in text,
    }
    pending = [document.root]
    while pending:
        node = pending.pop()
        names = [item.key for item in node.items if item.key is not None]
        found["duplicates"] = found.get("duplicates", False) or len(names) != len(set(names))
        pending += [item.node for item in node.items]
    return {name for name, is_so in found.items() if is_so}


def texts(data: bytes | None, event: str, codex_file: bool = False) -> list[str]:
    """The bytes, as text, of each entry of an event in which nothing of ours stands."""
    document = jsontext.read(data or b"{}")
    if codex_file:
        own = {found.group_index for found in codex_hooks.find(document, WHERE)}
    else:
        own = {found.group_index for found in claude.find(document, WHERE, event)}
    hooks = document.root.member("hooks")
    groups = hooks.member(event) if hooks else None
    items = enumerate(groups.items if groups else [])
    return [document.text[item.start : item.end] for index, item in items if index not in own]


def own_entries(data: bytes) -> tuple[int, bool]:
    """How many entries of ours there are, and is one beside others' handlers?"""
    document = jsontext.read(data)
    found = [own for event in claude.TIMEOUTS for own in claude.find(document, WHERE, event)]
    return len(found), not all(own.alone for own in found)


def test_a_thousand_settings_files() -> None:
    seen: dict[bytes, set[str]] = {}

    @MANY
    @given(files(roots()))
    def play(data: bytes) -> None:
        seen[data] = kinds(data)
        assert settings_form.flaws(jsontext.read(data)) == []
        one = simulation.install(simulation.snapshot(data))
        two = simulation.install(one)
        assert (two.settings, two.guard, two.session, two.record) == (one.settings, one.guard, one.session, one.record)
        for event in (*claude.TIMEOUTS, "PermissionRequest"):
            assert texts(one.settings, event) == texts(data, event)
        document = jsontext.read(one.settings or b"")
        assert settings_form.flaws(document) == []
        for event in claude.TIMEOUTS:
            (own,) = claude.find(document, WHERE, event)
            assert own.group_index == len(texts(data, event))
        left = simulation.uninstall(one)
        assert (left.settings, left.guard, left.session, left.record) == (data, None, None, None)

    play()
    assert len(seen) >= LEAST
    counts = Counter(kind for found in seen.values() for kind in found)
    assert len(counts) == 10 and min(counts.values()) >= 30, counts


def test_a_thousand_settings_files_with_entries_of_ours() -> None:
    seen: dict[bytes, tuple[int, bool]] = {}

    @MANY
    @given(files(roots(OURS)))
    def play(data: bytes) -> None:
        seen[data] = own_entries(data)
        one = simulation.install(simulation.snapshot(data))
        two = simulation.install(one)
        assert (two.settings, two.guard, two.session, two.record) == (one.settings, one.guard, one.session, one.record)
        for event in (*claude.TIMEOUTS, "PermissionRequest"):
            if not seen[data][1]:
                assert texts(one.settings, event) == texts(data, event)
        for event in claude.TIMEOUTS:
            (own,) = claude.find(jsontext.read(one.settings or b""), WHERE, event)
            (wanted,) = [made for made in claude.handlers(PYTHON, WHERE, True, True) if made.event == event]
            assert jsontext.same(jsontext.value(own.node), plain(wanted.value()))
        alone = simulation.uninstall(simulation.snapshot(data))
        assert simulation.uninstall(one).settings == alone.settings
        assert own_entries(alone.settings or b"{}") == (0, False)

    play()
    assert len(seen) >= LEAST
    assert all(count > 0 for count, _ in seen.values())
    assert sum(shared for _, shared in seen.values()) >= 100
    assert sum(count > 2 for count, _ in seen.values()) >= 30


def plain(value: dict[str, object]) -> object:
    return {name: jsontext.Number(field) if isinstance(field, int) else field for name, field in value.items()}


def test_a_thousand_hooks_files() -> None:
    seen: dict[bytes, set[str]] = {}
    ours: Counter[str] = Counter()

    @MANY
    @given(files(hooks_values()) | files(hooks_values(CODEX_OURS)))
    def play(data: bytes) -> None:
        data = data.removeprefix(jsontext.BOM)
        found = codex_hooks.find(jsontext.read(data), WHERE)
        if data not in seen:
            ours.update(
                ["own"] * bool(found) + ["mixed"] * (not all(own.alone for own in found)) + ["none"] * (not found)
            )
        seen[data] = kinds(data)
        start = test_codex.Found(data)
        one = test_codex.install(start)
        codex_form.read(one.hooks or b"")
        assert codex.install(one, HOME, WHERE, Handler(PYTHON, WHERE)).plan.edits == []
        for event in ("PreToolUse", "Stop", "SessionStart"):
            before, after = (texts(text, event, event == "PreToolUse") for text in (data, one.hooks))
            assert after == before
        left = test_codex.uninstall(one)
        assert left.record is None
        assert left.hooks == (test_codex.uninstall(start).hooks if found else data)

    play()
    assert len(seen) >= LEAST
    counts = Counter(kind for found in seen.values() for kind in found)
    assert len(counts) == 9 and min(counts.values()) >= 30, counts
    assert min(ours["own"], ours["mixed"], ours["none"]) >= 100, ours
