"""The PowerShell reader: one table from spellings to records, then spans, neighbours, scopes, parts, hostile text."""

import gc
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardhook.shell.commands import LITERAL, OPAQUE, UNKNOWN, VARIABLE, Command, Reading, Scope, Word
from guardhook.shell.powershell.lexer import read
from guardhook.shell.powershell.records import Expression, ListItem

QUOTE = "a quote that is never closed"
HERE_STRING = "a here-string that is never closed"
COMMENT = "a block comment that is never closed"
BRACKET = "a bracket that is never closed"
DEEP = "nesting deeper than 120 levels"


def shown(word: Word) -> str:
    """A word's text: `?` for what is unknown, `_` for a blank, `^` for a line end, with `+` before a list's item."""
    text = word.text.replace(UNKNOWN, "?").replace(" ", "_").replace("\r", "~").replace("\n", "^")
    return ("+" if isinstance(word, ListItem) else "") + (text or "''")


def record(command: Command) -> str:
    """`words`, `= value`, `name := value` or `name := [elements]`, with redirections such as `2>f` behind it."""
    shape = [shown(word) for word in command.words]
    if isinstance(command, Expression):
        assert not command.elements or command.elements[0] is command.value
        shape = ["=", *[shown(word) for word in command.elements]]
    elif command.carrier:
        shape = ["in"]
    for given_to in command.assignments:
        name = f"{given_to.name}[{given_to.subscript}]" if given_to.subscript else given_to.name
        elements = " ".join([shown(word) for word in given_to.elements or ()])
        value = f"[{elements}]" if given_to.value is None else shown(given_to.value)
        shape.append(f"{name} {'+' if given_to.append else ':'}= {value}")
    shape += [
        f"{redirection.descriptor}{redirection.operator}{shown(redirection.target)}"
        for redirection in command.redirections
    ]
    return " ".join(shape)


def records(text: str) -> str:
    reading = read(text)
    assert not reading.flaw, reading.flaw
    return " / ".join([record(command) for command in reading.commands])


# (text, its records in order).
COMMANDS = [
    ("", ""),
    (" \n;; \n", ""),
    ("git status", "git status"),
    ("  git   push\t--force  ", "git push --force"),
    ("Get-Date; git push", "Get-Date / git push"),
    ("git add -A\ngit commit -m 'x'\ngit push", "git add -A / git commit -m x / git push"),
    ("git add -A\r\ngit push\rls", "git add -A / git push / ls"),
    ('git add . && git commit -m "x" || echo no', "git add . / git commit -m x / echo no"),
    ("git log --oneline -5 | Out-String", "git log --oneline -5 / Out-String"),
    ("ls |\n  rm x", "ls / rm x"),
    ("ls | # c\n\n rm x", "ls / rm x"),
    ("ls\n  | rm x", "ls / rm x"),
    ("ls &&\n rm x ||\n\n pwd", "ls / rm x / pwd"),
    ("git push |", "git push"),
    ("| git push", "git push"),
    ("&& git push ||", "git push"),
    ("& ", ""),
    ("& ; git push", "git push"),
    (") } git push ) }", "git push"),
    ("git push) ; ls }", "git push / ls"),
    ("; ;", ""),
    ("|", ""),
    ("$", "= ?"),
    ("`", ""),
    ("`\n", ""),
    ("7z x a", "7z x a"),
    ("7zip", "7zip"),
    ("2to3 x.py", "2to3 x.py"),
    (".\\x.ps1 a", ".\\x.ps1 a"),
    ("./x.ps1; ../y", "./x.ps1 / ../y"),
    ("~/bin/x a", "~/bin/x a"),
    ("C:\\tools\\git.exe push", "C:\\tools\\git.exe push"),
    ("% { rm $_ }", "rm ? / % ?"),
    ("? { $_ }", "= ? / ? ?"),
    ("git.exe push", "git.exe push"),
    ("rmdir /s /q build", "rmdir /s /q build"),
    ("Get-ChildItem Env: | Where-Object Name -like '*PATH*'", "Get-ChildItem Env: / Where-Object Name -like *PATH*"),
    ("Start-Sleep -Seconds 2; Get-Date", "Start-Sleep -Seconds 2 / Get-Date"),
    ("Set-Content app/settings.json '{}'", "Set-Content app/settings.json {}"),
    ("echo [a] ]b a=b == + ! !x ^ * .x .. ... /", "echo [a] ]b a=b == + ! !x ^ * .x .. ... /"),
    ("git commit -m a#b # c", "git commit -m a#b"),
    ("!git push", "!git push"),
    ("npm i @angular/cli @a", "npm i @angular/cli ?"),
    ("git rev-parse HEAD~1 @~2 @", "git rev-parse HEAD~1 @~2 @"),
    ("Invoke-RestMethod http://localhost:8080/health", "Invoke-RestMethod http://localhost:8080/health"),
    ("a:b c::d ::e", "a:b c::d ::e"),
    # Call and dot-source operators.
    ("& 'git' push", "git push"),
    ("&'git' push", "git push"),
    ("& git push", "git push"),
    ('& "C:\\Program Files\\Git\\cmd\\git.exe" push', "C:\\Program_Files\\Git\\cmd\\git.exe push"),
    ("& $c -Recurse x", "? -Recurse x"),
    ("& { git push }", "git push / ?"),
    ("&{git push}", "git push / ?"),
    ("& ('git') push", "git push"),
    ("& ('gi' + 't') push", "git push"),
    ("& @('git') push", "git push"),
    ("& (Get-Command git) push", "Get-Command git / ? push"),
    ("& $x.y a", "? a"),
    (". ./x.ps1; rm y", "./x.ps1 / rm y"),
    (". 'x y.ps1' a", "x_y.ps1 a"),
    (".'x' a", "x a"),
    (". { git push }", "git push / ?"),
    (".$c push", "? push"),
    ("ls | & git push", "ls / git push"),
    ("ls; & & git push", "ls / git push"),
    # Comments.
    ("ls # ; rm x\npwd", "ls / pwd"),
    ("# git push; git commit\r\nGet-Date", "Get-Date"),
    ("ls <# ; rm x\n #> ; pwd", "ls / pwd"),
    ("<# a #> git <# b #> push", "git push"),
    ("git push #", "git push"),
    ("#>", ""),
    ("<##>ls", "ls"),
    # Quotes.
    ("echo 'a; rm x $(q)'", "echo a;_rm_x_$(q)"),
    ("echo 'it''s; rm x'", "echo it's;_rm_x"),
    ("echo '' \"\" ''''", "echo '' '' '"),
    ('echo "a""b" "c`"d"', 'echo a"b c"d'),
    ('echo "a`"; rm x"', 'echo a";_rm_x'),
    ("echo 'a'b \"c\"d", "echo a b c d"),
    ("echo a'b c'd e\"f g\"h", "echo ab_cd ef_gh"),
    ("Write-Host \u201ca; git push\u201d; ls", "Write-Host a;_git_push / ls"),
    ("Write-Host \u2018a; git push\u2019; ls", "Write-Host a;_git_push / ls"),
    ("Write-Host \u201ca\u201e; ls", "Write-Host a / ls"),
    ('Write-Host "a\u201d; ls', "Write-Host a / ls"),
    ("Write-Host \u201aa\u201b; ls \u2018b\u2019\u2019c'", "Write-Host a / ls b\u2019c"),
    ("Write-Host \u201ca\u201d\u201db\u201d", "Write-Host a\u201db"),
    ("echo 'a\nb' c", "echo a^b c"),
    ('echo "a\r\nb" c', "echo a~^b c"),
    ('echo "$"', "echo $"),
    ('echo "a$ b" $ c', "echo a$_b $ c"),
    # Backticks.
    ("g`it push", "git push"),
    ("`git push", "git push"),
    ('Set-Con`tent "note`s.md" x', "Set-Content notes.md x"),
    ("git `\n  push `\r\n  origin main", "git push origin main"),
    ("git pu`\nsh", "git push"),
    ("echo a`;b `$x `'c `\"d `# `(", "echo a;b $x 'c \"d # ("),
    ('Write-Host `"hi`"; git init sub', 'Write-Host "hi" / git init sub'),
    ("Write-Host `'x; git init sub", "Write-Host 'x / git init sub"),
    ('echo "`u{41}`u{1F600}`a`b`e`f`v"', "echo A\U0001f600\a\b\x1b\f\v"),
    ('echo "`u{zz}" "`u41" "`u{110000}"', "echo \ufffd u41 \ufffd"),
    ("echo a`tb`n", "echo atbn"),
    ("echo a>#; git push", "echo a ># / git push"),
    ("echo a` b", "echo a_b"),
    ("echo a `", "echo a"),
    # Blanks that are not ASCII.
    ("git\u00a0push\u2003--force", "git push --force"),
    ("git\u3000push\x0b-a\x0c-b\x85-c", "git push -a -b -c"),
    # Variables in arguments.
    ("git $g", "git ?"),
    ('rm $x/y.md ${a b}c "$d/$e" $env:HOME\\z', "rm ?/y.md ?c ?/? ?\\z"),
    ("rm $x.md \"$x.md\" $x[0] $x[$i] $x::y $x.Foo('a').b[1]", "rm ? ?.md ? ? ? ?"),
    ("rm $x,$y", "rm ? +?"),
    ("rm $x'a b' $x\"c\"", "rm ?a_b ?c"),
    ("git @args -x", "git ? -x"),
    ("echo $$ $? $^ $_ $1", "echo ? ? ? ? ?"),
    ('echo "$x:$y $f:x $x: $env:A: ${c:d}"', "echo ?:?_?_?:_?:_?"),
    ("echo a$($b)c", "= ? / echo a?c"),
    ("echo $x$y", "echo ??"),
    ("echo 'a'.Length \"b\"[0] (c).d", "c / echo ? ? ?"),
    # Lists.
    ("Set-Content -Path a.py, notes.md -Value x", "Set-Content -Path a.py +notes.md -Value x"),
    ("rm a,b , c,\n d e", "rm a +b +c +d e"),
    ("rm 'a','b',$c,(d)", "d / rm a +b +? +?"),
    ("rm -Path:a,b", "rm -Path:a +b"),
    ("rm a, # c\n b", "rm a +b"),
    ("rm a,", "rm a"),
    ("rm @('a','b') c", "rm a +b c"),
    ("rm ('a') ('b','c')", "rm a b +c"),
    ("rm @('a')", "rm a"),
    ("rm @() x", "rm ? x"),
    ("git @('push','--force')", "git push +--force"),
    # Parameters.
    ("Set-Content \u2013Path notes.md \u2014Value \u2015x \u2013\u2013y", "Set-Content -Path notes.md -Value -x --y"),
    ("rm -Path:x -Recurse:$false -Force:$true", "rm -Path:x -Recurse:? -Force:?"),
    ("rm -Path: x -Value:  'a b' -Z:", "rm -Path:x -Value:a_b -Z:"),
    ("rm -Path:(foo) -Q:'x' -R:\"y$z\"", "foo / rm -Path:? -Q:x -R:y?"),
    ("rm -Path:@('a','b') c", "rm -Path:a +b c"),
    ("rm -Path:; ls", "rm -Path: / ls"),
    ("rm -Path:\nls", "rm -Path: / ls"),
    ("rm \u2013Path:x", "rm -Path:x"),
    ("x --a:b -1:2 -:c -- -", "x --a:b -1:2 -:c -- -"),
    ("x -a'b c' -a\"b\" -a$b", "x -ab_c -ab -a?"),
    ("git -c x.y=z -C:\\r push", "git -c x.y=z -C:\\r push"),
    ("rm -Recurse,x", "rm -Recurse +x"),
    # The stop-parsing token.
    ("git --% push \"a b\" 'c d' | ls", "git push a_b 'c d' / ls"),
    ("cmd --% /c del x & y", "cmd /c del x & y"),
    ("cmd --% a;b (c) {d} $e `f > g\nls", "cmd a;b (c) {d} $e `f > g / ls"),
    ("cmd --% %A% x%B%y %C:~1% 5% %", "cmd ? x?y ? 5% %"),
    ('cmd --% "a | b && c" && ls', "cmd a_|_b_&&_c / ls"),
    ("git --%", "git"),
    ("git --%x", "git --%x"),
    ("git -- --% x", "git -- x"),
    # Redirections.
    ("Get-ChildItem > files.txt", "Get-ChildItem >files.txt"),
    ("echo a > f; echo b 2>&1 >> g; echo c *> h", "echo a >f / echo b 2>&1 >>g / echo c *>h"),
    ("a 2> f 3>> g *>> h >&2 *>&1 6>&1", "a 2>f 3>>g *>>h >&2 *>&1 6>&1"),
    ("a >f>g", "a >f >g"),
    ("a>f", "a >f"),
    ("a < f", "a <f"),
    ("git push 2>&1 | Select-Object -Last 5", "git push 2>&1 / Select-Object -Last 5"),
    ("a > $null", "a >?"),
    ("a > 'x y.md' b", "a b >x_y.md"),
    ('a > "$d/n.md"', "a >?/n.md"),
    ("a > (b) c", "b / a c >?"),
    ("> f git push", "git push >f"),
    ("2> f git push", "git push 2>f"),
    ("a 22>f b2>g 2 >h", "a 22 b2 2 >f >g >h"),
    ("a > ; b", "a >'' / b"),
    ("'x' > f.md", "= x >f.md"),
    ("'x' >> f.md 2> g", "= x >>f.md 2>g"),
    ("'x'>f", "= x >f"),
    ("'x' >", "= x >''"),
    ("1 > f", "= 1 >f"),
    ("$x *> f", "= ? *>f"),
    ("(git push) > f", "git push / = ? >f"),
    # Expressions.
    ("'a'", "= a"),
    ("'a','b'", "= a b"),
    ("'a',\n'b'", "= a b"),
    (",'a'", "= a"),
    ("'pu' + 'sh'", "= push"),
    ("'pu' +\n 'sh'", "= push"),
    ('$a + "x"', "= ?x"),
    ("'a' + 1", "= a1"),
    ("1 + 2", "= ?"),
    ("5", "= 5"),
    ("0x1f; 5kb; 1.5e3; 007; .5", "= ? / = ? / = ? / = ? / .5"),
    ("1..3 | % { git push }", "= ? / git push / % ?"),
    ("1..3 | ForEach-Object { git push }", "= ? / git push / ForEach-Object ?"),
    ("1,2 | % { git push }", "= 1 2 / git push / % ?"),
    ("'a','b' + 'c'", "= ?"),
    ("1,2 -join ','", "= ?"),
    ("'a' -f (git push)", "git push / = ?"),
    ('"a" + (git push)', "git push / = a?"),
    ("$a[(git push)]", "git push / = ?"),
    ("$a[0]", "= ?"),
    ("(git status).Length; $(git push)", "git status / = ? / git push / = ?"),
    ("@(git push)", "git push / = ?"),
    ("@{a=(rm x)}", "rm x / = ?"),
    ("@{git='push'}", "= ?"),
    ("$h = @{ git = 'push' }", "$h := ?"),
    ("@{a = git push}", "git push / = ?"),
    ("@{a = git push; 'b' = ls\n $c = 1\n d = if ($x) { pwd } }", "git push / ls / = ? / pwd / = ?"),
    ("@{a = @{b = git push}}", "git push / = ?"),
    ("{ git push }", "git push / = ?"),
    ("('a')", "= a"),
    ("('a','b')", "= a b"),
    ("@('push','--force')", "= push --force"),
    ("@(\n'a'\n'b'\n)", "= a b"),
    ("@(\n'a'\nb\n)", "= a / b / = ?"),
    ("@(\n'a',\n'b'\n)", "= a b"),
    ("('a' > f)", "= a >f / = ?"),
    ("(('a'))", "= a"),
    ("($x)", "= ?"),
    ("(ls | rm)", "ls / rm / = ?"),
    ("!(git push)", "git push / = ?"),
    ("! $x", "= ?"),
    ("-not (git push)", "git push / = ?"),
    ("-join ('a','b')", "= ?"),
    ("[int]'5'", "= ?"),
    ("[Environment]::SetEnvironmentVariable('A','b')", "= ?"),
    ("[Environment]::SetEnvironmentVariable('A',(git push))", "git push / = ?"),
    ("[System.IO.File]::WriteAllText('a', \"$(git push)\")", "git push / = ?"),
    ("$x.Foo(git, (git push), { ls })", "git push / ls / = ?"),
    ("$x.Where{ git push }.Count", "git push / = ?"),
    ("$x.ForEach({ git push })", "git push / = ?"),
    ('$x."a b".$y.($z)', "= ?"),
    ("$x?.y; ${x}?.y; ${x}?[0]", "= ? / = ? / = ?"),
    ("$x | git push", "= ? / git push"),
    ("$x++", "= ?"),
    ("$x -eq 'a' -and\n (git push)", "git push / = ?"),
    ("$x ? (git push) : (ls)", "git push / ls / = ?"),
    ("$x ?? (git push)", "git push / = ?"),
    ("$x -is [string]", "= ?"),
    ("$x # c", "= ?"),
    ("$x <# c #> + 'a'", "= ?a"),
    ("'a' `\n + 'b'", "= ab"),
    ("'a'\n+ 'b'", "= a / = ?"),
    ('"$(git push)" | iex', "git push / = ? / iex"),
    ("'a' && git push", "= a / git push"),
    ("'git push' | iex", "= git_push / iex"),
    ("@x", "= ?"),
    ("$m.Length", "= ?"),
    # Strings with commands in them.
    ('echo "a $(rm x) b"', "rm x / echo a_?_b"),
    ('echo "$(a "$(git push "b c")")"', "git push b_c / a ? / echo ?"),
    ('echo "$(& ""git"" push)"', "git push / echo ?"),
    ('echo "$($x -replace "a","")"', "= ? / echo ?"),
    ("echo \"$('a)')\"", "= a) / echo ?"),
    ('echo "$(ls # )\n)"', "ls / echo ?"),
    ('echo "`$(git push)"', "echo $(git_push)"),
    ("echo a$(git push)b$(ls)", "git push / ls / echo a?b?"),
    ("echo $(git push)b", "git push / echo ? b"),
    ('"$x" + "$(git push)"', "git push / = ??"),
    # Here-strings.
    ("echo @'\nrm x; $(q)\n'@; ls", "echo rm_x;_$(q) / ls"),
    ('echo @"\n$(rm x)\n"@; ls', "rm x / echo ? / ls"),
    ("$m = @'\ngit push\ngit commit -m x\n'@\n$m.Length", "$m := git_push^git_commit_-m_x / = ?"),
    ('$m = @"\ngit push\n"@\nWrite-Output $m', "$m := git_push / Write-Output ?"),
    ("$m = @'  \r\na\r\nb\r\n'@\r\nls", "$m := a~^b / ls"),
    ("$m = @\u2018\na\n\u2019@; ls", "$m := a / ls"),
    ("$m = @\u201c\na $x\n\u201d@; ls", "$m := a_? / ls"),
    ("$m = @'\n'@; ls", "$m := '' / ls"),
    ("$m = @'\n\n'@; ls", "$m := '' / ls"),
    ('$m = @"\n"@; ls', "$m := '' / ls"),
    ('$m = @"\na "b" \'c\' `"\n"@; ls', '$m := a_"b"_\'c\'_" / ls'),
    ("$m = @'\n '@\nx'@\n'@; ls", "$m := _'@^x'@ / ls"),
    ('$m = @"\n$(echo @"\n$(git push)\n"@)\n"@; ls', "git push / echo ? / $m := ? / ls"),
    ('$m = @"\n$(echo "\n"@ "x")\n"@; ls', "echo ^ @ x / $m := ? / ls"),
    ('echo @"\n`$(git push)\n"@', "echo $(git_push)"),
    ("echo @'\na\n'@ b", "echo a b"),
    ("@'\ngit push\n'@ | iex", "= git_push / iex"),
    # Script blocks.
    ("Invoke-Command -ScriptBlock { rm x }", "rm x / Invoke-Command -ScriptBlock ?"),
    ("Measure-Command { npm run build }", "npm run build / Measure-Command ?"),
    ("ls | foreach { rm $_ }", "ls / rm ? / foreach ?"),
    ("ls | ForEach-Object { if ($_) { rm $_ } else { git push } }", "ls / = ? / rm ? / git push / ForEach-Object ?"),
    ("a { param($x = (git push)) rm $x }", "git push / rm ? / a ?"),
    ("a {git push}{ls}", "git push / ls / a ? ?"),
    ("git stash show stash@{0}", "= 0 / git stash show stash@ ?"),
    ("a b{c}", "c / a b ?"),
    ("a b(c)d", "c / a b ? d"),
    ("a (git push) (ls)", "git push / ls / a ? ?"),
    ("a ((git push))", "git push / = ? / a ?"),
    ("{ }", "= ?"),
    ("a { begin { git push } process { ls } end { pwd } }", "git push / ls / pwd / a ?"),
    # Assignments.
    ("$x = 'a'", "$x := a"),
    ("$X='a'", "$x := a"),
    ("$global:X = ${script:y z} = 'a'", "$x := a $y z := a"),
    ("$env:X = 'a'; $Env:Path += \";b\"", "X := a / Path += ;b"),
    ("${env:X} = 'a'", "X := a"),
    ("$x += 'a'", "$x += a"),
    ("$x -= 1; $x *= 2; $x ??= 'a'", "$x := ? / $x := ? / $x := ?"),
    ("$a = $b = 'x'", "$a := x $b := x"),
    ("$a = $b = git push", "git push / $a := ? $b := ?"),
    ("$a = $b", "$a := ?"),
    ("$a = 'x','y'", "$a := [x y]"),
    ("$a = @('x','y')", "$a := [x y]"),
    ("$a = @('x')", "$a := [x]"),
    ("$a = @()", "$a := []"),
    ("$a = @('x', (git push))", "git push / = x ? / $a := ?"),
    ("$a = ('x')", "$a := x"),
    ("$a = 'x' + $b + \"z\"", "$a := x?z"),
    ("$a = 1 + 1", "$a := ?"),
    ("$a = 5", "$a := 5"),
    ("$a =\n 'x'", "$a := x"),
    ("$a = git push", "git push / $a := ?"),
    ("$a = git push | ls && pwd; rm", "git push / ls / pwd / $a := ? / rm"),
    ("$a = & git push", "git push / $a := ?"),
    ("$a = (git push)", "git push / $a := ?"),
    ('$a = "$(git push)"', "git push / $a := ?"),
    ("$a = { git push }", "git push / $a := ?"),
    ("$x = if ($y) { git push } else { ls }", "= ? / git push / ls / $x := ?"),
    ("$x = if ($y) { git push } else { ls }; pwd", "= ? / git push / ls / $x := ? / pwd"),
    ("$x = foreach ($i in 1,2) { git push }\nls", "in $i := 1 $i := 2 / git push / $x := ? / ls"),
    ("$x = switch ($y) { a { git push } }\nls", "= ? / git push / $x := ? / ls"),
    ("$x = 'a' | rm", "= a / rm / $x := ?"),
    ("$x = 'a' > f", "= a >f / $x := ?"),
    ("[string]$o = 'n.md'; 'x' > $o", "$o := n.md / = x >?"),
    ("[ValidateSet('a')] [string] $o = 'n'", "$o := n"),
    ("$x[1] = 'a'; $x[$i] += 'b'", "$x[1] := a / $x[$i] += b"),
    ("$x.y = git push; $x::z = 'a'; $x.y[0] = 'b'", "git push"),
    ("$a, $b = 'x','y'", "$a := x $b := y"),
    ("$a, $b.c, $d = 'x','y','z'", "$a := x $d := z"),
    ("$a, $b = git push", "git push / $a := ? $b := ?"),
    ("$a, $b = 'x'", "$a := ? $b := ?"),
    ("$x = [int]'5'", "$x := ?"),
    ("$x = $y.z", "$x := ?"),
    ("$x = $y[2]", "$x := ?"),
    ("$x++; $x--", "= ? / = ?"),
    ("$x =", "$x := ?"),
    ("$c = 'Remove-Item'; & $c -Recurse x", "$c := Remove-Item / ? -Recurse x"),
    ("$args = @('push','--force'); git @args", "$args := [push --force] / git ?"),
    ("$x = { 'a' }", "= a / $x := ?"),
    ("$x = @'\na\n'@ + 'b'", "$x := ab"),
    ("ls; $x = 'a' # c", "ls / $x := a"),
    ("$x == 'a'", "= a / $x := ?"),
    ("@()", "="),
    # Statements.
    ("if ($x) { rm a } else { ls }", "= ? / rm a / ls"),
    ("if (Test-Path x) { Remove-Item -Recurse x }", "Test-Path x / Remove-Item -Recurse x"),
    ("IF(git a){b}ELSEIF(git c){d}Else{e}f", "git a / b / git c / d / e / f"),
    ("if (a)\n{ b }\n# c\nelseif (d)\n{ e }\n\nelse\n{ f }\ng", "a / b / d / e / f / g"),
    ("if ($x -eq 'a') { git push }", "= ? / git push"),
    (
        "switch ($x) { a { git push } 'b c' { ls } default { rm } { $_ -gt (pwd) } { id } }",
        "= ? / git push / ls / rm / pwd / = ? / id",
    ),
    ("switch -Regex -File (gi x) { '^a' { git push; break } 1 { ls } $y { rm } }", "gi x / git push / ls / rm"),
    ("switch ('a') { a { b } }; git push", "= a / b / git push"),
    ("foreach ($i in 1..3) { rm $i }", "in $i := ? / rm ?"),
    ("foreach ($i in 'a','b') { rm $i }", "in $i := a $i := b / rm ?"),
    ("foreach ($i in @('a')) { rm $i }", "in $i := a / rm ?"),
    ("foreach ($i in $x) { rm $i }", "in $i := ? / rm ?"),
    ("foreach ($i in git ls-files) { rm $i }", "git ls-files / in $i := ? / rm ?"),
    ("foreach ($i in (ls | sort)) { rm $i }; pwd", "ls / sort / in $i := ? / rm ? / pwd"),
    ("foreach -parallel ($i in 'a') { rm $i }", "in $i := a / rm ?"),
    (":outer foreach ($i in 'a') { break outer; git push }", "in $i := a / git push"),
    (":x while (git a) { continue x }\nls", "git a / ls"),
    ("for ($i = 0; $i -lt (ls); $i++) { git push }", "$i := 0 / ls / = ? / = ? / git push"),
    ("for (;;) { git push }", "git push"),
    ("while ($true) { git push }", "= ? / git push"),
    ("do { git push } while (ls); pwd", "git push / ls / pwd"),
    ("do { git push }\nuntil (ls)\npwd", "git push / ls / pwd"),
    ("try { rm x } catch { ls } finally { pwd }", "rm x / ls / pwd"),
    ("try { rm x } catch [A.B], [C] { ls } catch { d }; e", "rm x / ls / d / e"),
    ("trap { git push }; trap [X] { ls }", "git push / ls"),
    ("function f { rm x }; f", "rm x / f"),
    ("function global:f-g ($a, [int]$b = (git push)) { rm $a }; f-g", "git push / rm ? / f-g"),
    ("filter f { git push }\nworkflow w { ls }", "git push / ls"),
    ("function f\n{\n git push\n}\nls", "git push / ls"),
    ("param([Parameter(Mandatory=$true)] [string] $x = (git push), $y)\nls", "git push / ls"),
    ("param([ValidateScript({ git push })] $x)\nls", "git push / ls"),
    ("[CmdletBinding()]\nparam($x)\ngit push", "= ? / git push"),
    ("[CmdletBinding()] param($x) git push", "= ? / git push"),
    ("[Parameter(Mandatory=$true)]", "= ?"),
    (
        "class A : B { [string]$x = 'a'\n [void] Foo([int]$y) { git push }\n static Bar() { ls } }\nrm",
        "git push / ls / rm",
    ),
    ("class A { $x = (git push) }", "git push"),
    ("enum E { A = 1; B }\nls", "ls"),
    ("return git push", "git push"),
    ("return 'a'; throw \"x\"; exit 1; return", "= a / = x / = 1"),
    ("return (git push)", "git push / = ?"),
    ("return $x = git push", "git push / $x := ?"),
    ("using namespace System.IO\ngit push", "git push"),
    ("using module X; git push", "git push"),
    ("data d { git push }", "git push"),
    ("exit(git push)", "git push / = ?"),
    ("return(git push);throw(ls)", "git push / = ? / ls / = ?"),
    ("if ($x = git push) { ls }", "git push / $x := ? / ls"),
    ("if (!(Test-Path x)) { git push }", "Test-Path x / = ? / git push"),
    ("$null = git push", "git push / $null := ?"),
    ("[void](git push)", "git push / = ?"),
    ("[pscustomobject]@{ a = git push }", "git push / = ?"),
    ("$x = [xml](git push)", "git push / $x := ?"),
    ("($x = 'a')", "$x := a / = ?"),
    ("ls|%{git push}", "ls / git push / % ?"),
    (".{git push}", "git push / ?"),
    ("git$x push; & git$x; . $d/x.ps1; &$d\\y.ps1", "git$x push / git? / ?/x.ps1 / ?\\y.ps1"),
    ("a {-join ('a','b')} b", "= ? / a ? b"),
    ("a (@()) ((@()))", "a ? ?"),
    ('@{ "a b" = 1; $k = git push; (ls) = 2 }', "git push / ls / = ?"),
    ('[scriptblock]::Create("git push").Invoke()', "= ?"),
    ("(git push)&&(ls)", "git push / = ? / ls / = ?"),
    ("git push;#c", "git push"),
    ("'{0}' -f (git push)", "git push / = ?"),
    ("a @'x'", "a @x"),
    ("a b<#c ; d\na $x<#c ; e", "a b<#c / d / a ?<#c / e"),
    ("a 'b'<#c ; d #> (e)<# f #>", "e / a b ?"),
    ("begin { git push } end { ls }", "git push / ls"),
    ("begin x; data; end; process -a", "begin x / data / end / process -a"),
    ("ls | if x", "ls / if x"),
    ("ls | foreach { git push } | while", "ls / git push / foreach ? / while"),
    ("ls && return git push", "ls / return git push"),
    ("if x; for y; foreach; while; param; else", "if x / for y / foreach / while / param / else"),
    ("else { git push }", "git push"),
    ("ifx; whileif (a)", "ifx / a / whileif ?"),
    ("if (a) { b } if (c) { d }", "a / b / c / d"),
    ("while (a) { b } git push", "a / b / git push"),
    ("break; git push", "git push"),
    ("echo if (a) { b }", "a / b / echo if ? ?"),
    # Everyday lines.
    ('powershell -NoProfile -Command "rm x; git push"', "powershell -NoProfile -Command rm_x;_git_push"),
    ('cmd /c "del x & rd /s y"', "cmd /c del_x_&_rd_/s_y"),
    ("powershell -enc AAAA", "powershell -enc AAAA"),
    ("git push &", "git push"),
    ("git push & ls", "git push / ls"),
    ("git commit \u2013m \u201cx\u201d", "git commit -m x"),
    (
        "New-Item -ItemType Directory -Force -Path build | Out-Null",
        "New-Item -ItemType Directory -Force -Path build / Out-Null",
    ),
    (
        "Get-ChildItem -Recurse | Where-Object { $_.Length -gt 1 } > o.txt",
        "Get-ChildItem -Recurse / = ? / Where-Object ? >o.txt",
    ),
    ("'pivotal' | Out-File -FileP notes.md", "= pivotal / Out-File -FileP notes.md"),
    ('$d = "docs"; "pivotal" | Out-File "$d/notes.md"', "$d := docs / = pivotal / Out-File ?/notes.md"),
    ('"pivotal" | Out-File "$(Get-Date -f yyyy).md"', "= pivotal / Get-Date -f yyyy / Out-File ?.md"),
    ("$f = 'notes'; 'pivotal' > \"$f.md\"", "$f := notes / = pivotal >?.md"),
    ("Set-Content -Path config.json -Value '{\"a\": 1}'", 'Set-Content -Path config.json -Value {"a":_1}'),
    ("Get-Content a | Set-Content b -Encoding utf8", "Get-Content a / Set-Content b -Encoding utf8"),
    ("git log -1 --format=%H HEAD^ v1.0..v1.1", "git log -1 --format=%H HEAD^ v1.0..v1.1"),
    ("$env:GIT_DIR='x'; git push", "GIT_DIR := x / git push"),
    ("(Get-Content a.md) -replace 'x','y' | Set-Content a.md", "Get-Content a.md / = ? / Set-Content a.md"),
    (
        "Get-Process | Sort-Object CPU -Descending | Select -First 5",
        "Get-Process / Sort-Object CPU -Descending / Select -First 5",
    ),
    (
        'Write-Host "Done: $($x.Count) files" -ForegroundColor Green',
        "= ? / Write-Host Done:_?_files -ForegroundColor Green",
    ),
    ("Start-Process git -ArgumentList 'push','--force' -Wait", "Start-Process git -ArgumentList push +--force -Wait"),
    ("Get-ChildItem *.ts | % { $_.Name } | Set-Content a", "Get-ChildItem *.ts / = ? / % ? / Set-Content a"),
    ("ls | ? Length -gt 5 | % Name", "ls / ? Length -gt 5 / % Name"),
]


@pytest.mark.parametrize(("text", "expected"), COMMANDS)
def test_records(text: str, expected: str) -> None:
    assert records(text) == expected


def test_the_table_is_long() -> None:
    assert len(COMMANDS) == len({text for text, _ in COMMANDS}) >= 300


# (text, the flaw, the records all the same).
FLAWS = [
    ("Write-Host 'git push", QUOTE, "Write-Host git_push"),
    ('echo "a; rm x', QUOTE, "echo a;_rm_x"),
    ("'", QUOTE, "= ''"),
    ('"', QUOTE, "= ''"),
    ("echo a'b", QUOTE, "echo ab"),
    ('echo "$(git push', BRACKET, "git push / echo ?"),
    ("@'\nx", HERE_STRING, "= x"),
    ('@"\n', HERE_STRING, "= ''"),
    ('@"\n$(git push)', HERE_STRING, "git push / = ?"),
    ("ls <# x", COMMENT, "ls"),
    ("<#", COMMENT, ""),
    ("(git push", BRACKET, "git push / = ?"),
    ("a (git push", BRACKET, "git push / a ?"),
    ("{ git push", BRACKET, "git push / = ?"),
    ("if (a) { git push", BRACKET, "a / git push"),
    ("if (git push", BRACKET, "git push"),
    ("@(git push", BRACKET, "git push / = ?"),
    ("@{a = git push", BRACKET, "git push / = ?"),
    ("$x[(git push)", BRACKET, "git push / = ?"),
    ("$x.Foo((git push)", BRACKET, "git push / = ?"),
    ("[int", BRACKET, "= ?"),
    ("${x", BRACKET, None),
    ("switch ($x) { a { git push }", BRACKET, "= ? / git push"),
    ("class A { [void] F() { git push }", BRACKET, "git push"),
    ("foreach ($i in git push", BRACKET, "git push / in $i := ?"),
    ("{ (git push }; ls", BRACKET, "git push / = ? / = ? / ls"),
    ("(git push }", BRACKET, "git push / = ?"),
    ("param($x; git push", BRACKET, ""),
    ("echo $(ls 'a", QUOTE, "ls a / echo ?"),
]


@pytest.mark.parametrize(("text", "flaw", "expected"), FLAWS)
def test_flaws(text: str, flaw: str, expected: "str | None") -> None:
    reading = read(text)
    assert reading.flaw == flaw
    if expected is not None:
        assert " / ".join([record(command) for command in reading.commands]) == expected


def kinds(scope: "Scope | None") -> str:
    """The kinds of a scope and those around it, the innermost first."""
    found = []
    while scope is not None and scope.parent is not None:
        found.append(scope.kind)
        scope = scope.parent
    return " ".join(found)


# (text, for each command its first word and its scopes).
SCOPES = [
    ("a; b | c", "a: b: c:"),
    ("(a)", "a:{ =:"),
    ("x $(a) @(b)", "a:{ b:{ x:"),
    ("& { a }", "a:function ?:"),
    ("if (a) { b } elseif (c) { d } else { e }", "a: b:if c:if d:if e:if"),
    ("x { if (a) { b } }", "a:function b:if function x:"),
    ("while (a) { b }", "a:for b:for"),
    ("do { a } until (b)", "a:for b:for"),
    ("for (a;b;c) { d }", "a:for b:for c:for d:for"),
    ("foreach ($i in a) { b }", "a:for in:for b:for"),
    ("switch (a) { b { c } }", "a:if c:if"),
    ("try { a } catch { b } finally { c }", "a:if b:if c:if"),
    ("trap { a }", "a:if"),
    ("function f { a }; b", "a:function b:"),
    ("a & b", "a:& b:"),
    ("a | b & c", "a:& b:& c:"),
    ("a; b && c &", "a: b:& c:&"),
    ("x (a) { b } &", "a:{ & b:function & x:&"),
    ("if (a) { b & }", "a: b:& if"),
    ("$x = a", "a: $x:"),
    ("$x = a &", "a:& $x:"),
    ("@{k = a}", "a: =:"),
    ('"$(a)"', "a:{ =:"),
    ("class C { F() { a } }", "a:function"),
]


@pytest.mark.parametrize(("text", "expected"), SCOPES)
def test_scopes(text: str, expected: str) -> None:
    found = []
    for command in read(text).commands:
        name = record(command).split(" ")[0]
        found.append(f"{name}:{kinds(command.scope)}")
    assert " ".join(found) == expected


# (text, for each command its first word between its operators; `<` behind what is fed by a pipe).
NEIGHBOURS = [
    ("a", "a"),
    ("a;", "a"),
    ("a &", "a"),
    ("a; b", "a; ;b"),
    ("a;\nb", "a\n \nb"),
    ("a\n\n;b", "a; ;b"),
    ("a && b || c", "a&& &&b|| ||c"),
    ("a |\n b", "a| |b<"),
    ("a\n| b", "a| |b<"),
    ("'x' | b | c", "=| |b<| |c<"),
    ("a & b", "a& &b"),
    ("a; if (b) { c }; d", "a; b c ;d"),
    ("if (b) { c } d", "b c \nd"),
    ("a (b; c) | d", "b; ;c a| |d<"),
    ("$x = a | b; c", "a| |b< $x; ;c"),
    ("a || | b", "a| |b"),
]


@pytest.mark.parametrize(("text", "expected"), NEIGHBOURS)
def test_neighbours(text: str, expected: str) -> None:
    found = []
    for command in read(text).commands:
        name = record(command).split(" ")[0]
        found.append(command.before + name + ("<" if command.feeder else "") + command.after)
    assert " ".join(found) == expected


def test_feeder_is_the_element_before() -> None:
    value, command = read("'git push' | iex").commands
    assert isinstance(value, Expression)
    assert command.feeder is value


# (text of one argument, its parts: l for a literal, v for a variable, o for what is opaque).
PARTS = [
    ("a", []),
    ("'a b'", []),
    ("'{a,b}'", ["l{a,b}"]),
    ('"{$x}"', ["l{", "v$x", "l}"]),
    ("$Name", ["v$name"]),
    ("${Na Me}", ["v$na me"]),
    ("$script:X", ["v$x"]),
    ("$using:X", ["v$x"]),
    ("$variable:X", ["v$x"]),
    ("$env:Path", ["vPath"]),
    ("${env:ProgramFiles(x86)}", ["vProgramFiles(x86)"]),
    ("$function:F", ["v$function:f"]),
    ("@Splat", ["v$splat"]),
    ("$x[2]", ["v$x[2]"]),
    ("$x[-1]", ["o$x[-1]"]),
    ("$x[$i]", ["o$x[$i]"]),
    ("$x[1][2]", ["o$x[1][2]"]),
    ("$x.y", ["o$x.y"]),
    ("$x::y", ["o$x::y"]),
    ("$x.Foo('a')", ["o$x.Foo('a')"]),
    ("(a b)", ["o(a b)"]),
    ("$(a)", ["o$(a)"]),
    ("@(a)", ["o@(a)"]),
    ("@{a=1}", ["o@{a=1}"]),
    ("{ a }", ["o{ a }"]),
    ('"$x.md"', ["v$x", "l.md"]),
    ('"a$(b)c"', ["la", "o$(b)", "lc"]),
    ('"$f:x"', ["v$f:x"]),
    ("$a/$b.md", ["v$a", "l/", "v$b", "l.md"]),
    ("-Recurse:$false", ["l-Recurse:", "v$false"]),
    ("-Path:{a}", ["l-Path:", "o{a}"]),
    ("('a' + $b)", ["la", "v$b"]),
    ("($x)", ["v$x"]),
    ("'a'.b", ["o'a'.b"]),
    ("$env:X[0]", ["o$env:X[0]"]),
    ("$$", ["v$$"]),
    ('"$_"', ["v$_"]),
    ('"$x`n"', ["v$x", "l\n"]),
]


@pytest.mark.parametrize(("argument", "expected"), PARTS)
def test_parts(argument: str, expected: list[str]) -> None:
    word = read(f"x {argument}").commands[-1].words[1]
    assert [{LITERAL: "l", VARIABLE: "v", OPAQUE: "o"}[part.kind] + part.text for part in word.parts] == expected
    assert all(part.quoted and not part.operator for part in word.parts)


# (text, the sources of the words of its last command).
SPANS = [
    ("ls; git  'push it' $x.y -a:  'b'", ["git", "'push it'", "$x.y", "-a:  'b'"]),
    ("rm a, 'b' ,$c", ["rm", "a", "'b'", "$c"]),
    ("rm @('a', \"b\") c", ["rm", "'a'", '"b"', "c"]),
    ("a\r\nb\u00a0\u201cc d\u201d `\r\n e", ["b", "\u201cc d\u201d", "e"]),
    ("x (git push) { a }", ["x", "(git push)", "{ a }"]),
    ("x @'\na\n'@ y", ["x", "@'\na\n'@", "y"]),
    ('x --% a "b c"d | ls; x --% a "b c"d', ["x", "a", '"b c"d']),
    ("echo \u00e9\u00e9 z", ["echo", "\u00e9\u00e9", "z"]),
]


@pytest.mark.parametrize(("text", "expected"), SPANS)
def test_spans(text: str, expected: list[str]) -> None:
    command = read(text).commands[-1]
    assert [text[word.start : word.end] for word in command.words] == expected
    assert command.start == command.words[0].start
    assert command.end == command.words[-1].end


def test_spans_of_the_rest() -> None:
    text = "ls; [string]$x = 'a b' ; 'v' > f.md 2>&1; & git push"
    _, assignment, expression, command = read(text).commands
    assert text[assignment.start : assignment.end] == "[string]$x = 'a b'"
    value = assignment.assignments[0].value
    assert value is not None
    assert text[value.start : value.end] == "'a b'"
    assert text[expression.start : expression.end] == "'v' > f.md 2>&1"
    assert [text[r.target.start : r.target.end] for r in expression.redirections] == ["f.md", "1"]
    assert text[command.start : command.end] == "git push"


def test_compound() -> None:
    assert not read('git push; ls | rm -a:b "$x"').compound
    for text in ("if (a) { b }", "a (b)", "a { b }", "@{a=1}", "return 1"):
        assert read(text).compound, text


# Hostile text.

ALPHABET = "' \" \u201c \u2019 ` $ @ ( ) { } [ ] # <# #> , ; | & && || > >> 2> *> 2>&1 = += + - \u2013 % !".split(" ")
ALPHABET += ". .. : :: ? ~ * / \\ a git push $x ${ $( @( @{ 1 0x 7z -a -a: --% $env:X [int] .x ::y 'a' {a} (b)".split(
    " "
)
ALPHABET += "if else switch foreach in for while do function class param return try catch".split(" ")
ALPHABET += ["\n", "\r\n", " ", "  ", "\t", "\0", "\u00a0", "\ud800", "@'\n", '@"\n', "\n'@", '\n"@', "`\n", '"b"']
texts = st.lists(st.sampled_from(ALPHABET), max_size=30)


def words_of(command: Command) -> list[Word]:
    words = list(command.words) + [redirection.target for redirection in command.redirections]
    if isinstance(command, Expression):
        words += command.elements
    return words


def assert_consistent(reading: Reading) -> None:
    """What holds for every reading: spans in range and in order, texts that match their parts, scopes with a root."""
    size = len(reading.text)
    for command in reading.commands:
        assert 0 <= command.start <= command.end <= size
        assert command.words or command.assignments or command.redirections or command.carrier
        assert all(first.end <= second.start for first, second in pairwise(command.words))
        for word in words_of(command):
            assert command.start <= word.start <= word.end <= command.end
            if word.parts:
                assert word.text == "".join([part.text if part.kind == LITERAL else UNKNOWN for part in word.parts])
        assert command.feeder is None or command.feeder in reading.commands
        scope = command.scope
        while scope.parent is not None:
            scope = scope.parent
        assert scope.kind == ""


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(texts.map("".join))
def test_random_tokens(text: str) -> None:
    assert_consistent(read(text))


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(texts.map(" ".join))
def test_random_words(text: str) -> None:
    assert_consistent(read(text))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text())
def test_random_text(text: str) -> None:
    assert_consistent(read(text))


CALLER = 150  # frames that the hook may have below the reader


def deep(frames: int, action: "Callable[[], Reading]") -> Reading:
    return action() if frames == 0 else deep(frames - 1, action)


NESTED = [
    "(",
    "{",
    "[",
    "$(",
    "@(",
    "@{a=",
    '"$(',
    '@"\n$(',
    "a (",
    "a {",
    "a -b:(",
    "a > (",
    "& { ",
    "$x[",
    "$x.a(",
    "if (",
    "if (a) { ",
    "$a = ",
]
NESTED += [
    "[a(",
    "switch (a) { b { ",
    "foreach ($i in ",
    "function f { ",
    "class C { F() { ",
    "a$(",
    'a "$(',
    "return (",
    "do { ",
    "try { ",
    "'a' + (",
]
NESTED += ["@('a',", "$x.y{", "while (", "param($x = (", "1,(", "!(", "-not (", "a | b (", "@{a = if (b) { "]


@pytest.mark.parametrize("opener", NESTED)
def test_deep_nesting(opener: str) -> None:
    """100,000 levels and a command in the middle, from deep inside, with the default recursion limit."""
    reading = deep(CALLER, lambda: read(opener * 100_000 + "git push"))
    assert reading.flaw
    reading = deep(CALLER, lambda: read(opener * 1000 + " git push " + ")}]" * 1000))
    assert reading.flaw


@pytest.mark.parametrize("depth", [100, 119])
def test_nesting_within_the_limit(depth: int) -> None:
    for opener, closer in (("a (", ")"), ("& { ", "}"), ("(", ")"), ("if (a) { ", "}"), ("$(", ")")):
        reading = deep(CALLER, lambda text=opener * depth + "git push" + closer * depth: read(text))  # type: ignore[misc]
        assert not reading.flaw
        assert any(record(command) == "git push" for command in reading.commands)


def test_nesting_beyond_the_limit() -> None:
    assert read("a (" * 121 + "git push" + ")" * 121).flaw == DEEP


SHAPES = [
    *NESTED,
    "git push; ",
    "a",
    "a ",
    "'a' > b\n",
    "$x = 1 + 2; ",
    "a,",
    "'a',",
    "'a' + ",
    "$x.a",
    "$x[1]",
    "${a}",
    "${",
    "`",
    "`\n",
    "a`\n",
]
SHAPES += [
    "@'\n",
    "@'\na\n'@\n",
    '@"\na\n"@ + ',
    "@' ",
    "<#",
    "<# #>",
    "#",
    "#\n",
    "\u00e9 ",
    "\u2013a ",
    "\u201ca\u201d ",
    "\u2018",
    "-a:",
    "-a:b ",
]
SHAPES += [
    "--% %a ",
    "a --% %a%",
    "1",
    "1..",
    "0x",
    "1e",
    "if (a) { b }\n",
    "switch (a) { b { c } }\n",
    "else ",
    "a & ",
    "(a) & ",
    "a | ",
    "a && ",
    "\n| a",
]
SHAPES += [
    ")",
    "}",
    "] ",
    "=",
    "$a=",
    ".a",
    "::",
    "a:b ",
    "?",
    "> ",
    "2>&1 ",
    "$x ",
    '"$x" ',
    '"a""',
    "''",
    "@",
    "@a ",
    "$",
    "$$",
    ": ",
    ":a ",
    "\r",
    "\r\n",
    "\0",
]
SHAPES += [
    "{a} ",
    "a {b} ",
    "@{a=b;",
    "@{a",
    "[a]",
    "[a]$x",
    "a(",
    "$($x)",
    '"$(""a"")" ',
    "for ",
    "class ",
    "function ",
    "return ",
    "using a\n",
    "break a\n",
]
SMALL, LARGE = 25_000, 200_000


def seconds(text: str) -> float:
    gc.collect()
    gc.disable()  # as the launcher does
    begin = time.process_time()
    read(text)
    taken = time.process_time() - begin
    gc.enable()
    return taken


@pytest.mark.parametrize("shape", SHAPES)
def test_linear(shape: str) -> None:
    """Eight times the text takes less than twelve times as long, in the best of a few tries on a noisy machine."""
    small, large = (shape * (size // len(shape)) + " git push" for size in (SMALL, LARGE))
    for _ in range(4):
        taken = seconds(large)
        if taken < 0.04 or taken < 12 * seconds(small):
            return
    pytest.fail(f"{taken:.3f} s for {LARGE} characters")
