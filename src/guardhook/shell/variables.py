"""Assignments: which values the variables of a call may have, as far as its own text decides (SPEC C8, S3).

A variable holds every literal value that it may have at that point: an assignment that may not happen (behind `&&`, in
a branch, a loop or a function) adds a value, any other replaces them. A value is a list of strings: one for a scalar,
all elements for an array. What only the running shell knows becomes UNKNOWN.
"""

from guardhook.shell.commands import BRANCH, FUNCTION, GROUP, LOOP, UNKNOWN, Assignment, Command, Scope, Word
from guardhook.shell.expansion import BUDGET, Choice, TooMuchError, expand, is_built, join, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# The most values a variable, and readings a command, can have.
LIMIT = 256

# The same for values that assignments which may not happen add to each other.
FEW = 64

# PowerShell's constants; no name of another language begins with a dollar sign.
_CONSTANTS: dict[str, list[list[str]]] = {"$true": [["True"]], "$false": [["False"]], "$null": [[]]}

_SHARED = (GROUP, BRANCH, LOOP, FUNCTION)
_MAY_SKIP = (BRANCH, LOOP, FUNCTION)


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
                    expand(word, choice, fields)
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
            return [join(word, choice) for choice in self._choices([word], scope)]
        except TooMuchError:
            self.exhausted = True
            return [UNKNOWN]

    def _choices(self, words: list[Word], scope: Scope) -> "list[Choice]":
        fixed: dict[str, list[str]] = {}
        choices: list[dict[str, list[str]]] = [{}]
        for name in names(words):
            values = self.lookup(scope, name.partition("[")[0])
            if name.endswith("[?]"):  # whichever element it is
                values = [[element] for value in values for element in dict.fromkeys(value)]
            if len(values) == 1:
                fixed[name] = values[0]
            elif values:
                if len(choices) * len(values) <= LIMIT:
                    choices = [{**choice, name: value} for choice in choices for value in values]
                else:  # too many to combine: this one's values with the others' first
                    self.overflow = self.overflow or any(is_built(word) for word in words[:2])
                    choices = [{**choice, name: values[0]} for choice in choices]
                    choices += [{**choices[0], name: value} for value in values[1:]]
        return [Choice(self, fixed, choice) for choice in choices]


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
