"""Random valid PowerShell from a seed, together with what it says: commands, their words, redirections.

Command names are unique (`c17`), so that a reader that loses, doubles or invents a command shows. What the shapes mean
is PowerShell's documentation (about_Parsing, about_Quoting_Rules, about_Redirection ...), not any reader's opinion.
"""

from tests.shell import powershell_shapes as shapes
from tests.shell.powershell_shapes import SAME, UNKNOWN, Program, Shape, Source


class Grammar(Source):
    """One stream of random programs. `beyond` adds what tree-sitter-powershell rejects or does not know."""

    def program(self, depth: "int | None" = None) -> Program:
        """A complete text; `depth` bounds its nesting (1 to 4 where it is not given)."""
        self.said = Program()
        using = (
            self.pick(["using namespace System.IO; ", "using module x\n"]) if self.beyond and self.chance(0.05) else ""
        )
        self.said.text = using + self.items(self.random.randrange(1, 5) if depth is None else depth)
        return self.said

    # Lists of statements.

    def items(self, depth: int) -> str:
        text = self.item(depth)
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            text += (" " if text.endswith("&") and self.chance(0.5) else self.separator()) + self.item(depth)
        return text

    def separator(self) -> str:
        draw = self.random.random()
        if draw < 0.4:
            return self.pick(["\n", "\n\n", "\n  ", "\r\n", " \n"])
        if draw < 0.5:
            return " # note ; x > y $no q\n"
        if draw < 0.53 and self.beyond:
            return "\r"
        return self.pick(["; ", ";", " ; ", ";\n", "; ; "])

    def item(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.55):
            return self.chain(depth) + (" &" if self.beyond and self.chance(0.05) else "")
        kinds = [self.branch, self.loop, self.counted, self.condition, self.repeated, self.switch, self.attempt]
        kinds += [self.function, self.flow, self.assignment, self.assignment, self.assignment]
        kinds += [self.trap, self.declared] if self.beyond else []
        return self.random.choice(kinds)(depth - 1)

    def block(self, depth: int) -> str:
        """Braces around statements."""
        return self.pick(["{", "{ ", "{ ", "{\n"]) + self.items(depth) + self.pick(["}", " }", " }", "\n}"])

    # Pipelines.

    def chain(self, depth: int) -> str:
        text = self.pipeline(depth)
        while self.chance(0.15):
            text += self.pick([" && ", " || ", "&&", " &&\n", " ||\n  "]) + self.pipeline(depth)
        return text

    def pipeline(self, depth: int) -> str:
        return self.commands(depth) if self.chance(0.8) else self.piped(self.statement(depth), depth)

    def commands(self, depth: int) -> str:
        """A pipeline of nothing but commands."""
        return self.piped(self.command(depth), depth)

    def piped(self, text: str, depth: int) -> str:
        while self.chance(0.25):
            text += self.pick([" | ", "|", " |\n", " | `\n "])
            text += self.block_command(depth - 1) if depth > 0 and self.chance(0.3) else self.command(depth)
        return text

    def statement(self, depth: int) -> str:
        """An expression as a pipeline's first element."""
        text = self.pick(shapes.STATEMENTS) if self.chance(0.3) else self.expression(depth)
        return text + (" " + self.redirection(depth) if self.chance(0.3) else "")

    # Commands.

    def command(self, depth: int) -> str:
        head, name = self.name(depth)
        words, arguments = [head], [name]
        for _ in range(self.random.randrange(4)):
            if self.chance(0.2):
                words.append(self.redirection(depth))
                continue
            source, values = self.argument(depth)
            words.append(source)
            arguments += values
        text = words[0]
        for word in words[1:]:
            text += self.blank() + word
        stopped = self.beyond and self.chance(0.05)
        self.said.commands.append((*arguments, "/x", "a b", "&", "$c") if stopped else tuple(arguments))
        if stopped:
            text += ' --% /x "a b" & $c' + self.pick(["| ", " | ", "&& ", " || "]) + self.command(0)
        return text

    def blank(self) -> str:
        return self.pick(shapes.BLANKS_BEYOND if self.beyond and self.chance(0.15) else shapes.BLANKS)

    def block_command(self, depth: int) -> str:
        """A command whose arguments are script blocks, behind a pipe; some of the names are keywords elsewhere."""
        name = self.pick(shapes.BLOCK_COMMANDS + (shapes.BLOCK_COMMANDS_BEYOND if self.beyond else []))
        text = f"{name} {self.script(depth)}"
        self.said.commands.append((name, UNKNOWN))
        return text

    def name(self, depth: int) -> tuple[str, str]:
        """The source of a command name and its value."""
        name = self.unique()
        draw = self.random.random()
        if draw < 0.6:
            return name, name
        if draw < 0.8:
            source = self.pick(shapes.NAMES + (shapes.NAMES_BEYOND if self.beyond else [])).format(name)
            return source, source
        if draw < 0.83 and self.beyond:
            source = self.pick(shapes.NAMES_QUOTED).format(name[:1], name[1:])
            return source, source if "$" in source else name  # a name is never expanded
        if draw < 0.93:
            source = self.pick(shapes.CALLED)
            return source.format(name), (".\\" if "\\" in source else "") + name
        if depth > 0 and self.chance(0.5):
            return self.pick(["& ", "& ", "."]) + self.script(depth - 1), UNKNOWN
        return self.shape([("& $v", UNKNOWN), ('& "$v/x"', "\0/x"), (". $v", UNKNOWN)], [("& $v.x", UNKNOWN)])

    def argument(self, depth: int) -> tuple[str, list[str]]:
        """The source of an argument and the values it has."""
        draw = self.random.randrange(20)
        if self.curly and draw < 3:
            return self.single(self.shape(shapes.CURLY))
        if draw < 7:
            return self.single(self.shape(shapes.PLAIN, shapes.PLAIN_BEYOND))
        if draw < 10:
            return self.single(self.shape(shapes.QUOTED, shapes.QUOTED_BEYOND))
        if draw < 13:
            return self.single(self.shape(shapes.VARIABLE, shapes.VARIABLE_BEYOND))
        if draw == 13 and self.beyond and self.chance(0.4):
            source, values = self.shape(shapes.PARTED)
            return source, values.split("|")
        if draw == 13:
            source, values = self.shape(shapes.LISTS, shapes.LISTS_BEYOND)
            first, *rest = values.split("|")
            return source, [first, *[SAME + value for value in rest]]
        if draw == 14 and not self.strings:
            return self.here_string(depth)
        return self.single(self.nested(depth))

    def single(self, shape: Shape) -> tuple[str, list[str]]:
        return shape[0], [shape[1]]

    def nested(self, depth: int) -> Shape:
        """An argument with commands in it."""
        if depth <= 0:
            return self.shape(shapes.PLAIN, shapes.PLAIN_BEYOND)
        draw = self.random.randrange(9)
        if draw < 2:
            return self.expandable(depth - 1)
        if draw == 2:
            return self.script(depth - 1), UNKNOWN
        if draw == 3:
            return self.table(depth - 1), UNKNOWN
        if draw == 4:
            inside = self.command(depth - 1)
            if self.chance(0.5):
                inside += self.separator() + self.items(depth - 1)
            return f"@({inside})" + self.pick(["", "", ".Length", "[0]"]), UNKNOWN
        if draw == 5 and self.beyond:
            return f"a$({self.items(depth - 1)})b", "a\0b"
        if draw < 7:
            return f"$({self.items(depth - 1)})", UNKNOWN
        return f"({self.commands(depth - 1)})" + self.pick(["", "", "", ".Length", "[0]", ".a.b"]), UNKNOWN

    def expandable(self, depth: int) -> Shape:
        self.strings += 1
        inside = self.items(depth)
        self.strings -= 1
        before, after = self.pick(["", "p ", "p;"]), self.pick(["", " q", ".md", "`n"])
        return f'"{before}$({inside}){after}"', f"{before}\0{after}".replace("`n", "\n")

    def here_string(self, depth: int) -> tuple[str, list[str]]:
        lines = [self.pick(shapes.HERE_LINES) for _ in range(self.random.randrange(1, 4))]
        if self.chance(0.5):
            return "@'" + self.pick(["", " " if self.beyond else ""]) + "\n" + "\n".join(lines) + "\n'@", [
                "\n".join(lines)
            ]
        values = list(lines)
        if self.chance(0.5):
            lines.append("x $v `$no `t ${w}y")
            values.append("x \0 $no \t \0y")
        if depth > 0 and self.chance(0.5):
            self.strings += 1
            lines.append(f"x $({self.items(depth - 1)}) y")
            self.strings -= 1
            values.append("x \0 y")
        return '@"\n' + "\n".join(lines) + '\n"@', ["\n".join(values)]

    def redirection(self, depth: int) -> str:
        if self.chance(0.25):
            merge = self.pick(shapes.MERGES)
            self.said.redirections.append((">&", merge[0], merge[-1]))
            return merge
        stream, operator = self.pick(shapes.STREAMS), self.pick([">", ">>"])
        if depth > 0 and self.chance(0.1):
            target, value = f"({self.commands(depth - 1)})", UNKNOWN
        else:
            target, value = self.shape(shapes.TARGETS, shapes.TARGETS_BEYOND)
        self.said.redirections.append((operator, stream, value))
        return stream + operator + self.pick([" ", " ", "  ", "" if self.beyond else " "]) + target

    def table(self, depth: int) -> str:
        """A hash literal."""
        entries = []
        for key in ["k", "'k 2'", "$v", '"k3"']:
            if self.chance(0.5):
                entries.append(f"{key}{self.pick([' = ', '='])}{self.chain(depth)}")
        inside = self.pick([";", "; ", "\n"]).join(entries)
        return "@{" + self.pick(["", " ", "\n"]) + inside + self.pick(["", " ", "\n"]) + "}"

    def script(self, depth: int) -> str:
        """A script block."""
        draw = self.random.random()
        if draw < 0.7:
            return self.block(depth)
        if draw < 0.9:
            return f"{{ {self.pick(shapes.PARAMETERS)}{self.pick(['; ', chr(10)])}{self.items(depth)} }}"
        return f"{{ begin {self.block(depth)} process {self.block(depth)}\nend {self.block(0)} }}"

    # Expressions.

    def expression(self, depth: int) -> str:
        text = self.operand(depth)
        while self.chance(0.3):
            text += f" {self.pick(shapes.OPERATORS)} {self.operand(depth)}"
        return text

    def operand(self, depth: int) -> str:
        draw = self.random.randrange(16)
        if draw < 4 or depth <= 0:
            return self.pick(shapes.OPERANDS + (shapes.OPERANDS_BEYOND if self.beyond else []))
        if draw < 8:
            return self.shape(shapes.QUOTED, shapes.QUOTED_BEYOND)[0]
        if draw == 8:
            return self.pick(shapes.CASTS) + self.pick(["$v", "'x'", "(1)"])
        if draw == 9:
            return f"({self.chain(depth - 1)})" + self.pick(["", ".Length", "[0]", ".M()"])
        if draw == 10:
            return f"$({self.items(depth - 1)})"
        if draw == 11:
            return f"@({self.items(depth - 1)})"
        if draw == 12:
            return self.pick(["-not ", "! ", "-join ", ",", "- "]) + self.operand(depth - 1)
        if draw == 13:
            head = self.pick(["$v.M", "[Type]::M", "$v.a.M", "'x'.M"])
            return f"{head}({self.expression(depth - 1)}{self.pick(['', ', 1', ', $w'])})"
        if draw == 14:
            kind = self.random.randrange(3)
            text = self.expandable(depth - 1)[0] if kind == 2 else self.script(depth - 1)
            return (
                self.pick(["$v.Where({})", "$v.ForEach({})" if self.beyond else "$v.M({})"]).replace("{}", text)
                if kind == 0
                else text
            )
        if self.chance(0.5):
            return self.pick(["", "[ordered]"]) + self.table(depth - 1)
        return self.pick(["1..3" if self.beyond else "($v)..3", "$v++", "++$v"])

    # Statements.

    def assignment(self, depth: int) -> str:
        target = self.pick(shapes.TARGETS_OF_ASSIGNMENT)
        operator = self.pick([" = ", "=", " = "]) if target[-1] == "w" else self.pick([" = ", "=", " += ", " *= "])
        kinds = [self.chain, self.chain, self.statement, self.branch, self.loop, self.switch, self.attempt]
        return target + operator + self.random.choice(kinds)(depth)

    def test(self, depth: int) -> str:
        return self.random.choice([self.expression, self.expression, self.chain])(depth)

    def branch(self, depth: int) -> str:
        text = f"{self.pick(['if', 'if ', 'If '])}({self.test(depth)}) {self.block(depth)}"
        if self.chance(0.3):
            text += f"{self.pick([' ', chr(10)])}elseif ({self.test(0)}) {self.block(0)}"
        if self.chance(0.4):
            text += f"{self.pick([' ', chr(10)])}else {self.block(depth)}"
        return text

    def loop(self, depth: int) -> str:
        label = ":outer " if self.chance(0.1) else ""
        return f"{label}{self.pick(['foreach', 'foreach '])}($i in {self.chain(depth)}) {self.block(depth)}"

    def counted(self, depth: int) -> str:
        if self.chance(0.5):
            head = self.pick(["$i = 0; $i -lt 3; $i++", "$i=0;;", ";;", "; $i -lt 3"])
        else:
            head = f"$i = {self.command(0)}; {self.test(0)}; {self.command(0)}"
        return f"for ({head}) {self.block(depth)}"

    def condition(self, depth: int) -> str:
        return f"while{self.pick(['', ' '])}({self.test(0)}) {self.block(depth)}"

    def repeated(self, depth: int) -> str:
        return f"do {self.block(depth)} {self.pick(['while', 'until'])} ({self.test(0)})"

    def switch(self, depth: int) -> str:
        text = f"switch {self.pick(['', '', '-regex ', '-Wildcard '])}({self.test(0)}) {{{self.pick([' ', chr(10)])}"
        for pattern in ["a", "'b c'", "5", "{ $_ -gt 1 }", "$v" if self.beyond else "'d'", "default"]:
            if self.chance(0.4):
                text += f"{pattern} {self.block(depth)}" + self.pick(["\n", "; ", " " if self.beyond else "\n"])
        return text + "}"

    def attempt(self, depth: int) -> str:
        text = f"try {self.block(depth)}"
        last = self.random.randrange(3)
        if last < 2:
            head = self.pick([" catch ", "\ncatch ", " catch [System.IO.IOException] "])
            text += head + self.block(depth)
        return text + (f" finally {self.block(depth)}" if last else "")

    def function(self, depth: int) -> str:
        if self.chance(0.6):
            return self.pick(shapes.SCRIPT_HEADS) + self.script(depth)
        return self.pick(shapes.SIGNATURE_HEADS) + self.block(depth)

    def flow(self, depth: int) -> str:
        return self.pick(["return", "throw", "exit", "return "]) + " " + self.chain(depth)

    def trap(self, depth: int) -> str:
        return f"trap {self.pick(['', '[Exception] '])}{self.block(depth)}"

    def declared(self, depth: int) -> str:
        return f"class C {{ [int]$x; [void] M([int]$a) {self.block(depth)}\n }}"
