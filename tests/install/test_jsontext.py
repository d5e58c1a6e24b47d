"""The position-keeping reader against the standard one, and its errors."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.install import jsontext
from tests.install.settings_files import VALUES, files


def standard(data: bytes) -> object:
    """What the standard reader gives, numbers by their spelling."""
    number = jsontext.Number
    return json.loads(data.decode("utf-8-sig"), parse_int=number, parse_float=number)


@given(files(VALUES))
def test_values_are_those_of_the_standard_reader(data: bytes) -> None:
    document = jsontext.read(data)
    assert jsontext.same(jsontext.value(document.root), standard(data))
    assert document.encode() == data


@given(files(VALUES))
def test_a_span_holds_exactly_its_value(data: bytes) -> None:
    document = jsontext.read(data)
    pending = [document.root]
    while pending:
        node = pending.pop()
        again = jsontext.read(document.text[node.start : node.end].encode())
        assert jsontext.same(jsontext.value(again.root), jsontext.value(node))
        assert (again.root.start, again.root.end) == (0, node.end - node.start)
        pending.extend(item.node for item in node.items)


@given(files(VALUES), st.data())
def test_broken_text_is_refused_where_the_standard_reader_refuses_it(data: bytes, draw: st.DataObject) -> None:
    text = data.decode("utf-8-sig")
    position = draw.draw(st.integers(0, len(text)))
    broken = (
        text[:position]
        + draw.draw(st.sampled_from(["", ",", "}", "]", '"', "\\", "\t", "0", "-", "x", ":"]))
        + text[position + 1 :]
    )
    try:
        expected = standard(broken.encode())
    except ValueError:
        with pytest.raises(jsontext.JsonTextError):
            jsontext.read(broken.encode())
    else:
        assert jsontext.same(jsontext.value(jsontext.read(broken.encode()).root), expected)


ERRORS = [
    (b"", 1, 1, "a JSON value"),
    (b"{", 1, 2, 'a name in double quotes or "}"'),
    (b"[1,]", 1, 4, "a JSON value"),
    (b'{"a": 1,}', 1, 9, "a name in double quotes"),
    (b'{"a" 1}', 1, 6, '":"'),
    (b"{a: 1}", 1, 2, 'a name in double quotes or "}"'),
    (b"{'a': 1}", 1, 2, 'a name in double quotes or "}"'),
    (b'\r\n\n\r  {"a": 1 "b": 2}', 4, 11, '"," or "}"'),
    (b"[1 2]", 1, 4, '"," or "]"'),
    (b"[01]", 1, 3, '"," or "]"'),
    (b"[NaN]", 1, 2, 'a JSON value or "]"'),
    (b"[Infinity]", 1, 2, 'a JSON value or "]"'),
    (b"{} {}", 1, 4, "the end of the file"),
    (b"{} // note", 1, 4, "the end of the file"),
    (b'["abc', 1, 6, "a closing double quote"),
    (b'["a\tb"]', 1, 4, "a closing double quote or an escape such as \\n"),
    (b'["\\x"]', 1, 3, "one of the escapes"),
    (b'["\\u12g4"]', 1, 3, "one of the escapes"),
    ('["é", x]'.encode(), 1, 7, "a JSON value"),
    (b'\xef\xbb\xbf{"a": tru}', 1, 7, "a JSON value"),
    (b'{\n"a": "\xff"}', 2, 7, "text in UTF-8"),
    ("{}".encode("utf-16"), 1, 1, "text in UTF-8"),
]


@pytest.mark.parametrize(("data", "line", "column", "expected"), ERRORS)
def test_an_error_says_where_and_what_was_expected(data: bytes, line: int, column: int, expected: str) -> None:
    with pytest.raises(jsontext.JsonTextError) as raised:
        jsontext.read(data)
    assert (raised.value.line, raised.value.column) == (line, column)
    assert raised.value.expected.startswith(expected)
    assert f"line {line}, column {column}: expected {expected}" in str(raised.value)


def test_of_duplicate_members_the_last_one_counts() -> None:
    document = jsontext.read(b'{"a": 1, "b": 2, "a": 3}')
    assert document.root.index("a") == 2
    assert jsontext.value(document.root) == {"a": "3", "b": "2"}
    assert document.root.member("c") is None


def test_true_is_not_one_and_order_matters_in_arrays_only() -> None:
    assert not jsontext.same(True, 1)
    assert not jsontext.same([1, 2], [2, 1])
    assert not jsontext.same({"a": 1}, {"b": 1})
    assert jsontext.same({"a": 1, "b": [None]}, {"b": [None], "a": 1})


@pytest.mark.parametrize(("one", "other"), [("[", "]"), ('{"a":', "}")])
def test_deep_nesting_is_read_without_recursion_and_in_linear_time(one: str, other: str) -> None:
    depth = 100_000
    start = time.process_time()
    document = jsontext.read((one * depth + "1" + other * depth).encode())
    value = jsontext.value(document.root)
    assert jsontext.same(value, jsontext.value(document.root))
    assert time.process_time() - start < 5
    with pytest.raises(jsontext.JsonTextError):
        jsontext.read((one * depth).encode())
