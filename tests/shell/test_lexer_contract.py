"""The records that the Bash lexer gives: neighbours, scopes, pipes, spans, parts, assignments, flaws."""

import pytest

from guardhook.shell.bash import lexer
from guardhook.shell.bash.words import assignment_of
from guardhook.shell.commands import (
    LITERAL,
    OPAQUE,
    UNKNOWN,
    VARIABLE,
    ArrayWord,
    Assignment,
    Command,
    Compound,
    Scope,
    Word,
)


def chain(scope: "Scope | None") -> str:
    """The kinds of a scope and those around it, the innermost first."""
    kinds = []
    while scope is not None and scope.parent is not None:
        kinds.append(scope.kind)
        scope = scope.parent
    assert scope is not None
    assert scope.kind == ""
    return " ".join(kinds)


def first_word(command: Command) -> str:
    return command.words[0].text if command.words else "-"


# (text, for each command its first word with the operators before and after it).
NEIGHBOURS = [
    ("cd x && make", "cd && / && make"),
    ("cd x;", "cd"),
    ("cd x &", "cd"),
    ("cd x\n", "cd"),
    ("cd x # c\n", "cd"),
    ("cd x; ls", "cd ; / ; ls"),
    ("cd x;\nls", "cd \n / \n ls"),
    ("cd x; # c\n\n ls", "cd \n / \n ls"),
    ("cd x\n\n\nls", "cd \n / \n ls"),
    ("cd x & ls", "cd & / & ls"),
    ("cd x &\nls", "cd & / & ls"),
    ("cd x || \n # c\n ls", "cd || / || ls"),
    ("cd x |\nls |& wc", "cd | / | ls |& / |& wc"),
    ("cd x && (make)", "cd && / make"),
    ("(make) && cd x", "make / && cd"),
    ("cd x && [[ -f y ]] && ls", "cd && / && ls"),
    ("cd x || ((1)); ls", "cd || / ; ls"),
    ("cd x && f() { a; }; ls", "cd && / a / ; ls"),
    ("cd x && ! ls; ! a && b", "cd && / && ls ; / ; a && / && b"),
    ("{ cd x; }; ls", "cd / ; ls"),
    ("{ cd x; ls; }", "cd ; / ; ls"),
    ("(cd x)", "cd"),
    ("while a; do cd x; done; ls", "a / cd / ; ls"),
    ("if cd x; then ls && a; fi && b", "cd / ls && / && a / && b"),
    ("case x in y) cd x;; z) a; b;; esac || c", "cd / a ; / ; b / || c"),
    ("echo $(cd x; a) && b", "cd ; / ; a / echo && / && b"),
    ("{ a; } > f && b", "a / - && / && b"),
    ("a && { b; } > f; c", "a && / b / && - ; / ; c"),
    ("for x in 1; do a; done && b", "- / a / && b"),
    ("cat <<E && a\nx\nE\nb", "cat && / && a \n / \n b"),
    ("cat <<E &&\nx\nE\nb", "cat && / && b"),
]


@pytest.mark.parametrize(("text", "expected"), NEIGHBOURS, ids=[row[0] for row in NEIGHBOURS])
def test_neighbours(text: str, expected: str) -> None:
    seen = [
        " ".join(filter(None, [command.before, first_word(command), command.after]))
        for command in lexer.read(text).commands
    ]
    assert " / ".join(seen).replace("\n", "\\n") == expected.replace("\n", "\\n")


# (text, for each command its first word and its scopes, the innermost first).
SCOPES = [
    ("a; b", "a / b"),
    ("cd x & ls", "cd & / ls"),
    ("a && b & c", "a & / b & / c"),
    ("a; b && c & d", "a / b & / c & / d"),
    ("a | b |& c; d", "a | / b | / c | / d"),
    ("a | b && c", "a | / b | / c"),
    ("a && b | c", "a / b | / c |"),
    ("a | b &", "a | & / b | &"),
    ("(a; b)", "a ( / b ("),
    ("(a) | b", "a ( | / b |"),
    ("(a) & b", "a ( & / b"),
    ("{ a; b; }", "a { / b {"),
    ("{ a; } | b", "a | / b |"),
    ("{ a; b; } & c", "a & / b & / c"),
    ("a | { b; }", "a | / b |"),
    ("a | { b; } > f", "a | / b { | / - |"),
    ("if a; then b; elif c; then d; else e; fi", "a { / b if / c if / d if / e if"),
    ("if a; then b; fi | c", "a { | / b if | / c |"),
    ("a | while b; do c; done", "a | / b for | / c for |"),
    ("while a; do b; done &", "a for & / b for &"),
    ("for x in $(a); do b; done", "a $( / - for / b for"),
    ("for x in $(a); do b; done | c", "a $( | / - for | / b for | / c |"),
    ("case $(a) in $(b)) c;; esac", "a $( / b $( / c if"),
    ("f() { a; }; function g ( b )", "a function / b ( function"),
    ("f() { a; } > o", "a { function / - function"),
    ("coproc a; coproc { b; }; coproc N ( c )", "a & / b & / c ( &"),
    ("coproc a | b", "a & | / b |"),
    ("x $(a; b)", "a $( / b $( / x"),
    ("x $(a) | y <(b)", "a $( | / x | / b $( | / y |"),
    ("x `a` &", "a $( & / x &"),
    ("x $(a `b`)", "b $( $( / a $( / x"),
    ("x $(a | b)", "a | $( / b | $( / x"),
    ("cat <<E | x\n$(a)\nE", "cat | / x | / a $( |"),
    ("! { time { a; }; }", "a { {"),
]


@pytest.mark.parametrize(("text", "expected"), SCOPES, ids=[row[0] for row in SCOPES])
def test_scopes(text: str, expected: str) -> None:
    seen = [f"{first_word(command)} {chain(command.scope)}".strip() for command in lexer.read(text).commands]
    assert " / ".join(seen) == expected


def test_commands_of_one_process_share_its_scope() -> None:
    a, b, c = lexer.read("a && b & c").commands
    assert a.scope is b.scope
    assert a.scope is not c.scope
    a, b, c = lexer.read("a | b | c").commands
    assert len({a.scope, b.scope, c.scope}) == 3
    condition, first, second = lexer.read("if a; then b; else c; fi").commands
    assert len({condition.scope, first.scope, second.scope}) == 3
    a, b = lexer.read("if x; then y; elif a; then b; fi").commands[2:]
    assert a.scope is b.scope


# (text, the command that feeds the last one).
FEEDERS = [
    ("a | b", "a"),
    ("a |& b", "a"),
    ("a | b | c", "b"),
    ("x; a -n | ! b", "a"),
    ("a && b | c", "b"),
    ("a 2> f | b", "a"),
    ("a > f | b", None),
    ("a &> f | b", None),
    ("a 2>&1 | b", "a"),
    ("a >&2 | b", "a"),
    ("a > /dev/stdout | b", "a"),
    ("a > $x | b", "a"),
    ("a > f > /dev/fd/1 | b", "a"),
    ("a | b < f", None),
    ("a | b <<< x", None),
    ("a | b <<E\nE", None),
    ("a | b < /dev/stdin", "a"),
    ("a | b 3< f", "a"),
    ("{ a; } | b", ["a"]),
    ("(a; c | d) | b", ["a", "c", "d"]),
    ("if a; then c; fi | b", ["a", "c"]),
    ("{ a; } > f | b", None),
    ("((a)) | b", None),
    ("[[ a ]] | b", []),
    ("a | { b; }", None),
    ("a; b", None),
    ("a || b", None),
    ("a | x $(b) | c", "x"),
]


@pytest.mark.parametrize(("text", "feeder"), FEEDERS, ids=[row[0] for row in FEEDERS])
def test_feeder(text: str, feeder: "str | list[str] | None") -> None:
    commands = lexer.read(text).commands
    found = [command for command in commands if command.words][-1].feeder
    if isinstance(found, Compound):
        assert [first_word(command) for command in commands[slice(*found.commands)]] == feeder
    else:
        assert (found and first_word(found)) == feeder


def test_compound_commands() -> None:
    """Each simple command knows the compound command around it, and that knows its own input."""
    commands = lexer.read("a | { b; (c $(d)); } < f; e").commands
    a, b, d, c, carrier, e = commands
    assert [first_word(command) for command in (a, b, c, d, e)] == ["a", "b", "c", "d", "e"]
    assert a.within is None
    assert e.within is None
    group = b.within
    assert group is not None
    assert group.feeder is a
    assert group.carrier is carrier
    assert group.within is None
    assert c.within is not None
    assert c.within is d.within
    assert c.within.within is group
    assert c.within.feeder is None


def spans(text: str, words: list[Word]) -> list[str]:
    return [text[word.start : word.end] for word in words]


def test_spans() -> None:
    text = "A=1 'a b' \"c$x\" > f 2>&1 d ; (e $(g h) i) && j <<E k # c\nE\n"
    commands = lexer.read(text).commands
    assert [text[command.start : command.end] for command in commands] == [
        "A=1 'a b' \"c$x\" > f 2>&1 d",
        "g h",
        "e $(g h) i",
        "j <<E k",
    ]
    words = [word for command in commands for word in command.words]
    assert spans(text, words) == ["'a b'", '"c$x"', "d", "g", "h", "e", "$(g h)", "i", "j", "k"]
    value = commands[0].assignments[0].value
    assert value is not None
    assert spans(text, [value, *(found.target for found in commands[0].redirections)]) == ["1", "f", "1"]


def test_spans_in_backquotes() -> None:
    text = r"""x `A=\$b c=(d \e) \`f \\\`g h\\\`\` > \$i <<<"${j:-\$k l}"`"""
    g, f, command, x = lexer.read(text).commands
    assert [text[each.start : each.end] for each in (g, f)] == ["g h", r"f \\\`g h\\\`"]
    assert text[command.start : command.end] == text[3:-1]
    assert text[x.start : x.end] == text
    value, elements = command.assignments[0].value, command.assignments[1].elements
    operand = command.redirections[1].target.parts[0].operand
    assert value is not None
    assert elements is not None
    assert operand is not None
    words = [value, *elements, *command.words, command.redirections[0].target, operand]
    assert spans(text, words) == [r"\$b", "d", r"\e", r"\`f \\\`g h\\\`\`", r"\$i", r"\$k l"]


def shape(word: Word) -> list[tuple[int, str, bool]]:
    return [(part.kind, part.text, part.quoted) for part in word.parts]


def only_word(text: str) -> Word:
    return lexer.read(f"x {text}").commands[-1].words[1]


def test_parts() -> None:
    assert only_word("plain*").parts == ()
    assert only_word("a\\\nb").parts == ()
    assert shape(only_word("a\"b$c\"'d'\\e")) == [
        (LITERAL, "a", False),
        (LITERAL, "b", True),
        (VARIABLE, "c", True),
        (LITERAL, "de", True),
    ]
    assert shape(only_word("''")) == [(LITERAL, "", True)]
    assert shape(only_word('"$x"')) == [(VARIABLE, "x", True)]
    assert shape(only_word("$(a)`b`<(c)$((1))$[2]")) == [
        *((OPAQUE, text, False) for text in ("$(a)", "`b`", "<(c)", "$((1))", "$[2]")),
    ]
    assert shape(only_word('"$(a)"')) == [(OPAQUE, "$(a)", True)]
    assert only_word("a$(b)c$d").text == f"a{UNKNOWN}c{UNKNOWN}"
    names = only_word("$a$_b1-$1$10$@$*$#$?$-$$$!${10}${c}")
    assert [part.text for part in names.parts if part.kind == VARIABLE] == [
        *("a", "_b1", "1", "1", "@", "*", "#", "?", "-", "$", "!", "10", "c"),
    ]


def test_commands_in_braces() -> None:
    """Bash 5.3 runs them, and closes them at a `}` where a command could begin, whatever stands behind it."""
    commands = lexer.read('echo ${ a; }b "${| c; }" ${ { d; }\n}; e').commands
    assert [first_word(command) for command in commands] == ["a", "c", "d", "echo", "e"]
    assert [chain(command.scope) for command in commands] == ["$(", "$(", "{ $(", "", ""]


PARAMETERS = [
    ("${x}", "x", "", None),
    ("${x[@]}", "x[@]", "", None),
    ("${x[*]}", "x[*]", "", None),
    ("${x[1]}", "x[1]", "", None),
    ("${x[y]}", "x[?]", "", None),
    ("${x:-w}", "x", ":-", "w"),
    ("${x-}", "x", "-", ""),
    ("${x:=w}", "x", ":=", "w"),
    ("${x=w}", "x", "=", "w"),
    ("${x:+w}", "x", ":+", "w"),
    ("${x+w z}", "x", "+", "w z"),
    ("${x[@]:-w}", "x[@]", ":-", "w"),
    ("${1:-'a }'}", "1", ":-", "a }"),
    ("${@:-w}", "@", ":-", "w"),
    ("${#:-w}", "#", ":-", "w"),
    ("${!-w}", "!", "-", "w"),
    ("${x:?w}", "x", ":?", "w"),
    ("${x?w}", "x", ":?", "w"),
    ("${x#w}", "x", "?", None),
    ("${x%%w}", "x", "?", None),
    ("${x/a/b}", "x", "?", None),
    ("${x^^}", "x", "?", None),
    ("${x@Q}", "x", "?", None),
    ("${x:1:2}", "x", "?", None),
    ("${#x}", "x", "?", None),
    ("${#x[@]}", "x[@]", "?", None),
    ("${!x}", "x", "?", None),
    ("${!x@}", "x", "?", None),
    ("${#@}", "@", "?", None),
    ("${##}", "#", "?", None),
    ("${#}", "#", "", None),
    ("${?}", "?", "", None),
    ("${%}", "", "?", None),
]


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize(("text", "name", "operator", "operand"), PARAMETERS, ids=[row[0] for row in PARAMETERS])
def test_parameters(text: str, name: str, operator: str, operand: "str | None", quote: str) -> None:
    word = only_word(quote + text + quote)
    (part,) = word.parts
    assert (part.kind, part.text, part.quoted, part.operator) == (VARIABLE, name, bool(quote), operator)
    if quote and "'" in text:
        operand = "'a }'"  # single quotes are kept inside double quotes
    assert (part.operand and part.operand.text) == operand or (part.operand is not None and operand == "")
    assert word.text == UNKNOWN


def test_assignments() -> None:
    command = lexer.read("A=1 b+=\"x $y\" c[1]=2 d=(e 'f g') h= i+=(j) k\\\nl=~/m cmd n=o").commands[0]
    assert [(found.name, found.append, found.value and found.value.text) for found in command.assignments] == [
        ("A", False, "1"),
        ("b", True, f"x {UNKNOWN}"),
        ("c", False, "2"),
        ("d", False, None),
        ("h", False, ""),
        ("i", True, None),
        ("kl", False, "~/m"),
    ]
    elements = [found.elements and [word.text for word in found.elements] for found in command.assignments]
    assert elements == [None, None, None, ["e", "f g"], None, ["j"], None]
    assert [found.subscript for found in command.assignments] == ["", "", "1", "", "", "", ""]
    assert [word.text for word in command.words] == ["cmd", "n=o"]
    value = command.assignments[1].value
    assert value is not None
    assert shape(value) == [(LITERAL, "x ", True), (VARIABLE, "y", True)]
    for text in ("'A'=1", "\\A=1", 'A""=1', "1A=2", "A-b=1", "=1", "$A=1", "é=1"):
        command = lexer.read(text).commands[0]
        assert len(command.words) == 1, text
        assert not command.assignments, text


def test_assignment_of_an_argument() -> None:
    def of(text: str) -> "Assignment | None":
        return assignment_of(only_word(text))

    for text in ("g=push", "'g=push'", 'g"=push"', "g='pu'sh", "\\g=push"):
        found = of(text)
        assert found is not None
        assert (found.name, found.value and found.value.text, found.append) == ("g", "push", False), text
    found = of("g+='a '$x")
    assert found is not None
    assert found.append
    assert found.value is not None
    assert shape(found.value) == [(LITERAL, "a ", True), (VARIABLE, "x", False)]
    assert found.value.text == f"a {UNKNOWN}"
    found = of("a=(b $c)")
    assert found is not None
    assert found.value is None
    assert found.elements is not None
    assert [word.text for word in found.elements] == ["b", UNKNOWN]
    found = of("a[1]=b")
    assert found is not None
    assert (found.name, found.subscript, found.elements) == ("a", "1", None)
    assert found.value is not None
    assert found.value.text == "b"
    for text in ("x", "-x=1", "$x=1", "=1", "a.b=1", "a[1]"):
        assert of(text) is None, text
    assert isinstance(only_word("a=(b)"), ArrayWord)
    assert only_word("a=(b)").text == f"a={UNKNOWN}"


def test_redirections() -> None:
    text = "a <b 2>c >>d >|e 3<>f <&3 2>&1 &>g &>>h {i}>j <<<k <<L 4<<-'M'\nL\n\tn\n\tM\n"
    found = lexer.read(text).commands[0].redirections
    assert [f"{each.descriptor} {each.operator} {each.target.text}" for each in found] == [
        *(" < b", "2 > c", " >> d", " >| e", "3 <> f", " <& 3", "2 >& 1", " &> g", " &>> h", "{i} > j", " <<< k"),
        *(" << L", "4 <<- M"),
    ]
    assert [each.body and each.body.text for each in found] == [None] * 11 + ["", "n\n"]


def test_here_document_bodies() -> None:
    text = 'cat <<E <<-"F" <<\\G\na $b \\$c \\\\ \\d "$(e)" f\\\ng\nE\n\th $i\n\t \tj\nF\n\tk\nG\n'
    command = lexer.read(text).commands[0]
    bodies = [found.body for found in command.redirections if found.body is not None]
    assert shape(bodies[0]) == [
        (LITERAL, "a ", True),
        (VARIABLE, "b", True),
        (LITERAL, ' $c \\ \\d "', True),
        (OPAQUE, "$(e)", True),
        (LITERAL, '" fg\n', True),
    ]
    assert [shape(body) for body in bodies[1:]] == [[(LITERAL, "h $i\n \tj\n", True)], [(LITERAL, "\tk\n", True)]]
    assert [text[body.start : body.end] for body in bodies[1:]] == ["\th $i\n\t \tj\n", "\tk\n"]
    body = lexer.read("cat <<-E\n\t$a\n\t\tb$c\td\n\tE\n").commands[0].redirections[0].body
    assert body is not None
    assert body.text == f"{UNKNOWN}\nb{UNKNOWN}\td\n"


def test_carriers() -> None:
    group, carrier = lexer.read("{ a; } 2> f < g").commands
    assert carrier.carrier
    assert not group.carrier
    assert not carrier.words
    assert [found.operator for found in carrier.redirections] == [">", "<"]
    text = "for x in 'a b' $c *.d; do e; done"
    variable, body = lexer.read(text).commands
    assert variable.carrier
    assert variable.scope is body.scope
    assert [(found.name, found.value and found.value.text) for found in variable.assignments] == [
        ("x", "a b"),
        ("x", UNKNOWN),
        ("x", "*.d"),
    ]
    (assignment,) = lexer.read("select y; do e; done").commands[0].assignments
    assert (assignment.name, assignment.value and assignment.value.text) == ("y", UNKNOWN)
    assert not any(command.carrier for command in lexer.read("A=1; > f; for ((;;)); do b; done").commands)


COMPOUND = ["(a)", "{ a; }", "! a", "if a; then b; fi", "for x in a; do b; done", "f() { a; }", "[[ a ]]", "((1))"]
COMPOUND += [
    "x $(if a; then b; fi)",
    "x `(a)`",
    "coproc a",
    "time { a; }",
    "a )",
    "case x in y) ;; esac",
    "cat <<E\n$({ a; })\nE",
]
FLAT = [
    "a",
    "a && b | c; d & e\nf # c",
    "A=1 x > f",
    'x "$(a; b)" <(c)',
    "a=(b c)",
    "cat <<E\n(\nE",
    "time a",
    "echo if {a}",
]


def test_compound() -> None:
    assert [text for text in COMPOUND if not lexer.read(text).compound] == []
    assert [text for text in FLAT if lexer.read(text).compound] == []


QUOTE = "a quote that is never closed"
SUBSTITUTION = "a substitution that is never closed"
DEEP = "nesting deeper than 120 levels"
FLAWS = [
    ("a; echo 'b; c", QUOTE),
    ('echo "b; c', QUOTE),
    ("echo $'b\\'", QUOTE),
    ('echo $"b', QUOTE),
    ('echo "${x:-"}', QUOTE),
    ("echo $(b; c", SUBSTITUTION),
    ("echo `b; c", SUBSTITUTION),
    ("echo `b\\`", SUBSTITUTION),
    ("echo <(b", SUBSTITUTION),
    ("echo ${x", SUBSTITUTION),
    ('echo "${x:-}', QUOTE),
    ("echo $((1 + 2", SUBSTITUTION),
    ("echo $((1 + 2)", SUBSTITUTION),
    ("cat <<E\n$(b\nE\nc", SUBSTITUTION),
    ("a=(b", "an array that is never closed"),
    ("a[$(b]=c ]", SUBSTITUTION),
    ("a[']=c ]", QUOTE),
    ("echo @(b|c", "a pattern that is never closed"),
    ("echo " + "$(" * 121 + ")" * 121, DEEP),
    ("( " * 130 + "a" + ")" * 130, DEEP),
    ("{ " * 130 + "a" + "; }" * 130, DEEP),
    ("echo " + '"${x:-' * 130 + '}"' * 130, DEEP),
    ("echo " + "$(( " * 130 + " ))" * 130, DEEP),
    ("echo " + "$[ " * 130 + " ]" * 130, DEEP),
    ("a=(" * 130 + ")" * 130, DEEP),
    ("$(" * 130 + "'", DEEP),
    ("echo '$(", QUOTE),
    ("cat " + "<<E " * 17 + "\n" + "E\n" * 17, "more than 16 here-documents on one line"),
]


@pytest.mark.parametrize(("text", "flaw"), FLAWS, ids=[row[0][:30] for row in FLAWS])
def test_flaw(text: str, flaw: str) -> None:
    assert lexer.read(text).flaw == flaw


def test_no_flaw() -> None:
    for text in (
        "cat <<E\na",
        "cat <<E",
        "if a; then b",
        "( a",
        "[[ a",
        "((a",
        "case x in a",
        "f() {",
        "echo a\\",
        "a[1",
    ):
        assert lexer.read(text).flaw == "", text
    deep = "echo " + "$(echo " * 59 + ")" * 59
    assert lexer.read(deep).flaw == ""
    assert len(lexer.read(deep).commands) == 60


def test_here_documents_up_to_the_limit() -> None:
    text = "cat " + "<<E " * 16 + "\n" + "E\n" * 16 + "a"
    assert lexer.read(text).flaw == ""
    assert [first_word(command) for command in lexer.read(text).commands] == ["cat", "a"]


def test_commands_around_a_flaw_are_read() -> None:
    for text in ("a; echo 'b", "a; x $(b", "a; " + "( " * 130 + "b", "a; " + "x $(" * 130 + "b" + ")" * 130 + "; b"):
        found = [first_word(command) for command in lexer.read(text).commands]
        assert found[0] == "a"
        assert "b" in found or "echo" in found
