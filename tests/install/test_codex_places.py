"""Where Codex keeps its files, and what an installation remembers of them."""

import os
from pathlib import Path

import pytest

from guardhook.install import codex_places
from guardhook.install.codex_places import CodexHome
from guardhook.install.places import Places


def test_the_home_is_spelled_as_codex_spells_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "real").mkdir()
    (home / "linked").symlink_to(home / "real")
    (home / ".codex").symlink_to(home / "real")
    monkeypatch.setenv("CODEX_HOME", str(home / "linked"))
    named = codex_places.from_environment()
    assert (named.hooks, named.config, named.named) == (
        f"{home}/real/hooks.json",
        f"{home}/real/config.toml",
        True,
    )
    monkeypatch.setenv("CODEX_HOME", "")
    plain = codex_places.from_environment()
    assert (plain.hooks, plain.named) == (f"{home}/.codex/hooks.json", False)


def test_files_that_cannot_be_read_are_flaws(home: Path, where: Places) -> None:
    codex = home / ".codex"
    assert not codex_places.find(CodexHome(str(codex)), where).exists
    codex.mkdir()
    (codex / "config.toml").write_bytes(b"a = 1\n")
    os.mkfifo(codex / "hooks.json")
    found = codex_places.find(CodexHome(str(codex)), where)
    assert (found.exists, found.hooks, found.config, found.record) == (True, None, b"a = 1\n", None)
    assert "not a regular file" in found.flaw
    assert found.broken == ""


def test_the_record() -> None:
    made = {"/h/hooks.json": ("file", "hooks"), "/a/hooks.json": ()}
    assert codex_places.decode_record(codex_places.encode_record(made)) == made
    assert codex_places.encode_record({}) is None
    for data in (None, b"", b"[]", b"{", b'{"a": 5}', b"\xff"):
        assert codex_places.decode_record(data) == {}
    assert codex_places.decode_record(b'{"a": ["all", "hooks"]}') == {"a": ("hooks",)}
