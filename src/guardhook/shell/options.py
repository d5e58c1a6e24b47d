"""The option walk: which arguments of a program are options, option values and operands. There is only this one.

A program's rules are a Grammar, plain data; every wrapper row and every risk row is read with one. The walk follows
getopt_long and its kin: clusters (`-rf`), attached values (`-p22`, `--opt=value`), separate values, `--`, and, where
the program allows them, unambiguous prefixes of long options.
"""


class Grammar:
    """The options of one program or subcommand.

    values: options that take a value: `-C` and `--git-dir` take the next argument unless it is attached. A name with
    one dash and several letters (`-exec`) is a whole word, never a cluster.
    attached: short options whose value, if any, is attached (`-i[SUFFIX]`, `-u[MODE]`): they end a cluster.
    names: every long option, for a program that accepts unambiguous prefixes; () for one that does not.
    permutes: options may follow operands (GNU's habit). False: the first operand ends the options.
    plus: `+x` is an option too (shells).
    dash: a lone `-` ends the options as `--` does (shells).
    separate: a short option's value is never attached: in `-oc NAME TEXT` the letters go on behind `o` (Bash, dash).
    words: options with one dash and several letters, whole words without a value (`-norc`).
    last: options behind which everything is an operand, whatever it looks like.
    parameters: the options are not getopt's but those of a Grammar of another kind (`parameters.Parameters`).
    """

    __slots__ = ("attached", "dash", "last", "names", "parameters", "permutes", "plus", "separate", "values", "words")

    def __init__(
        self,
        values: str = "",
        attached: str = "",
        names: str = "",
        *,
        words: str = "",
        permutes: bool = False,
        plus: bool = False,
        dash: bool = False,
        separate: bool = False,
    ) -> None:
        """values, attached, names, words: option names with their dashes, separated by blanks."""
        self.values = frozenset(values.split())
        self.attached = frozenset(attached.split())
        self.names = tuple(names.split())
        self.permutes = permutes
        self.plus = plus
        self.dash = dash
        self.separate = separate
        self.parameters = False
        self.last: frozenset[str] = frozenset()
        self.words = frozenset(words.split()).union(name for name in self.values if name[1:2] != "-" and len(name) > 2)

    def option(self, seen: "Walk", argument: str, index: int) -> int:
        """Of another kind of grammar: read the option at `index`, as `Parameters.option` does."""
        raise NotImplementedError


class Option:
    """name: as the grammar spells it, a prefix resolved. value: its value or None.

    index: its argument's position. end: the position behind it and, where that is an argument of its own, its value.
    """

    __slots__ = ("end", "index", "name", "value")

    def __init__(self, name: str, value: str | None, index: int, end: int) -> None:
        self.name = name
        self.value = value
        self.index = index
        self.end = end


class Walk:
    """options: in order. operands: positions of the operands. dashes: position of `--`, or -1.

    stop: position of the first argument that was not looked at (the first operand where options end there).
    """

    __slots__ = ("arguments", "dashes", "operands", "options", "stop")

    def __init__(self, arguments: list[str]) -> None:
        self.arguments = arguments
        self.options: list[Option] = []
        self.operands: list[int] = []
        self.dashes = -1
        self.stop = len(arguments)

    def has(self, *names: str) -> bool:
        """True if one of these options was given."""
        return any(option.name in names for option in self.options)

    def value(self, *names: str) -> str | None:
        """The value that the last of these options got, or None."""
        values = [option.value for option in self.options if option.name in names]
        return values[-1] if values else None


def walk(arguments: list[str], grammar: Grammar, start: int = 0) -> Walk:
    """Read the arguments from position `start` on. Values that are missing at the end count as None."""
    seen = Walk(arguments)
    index = start
    while index < len(arguments):
        argument = arguments[index]
        if argument == "--" or (argument == "-" and grammar.dash):
            seen.dashes = index
            index += 1
            break
        if grammar.parameters:
            following = grammar.option(seen, argument, index)
        elif len(argument) < 2 or argument[0] not in ("-+" if grammar.plus else "-"):
            following = index
        elif argument[1] == "-":
            following = _long(seen, argument, index, grammar)
        else:
            following = _short(seen, argument, index, grammar)
        if following > index:
            index = following
            if grammar.last and seen.options[-1].name in grammar.last:
                break
        elif grammar.permutes:
            seen.operands.append(index)
            index += 1
        else:
            break
    seen.stop = min(index, len(arguments))
    if grammar.permutes:
        seen.operands.extend(range(seen.stop, len(arguments)))
        seen.stop = len(arguments)
    return seen


def _long(seen: Walk, argument: str, index: int, grammar: Grammar) -> int:
    name, equals, value = argument.partition("=")
    name = resolve(name, grammar.names)
    if equals or name not in grammar.values:
        seen.options.append(Option(name, value if equals else None, index, index + 1))
        return index + 1
    return _take(seen, name, index, index + 1)


def _short(seen: Walk, argument: str, index: int, grammar: Grammar) -> int:
    word, equals, value = argument.partition("=")
    if word in grammar.words:
        if word in grammar.values and not equals:
            return _take(seen, word, index, index + 1)
        seen.options.append(Option(word, value if equals else None, index, index + 1))
        return index + 1
    following = index + 1
    for position in range(1, len(argument)):
        name = argument[0] + argument[position]
        rest = argument[position + 1 :]
        if name in grammar.values and (grammar.separate or not rest):
            following = _take(seen, name, index, following)
        elif name in grammar.values or name in grammar.attached:
            seen.options.append(Option(name, rest, index, index + 1))
            break
        else:
            seen.options.append(Option(name, None, index, index + 1))
    return following


def _take(seen: Walk, name: str, index: int, following: int) -> int:
    """Give the option at `index` the argument at `following` as its value, if there is one."""
    value = seen.arguments[following] if following < len(seen.arguments) else None
    seen.options.append(Option(name, value, index, following + 1))
    return following + 1


def resolve(name: str, names: tuple[str, ...]) -> str:
    """The long option that `name` is an unambiguous prefix of; `name` itself if it is exact, unknown or ambiguous."""
    if name in names:
        return name
    found = [full for full in names if full.startswith(name)]
    return found[0] if len(found) == 1 else name
