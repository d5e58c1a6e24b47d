"""The parameters of PowerShell's cmdlets that write files (SPEC S1).

Read from the pages of Set-Content, Add-Content (Microsoft.PowerShell.Management 7.5), Out-File and Tee-Object
(Microsoft.PowerShell.Utility 7.5), and about_Aliases.
"""

from guardhook.shell.options import walk
from guardhook.shell.parameters import COMMON_ALIASES, COMMON_SWITCHES, COMMON_VALUES, Parameters

_CONTENT = Parameters(
    f"-path -literalpath -value -filter -include -exclude -credential -encoding -stream {COMMON_VALUES}",
    f"-passthru -force -nonewline -asbytestream {COMMON_SWITCHES}",
    aliases=f"-pspath=-literalpath -lp=-literalpath {COMMON_ALIASES}",
)
_OUT_FILE = Parameters(
    f"-filepath -literalpath -encoding -width -inputobject {COMMON_VALUES}",
    f"-append -force -noclobber -nooverwrite -nonewline {COMMON_SWITCHES}",
    aliases=f"-path=-filepath -pspath=-literalpath -lp=-literalpath {COMMON_ALIASES}",
)
_TEE_OBJECT = Parameters(
    f"-filepath -literalpath -variable -inputobject -encoding {COMMON_VALUES}",
    f"-append {COMMON_SWITCHES}",
    aliases=f"-path=-filepath -pspath=-literalpath -lp=-literalpath {COMMON_ALIASES}",
)

_GRAMMARS = {
    **dict.fromkeys(("set-content", "sc", "add-content", "ac"), _CONTENT),
    "out-file": _OUT_FILE,
    **dict.fromkeys(("tee-object", "tee"), _TEE_OBJECT),
}

_FALSE = ("false", "0", "")


def destination(name: str, arguments: list[str]) -> str:
    """The path that a cmdlet writes to, "" if it writes to none. name: in lower case; arguments[0]: its word."""
    seen = walk(arguments, _GRAMMARS[name], 1)
    if seen.has("-whatif") and (seen.value("-whatif") or "true").lower() not in _FALSE:
        return ""
    named = seen.value("-path", "-literalpath", "-filepath")
    if named is not None:
        return named
    if seen.has("-variable"):
        return ""
    return arguments[seen.operands[0]] if seen.operands else ""
