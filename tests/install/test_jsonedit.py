"""Edits change one place; taking out is the exact inverse of putting in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.install import jsonedit, jsontext
from guardhook.install.jsontext import Document, Node
from tests.install.settings_files import VALUES, files

PLAIN = st.recursive(
    st.none() | st.booleans() | st.text(st.characters(codec="utf-8"), max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("abé", max_size=2), inner, max_size=2),
    max_leaves=4,
)


def containers(document: Document) -> list[Node]:
    found, pending = [], [document.root]
    while pending:
        node = pending.pop()
        if node.kind in jsontext.CLOSER:
            found.append(node)
        pending.extend(item.node for item in node.items)
    return found


def at(document: Document, start: int) -> Node:
    """The container that begins at an offset; edits behind it leave that offset as it is."""
    return next(node for node in containers(document) if node.start == start)


def put(document: Document, container: Node, value: object) -> Document:
    if container.kind == "array":
        return jsonedit.append(document, container, value)
    return jsonedit.insert(document, container, "new name", value)


@given(files(VALUES), PLAIN, st.data())
def test_what_is_put_in_is_read_back_and_comes_out_again(data: bytes, value: object, draw: st.DataObject) -> None:
    document = jsontext.read(data)
    found = containers(document)
    if not found:
        return
    container = draw.draw(st.sampled_from(found))
    edited = put(document, container, value)
    again = at(edited, container.start)
    assert len(again.items) == len(container.items) + 1
    assert json.loads(edited.text[again.items[-1].node.start : again.items[-1].end]) == value
    start, end = container.start + 1, container.end - 1
    assert edited.text.startswith(document.text[: container.items[-1].end if container.items else start])
    assert edited.text.endswith(document.text[end:])
    assert jsonedit.remove(edited, again, len(again.items) - 1).encode() == data


@given(files(VALUES), st.data())
def test_removing_keeps_every_other_item(data: bytes, draw: st.DataObject) -> None:
    document = jsontext.read(data)
    found = [node for node in containers(document) if node.items]
    if not found:
        return
    container = draw.draw(st.sampled_from(found))
    index = draw.draw(st.integers(0, len(container.items) - 1))
    left = at(jsonedit.remove(document, container, index), container.start)
    kept = [item for number, item in enumerate(container.items) if number != index]
    assert [item.key for item in left.items] == [item.key for item in kept]
    assert all(
        jsontext.same(jsontext.value(a.node), jsontext.value(b.node)) for a, b in zip(left.items, kept, strict=True)
    )


@given(files(VALUES), PLAIN, st.data())
def test_replacing_changes_one_span(data: bytes, value: object, draw: st.DataObject) -> None:
    document = jsontext.read(data)
    nodes = [document.root, *(item.node for container in containers(document) for item in container.items)]
    node = draw.draw(st.sampled_from(nodes))
    text = jsonedit.replace(document, node, value).text
    before, after = document.text[: node.start], document.text[node.end :]
    assert text.startswith(before)
    assert text.endswith(after)
    assert json.loads(text[len(before) : len(text) - len(after)]) == value


LAYOUTS = [
    ("{}", '{\n  "k": [\n    1\n  ]\n}'),
    ("{}\r\n", '{\r\n  "k": [\r\n    1\r\n  ]\r\n}\r\n'),
    ('{"a": 1}', '{"a": 1, "k": [1]}'),
    ('{"a":1,"b":2}', '{"a":1,"b":2,"k":[1]}'),
    ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"k": [\n\t\t1\n\t]\n}\n'),
    (
        '{\n    "a": {\n        "b": 1\n    }\n}',
        '{\n    "a": {\n        "b": 1\n    },\n    "k": [\n        1\n    ]\n}',
    ),
    ('{ "a": 1,\n  "b": 2 }', '{ "a": 1,\n  "b": 2,\n  "k": [\n    1\n  ] }'),
]


@pytest.mark.parametrize(("before", "after"), LAYOUTS)
def test_an_insertion_follows_the_layout_of_the_file(before: str, after: str) -> None:
    document = Document(before)
    assert jsonedit.insert(document, document.root, "k", [1]).text == after


def test_an_empty_container_inside_a_laid_out_file_is_opened_over_lines() -> None:
    document = Document('{\n  "hooks": {"a": []}\n}')
    array = document.root.items[0].node.items[0].node
    assert jsonedit.append(document, array, 1).text == '{\n  "hooks": {"a": [\n    1\n  ]}\n}'
