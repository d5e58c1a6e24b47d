"""The style advisory (SPEC V1-V7): what agent-style finds in a text on its way into a prose file, in one message.

agent-style may be absent, broken or of a release nobody has seen: then there is no advisory, and no word about it,
since the hook runs in many places that have no use for the package. Hence the one catch-all outside the fault policy.
"""

import sys

from guardhook.style import isolation, releases
from guardhook.verdict import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

# Bytes of text, SPEC V1.
LIMIT = 200_000
# Findings that are printed, SPEC V5.
PRINTED = 5
# Seconds: half of what the whole hook has (SPEC A9). Some detectors of 0.5.0 to 0.9.0 take time that grows with the
# square of the lines; 3,000 short lines take 3 s in all.
SILENCE = 2.5
# Where nothing can end a detector that runs too long, a text of more lines is left alone.
LINES_WITHOUT_FORK = 2_000
# Characters of a finding's text.
_DETAIL = 400
# What Python takes for the end of a line and neither git nor an editor does; a detector would count it.
_NO_LINE_ENDS = dict.fromkeys(map(ord, "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


class Finding:
    """line and column count from 1, 0 if unknown. document: it speaks of the document, not of the place (SPEC T3)."""

    __slots__ = ("column", "detail", "document", "label", "line")

    def __init__(self, label: str, line: int, column: int, detail: str, document: bool) -> None:
        self.label = label
        self.line = line
        self.column = column
        self.detail = detail
        self.document = document


class Package:
    """agent_style as it was imported. rows: the set of its release. missing: the names of the set that it lacks."""

    __slots__ = ("missing", "module", "prefix", "rows", "version")

    def __init__(self, version: object, module: "ModuleType") -> None:
        self.version = version[:40] if isinstance(version, str) else ""
        self.module = module
        self.rows = releases.detectors(version)
        self.missing = [row.name for row in self.rows if not callable(getattr(module, row.name, None))]
        prefix = getattr(module, "_PF_DOCUMENT_PREFIX", "")
        self.prefix = prefix if isinstance(prefix, str) else ""


def advise(text: str, extension: str, path: str, folders: "tuple[str, ...] | list[str]") -> str:
    """The advisory for a text that a tool is about to write, "" if there is nothing to say. Never raises.

    text: the outgoing text as it is. extension: `.md`, `.tex`, `.rst` or `.txt`, for the code spans. path: the file.
    folders: where agent_style was at install, put last on the module path for the import.
    """
    return advise_edits((text,), extension, path, folders)


def advise_edits(
    texts: "tuple[str, ...] | list[str]", extension: str, path: str, folders: "tuple[str, ...] | list[str]"
) -> str:
    """`advise` for several new texts of one file, each read alone, its lines from its own first (SPEC V4)."""
    try:
        if not _is_wanted(texts, folders):
            return ""
        answer = bytearray()
        isolation.run(lambda send: _task(send, texts, extension, path, folders), answer.extend, SILENCE)
        return answer.decode("utf-8")
    except BaseException:  # a package that is not ours
        return ""


def _is_wanted(texts: "tuple[str, ...] | list[str]", folders: "tuple[str, ...] | list[str]") -> bool:
    if sys.flags.isolated and sys.flags.no_site and not folders:  # as wired, with no folder recorded
        return False
    if not isolation.FORKS and sum(text.count("\n") for text in texts) > LINES_WITHOUT_FORK:
        return False
    return 0 < sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) <= LIMIT


def _task(
    send: "isolation.Send",
    texts: "tuple[str, ...] | list[str]",
    extension: str,
    path: str,
    folders: "tuple[str, ...] | list[str]",
) -> None:
    package = load(folders)
    if not isinstance(package, Package) or package.missing:
        return
    prose = [plain(text, extension) for text in texts]
    findings: list[tuple[int, Finding]] = []
    for row in package.rows:
        for number, text in enumerate(prose, 1):
            found = findings_of(package, row, text, path)
            if isinstance(found, str):
                return
            findings += [(number, finding) for finding in found]
    send(_message(findings, len(texts) > 1, path).encode("utf-8", "replace"))


def load(folders: "tuple[str, ...] | list[str]") -> "Package | str":
    """agent_style from the module path, `folders` last on it; or why it cannot be had, in one line.

    For use inside `isolation.run`: the import runs code that is not ours.
    """
    before = sys.path[:]
    sys.path.extend(folders)
    try:
        package = __import__("agent_style")
        module = __import__("agent_style.review.detectors_mech", None, None, ["_rule_12"])
        return Package(getattr(package, "__version__", None), module)
    except ModuleNotFoundError as error:
        return "agent-style is not installed" if error.name == "agent_style" else _cause(error)
    except BaseException as error:
        return _cause(error)
    finally:
        sys.path[:] = before


def plain(text: str, extension: str) -> str:
    """The text as the detectors get it: code blanked, and lines that Python counts as git and editors do (SPEC V4)."""
    from guardhook.prose import spans

    return spans.blank(unified(text), extension)


def unified(text: str) -> str:
    """The text with `\\n` as its only line end, and as many lines as git counts."""
    return text.replace("\r\n", "\n").translate(_NO_LINE_ENDS)


def findings_of(package: Package, row: releases.Detector, text: str, path: str) -> "list[Finding] | str":
    """What one detector finds, in its order; or how it failed, in one line."""
    try:
        detector = getattr(package.module, row.name)
        found = detector(text, file_path=path) if row.takes_path else detector(text)
        return [_finding(package, row, item) for item in found]
    except BaseException as error:
        return _cause(error)


def _finding(package: Package, row: releases.Detector, item: object) -> Finding:
    detail = str(getattr(item, "detail", ""))
    document = row.whole_document or (bool(package.prefix) and detail.startswith(package.prefix))
    line, column = getattr(item, "line", 0), getattr(item, "column", 0)
    return Finding(row.label, _number(line), _number(column), shown(" ".join(detail.split()), _DETAIL), document)


def _number(value: object) -> int:
    return value if type(value) is int and value > 0 else 0


def _cause(error: BaseException) -> str:
    return shown(f"{type(error).__name__}: {error}".rstrip(": "), 200)


def _message(findings: list[tuple[int, Finding]], several: bool, path: str) -> str:
    if not findings:
        return ""
    count = len(findings)
    departures = "1 departure" if count == 1 else f"{count} departures"
    lines = [
        f"Style, {shown(path, 300)}: {departures} from typical human prose. One that reads well can stay; this hook "
        "did not block the write."
    ]
    for number, finding in findings[:PRINTED]:
        where = [f"edit {number}"] if several else []
        where += [f"line {finding.line}"] if finding.line else []
        lines.append("- " + ", ".join([*where, finding.label]) + f": {finding.detail}")
    if count > PRINTED:
        lines.append(f"- and {count - PRINTED} more")
    return "\n".join(lines)
