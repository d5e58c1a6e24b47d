"""Random Bash text from a seed: the shapes of the shell's grammar, deeply mixed, nearly always valid.

Command names are unique (`c17`), so that a reader that loses, doubles or invents a command shows.
"""

import random

_PLAIN = ["a", "-x", "--opt=v", "f.txt", "a#b", "{1..3}", "a{b,c}d", "*.c", "~/x", "a=b", "[a]", "%", "é", "-", "x[1]"]
_QUOTED = [
    "'q ; r'",
    "''",
    '""',
    '"s > t"',
    '"it\'s"',
    "'say \"hi\" # no'",
    '"\\$(no) \\` \\" \\\\ \\z"',
    '"a\\\nb"',
    "$'x\\'y\\t'",
    '$"m | n"',
    "a\\ b",
    "\\;",
    "\\#x",
    "a\\\nb",
    "x'y z'\"w v\"u",
    "\\>\\(",
    "'a\nb ; c'",
]
_PARAMETERS = [
    "$v",
    "${v}",
    '"$v"',
    '"${v:-w}"',
    "${v#a}",
    "${v//a/b}",
    "${#v}",
    "$1$2",
    "$@",
    '"${a[@]}"',
    "${a[1]}",
    "${!v}",
    "${v:1:2}",
    "${v^^}",
    "$?",
    "$#",
    "$$",
    "${v:-'}'}",
    "${v/\\}/x}",
    "\"${v%'}'}\"",
    "${v:=a b}",
]
_ARITHMETIC = ["$((1>2))", "$((v<<1))", "$(( (1+2)*3 ))", "$[1+2]", "$((v?1:2))", "$((a[1]&1))", '"$((v|2))"']
_OUTPUTS = ["> ", ">>", ">| ", "&>", "&>> ", "2> ", "1>>", "{fd}> ", "<>", "3<> ", ">\\\n", "2>\\\n "]
_INPUTS = ["< ", "0< ", "<<< ", "<<< "]
_DUPLICATES = ["2>&1", ">&2", "<&3", "2>&-", "1>&3-", "{fd}>&-"]
_SEPARATORS = [" && ", " || ", "; ", ";", " | ", "|", " & ", " |& ", "&&", "||", " \\\n && ", "\\\n|"]
_BODY_LINES = [
    "plain > x; y & z | w",
    "it's \"odd",
    "\\$(no) \\`no\\`",
    ") } fi done esac ;;",
    "# c",
    "",
    "$v ${v:-w} $((1+1))",
    "<<F",
    "back\\\\",
    "EE",
]


class Grammar:
    """One stream of random programs. `depth` bounds the nesting of each."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.number = 0
        self.pending: list[tuple[str, str]] = []  # bodies and end lines of the here-documents of the current line

    def program(self, depth: int = 3) -> str:
        """A complete text; ends outside of every here-document."""
        self.pending = []
        text = self.items(depth)
        return text + self.line_end() if self.pending or self.random.random() < 0.3 else text

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, choices: list[str]) -> str:
        return self.random.choice(choices)

    def name(self) -> str:
        self.number += 1
        name = f"c{self.number}"
        if self.chance(0.8):
            return name
        head, tail = name[:1], name[1:]
        return self.pick(
            [
                f"'{name}'",
                f'{head}"{tail}"',
                f"\\{name}",
                f"$'{name}'",
                f"{head}\\\n{tail}",
                f'"{head}"{tail}',
                f'{name}""',
            ]
        )

    def line_end(self) -> str:
        """A newline, and behind it the bodies that wait for one."""
        text = "\n" + "".join([body + end + "\n" for body, end in self.pending])
        self.pending = []
        return text

    # Lists.

    def items(self, depth: int) -> str:
        """A list of commands."""
        text = self.item(depth)
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            text += self.separator() + self.item(depth)
        return text

    def separator(self) -> str:
        draw = self.random.random()
        if draw < 0.2 or self.pending:
            return self.line_end()
        if draw < 0.27:
            return " # note ; x > y $(no) 'q" + self.line_end()
        if draw < 0.32:
            return self.pick([" &&", " |", "||"]) + self.line_end() + "  "
        return self.pick(_SEPARATORS)

    def terminator(self) -> str:
        """What ends a list in front of a reserved word."""
        return self.line_end() if self.pending or self.chance(0.3) else "; "

    def item(self, depth: int) -> str:
        kinds = [self.group, self.subshell, self.branch, self.loop, self.counted, self.case, self.test, self.function]
        kinds += [self.coprocess, self.negated, self.selection, self.timed, self.arithmetic, self.declaration]
        if depth <= 0 or self.chance(0.5):
            return self.simple(depth)
        return self.random.choice(kinds)(depth - 1)

    # Simple commands.

    def simple(self, depth: int) -> str:
        if self.chance(0.1):
            return self.random.choice([self.array, self.element])(depth)
        words = [self.assignment(depth) for _ in range(self.random.choice([0, 0, 0, 0, 1, 2]))]
        if self.chance(0.1):
            words.append(self.redirection(depth))
        if not words or self.chance(0.9):
            words.append(self.name())
            for _ in range(self.random.randrange(4)):
                words.append(self.redirection(depth) if self.chance(0.25) else self.word(depth))
        return self.pick([" ", " ", " ", "  ", "\t", " \\\n"]).join(words)

    def assignment(self, depth: int) -> str:
        draw = self.random.randrange(1, 8)
        name = self.pick(["v", "VAR_1", "_x"]) + self.pick(["", "", "+"])
        return f"{name}={self.word(depth) if draw > 1 else ''}"

    def element(self, depth: int) -> str:
        name = self.pick(["a[1]", "a[v + 1]", 'a["k v"]', "a[$v]", "a[b[1]]"]) + self.pick(["", "+"])
        return f"{name}={self.word(depth)}"

    def array(self, depth: int) -> str:
        text = self.pick(["a=(", "a+=(", "b=( "])
        for _ in range(self.random.randrange(4)):
            text += (
                self.pick(["", "", "[2]=", "[v+1]="]) + self.word(depth) + self.pick([" ", "  ", "\n", " # c ; )\n"])
            )
        return text + ")"

    def redirection(self, depth: int) -> str:
        draw = self.random.randrange(10)
        if draw == 0:
            return self.pick(_DUPLICATES)
        if draw < 3:
            return self.pick(_INPUTS) + self.word(depth)
        if draw == 3:
            return self.here_document(depth)
        if draw == 4 and depth > 0:
            return f"> >({self.closed(depth - 1)})"
        target = self.pick(["o1", '"o 2"', "'o3'", "o\\ 4", "$v/o5", "$'o\\t6'", "o\\\n7", '"$v"', "/dev/null"])
        return self.pick(_OUTPUTS) + target

    def here_document(self, depth: int) -> str:
        operator = self.pick(["<<", "<<", "<<-", "3<<", "<< "])
        self.number += 1
        end = f"{self.pick(['E', 'END-', 'E.'])}{self.number}"
        quoted = self.chance(0.4)
        spelled = self.pick([f"'{end}'", f'"{end}"', f"\\{end}", f"{end[0]}'{end[1:]}'"]) if quoted else end
        tab = self.pick(["\t", "", "\t\t"]) if "-" in operator else ""
        lines = [self.pick(_BODY_LINES) for _ in range(self.random.randrange(4))]
        if not quoted:
            lines = [line.replace("back\\\\", "back\\\\ ") for line in lines]
            if depth > 0 and self.chance(0.4):
                lines.append(f"x $({self.closed(0)}) y")
            if self.chance(0.2):
                lines.append(f"`{self.backquoted()}`")
        self.pending.append(("".join([tab + line + "\n" for line in lines]), tab + end))
        return operator + spelled

    # Words.

    def word(self, depth: int) -> str:
        draw = self.random.randrange(20)
        if depth <= 0 or draw < 6:
            return self.pick(self.random.choice([_PLAIN, _PLAIN, _QUOTED, _QUOTED, _PARAMETERS, _ARITHMETIC]))
        if draw < 9:
            return f"$({self.closed(depth - 1)})"
        if draw < 11:
            return f'"p $({self.closed(depth - 1)}) q"'
        if draw == 11:
            return f"{self.pick(['<', '>'])}({self.closed(depth - 1)})"
        if draw == 12:
            return f'"${{v:-$({self.closed(depth - 1)})}}"'
        if draw == 13:
            return self.pick(["`{}`", '"`{}` z"', "x`{}`y"]).format(self.backquoted())
        if draw == 14:
            return f"$(( $({self.flat()}) + 1 ))"
        if draw == 15:
            return f"${{v{self.pick([':+', '-', '#', '/x/'])}{self.operand(depth - 1)}}}"
        if draw == 16:
            return f'"${{v{self.pick([":-", "+"])}"{self.operand(0, quotes=False)}"}}"'
        if draw == 17:
            # Shfmt rejects these without a blank between the parentheses.
            blank = self.pick(["", " ", " ", " ", " "])
            return f"$({blank}({self.name()} {self.word(0)}; {self.name()}); {self.name()} {self.word(0)})"
        return self.word(0) + self.word(depth - 1).lstrip("#~")

    def operand(self, depth: int, quotes: bool = True) -> str:
        """A word that may stand in `${v:-...}`: no brace in it, and no lone single quote where that still quotes."""
        word = self.word(depth)
        return word if not {"{", "}", "<", ">", "'" if not quotes else "{"} & set(word) else "w"

    def closed(self, depth: int) -> str:
        """A list as a substitution holds it: its here-documents end before it does."""
        outer, self.pending = self.pending, []
        text = self.items(depth)
        if self.pending or self.chance(0.1):
            text += self.line_end()
        self.pending = outer
        # In `$((` bash looks for the closing parenthesis before it knows that these are commands.
        return " " + text if text.startswith("(") else self.pick(["", "", " "]) + text

    def flat(self) -> str:
        """What may stand in a substitution inside arithmetic: no here-document, no `case`."""
        text = f"{self.name()} {self.word(0)} {self.pick([*_DUPLICATES, '> o1', ''])}"
        return text + self.pick(["", f" | {self.name()}", f"; {self.name()} {self.word(0)}", " # c ) it's\n", "\n"])

    def backquoted(self) -> str:
        return f"{self.name_plain()} {self.pick(['a', '-x', '$v', '; ' + self.name_plain(), '| ' + self.name_plain()])}"

    def name_plain(self) -> str:
        self.number += 1
        return f"c{self.number}"

    # Compound commands.

    def tail(self, depth: int) -> str:
        """Redirections behind a compound command."""
        return " " + self.redirection(depth) if self.chance(0.25) else ""

    def group(self, depth: int) -> str:
        return f"{{ {self.items(depth)}{self.terminator()}}}{self.tail(depth)}"

    def subshell(self, depth: int) -> str:
        text = self.items(depth)
        return f"({self.pick(['', ' '])}{text}{self.line_end() if self.chance(0.2) else ''}){self.tail(depth)}"

    def branch(self, depth: int) -> str:
        text = f"if {self.items(depth)}{self.terminator()}then {self.items(depth)}{self.terminator()}"
        if self.chance(0.3):
            text += f"elif {self.items(0)}{self.terminator()}then {self.items(0)}{self.terminator()}"
        if self.chance(0.4):
            text += f"else {self.items(depth)}{self.terminator()}"
        return f"{text}fi{self.tail(depth)}"

    def body(self, depth: int) -> str:
        return f"do {self.items(depth)}{self.terminator()}done{self.tail(depth)}"

    def loop(self, depth: int) -> str:
        return f"{self.pick(['while', 'until'])} {self.items(0)}{self.terminator()}{self.body(depth)}"

    def counted(self, depth: int) -> str:
        if self.chance(0.3):
            return (
                f"for (({self.pick([';;', 'i=0; i<3; i++', ' ; i > 1 ; '])})){self.pick(['; ', ' '])}{self.body(depth)}"
            )
        words = " ".join([self.word(depth) for _ in range(self.random.randrange(3))])
        return f"for i {self.pick(['in ' + words, 'in ' + words, ''])}{self.terminator()}{self.body(depth)}"

    def selection(self, depth: int) -> str:
        return f"select i in {self.word(depth)} b{self.terminator()}{self.body(depth)}"

    def case(self, depth: int) -> str:
        text = f"case {self.word(depth)} in{self.pick([' ', self.line_end()])}"
        for pattern in ["a|b)", "(c)", "'d e' | $v)", "*)"]:
            if self.chance(0.6):
                body = self.items(depth)
                end = self.line_end() if self.pending else " "
                text += (
                    f"{pattern} {body}{end}{self.pick([';;', ';;', ';&', ';;&'])}{self.pick([' ', self.line_end()])}"
                )
        return f"{text}esac{self.tail(depth)}"

    def test(self, depth: int) -> str:
        condition = self.pick(["-f x", "a == b*", "! -d y", "$v =~ ^(a|b)+$", "a > b", "( a < b || -n c )", "-z $v"])
        if self.chance(0.4) and depth > 0:
            condition += f" && -n $({self.closed(depth - 1)})"
        return f"[[ $v > b && {condition} ]]{self.tail(0)}"

    def arithmetic(self, depth: int) -> str:
        return self.pick(["((v>1))", "(( v <<= 2 ))", f"(( $({self.flat()}) > 0 ))", "((a[1]=2))"])

    def function(self, depth: int) -> str:
        head = self.pick(["f() ", "f ()", "function f ", "function f() ", "f-g()\n"])
        return head + self.pick([self.group(depth), self.group(depth)] if "\n" not in head else [self.group(depth)])

    def coprocess(self, depth: int) -> str:
        return "coproc " + self.pick(["", "N "]) + self.group(depth)

    def negated(self, depth: int) -> str:
        return "! " + self.item(depth)

    def timed(self, depth: int) -> str:
        return self.pick(["time ", "time -p "]) + self.random.choice([self.group, self.subshell, self.simple_plain])(
            depth
        )

    def simple_plain(self, depth: int) -> str:
        return f"{self.name()} {self.word(depth)}"

    def declaration(self, depth: int) -> str:
        kinds = [self.assignment, self.assignment, self.array]
        arguments = [self.random.choice(kinds)(depth) for _ in range(self.random.randrange(1, 3))]
        return self.pick(["declare -a ", "export ", "readonly ", "local ", "typeset "]) + " ".join(arguments)
