"""Codex's patch form (SPEC X3). Each row of the tables is what `apply_patch` of Codex 0.171.0 does with it."""

import gc
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardhook.agents import patch
from guardhook.agents.patch import ADD, DELETE, UPDATE, FilePatch

A = "*** Update File: a\n"
OLD = "one\ntwo\nthree\n"


def _wrapped(body: str) -> str:
    return f"*** Begin Patch\n{body}*** End Patch\n"


def _files(text: str) -> list[FilePatch]:
    files = patch.parse(text)
    assert files is not None
    return files


def _shown(text: str) -> list[tuple[str, str, "str | None", str]]:
    return [(file.action, file.path, file.destination, file.added) for file in _files(text)]


ADDED_B = [(ADD, "b", "b", "x")]
ACCEPTED = {
    "plain": (_wrapped("*** Add File: b\n+x\n"), ADDED_B),
    "no final newline": ("*** Begin Patch\n*** Add File: b\n+x\n*** End Patch", ADDED_B),
    "blank lines around": (" \n\n" + _wrapped("*** Add File: b\n+x\n") + "\n\t\n", ADDED_B),
    "no-break space around": ("\xa0" + _wrapped("*** Add File: b\n+x\n"), ADDED_B),
    "indented begin and end": ("  *** Begin Patch\n*** Add File: b\n+x\n\t*** End Patch", ADDED_B),
    "indented header": (_wrapped("  *** Add File: b\n+x\n"), ADDED_B),
    "indented header after content": (
        _wrapped("*** Add File: b\n+x\n  *** Add File: c\n+y\n"),
        [*ADDED_B, (ADD, "c", "c", "y")],
    ),
    "trailing blanks of markers": ("*** Begin Patch \n*** Add File: b \t\n+x\n*** End Patch  ", ADDED_B),
    "trailing no-break space of a path": (_wrapped("*** Add File: b\xa0\n+x\n"), ADDED_B),
    "leading blanks of a path stay": (_wrapped("*** Add File:   b c\n+x\n"), [(ADD, "  b c", "  b c", "x")]),
    "a separator character in a path stays": (_wrapped("*** Add File: b\x1c\n"), [(ADD, "b\x1c", "b\x1c", "")]),
    "quotes of a path are literal": (_wrapped('*** Add File: "b"\n+x\n'), [(ADD, '"b"', '"b"', "x")]),
    "here-document, quoted": ("<<'EOF'\n" + _wrapped("*** Add File: b\n+x\n") + "EOF\n", ADDED_B),
    "here-document, double-quoted": ('<<"EOF"\n' + _wrapped("*** Add File: b\n+x\n") + "EOF", ADDED_B),
    "here-document, bare": ("\n<<EOF\n" + _wrapped("*** Add File: b\n+x\n") + "  xEOF\n", ADDED_B),
    "here-document, CRLF": ("<<EOF\r\n*** Begin Patch\r\n*** Add File: b\r\n+x\r\n*** End Patch\r\nEOF\r\n", ADDED_B),
    "CRLF": ("*** Begin Patch\r\n*** Add File: b\r\n+x\r\n*** End Patch\r\n", ADDED_B),
    "two returns a line": (_wrapped("*** Add File: b\n+x\r\r\n"), ADDED_B),
    "a return inside a line": (_wrapped("*** Add File: b\n+x\ry\n"), [(ADD, "b", "b", "x\ry")]),
    "add nothing": (_wrapped("*** Add File: b\n"), [(ADD, "b", "b", "")]),
    "markers behind a plus": (
        _wrapped("*** Add File: b\n+*** Delete File: a\n+*** End Patch\n"),
        [(ADD, "b", "b", "*** Delete File: a\n*** End Patch")],
    ),
    "delete": (_wrapped("*** Delete File: a\n"), [(DELETE, "a", None, "")]),
    "several files": (
        _wrapped("*** Delete File: a\n*** Add File: b\n+x\n" + A + "@@\n-one\n+1\n*** Delete File: c\n"),
        [(DELETE, "a", None, ""), *ADDED_B, (UPDATE, "a", "a", "1"), (DELETE, "c", None, "")],
    ),
    "move": (_wrapped(A + "*** Move to: m \n@@\n-one\n+1\n"), [(UPDATE, "a", "m", "1")]),
    "move to itself": (_wrapped(A + "*** Move to: a\n@@\n-one\n+1\n"), [(UPDATE, "a", "a", "1")]),
    "end of file before the first hunk": (_wrapped(A + "*** End of File\n-one\n+1\n"), [(UPDATE, "a", "a", "1")]),
    "blank lines after end of file": (
        _wrapped(A + "@@\n+1\n*** End of File\n\n  \n*** Add File: b\n+x\n"),
        [(UPDATE, "a", "a", "1"), *ADDED_B],
    ),
    "an early end": (_wrapped("*** Add File: b\n+x\n*** End Patch\n\n"), ADDED_B),
    "environment": (_wrapped("*** Environment ID: e\n*** Add File: b\n+x\n"), ADDED_B),
}


@pytest.mark.parametrize(("text", "files"), ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(text: str, files: list[tuple[str, str, "str | None", str]]) -> None:
    assert _shown(text) == files


REFUSED = {
    "nothing": "",
    "no patch": "pivotal\n",
    "one line": "*** Begin Patch",
    "no file": _wrapped(""),
    "text before": "x\n" + _wrapped("*** Add File: b\n+x\n"),
    "text after": _wrapped("*** Add File: b\n+x\n") + "x\n",
    "a byte order mark before": "\ufeff" + _wrapped("*** Add File: b\n+x\n"),
    "a separator character before": "\x1c" + _wrapped("*** Add File: b\n+x\n"),
    "no end": "*** Begin Patch\n*** Add File: b\n+x\n",
    "no begin": "*** Add File: b\n+x\n*** End Patch\n",
    "two patches": _wrapped("*** Add File: b\n+x\n") * 2,
    "lines after an early end": _wrapped("*** Add File: b\n+x\n*** End Patch\n+y\n"),
    "begin twice": _wrapped("*** Begin Patch\n*** Add File: b\n+x\n"),
    "another delimiter": "<<END\n" + _wrapped("*** Add File: b\n+x\n") + "END",
    "dashed here-document": "<<-EOF\n" + _wrapped("*** Add File: b\n+x\n") + "EOF",
    "blank after the delimiter": "<<EOF \n" + _wrapped("*** Add File: b\n+x\n") + "EOF",
    "blank line in a here-document": "<<EOF\n\n" + _wrapped("*** Add File: b\n+x\n") + "EOF",
    "no blank before the path": _wrapped("*** Add File:b\n+x\n"),
    "no path": _wrapped("*** Add File: \n+x\n"),
    "no colon": _wrapped("*** Add File\n+x\n"),
    "lower case": _wrapped("*** add file: b\n+x\n"),
    "added line without its plus": _wrapped("*** Add File: b\nx\n"),
    "added line behind a blank": _wrapped("*** Add File: b\n +x\n"),
    "blank line in an add": _wrapped("*** Add File: b\n+x\n\n+y\n"),
    "blank line before a header": _wrapped("\n*** Add File: b\n+x\n"),
    "blank line after a delete": _wrapped("*** Delete File: a\n\n*** Add File: b\n+x\n"),
    "end of file in an add": _wrapped("*** Add File: b\n+x\n*** End of File\n"),
    "empty environment": _wrapped("*** Environment ID: \n*** Add File: b\n+x\n"),
    "two environments": _wrapped("*** Environment ID: e\n*** Environment ID: f\n*** Add File: b\n+x\n"),
    "update of nothing": _wrapped(A),
    "update of nothing before a header": _wrapped(A + "*** Delete File: a\n"),
    "hunk of nothing": _wrapped(A + "@@\n"),
    "hunk of nothing before another": _wrapped(A + "@@\n@@\n-one\n"),
    "context of nothing": _wrapped(A + "@@ one\n@@ two\n-three\n"),
    "last hunk of nothing": _wrapped(A + "@@\n-one\n@@\n"),
    "end of file alone": _wrapped(A + "*** End of File\n"),
    "end of file after a bare marker": _wrapped(A + "@@\n*** End of File\n"),
    "end of file twice": _wrapped(A + "@@\n-one\n*** End of File\n*** End of File\n"),
    "lines after end of file": _wrapped(A + "@@\n-one\n*** End of File\n+x\n"),
    "marker glued to its context": _wrapped(A + "@@one\n-two\n"),
    "tab after the marker": _wrapped(A + "@@\tone\n-two\n"),
    "line without a mark": _wrapped(A + "@@\n-one\none\n"),
    "line of a tab": _wrapped(A + "@@\n-one\n\t\n"),
    "header behind a tab": _wrapped(A + "@@\n-one\n\t*** Add File: b\n+x\n"),
    "move without a hunk": _wrapped(A + "*** Move to: m\n"),
    "move to nothing": _wrapped(A + "*** Move to: \n@@\n-one\n"),
    "move twice": _wrapped(A + "*** Move to: a\n*** Move to: m\n@@\n-one\n"),
    "move after a hunk": _wrapped(A + "@@\n-one\n*** Move to: m\n"),
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_refused(text: str) -> None:
    assert patch.parse(text) is None


CURLY = "\u201cq\u201d \u2013 it\u2019s\n"
RESULTS = {
    "with its marker": ("@@\n one\n-two\n+2\n three\n", OLD, "one\n2\nthree\n"),
    "without its marker": (" one\n-two\n+2\n three\n", OLD, "one\n2\nthree\n"),
    "several hunks": ("@@\n-one\n+1\n@@\n-three\n+3\n", OLD, "1\ntwo\n3\n"),
    "context above": ("@@ two\n-x\n+y\n", "x\ntwo\nx\n", "x\ntwo\ny\n"),
    "context above, trimmed": ("@@   two \n-x\n+y\n", "x\ntwo\nx\n", "x\ntwo\ny\n"),
    "context above, missing": ("@@ four\n-one\n+1\n", OLD, None),
    "context above, of a line number": ("@@ -1,2 +1,2 @@\n-one\n+1\n", OLD, None),
    "several contexts": ("@@ f\n-x\n+1\n@@ g\n-x\n+2\n", "x\nf\nx\nx\ng\nx\n", "x\nf\n1\nx\ng\n2\n"),
    "marker with trailing blanks": ("@@ \t\n-one\n+1\n", OLD, "1\ntwo\nthree\n"),
    "indented marker is context": ("  @@\n-one\n+1\n", OLD, None),
    "indented headers are context": (
        "@@\n-one\n+1\n *** Add File: q\n *** End Patch\n+z\n",
        "one\n*** Add File: q\n*** End Patch\n",
        "1\n*** Add File: q\n*** End Patch\nz\n",
    ),
    "blank context without its blank": ("@@\n a\n\n-b\n+c\n", "a\n\nb\n", "a\n\nc\n"),
    "a blank line between hunks": ("@@\n-one\n+1\n\n@@\n-three\n+3\n", OLD, "1\ntwo\n3\n"),
    "a blank line before the first hunk": ("\n@@\n-one\n+1\n", OLD, "1\ntwo\nthree\n"),
    "two blank lines before the first hunk": ("\n\n@@\n-one\n+1\n", OLD, None),
    "a line of blanks is context": ("@@\n-three\n+3\n   \n", OLD, None),
    "trailing blanks in the patch": ("@@\n one \t\n+1\n", OLD, "one\n1\ntwo\nthree\n"),
    "trailing blanks in the file": ("@@\n one\n+1\n", "one  \n", "one  \n1\n"),
    "leading blanks": ("@@\n   one\n-\ttwo\n+2\n", OLD, "one\n2\nthree\n"),
    "typographic characters in the file": ('@@\n "q" - it\'s\n+x\n', CURLY, CURLY + "x\n"),
    "typographic characters in the patch": ("@@\n-a \u2014 b\n+c\n", "a - b\n", "c\n"),
    "a no-break space": ("@@\n-a b\n+c\n", "a\xa0b\n", "c\n"),
    "an ellipsis is none of them": ("@@\n-a...b\n+c\n", "a\u2026b\n", None),
    "exact comes first, wherever it is": ("@@\n-x\n+y\n", "x  \n  x\nx\n", "x  \n  x\ny\n"),
    "trailing blanks come before leading": ("@@\n-x\n+y\n", "  x\nx  \n", "  x\ny\n"),
    "never backwards": ("@@\n-three\n+3\n@@\n-one\n+1\n", OLD, None),
    "never twice": ("@@\n one\n-two\n@@\n-two\n", OLD, None),
    "longer than the file": ("@@\n one\n two\n three\n four\n", OLD, None),
    "end of file": ("@@\n same\n+x\n*** End of File\n", "same\na\nsame\n", "same\na\nsame\nx\n"),
    "end of file, elsewhere only": ("@@\n-one\n+1\n*** End of File\n", OLD, None),
    "end of file, leniently": ("@@\n- three\n+3\n*** End of File  \n", OLD, "one\ntwo\n3\n"),
    "end of file, already passed": ("@@\n three\n+x\n@@\n three\n+y\n*** End of File\n", OLD, None),
    "end of file, then another hunk": ("@@\n-three\n+3\n*** End of File\n\n@@\n+4\n", OLD, "one\ntwo\n3\n4\n"),
    "last blank line stands for the newline": ("@@\n-three\n+3\n\n", OLD, "one\ntwo\n3\n"),
    "only one of them does": ("@@\n-three\n+3\n\n\n", OLD, None),
    "with a last added blank line": ("@@\n-three\n-\n+x\n+\n", OLD, "one\ntwo\nx\n"),
    "kept where lines are added behind it": ("@@\n three\n \n+y\n", OLD, "one\ntwo\nthree\n\ny\n"),
    "and takes a blank line of the file": ("@@\n a\n \n-\n", "a\n\nb\n", "a\nb\n"),
    "at the end of the file": ("@@\n a\n \n-\n*** End of File\n", "a\n\n", "a\n"),
    "blank alone": ("@@\n-\n+y\n", "one\n", "y\none\n"),
    "additions alone go to the end": ("@@\n+x\n", OLD, OLD + "x\n"),
    "whatever the context": ("@@ one\n+x\n", OLD, OLD + "x\n"),
    "behind a last blank line": ("@@\n+x\n", "one\n\n", "one\n\nx\n"),
    "of an empty file": ("@@\n+x\n", "", "x\n"),
    "of a file without a last newline": ("@@\n+x\n", "one", "one\nx\n"),
    "before later hunks": ("@@\n+x\n@@\n-one\n+1\n", OLD, "1\ntwo\nthree\nx\n"),
    "before later additions at the end": ("@@\n+x\n@@\n three\n+y\n", OLD, OLD + "x\ny\n"),
    "but not a later change of the last line": ("@@\n+x\n@@\n-three\n+3\n", OLD, "one\ntwo\n3\nx\n"),
    "the last newline is added": ("@@\n-one\n+1\n", "one\ntwo", "1\ntwo\n"),
    "everything goes": ("@@\n-one\n-two\n-three\n", OLD, ""),
    "CRLF file": ("@@\n-one\n+1\n two\n", "one\r\ntwo\r\n", "1\r\ntwo\r\n"),
    "CR file": ("@@\n-one\n+1\n two\n", "one\rtwo\r", "1\rtwo\r"),
    "mixed endings, the first one counts": ("@@\n-two\n+2\n", "one\r\ntwo\nthree\n", "one\r\n2\r\nthree\n"),
    "two returns are a line of their own": ("@@\n one\n-two\n", "one\r\r\ntwo\r\n", None),
    "other separators are content": ("@@\n-a\x0bb\u2028c\x85d\n+x\n", "a\x0bb\u2028c\x85d\n", "x\n"),
    "a byte order mark is content": ("@@\n-one\n+1\n", "\ufeffone\n", None),
    "a byte order mark stays": ("@@\n-two\n+2\n", "\ufeffone\ntwo\n", "\ufeffone\n2\n"),
    "NUL": ("@@\n-a\0\n+x\0\n", "a\0\n", "x\0\n"),
}


@pytest.mark.parametrize(("body", "old", "new"), RESULTS.values(), ids=RESULTS)
def test_results(body: str, old: str, new: "str | None") -> None:
    result = _files(_wrapped(A + body))[0].result(old)
    assert (None if result is None else result[0]) == new


def test_spans_are_the_added_lines() -> None:
    text, spans = _files(_wrapped(A + "@@\n one\n+x\n-two\n+\n+yy\n@@\n+z\n"))[0].result("one\r\ntwo\r\nthree") or (
        "",
        [],
    )
    assert text == "one\r\nx\r\n\r\nyy\r\nthree\r\nz\r\n"
    assert [text[start:end] for start, end in spans] == ["x", "", "yy", "z"]
    assert spans[0] == (5, 6)


def test_a_context_line_without_place_is_not_added() -> None:
    text, spans = _files(_wrapped(A + "@@\n three\n \n+y\n"))[0].result(OLD) or ("", [])
    assert [text[start:end] for start, end in spans] == ["y"]


def test_an_add_replaces_and_a_delete_leaves_nothing() -> None:
    add, delete = _files(_wrapped("*** Add File: b\n+x\n+\n+y\n*** Delete File: c\n"))
    assert add.result(None) == add.result("old\r\n") == ("x\n\ny\n", [(0, 1), (2, 2), (3, 4)])
    assert delete.result(OLD) is None


def test_an_update_of_what_cannot_be_read() -> None:
    file = _files(_wrapped(A + "@@\n one\n+x\n-two\n+y\n"))[0]
    assert file.result(None) is None
    assert file.added == "x\ny"


LINES = st.text(st.sampled_from("ab \u201c\u2013\xa0\x1c`*@+-"), max_size=4)
KEEP, DROP = range(2)


@st.composite
def _edits(draw: st.DrawFn) -> tuple[list[str], list[tuple[int, list[str]]], str]:
    """A file's lines, what happens to each with the lines that come after it, and its line ending."""
    lines = draw(st.lists(LINES, min_size=1, max_size=12))
    edits = [
        (draw(st.sampled_from((KEEP, KEEP, DROP))), draw(st.lists(LINES, max_size=2)) if draw(st.booleans()) else [])
        for _ in lines
    ]
    return lines, edits, draw(st.sampled_from(("\n", "\r\n", "\r")))


@given(_edits())
def test_round_trip_of_one_hunk(case: tuple[list[str], list[tuple[int, list[str]]], str]) -> None:
    lines, edits, ending = case
    body, kept, added = ["@@"], [], []
    for line, (fate, new) in zip(lines, edits, strict=True):
        body += [("-" if fate == DROP else " ") + line, *["+" + text for text in new]]
        kept += ([] if fate == DROP else [line]) + new
        added += new
    file = _files(_wrapped(A + "".join([line + "\n" for line in body])))[0]
    text, spans = file.result("".join([line + ending for line in lines])) or ("", [])
    assert text == "".join([line + ending for line in kept])
    assert [text[start:end] for start, end in spans] == added
    assert file.added == "\n".join(added)


@given(st.lists(st.tuples(st.booleans(), st.lists(LINES, max_size=2)), min_size=1, max_size=12), st.booleans())
def test_round_trip_of_a_hunk_a_line(edits: list[tuple[bool, list[str]]], lenient: bool) -> None:
    """Every second line is a hunk of its own; the file's lines differ from each other, leniently written too."""
    body, old, kept, added = "", [], [], []
    for number, (drop, new) in enumerate(edits):
        line = f"\u201c{number}\u201d"
        old += [line, f"between {number}"]
        body += ("@@\n" if number else "") + ("-" if drop else " ")
        body += (f' "{number}" ' if lenient else line) + "\n" + "".join([f"+{text}\n" for text in new])
        kept += ([] if drop else [line]) + [*new, f"between {number}"]
        added += new
    text, spans = _files(_wrapped(A + body))[0].result("\n".join(old)) or ("", [])
    assert text == "".join([line + "\n" for line in kept])
    assert [text[start:end] for start, end in spans] == added


PIECES = [
    *("*** Begin Patch", "*** End Patch", "*** Add File: b", "*** Delete File: a", "*** Update File: a"),
    *("*** Move to: m", "*** End of File", "*** Environment ID: e", "@@", "@@ a", "@@x", "<<EOF", "EOF"),
    *("", " ", "  ", " a", "-a", "-", "+a", "+", "\ta", "\r", "a", "\x1c", "\ud800"),
]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES)), st.sampled_from(("", "a", "a\n\na\r\n", "\r", "\ud800\na\n")))
def test_lines_of_a_patch_in_any_order(pieces: list[str], old: str) -> None:
    """Nothing raises; a result holds exactly the added lines at its spans, but for blank ones that Codex leaves out."""
    for file in patch.parse(_wrapped("".join([piece + "\n" for piece in pieces]))) or []:
        result = file.result(old)
        if result is not None:
            text, spans = result
            found = [text[start:end] for start, end in spans]
            assert sorted(filter(None, found)) == sorted(filter(None, file.added.split("\n")))
            assert spans == sorted(spans)


@given(st.text(), st.text())
def test_any_text(text: str, old: str) -> None:
    assert patch.parse(text) is None
    whole = _files(_wrapped(A + "@@\n+b\n"))[0].result(old)
    assert whole is not None
    assert [whole[0][start:end] for start, end in whole[1]] == ["b"]
    assert whole[0].startswith(old)


def _timed(body: str, old: str) -> tuple["tuple[str, list[tuple[int, int]]] | None", float]:
    gc.collect()
    gc.disable()  # as the launcher does
    begin = time.process_time()
    result = _files(_wrapped(A + body))[0].result(old)
    taken = time.process_time() - begin
    gc.enable()
    return result, taken


MANY = 60_000
DISTINCT = "".join([f"{number}\nx\n" for number in range(MANY)])
HOSTILE = {
    "many hunks": ("".join([f"@@\n-{n}\n+y\n" for n in range(MANY)]), DISTINCT, True),
    "many lenient hunks": ("".join([f"@@\n- {n} \n+y\n" for n in range(MANY)]), DISTINCT, True),
    "many contexts": ("".join([f"@@ {n}\n-x\n+y\n" for n in range(MANY)]), DISTINCT, True),
    "many blank hunks": ("@@\n-\n+\n" * MANY, "\n" * MANY, True),
    "many additions": ("@@\n+x\n" * MANY, "x\n", True),
    "one large hunk": ("+x\n" * 300_000, "", True),
    "one long line": ("-" + "x" * 1_000_000 + "\n+y\n", "x" * 1_000_000, True),
    "a file of returns": ("-x\n+y\n", "x\r" * 500_000, True),
    "near misses": ("@@\n" + "-a\n" * 1000 + "-b\n", ("a\n" * 999 + "b\n") * 500, False),
    # Every hunk matches at once, but only after each stricter way has looked at the whole rest of the file.
    "matches that all need leniency": ("@@\n-a\n-b\n" * MANY, "a\nb \nb\na \n" * MANY, False),
}


@pytest.mark.parametrize(("body", "old", "matches"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_sizes(body: str, old: str, matches: bool) -> None:
    result, _ = _timed(body, old)
    assert (result is not None) == matches


def test_time_grows_with_the_patch_and_no_faster() -> None:
    def seconds(hunks: int) -> float:
        old = "".join([f"{number}\nx\n" for number in range(hunks)])
        return min(_timed("".join([f"@@\n- {n} \n+y\n" for n in range(hunks)]), old)[1] for _ in range(3))

    # Eight times the size; sixteen times the time leaves room for a noisy machine, sixty-four would be quadratic.
    assert seconds(40_000) < 16 * seconds(5_000)


def test_the_bound_is_for_all_files_of_a_patch() -> None:
    files = _files(_wrapped((A + " a\n+x\n") * 5000))
    old = "a\n" * 200_000
    found = [file.result(old) is not None for file in files]
    assert found[0]
    assert not found[-1]
    assert files[-1].added == "x"
