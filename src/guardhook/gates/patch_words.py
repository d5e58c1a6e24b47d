"""Banned words in a patch: each file is judged as the patch leaves it, its added lines alone where that fails (X3)."""

from guardhook.agents import patch
from guardhook.prose import placing, scope, spans, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from guardhook.prose.words import Hit


def hits(text: str, where: str | None, environment: dict[str, str]) -> "Iterator[tuple[str, list[Hit]]]":
    """(path, hits) for each prose file to which a patch adds a banned word outside code.

    where: what relative paths start from; None where nobody knows, and then only absolute ones are judged.
    """
    files = patch.parse(text)
    if not files or not words.hits(text):
        return
    texts: dict[str, str | None] = {}
    for file in files:
        source = _absolute(file.path, where, environment)
        old = texts[source] if source in texts else scope.open_text(source) if source else None
        result = file.result(old)
        target = file.destination
        place = _absolute(target, where, environment) if target else None
        if source:
            texts[source] = None
        if target is None or place is None:
            continue
        texts[place] = result[0] if result is not None else None
        if not scope.is_prose(target) or scope.is_carried(place, "", environment):
            continue
        found = _in_result(result, scope.extension(target)) if result else _alone(file.added, scope.extension(target))
        if found:
            yield target, found


def _absolute(path: str, where: str | None, environment: dict[str, str]) -> str | None:
    if where is None and path[:1] != "/":
        return None
    return scope.absolute(path, where or "", environment)


def _in_result(result: "tuple[str, list[tuple[int, int]]]", extension: str) -> "list[Hit]":
    text, added = result
    return placing.written(words.hits(spans.blank(text, extension)), added)


def _alone(added: str, extension: str) -> "list[Hit]":
    return words.hits(spans.blank(added, extension))
