"""Assignments and expansion: what the words of a command become, as far as its own text decides (SPEC C8, S3).

A variable holds every literal value that it may have at that point: an assignment that may not happen (behind `&&`, in
a branch, a loop or a function) adds a value, any other replaces them. A value is a list of strings: one for a scalar,
all elements for an array. What only the running shell knows becomes UNKNOWN.
"""

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

# The most values a variable, and readings a command, can have; further ones are dropped.
LIMIT = 64

_SHARED = (GROUP, BRANCH, LOOP, FUNCTION)
_MAY_SKIP = (BRANCH, LOOP, FUNCTION)


class Variables:
    """The variables of one call, by the process scope that holds them."""

    __slots__ = ("frames",)

    def __init__(self) -> None:
        self.frames: dict[Scope, dict[str, list[list[str]]]] = {}

    def lookup(self, scope: Scope | None, name: str) -> list[list[str]]:
        """All values `name` may have in `scope`; empty if the text never set it."""
        frames = self.frames
        while scope is not None and frames:
            values = frames.get(scope)
            if values is not None and name in values:
                return values[name]
            scope = scope.parent
        return []

    def assign(self, scope: Scope, name: str, values: list[list[str]], may_skip: bool) -> None:
        """Set `name` where `scope` keeps its variables. may_skip: the values it had remain possible."""
        if may_skip:
            values = [*self.lookup(scope, name), *values]
        self.frames.setdefault(_process(scope), {})[name] = values[:LIMIT]

    def record(self, command: Command, assignments: list[Assignment]) -> None:
        """Carry out assignments that `command` makes in its own shell."""
        loop = command.carrier and bool(assignments)
        may_skip = command.before in ("&&", "||") or _may_skip(command.scope)
        for number, assignment in enumerate(assignments):
            values = self.values(assignment, command.scope)
            self.assign(command.scope, assignment.name, values, may_skip or (loop and number > 0))

    def values(self, assignment: Assignment, scope: Scope) -> list[list[str]]:
        """Every value that an assignment may give."""
        if assignment.elements is not None:
            return self.arguments(list(assignment.elements), scope)
        if assignment.value is None:
            return [[UNKNOWN]]
        texts = self.texts(assignment.value, scope)
        if assignment.append:
            before = self.lookup(scope, assignment.name) or [[UNKNOWN]]
            return [[old[0] + text if old else text] for old in before for text in texts][:LIMIT]
        return [[text] for text in texts]

    def arguments(self, words: list[Word], scope: Scope) -> list[list[str]]:
        """Every argument list that `words` may expand to; at least one, at most LIMIT."""
        results = []
        for choice in self._choices(words, scope):
            fields: list[str] = []
            for word in words:
                _expand(word, choice, fields)
            results.append(fields)
        return results

    def texts(self, word: Word, scope: Scope) -> list[str]:
        """Every text that `word` may expand to where no splitting happens (an assignment, a here-document)."""
        if not word.parts:
            return [word.text]
        return [_join(word, choice) for choice in self._choices([word], scope)]

    def _choices(self, words: list[Word], scope: Scope) -> list[dict[str, list[str]]]:
        choices: list[dict[str, list[str]]] = [{}]
        for name in _names(words):
            values = self.lookup(scope, name.partition("[")[0])
            if values:
                choices = [{**choice, name: value} for choice in choices for value in values][:LIMIT]
        return choices


def _process(scope: Scope) -> Scope:
    while scope.kind in _SHARED and scope.parent is not None:
        scope = scope.parent
    return scope


def _may_skip(scope: Scope | None) -> bool:
    while scope is not None and scope.kind in _SHARED:
        if scope.kind in _MAY_SKIP:
            return True
        scope = scope.parent
    return False


def _names(words: list[Word]) -> list[str]:
    names: list[str] = []
    for word in words:
        for part in word.parts:
            if part.kind == VARIABLE and part.text not in names:
                names.append(part.text)
            if part.operand is not None:
                names.extend(name for name in _names([part.operand]) if name not in names)
    return names


def _value(part: Part, choice: dict[str, list[str]]) -> list[str]:
    """The value of a VARIABLE part: one string, or several for an array's elements."""
    known = choice.get(part.text)
    operator = part.operator
    if operator == "":
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
    return known if name.endswith(("[@]", "[*]")) else known[:1] or [""]


def _join(word: Word, choice: dict[str, list[str]]) -> str:
    if not word.parts:
        return word.text
    return "".join(
        part.text if part.kind == LITERAL else " ".join(_value(part, choice)) if part.kind == VARIABLE else UNKNOWN
        for part in word.parts
    )


class _Fields:
    """Collects the fields that one word expands to: `open` is the field being built, None between fields."""

    __slots__ = ("done", "open")

    def __init__(self, done: list[str]) -> None:
        self.done = done
        self.open: str | None = None

    def add(self, text: str) -> None:
        self.open = text if self.open is None else self.open + text

    def close(self) -> None:
        if self.open is not None:
            self.done.append(self.open)
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

    def part(self, part: Part, choice: dict[str, list[str]]) -> None:
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


def _expand(word: Word, choice: dict[str, list[str]], fields: list[str]) -> None:
    if not word.parts:
        fields.extend(_braces(word.text) if "{" in word.text else (word.text,))
        return
    building = _Fields(fields)
    for parts in _brace_parts(word.parts):
        for part in parts:
            building.part(part, choice)
        building.close()


# Parts that brace expansion must not look into stand in its text as one character each, from a private plane.
_FIRST = 0xF0000


def _brace_parts(parts: tuple[Part, ...]) -> list[list[Part]]:
    """Brace expansion of a word with parts: one list of parts for each resulting word."""
    if not any(part.kind == LITERAL and not part.quoted and "{" in part.text for part in parts):
        return [list(parts)]
    flat = "".join(
        part.text if part.kind == LITERAL and not part.quoted else chr(_FIRST + number)
        for number, part in enumerate(parts)
    )
    return [
        [parts[ord(c) - _FIRST] if _FIRST <= ord(c) < _FIRST + len(parts) else Part(LITERAL, c, False) for c in text]
        for text in _braces(flat)
    ]


def _braces(text: str) -> list[str]:
    """`a{b,c}d` -> [`abd`, `acd`], nested too; the text alone where there is nothing to expand. At most LIMIT words."""
    if len(text) > 400:
        return [text]
    start = text.find("{")
    while start >= 0:
        items, end = _items(text, start)
        if len(items) > 1:
            tails = _braces(text[end:])
            heads = [head for item in items for head in _braces(item)]
            return [text[:start] + head + tail for head in heads for tail in tails][:LIMIT]
        start = text.find("{", start + 1)
    return [text]


def _items(text: str, start: int) -> tuple[list[str], int]:
    """The comma-separated items of the brace at `start` and the position behind it; no items if it is never closed."""
    depth = 0
    items: list[str] = []
    begin = start + 1
    for index in range(start, len(text)):
        c = text[index]
        if c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0:
                return [*items, text[begin:index]], index + 1
        elif c == "," and depth == 1:
            items.append(text[begin:index])
            begin = index + 1
    return [], start
