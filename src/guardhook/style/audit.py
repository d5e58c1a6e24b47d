"""The pre-review audit (SPEC T1-T4): what the hook's rules say of the prose that a change brings in.

It sees edits that no hook saw: made by hand, by another agent, by a script. Unlike the advisory it takes each rule by
itself, so that one that fails is named and the others still count.
"""

import json
import os
from typing import Any

from guardhook.prose import scope, spans, words
from guardhook.style import advise, isolation, releases
from guardhook.style.changes import Change, Prose

WORDS = "banned words"
RAN, IN_PART, DID_NOT_RUN = "ran", "ran in part", "did not run"
# Seconds that one detector may take for one file.
SILENCE = 30.0
_NOTHING = "the change holds no prose"
_CARRIED = "carried text, in a folder agent-io"
_NOT_REACHED = "it was not reached"


class Found:
    """One finding. path: as in the change. line, column: from 1, 0 if unknown. document: see SPEC T3."""

    __slots__ = ("column", "detail", "document", "line", "path", "rule")

    def __init__(self, path: str, rule: str, line: int, column: int, detail: str, document: bool = False) -> None:
        self.path = path
        self.rule = rule
        self.line = line
        self.column = column
        self.detail = detail
        self.document = document


class Rule:
    """How it went with one rule. status: RAN, IN_PART or DID_NOT_RUN. why: for the latter two, else a remark or ""."""

    __slots__ = ("name", "status", "why")

    def __init__(self, name: str, status: str, why: str = "") -> None:
        self.name = name
        self.status = status
        self.why = why


class Report:
    """findings: in the order of the files, those about a document first. rules: one a rule. version: agent-style's.

    all_lines: nothing was left out for standing on an unchanged line.
    """

    __slots__ = ("all_lines", "change", "findings", "rules", "version")

    def __init__(self, change: Change, all_lines: bool) -> None:
        self.change = change
        self.all_lines = all_lines
        self.findings: list[Found] = []
        self.rules: list[Rule] = []
        self.version = ""


def audit(change: Change, folders: "tuple[str, ...]" = (), all_lines: bool = False) -> Report:
    """Read every file of a change. folders: where agent_style may be besides the module path.

    all_lines: keep findings on lines that the change did not add. Raises nothing of its own.
    """
    report = Report(change, all_lines)
    texts = [advise.unified(prose.data.decode("utf-8-sig", "replace")) for prose in change.files]
    style = _Style(change.files, texts, folders)
    style.run()
    report.version = style.version
    carried = {prose.path for prose in change.files if scope.is_carried(prose.place, "", dict(os.environ))}
    banned = [
        [] if prose.path in carried else _banned(prose, text) for prose, text in zip(change.files, texts, strict=True)
    ]
    for prose, hits, remarks in zip(change.files, banned, style.findings, strict=True):
        kept = [found for found in hits + remarks if all_lines or _is_kept(found, prose)]
        report.findings += sorted(kept, key=lambda found: (not found.document, found.line, found.column))
    report.rules = [_words_rule(change.files, carried), *style.rules()]
    return report


def _is_kept(found: Found, prose: Prose) -> bool:
    return found.document or prose.added is None or found.line in prose.added


def _banned(prose: Prose, text: str) -> list[Found]:
    blanked = spans.blank(text, scope.extension(prose.path))
    return [
        Found(prose.path, WORDS, hit.line, hit.column, f"{hit.word}: {hit.replacement}") for hit in words.hits(blanked)
    ]


def _words_rule(files: list[Prose], carried: set[str]) -> Rule:
    if not files:
        return Rule(WORDS, DID_NOT_RUN, _NOTHING)
    if carried:
        status = IN_PART if len(carried) < len(files) else DID_NOT_RUN
        return Rule(WORDS, status, "not on " + ", ".join(f"{path} ({_CARRIED})" for path in sorted(carried)))
    return Rule(WORDS, RAN)


class _Style:
    """agent-style over all files of a change, in a process of its own. What it had said before it failed counts."""

    def __init__(self, files: list[Prose], texts: list[str], folders: "tuple[str, ...]") -> None:
        self.version = ""
        self.findings: list[list[Found]] = [[] for _ in files]
        self._files = files
        self._texts = texts
        self._folders = folders
        self._unusable = "" if files else _NOTHING
        self._rows: list[dict[str, Any]] = []
        self._absent: list[tuple[str, str]] = []
        self._failed: dict[str, dict[int, str]] = {}  # rule -> number of the file -> cause
        self._carried = [number for number, prose in enumerate(files) if scope.marked_anywhere(prose.place)]
        # Short files first: a detector that needs too long for a long one then costs the others nothing.
        plain = set(range(len(files))).difference(self._carried)
        self._todo = sorted(plain, key=lambda number: len(texts[number]))

    def run(self) -> None:
        """Fill `findings`; `rules` then says how it went."""
        said, cause = bytearray(), _NOT_REACHED
        if not self._files:
            return
        try:
            isolation.run(self._work, said.extend, SILENCE)
        except isolation.UnfinishedError as error:
            cause = f"the package {error}"
        documents = [json.loads(line) for line in said.split(b"\n")[:-1]]
        if not documents:
            self._unusable = cause
        elif "unusable" in documents[0]:
            self._unusable = documents[0]["unusable"]
        else:
            self._take(documents, cause)

    def _work(self, send: "isolation.Send") -> None:
        """In the other process: one line of JSON about the package, then one for each file and rule."""
        package = advise.load(self._folders)
        if isinstance(package, str):
            send(_line({"unusable": package}))
            return
        rows = [
            {"rule": row.label, "name": row.name, "missing": row.name in package.missing, "profile": row.whole_document}
            for row in package.rows
        ]
        send(_line({"version": package.version, "rows": rows, "absent": releases.absent(package.version)}))
        for number in self._todo:
            prose = self._files[number]
            text = spans.blank(self._texts[number], scope.extension(prose.path))
            for row in package.rows:
                if row.name not in package.missing:
                    send(_answer(number, row.label, advise.findings_of(package, row, text, prose.place)))

    def _take(self, documents: list[dict[str, Any]], cause: str) -> None:
        head, *answers = documents
        self.version, self._rows, self._absent = head["version"], head["rows"], head["absent"]
        for row in self._rows:
            carried = dict.fromkeys(self._carried, _CARRIED)
            self._failed[row["rule"]] = carried | dict.fromkeys(self._todo, _NOT_REACHED)
        for answer in answers:
            number, rule = answer["file"], answer["rule"]
            if "failed" in answer:
                self._failed[rule][number] = answer["failed"]
                continue
            del self._failed[rule][number]
            path = self._files[number].path
            self.findings[number] += [Found(path, rule, *found) for found in answer["found"]]
        self._blame(cause)

    def _blame(self, cause: str) -> None:
        """The first file and rule without an answer is the one at which the package went down."""
        for number in self._todo:
            for row in self._rows:
                if not row["missing"] and self._failed[row["rule"]].get(number) == _NOT_REACHED:
                    self._failed[row["rule"]][number] = cause
                    return

    def rules(self) -> list[Rule]:
        """The set's rules in their order, then those that the release has not."""
        if self._unusable:
            return [Rule(row.label, DID_NOT_RUN, self._unusable) for row in releases.SETS[0][1]]
        later = [Rule(rule, DID_NOT_RUN, f"it comes with agent-style {first}") for rule, first in self._absent]
        return [self._rule(row) for row in self._rows] + later

    def _rule(self, row: dict[str, Any]) -> Rule:
        name, failed = row["rule"], self._failed[row["rule"]]
        if row["missing"]:
            return Rule(name, DID_NOT_RUN, f"this agent-style lacks {row['name']}, which its release should have")
        if failed:
            where = [f"{self._files[number].path} ({cause})" for number, cause in sorted(failed.items())]
            status = IN_PART if len(failed) < len(self._files) else DID_NOT_RUN
            return Rule(name, status, "not on " + ", ".join(where))
        return Rule(name, RAN, "the document profile; sentences are not judged one by one" if row["profile"] else "")


def _line(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode() + b"\n"


def _answer(number: int, rule: str, found: "list[advise.Finding] | str") -> bytes:
    document: dict[str, Any] = {"file": number, "rule": rule}
    if isinstance(found, str):
        return _line({**document, "failed": found})
    rows = [(item.line, item.column, item.detail, item.document) for item in found]
    return _line({**document, "found": rows})
