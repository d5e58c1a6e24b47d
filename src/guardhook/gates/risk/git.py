"""Git's rows (SPEC C): what leaves the machine, what changes history, what throws work away.

Read from git 2.39.5 and tried with it; options that came later are listed too (`--attr-source`, `--trailer`, `-U` of
checkout and reset). Git resolves unambiguous prefixes of a subcommand's long options, never of its own. `git stash -m
clear` is `git stash push`: the options of that may stand where a subcommand is expected.
"""

from guardhook.gates.risk.rows import Dashes, Grammar, Options, Row
from guardhook.shell.git import GIT

HELP = {"": ("--help", "--version", "-h")}

ROWS = (
    Row("git.push", "git push", "git push", "what is pushed can be fetched by others at once"),
    Row("git.commit", "git commit", "git commit", "it writes to the branch's history in your name"),
    Row("git.merge", "git merge", "git merge", "it changes this branch and the files in the working tree"),
    Row("git.rebase", "git rebase", "git rebase", "it replaces the commits of this branch"),
    Row("git.clean", "git clean", "git clean", "untracked files are deleted, and git keeps no copy of them"),
    Row(
        "git.reset-hard",
        "git reset",
        "git reset --hard",
        "changes that are not committed are lost",
        Options("--hard"),
    ),
    Row(
        "git.branch-delete",
        "git branch",
        "git branch -d/-D",
        "commits that only this branch holds get lost with it",
        Options("-d -D --delete"),
    ),
    Row(
        "git.checkout-discard",
        "git checkout",
        "git checkout --",
        "changes in these files that are not committed are overwritten",
        Dashes(),
    ),
    Row(
        "git.tag-delete",
        "git tag",
        "git tag -d",
        "the tag and its message are gone",
        Options("-d --delete"),
    ),
    Row("git.stash-drop", "git stash drop", "git stash drop", "the stashed changes are gone"),
    Row("git.stash-clear", "git stash clear", "git stash clear", "all stashed changes are gone"),
)

GRAMMARS = {
    ("git",): GIT,
    ("git", "stash"): Grammar("-m --message --pathspec-from-file"),
    ("git", "reset"): Grammar(
        "--pathspec-from-file -U --unified --inter-hunk-context",
        names="--quiet --no-quiet --refresh --no-refresh --mixed --no-mixed --soft --no-soft --hard --no-hard --merge"
        " --no-merge --keep --no-keep --recurse-submodules --no-recurse-submodules --patch --no-patch --unified"
        " --inter-hunk-context --intent-to-add --no-intent-to-add --pathspec-from-file --no-pathspec-from-file"
        " --pathspec-file-nul --no-pathspec-file-nul",
        permutes=True,
    ),
    ("git", "branch"): Grammar(
        "-u --set-upstream-to --contains --no-contains --with --without --merged --no-merged --sort --points-at"
        " --format",
        attached="-t",
        names="--verbose --no-verbose --quiet --no-quiet --track --no-track --set-upstream --no-set-upstream"
        " --set-upstream-to --no-set-upstream-to --unset-upstream --no-unset-upstream --color --no-color --remotes"
        " --no-remotes --contains --no-contains --with --without --abbrev --no-abbrev --all --no-all --delete"
        " --no-delete --move --no-move --copy --no-copy --list --no-list --show-current --no-show-current"
        " --create-reflog --no-create-reflog --edit-description --no-edit-description --force --no-force --omit-empty"
        " --merged --no-merged --column --no-column --sort --no-sort --points-at --no-points-at --ignore-case"
        " --no-ignore-case --recurse-submodules --no-recurse-submodules --format --no-format",
        permutes=True,
    ),
    ("git", "checkout"): Grammar(
        "-b -B --orphan --conflict --pathspec-from-file -U --unified --inter-hunk-context",
        attached="-t",
        names="--guess --no-guess --overlay --no-overlay --quiet --no-quiet --recurse-submodules"
        " --no-recurse-submodules --progress --no-progress --merge --no-merge --conflict --no-conflict --detach"
        " --no-detach --track --no-track --force --no-force --orphan --no-orphan --overwrite-ignore"
        " --no-overwrite-ignore --ignore-other-worktrees --no-ignore-other-worktrees --ours --theirs --patch --no-patch"
        " --unified --inter-hunk-context --ignore-skip-worktree-bits --no-ignore-skip-worktree-bits"
        " --pathspec-from-file --no-pathspec-from-file --pathspec-file-nul --no-pathspec-file-nul",
        permutes=True,
    ),
    ("git", "tag"): Grammar(
        "-m --message -F --file --trailer --cleanup -u --local-user --contains --no-contains --with --without --merged"
        " --no-merged --sort --points-at --format",
        attached="-n",
        names="--list --delete --verify --annotate --no-annotate --message --file --no-file --trailer --edit --no-edit"
        " --sign --no-sign --cleanup --no-cleanup --local-user --no-local-user --force --no-force --create-reflog"
        " --no-create-reflog --column --no-column --contains --no-contains --with --without --merged --no-merged"
        " --omit-empty --sort --no-sort --points-at --no-points-at --format --no-format --color --no-color"
        " --ignore-case --no-ignore-case",
        permutes=True,
    ),
}
