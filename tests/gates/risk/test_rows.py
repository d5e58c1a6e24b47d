"""Every risk row: calls that must fire and near misses that must not."""

import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.call import BASH, POWERSHELL
from guardhook.gates import RISKY
from guardhook.gates.risk import gh, match
from guardhook.gates.risk.rows import Condition, Row
from guardhook.shell.commands import UNKNOWN
from guardhook.shell.options import walk

FAMILIES = [
    importlib.import_module("guardhook.gates.risk." + name)
    for name in dict.fromkeys([*RISKY[BASH].values(), *RISKY[POWERSHELL].values()])
]
ROWS: list[Row] = [row for family in FAMILIES for row in family.ROWS]

# As PowerShell and cmd hand them over; programs in lower case.
WINDOWS_FIRES = {
    "delete.remove-item": [
        "remove-item -recurse x",
        "remove-item x -Recurse -Force",
        "remove-item -r x",
        "remove-item -RE x",
        "remove-item -Recurse:True x",
        "remove-item -path x -literalpath y -Recurse",
        "remove-item -Exclude *.md -rec x",
        "remove-item -ea 0 -r -WhatIf x",
        "remove-item /s x",
        "ri -r x",
        "rm -Recurse -Force x",
        "rm -rf x",
        "rm -fr x",
        "rm -vfr x",
        "rm -r -f x",
        "rm --recursive --force x",
    ],
    "delete.rd": ["rd /s x", "rd /s/q x", "rd /S /Q x", "rd /q /s x", "rmdir x /s", "rmdir -Recurse x", "rd //s //q x"],
    "delete.del": ["del /s /q *.obj", "del /f/s/q x", "erase /s x", "del x -r", "del /a:h /s x"],
}
WINDOWS_PASSES = [
    "remove-item x",
    "remove-item -Force x",
    "remove-item -Recurse:False x",
    "remove-item -Recurse:0 x",
    "remove-item -Path -Recurse",
    "remove-item -LiteralPath -r x",
    "remove-item -Filter -recurse x",
    "remove-item -ErrorAction -r x",
    "remove-item -?",
    "ri a.txt",
    "rm a.txt",
    "rm -f x",
    "rm -v x",
    "rd x",
    "rd /q x",
    "rd /srv",
    "rmdir empty",
    "del /q x",
    "del /a:s x",
    "erase /?",
]

FIRES = {
    "git.push": ["git push", "git push origin main", "git -C d --git-dir g --no-pager push -f", "git -c a=b push -n"],
    "git.commit": ["git commit", "git --attr-source HEAD commit -m x", "git --bare commit --amend"],
    "git.merge": ["git merge topic", "git --work-tree w merge -X theirs topic"],
    "git.rebase": ["git rebase main", "git --namespace n rebase -i", "git -P rebase --abort"],
    "git.clean": ["git clean -fdx", "git clean -n", "git --config-env=a.b=C clean"],
    "git.reset-hard": [
        "git reset --hard",
        "git reset HEAD~1 --hard",
        "git reset -q --har HEAD",
        "git reset --h",
        "git reset --soft --hard",
        "git reset --pathspec-from-file f --hard",
    ],
    "git.branch-delete": [
        "git branch -d x",
        "git branch -D x",
        "git branch -Dr origin/x",
        "git branch x --delete",
        "git branch --del x",
        "git branch -fd x",
        "git branch --sort name -d x",
    ],
    "git.checkout-discard": [
        "git checkout -- .",
        "git checkout HEAD -- f",
        "git checkout -q --theirs -- f",
        "git checkout --conflict merge -- f",
    ],
    "git.tag-delete": ["git tag -d v", "git tag v --delete", "git tag --del v", "git tag -n3 -d v", "git tag -fd v"],
    "git.stash-drop": ["git stash drop", "git stash drop stash@{0}", "git -C d stash drop -q"],
    "git.stash-clear": ["git stash clear"],
    "gh.pr-create": [
        "gh pr create --fill",
        "gh pr new",
        "gh -R o/r pr create",
        "gh pr --repo o/r create",
        "gh --title x pr new",
    ],
    "gh.pr-merge": ["gh pr merge 3", "gh --repo=o/r pr -R o/r merge 3 --squash"],
    "gh.pr-close": ["gh pr close 3 -d"],
    "gh.repo-delete": ["gh repo delete", "gh repo -R o/r delete", "gh --yes o/r repo delete"],
    "gh.release-create": ["gh release create v1", "gh release new v1 -d", "gh release -R o/r create v1"],
    "gh.release-delete": ["gh release delete v1 -y"],
    "gh.release-upload": ["gh release upload v1 f --clobber"],
    "gh.release-edit": ["gh release edit v1 --draft=false"],
    "gh.api-delete": [
        "gh api -X DELETE repos/o/r",
        "gh api repos/o/r/git/refs/heads/x --method delete",
        "gh api -XDELETE repos/o/r/releases/1",
        "gh api -X=DELETE repos/o/r",
        "gh api --method=Delete user/repos -i",
    ],
    "gh.api-write": [
        "gh api repos/o/r/pulls -f title=x",
        "gh api -X PUT repos/o/r/pulls/3/merge",
        "gh api -X PATCH repos/o/r/pulls/3 -f state=closed",
        "gh api /repos/{owner}/{repo}/pulls --input body.json",
        "gh api repos/:owner/:repo/releases -F draft=false",
        "gh api https://api.github.com/repos/o/r/releases/1 -X patch",
        "gh api https://ghe.local/api/v3/repos/o/r/pulls -f title=x",
        "gh api --hostname ghe.local 'repos/o/r/releases?x=1' --raw-field tag_name=v1",
        "gh api -H Accept:json repos/o/r/releases/1/assets -X POST",
        "gh api https://uploads.github.com/repos/o/r/releases/1/assets?name=x --input f",
        "gh api -X PATCH repos/o/r/releases/assets/7 --field name=x",
        "gh api repositories/1/pulls/3/merge -X PUT",
        f"gh api repos/{UNKNOWN}/pulls -f title=x",
        f"gh api repos/{UNKNOWN}/{UNKNOWN}/pulls/{UNKNOWN}/merge -X PUT",
        f"gh api {UNKNOWN}/releases -f tag_name=v1",
    ],
    "publish.npm": [
        "npm publish",
        "npm pub",
        "npm pu ./d",
        "npm -w a publish",
        "npm --tag next publish",
        "npm --registry u publish",
        "npm --registry=u --dry-run publish",
        "npm -C d publish",
        "npm -- publish",
    ],
    "publish.npm-unpublish": ["npm unpublish a@1", "npm unp a", "npm --otp 1 unpublis a"],
    "publish.pnpm": [
        "pnpm publish",
        "pnpm -r publish",
        "pnpm --filter x publish",
        "pnpm -C d -F a publish --no-git-checks",
        "pnpm recursive publish",
        "pnpm m publish",
        "pnpm pm publish",
    ],
    "publish.pnpm-unpublish": ["pnpm unpublish a", "pnpm pm unpublish a"],
    "publish.yarn": [
        "yarn publish",
        "yarn -s publish",
        "yarn --cwd d publish",
        "yarn npm publish",
        "yarn --cwd d npm publish",
    ],
    "publish.yarn-unpublish": ["yarn unpublish a"],
    "publish.bun": ["bun publish", "bun --cwd=d publish", "bun --silent publish"],
    "publish.uv": ["uv publish", "uv --directory d publish", "uv -q --project p publish"],
    "publish.poetry": ["poetry publish", "poetry -C d publish --build", "poetry --project=p publish"],
    "publish.hatch": ["hatch publish", "hatch -e e --config c publish"],
    "publish.flit": ["flit publish", "flit -f p.toml publish", "flit --ini p.toml publish"],
    "publish.pdm": ["pdm publish", "pdm -p d publish", "pdm --conf c publish"],
    "publish.twine": ["twine upload dist/*", "twine --no-color upload d", "twine --no-c upload d"],
    "publish.cargo": [
        "cargo publish",
        "cargo +nightly publish",
        "cargo --config a=b --color never publish",
        "cargo -C d publish",
    ],
    "publish.gem": ["gem push x.gem", "gem pus x", "gem pu x"],
    "delete.rm": [
        "rm -rf x",
        "rm -fr x",
        "rm -r -f x",
        "rm -Rvf x",
        "rm x -rf",
        "rm --recursive --force x",
        "rm --r --f x",
        "rm -r --interactive=never -f x",
        "rm -rf -- x",
    ],
    "delete.dd": ["dd if=a of=b", "dd"],
    "delete.mkfs": ["mkfs -t ext4 /dev/x", "mkfs /dev/x"],
    "delete.shred": ["shred -u key", "shred x"],
}

PASSES = [
    "git",
    "git status",
    "git --namespace push log",
    "git --git-dir push status",
    "git --exec-path /tmp push",
    "git -p log push",
    "git help push",
    "git --help push",
    "git --version",
    "git push --help",
    "git commit -h",
    "git commit-tree x",
    f"git {UNKNOWN}",
    "git reset",
    "git reset --soft HEAD",
    "git reset -- --hard",
    "git reset --no-hard",
    "git reset --pathspec-from-file --hard",
    "git branch",
    "git branch -m a b",
    "git branch -M a b",
    "git branch --merged -d",
    "git branch --contains -D",
    "git branch -u -d x",
    "git branch -- x -D",
    "git branch --no-delete x",
    "git checkout main",
    "git checkout .",
    "git checkout -b x",
    "git checkout -b -- x",
    "git checkout --conflict -- x",
    "git tag -a v -m x",
    "git tag -m -d v",
    "git tag -F -d v",
    "git tag --sort -d",
    "git tag -n",
    "git stash",
    "git stash list",
    "git stash show -p drop",
    "git stash -m clear",
    "git stash --message drop",
    "gh",
    "gh pr list",
    "gh pr view create",
    "gh -R pr/create pr list",
    "gh pr --repo create list",
    "gh pr --fill create",  # gh takes `create` for a value, and fails
    "gh pr create --help",
    "gh --help pr create",
    "gh repo clone o/delete",
    "gh release view v1",
    "gh release delete-asset v1 f",
    "gh issue create",
    "gh api repos/o/r/pulls",
    "gh api repos/o/r/pulls -X GET -f state=open",
    "gh api --method get repos/o/r/releases -F per_page=1",
    "gh api repos/o/r/pulls -q .[].title --jq x",
    "gh api -X POST repos/o/r/issues/4/comments -f body=hi",
    "gh api -X POST repos/o/r/pulls/3/comments -f body=hi",
    "gh api -X POST repos/o/r/pulls/3/reviews -f event=COMMENT",
    "gh api -X PATCH repos/o/r/pulls/comments/9 -f body=hi",
    "gh api repos/o/r/releases/generate-notes -f tag_name=v1",
    "gh api -X POST repos/o/pulls/issues -f title=x",
    "gh api -X POST repos/o/releases/issues/1/comments -f body=x",
    "gh api graphql -f query=x",
    "gh api -X POST",
    f"gh api {UNKNOWN} -f title=x",
    f"gh api -X {UNKNOWN} repos/o/r/pulls",
    f"gh api repos/o/r/{UNKNOWN} -f title=x",
    "gh api -H pulls -X POST user/repos -f name=pulls",
    "npm",
    "npm run publish",
    "npm p",
    "npm install publish",
    "npm --tag publish pack",
    "npm -w publish test",
    "npm exec -- publish",
    "npm publish --help",
    "npm --version publish",
    "npm stage publish",
    "pnpm run publish",
    "pnpm --filter publish build",
    "pnpm exec publish",
    "yarn run publish",
    "yarn --cwd publish install",
    "yarn npm login",
    "yarn add publish",
    "bun run publish",
    "bun --cwd d publish",  # runs a script called `d`
    "uv build",
    "uv pip install publish",
    "uv --directory publish build",
    "uv publish -h",
    "poetry -C publish build",
    "poetry build",
    "hatch -e publish build",
    "flit -f publish build",
    "pdm -p publish build",
    "twine check d",
    "twine",
    "twine --help",
    "cargo build",
    "cargo --config publish build",
    "cargo +publish build",
    "gem build push",
    "gem p x",
    "rm -r x",
    "rm -f x",
    "rm --force x",
    "rm -r --interactive=never x",
    "rm -f -- -r",
    "rm -- -rf",
    "rm --preserve-root -r x",
    "rm --no-preserve-root -f x",
    f"rm {UNKNOWN} x",
    "rm --help",
    "dd --version",
    "shred --help --version",
    "mkfs --version",
]


def _matched(argv: str, language: str) -> Row | None:
    arguments = [argument.strip("'") for argument in argv.split(" ")]
    return match(arguments[0], arguments, language)


@pytest.mark.parametrize(
    ("code", "argv", "language"),
    [(code, argv, BASH) for code, calls in FIRES.items() for argv in calls]
    + [(code, argv, POWERSHELL) for code, calls in WINDOWS_FIRES.items() for argv in calls],
)
def test_must_fire(code: str, argv: str, language: str) -> None:
    row = _matched(argv, language)
    assert row is not None
    assert row.code == code


@pytest.mark.parametrize(
    ("argv", "language"),
    [(argv, BASH) for argv in PASSES] + [(argv, POWERSHELL) for argv in WINDOWS_PASSES],
)
def test_must_pass(argv: str, language: str) -> None:
    assert _matched(argv, language) is None


def test_a_program_may_mean_something_else_in_another_language() -> None:
    for _ in range(2):
        assert _matched("rm -r x", BASH) is None
        assert _matched("rm -r x", POWERSHELL) is not None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row.path))
def test_row_is_complete(row: Row) -> None:
    (family,) = [family for family in FAMILIES if row in family.ROWS]
    named = {table.get(row.path[0]) for table in RISKY.values()}
    assert family.__name__.rpartition(".")[2] in named
    assert row.row == family.__name__.rpartition(".")[2].partition("_")[0]
    named = {other.path[0] for other in family.ROWS if other.code == row.code}
    assert row.label.split()[0].lower() in named
    assert 10 < len(row.why) < 80
    assert row.why[0].islower()
    assert not row.why.endswith(".")
    fires = FIRES.get(row.code) or WINDOWS_FIRES[row.code]
    assert any(argv.split(" ")[0] == row.path[0] for argv in fires), "no call that must fire"
    assert any(argv.split(" ")[0] == row.path[0] for argv in PASSES + WINDOWS_PASSES), "no near miss"
    assert row.condition is None or isinstance(row.condition, Condition)


def test_one_code_says_one_thing() -> None:
    said = {row.code: (row.label, row.why) for row in ROWS}
    assert [row for row in ROWS if said[row.code] != (row.label, row.why)] == []
    assert {*FIRES, *WINDOWS_FIRES} == set(said)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_grammars_belong_to_rows(family: object) -> None:
    rows: tuple[Row, ...] = family.ROWS  # type: ignore[attr-defined]
    starts = {row.path[:length] for row in rows for length in range(1, len(row.path) + 1)}
    leaves = {row.path for row in rows}
    for path, grammar in family.GRAMMARS.items():  # type: ignore[attr-defined]
        assert path in starts
        assert grammar.permutes == (path in leaves)
        if grammar.names and not grammar.parameters:
            assert {name for name in grammar.values if name.startswith("--")} <= set(grammar.names)
        for name in grammar.values:
            assert walk([name, "VALUE", "rest"], grammar).value(name) == "VALUE"
            if grammar.parameters:
                assert walk([name + ":VALUE", "rest"], grammar).value(name) == "VALUE"
                continue
            # gh's own early options are never attached by `=` to a short name; every other spelling is.
            attached = name + "=VALUE" if name.startswith("--") else name + "VALUE"
            assert walk([attached, "rest"], grammar).value(name) == "VALUE"
    for row in rows:
        if row.condition is not None and family is not gh:
            assert row.path in family.GRAMMARS, "a condition needs its program's options"  # type: ignore[attr-defined]
    for options in family.HELP.values():  # type: ignore[attr-defined]
        assert options
        assert set(options) <= {"--help", "--version", "-h", "-?", "/?"}


def test_a_condition_of_its_own_must_be_written() -> None:
    with pytest.raises(NotImplementedError):
        Condition().holds(walk([], gh.GRAMMARS[("gh", "api")]))


ARGUMENT = st.one_of(
    st.sampled_from(sorted({word for row in ROWS for word in row.path})),
    st.sampled_from(
        [
            "--",
            "-",
            "-rf",
            "-d",
            "/s",
            "-recurse",
            "--hard",
            "--har",
            "-X",
            "PUT",
            "-f",
            "a=b",
            "repos/o/r/pulls",
            UNKNOWN,
        ]
    ),
    st.text(alphabet="-=/ad\0", max_size=5),
)


CALLS = sorted((language, name) for language, table in RISKY.items() for name in table)


@given(st.sampled_from(CALLS), st.lists(ARGUMENT, max_size=8))
def test_no_argument_list_is_too_odd(call: tuple[str, str], rest: list[str]) -> None:
    language, name = call
    row = match(name, [name, *rest], language)
    assert row is None or row.path[0] == name
    if row is not None:
        # The words of the path stand in this order in the arguments.
        remaining = iter(rest)
        assert all(word in remaining for word in row.path[1:])
