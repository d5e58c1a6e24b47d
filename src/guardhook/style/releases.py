"""Which detectors of agent-style belong to which of its releases (SPEC V2, V3). Data and a comparison of versions.

The release alone decides: a set that was probed for would get smaller in silence when a package lost a detector.
"""


class Detector:
    """name: the function in `agent_style.review.detectors_mech`. label: the rule it reports as.

    takes_path: it is given `file_path=` beside the text. whole_document: every finding speaks of the document.
    """

    __slots__ = ("label", "name", "takes_path", "whole_document")

    def __init__(self, name: str, label: str, takes_path: bool = False, whole_document: bool = False) -> None:
        self.name = name
        self.label = label
        self.takes_path = takes_path
        self.whole_document = whole_document


_FIGURES = Detector("_rule_03", "RULE-03", takes_path=True)
_CELLS = Detector("_rule_a", "RULE-A", takes_path=True)
_CAVEATS = Detector("_rule_08_repeats", "RULE-08", takes_path=True)
_CLICHES = Detector("_rule_05", "RULE-05")
_JARGON = Detector("_rule_06", "RULE-06")
_SENTENCES = Detector("_rule_12", "RULE-12")
_PROFILE = Detector("_rule_12_profile", "RULE-12", takes_path=True, whole_document=True)
_DASHES = Detector("_rule_b", "RULE-B")
_OPENERS = Detector("_rule_d", "RULE-D")
_CONTRACTIONS = Detector("_rule_i", "RULE-I")

_BASE = (_CLICHES, _JARGON, _SENTENCES, _DASHES, _OPENERS, _CONTRACTIONS)

# The first release of a set, and the set in the order in which it is run. Newest first.
SETS = (
    ((0, 8), (_FIGURES, _CELLS, _CAVEATS, _CLICHES, _JARGON, _PROFILE, _DASHES, _OPENERS, _CONTRACTIONS)),
    ((0, 7), (_FIGURES, _CELLS, *_BASE)),
    ((0, 6), (_FIGURES, *_BASE)),
    ((), _BASE),
)

# A number of more digits than this is no release number, and int() itself refuses 4,300.
_DIGITS = 18


def release(version: object) -> tuple[int, ...]:
    """The dotted integers that `version` starts with: (0, 8, 0) for "0.8.0rc1". Empty if there are none.

    version: `agent_style.__version__`, or whatever stands in its place.
    """
    numbers: list[int] = []
    for part in version.split(".") if isinstance(version, str) else ():
        digits = part[: _leading_digits(part)]
        if not digits or len(digits) > _DIGITS:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers)


def _leading_digits(part: str) -> int:
    return next((at for at, c in enumerate(part) if c not in "0123456789"), len(part))


def detectors(version: object) -> tuple[Detector, ...]:
    """The set of a release, in its order; a version that cannot be read counts as older than all others (SPEC V2)."""
    found = release(version)
    return next(rows for first, rows in SETS if found >= first)


def absent(version: object) -> list[tuple[str, str]]:
    """The rules that later sets have and this one has not, each with the first release that has it, as text."""
    labels = {row.label for row in detectors(version)}
    newer: dict[str, str] = {}
    for first, rows in SETS:
        newer |= {row.label: ".".join(map(str, (*first, 0))) for row in rows if row.label not in labels}
    return sorted(newer.items())
