"""What every shell reader gives: simple commands, their words, redirections and surroundings.

The readers fill these records in one pass and never judge; the option walk, the unwrapping and the gates read them and
never look at the text again. Plain classes with `__slots__`: a record is built for every word of every command.
"""

# Stands in a word's text for whatever only the running shell could know: a variable, a substitution, an arithmetic
# result. No real argument can hold it, so a test for "is this known?" is a test for one character.
UNKNOWN = "\0"

# Kinds of part.
LITERAL = 0
VARIABLE = 1
OPAQUE = 2

# Kinds of scope. The first four are processes of their own: what changes in them (variables, working directory) is
# gone when they end. The others share their parent's state; all but GROUP may run never, once or many times. The first
# condition of an `if` is a GROUP. A compound command in a pipeline or in the background lies inside such a scope; that
# scope takes the place of a plain group's own.
SUBSHELL = "("
SUBSTITUTION = "$("
PIPELINE = "|"
BACKGROUND = "&"
GROUP = "{"
BRANCH = "if"  # if, case
LOOP = "for"  # for, while, until, select
FUNCTION = "function"


class Part:
    """One stretch of a word.

    kind: LITERAL (`text` is the text after quote removal), VARIABLE (`text` is the parameter's name, as in `NAME`,
    `1`, `@`, or `NAME[@]`, `NAME[*]`, `NAME[2]`, and `NAME[?]` for any other element), or OPAQUE (a command, process or
    arithmetic substitution; `text` is its source).
    quoted: True inside quotes or behind a backslash: no splitting, no brace, tilde or path-name expansion.
    operator: for a VARIABLE, "" for `$x` and `${x}`, the operator of `${x:-w}` (`:-` `-` `:=` `=` `:+` `+` `:?`), or
    "?" for every other form (`${x#w}`, `${x/a/b}`, `${!x}`, `${#x}` ...), whose value is not modelled.
    operand: the word behind such an operator, else None.
    """

    __slots__ = ("kind", "operand", "operator", "quoted", "text")

    def __init__(self, kind: int, text: str, quoted: bool, operator: str = "", operand: "Word | None" = None) -> None:
        self.kind = kind
        self.text = text
        self.quoted = quoted
        self.operator = operator
        self.operand = operand


class Word:
    """One word as the shell's grammar sees it, before expansion.

    text: the value after quote removal, with UNKNOWN for every part that is not LITERAL.
    start, end: its span in the reading's text (characters, half open).
    parts: empty for a word without quotes, escapes or expansions, whose value is `text`; else all its parts in order.
    """

    __slots__ = ("end", "parts", "start", "text")

    def __init__(self, text: str, start: int, end: int, parts: tuple[Part, ...] = ()) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.parts = parts


class ArrayWord(Word):
    """A word that ends in an array literal, such as the argument of `declare a=(x y)`; the literal is an OPAQUE part.

    elements: the words of the literal.
    """

    __slots__ = ("elements",)

    def __init__(self, text: str, start: int, end: int, parts: tuple[Part, ...], elements: tuple[Word, ...]) -> None:
        super().__init__(text, start, end, parts)
        self.elements = elements


class Assignment:
    """`NAME=value` in front of a command or as an argument of `export`, `declare` and their kin.

    value: the word behind `=` (its text may be empty); None for an array (`a=(x y)`).
    elements: the words of an array literal `a=(x y)`, else None.
    subscript: what stands in the brackets of `a[1]=x`, else "".
    append: True for `+=`.
    """

    __slots__ = ("append", "elements", "name", "subscript", "value")

    def __init__(
        self,
        name: str,
        value: "Word | None",
        append: bool = False,
        elements: tuple[Word, ...] | None = None,
        subscript: str = "",
    ) -> None:
        self.subscript = subscript
        self.name = name
        self.value = value
        self.append = append
        self.elements = elements


class Redirection:
    """operator: one of `<` `>` `>>` `>|` `<>` `<&` `>&` `&>` `&>>` `<<` `<<-` `<<<`.

    descriptor: what stands before the operator (`2`, `{fd}`) or "".
    target: the word behind it (for a here-document, the delimiter).
    body: a here-document's text as a word: one quoted literal where the delimiter was quoted, else with the parts a
    double-quoted string has. None for every other operator.
    """

    __slots__ = ("body", "descriptor", "operator", "target")

    def __init__(self, operator: str, descriptor: str, target: Word, body: Word | None = None) -> None:
        self.operator = operator
        self.descriptor = descriptor
        self.target = target
        self.body = body


class Scope:
    """Where a command runs: the top level (kind "", parent None) or a compound command inside another scope."""

    __slots__ = ("kind", "parent")

    def __init__(self, kind: str, parent: "Scope | None") -> None:
        self.kind = kind
        self.parent = parent


class Compound:
    """A compound command, as far as its standard input and output matter to the commands in it and around it.

    commands: positions of the first simple command in it and of the one behind its last, in the reading's list.
    carrier: the command that holds its redirections, or None. within: the compound command around it.
    feeder: what writes its standard input through a pipe, as for a Command.
    """

    __slots__ = ("carrier", "commands", "feeder", "within")

    def __init__(self, within: "Compound | None", feeder: "Command | Compound | None") -> None:
        self.within = within
        self.feeder = feeder
        self.carrier: Command | None = None
        self.commands = (0, 0)


class Command:
    """One simple command, in the order of the text (a substitution's commands come before the command that holds it).

    words: command word and arguments, without assignments and redirections; empty for `A=1` or `> f` alone.
    start, end: span in the text, from the first token to the end of the last, redirections included.
    scope: where it runs. A pipeline's elements and a background command each have a scope of their own.
    before, after: the operator towards the neighbour in the same list: `&&` `||` `;` `&` `|` `|&` or a newline; ""
    where the list begins or ends. `;` before a line end is a newline; a newline after `&&`, `||` or `|` is part of that
    operator.
    feeder: the simple or compound command whose standard output this one reads through a pipe, or None.
    within: the innermost compound command around it, or None.
    carrier: True for what has no simple command of its own, and no words: the redirections of a compound command
    (`{ ...; } > f`, with the compound's scope and neighbours), and the variable of `for` and `select` (in the loop's
    scope, with one assignment for each word of its list, or one of UNKNOWN where there is no list).
    """

    __slots__ = (
        "after",
        "assignments",
        "before",
        "carrier",
        "end",
        "feeder",
        "redirections",
        "scope",
        "start",
        "within",
        "words",
    )

    def __init__(self, scope: Scope, before: str, start: int) -> None:
        self.words: list[Word] = []
        self.assignments: list[Assignment] = []
        self.redirections: list[Redirection] = []
        self.scope = scope
        self.before = before
        self.after = ""
        self.start = start
        self.end = start
        self.feeder: Command | Compound | None = None
        self.within: Compound | None = None
        self.carrier = False


class Reading:
    """All simple commands of one text.

    flaw: "" or what kept the reader from seeing everything, as a phrase for a message (SPEC C9).
    compound: True if the text holds anything but simple commands joined by operators.
    """

    __slots__ = ("commands", "compound", "flaw", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.commands: list[Command] = []
        self.flaw = ""
        self.compound = False
