"""Markdown made at random from the pieces that decide where code begins and ends; every word in it is another one."""

import random

LEADS = [
    "",
    "",
    "",
    "",
    "> ",
    ">",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "2) ",
    "10. ",
    " ",
    "  ",
    "   ",
    "    ",
    "\t",
    "     ",
    "-\t",
    ">\t",
]
FENCES = ["```", "```", "````", "`````", "~~~", "~~~", "~~~~", "``", "~~"]
RUNS = ["`", "`", "`", "``", "``", "```", "````", "\\`", "\\\\`", "\\``", "`\\`"]
GLUE = [" ", " ", " ", "", "*", "\\", ". ", "\t"]
BLOCKS = ["", "", "", "---", "===", "***", "* * *", "- - -", "-", "=", "+", "1.", ">", "#", "_ _", "   ", "\t"]
ENDS = ["\n", "\n", "\n", "\n", "\r\n", "\r"]


class Writer:
    """Writes documents from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.words = 0

    def document(self) -> str:
        """Two to fourteen lines; one document in three keeps to few leads, so that blocks grow longer."""
        leads = LEADS if self.random.random() < 0.7 else self.random.sample(LEADS, 3)
        end = self.random.choice(ENDS)
        lines = [self._line(leads) for _ in range(self.random.randint(2, 14))]
        return end.join(lines) + self.random.choice(["", end])

    def _line(self, leads: list[str]) -> str:
        lead = "".join(self.random.choice(leads) for _ in range(self.random.choice([0, 1, 1, 1, 2, 2, 3])))
        kind = self.random.random()
        if kind < 0.25:
            return (
                lead
                + self.random.choice(FENCES)
                + self.random.choice(["", "", "", " ", self._word(), " " + self._inline()])
            )
        if kind < 0.4:
            return lead + self.random.choice(BLOCKS)
        if kind < 0.45:
            return lead + "#" * self.random.randint(1, 7) + self.random.choice([" ", "", "\t"]) + self._inline()
        return lead + self._inline()

    def _inline(self) -> str:
        pieces = []
        for _ in range(self.random.randint(1, 6)):
            pieces.append(self._word() if self.random.random() < 0.55 else self.random.choice(RUNS))
            pieces.append(self.random.choice(GLUE))
        return "".join(pieces)

    def _word(self) -> str:
        self.words += 1
        return f"w{self.words}w"
