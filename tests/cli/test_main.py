"""The table of verbs."""

import subprocess
import sys

from click.testing import CliRunner

import guardhook
from guardhook.cli import main


def test_help_names_every_verb_with_its_first_line() -> None:
    result = CliRunner().invoke(main.commands, ["--help"])
    assert result.exit_code == 0
    for verb in main.VERBS:
        assert f"\n  {verb} " in result.output
        assert CliRunner().invoke(main.commands, [verb, "--help"]).exit_code == 0


def test_an_unknown_verb_is_an_error() -> None:
    result = CliRunner().invoke(main.commands, ["instal"])
    assert result.exit_code == 2
    assert "No such command 'instal'" in result.output


def test_verbs_are_imported_only_when_called_for() -> None:
    code = "import sys; from guardhook.cli import main; print([m for m in main.VERBS.values() if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout == "[]\n"


def test_the_module_is_the_same_command() -> None:
    run = subprocess.run([sys.executable, "-m", "guardhook", "--version"], capture_output=True, check=True, text=True)
    assert run.stdout == f"guardhook, version {guardhook.__version__}\n"
