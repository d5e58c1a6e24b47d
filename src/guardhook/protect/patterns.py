"""File-name patterns: whether a name may be one that a shell or `find` puts in a pattern's place."""

_SPECIAL = frozenset("*?[")
# Nobody writes a longer pattern; one is taken to match, so that time stays linear.
_MAX = 500


def is_pattern(text: str) -> bool:
    """True if the text holds a character that a shell would match names with."""
    return not _SPECIAL.isdisjoint(text)


def is_match(name: str, pattern: str, hidden: bool = False) -> bool:
    """Whether `name` matches. A bracket stands for any character. hidden: a leading dot needs no dot in the pattern."""
    if not is_pattern(pattern):
        return name == pattern
    if len(pattern) > _MAX:
        return True
    if name[:1] == "." and pattern[0] != "." and not hidden:
        return False
    tokens = _tokens(pattern)
    at = position = 0
    star = mark = -1
    while position < len(name):
        if at < len(tokens) and tokens[at] == "*":
            star, mark = at, position
            at += 1
        elif at < len(tokens) and tokens[at] in ("?", name[position]):
            at += 1
            position += 1
        elif star >= 0:
            mark += 1
            at, position = star + 1, mark
        else:
            return False
    return all(token == "*" for token in tokens[at:])


def _tokens(pattern: str) -> list[str]:
    """The pattern's characters, each bracket expression as one `?`."""
    found = []
    index = 0
    while index < len(pattern):
        close = pattern.find("]", index + 2) if pattern[index] == "[" else -1
        while close > 0 and pattern[close - 1] == ":" and pattern.find("[:", index, close - 1) >= 0:
            close = pattern.find("]", close + 1)  # the one that ended is a class: `[[:alpha:]]`
        if close > 0:
            found.append("?")
            index = close
        else:
            found.append(pattern[index])
        index += 1
    return found
