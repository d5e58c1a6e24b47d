"""PowerShell and cmd as programs, from any shell, and what runs a command line inside them (SPEC C4).

PowerShell's own parser of its command line takes the shortest abbreviations that its help names and any longer ones,
with `-`, `--` or `/`. Behind `-Command`, and for cmd behind `/c` and `/k`, the rest of the line is the payload. Windows
PowerShell takes a first word without a dash for a command, PowerShell 7 for a script file.
"""

from guardhook.call import CMD, POWERSHELL
from guardhook.shell.options import Grammar
from guardhook.shell.parameters import COMMON_ALIASES, COMMON_SWITCHES, COMMON_VALUES, LETTERS, Parameters
from guardhook.shell.wrappers.rows import JOINED, Wrapper

# In the order in which an abbreviation finds them.
_VALUES = (
    "-configurationname -configurationfile -custompipename -windowstyle -file -executionpolicy -outputformat"
    " -inputformat -encodedcommand -encodedarguments -settingsfile -workingdirectory -psconsolefile"
)
_SWITCHES = (
    "-command -commandwithargs -help -login -noexit -noprofile -nologo -noninteractive -interactive -sta -sshservermode"
    " -mta -noprofileloadtime"
)
# The shortest forms that its help names, where they mean another parameter than the first with that beginning.
_ALIASES = (
    "-c=-command -co=-command -cwa=-commandwithargs -e=-encodedcommand -ec=-encodedcommand -ep=-executionpolicy"
    " -i=-interactive -in=-interactive -if=-inputformat -of=-outputformat -wd=-workingdirectory -?=-help"
)
_LAST = "-command -commandwithargs -file"

ROWS = (
    Wrapper(
        "pwsh",
        Parameters(_VALUES, _SWITCHES + " -version", aliases=_ALIASES, last=_LAST, slashes="/", permutes=False),
        payload=JOINED,
        flags="-command -commandwithargs",
        sealed="-encodedcommand",
        script="-file",
        idle="-help -version",
        stdin=True,
        shell=POWERSHELL,
        manual="about_Pwsh, PowerShell 7.5",
    ),
    Wrapper(
        "powershell",
        Parameters(_VALUES + " -version", _SWITCHES, aliases=_ALIASES, last=_LAST, slashes="/", permutes=False),
        payload=JOINED,
        sealed="-encodedcommand",
        script="-file",
        idle="-help",
        stdin=True,
        shell=POWERSHELL,
        manual="about_PowerShell_exe, Windows PowerShell 5.1",
    ),
    Wrapper(
        "cmd",
        Parameters("", "/c /k /r", last="/c /k /r", slashes=LETTERS, permutes=False),
        payload=JOINED,
        flags="/c /k /r",
        idle="/?",
        stdin=True,
        requoted=True,
        shell=CMD,
        manual="Windows Commands: cmd (Microsoft Learn)",
    ),
    Wrapper(
        "invoke-expression iex",
        Parameters(f"-command {COMMON_VALUES}", COMMON_SWITCHES, aliases=COMMON_ALIASES, permutes=False),
        payload=JOINED,
        values="-command",
        stdin=True,
        same=True,
        shell=POWERSHELL,
        only=POWERSHELL,
        manual="Invoke-Expression, Microsoft.PowerShell.Utility 7.5",
    ),
    Wrapper(
        "wsl",
        Grammar("-d --distribution --distribution-id -u --user --cd --shell-type"),
        payload=JOINED,
        direct="-e --exec",
        requoted=True,
        idle="--help --list -l --install --status --version -v --shutdown --terminate -t --unregister --update"
        " --set-default -s --set-version --set-default-version --export --import --import-in-place --mount"
        " --unmount --manage",
        remote=True,
        manual="Basic commands for WSL (Microsoft Learn)",
    ),
    Wrapper(
        "start",
        Parameters(
            "/d /affinity /node /machine",
            "/b /i /min /max /separate /shared /low /normal /high /realtime /abovenormal /belownormal /wait",
            slashes=LETTERS,
            permutes=False,
        ),
        titled=True,
        only=CMD,
        idle="/?",
        manual="Windows Commands: start (Microsoft Learn)",
    ),
    Wrapper("call", Grammar(), only=CMD, counts=False, manual="Windows Commands: call (Microsoft Learn)"),
)
