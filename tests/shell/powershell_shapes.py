"""The shapes that the PowerShell grammar draws from: sources and their values, NUL for what only running could tell.

`*_BEYOND` holds what tree-sitter-powershell rejects or misreads; PowerShell's documentation allows it all the same.
"""

import random

UNKNOWN = "\0"  # in a value: what only the running shell knows
SAME = "\1"  # in front of a value: another element of the argument before
Shape = tuple[str, str]


def _same(text: str) -> list[Shape]:
    return [(word, word) for word in text.split()]


def _table(text: str) -> list[Shape]:
    """Lines of `source => value`, with `\\n`, `\\0` and their kin in both."""
    rows = [line.partition(" =>") for line in text.strip("\n").split("\n")]
    return [(_decoded(source), _decoded(value[1:])) for source, _, value in rows]


def _decoded(text: str) -> str:
    for name, character in (("n", "\n"), ("t", "\t"), ("0", "\0"), ("e", "\x1b"), ("r", "\r")):
        text = text.replace("\\" + name, character)
    return text


def nestable(source: str) -> bool:
    """True if a `"$( )"` may hold it: its end is found by counting parentheses, in quotes too, and the
    quotes in it first lose a backtick or a double in front of them.
    """
    depth = 0
    for character in source:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0 and '""' not in source and '`"' not in source


# Escape sequences count in double quotes alone (about_Special_Characters); elsewhere a backtick leaves what follows.
PLAIN = _same(
    "a -x -Force f.txt a#b *.c ~/x a=b a/b\\c é C:\\x % if in a[1] +x = HEAD^ HEAD~1 a..b 1..3 !x ^x ?x a%b a+b"
)
PLAIN += _same("a@b :x /x \\x a]b 5 1.5 http://x/y?z * . .. ./x a-b a_b.c-d -x:y -f 1kb a!b function -Name")
PLAIN += _table(r"""
a'b'c => abc
a"b"c => abc
a`tb => atb
a``b => a`b
a`"b => a"b
-x:'a b' => -x:a b
-x: y => -x:y
""")
PLAIN_BEYOND = _same("- -- --opt=v -x=y [a]b -1 --a=b:c -n1 --no-edit --x.y=z -join")
PLAIN_BEYOND += _table(r"""
`$v => $v
-x'y' => -xy
--o="a b" => --o=a b
`#a => #a
`{a`} => {a}
a'b c'd => ab cd
a"b;c" => ab;c
a`;b => a;b
a` b => a b
a<#b => a<#b
a@'b' => a@b
""")

# A whole argument each.
QUOTED = _table(r"""
'q ; r' => q ; r
'' =>
"s > t" => s > t
"it's" => it's
'# no' => # no
'say "hi" # no' => say "hi" # no
"a`nb" => a\nb
"a\nb" => a\nb
'a\nb ; c' => a\nb ; c
"50% $ x" => 50% $ x
"a$" => a$
'`n $v' => `n $v
"`$no `` z" => $no ` z
'a&&b' => a&&b
'it''s' => it's
'''' => '
"`e`r`t" => \e\r\t
"`q" => q
"a`u{263A}b" => a☺b
"" =>
"a""b" => a"b
"`"a`" (" => "a" (
"()) {" => ()) {
'@( $(' => @( $(
'}' => }
""")
QUOTED_BEYOND = _table(r"""
"<#" => <#
"# a" => # a
" # a" =>  # a
""")

# Any of the quotes opens and closes (about_Quoting_Rules; the language specification, 2.3.5.2); any dash is a dash.
CURLY = _table("""
\u2018a ; b\u2019 => a ; b
\u201ca | b\u201d => a | b
\u201aa\u201b => a
\u201ea\u201d => a
'a\u2019 => a
"a\u201d => a
\u201cit\u2019s\u201d => it\u2019s
\u2018a\u2019\u2019b\u2019 => a\u2019b
\u201cp $v q\u201d => p \\0 q
a\u2018b c\u2019 => ab c
a\u201cb;c\u201d => ab;c
\u2019a\u2018 => a
\u2013x => -x
\u2014Force => -Force
\u2015x:y => -x:y
""")

VARIABLE = _table(r"""
$v => \0
${v} => \0
${v w} => \0
$env:V => \0
$script:v => \0
"$v" => \0
"p $v q" => p \0 q
"${v}w" => \0w
"$env:V/x" => \0/x
@v => \0
$v.Length => \0
$v[0] => \0
$v['k'] => \0
$v.a.b => \0
$v::w => \0
"$v.md" => \0.md
$_ => \0
"$v[0]" => \0[0]
$? => \0
$$ => \0
-x:$v => -x:\0
a$v => a\0
'a'.Length => \0
$v.M('a', 1) => \0
"$($v)" => \0
$($v) => \0
($v) => \0
(1+2) => \0
""")
VARIABLE_BEYOND = _table(r"""
$v/x => \0/x
a${v}b => a\0b
$v$w => \0\0
${v}w => \0w
a$($v)b => a\0b
$v"y z" => \0y z
a'b'$v => ab\0
$v-x => \0-x
a$v\b => a\0\b
$- => $-
$env:V/x => \0/x
""")

# Lists: the values of the elements, parted by `|`.
LISTS = _table(r"""
'a','b' => a|b
'a', $v => a|\0
$v,$w,'c' => \0|\0|c
@('a','b') => a|b
('a', 'b') => a|b
('a') => a
('a'+'b') => ab
("a" + $v) => a\0
@('a') => a
""")
LISTS_BEYOND = _table(r"""
a,b => a|b
a, 'b' => a|b
a,b,$v => a|b|\0
a,\n b => a|b
a ,b => a|b
'a' ,'b' => a|b
""")

# Two arguments without a blank between them (about_Parsing, argument mode).
PARTED = _table(r"""
$v.a-more => \0|-more
a(1+2) => a|\0
'a'b => a|b
"a"'b' => a|b
$($v)b => \0|b
(1+2)b => \0|b
a@(1+2) => a@|\0
$v.M('a')'b' => \0|b
""")

TARGETS = _table(r"""
o1 => o1
"o 2" => o 2
'o3' => o3
$v => \0
"$v/o4" => \0/o4
o/5.txt => o/5.txt
C:\o6 => C:\o6
${env:V} => \0
""")
TARGETS_BEYOND = _table(r"""
$v/o7 => \0/o7
o'8 9' => o8 9
$env:V\o => \0\o
`$o => $o
""")

MERGES = ["2>&1", "*>&1", "3>&1", "4>&1", "5>&1", "6>&1", "1>&2"]
STREAMS = ["", "", "", "2", "3", "4", "5", "6", "*"]
BLANKS = [" ", " ", " ", " ", " ", "  ", " `\n ", " <# c ; > ' #> "]
BLANKS_BEYOND = ["\t", " `\r\n"]
OPERATORS = "-eq -ne -like -match -notmatch -and -or -join -split -replace -is -in -contains -f + - * / % -band".split()
CASTS = ["[int]", "[string]", "[string[]]", "[System.IO.FileInfo]", "[void]"]
OPERANDS = "$v $v.Length $v[1] 5 1.5 0x1f 5kb $env:V $true [int]::MaxValue $v[-1]".split()
OPERANDS_BEYOND = ["($v ? 'a' : 'b')", "($v ?? 5)", "1e3", "100l"]
STATEMENTS = [
    "'a','b'",
    "'a', $v",
    "'a' + 'b'",
    '"a" + $v',
    "('a')",
    "@('a','b')",
    "@('a')",
    "'a' + 5",
    "('a' + 'b') + 'c'",
]
STATEMENTS += ["$v, 'b', 5", "7", '"a$v" + \'b\' + "c"', "'a' + $v.Length", "'a' -eq 'b'", "-join ('a','b')", "[x]'a'"]
STATEMENTS += [
    "{ @('a','b'); 5 }",
    "$(@('a','b'))",
    "(@('a','b') -join 'c')",
    "@{ k = @('a','b') }",
    "$v.M(@('a','b'))",
]
STATEMENTS += [
    "$v[@('a','b')]",
    "@('a', @('b','c'))",
    "@(('a'))",
    "@(@('a','b'))",
    "(('a' + 'b'))",
    "@('a'; 'b')",
    "$('a')",
]
TARGETS_OF_ASSIGNMENT = ["$v", "$v", "${v}", "$env:V", "[int]$v", "$v[1]", "$v.x", "$script:v", "$v, $w", "$v = $w"]

NAMES = ["Get-{}", ".\\{}.exe", "if-{}", "for{}", "C:\\x\\{}.exe", "in{}", "do{}.sh"]
NAMES_BEYOND = ["~/{}", "./{}", "../{}.ps1", "{}/x", "7z{}"]
# Names in quotes, in part; `{0}` and `{1}` are the two halves.
NAMES_QUOTED = ["{0}$v{1}", '{0}"{1}"', "{0}'{1}'", "{0}''{1}", "`{0}{1}"]
CALLED = ["& '{}'", '& "{}"', "& {}", "&'{}'", '. "{}"', "& ('{}')", ". .\\{}"]
BLOCK_COMMANDS = ["%", "where"]
BLOCK_COMMANDS_BEYOND = ["?", "foreach", "ForEach-Object", "switch", "if"]
PARAMETERS = ["param($a)", "param([int]$a, $b)", "param($a = 1)", "param()"]
PARAMETERS += ["param([Parameter(Mandatory=$true)][string]$a)"]
SCRIPT_HEADS = ["function f ", "function Get-F ", "filter f ", "function script:f\n"]
SIGNATURE_HEADS = ["function f($a, [int]$b = 3) ", "function f() "]
HERE_LINES = ["plain > x; y & z | w", "it's \"odd", ") } @{ <# #", "# c", "", "'x", " '@", '" @', " \"@ '@ x", "a\tb"]


class Program:
    """A text and what it says.

    commands: the words of each command; a command stands behind those in its words. redirections: operator, stream and
    target of each.
    """

    def __init__(self) -> None:
        self.text = ""
        self.commands: list[tuple[str, ...]] = []
        self.redirections: list[tuple[str, str, str]] = []


class Source:
    """A stream of random choices from a seed, and what the program that is being made says."""

    def __init__(self, seed: int, beyond: bool = False, curly: bool = False) -> None:
        self.random = random.Random(seed)
        self.beyond = beyond
        self.curly = curly
        self.number = 0
        self.strings = 0  # expandable strings around the text that is being made
        self.said = Program()

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, choices: list[str]) -> str:
        return self.random.choice(choices)

    def shape(self, plain: list[Shape], beyond: "list[Shape] | None" = None) -> Shape:
        choices = beyond if beyond and self.beyond and self.chance(0.5) else plain
        while True:
            shape = self.random.choice(choices)
            if not self.strings or nestable(shape[0]):
                return shape

    def unique(self) -> str:
        self.number += 1
        return f"c{self.number}"
