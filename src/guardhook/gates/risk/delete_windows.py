"""The delete rows of the Windows side (SPEC C): PowerShell's Remove-Item by all its names, and cmd's del and rd.

Read from Remove-Item (Microsoft.PowerShell.Management 7.5), about_Aliases, and the pages on del and rd of Windows
Commands (Microsoft Learn). On Linux and macOS PowerShell's `rm` and `rmdir` are the system's programs.
"""

from guardhook.gates.risk.rows import Condition, Options, Row
from guardhook.shell import options
from guardhook.shell.options import Walk
from guardhook.shell.parameters import COMMON_ALIASES, COMMON_SWITCHES, COMMON_VALUES, LETTERS, Parameters

HELP = {"": ("-?", "/?", "--help")}

_FALSE = ("false", "0", "")
_LETTERS = frozenset("-rRfivdI")
_FORCED = Options("-r -R --recursive", "-f --force")


class Recursive(Condition):
    """Holds if whole trees are deleted: `-Recurse`, or cmd's `/s`."""

    __slots__ = ()

    def holds(self, walk: Walk) -> bool:
        for option in walk.options:
            if option.name == "-recurse" and (option.value is None or option.value.lower() not in _FALSE):
                return True
        return walk.has("/s")


class System(Recursive):
    """Holds for `Recursive`, and for the options of the system's own `rm`, as Git for Windows brings it too."""

    __slots__ = ()

    def holds(self, walk: Walk) -> bool:
        if super().holds(walk):
            return True
        from guardhook.gates.risk.delete import GRAMMARS as SYSTEM

        # A cmdlet's parameter (`-Force`) is no cluster of the program's letters.
        words = [word for word in walk.arguments if word[:1] != "-" or word[1:2] == "-" or _LETTERS.issuperset(word)]
        return _FORCED.holds(options.walk(words, SYSTEM[("rm",)], 1))


_WHY = "everything below is deleted without a way back"

ROWS = (
    *(Row("delete.remove-item", name, "Remove-Item -Recurse", _WHY, Recursive()) for name in ("remove-item", "ri")),
    Row("delete.remove-item", "rm", "Remove-Item -Recurse", _WHY, System()),
    *(Row("delete.rd", name, "rd /s", _WHY, Recursive()) for name in ("rd", "rmdir")),
    *(Row("delete.del", name, "del /s", _WHY, Recursive()) for name in ("del", "erase")),
)

_REMOVE_ITEM = Parameters(
    f"-path -literalpath -filter -include -exclude -credential -stream {COMMON_VALUES}",
    f"-recurse -force {COMMON_SWITCHES}",
    aliases=f"-pspath=-literalpath -lp=-literalpath {COMMON_ALIASES}",
    slashes=LETTERS,
)

GRAMMARS = {row.path: _REMOVE_ITEM for row in ROWS}
