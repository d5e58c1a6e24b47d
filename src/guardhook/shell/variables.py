"""Assignments and expansion: what the words of a command become, as far as its own text decides (SPEC C8, S3).

A variable holds every literal value that it may have at that point: an assignment that may not happen (behind `&&`, in
a branch, a loop or a function) adds a value, any other replaces them. A value is a list of strings: one for a scalar,
all elements for an array. What only the running shell knows becomes UNKNOWN.
"""

from guardhook.shell import braces
from guardhook.shell.commands import (
    BRANCH,
    FUNCTION,
    GROUP,
    LITERAL,
    LOOP,
    OPAQUE,
    UNKNOWN,
    VARIABLE,
    Assignment,
    Command,
    Part,
    Scope,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# The most values a variable, and readings a command, can have.
LIMIT = 256

# The same for values that assignments which may not happen add to each other.
FEW = 64

# The most characters that all expansions of one call may give together.
BUDGET = 4_000_000

# PowerShell's constants; no name of another language begins with a dollar sign.
_CONSTANTS = {"$true": [["True"]], "$false": [["False"]], "$null": [[""]]}

_SHARED = (GROUP, BRANCH, LOOP, FUNCTION)
_MAY_SKIP = (BRANCH, LOOP, FUNCTION)


class TooMuchError(Exception):
    """The call's expansions are larger than the budget."""


class Variables:
    """The variables of one call, by the process scope that holds them.

    overflow: the expansion of the command at hand is too large. exhausted: that of the whole call is.
    cut: names that have more values than are kept.
    history: every value that a name ever had, for code that may run later than it stands (functions, loops).
    looking_back: look up in the history. news: how many values it holds.
    environment: gives the value of a variable that the text never set, or None; nothing is looked up there at first.
    """

    __slots__ = ("cut", "environment", "exhausted", "frames", "history", "looking_back", "news", "overflow", "spent")

    def __init__(self) -> None:
        self.frames: dict[Scope, dict[str, list[list[str]]]] = {}
        self.history: dict[str, list[list[str]]] = {}
        self.looking_back = False
        self.news = 0
        self.spent = 0
        self.overflow = False
        self.exhausted = False
        self.cut: set[str] = set()
        self.environment: Callable[[str], str | None] | None = None

    def lookup(self, scope: Scope | None, name: str) -> list[list[str]]:
        """All values `name` may have in `scope`; empty if the text never set it."""
        if self.looking_back:
            return self.history.get(name) or self._outside(name)
        frames = self.frames
        while scope is not None and frames:
            values = frames.get(scope)
            if values is not None and name in values:
                return values[name]
            scope = scope.parent
        return self._outside(name)

    def _outside(self, name: str) -> list[list[str]]:
        """What a name means that the text does not set."""
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        value = self.environment(name) if self.environment is not None else None
        return [] if value is None else [[value]]

    def assign(self, scope: Scope, name: str, values: list[list[str]], may_skip: bool) -> None:
        """Set `name` where `scope` keeps its variables. may_skip: the values it had remain possible."""
        if may_skip:
            before = self.lookup(scope, name)
            values = [*before, *(value for value in values if value not in before)]
        kept = FEW if may_skip else LIMIT
        if len(values) > kept:
            self.cut.add(name)
        self.frames.setdefault(_process(scope), {})[name] = values[:kept]
        self.note(name, values)

    def note(self, name: str, values: list[list[str]]) -> None:
        """Remember values that `name` has at some time, without setting it here."""
        past = self.history.setdefault(name, [])
        before = len(past)
        past.extend(value for value in values[: max(0, LIMIT - len(past))] if value not in past)
        self.news += len(past) - before

    def record(self, command: Command, assignments: list[Assignment]) -> None:
        """Carry out assignments that `command` makes in its own shell."""
        may_skip = command.before in ("&&", "||") or may_run_later(command.scope)
        if command.carrier and assignments:  # the words of a loop: its variable takes their fields in turn
            words = [assignment.value for assignment in assignments if assignment.value is not None]
            values = [[field] for fields in self.arguments(words, command.scope) for field in fields]
            self.assign(command.scope, assignments[0].name, values or [[UNKNOWN]], False)
            return
        for assignment in assignments:
            self.assign(command.scope, assignment.name, self.values(assignment, command.scope), may_skip)

    def values(self, assignment: Assignment, scope: Scope) -> list[list[str]]:
        """Every value that an assignment may give."""
        if assignment.elements is not None:
            arrays = [[_item(field) for field in fields] for fields in self.arguments(list(assignment.elements), scope)]
            if not assignment.append:
                return arrays
            return [[*old, *new] for old in self.lookup(scope, assignment.name) or [[]] for new in arrays]
        if assignment.value is None:
            return [[UNKNOWN]]
        texts = self.texts(assignment.value, scope)
        if assignment.subscript:
            return self._with_element(assignment, texts, scope)
        if assignment.append:
            before = self.lookup(scope, assignment.name) or [[UNKNOWN]]
            self.spent += sum(len(old[0]) for old in before if old) * len(texts)
            if self.spent > BUDGET:
                self.exhausted = True
                return [[UNKNOWN]]
            return [[old[0] + text if old else text] for old in before for text in texts]
        return [[text] for text in texts]

    def _with_element(self, assignment: Assignment, texts: list[str], scope: Scope) -> list[list[str]]:
        """`a[2]=x`: the arrays that `a` may be, with one more element or another one."""
        index = assignment.subscript
        if not index.isdigit() or len(index) > 3 or assignment.append:  # some element
            return [[*old, text] for old in self.lookup(scope, assignment.name) or [[]] for text in texts]
        arrays = []
        for old in self.lookup(scope, assignment.name) or [[]]:
            filled = old + [""] * (int(index) + 1 - len(old))
            arrays += [[*filled[: int(index)], text, *filled[int(index) + 1 :]] for text in texts]
        return arrays

    def arguments(self, words: list[Word], scope: Scope) -> list[list[str]]:
        """Every argument list that `words` may expand to, at least one."""
        results: list[list[str]] = []
        try:
            for choice in self._choices(words, scope):
                fields: list[str] = []
                for word in words:
                    _expand(word, choice, fields)
                choice.spend(len(fields))
                results.append(fields)
        except TooMuchError:
            self.exhausted = True
        return results or [[UNKNOWN]]

    def texts(self, word: Word, scope: Scope) -> list[str]:
        """Every text that `word` may expand to where no splitting happens (an assignment, a here-document)."""
        if not word.parts:
            return [word.text]
        try:
            return [_join(word, choice) for choice in self._choices([word], scope)]
        except TooMuchError:
            self.exhausted = True
            return [UNKNOWN]

    def _choices(self, words: list[Word], scope: Scope) -> "list[_Choice]":
        fixed: dict[str, list[str]] = {}
        choices: list[dict[str, list[str]]] = [{}]
        for name in _names(words):
            values = self.lookup(scope, name.partition("[")[0])
            if name.endswith("[?]"):  # whichever element it is
                values = [[element] for value in values for element in dict.fromkeys(value)]
            if len(values) == 1:
                fixed[name] = values[0]
            elif values:
                if len(choices) * len(values) <= LIMIT:
                    choices = [{**choice, name: value} for choice in choices for value in values]
                else:  # too many to combine: this one's values with the others' first
                    self.overflow = self.overflow or any(_is_built(word) for word in words[:2])
                    choices = [{**choice, name: values[0]} for choice in choices]
                    choices += [{**choices[0], name: value} for value in values[1:]]
        return [_Choice(self, fixed, choice) for choice in choices]


class _Choice:
    """One value for each variable: those that have only one, and the choice among the others."""

    __slots__ = ("chosen", "fixed", "variables")

    def __init__(self, variables: Variables, fixed: dict[str, list[str]], chosen: dict[str, list[str]]) -> None:
        self.variables = variables
        self.fixed = fixed
        self.chosen = chosen

    def get(self, name: str) -> list[str] | None:
        return self.chosen[name] if name in self.chosen else self.fixed.get(name)

    def spend(self, size: int) -> None:
        """Count text that an expansion gave. Raises TooMuchError past the budget."""
        self.variables.spent += size
        if self.variables.spent > BUDGET:
            raise TooMuchError


def _process(scope: Scope) -> Scope:
    while scope.kind in _SHARED and scope.parent is not None:
        scope = scope.parent
    return scope


def _item(field: str) -> str:
    """`[2]=x` in an array literal -> `x`; the numbers are taken to be in order."""
    index, bracket, value = field.partition("]=")
    return value if bracket and index[:1] == "[" else field


def may_run_later(scope: Scope | None) -> bool:
    """True if commands in `scope` may run never, again, or after what stands behind them."""
    while scope is not None:
        if scope.kind in _MAY_SKIP:
            return True
        scope = scope.parent
    return False


def _is_built(word: Word) -> bool:
    """True if the word, a name and no text in quotes, is put together from several variables."""
    return sum(part.kind == VARIABLE and not part.quoted for part in word.parts) > 1


def _names(words: list[Word]) -> dict[str, None]:
    """The variables in the words, in order."""
    names: dict[str, None] = {}
    for word in words:
        for part in word.parts:
            if part.kind == VARIABLE:
                names[part.text] = None
            if part.operand is not None:
                names.update(_names([part.operand]))
    return names


def _value(part: Part, choice: _Choice) -> list[str]:
    """The value of a VARIABLE part: one string, or several for an array's elements."""
    known = choice.get(part.text)
    operator = part.operator
    if known is not None and part.quoted and part.text.endswith("[*]"):
        known = [" ".join(known)]
    if known is not None:
        choice.spend(sum(map(len, known)))
    if operator in ("", ":?"):
        return _elements(part.text, known)
    if part.operand is None or operator == "?":
        return [UNKNOWN]
    is_set = known is not None and (operator[0] != ":" or known[:1] != [""])
    if operator in (":+", "+"):
        return [_join(part.operand, choice)] if is_set else [""]
    return _elements(part.text, known) if is_set else [_join(part.operand, choice)]


def _elements(name: str, known: list[str] | None) -> list[str]:
    if known is None:
        return [UNKNOWN]
    index = name.partition("[")[2][:-1]
    if index.isdigit():
        return known[int(index) : int(index) + 1] if len(index) < 6 else []
    return known if name.endswith(("[@]", "[*]")) else known[:1] or [""]


def _join(word: Word, choice: _Choice) -> str:
    if not word.parts:
        return word.text
    return "".join(
        part.text if part.kind == LITERAL else " ".join(_value(part, choice)) if part.kind == VARIABLE else UNKNOWN
        for part in word.parts
    )


class _Fields:
    """Collects the fields that one word expands to. open: the pieces of the field being built, None between fields."""

    __slots__ = ("done", "open")

    def __init__(self, done: list[str]) -> None:
        self.done = done
        self.open: list[str] | None = None

    def add(self, text: str) -> None:
        if self.open is None:
            self.open = [text]
        else:
            self.open.append(text)

    def close(self) -> None:
        if self.open is not None:
            self.done.append("".join(self.open))
            self.open = None

    def split(self, text: str) -> None:
        """Add the unquoted result of an expansion: blanks separate fields."""
        text = text.replace("\t", " ").replace("\n", " ")
        pieces = [piece for piece in text.split(" ") if piece]
        if text[:1] == " ":
            self.close()
        for number, piece in enumerate(pieces):
            if number:
                self.close()
            self.add(piece)
        if text[-1:] == " ":
            self.close()

    def part(self, part: Part, choice: _Choice) -> None:
        if part.kind == LITERAL:
            if part.text or part.quoted:
                self.add(part.text)
        elif part.kind == OPAQUE:
            self.add(UNKNOWN)
        else:
            for number, value in enumerate(_value(part, choice)):
                if number:
                    self.close()
                if part.quoted:
                    self.add(value)
                else:
                    self.split(value)


def _expand(word: Word, choice: _Choice, fields: list[str]) -> None:
    choice.spend(len(word.text))
    if not word.parts and "{" not in word.text:
        fields.append(word.text)
        return
    building = _Fields(fields)
    lists = braces.expand_parts(word.parts or (Part(LITERAL, word.text, False),))
    if braces.is_too_large(word.text) or len(lists) >= braces.LIMIT:
        choice.variables.overflow = True
    for parts in lists:
        for part in parts:
            building.part(part, choice)
        building.close()
