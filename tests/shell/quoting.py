"""Random commands whose words only quoting can change, so that bash can say what each word is."""

import random

_SINGLE = 'ab "$`\\|;#&<>(){}!*?~é \n\t'
_DOUBLE = [
    "a",
    " ",
    "'",
    "\\$",
    "\\`",
    '\\"',
    "\\\\",
    "\\a",
    "\\'",
    "\\\n",
    "#",
    ";",
    "|",
    "&",
    "<",
    ">",
    "(",
    ")",
    "{",
    "}",
]
_DOUBLE += ["*", "?", "~", "é", "日", "\n", "!", "$ ", "$%"]
_PLAIN = [
    "a",
    "b",
    "-x",
    "=",
    "a=b",
    "#",
    "é",
    "日",
    "%",
    "^",
    "+",
    ":",
    "@",
    "/",
    ".",
    ",",
    "{a,b}",
    "{",
    "}",
    "!",
    "[",
    "]",
]
_PLAIN += [
    "\\a",
    "\\ ",
    "\\;",
    "\\#",
    "\\\\",
    "\\$",
    "\\`",
    '\\"',
    "\\'",
    "\\|",
    "\\<",
    "\\(",
    "\\)",
    "\\*",
    "\\~",
    "\\\t",
]
_PLAIN += ["a\\\nb", "a#b", "x[1]", "*", "?"]
_ANSI = [
    "a",
    "é",
    "日",
    " ",
    "$",
    "`",
    '"',
    "#",
    "\n",
    "\\\n",
    "\\n",
    "\\t",
    "\\\\",
    "\\'",
    '\\"',
    "\\?",
    "\\a",
    "\\b",
    "\\e",
]
_ANSI += [
    "\\E",
    "\\f",
    "\\r",
    "\\v",
    "\\x41",
    "\\x4",
    "\\xe9",
    "\\xc3\\xa9",
    "\\x",
    "\\xg",
    "\\x{41}",
    "\\x{e9}",
    "\\x00",
]
_ANSI += [
    "\\101",
    "\\7",
    "\\351",
    "\\0",
    "\\400",
    "\\8",
    "\\u20ac",
    "\\u41",
    "\\ue9z",
    "\\u",
    "\\U0001F600",
    "\\cB",
    "\\c?",
]
_ANSI += ["\\cz", "\\c\\\\", "\\c", "\\c\\'", "\\q", "\\z"]
_BODY = [
    "a",
    "b",
    " ",
    "'",
    '"',
    "\\$",
    "\\`",
    '\\"',
    "\\\\",
    "\\a",
    "\\\n",
    "#",
    ";",
    ">",
    "(",
    "é",
    "\n",
    "\t",
    "\n\t",
    "$ ",
]


class Quoting:
    """One stream of commands `c0`, `c1`, ..., each with some words and perhaps something to read."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.number = 0

    def command(self) -> str:
        """A command with its line end and, where it has one, its here-document."""
        text = f"c{self.number} {' '.join([self.word() for _ in range(self.random.randrange(1, 4))])}"
        self.number += 1
        draw = self.random.randrange(4)
        if draw == 0:
            operator = self.random.choice(["<<", "<<-"]) + self.random.choice(["E", "'E'", '"E"', "\\E"])
            return f"{text} {operator}\n{self.some(_BODY, 8)}\nE\n"
        return f"{text} <<<{self.word()}\n" if draw == 1 else f"{text}\n"

    def word(self) -> str:
        while True:
            word = "".join([self.segment() for _ in range(self.random.randrange(1, 4))])
            if not word.startswith("#"):
                return word

    def segment(self) -> str:
        draw = self.random.randrange(6)
        if draw == 0:
            return f"'{self.some(list(_SINGLE), 5)}'"
        if draw == 1:
            return f'"{self.some(_DOUBLE, 6)}"'
        if draw == 2:
            return f"$'{self.some(_ANSI, 5)}'"
        if draw == 3:
            return f'$"{self.some(_DOUBLE, 3)}"'
        return self.some(_PLAIN, 4) or "a"

    def some(self, choices: list[str], limit: int) -> str:
        return "".join([self.random.choice(choices) for _ in range(self.random.randrange(limit))])
