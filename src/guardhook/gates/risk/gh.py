"""gh's rows (SPEC C): what other people on the server see at once.

Read from gh 2.23.0, tried against a server that does not exist, and from the sources of later versions. gh's command
lines are read by a library (cobra) that looks for the subcommand first: an option in front of it that the group does
not know takes the next argument with it, even one that has no value later (`gh --yes o/r repo delete` deletes `o/r`).
Not rows: GraphQL mutations, `gh release delete-asset`, and aliases of the user's own.
"""

from guardhook.gates.risk.rows import Condition, Grammar, Row
from guardhook.shell.commands import UNKNOWN
from guardhook.shell.options import Walk

HELP = {"": ("--help", "--version", "-h")}

_FIELDS = ("-f", "-F", "--field", "--raw-field", "--input")
_READING = ("GET", "HEAD", "OPTIONS")
_API_ROOTS = ("api", "v3")  # of GitHub Enterprise: https://HOST/api/v3/repos/...


class Deletes(Condition):
    """Holds if `gh api` sends a DELETE."""

    __slots__ = ()

    def holds(self, walk: Walk) -> bool:
        return _method(walk) == "DELETE"


class Writes(Condition):
    """Holds if `gh api` writes to pull requests, merges one, or writes to releases or their files."""

    __slots__ = ()

    def holds(self, walk: Walk) -> bool:
        method = _method(walk)
        if method in _READING or UNKNOWN in method or not walk.operands:
            return False
        return _is_watched(walk.arguments[walk.operands[0]])


def _method(walk: Walk) -> str:
    """The HTTP method that gh uses, in capitals: the one asked for, else POST if there is anything to send."""
    method = walk.value("-X", "--method")
    if method is not None:
        return method.removeprefix("=").upper()
    return "POST" if walk.has(*_FIELDS) else "GET"


def _is_watched(endpoint: str) -> bool:
    """True for a path, with or without a host, whose resource is a pull request, its merge, or a release."""
    if "://" in endpoint:
        endpoint = endpoint.partition("://")[2].partition("/")[2]
    parts = [part for part in endpoint.partition("?")[0].partition("#")[0].split("/") if part]
    if tuple(parts[:2]) == _API_ROOTS:
        parts = parts[2:]
    return any(_is_resource(parts[start:]) for start in _starts(parts))


def _starts(parts: list[str]) -> list[int]:
    """Where the resource may begin behind the repository; a variable may stand for `o`, for `o/r` or for all of it."""
    if not parts:
        return []
    if UNKNOWN in parts[0]:
        return list(range(1, len(parts)))
    if parts[0] == "repositories":
        return [2]
    if parts[0] == "repos":
        return [2, 3] if len(parts) > 1 and UNKNOWN in parts[1] else [3]
    return []


def _is_resource(parts: list[str]) -> bool:
    kind, rest = parts[:1], parts[1:]
    if kind == ["pulls"]:
        return len(rest) < 2 or rest[1:] == ["merge"]
    if kind == ["releases"]:
        return rest != ["generate-notes"] and (len(rest) < 2 or rest[1:] == ["assets"] or rest[0] == "assets")
    return False


_API_WHY = "it changes a pull request or a release for everybody"

ROWS = (
    Row("gh.pr-create", "gh pr create", "gh pr create", "everybody who watches the repository is told at once"),
    Row("gh.pr-create", "gh pr new", "gh pr create", "everybody who watches the repository is told at once"),
    Row("gh.pr-merge", "gh pr merge", "gh pr merge", "the base branch changes for everybody"),
    Row("gh.pr-close", "gh pr close", "gh pr close", "the pull request is closed for everybody who works on it"),
    Row("gh.repo-delete", "gh repo delete", "gh repo delete", "the repository, its issues and pull requests are gone"),
    Row("gh.release-create", "gh release create", "gh release create", "the release can be downloaded at once"),
    Row("gh.release-create", "gh release new", "gh release create", "the release can be downloaded at once"),
    Row("gh.release-delete", "gh release delete", "gh release delete", "the release and its files are gone"),
    Row("gh.release-upload", "gh release upload", "gh release upload", "the files can be downloaded at once"),
    Row("gh.release-edit", "gh release edit", "gh release edit", "a published release changes for everybody"),
    Row("gh.api-delete", "gh api", "gh api -X DELETE", "what it deletes on the server is gone", Deletes()),
    Row("gh.api-write", "gh api", "gh api (a write)", _API_WHY, Writes()),
)

# Every option of the rows' subcommands, those without a value too: in front of the subcommand each takes one argument.
_EARLY = Grammar(
    "-A -B -F -H -R -T -X -a -b -c -d -e -f -i -l -m -n -p -q -r -s -t -w -y --admin --assignee --author-email --auto"
    " --base --body --body-file --cache --cleanup-tag --clobber --comment --confirm --delete-branch --disable-auto"
    " --discussion-category --draft --dry-run --editor --fail-on-no-commits --field --fill --fill-first --fill-verbose"
    " --generate-notes --head --header --hostname --include --input --jq --label --latest --match-head-commit --merge"
    " --method --milestone --no-maintainer-edit --notes --notes-file --notes-from-tag --notes-start-tag --paginate"
    " --prerelease --preview --project --raw-field --rebase --recover --repo --reviewer --silent --slurp --squash"
    " --subject --tag --target --template --title --verbose --verify-tag --web --yes"
)

GRAMMARS = {
    ("gh",): _EARLY,
    ("gh", "pr"): _EARLY,
    ("gh", "repo"): _EARLY,
    ("gh", "release"): _EARLY,
    ("gh", "api"): Grammar(
        "-X --method -f --raw-field -F --field -H --header -p --preview -q --jq -t --template --cache --hostname"
        " --input",
        permutes=True,
    ),
}
