"""Git aliases that a command line defines for itself (SPEC C6): `git -c alias.p='push -f' p` runs the alias."""

from guardhook.gates import FIRST_WORDS, INIT_WORDS
from guardhook.shell.options import Grammar, Walk, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.shell.payloads import Payload


def fill(arguments: list[str], grammar: Grammar, payload: "Payload") -> None:
    """Put into `payload` what `git -c alias.NAME=VALUE NAME …` runs; nothing if the command uses no such alias.

    grammar: git's options in front of the subcommand.
    """
    if "-c" not in arguments:
        return
    seen = walk(arguments, grammar, 1)
    # Git never lets an alias hide one of its own commands: an alias with the name of one is dead text. Only those that
    # a gate speaks of matter here.
    if seen.stop >= len(arguments) or arguments[seen.stop] in FIRST_WORDS["git"] | INIT_WORDS:
        return
    value, index = _definition(seen, arguments[seen.stop])
    rest = arguments[seen.stop + 1 :]
    if value.startswith("!"):
        payload.texts = [" ".join([value[1:], *rest])]
    elif value:
        from guardhook.shell.bash import lexer

        words = [word.text for command in lexer.read(value).commands[:1] for word in command.words]
        options = [*arguments[1:index], *arguments[index + 2 : seen.stop]]
        payload.commands = [["git", *options, *words, *rest]]


def _definition(seen: Walk, name: str) -> tuple[str, int]:
    """The alias's value and the position of the `-c` that defines it; the last definition counts, as in git."""
    found = ("", 0)
    for option in seen.options:
        key, _, value = (option.value or "").partition("=")
        if option.name == "-c" and key.lower() == "alias." + name.lower():
            found = (value, option.index)
    return found
