"""The delete rows of the Bash side (SPEC C): what is gone without a way back.

Read from GNU coreutils 9.1 (rm, dd, shred) and util-linux 2.38.1 (mkfs), and tried with them. `rm` needs both a
recursive and a force option; `--interactive=never` is not one. Only GNU's `rm` takes options behind an operand; BSD's
reads `rm x -rf` as file names, and asking there is the safe side.
"""

from guardhook.gates.risk.rows import Grammar, Options, Row

HELP = {"": ("--help", "--version")}

ROWS = (
    Row(
        "delete.rm",
        "rm",
        "rm -rf",
        "everything below is deleted without a question or a way back",
        Options("-r -R --recursive", "-f --force"),
    ),
    Row("delete.dd", "dd", "dd", "it overwrites its target, a whole disk included"),
    Row("delete.mkfs", "mkfs", "mkfs", "everything on the device is lost"),
    Row("delete.shred", "shred", "shred", "it overwrites the files so that nothing can bring them back"),
)

GRAMMARS = {
    ("rm",): Grammar(
        names="--force --interactive --one-file-system --no-preserve-root --preserve-root --recursive --dir --verbose"
        " --help --version",
        permutes=True,
    ),
}
