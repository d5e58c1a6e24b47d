"""What tree-sitter-powershell accepts and reads wrongly: the only shapes in which a reader may differ from it.

Each row says in a comment what PowerShell's documentation says instead.
"""

import re
from collections.abc import Callable

from tree_sitter import Node

from tests.shell.powershell_oracle import QUOTED, SAME, UNKNOWN, Tree

Shape = Callable[[Tree, Node], bool]


_CLAUSES = ("else", "elseif", "catch", "finally")


class Misreading:
    """A shape that tree-sitter-powershell accepts and reads wrongly.

    example, says: a text with it, and the words of its commands, sorted, as PowerShell's documentation has them.
    kinds, shape: the types of the nodes that show it, parted by blanks, and what makes such a node one of them: a
    pattern that its text holds, or a predicate.
    """

    def __init__(self, name: str, example: str, says: list[tuple[str, ...]], kinds: str, shape: "str | Shape") -> None:
        self.name = name
        self.example = example
        self.says = says
        self.kinds = kinds.split()
        self.shape = matching(shape) if isinstance(shape, str) else shape

    def within(self, tree: Tree) -> bool:
        return any(self.shape(tree, node) for kind in self.kinds for node in tree.nodes.get(kind, ()))


def matching(pattern: str) -> Shape:
    found = re.compile(pattern)
    return lambda tree, node: found.search(tree.text(node)) is not None


def begins(tree: Tree, node: Node) -> bool:
    """True for the name of a pipeline's first command."""
    return node.parent is not None and node.parent.prev_sibling is None


def behind(kind: str, node: Node, apart: bool) -> bool:
    """True if a node of that type stands in front, with something between the two or (not `apart`) nothing."""
    before = node.prev_sibling
    return before is not None and before.type == kind and (before.end_byte != node.start_byte) == apart


def signed(tree: Tree, node: Node) -> bool:
    """A dash or plus in an argument that is not the sign of a number."""
    above = node
    for _ in range(3):
        assert above.parent is not None
        above = above.parent
    return above.type == "command_elements" and not re.match("-[0-9]", tree.text(node))


MISREAD = [
    # about_If, about_Try_Catch_Finally: the clauses of a statement may stand on the next line, also behind `$x =`.
    Misreading(
        "a clause on the next line",
        "$v = if ($w) { a }\nelse { b }",
        [("a",), ("b",)],
        "command_name",
        lambda tree, node: tree.text(node).lower() in _CLAUSES and begins(tree, node),
    ),
    # about_Using: a statement of its own, not a command; it ends at the end of the line or at `;`.
    Misreading("a using statement", "using module x; a", [("a",)], "command_name", "^(?i:using)$"),
    # about_Operators, call operator: what follows `&` is an expression, here a member of `$v`.
    Misreading("a member as a command", "& $v.x y", [(UNKNOWN, "y")], "path_command_name", r"^\$.*\."),
    # about_Parsing, argument mode: a comma makes a list, with blanks around it too.
    Misreading("a blank in front of a comma", "c 'a' ,'b'", [("c", "a", SAME + "b")], "generic_token", "^,"),
    # about_Operators: `..` between numbers is the range operator; a number starts an expression.
    Misreading("a range", "1..3", [], "command_name", r"^[0-9]+\.\."),
    # about_Quoting_Rules: the first line with `'@` at its start ends a here-string.
    Misreading(
        "an empty here-string",
        "a @'\n\n'@ b @'\n\n'@",
        [("a", "", "b", "")],
        "verbatim_here_string_characters",
        r"\n'@[\s\S]*\n'@",
    ),
    # about_Quoting_Rules: quotes inside a word belong to it, with the blanks and separators in them.
    Misreading(
        "quotes inside a word",
        "c a'b c'd",
        [("c", "ab cd")],
        "generic_token command_name",
        lambda tree, node: bool(QUOTED.sub("", tree.text(node).rstrip("`"))),
    ),
    # about_Special_Characters, about_Parsing: a backtick makes the next character literal, a blank or `;` too.
    Misreading("an escaped end", "c a`;b", [("c", "a;b")], "generic_token", r"(?<!`)(?:``)*`$"),
    # about_Redirection: the target may follow its operator without a blank.
    Misreading("no blank behind a redirection", "c >o", [("c",)], "generic_token", "^[0-9*]?>"),
    # about_Parsing: a group behind a blank, and a tab is one, is an argument of its own.
    Misreading(
        "a tab in front of a group",
        "c a\t('b')",
        [("c", "a", "b")],
        "argument_list",
        lambda tree, node: behind("generic_token", node, True),
    ),
    # about_Parsing: a variable at the start of a word, followed by other characters, is one expandable word.
    Misreading(
        "a dash behind a variable",
        "c $v-x",
        [("c", UNKNOWN + "-x")],
        "command_parameter",
        lambda tree, node: behind("array_literal_expression", node, False),
    ),
    # about_Parsing: in argument mode a dash by itself is a string.
    Misreading("a lone dash", "c - 'x'", [("c", "-", "x")], "expression_with_unary_operator", signed),
    # about_Quoting_Rules and the language specification (2.3.5.2): any curly quote is a quote, and ends one.
    Misreading(
        "a curly quote",
        "c \u201ca; b\u201d",
        [("c", "a; b")],
        "generic_token command_name verbatim_string_characters expandable_string_literal",
        "[\u2018-\u201e]",
    ),
    # about_Comments: a comment begins between tokens; in a string its sign is text.
    Misreading(
        "a comment in a string",
        '"<#"; a; "#>"',
        [("a",)],
        "expandable_string_literal",
        lambda tree, node: any(child.type == "comment" for child in node.children),
    ),
    # The language specification (2.3.4): a parameter may begin with any of the dashes.
    Misreading("a long dash", "c \u2013x", [("c", "-x")], "generic_token", "^[\u2013-\u2015]"),
    # about_Parsing: the stop-parsing token reaches to the end of the line or the next pipeline character.
    Misreading(
        "a pipe behind the stop-parsing token",
        "c --% /x | d",
        [("c", "/x"), ("d",)],
        "stop_parsing",
        r'^(?:[^"|&]|"[^"]*"|&(?!&))*(?:\||&&)',
    ),
]
