"""The wired Python is a base interpreter that was seen to answer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from guardhook.install import InstallError, interpreter

REAL = os.path.realpath(interpreter.ask(sys.executable).base)


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def test_an_environment_is_never_wired(home: Path, tmp_path: Path) -> None:
    subprocess.run([REAL, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    found = interpreter.find(str(tmp_path / "venv/bin/python"))
    assert found.path == REAL
    assert found.version == sys.version_info[:3]
    assert found.pack == f"{sys.implementation.cache_tag}-{sys.hexversion:x}.pack"
    assert interpreter.find().path == REAL


def test_a_shim_is_followed_to_the_interpreter_it_starts(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "shims/python3", f'#!/bin/sh\nexec {REAL} "$@"\n')
    monkeypatch.setenv("PATH", f"{tmp_path}/shims:/usr/bin:/bin")
    assert interpreter.find("python3").path == REAL


def test_a_script_that_claims_to_be_the_base_is_refused(home: Path, tmp_path: Path) -> None:
    fields = '{"version": [3, 12, 0], "hexversion": 1, "tag": "x", "base": "%s"}'
    liar = tmp_path / "python3"
    script(liar, f"#!/bin/sh\necho '{fields % liar}'\n")
    with pytest.raises(InstallError, match="is a script"):
        interpreter.find(str(liar))


def test_an_old_python_is_refused_with_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "MINIMUM", (99, 0))
    with pytest.raises(InstallError, match=rf"is Python 3\.{sys.version_info[1]}\.\d+; guardhook needs"):
        interpreter.find(REAL)


def test_what_is_no_python_is_refused(home: Path, tmp_path: Path) -> None:
    for path in ("/bin/true", str(script(tmp_path / "x", "#!/bin/sh\necho '[]'\n"))):
        with pytest.raises(InstallError, match="does not answer as a Python"):
            interpreter.find(path)
    with pytest.raises(InstallError, match="not a program"):
        interpreter.find(str(tmp_path / "absent"))


def test_homebrew_is_wired_by_the_path_that_survives_an_upgrade(home: Path, tmp_path: Path) -> None:
    cellar = tmp_path / "Cellar/python@3.12/3.12.4/bin"
    name = os.path.basename(REAL)
    fields = f'{{"version": [3, 12, 4], "hexversion": 1, "tag": "x", "base": "{cellar}/{name}"}}'
    script(cellar / name, f"#!/bin/sh\necho '{fields}'\n")
    opt = tmp_path / "opt/python@3.12"
    opt.parent.mkdir()
    opt.symlink_to("../Cellar/python@3.12/3.12.4")
    with pytest.raises(InstallError) as raised:  # a script here, but named by its lasting path
        interpreter.find(str(cellar / name))
    assert str(raised.value).startswith(f"{opt}/bin/{name} is a script")
