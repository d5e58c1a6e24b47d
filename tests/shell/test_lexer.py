"""What the Bash lexer reads, table by table. Every row that bash accepts was run in bash 5.2 with commands that log."""

from pathlib import Path

import pytest

from guardhook.shell.bash import lexer
from guardhook.shell.commands import UNKNOWN, Redirection
from tests.shell.bash import accepted, needs_bash

WRITES = frozenset((">", ">>", ">|", "&>", "&>>", "<>", ">&"))

# (text, the words of each simple command, write targets). A string stands for words without blanks; "\0" is UNKNOWN.
READINGS: list[tuple[str, list[str | list[str]], list[str]]] = [
    # Separators and lists.
    ("git status", ["git status"], []),
    ("a && b || c; d & e", ["a", "b", "c", "d", "e"], []),
    ("sleep 1 & git push", ["sleep 1", "git push"], []),
    ("make |& tee log", ["make", "tee log"], []),
    ("ls;rm x&&pwd||true|cat", ["ls", "rm x", "pwd", "true", "cat"], []),
    ("a\nb\r\nc\r", ["a", "b", "c"], []),
    ("a\rb \r c", ["a\rb \r c"], []),
    ("if a; then\r\n{ b; }\r\nfi\r\nfor x in 1\r\ndo\r\n(c)\r\ndone\r\nx=(d\r\n)\r\n", ["a", "b", "c"], []),
    ("true &\\\n& two; a |\\\n| b; c ;\\\n d", ["true", "two", "a", "b", "c", "d"], []),
    ("", [], []),
    (" \t\n\n # nothing", [], []),
    # Comments.
    ("ls # && git push", ["ls"], []),
    ("ls # ; rm -rf /\npwd", ["ls", "pwd"], []),
    ('echo a#b; echo "a"#b; echo a;#c\nls', ["echo a#b", "echo a#b", "echo a", "ls"], []),
    ("a &#c\n(b)#d )\ne", ["a", "b", "e"], []),
    ("echo a\\\n#b; echo c \\\n#d\ne", ["echo a#b", "echo c", "e"], []),
    ("echo $( # )\n a )", ["a", "echo \0"], []),
    ("echo $(a)#b", ["a", "echo \0#b"], []),
    # Quotes and escapes.
    ("git commit -m \"a; rm -rf / && b\" 'x | y' ", [["git", "commit", "-m", "a; rm -rf / && b", "x | y"]], []),
    ('echo a\\"b; git push', ['echo a"b', "git push"], []),
    ("r\"m\" -rf x; 'l's; \\pwd; $'git' push", ["rm -rf x", "ls", "pwd", "git push"], []),
    ("l\\\ns; rm \\\n -rf x", ["ls", "rm -rf x"], []),
    ('echo "a\\\nb" \'a\\\nb\' "\\$\\`\\"\\\\\\a"', [["echo", "ab", "a\\\nb", '$`"\\\\a']], []),
    ("echo '' \"\" ''\"\"", [["echo", "", "", ""]], []),
    ("echo a\\", ["echo a\\"], []),
    ('echo "a$" $ $% "$ x" $"y z"', [["echo", "a$", "$", "$%", "$ x", "y z"]], []),
    (r"$'\x72\155' $'a\tb' $'\'\"\?\\' $'\u20ac\U0001f600'", [["rm", "a\tb", "'\"?\\", "€\U0001f600"]], []),
    (r"echo $'a\0b'c $'\x00'd $'\x{41zz}' $'\x{}e' $'\400f'", [["echo", "ac", "d", "Azz}", "", ""]], []),
    (
        r"echo $'\cA\c?\c\\x' $'\c' $'\q\x\u\8' $'\e\E'",
        [["echo", "\x01\x7f\x1cx", "\\c", "\\q\\x\\u\\8", "\x1b\x1b"]],
        [],
    ),
    (r"echo $'\xe2\x82\xac' $'\xff'", ["echo € \udcff"], []),
    ("echo {a,b} {1..3} *.c ~/x a[1 2]", ["echo {a,b} {1..3} *.c ~/x a[1 2]"], []),
    ("echo a\0b", ["echo a\0b"], []),
    # Substitutions.
    ('echo "$(git push)"', ["git push", "echo \0"], []),
    ('echo "a $(git push "x $(rm y)") b"', ["rm y", ["git", "push", "x \0"], ["echo", "a \0 b"]], []),
    ("echo `git push \\`rm q\\``", ["rm q", "git push \0", "echo \0"], []),
    ('echo "v=`date +%s`;"', ["date +%s", "echo v=\0;"], []),
    ('echo "`echo \\"a b\\"`" `echo \\"hi`', [["echo", "a b"], 'echo "hi', "echo \0 \0"], []),
    ("echo `echo 'a\\`b\\`'`", ["echo a`b`", "echo \0"], []),
    ("diff <(git push) >(rm y) x", ["git push", "rm y", "diff \0 \0 x"], []),
    ("echo 2<(ls) a>(cat)", ["ls", "cat", "echo 2\0 a\0"], []),
    ('FOO="$(git push)" ls', ["git push", "ls"], []),
    ("echo $\\\n(a) $(\\\nb) ${v\\\nw} $v\\\nw <\\\n(c)", ["a", "b", "c", "echo \0 \0 \0 \0 \0"], []),
    ('echo $(case x in a) rm 1;; (b) ls; esac) "$(b ")")"', ["rm 1", "ls", "b )", "echo \0 \0"], []),
    ("echo ${ git push; } ${| ls; }", ["git push", "ls", "echo \0 \0"], []),
    # Parameters.
    ('echo "${x:-$(rm y)}" ${z//\\}/q} ${w:-`ls`}; id', ["rm y", "ls", "echo \0 \0 \0", "id"], []),
    ("echo ${#x} ${x#a} $# ${#} $?$$x; ls", ["echo \0 \0 \0 \0 \0\0x", "ls"], []),
    ('echo "${x:-\'}\'}" ${x:-\'a }\'} "${x#\'}\'}" "${x:-"}"}" "${x:-\\}}"; ls', ["echo \0 \0 \0 \0 \0", "ls"], []),
    ('echo ${a[1#c} "${a[}"; ls', ["echo \0 \0", "ls"], []),
    ("echo ${x:-{a}} ${x:-'$(no)'} \"${x:-'$(yes)'}\"", ["yes", "echo \0} \0 \0"], []),
    ('echo ${x:-<(ls)} "${x:-<(no)}" ${a[$(b)]} ${x:$(c)}', ["ls", "b", "c", "echo \0 \0 \0 \0"], []),
    # Arithmetic.
    ("((a>b)) && ls; (( x = 1 << 3 )); echo $((2>1)) $[1>2]", ["ls", "echo \0 \0"], []),
    ('echo $(( $(rm x) + `ls` )) $[ $(id) ] "$((1 + $(pwd)))"', ["rm x", "ls", "id", "pwd", "echo \0 \0 \0"], []),
    ("for ((i=0; i<$(wc); i++)); do rm $i; done", ["wc", "rm \0"], []),
    ("((ls); (rm -rf x))", ["ls", "rm -rf x"], []),
    ("echo $((a); b) $((c) )", ["a", "b", "c", "echo \0 \0"], []),
    ("( (ls) ); (\\\n(1)); echo $(( (1+2)*3 ))", ["ls", "echo \0"], []),
    ("(( $(a # it's )\n) > 1 )) && b", ["a", "b"], []),
    # Groups, branches, loops.
    ("(git push); { git push; }", ["git push", "git push"], []),
    ("(cd x && rm y) > o; { ls; pwd; } 2> e", ["cd x", "rm y", "ls", "pwd"], ["o", "e"]),
    ("! git push; ! ! a; !(b)", ["git push", "a", "b"], []),
    ("if true; then git push; fi", ["true", "git push"], []),
    ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"], []),
    ("if((1))then a;fi; if(b)then c;fi; {(d)}", ["a", "b", "c", "d"], []),
    ("i\\\nf true; then a; fi", ["true", "a"], []),
    ("while a; do b; done; until c\ndo d\ndone < f > g", ["a", "b", "c", "d"], ["g"]),
    ("for x in a b; do rm -rf $x; done", ["rm -rf \0"], []),
    ("for x in $(a) <(b); { c; }; for y do d; done; for z; do e; done", ["a", "b", "c", "d", "e"], []),
    ("for x\nin a # ; do\ndo b; done; select y in c; do d; done", ["b", "d"], []),
    ("case $x in a|b) rm 1;; (c) ls;; *) pwd;; esac; id", ["rm 1", "ls", "pwd", "id"], []),
    ("case $(a) in $(b)) c;& d) e;;& (esac) ;; esac", ["a", "b", "c", "e"], []),
    ("case in in in) a;; esac; case x in esac; case x\nin (esac) ;; y) b; esac", ["a", "b"], []),
    ("case x in x) if a; then b; fi esac; c", ["a", "b", "c"], []),
    # Functions and coprocesses.
    ("f() { rm z; }; function g { ls; }; f", ["rm z", "ls", "f"], []),
    ("f ( ) ( a ); function g() ( b ); function h ( c ); x?(){ d; }; a-b()\n{ e; }", ["a", "b", "c", "d", "e"], []),
    ("f() if a; then b; fi; g() [[ x ]]; h() ((1)); k() for x in 1; do c; done", ["a", "b", "c"], []),
    ("f() { a; } > o; f", ["a", "f"], ["o"]),
    ("coproc a b; coproc { c; }; coproc N { d; }; coproc N ( e ); coproc while f; do g; done", ["a b", *"cdefg"], []),
    # `time`.
    ("time git push", ["time git push"], []),
    ("time -p ( git push ); time { a; }; time -p -- ! { b; }; time time if c; then d; fi", ["git push", *"abcd"], []),
    ("time; time -p\ntime A=1 a | b", ["time", "time -p", "time A=1 a", "b"], []),
    # Tests.
    ("[[ a > b && $x == y* ]] && rm q", ["rm q"], []),
    ('[[ $x =~ ^(a|b)+$ ]] || ls; [[ "a b" =~ (a b) ]]; [[ ! ( a < b || -n c ) ]] && d', ["ls", "d"], []),
    ("[[ -n $(a) && $(b) -ef <(c)\n&& d ]] > o", ["a", "b", "c"], ["o"]),
    ("[ a ] && [ -f b ]", ["[ a ]", "[ -f b ]"], []),
    # Assignments and arrays.
    ("a=(1 2 $(rm z)); b[1]=x ls", ["rm z", "ls"], []),
    ("a=(1 # c )\n 2); a+=(<(b)); c[1 + 2]=3 d; e[$(f)]=4; g[1 2] x", ["b", "d", "f", ["g[1 2]", "x"]], []),
    ("declare -a x=(a $(b)); export y=(c)", ["b", "declare -a x=\0", "export y=\0"], []),
    ("A=1 > f B=2 cmd C=3; 1x=2; x =3; [a]=1", ["cmd C=3", "1x=2", "x =3", "[a]=1"], ["f"]),
    ("A=1 if true; >f if true", ["if true", "if true"], ["f"]),
    ("rm !(a|b) @(c d|$(e)) x+(f)", ["e", ["rm", "!(a|b)", "@(c d|\0)", "x+(f)"]], []),
    # Redirections.
    ("> f git push", ["git push"], ["f"]),
    (
        "a > f1 2>>f2 3<>f3 < in; b &> f4 &>> f5; c >& f6 >|f7",
        ["a", "b", "c"],
        ["f1", "f2", "f3", "f4", "f5", "f6", "f7"],
    ),
    ("a > f 2>&1; b >&2; c 2>&-; d <&3 1>&3-", ["a", "b", "c", "d"], ["f"]),
    ("exec {fd}>log; exec {1}>f; {q}<in a 2{b}>g", ["exec", "exec {1}", "a 2{b}"], ["log", "f", "g"]),
    ("echo x>f;echo 2>g;echo 2&>h; echo 2 >i", ["echo x", "echo", "echo 2", "echo 2"], ["f", "g", "h", "i"]),
    ("a >\"my file\" 2>'e r' > $'t\\tb' >\\\n> x\\\ny", ["a"], ["my file", "e r", "t\tb", "xy"]),
    ("a > >(tee z) 2> >(b)c", ["tee z", "b", "a"], ["\0c"]),
    ('grep x <<< "a > b; rm q" > o', ["grep x"], ["o"]),
    ("echo héllo > файл; rm “x”", ["echo héllo", "rm “x”"], ["файл"]),
    # Here-documents.
    ("cat <<EOF\nrm -rf / > x\nEOF\nls", ["cat", "ls"], []),
    ("cat <<EOF\n$(rm x) and `id`\nEOF", ["cat", "rm x", "id"], []),
    ("cat <<'EOF'\n$(rm x)\nEOF\nls", ["cat", "ls"], []),
    ('cat <<"E O F"\n$(rm x)\nE O F\nls', ["cat", "ls"], []),
    ("cat <<\\EOF\n$(rm x)\nEOF\nls", ["cat", "ls"], []),
    ("cat <<E\"O\"F\n$(rm x)\nEOF\ncat <<$'E'\n$(rm x)\nE\nls", ["cat", "cat", "ls"], []),
    ("cat <<-EOF\n\t$(rm x)\n\tEOF\nls", ["cat", "rm x", "ls"], []),
    ("cat <<A <<B; ls\nrm 1\nA\nrm 2\nB\npwd", ["cat", "ls", "pwd"], []),
    ("cat <<'E' | sed s/a/b/ > out.txt && rm t\nx > y\nE", ["cat", "sed s/a/b/", "rm t"], ["out.txt"]),
    (
        "git commit -m \"$(cat <<'EOF'\nmsg \"with quote; rm -rf /\nit's ) fine\nEOF\n)\"",
        ["cat", "git commit -m \0"],
        [],
    ),
    ("cat <<A - $(cat <<B\nb\nB\n)\na\nA\nls", ["cat", "cat - \0", "ls"], []),
    ("echo $(cat <<E)\n$(a)\nE\nb", ["cat", "echo \0", "a", "b"], []),
    ('cat <<A $(b <<B\nx\nB\nc\nd) "e\nf"\nA\nls', ["b", "c", "d", ["cat", "\0", "e\nf"], "ls"], []),
    ("cat <<E\nx\\\nE\n$(a)\nE\nb", ["cat", "a", "b"], []),
    ("cat <<EF\nE\\\nF\nb", ["cat", "b"], []),
    ("cat <<E\na\\\\\nE\nb; cat <<'E'\nc\\\nE\nd", ["cat", "b", "cat", "d"], []),
    ("cat <<$x <<`a b` <<$(c)\n$(d)\n$x\n`a b`\n$(c)\nls", ["cat", "d", "ls"], []),
    ("cat <<\"$x\"\n$(a)\n$x\ncat <<'a'b\n$(c)\nab\nls", ["cat", "cat", "ls"], []),
    ("if cat <<E; then b; fi\n)\nE\n{ c; } <<F\n}\nF\nd", ["cat", "b", "c", "d"], []),
    ("cat <<EOF\r\na\r\nEOF\r\nls", ["cat", "ls"], []),
    ("cat <<EOF\na\nEOF\r\n$(b)", ["cat", "b"], []),
    ("cat <<EOF\nabc $(rm x)", ["cat", "rm x"], []),
    ("cat <<''\na\n\nls", ["cat", "ls"], []),
    ("cat <<E \\\n; a\nb\nE\nc", ["cat", "a", "c"], []),
    # In a substitution a line that begins with the delimiter and goes on to a `)` ends a here-document.
    ("git commit -m \"$(cat <<'EOF'\nx $(a)\nEOF)\" && b", ["cat", "git commit -m \0", "b"], []),
    ("x $(cat <<E\nfoo) bar\n $(a)\nE)", ["cat", "a", "x \0"], []),
    ("x <(cat <<-E\n\tfoo\n\tE ) $( (cat <<E\n\\\nE) )", ["cat", "cat", "x \0 \0"], []),
    ("x $(cat <<E\nfoo\nEa b) c", ["cat", "a b", "x \0 c"], []),
    ("x `cat <<E\nfoo)\nE` <<E\nE)\nE\nb", ["cat", "x \0", "b"], []),
]

# What bash refuses; nothing in front of or behind the error may be lost.
BROKEN: list[tuple[str, list[str | list[str]], list[str]]] = [
    ("ls ) ; rm x", ["ls", "rm x"], []),
    ("a;; b", ["a", "b"], []),
    ("fi; a; done; b; } c; esac; then d; do e", ["a", "b", "c", "d", "e"], []),
    ("( a; b", ["a", "b"], []),
    ("{ a; ( b; } ; c ) ; d", ["a", "b", "c", "d"], []),
    ("if a; then b", ["a", "b"], []),
    ("if a; ( then b; fi ) ; c", ["a", "b", "c"], []),
    ("while a; then b; done; c", ["a", "b", "c"], []),
    ("case x in a) b; fi; c) d;; e", ["b", "c", "d", "e"], []),
    ("case x; a; case x in ; b; case x in y z", ["a", "b", "y z"], []),
    ("for; a; for x in b & c; do d; done", ["a", "c", "d"], []),
    ("[[ a; b; [[ c & d; ( [[ e ) ; f", ["b", "d", "f"], []),
    ("&& a && || b ; ; c & ; d", ["a", "b", "c", "d"], []),
    ("echo a(b) c; ls (d)", ["echo a", "b", "c", "ls", "d"], []),
    ("f() a; function; b; coproc; c", ["a", "b", "c"], []),
    ("> ; a >; b <<; c 2>", ["a", "b", "c"], ["", "", ""]),
    ("a[ ; b", ["a[", "b"], []),
    ("a=(1 > 2 ; 3) b; c", ["b", "c"], []),
    ("() a; ( ) b; { } c", ["a", "b", "c"], []),
    ("echo a=(b) c; d", ["echo a=\0 c", "d"], []),
]


def commands_of(text: str) -> list[list[str]]:
    return [[word.text for word in command.words] for command in lexer.read(text).commands if command.words]


def writes_of(text: str) -> list[str]:
    found = [redirection for command in lexer.read(text).commands for redirection in command.redirections]
    return [redirection.target.text for redirection in found if is_write(redirection)]


def is_write(redirection: Redirection) -> bool:
    target = redirection.target
    duplicates = redirection.operator == ">&" and (target.text.rstrip("-").isdigit() or target.text == "-")
    process = target.text == UNKNOWN and target.parts[0].text.startswith(">(")
    return redirection.operator in WRITES and not duplicates and not process


@pytest.mark.parametrize(("text", "commands", "targets"), READINGS + BROKEN, ids=[row[0] for row in READINGS + BROKEN])
def test_reading(text: str, commands: list[str | list[str]], targets: list[str]) -> None:
    expected = [row if isinstance(row, list) else row.split(" ") for row in commands]
    assert commands_of(text) == expected
    assert writes_of(text) == targets
    assert lexer.read(text).flaw == ""


@needs_bash
def test_validity(tmp_path: Path) -> None:
    """Bash agrees about which rows are broken, with or without extended patterns. It reads no NUL from a file."""
    for table, valid in ((READINGS, True), (BROKEN, False)):
        texts = [text.replace("\r\n", "\n") for text, *_ in table if UNKNOWN not in text]
        found = {*accepted(texts, tmp_path), *accepted(texts, tmp_path, "-O", "extglob")}
        assert [text for text in texts if (text in found) is not valid] == []
