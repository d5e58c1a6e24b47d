"""What tree-sitter-powershell sees in a text: commands, redirections and string literals, decoded without the reader.

Tree-sitter gives spans only; quotes, escapes and lists are decoded here, from the documentation (about_Quoting_Rules,
about_Special_Characters).
"""

import re

import tree_sitter_powershell
from tree_sitter import Language, Node, Parser

UNKNOWN = "\0"
SAME = "\1"
_PARSER = Parser(Language(tree_sitter_powershell.language()))
_ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_GROUPS = {"parenthesized_expression", "array_expression"}
_WRAPPERS = _GROUPS | {"statement_list", "pipeline", "pipeline_chain"}
_WRAPPERS |= {"array_literal_expression", "logical_expression", "bitwise_expression", "comparison_expression"}
_WRAPPERS |= {"additive_expression", "multiplicative_expression", "format_expression", "range_expression"}
_WRAPPERS |= {"unary_expression"}
_OPERATORS = {"expression_with_unary_operator", "cast_expression"}
_PIECE = re.compile(
    r"""(?P<escape>`(?:u\{(?P<code>[0-9A-Fa-f]+)\}|(?P<escaped>[\s\S])))|(?P<quotes>"")
    |(?P<unknown>\$(?:\{[^}]*\}|[\w?$^](?:(?<=\w)\w*(?::\w+)*)?))|(?P<plain>[\s\S])""",
    re.VERBOSE,
)
QUOTED = re.compile(r"""'(?P<single>(?:[^']|'')*)'|"(?P<double>(?:`[\s\S]|""|[^"`])*)"|(?P<bare>(?:`[\s\S]|[^'"`])+)""")


class Facts:
    """commands: the words of each command. redirections: operator, stream and target of each. values: what stands as a
    statement of its own or is assigned, as far as it is known. All in no order.
    """

    def __init__(self) -> None:
        self.commands: list[tuple[str, ...]] = []
        self.redirections: list[tuple[str, str, str]] = []
        self.values: list[list[str]] = []


class Tree:
    """One parsed text."""

    def __init__(self, text: str) -> None:
        self.source = text.encode("utf-8", "surrogatepass")
        self.root = _PARSER.parse(self.source).root_node
        self.nodes: dict[str, list[Node]] = {}  # by their type
        stack = [self.root]
        while stack:
            node = stack.pop()
            self.nodes.setdefault(node.type, []).append(node)
            stack += node.named_children

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")

    def facts(self) -> "Facts | None":
        """What the tree says; None if it has an error in it."""
        if self.root.has_error:
            return None
        facts = Facts()
        facts.commands = [tuple(self.words(node)) for node in self.nodes.get("command", ())]
        facts.redirections = [self.redirection(node) for node in self.nodes.get("redirection", ())]
        values = [known for node in self.nodes.get("pipeline", ()) for known in self.stated(node)]
        facts.values = [known for known in values if any(value.strip(SAME + UNKNOWN) for value in known)]
        return facts

    # Commands.

    def words(self, command: Node) -> list[str]:
        words = []
        for child in command.children:
            if child.type == "command_name":
                words.append(bare(self.text(child), expanded=False))
            elif child.type == "command_name_expr":
                words += self.values(child.children[0])
            elif child.type == "foreach_command":
                words += [self.text(child.children[0]), *[UNKNOWN for _ in child.children[1:]]]
            elif child.type == "command_elements":
                words += self.elements(child.children)
        return words

    def elements(self, children: list[Node]) -> list[str]:
        words: list[str] = []
        colon = ""  # in front of the next word
        parameter = glued = False
        for child in children:
            if child.type == "command_argument_sep":
                if self.text(child).startswith(":"):
                    colon, glued = ":", parameter
                continue
            if child.type == "argument_list" and child.prev_sibling and child.prev_sibling.type == "generic_token":
                words.append(UNKNOWN)
            if child.type in ("redirection", "argument_list", "comment"):
                continue
            first, *rest = self.stopped(child) if child.type == "stop_parsing" else self.values(child)
            words += [words.pop() + colon + first if glued else colon + first, *rest]
            parameter = child.type == "command_parameter"
            colon, glued = "", False
        return words

    def stopped(self, node: Node) -> list[str]:
        """What stands behind `--%`: words at blanks, double quotes off."""
        found = re.findall(r'(?:"[^"]*"|[^\s"])+', self.text(node)[3:])
        return [word.replace('"', "") for word in found]

    def redirection(self, node: Node) -> tuple[str, str, str]:
        operator = self.text(node.children[0])
        if node.children[0].type == "merging_redirection_operator":
            return ">&", operator[0], operator[-1]
        (name,) = [child for child in node.children if child.type == "redirected_file_name"]
        target = [child for child in name.children if child.type not in ("command_argument_sep", "comment")]
        return operator.lstrip("*0123456789"), operator.rstrip(">"), self.values(target[0])[0]

    # Values.

    def values(self, node: Node) -> list[str]:
        """The values of an argument: one, or those of a list's elements, SAME before all but the first."""
        if node.type in ("generic_token", "command_name", "command_parameter", "path_command_name"):
            return [bare(self.text(node))]
        if node.type == "array_literal_expression":
            first, *rest = [value for child in node.named_children for value in self.values(child)]
            return [first, *[SAME + value.lstrip(SAME) for value in rest]]
        if node.type in ("integer_literal", "real_literal"):
            return [self.text(node)]
        if node.type == "string_literal":
            return [self.string(node)]
        if node.type in _GROUPS:
            return self.constant(node) or [UNKNOWN]
        if node.type == "unary_expression" and node.children[0].type != "expression_with_unary_operator":
            return self.values(node.children[0])
        if self.text(node).startswith("-") and self.text(node)[1:2].isdigit():
            return [self.text(node)]
        return [UNKNOWN]

    def constant(self, node: Node) -> "list[str] | None":
        """An expression's value, UNKNOWN for operands that only running gives; None where an operator changes it."""
        while node.type in _WRAPPERS and node.named_child_count == 1:
            if node.type in _GROUPS:
                return self.constant(node.named_children[0]) or [UNKNOWN]
            node = node.named_children[0]
        if node.type == "additive_expression" and self.text(node.children[1]) == "+":
            left, right = [self.constant(child) for child in node.named_children]
            if not left or not right or len(left) + len(right) > 2 or left[0].isdigit():
                return None
            return [left[0] + right[0]]
        if node.type == "array_literal_expression":
            found = [value for child in node.named_children for value in self.constant(child) or [UNKNOWN]]
            return [SAME * bool(number) + value.lstrip(SAME) for number, value in enumerate(found)]
        if node.type == "expression_with_unary_operator" and self.text(node.children[0]) == ",":
            return self.constant(node.named_children[0])
        if node.type in ("integer_literal", "real_literal"):
            return [self.text(node)] if self.text(node).isdigit() else None
        return None if node.type in _WRAPPERS | _OPERATORS or self.text(node)[0] == "[" else self.values(node)

    def stated(self, pipeline: Node) -> "list[list[str]]":
        """The values that a statement or a condition consists of, or that it assigns; none inside `( )` and the like,
        where the value is the group's own.
        """
        chains = [child for child in pipeline.children if child.type == "pipeline_chain"]
        first = [chain.children[0] for chain in chains if chain.children[0].type == "logical_expression"]
        values = [self.constant(node) or [UNKNOWN] for node in first]
        parent = pipeline.parent
        assert parent is not None
        if len(chains) > 1 or not first or chains[0].child_count > 1:
            return values
        if parent.type == "assignment_expression":
            return self.assigned(parent, values[0])
        if parent.type == "foreach_statement":
            return [[value.lstrip(SAME)] for value in values[0]]
        group = (
            parent.type == "statement_list" and parent.parent is not None and parent.parent.type == "array_expression"
        )
        lone = group and parent.named_child_count == 1
        return [] if lone or parent.type in ("parenthesized_expression", "hash_entry") else values

    def assigned(self, node: Node, value: list[str]) -> list[list[str]]:
        """The values of an assignment's variables: nothing for a member, one each for a list."""
        left, operator = self.text(node.children[0]), self.text(node.children[1])
        if operator not in ("=", "+="):
            return []
        outer = node.parent.parent if node.parent is not None else None
        more = self.assigned(outer, value) if outer is not None and outer.type == "assignment_expression" else []
        if "," in left:
            return more + ([[one.lstrip(SAME)] for one in value] if len(value) == left.count(",") + 1 else [])
        return more + ([] if "." in left else [value])

    def string(self, node: Node) -> str:
        literal = node.children[0]
        text = self.text(literal)
        if literal.type == "verbatim_string_characters":
            return text[1:-1].replace("''", "'")
        if literal.type == "verbatim_here_string_characters":
            return text[text.index("\n") + 1 : -3]
        start, end = (1, 1) if literal.type == "expandable_string_literal" else (text.index("\n") + 1, 3)
        return self.expanded(literal, literal.start_byte + start, literal.end_byte - end)

    def expanded(self, literal: Node, start: int, end: int) -> str:
        """An expandable string's value: what stands between its variables and subexpressions, unescaped."""
        value = ""
        for child in [*literal.children, None]:
            if child is not None and child.type not in ("variable", "sub_expression"):
                continue
            text = self.source[start : child.start_byte if child else end].decode("utf-8", "surrogatepass")
            value += unescaped(text, literal.type == "expandable_string_literal")
            if child:
                value += UNKNOWN
                start = child.end_byte
        return value


def unescaped(text: str, doubled: bool, sequences: bool = True) -> str:
    """Without the escapes of an expandable string, and UNKNOWN for variables. doubled: `""` is one quote.

    sequences: `` `n `` and its kin stand for other characters, as they do in double quotes alone.
    """
    value = ""
    for piece in _PIECE.finditer(text):
        if piece["code"] and sequences:
            value += chr(int(piece["code"], 16))
        elif piece["escaped"]:
            value += _ESCAPES.get(piece["escaped"], piece["escaped"]) if sequences else piece["escaped"]
        elif piece["quotes"]:
            value += '"' if doubled else '""'
        else:
            value += UNKNOWN if piece["unknown"] else piece["plain"]
    return value


def bare(text: str, expanded: bool = True) -> str:
    """The value of a token that may have quotes inside. expanded: False for a command name, which stays as it is."""
    value = ""
    for piece in QUOTED.finditer(text):
        if piece["single"] is not None:
            value += piece["single"].replace("''", "'")
        else:
            inside = piece["double"] or piece["bare"] or ""
            value += unescaped(inside, True, sequences=piece["bare"] is None) if expanded else inside
    return value
