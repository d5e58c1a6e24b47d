"""Shell text made to be slow, deep or broken, in any size. Run as a script: CPU seconds of each kind at 1 MB."""

import random
import sys
import time
from collections.abc import Callable

from guardhook.shell.bash import lexer

# Repeated to the size wanted.
REPEATED = [
    "(",
    ")",
    "{ ",
    "$(",
    '"$(',
    "((",
    "$((",
    '"$((',
    "${",
    "${x:-",
    '"${x:-',
    "${x#",
    '"${x:-"',
    "\"${x:-'",
    "[[ ",
]
REPEATED += [
    "<(",
    " >(",
    "$[",
    "`",
    '"`',
    "\\`",
    "'",
    '"',
    "'\"",
    "$'",
    '$"',
    "\\",
    "\\\n",
    "a\\\n",
    "$'\\c\\\\",
    "$",
    "!",
    "@(",
]
REPEATED += [
    "x@(",
    "a=(",
    "a=(b ",
    "x=(y)=(z)",
    "a[",
    "a[1]=",
    "[",
    "a[b c]=d ",
    "${a[",
    "#",
    "# ",
    "& ",
    "|",
    ";",
    ";;",
    "&&",
]
REPEATED += [
    "if ",
    "while ",
    "case x in a) ",
    "for x in ",
    "select x in ",
    "time ! ",
    "coproc N ",
    "function f ",
    "f() ",
    "f(",
]
REPEATED += [
    ">",
    ">a ",
    "<<A ",
    "<<<",
    "<<-",
    "2>",
    "{fd}>",
    "{a,",
    "1",
    "\r",
    "\r\n",
    "\0",
    "\n",
    "\t",
    "~",
    "é",
    "\ud800",
]
REPEATED += [
    "ab ",
    "a;",
    "a&",
    "a|b;",
    "$x",
    '"$x" ',
    "${x} ",
    "a=b ",
    "a=",
    "echo x; ",
    "x=(1) ",
    "{ a; } & ",
    "(a)|b;",
]
REPEATED += [
    "fi ",
    "done;",
    "esac ",
    "} ",
    "then ",
    "((1));",
    "((a);(b));",
    "((a) ",
    "$((a) b) ",
    '(( "(" ',
    "`$((` ",
    "$((`",
]
REPEATED += [
    "`a\\`b` ",
    "`a\\\\b` ",
    "`\\`",
    "$(a) ",
    "`a` ",
    '"$(a)" ',
    "<(a) ",
    "[[ a;",
    "[[ a ]] ",
    "case x in ",
    "$(#",
    "a #",
]
REPEATED += [
    "cat <<E\nx\nE\n",
    "cat <<E\n$(x)\nE\n",
    "cat <<E\n\\\n",
    "a <<E\n",
    "x $(a <<E\nEb\n",
    "x $(a <<E\nEb)\n",
    '<<"$(',
    "<<`",
    "<<E$(a ",
    "a()",
    "declare a=(x) ",
]
REPEATED += [
    "case x in a) b;; ",
    "for x in a; do b; done; ",
    "if a; then b; fi; ",
    "$(case x in a) b;; esac) ",
    "$((case x in a)",
]

# (name, what opens, what closes): nested below and beyond the limit around a long text.
NESTED = [
    ("$(", "$(", ")"),
    ('"$(', '"$(', ')"'),
    ("$((", "$(( ", " ))"),
    ("${", "${x:-", "}"),
    ('"${', '"${x:-', '}"'),
]
NESTED += [
    ("(", "( ", " )"),
    ("{", "{ a; ", "}; "),
    ("{&", "{ a; ", "} & "),
    ("{|", "{ a; ", "} | b; "),
    ("a=(", "a=($(", "))"),
]
NESTED += [
    ("[[", "[[ $(", ") ]]; "),
    ("case", "case x in a) ", ";; esac; "),
    ("if", "if a; then ", "; fi; "),
    (">", "> $(", ")"),
]
NESTED += [
    ("for", "for x in $(", "); do :; done; "),
    ("f", "f() { a; ", "; }; "),
    ("coproc", "coproc { ", "; }; "),
    ("<(", "<(", ")"),
]
NESTED += [
    ("@(", "x@($(", "))"),
    ("$[", "$[", "]"),
    ("a[", "a[$(", ")]=x "),
    ("$((a)", "$((a); ", ")"),
    ("${a[", "${a[$(", ")]}"),
]

WORDS = [
    "if",
    "then",
    "fi",
    "do",
    "done",
    "case",
    "in",
    "esac",
    "for",
    "{",
    "}",
    "(",
    ")",
    "((",
    "))",
    "[[",
    "]]",
    ";;",
    ";",
]
WORDS += ["&", "|", "&&", "\n", "a", "b=c", "$(", "`", '"', "'", "<<E", "E", "> f", "${x", "$((", "!", "time", "coproc"]
WORDS += ["function", "f()", "a=(", "@(", "\\\n", "#", "<(", "select", "while", "elif", "${x:-", "$'", "a[1]="]


def kinds(size: int) -> dict[str, str]:
    """Every hostile text, by name, each of about `size` characters."""
    texts = {text: text * (size // len(text)) for text in REPEATED}
    for name, opening, closing in NESTED:
        for depth in (50, 300):
            texts[f"{name} {depth} deep"] = "echo; " + opening * depth + "a b; " * (size // 5) + closing * depth
        count = size // (len(opening) + len(closing))
        texts[f"{name} balanced"] = "echo " + opening * count + closing * count
    return texts | documents(size) | backquotes(size) | chance(size)


def documents(size: int) -> dict[str, str]:
    """Here-documents: many, open, nested."""
    texts = {
        "documents announced": "cat " + "".join([f"<<A{i} " for i in range(size // 14)]) + "\n" + "x y\n" * (size // 8),
        "documents closed": "cat "
        + "".join([f"<<A{i} " for i in range(size // 20)])
        + "\n"
        + "".join([f"x\nA{i}\n" for i in range(size // 20)]),
        "documents left open": "cat " + "<<A " * (size // 12) + "$(b <<E) " * (size // 12) + "\n",
        "documents on open lines": "".join([f"cat <<A{i}; " for i in range(size // 14)]),
    }
    for operator in ("<<", "<<-"):
        for line in ("a b\n", "\\\n", "\ta\n"):
            text = line * (size // len(line))
            for level in range(20):
                text = f"cat {operator}E{level}\n$({text}\n)\nE{level}\n"
            texts[f"documents nested {operator} {line}"] = text
    return texts


def backquotes(size: int) -> dict[str, str]:
    """Backquotes with backslashes, which cannot be read in place."""
    text = "a;" * (size // 4)
    for _ in range(8):
        text = "x `" + text.replace("\\", "\\\\").replace("`", "\\`") + "`"
    return {
        "backquote escapes": "`" + "\\a" * (size // 2),
        "backquote backslashes": "`" + "a" * (size // 2) + "\\" * (size // 2),
        "backquotes in backquotes": text,
    }


def chance(size: int) -> dict[str, str]:
    """Random text of several kinds, the same for the same size."""
    source = random.Random(7)
    quiet = [word for word in WORDS if word not in ("'", '"', "`", "$'")]
    return {
        "random characters": "".join([chr(source.randrange(1, 256)) for _ in range(size)]),
        "random shell characters": "".join([source.choice("()[]{}<>|&;$`'\"\\ \n#=aA-") for _ in range(size)]),
        "random words": " ".join([source.choice(WORDS) for _ in range(size // 3)]),
        "random words, no blanks": "".join([source.choice(WORDS) for _ in range(size // 3)]),
        "random words, no quotes": " ".join([source.choice(quiet) for _ in range(size // 3)]),
        "random openers": "".join([source.choice(NESTED)[1] for _ in range(size // 6)]),
        "one word": "a" * size,
        "NUL and surrogates": "echo a\0b \udc80 > x; rm \ud800\n" * (size // 30),
    }


def seconds(text: str, read: Callable[[str], object]) -> float:
    """CPU seconds that one reading takes."""
    start = time.process_time()
    read(text)
    return time.process_time() - start


def main(kinds: Callable[[int], dict[str, str]], read: Callable[[str], object]) -> None:
    """Print the CPU seconds of each kind of text, the slowest first, at the size that the command line names."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rows = sorted(((seconds(text, read), len(text), name) for name, text in kinds(size).items()), reverse=True)
    for cpu, length, name in rows:
        sys.stdout.write(f"{cpu:7.3f} s {length:9} {name!r}\n")
    over = sum(cpu > 1 for cpu, *_ in rows)
    sys.stdout.write(f"{len(rows)} kinds, {over} above one second\n")


if __name__ == "__main__":
    main(kinds, lexer.read)
