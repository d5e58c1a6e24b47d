"""PowerShell text made to be slow, deep or broken, in any size. Run as a script: CPU seconds of each kind at 1 MB."""

import random

from guardhook.shell.powershell import lexer
from tests.shell.hostile import main


def _row(text: str) -> list[str]:
    """The entries of a table: parted by blanks and line ends, with escapes as in a string and `␣` for a blank."""
    return [
        entry.replace("␣", " ").encode("latin-1", "backslashreplace").decode("unicode_escape") for entry in text.split()
    ]


# Repeated to the size wanted.
REPEATED = _row(r"""
( ) { } [ ] $( @( @{ @{@{ $(@{ "$( a$( &{ &␣( $x.M( [X( @{a= param( function␣f( a,( ' " ` '' "" '" "` `" "a` $
${ ${a} $x "$x"␣ \u2018 \u201c \u2018"'\u201d \u2013 \u2014x␣ a' a" "`u{41} `\n @'\n @"\n @"\n"@\n @"\n$(
@"\n$x\n"@␣ @'\n␣'@\n x␣@'\nx\n'@\n <# #> <#<# <##> #␣a\n a# <#\n# `# --% --%␣| --%␣" --%&& ; | || && & , . = -
+ ! @ % a; a| a|b; a,␣b␣ > >a␣ 2>&1␣ *> < >> \r \n \t \x00 \ud800 \xa0 \x0b \x00a␣ a\rb\r 1.. 0x -a␣ -a:b␣
-a:$x␣ $x.a $x[1] @x␣ [a,b]␣ if␣( if␣(a)␣{b}␣ else␣{ if␣(a)␣{ elseif␣(a)␣{ switch␣(a)␣{␣b␣{ b␣{c}␣
foreach␣($i␣in␣a)␣{ for␣(; while␣(a)␣{ do␣{a}␣while␣(b)␣ try␣{ try␣{a}␣catch␣{ catch␣{b}␣ trap␣ function␣f␣{
class␣C␣{␣M()␣{ enum␣E␣{ param($a)␣ process␣{a}␣ :l␣foreach␣ $x= $x␣=␣a;␣ $x,$y␣=␣ $x␣+=␣'a'␣+␣ 'a'+ 'a','b',
$x++; [int]$x␣=␣ $x[1]␣=␣ $env:A='b'; -join␣ 1␣-eq␣ $x␣?␣ -split␣( %{ a|%{ {a}| &{a}| a;{b} a{ a}b x(y)␣ &␣a␣
&'a'b a<# a'b 'a'b␣ $x'a' $(a)b␣
""")

# Name, what opens, what closes: nested below and beyond the limit around a long text.
NESTED = [
    _row(line)
    for line in r"""
( (␣ ␣)
$( $(␣ ␣)
@( @(␣ ␣)
{ {␣a;␣ ␣}
@{ @{␣k␣=␣ ␣}
&{ &␣{␣ ␣};␣
"$( "$( )"
a␣( a␣( )␣b
a$( a$( )b
@" @"\n$( )\n"@\n
if if␣(a)␣{␣ ␣};␣
foreach foreach␣($i␣in␣a)␣{␣ ␣};␣
switch switch␣(a)␣{␣b␣{␣ ␣}␣};␣
try try␣{␣ ␣}␣catch␣{␣b␣};␣
function function␣f␣{␣ ␣};␣
class class␣C␣{␣M()␣{␣ ␣}␣};␣
[ $x[ ]
.M( $x.M( )
$x␣= $x␣=␣( )
>␣( a␣>␣( )
param( {␣param($a␣=␣( ))␣b␣}␣
mix (@{k␣=␣"$({ })"})
| a␣|␣%␣{␣ ␣}␣|␣b;␣
${ ${ }
[X( [X(( ))]
while while␣(b␣( ))␣{␣a␣};␣
do do␣{␣ ␣}␣until␣(a);␣
for for␣($i␣=␣ ;␣b;␣c)␣{␣a␣};␣
""".strip().split("\n")
]

WORDS = _row(r"""
if else elseif foreach for while do until switch try catch finally function filter class param begin process
return ( ) { } [ ] $( @( @{ ${ ; | & && || , . = += > >> 2> 2>&1 < ' " ` @' @" '@ "@ <# #> # --% -x -x: $x $x.y
@x ${x} \n \r\n `\n @'\n @"\n \n'@ \n"@ in a 1..3 5 [int] :: -eq ! \u2018 \u201d \u2013 k␣= `u{
""")


def kinds(size: int) -> dict[str, str]:
    """Every hostile text, by name, each of about `size` characters."""
    texts = {text: text * (size // len(text)) for text in REPEATED}
    for number, (name, opening, closing) in enumerate(NESTED):
        for depth in (50, 300)[number % 2 :]:
            texts[f"{name} {depth} deep"] = "echo; " + opening * depth + "a b; " * (size // 5) + closing * depth
        count = size // (len(opening) + len(closing))
        texts[f"{name} balanced"] = "echo " + opening * count + closing * count
    return texts | tokens(size) | unclosed(size) | chance(size)


def tokens(size: int) -> dict[str, str]:
    """One token, as long as the text."""
    return {
        "long word": "a" * size,
        "long name behind a call": "& " + "a" * size,
        "long string": "'" + "a" * size + "'",
        "long expandable string": '"' + "a$x" * (size // 3) + '"',
        "long escapes": '"' + "`n" * (size // 2) + '"',
        "long doubled quotes": "a '" + "''" * (size // 2) + "'",
        "long comment": "<#" + "# >" * (size // 3) + "#>",
        "long number": "1" * size,
        "long parameter": "a -" + "x" * size + ":y",
        "long variable": "$" + "a" * size,
        "long braced variable": "${" + "a`}" * (size // 3) + "}",
        "long member chain": "$x" + ".a" * (size // 2),
        "long sum": "'a'" + " + 'a'" * (size // 6),
        "long list": "c " + "a," * (size // 2) + "b",
        "long here-string": "@'\n" + " '@\n" * (size // 4) + "'@",
        "long expandable here-string": '@"\n' + "$x\n" * (size // 3) + '"@',
        "long stop-parsing": "a --% " + 'b "c | d" %E% ' * (size // 14),
        "long path": "C:" + "\\a b" * (size // 4),
        "backslashes": "\\" * size,
        "wide table": "@{" + "k = a b; " * (size // 9) + "}",
        "wide switch": "switch (a) {" + "'b' { c }; " * (size // 11) + "}",
        "wide parameters": "function f(" + "[int]$a = (b c), " * (size // 17) + "$z) { d }",
        "chained assignments": "$x = " * (size // 5) + "a",
        "elseif chain": "if (a) { b }" + " elseif (c) { d }" * (size // 17),
    }


def unclosed(size: int) -> dict[str, str]:
    """Closers that never come, looked for from many places."""
    filler = "a b; " * (size // 5)
    openers = _row(r"""' " ( { $( @( @{ @'\n @"\n <# ${ [ "$( if␣( function␣f␣{ \u2018 "${ $x[""")
    texts = {f"unclosed {opener}": opener + filler for opener in openers}
    for opener in openers:
        texts[f"unclosed on each line {opener}"] = (f"a {opener} b\n") * (size // (len(opener) + 5))
    return texts


def chance(size: int) -> dict[str, str]:
    """Random text of several kinds, the same for the same size."""
    source = random.Random(7)
    quiet = [word for word in WORDS if not set(word) & set("'\"<\u2018\u201d")]
    return {
        "random characters": "".join([chr(source.randrange(1, 256)) for _ in range(size)]),
        "random shell characters": "".join([source.choice("()[]{}<>|&;$`'\"\\ \n#=aA-@,.%:1") for _ in range(size)]),
        "random words": " ".join([source.choice(WORDS) for _ in range(size // 4)]),
        "random words, no blanks": "".join([source.choice(WORDS) for _ in range(size // 3)]),
        "random words, no quotes": " ".join([source.choice(quiet) for _ in range(size // 4)]),
        "random openers": "".join([source.choice(NESTED)[1] for _ in range(size // 7)]),
        "NUL and surrogates": "echo a\0b \udc80 > x; rm \ud800\n" * (size // 30),
        "ordinary": "Get-ChildItem -Recurse | Where-Object { $_.Length -gt 1 } > o.txt; git push\n" * (size // 76),
    }


if __name__ == "__main__":
    main(kinds, lexer.read)
