"""Expansion: what a word becomes once its variables have values, as arguments or as one text (SPEC C8, S3)."""

from guardhook.shell import braces
from guardhook.shell.commands import LITERAL, OPAQUE, UNKNOWN, VARIABLE, Part, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guardhook.shell.variables import Variables

# The most characters that all expansions of one call may give together.
BUDGET = 4_000_000


class TooMuchError(Exception):
    """The call's expansions are larger than the budget."""


class Choice:
    """One value for each variable: those that have only one, and the choice among the others."""

    __slots__ = ("chosen", "fixed", "variables")

    def __init__(self, variables: "Variables", fixed: dict[str, list[str]], chosen: dict[str, list[str]]) -> None:
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


def is_built(word: Word) -> bool:
    """True if the word, a name and no text in quotes, is put together from several variables."""
    return sum(part.kind == VARIABLE and not part.quoted for part in word.parts) > 1


def names(words: list[Word]) -> dict[str, None]:
    """The variables in the words, in order."""
    found: dict[str, None] = {}
    for word in words:
        for part in word.parts:
            if part.kind == VARIABLE:
                found[part.text] = None
            if part.operand is not None:
                found.update(names([part.operand]))
    return found


def _value(part: Part, choice: Choice) -> list[str]:
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
        return [join(part.operand, choice)] if is_set else [""]
    return _elements(part.text, known) if is_set else [join(part.operand, choice)]


def _elements(name: str, known: list[str] | None) -> list[str]:
    if known is None:
        return [UNKNOWN]
    index = name.partition("[")[2][:-1]
    if index.isdigit():
        return known[int(index) : int(index) + 1] if len(index) < 6 else []
    # PowerShell hands over a whole list, and nothing for an empty one (about_Splatting).
    return known if name.endswith(("[@]", "[*]")) or name[0] == "$" else known[:1] or [""]


def join(word: Word, choice: Choice) -> str:
    """The text that a word becomes where nothing is split."""
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

    def part(self, part: Part, choice: Choice, alone: bool) -> None:
        if part.kind == LITERAL:
            if part.text or part.quoted:
                self.add(part.text)
        elif part.kind == OPAQUE:
            self.add(UNKNOWN)
        else:
            values = _value(part, choice)
            if part.text[:1] == "$" and not alone:  # PowerShell joins a list inside a longer text
                values = [" ".join(values)]
            for number, value in enumerate(values):
                if number:
                    self.close()
                if part.quoted:
                    self.add(value)
                else:
                    self.split(value)


def expand(word: Word, choice: Choice, fields: list[str]) -> None:
    """Add the arguments that a word becomes to `fields`."""
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
            building.part(part, choice, len(parts) == 1)
        building.close()
