"""Git as a wrapper: an alias defined on the command line runs another command. Options from git 2.39.5 and git 2.47."""

from guardhook.shell.git import GIT
from guardhook.shell.wrappers.rows import ALIAS, Wrapper

ROWS = (Wrapper("git", GIT, payload=ALIAS, counts=False, manual="git 2.39.5, git 2.47"),)
