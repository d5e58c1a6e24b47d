"""Git's own options, which stand in front of its subcommand: the risk rows and the alias wrapper both read past them.

Read from git 2.39.5 and, for `--attr-source` and `--shallow-file`, git 2.47.
"""

from guardhook.shell.options import Grammar

# `--exec-path` takes a value only with `=`.
GIT = Grammar("-C -c --git-dir --work-tree --namespace --config-env --super-prefix --attr-source --shallow-file")
