"""What the reader of cmd.exe lines reads, table by table, by the rules of Microsoft Learn's pages; and hostile text."""

import gc
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardhook.shell import cmd
from guardhook.shell.commands import LITERAL, OPAQUE, UNKNOWN, VARIABLE, Command, Compound, Reading, Word

# (text, the words of each command, redirections). A string stands for words without blanks; "\0" is UNKNOWN.
READINGS: list[tuple[str, list[str | list[str]], list[str]]] = [
    # Nothing.
    ("", [], []),
    (" \t\r\n\n ", [], []),
    ("& && | || ;,= @ & \n &", [], []),
    ("^", [], []),
    ("^\n", [], []),
    # Words, and the names of internal commands.
    ("rd /s /q build", ["rd /s /q build"], []),
    ("rd/s/q build", ["rd /s/q build"], []),
    ("RMDIR /S/Q x", ["RMDIR /S/Q x"], []),
    ("del /s /q *.obj", ["del /s /q *.obj"], []),
    ("del a,b;c=d", ["del a b c d"], []),
    ("rd,/s,/q;x", ["rd /s /q x"], []),
    ('del "a b","c,d"', [["del", "a b", "c,d"]], []),
    ('rd /s /q "C:\\My Dir\\" x', [["rd", "/s", "/q", "C:\\My Dir\\", "x"]], []),
    ("cd\\ & cd.. & cd/d x", ["cd \\", "cd ..", "cd /d x"], []),
    ("rd.\\x", ["rd .\\x"], []),
    ("r^d/s x", ["rd /s x"], []),
    ("goto:eof", ["goto :eof"], []),
    ("start/b git push", ["start /b git push"], []),
    ("path\\git push", ["path\\git push"], []),
    ("start.exe x", ["start.exe x"], []),
    ("git.exe push", ["git.exe push"], []),
    ("bin/git push", ["bin/git push"], []),
    ("git,push", ["git ,push"], []),
    ("git push --x=a,b;c", ["git push --x=a,b;c"], []),
    (",;= git push", ["git push"], []),
    ("echo a,b=c", ["echo a,b=c"], []),
    ("echo.&git push", ["echo", "git push"], []),
    ("echo(a) & echo:b", ["echo a)", "echo b"], []),
    ("cd\\&git push", ["cd \\", "git push"], []),
    ("set X=Y", ["set X=Y"], []),
    ("set g=push&git %g%", ["set g=push", "git \0"], []),
    ("call,git push --x=y", ["call git push --x=y"], []),
    ("call git push", ["call git push"], []),
    ('start "" git push', [["start", "", "git", "push"]], []),
    ("echo {a,b} {c}", ["echo {a,b} {c}"], []),
    # Separators.
    ("dir & git push", ["dir", "git push"], []),
    ("git status && git push", ["git status", "git push"], []),
    ("a||b|c&d", ["a", "b", "c", "d"], []),
    ("a&&&b", ["a", "b"], []),
    ("git push |", ["git push"], []),
    ("a\nb\r\nc\r\n", ["a", "b", "c"], []),
    ("gi\rt pu\rsh\r", ["git push"], []),
    ("@git push", ["git push"], []),
    ("@ @@git push & @dir", ["git push", "dir"], []),
    # Quotes.
    ('echo "a & git push"', [["echo", "a & git push"]], []),
    ('"git" push', ["git push"], []),
    ('g"i"t "pu"sh', ["git push"], []),
    ('"C:\\Program Files\\Git\\cmd\\git.exe" push', [["C:\\Program Files\\Git\\cmd\\git.exe", "push"]], []),
    ('echo "a & b\ngit push', [["echo", "a & b"], "git push"], []),
    ('echo "a ^" & git push', [["echo", "a ^"], "git push"], []),
    ('echo "" ""', [["echo", "", ""]], []),
    ('git commit -m "say \\"x y\\"" && dir', [["git", "commit", "-m", 'say "x y"'], "dir"], []),
    ('bash -c "git commit -m \\"x y\\" && git push"', [["bash", "-c", 'git commit -m "x y" && git push']], []),
    ('git log "a\\" & git push"', [["git", "log", 'a" '], ["git", "push"]], []),
    ('rm \\" -rf x', [["rm", '"', "-rf", "x"]], []),
    ('git add "a\\\\" b', [["git", "add", "a\\", "b"]], []),
    ("echo 'a & b'", ["echo 'a", "b'"], []),
    # Carets.
    ("echo a ^& git push", ["echo a & git push"], []),
    ("g^it push", ["git push"], []),
    ("git^ push", [["git push"]], []),
    ("C:\\Program^ Files\\git.exe push", [["C:\\Program Files\\git.exe", "push"]], []),
    ("git push^ origin", ["git push origin"], []),
    ("git add ^^^&^| & dir", ["git add ^&|", "dir"], []),
    ('git commit ^"-m^" ^"a^ b^" && dir', [["git", "commit", "-m", "a b"], "dir"], []),
    ('^"git^" push', ["git push"], []),
    ('git log ^"a & git push^"', [["git", "log", "a "], "git push"], []),
    ('git tag ^"a\\^"^ b^" c', [["git", "tag", 'a" b', "c"]], []),
    ("a ^\n b", ["a b"], []),
    ("gi^\r\nt push", ["git push"], []),
    ("echo a ^\n& b", ["echo a & b"], []),
    ('echo ^\n"x & git push"', [["echo", "x "], "git push"], []),
    ("a^\n\nb", ["a", "b"], []),
    # Expansions.
    ("%COMSPEC% /c git push", ["\0 /c git push"], []),
    ("git%X%push", ["git\0push"], []),
    ('git "%X% y" !Z!', [["git", "\0 y", "\0"]], []),
    ("echo %ProgramFiles(x86)%\\x", ["echo \0\\x"], []),
    ("echo %X:~1,2% %X:a=b% !X:~1!", ["echo \0 \0 \0"], []),
    ("call %~dp0x.bat %1 %* %~f1", ["call \0x.bat \0 \0 \0"], []),
    ("echo 50% & git push", ["echo 50%", "git push"], []),
    ("echo 50% & git push %", ["echo 50%", "git push %"], []),
    ("echo %X:& git push %", ["echo %X:", "git push %"], []),
    ("if 1==1 (echo 5%)else(echo %)", ["echo 5%", "echo %"], []),
    ("git pu^%X%", ["git pu\0"], []),
    ("echo ^%X^% a%% wow! done!", ["echo %X% a%% wow! done!"], []),
    ("echo %i", ["echo %i"], []),
    # Comments and labels.
    ("rem git push", [], []),
    ("rem a & git push\ndir", ["dir"], []),
    ("REM.git push", [], []),
    ("rem & git push", ["git push"], []),
    ("remove x", ["remove x"], []),
    (":: git push", [], []),
    (":x & git push\ndir", ["dir"], []),
    ("dir & :: git push", ["dir"], []),
    # Blocks.
    ("(git push)", ["git push"], []),
    ("((git) & (push))", ["git", "push"], []),
    ("(a\nb)\nc", ["a", "b", "c"], []),
    ("(@a) & @(b)", ["a", "b"], []),
    ("echo (a) & git (b)", ["echo (a)", "git (b)"], []),
    ("(echo a(b) & c", ["echo a(b", "c"], []),
    ("(echo ^) & git push)", ["echo )", "git push"], []),
    (") a ) & b", ["a )", "b"], []),
    ("() a", ["a"], []),
    # `if`.
    ("if exist x (rd /s /q x) else git push", ["rd /s /q x", "git push"], []),
    ("if not defined X git push", ["git push"], []),
    ("if 1==1 git push", ["git push"], []),
    ("if 1 == 1 git push & dir", ["git push", "dir"], []),
    ('if /i "%a%"=="b" git push', ["git push"], []),
    ("IF NOT /I a==b @git push", ["git push"], []),
    ("if/i a==b git push", ["git push"], []),
    ("if errorlevel 1 git push", ["git push"], []),
    ("if not %errorlevel% GEQ 1 git push", ["git push"], []),
    ("if cmdextversion 1 git push", ["git push"], []),
    ('if exist "a b" git push', ["git push"], []),
    ("if a==b (\r\nc\r\n) else (\r\nd\r\n)\r\ne", ["c", "d", "e"], []),
    ("if a==b (c)else(d)", ["c", "d"], []),
    ("if a==b (c) else if e==f (g) else h", ["c", "g", "h"], []),
    ("if a==b c else d", ["c else d"], []),
    ("if x git push", ["git push"], []),
    ("if\nif x\nif a==\nb", ["b"], []),
    # `for`.
    ("for %i in (a b) do rd /s /q %i", ["rd /s /q \0"], []),
    ("for %%i in (*.c)do(del %%i & dir)", ["del \0", "dir"], []),
    ("for /f %i in ('git push') do echo %i", ["git push", "echo \0"], []),
    ('for/f "usebackq delims=" %i in (`git push`) do @echo %i', ["git push", "echo \0"], []),
    ("for /f \"usebackq\" %i in ('git push') do echo %i", ["echo \0"], []),
    ('for /f %i in ("git push") do echo %i', ["echo \0"], []),
    ("for /f %i in (a.txt) do echo %i", ["echo \0"], []),
    ("for /f %i in ('git log 2^>nul ^| find \"^x\"') do a", [["git", "log"], ["find", "^x"], "a"], ["2>nul"]),
    ("for /l %n in (1,1,5) do git push", ["git push"], []),
    ('for /r "C:\\My Dir" %A in (*.*) do del %A', ["del \0"], []),
    ("for /d %d in (a) do for %e in (b) do x %d%e %~nxd", ["x \0\0 \0"], []),
    ("for %i in (a) do echo %TEMP%\\%i %i% %j", ["echo \0\\\0 \0% %j"], []),
    ('for /f "tokens=1-3" %i in (a) do copy %j\\%k %h', [["copy", "\0\\\0", "%h"]], []),
    ("for %i in (a) do b & c\nd %i", ["b", "c", "d %i"], []),
    ("for git push", ["for git push"], []),
    ("for %i in x do y", ["for %i in x do y"], []),
    ("for %i in (a) git push", ["git push"], []),
    # Redirections.
    ("git push>nul 2>&1", ["git push"], [">nul", "2>&1"]),
    ("2>nul git push", ["git push"], ["2>nul"]),
    (">nul git push", ["git push"], [">nul"]),
    ("git>nul push", ["git push"], [">nul"]),
    ("sort<in >>out 2>>err 0<&3 >&2", ["sort"], ["<in", ">>out", "2>>err", "0<&3", ">&2"]),
    ("echo a2>b 12>c", ["echo a2 12"], [">b", ">c"]),
    ('echo a > "my file" & b > c^ d', ["echo a", "b"], [">my file", ">c d"]),
    ("echo a ^> b", ["echo a > b"], []),
    ('echo "a > b"', [["echo", "a > b"]], []),
    ("(a & b) > f 2>g", ["a", "b"], [">f", "2>g"]),
    ("> f (a)", ["a"], [">f"]),
    ("> f", [], [">f"]),
    ("a > & b", ["a", "b"], [">"]),
    ("a >& b", ["a", "b"], [">"]),
    ("a <<b", ["a"], ["<", "<b"]),
    ("a >%X%\\f", ["a"], [">\0\\f"]),
    # Characters that no command line holds.
    ("a\0b \0", ["a\0b \0"], []),
    ("é \ud800 & git push", ["é \ud800", "git push"], []),
]

# (text, for each command the kinds of its scopes from within outwards, without the top).
SCOPES: list[tuple[str, list[str]]] = [
    ("a & b", ["", ""]),
    ("(a) & ((b))", ["{", "{ {"]),
    ("a | b & c", ["|", "|", ""]),
    ("(a & b) | c", ["|", "|", "|"]),
    ("(a | b) && c", ["| {", "| {", ""]),
    ("if a==b c & d\ne", ["if", "if", ""]),
    ("if a==b (c) else d", ["{ if", "if"]),
    ("if a==b c | d", ["| if", "| if"]),
    ("for %i in (a) do b", ["for", "for"]),
    ("for /f %i in ('a') do (b)", ["$(", "for", "{ for"]),
    ("(a) > f", ["{", ""]),
]

# (text, the operators before and after each command).
OPERATORS: list[tuple[str, list[tuple[str, str]]]] = [
    ("a & b && c || d | e\nf &", [("", "&"), ("&", "&&"), ("&&", "||"), ("||", "|"), ("|", "\n"), ("\n", "")]),
    ("a &&\n b\n\nc & \n d", [("", "&&"), ("&&", "\n"), ("\n", "&"), ("&", "")]),
    ("a & (b) & c", [("", "&"), ("", ""), ("&", "")]),
    ("if a==b (c) else d & e", [("", ""), ("", "&"), ("&", "")]),
    ("a & (b) > f & c", [("", "&"), ("", ""), ("&", "&"), ("&", "")]),
]

FLAWS = [
    ("(a", "a bracket that is never closed"),
    ("if a==b (c", "a bracket that is never closed"),
    ("for %i in (a", "a bracket that is never closed"),
    ("(rem a)", "a bracket that is never closed"),
    ("(" * 100_000 + "git push", "nesting deeper than 120 levels"),
    ("(" * 100_000 + "git push" + ")" * 100_000, "nesting deeper than 120 levels"),
    ("if a==b " * 50_000 + "git push", "nesting deeper than 120 levels"),
    ("for %i in (a) do " * 50_000 + "git push", "nesting deeper than 120 levels"),
    ("for /f %i in (' " * 50_000 + "git push') do git push", "a bracket that is never closed"),
    ("if a==b (c) else " * 50_000 + "git push", "nesting deeper than 120 levels"),
]
CLOSED = ['echo "a', "a)", "(echo a(b)", "git push |", "(" * 120 + "a" + ")" * 120, "%", "%a", "!", "^", "for", "if"]


def words_of(text: str) -> list[list[str]]:
    return [[word.text for word in command.words] for command in cmd.read(text).commands if command.words]


def redirections_of(text: str) -> list[str]:
    found = [redirection for command in cmd.read(text).commands for redirection in command.redirections]
    return [redirection.descriptor + redirection.operator + redirection.target.text for redirection in found]


def kinds_of(command: Command) -> str:
    kinds = []
    scope = command.scope
    while scope.parent is not None:
        kinds.append(scope.kind)
        scope = scope.parent
    return " ".join(kinds)


@pytest.mark.parametrize(("text", "commands", "redirections"), READINGS, ids=[ascii(row[0]) for row in READINGS])
def test_reading(text: str, commands: list[str | list[str]], redirections: list[str]) -> None:
    assert words_of(text) == [row if isinstance(row, list) else row.split(" ") for row in commands]
    assert redirections_of(text) == redirections
    assert cmd.read(text).flaw == ""


@pytest.mark.parametrize(("text", "scopes"), SCOPES)
def test_scopes(text: str, scopes: list[str]) -> None:
    assert [kinds_of(command) for command in cmd.read(text).commands] == scopes


def test_scopes_of_their_own() -> None:
    """The elements of a pipeline, and the branches of an `if`, do not share one; `else` binds to the `if` before it."""
    for text in ("a | b", "if x==y (a) else b", "(a) & (b)"):
        first, second = cmd.read(text).commands
        assert first.scope is not second.scope
    first, second = cmd.read("if x==y a & b").commands
    assert first.scope is second.scope


@pytest.mark.parametrize(("text", "operators"), OPERATORS)
def test_operators(text: str, operators: list[tuple[str, str]]) -> None:
    assert [(command.before, command.after) for command in cmd.read(text).commands] == operators


def test_feeders() -> None:
    a, b, c, d = cmd.read("a | b | (c & d)").commands
    assert [a.feeder, b.feeder, c.feeder, d.feeder] == [None, a, b, b]
    a, b, carrier, c, d = cmd.read("(a & b) 2>f | c & d").commands
    assert isinstance(c.feeder, Compound)
    assert (c.feeder.commands, c.feeder.carrier, c.feeder.feeder) == ((0, 2), carrier, None)
    assert carrier.carrier
    assert [a.feeder, b.feeder, d.feeder] == [None, None, None]
    assert [command.within for command in (a, b, c, d)] == [None] * 4


@pytest.mark.parametrize(
    ("text", "assigned"),
    [
        ("for %i in (a,b;c) do x", [("%i", "a"), ("%i", "b"), ("%i", "c")]),
        ('for %%G in ("a b"\n%X%) do x', [("%G", "a b"), ("%G", UNKNOWN)]),
        ("for /d %i in (a) do x", [("%i", "a")]),
        ("for %i in (*.txt g?t a) do x", [("%i", UNKNOWN), ("%i", UNKNOWN), ("%i", "a")]),
        ("for /l %i in (1,1,9) do x", [("%i", UNKNOWN)]),
        ("for /r %i in (a) do x", [("%i", UNKNOWN)]),
        ("for /f %i in ('a b') do x", [("%i", UNKNOWN)]),
        ("for %i in () do x", []),
    ],
)
def test_sets(text: str, assigned: list[tuple[str, str]]) -> None:
    (carrier,) = [command for command in cmd.read(text).commands if command.carrier]
    values = [(assignment.name, assignment.value) for assignment in carrier.assignments]
    assert [(name, value.text) for name, value in values if value is not None] == assigned
    assert carrier.words == []


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("ab", []),
        ('"a b"c^d', []),
        ("a{b,c}", [(LITERAL, "a{b,c}")]),
        ("a%B%c", [(LITERAL, "a"), (VARIABLE, "B"), (LITERAL, "c")]),
        ('"%Path%"', [(VARIABLE, "Path")]),
        ("!x!", [(VARIABLE, "x")]),
        ("%X:~0,1%", [(OPAQUE, "%X:~0,1%")]),
        ("%1%~dp0", [(OPAQUE, "%1"), (OPAQUE, "%~dp0")]),
        ("%i%%i", [(VARIABLE, "%i"), (VARIABLE, "%i")]),
        ("%~nxi", [(OPAQUE, "%~nxi")]),
        ("%TMP%", [(VARIABLE, "TMP")]),
    ],
)
def test_parts(word: str, parts: list[tuple[int, str]]) -> None:
    (command,) = [command for command in cmd.read(f"for %i in (a) do git {word}").commands if command.words]
    assert [(part.kind, part.text) for part in command.words[1].parts] == parts
    assert all(part.quoted for part in command.words[1].parts)


def test_positions() -> None:
    text = "dir & >f git \"a b\" c^d\r\nfor /f %i in ('git ^log x ^| y') do (z)"
    found = {text[word.start : word.end] for command in cmd.read(text).commands for word in command.words}
    assert found == {"dir", "git", '"a b"', "c^d", "^log", "x", "y", "z"}
    spans = [text[command.start : command.end] for command in cmd.read(text).commands]
    assert spans == ["dir", '>f git "a b" c^d', "git ^log x", "y", "%i in ('git ^log x ^| y')", "z"]


@pytest.mark.parametrize(("text", "flaw"), FLAWS, ids=[row[0][:20] for row in FLAWS])
def test_flaws(text: str, flaw: str) -> None:
    """Nothing behind the flaw is lost, apart from a comment; also with the frames that the hook may have below."""
    reading = deep(150, lambda: cmd.read(text))
    assert reading.flaw == flaw
    assert ("git push" in text) is ("push" in [word.text for command in reading.commands for word in command.words])


@pytest.mark.parametrize("text", CLOSED)
def test_no_flaw(text: str) -> None:
    assert cmd.read(text).flaw == ""


def test_compound() -> None:
    assert not cmd.read("a & b | c > d").compound
    assert all(cmd.read(text).compound for text in ("(a)", "if a==b c", "for %i in (a) do b"))


def deep(frames: int, action: "Callable[[], Reading]") -> Reading:
    return action() if frames == 0 else deep(frames - 1, action)


TOKENS = (
    "git push rd /s echo. if not exist == equ else for /f %i %%i in ( ) ('a') do rem :: @ & && | || > >> 2> >& < ^ ^^"
    ' " \\" ^" %X% %X:~1% %1 %~dp0 ! !X! , ; = \r \n \r\n ^\n { } \0 é \ud800 \' ` usebackq call'.split(" ")
)


def assert_consistent(text: str) -> None:
    reading = cmd.read(text)
    assert reading.text == text
    for command in reading.commands:
        assert 0 <= command.start <= command.end <= len(text)
        assert command.words or command.redirections or command.carrier
        words: list[Word] = command.words + [redirection.target for redirection in command.redirections]
        words.sort(key=lambda word: (word.start, word.end))
        assert all(first.end <= second.start for first, second in pairwise(words))
        assert all(command.start <= word.start <= word.end <= command.end for word in words)
        for word in words:
            pieces = [part.text if part.kind == LITERAL else UNKNOWN for part in word.parts]
            assert not word.parts or word.text == "".join(pieces)


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(TOKENS)), st.sampled_from(["", " "]))
def test_random_tokens(tokens: list[str], glue: str) -> None:
    assert_consistent(glue.join(tokens))


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.text())
def test_random_text(text: str) -> None:
    assert_consistent(text)


SMALL, LARGE = 12_500, 100_000
# Eight times the text; twelve times the time leaves room for a noisy machine, sixty-four would be quadratic.
RATIO = 12
SHAPES = [
    *'()"^%!&|><\r\n@,;={a',
    *[
        "a ",
        "a/",
        "a.",
        "rd/s ",
        '\\"',
        'x "\\',
        "a\\",
        "%a% ",
        "!a!",
        "%a ",
        "%~",
        "%a:",
        "2>&1 ",
        "> a ",
        "^\n",
        "a^\r\n",
    ],
    *[
        "if ",
        "if a==b ",
        "if not ",
        "(a) else ",
        "if a==b (c) else ",
        "for ",
        "for %i in (",
        "for %i in (a) do %i ",
        "in ",
    ],
    *[
        "for /f %i in ('",
        "for /f %i in ('^a\" ",
        "for /f %i in ('^^^^a",
        'for /f %i in (")" ',
        "for /f %i in ('a') do ",
    ],
    *[
        "rem a\n",
        ":: ",
        "(a|b)&",
        "(a)|",
        "x>y|z&",
        "set a=b&",
        "echo(",
        '"a b" ',
        '^"a^ b^" ',
        "%%i ",
        "a%b:c%",
        "('a')",
    ],
]


def _seconds(text: str) -> float:
    gc.collect()
    gc.disable()  # as the launcher does; a collection costs as much as all objects of the test run together
    try:
        begin = time.process_time()
        cmd.read(text)
        return time.process_time() - begin
    finally:
        gc.enable()


@pytest.mark.parametrize("shape", SHAPES)
def test_time_is_linear(shape: str) -> None:
    small, large = shape * (SMALL // len(shape)), shape * (LARGE // len(shape))
    before = min(_seconds(small) for _ in range(3))
    assert min(_seconds(large) for _ in range(2)) < RATIO * max(before, 0.004)
