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
_DASHES = ("\u2013", "\u2014", "\u2015")
_ATTRIBUTES = frozenset("rhsailopRHSAILOP-")


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
        if argument[:1] in _DASHES:  # PowerShell takes all of them for one
            argument = "-" + argument[1:]
        name, colon, value = argument.partition(":")
        letters = name.lstrip("-")
        if name[:1] == "/" and self.slashes == "/" and name[1:].isalpha():
            letters = name[1:]
        elif name[:1] != "-" or not (letters[:1].isalpha() or letters == "?"):
            return index
        for end in ".[":  # a parameter's name ends there: `-Recurse.\\build`
            cut = argument.find(end)
            if 0 < cut < len(name):
                name, colon, value = argument[:cut], "", argument[cut:]
                letters = name.lstrip("-")
        name = self.name("-" + letters.lower())
        if colon or (value and name in self.values) or name not in self.values:
            given = value if colon or name in self.values else None
            seen.options.append(Option(name, given, index, index + 1))
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
        """`/s`, `/s/q`, `/a:h`, `/ah/s`, `/cCOMMAND`, `/wait`; two slashes are one, as MSYS shells want them."""
        rest = argument.lower()
        start = 1 if rest[:2] == "//" else 0
        name, colon, _ = rest[start:].partition(":")
        if name in self.names and len(name) > 2:
            return self._named(seen, name, index, argument[start + len(name) + 1 :] if colon else None)
        options = []
        while start < len(rest):
            name, behind = rest[start : start + 2], rest[start + 2 : start + 3]
            if len(name) < 2 or not (name[1].isalpha() or name[1] == "?"):
                return index
            end = rest.find("/", start + 1)
            end = len(rest) if end < 0 or name in self.last else end
            value = argument[start + 2 : end]
            if name in self.last or behind in ("", "/", ":") or (name == "/a" and _ATTRIBUTES.issuperset(value)):
                options.append(Option(name, value.removeprefix(":") or None, index, index + 1))
            else:
                return index
            start = end
        if len(options) == 1 and options[0].value is None and options[0].name in self.values:
            return self._named(seen, options[0].name, index, None)
        seen.options += options
        return index + 1

    def _named(self, seen: Walk, name: str, index: int, value: str | None) -> int:
        """An option on its own, with the next argument if it takes a value that is not attached."""
        takes = value is None and name in self.values and index + 1 < len(seen.arguments)
        value = seen.arguments[index + 1] if takes else value
        seen.options.append(Option(name, value, index, index + 1 + takes))
        return index + 1 + takes
