"""What is code in reStructuredText beyond Markdown's rules (SPEC W3)."""

import re

import pytest

from guardhook.prose.spans import blank

# (document, the words that are left of c, t and u): c stands in code.
READINGS = [
    ("x::\n\n    c\n\n  c\n\nt", "t"),
    ("x::\n\n\n\tc\n t\n", ""),
    ("::\n\n  c\n\nt", "t"),
    ("x ::\n\n  c\n\n\n  c\nt\n  t", "t t"),
    ("x:\n\n  t", "t"),
    ("x::\n\nt", "t"),
    ("x::\n  t", "t"),
    ("x::\n\n  c\nt::\n\n c\n", "t"),
    ("  x::\n\n  t", "t"),
    ("  x::\n\n   c\n  t", "t"),
    ("- x::\n\n    c\n\n  t", "t"),
    ("*  x::\n\n   t", "t"),
    ("1. x::\n\n     c\n   t", "t"),
    ("#. x::\n\n     c\n   t", "t"),
    ("(a) x::\n\n      c\n    t", "t"),
    (".. note::\n\n   t", "t"),
    (".. code-block:: python\n\n   t", "t"),
    (".. note:: x\n   x::\n\n      c\n\n   t", "t"),
    ("x\\::\n\n  t", "t"),
    ("x\\\\::\n\n  c", ""),
    ("x::\n\n  `` c\n\n``t", "t"),
    ("x::\n\n  ```\n\nt", "t"),
    ("``c`` and :x:`c` t", "t"),
    ("```\nc\n```\nt", "t"),
    ("x::\r\n\r\n  c\r\n\r\nt", "t"),
    ("x::\r\r  c\r\rt", "t"),
    ("x::\n\n> c\n> c\nt", "t"),
    ("x::\n\n- c\n\n- t", "t"),
    ("x::\n\n- c\n* t", "t"),
    ("x::\n\n\u2022 t", "t"),
    ("- x::\n\n  > c\n\n  t", "t"),
    ("- x::\n\n> t", "t"),
    ("x::\n\nt::\n\n  c", "t"),
    ("x::", ""),
    ("x::\n\n", ""),
    ("x::\n\n  c", ""),
]


@pytest.mark.parametrize(("document", "left"), READINGS)
def test_reading(document: str, left: str) -> None:
    assert " ".join(re.findall(r"\b[ctu]\b", blank(document, ".rst"))) == left


@pytest.mark.parametrize("extension", [".md", ".txt"])
def test_no_literal_blocks_elsewhere(extension: str) -> None:
    assert blank("x::\n\n    t\n", extension) == "x::\n\n    t\n"
