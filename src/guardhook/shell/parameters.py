"""How PowerShell's commands and cmd's take options: a further kind of Grammar for the option walk.

`-Name value`, `-Name:value` and any unambiguous beginning of a name, in any case (about_Parameters, about_Aliases);
`/s`, `/s/q` and `/a:h` (cmd). What is no option is an operand, and options may stand anywhere.
"""

from guardhook.shell.options import Grammar, Option, Walk

# The common parameters of every cmdlet that takes them (about_CommonParameters, PowerShell 7.5).
COMMON_VALUES = (
    "-erroraction -warningaction -informationaction -errorvariable -warningvariable -informationvariable -outvariable"
    " -outbuffer -pipelinevariable -progressaction"
)
COMMON_SWITCHES = "-verbose -debug -whatif -confirm"
COMMON_ALIASES = (
    "-ea=-erroraction -wa=-warningaction -infa=-informationaction -ev=-errorvariable -wv=-warningvariable"
    " -iv=-informationvariable -ov=-outvariable -ob=-outbuffer -pv=-pipelinevariable -proga=-progressaction"
    " -vb=-verbose -db=-debug -wi=-whatif -cf=-confirm"
)

LETTERS = "letters"


class Parameters(Grammar):
    """Options in the manner of PowerShell or cmd, in lower case.

    values: parameters that take a value. switches: those that do not, but for `-Switch:$false`. An abbreviation means
    the first name of both lists, values first, that begins with it. aliases: `-alias=-name` pairs.
    last: options behind which everything is an operand. slashes: the letters that may stand for a dash: `/` where
    `/name` is `-name`, or LETTERS where `/x` is an option of its own.
    """

    __slots__ = ("aliases", "slashes")

    def __init__(
        self,
        values: str,
        switches: str = "",
        *,
        aliases: str = "",
        last: str = "",
        slashes: str = "",
        permutes: bool = True,
    ) -> None:
        super().__init__(values, names=f"{values} {switches}", permutes=permutes)
        self.parameters = True
        self.aliases = dict(pair.split("=", 1) for pair in aliases.split())
        self.last = frozenset(last.split())
        self.slashes = slashes

    def option(self, seen: Walk, argument: str, index: int) -> int:
        """Read the option at `index` into `seen`. Gives the position behind it; `index` if it is none."""
        if self.slashes == LETTERS and argument[:1] == "/":
            return self._slash(seen, argument, index)
        name, colon, value = argument.partition(":")
        letters = name.lstrip("-")
        if name[:1] == "/" and self.slashes == "/" and name[1:].isalpha():
            letters = name[1:]
        elif name[:1] != "-" or not (letters[:1].isalpha() or letters == "?"):
            return index
        name = self.name("-" + letters.lower())
        if colon or name not in self.values:
            seen.options.append(Option(name, value if colon else None, index, index + 1))
            return index + 1
        following = index + 1
        given = seen.arguments[following] if following < len(seen.arguments) else None
        seen.options.append(Option(name, given, index, following + 1))
        return following + 1

    def name(self, name: str) -> str:
        """The parameter that a name in lower case means: itself, what it is an alias of, or what it abbreviates."""
        name = self.aliases.get(name, name)
        if name in self.names:
            return name
        return next((full for full in self.names if full.startswith(name)), name)

    def _slash(self, seen: Walk, argument: str, index: int) -> int:
        """`/s`, `/s/q`, `/a:h`, `/cCOMMAND`; two slashes are one, as MSYS shells want them."""
        rest = argument.lower()
        start = 1 if rest[:2] == "//" else 0
        options = []
        while start < len(rest):
            name, behind = rest[start : start + 2], rest[start + 2 : start + 3]
            if len(name) < 2 or not (name[1].isalpha() or name[1] == "?"):
                return index
            if behind in ("", "/"):
                options.append(Option(name, None, index, index + 1))
                start += 2
            elif behind == ":" or name in self.last:
                options.append(Option(name, argument[start + 2 :].removeprefix(":"), index, index + 1))
                break
            else:
                return index
        seen.options += options
        return index + 1
