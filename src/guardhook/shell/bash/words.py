"""Words: what is in them besides expansions, and the assignments that they can be."""

from guardhook.shell.bash.cursor import (
    LIMIT,
    NAME_REST,
    NAME_START,
    OPEN_ARRAY,
    STOP,
)
from guardhook.shell.bash.pieces import Pieces
from guardhook.shell.bash.quotes import Quotes
from guardhook.shell.commands import LITERAL, OPAQUE, ArrayWord, Assignment, Part, Word

# Where a word stands.
PLAIN = 0
LEADING = 1  # in front of the command word, where `NAME[a b]=x` is one word
ELEMENT = 2  # in an array literal, where `[a b]=x` is
DELIMITER = 3  # behind `<<`, where nothing is expanded

_NO_SUBSCRIPT = (PLAIN, DELIMITER)
_PLAIN_ENDS = frozenset(" \t\n;&|)")


class Words(Quotes):
    """The layer that reads one word."""

    __slots__ = ()

    def word(self, depth: int, place: int = PLAIN) -> Word:
        """The word that begins here; empty, without moving, if none does."""
        source, stops, size = self.source, self.stops, self.size
        start = self.at
        stop = stops.find(STOP, start)
        if source[stop] in _PLAIN_ENDS and place in _NO_SUBSCRIPT:
            self.at = stop
            return Word(source[start:stop], start, stop)
        pieces = Pieces(place == DELIMITER)
        if place != PLAIN:
            self.leading_subscript(pieces, depth + 1, place)
        while True:
            i = self.at
            stop = stops.find(STOP, i)
            if stop > i:
                pieces.literal(source[i:stop], False)
                self.at = stop
            c = source[stop]
            if stop >= size or c in _PLAIN_ENDS:
                break
            if c == "$":
                self.dollar(pieces, depth, False)
            elif c == '"':
                self.at = stop + 1
                self.quotes(pieces, depth + 1)
            elif c == "'":
                self.single_quoted(pieces)
            elif c == "\\":
                self.escaped(pieces)
            elif c == "`":
                self.backquote(pieces, depth, False)
            elif c == "(":
                if not self.parenthesis_in_word(pieces, start, depth + 1):
                    break
            elif c == "\r":
                if self.is_blank(stop):
                    break
                pieces.literal("\r", False)
                self.at = stop + 1
            elif not self.process(pieces, depth):
                break
        return pieces.word(start, self.at)

    def parenthesis_in_word(self, pieces: Pieces, start: int, depth: int) -> bool:
        """A `(` inside a word: an extended pattern or an array literal; else False, and the word ends there."""
        before = self.source[self.at - 1] if self.at > start and pieces.run and not pieces.quoted else ""
        if before and before in "?*+@!" and self.source[self.at + 1] != ")":
            return self.pattern_list(pieces, depth)
        if before == "=" and pieces.elements is None and self.takes_array(start):
            return self.array(pieces, depth)
        return False

    def takes_array(self, start: int) -> bool:
        """True if the word so far is `NAME=`, `NAME+=` or `NAME[...]=`."""
        source = self.source
        i = self.joined(start)
        if source[i] not in NAME_START:
            return False
        while source[i] in NAME_REST:
            i = self.joined(i + 1)
        if source[i] == "[":
            return True
        if source[i] == "+":
            i = self.joined(i + 1)
        return source[i] == "=" and i == self.at - 1

    def array(self, pieces: Pieces, depth: int) -> bool:
        """The words between the parentheses of `NAME=( )`."""
        if depth >= LIMIT:
            self.too_deep(self.at)
            return False
        start = self.at
        self.at += 1
        elements: list[Word] = []
        while True:
            c = self.gap(";&|(", depth)
            if c == ")":
                self.at += 1
                break
            if not c:
                self.flaw(OPEN_ARRAY)
                break
            if self.at_word():
                elements.append(self.word(depth, ELEMENT))
            else:
                self.at += 1
        source = self.source[start : self.at]
        pieces.expansion(Part(OPAQUE, source, False), source)
        pieces.elements = tuple(elements)
        return True

    def leading_subscript(self, pieces: Pieces, depth: int, place: int) -> None:
        """The `NAME[...]` of an assignment or the `[...]` of an element, in which blanks do not end the word."""
        source = self.source
        i = self.at
        if place == LEADING and source[i] in NAME_START:
            while source[i] in NAME_REST:
                i += 1
        elif place != ELEMENT:
            return
        if source[i] == "[" and i < self.last_bracket:
            pieces.literal(source[self.at : i + 1], False)
            self.at = i + 1
            self.subscript(pieces, depth)


def assignment_of(word: Word) -> "Assignment | None":
    """The assignment that `word` makes as an argument of `export`, `declare` and their kin, or None.

    Quoting does not matter there (`export "g=push"` assigns). The value's span is exact where the name is not quoted.
    """
    text = word.text
    equals = text.find("=")
    if equals < 1:
        return None
    bracket = text.find("[", 0, equals)
    if bracket > 0:
        equals = _behind_subscript(text, bracket)
    name = text[:equals]
    append = name.endswith("+")
    if bracket > 0:
        name = name[:bracket]
    elif append:
        name = name[:-1]
    if equals < 1 or not (name.isascii() and name.isidentifier()):
        return None
    if isinstance(word, ArrayWord):
        return Assignment(name, None, append, word.elements)
    subscript = text[bracket + 1 : equals - 1 - append] if bracket > 0 else ""
    return Assignment(name, _value(word, equals + 1), append, None, subscript)


def leading_assignment(word: Word, source: str) -> "Assignment | None":
    """The same for a word in front of a command, where the name must not be quoted. `source` holds the word's span."""
    equals = word.text.find("=")
    if equals < 1:
        return None
    parts = word.parts
    if parts and (parts[0].quoted or parts[0].kind != LITERAL or not {"=", "["} & set(parts[0].text)):
        return None
    assignment = assignment_of(word)
    if assignment is not None and assignment.value is not None:
        assignment.value.start = source.find("=", word.start) + 1
    return assignment


def _behind_subscript(text: str, bracket: int) -> int:
    """The position of the `=` of `NAME[...]=` or `NAME[...]+=`, or -1."""
    close = text.find("]=", bracket)
    more = text.find("]+=", bracket)
    if more >= 0 and (close < 0 or more < close):
        return more + 2
    return close + 1 if close >= 0 else -1


def _value(word: Word, cut: int) -> Word:
    """`word` without its first `cut` characters."""
    start = min(word.start + cut, word.end)
    if not word.parts:
        return Word(word.text[cut:], start, word.end)
    parts: list[Part] = []
    left = cut
    for part in word.parts:
        if part.kind != LITERAL:
            parts.append(part)
        elif left < len(part.text) or (part.quoted and not left):
            parts.append(Part(LITERAL, part.text[left:], part.quoted) if left else part)
        left = max(0, left - len(part.text)) if part.kind == LITERAL else 0
    if all(part.kind == LITERAL and not part.quoted for part in parts):
        parts = []
    return Word(word.text[cut:], start, word.end, tuple(parts))
