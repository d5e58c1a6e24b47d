"""Which files a command writes (SPEC S1 to S4): one command -> the paths, "" for one that nobody knows."""

import pytest

from guardhook.call import BASH, CMD, POWERSHELL
from guardhook.shell.unwrap import unwrap
from guardhook.shell.writes import CMDLET, IN_PLACE, REDIRECTION, TEE, writes

NOTHING: dict[str, frozenset[str]] = dict.fromkeys((BASH, POWERSHELL, CMD), frozenset())
ENVIRONMENT = {"HOME": "/home/u", "OUT": "env.md"}


def _found(command: str, language: str = BASH) -> list[tuple[str, str]]:
    return [(write.kind, write.path) for write in writes(unwrap(command, NOTHING, language), ENVIRONMENT.get)]


def _paths(command: str, language: str = BASH) -> list[str]:
    return [path for _, path in _found(command, language)]


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("echo x > a", ["a"]),
        ("echo x >> a 2> b", ["a", "b"]),
        ("echo x >| a", ["a"]),
        ("echo x &> a", ["a"]),
        ("echo x &>> a", ["a"]),
        ("echo x >& a", ["a"]),
        ("echo x >&2 2>&1 3>&-", []),
        ("cat < a", []),
        ("cat <<E\n> b\nE", []),
        ("> a", ["a"]),
        ("{ echo x; echo y; } > a", ["a"]),
        ("for i in 1; do echo; done > a", ["a"]),
        ("echo $(ls > a) > b", ["a", "b"]),
        ("[[ a > b ]]; (( a > b ))", []),
        ("echo x > \"a b\"'c'", ["a bc"]),
        ("O=a; echo x > $O", ["a"]),
        ("O=a; echo x > $O; O=b", ["a", "b"]),
        ("echo x > $OUT", ["env.md"]),
        ("echo x > ${OUT:-b}", ["env.md"]),
        ("echo x > ${NO:-b}", ["b"]),
        ("OUT=$(mktemp); echo x > $OUT", [""]),
        ("echo x > $NO/a.md", [""]),
        ("echo x | tee a b", ["a", "b"]),
        ("tee -a -- a", ["a"]),
        ("tee", []),
        ("sudo tee a", ["a"]),
        ("bash -c 'echo > a'", ["a"]),
        ("sed -i s/a/b/ f g", ["f", "g"]),
        ("sed -i.bak -e s/a/b/ f", ["f"]),
        ("sed -Ei s/a/b/ f", ["f"]),
        ("sed --in-place=.x s/a/b/ f", ["f"]),
        ("sed -i '' s/a/b/ f", ["f"]),
        ("sed -i -f x f", ["f"]),
        ("sed s/a/b/ f", []),
        ("sed -n p f", []),
        ("perl -pi -e x f", ["f"]),
        ("perl -i.bak -pe x f", ["f"]),
        ("perl -0777 -pi -e x f", ["f"]),
        ("perl -pe x f", []),
        ("perl x.pl -i f", ["f"]),
        ("xargs sed -i s/a/b/", [""]),
        ("xargs sed s/a/b/", []),
        ("find . -exec sed -i s/a/b/ {} ;", [""]),
        ("cmd /c 'echo x > a'", ["a"]),
        ("pwsh -c 'echo x > a'", ["a"]),
    ],
)
def test_bash(command: str, paths: list[str]) -> None:
    assert _paths(command) == paths


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("'x' > a", ["a"]),
        ("ls 2> a *>> b 3>&1", ["a", "b"]),
        ("ls > $out", [""]),
        ("$o = 'a'; 'x' > $o", ["a"]),
        ("'x' > \"$env:OUT\"", ["env.md"]),
        ("Set-Content a x", ["a"]),
        ("sc a x", ["a"]),
        ("Add-Content -Value x -Path a", ["a"]),
        ("Set-Content -LiteralPath:a x", ["a"]),
        ("Set-Content -PSPath a -Value x", ["a"]),
        ("Set-Content a, b x", ["a", "b"]),
        ("Set-Content -Path a, b -Value x", ["a", "b"]),
        ("$p = 'a', 'b'; Set-Content $p x", ["a", "b"]),
        ("'x' | Out-File a -Append", ["a"]),
        ("'x' | Out-File -FilePath a", ["a"]),
        ("'x' | Tee-Object a", ["a"]),
        ("'x' | Tee-Object -Variable v", []),
        ("Set-Content a x -WhatIf", []),
        ("Set-Content a x -WhatIf:$false", ["a"]),
        ("Set-Content", []),
        ("Write-Output 'Set-Content a x'", []),
        ("bash -c 'echo x > a'", ["a"]),
    ],
)
def test_powershell(command: str, paths: list[str]) -> None:
    assert _paths(command, POWERSHELL) == paths


def test_kinds() -> None:
    assert _found("x > a; tee b; sed -i p c") == [(REDIRECTION, "a"), (TEE, "b"), (IN_PLACE, "c")]
    assert _found("tee a; sed -i p b", POWERSHELL) == [(CMDLET, "a"), (IN_PLACE, "b")]
    assert _found("cmd /c 'echo x | tee a'") == [(TEE, "a")]
