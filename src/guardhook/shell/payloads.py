"""What a wrapper carries: its row read against an argument list (SPEC C3, C4). The recursion is in `opening`."""

from guardhook.call import BASH
from guardhook.shell.commands import UNKNOWN
from guardhook.shell.options import Walk, walk
from guardhook.shell.wrappers import ROOMS
from guardhook.shell.wrappers.rows import ALIAS, EXEC, JOINED, TEXT, Wrapper
from guardhook.verdict import shown

_STANDARD_INPUT = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


class Payload:
    """commands: argument lists that are run. texts: shell lines that are run. reads: it runs its standard input.

    environment: `NAME=value` operands that the payload sees. sealed: the payload as it is encoded, or None.
    All empty: the wrapper runs nothing that can be seen.
    """

    __slots__ = ("commands", "environment", "reads", "sealed", "texts")

    def __init__(self) -> None:
        self.commands: list[list[str]] = []
        self.texts: list[str] = []
        self.environment: list[str] = []
        self.reads = False
        self.sealed: str | None = None


def find(name: str, arguments: list[str], language: str = BASH) -> tuple[Wrapper | None, int]:
    """The wrapper row for an argument list whose program is `name`, and where its own options begin; or (None, 0).

    language: that of the text in which the name stands.
    """
    room = ROOMS.get(name)
    if room is None:
        return None, 0
    rows: tuple[Wrapper, ...] = __import__("guardhook.shell.wrappers." + room, None, None, ["ROWS"]).ROWS
    for row in rows:
        if name in row.names and row.only in ("", language):
            start = _behind_path(row, arguments)
            if start:
                return row, start
    return None, 0


def _behind_path(row: Wrapper, arguments: list[str]) -> int:
    """The position behind the row's subcommands, 0 if the arguments go another way."""
    index = 1
    for word in row.path:
        if row.outer is not None:
            index = walk(arguments, row.outer, index).stop
        if arguments[index : index + 1] != [word]:
            return 0
        index += 1
    return index


def payload(row: Wrapper, arguments: list[str], start: int) -> Payload:
    """What `row` runs; start: where its options begin, as `find` gave it."""
    found = Payload()
    if row.payload == ALIAS:
        from guardhook.shell import aliases

        aliases.fill(arguments, row.grammar, found)
        return found
    seen = walk(arguments, row.grammar, start)
    if any(seen.has(option) and not seen.has("+" + option[1:]) for option in row.idle):
        return found
    if row.script and seen.has(row.script):
        found.reads = seen.value(row.script) == "-"
        return found
    if row.payload == EXEC:
        found.commands = _between(row, arguments, start)
        return found
    rest = arguments[_behind_operands(row, seen, found) :]
    _fill(row, seen, rest, found)
    return found


def _behind_operands(row: Wrapper, seen: Walk, found: Payload) -> int:
    """Step over the operands in front of the payload; options between them join `seen`."""
    arguments = seen.arguments
    if row.dashes and "--" in arguments:
        return arguments.index("--") + 1
    index = seen.stop
    for _ in range(0 if seen.has(*row.instead) else row.skip):
        index = _more_options(row, seen, index + 1)
    while row.assignments and index < len(arguments) and ("=" in arguments[index] or arguments[index] == "-"):
        found.environment.append(arguments[index])
        index = _more_options(row, seen, index + 1)
    return index


def _more_options(row: Wrapper, seen: Walk, index: int) -> int:
    """The position behind the options at `index`, where the program takes options behind an operand."""
    if not row.again or index >= len(seen.arguments):
        return index
    more = walk(seen.arguments, row.grammar, index)
    seen.options += more.options
    return more.stop


def _fill(row: Wrapper, seen: Walk, rest: list[str], found: Payload) -> None:
    lines = [option.value for option in seen.options if option.name in row.values and option.value]
    if seen.has(*row.sealed):
        found.sealed = seen.value(*row.sealed) or ""
    elif row.module:
        found.commands = _module(row, seen)
    elif seen.has(*row.split):
        found.commands = _split(row, seen)
    elif lines:
        found.texts = lines
    elif row.payload == TEXT and seen.has(*row.flags):
        found.texts = rest[:1]
    elif row.payload == TEXT:
        found.reads = row.stdin and (not rest or seen.has("-s") or rest[0] in _STANDARD_INPUT)
    elif row.payload == JOINED and seen.has(*row.direct):
        found.commands = [rest] if rest else []
    elif row.payload == JOINED:
        announced = not row.flags or seen.has(*row.flags)
        found.reads = row.stdin and ((not rest and not (row.flags and announced)) or rest == ["-"])
        line = _line(row, seen, rest)
        found.texts = [line] if line and announced and not found.reads else []
    else:
        found.commands = _command(row, seen, rest)
        found.reads = row.stdin and not rest and seen.has(*row.flags)


def sealed(name: str, text: str) -> tuple[str, str]:
    """The code and the reason for an ask about an encoded payload, with what it says where that can be shown."""
    try:
        from binascii import a2b_base64

        plain = a2b_base64(text, strict_mode=True).decode("utf-16-le")
    except (ImportError, ValueError):
        plain = ""
    if UNKNOWN in text:
        return "shell.encoded", f"{name} is given an encoded command, whose text only the running shell knows."
    says = f"decoded, it reads `{shown(plain, 300)}`" if plain.strip() else "it cannot be decoded"
    return "shell.encoded", f"{name} is given an encoded command, which guardhook does not judge; {says}."


def _line(row: Wrapper, seen: Walk, rest: list[str]) -> str:
    """The words of a payload as one line."""
    if not row.requoted:
        return " ".join(rest)
    words = [f'"{word}"' if len(rest) > 1 and " " in word else word for word in rest]
    attached = seen.value(*row.flags)  # `/cgit push`
    return " ".join([attached, *words] if attached else words)


def _command(row: Wrapper, seen: Walk, rest: list[str]) -> list[list[str]]:
    """The argument list of a payload that is one: behind an entry point, or without the version of a package."""
    entry = seen.value(*row.entry)
    if entry:
        return [[entry, *rest]]
    if row.titled and len(rest) > 1:
        return [rest[1:], rest]
    if rest and row.versioned:
        name = rest[0].partition("==")[0]
        return [[name[:1] + name[1:].partition("@")[0], *rest[1:]]]
    return [rest] if rest else []


def _module(row: Wrapper, seen: Walk) -> list[list[str]]:
    """`-m MODULE ARGUMENT…`: everything behind the module is its own."""
    for option in seen.options:
        if option.name == row.module and option.value:
            return [[option.value, *seen.arguments[option.end :]]]
    return []


def _split(row: Wrapper, seen: Walk) -> list[list[str]]:
    """`env -S STRING ARGUMENT…`: the string's words stand in the option's place, further options among them."""
    for option in seen.options:
        if option.name in row.split and option.value is not None:
            before = seen.arguments[: option.index]
            return [[*before, *_words(option.value), *seen.arguments[option.end :]]]
    return []


def _words(text: str) -> list[str]:
    """The words of `env -S`: quotes and backslashes work as in a shell, operators and line ends do not.

    `\\_` is a blank and `\\c` ends the string. Operators are read as letters that no text has, and put back.
    """
    from guardhook.shell.bash import lexer

    hidden = {ord(c): 0xF0000 + ord(c) for c in ";&|<>()`"}
    blanks = dict.fromkeys(map(ord, "\n\r\v\f"), " ")
    text = text.replace("\\_", " ").partition("\\c")[0].translate(blanks).translate(hidden)
    words = lexer.read("env " + text).commands[0].words[1:]
    return [word.text.translate({letter: c for c, letter in hidden.items()}) for word in words]


def _between(row: Wrapper, arguments: list[str], start: int) -> list[list[str]]:
    """The commands of `find … -exec COMMAND ;`, each up to its `;` or to `{} +`."""
    commands = []
    index = start
    while index < len(arguments):
        index += 1
        if arguments[index - 1] in row.grammar.values:
            index += 1
        elif arguments[index - 1] in row.flags:
            end = index
            while end < len(arguments) and arguments[end] != ";" and arguments[end - 1 : end + 1] != ["{}", "+"]:
                end += 1
            if end > index:
                commands.append(arguments[index:end])
            index = end
    return commands
