"""Git as a wrapper: an alias defined on the command line runs another command. Options from git 2.39.5 and git 2.47."""

from guardhook.shell.options import Grammar
from guardhook.shell.wrappers.rows import ALIAS, Wrapper

# Git's options in front of the subcommand; `--exec-path` takes a value only with `=`.
GIT = Grammar("-C -c --git-dir --work-tree --namespace --config-env --super-prefix --attr-source --shallow-file")

ROWS = (Wrapper("git", GIT, payload=ALIAS, counts=False, manual="git 2.39.5, git 2.47"),)
