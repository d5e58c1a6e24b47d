"""How installing prints: plain words, each line exactly as given. Not by rich, which wraps lines and expands tabs."""

import difflib
import os
import shlex
import shutil
import sys

import click

from guardhook.install.plan import Edit

_COLOURS = (("+++", "white"), ("---", "white"), ("@@", "cyan"), ("+", "green"), ("-", "red"))


class Failure(click.ClickException):
    """Ends the command with exit status 1 and a message on standard error."""

    def show(self, file: object = None) -> None:
        click.echo(f"guardhook: {self.message}", err=True)


def own_command() -> str:
    """How this program can be called from the user's shell: its name if that is found, else its path."""
    return "guardhook" if shutil.which("guardhook") else shlex.quote(os.path.abspath(sys.argv[0]))


def heading(text: str) -> None:
    """A line that stands out."""
    click.secho(text, bold=True)


def line(text: str = "") -> None:
    """A plain line."""
    click.echo(text)


def row(label: str, text: str) -> None:
    """A labelled line; labels of up to 10 characters stand in one column with their texts."""
    click.echo("  " + click.style(f"{label:<10}", bold=True) + "  " + text)


def notes(texts: list[str]) -> None:
    """Remarks that a user should not miss."""
    for text in texts:
        click.secho(f"  note: {text}", fg="yellow")


def diff(edit: Edit) -> None:
    """A unified diff of one planned edit; a file that is made or removed is compared with /dev/null."""
    before, after = (edit.path if data is not None else os.devnull for data in (edit.old, edit.new))
    old, new = ((data or b"").decode("utf-8", "replace").splitlines() for data in (edit.old, edit.new))
    for text in difflib.unified_diff(old, new, before, after, lineterm=""):
        click.secho(text, fg=next((colour for start, colour in _COLOURS if text.startswith(start)), None))
