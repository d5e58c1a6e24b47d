"""`guardhook`: the table of verbs. A verb is one row here and one module with a click command named `command`."""

import importlib

import click

import guardhook

# Imported when a verb is called for, so that one that is broken does not take the others with it.
VERBS = {
    "install": "guardhook.cli.install",
    "uninstall": "guardhook.cli.uninstall",
    "status": "guardhook.cli.status",
    "doctor": "guardhook.cli.doctor",
    "init": "guardhook.cli.init",
    "explain": "guardhook.cli.explain",
    "audit": "guardhook.cli.audit",
}


class Verbs(click.Group):
    """A click group over VERBS."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(VERBS[cmd_name]).command
        return command


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(guardhook.__version__, prog_name="guardhook")
def commands() -> None:
    """Guard a coding agent's tool calls: ask before what cannot be taken back, deny what has a better form."""


def main() -> None:
    """Run the command line of this process."""
    commands(prog_name="guardhook")
