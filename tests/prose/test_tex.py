"""What is code in LaTeX (SPEC W3)."""

import re

import pytest

from guardhook.prose.spans import blank

# (document, the words that are left of c, t and u): c stands in code.
READINGS = [
    (r"\texttt{c} t", "t"),
    (r"\texttt{c {c} c} t", "t"),
    (r"\texttt{\texttt{c} c} t", "t"),
    (r"\texttt {c} t", "t"),
    (r"\texttt{c \} c} t", "t"),
    (r"\texttt{c \{ c} t", "t"),
    (r"\texttt{c \\} t", "t"),
    (r"\texttt t {t}", "t t"),
    (r"\textttx{t}", "t"),
    (r"\textbf{t} {t}", "t t"),
    (r"\\texttt{t}", "t"),
    (r"\texttt{t", "t"),
    ("\\texttt{t\n\nt} t", "t t t"),
    ("\\texttt{t\n \t\nt} t", "t t t"),
    ("\\texttt{c\nc} t", "t"),
    ("\\texttt{c % } c\nc} t", "t"),
    ("\\texttt{t {t} t", "t t t"),
    ("} \\texttt{c} t", "t"),
    (r"\verb|c| t", "t"),
    (r"\verb*|c| t", "t"),
    (r"\verb+c+ t+ t", "t t"),
    (r"\verb1c1 t", "t"),
    (r"\verb{c{ t", "t"),
    (r"\verb|{| t \texttt{c} t", "t t"),
    (r"\verb|\| t", "t"),
    (r"\verb|t", "t"),
    ("\\verb|t\nt| u", "t t u"),
    (r"\verb t t", "t t"),
    (r"\verbose|t|", "t"),
    (r"\lstinline|t|", "t"),
    ("\\begin{verbatim}\nc\n\\end{verbatim}\nt", "t"),
    ("\\begin {verbatim}\nc\n\\end{verbatim}\nt", "t"),
    ("\\begin{verbatim*}\nc\n\\end{verbatim*} t", "t"),
    ("\\begin{lstlisting}[x={c}]\nc % c\n\\end{lstlisting} t", "t"),
    ("\\begin{lstlisting*}\nc\n\\end{lstlisting*} t", "t"),
    ("\\begin{minted}[x]{y}\nc\n\\end{minted} t", "t"),
    ("\\begin{minted*}{y}\nc\n\\end{minted} c\n\\end{minted*} t", "t"),
    ("\\begin{lstlisting}\nx\n\\end{verbatim}\nc\n\\end{lstlisting} t", "t"),
    ("\\begin{verbatim}\nc\n\n\\texttt{c", ""),
    ("\\begin{quote}\nt\n\\end{quote}", "t"),
    ("\\begin{verbatimx}\nt", "t"),
    ("\\begin verbatim t", "t"),
    ("\\begin{verbatim", ""),
    ("% t \\begin{verbatim}\nt", "t t"),
    ("\\% \\begin{verbatim}\nc", ""),
    ("% \\texttt{c} t \\verb|c| t\nt", "t t t"),
    ("% \\texttt{t\nt} t", "t t t"),
    ("% t \\\n\\texttt{c} t", "t t"),
    ("\\texttt{c % {\nc} t", "t"),
    ("``t'' `t'", "t t"),
    ("```\nt\n```", "t"),
    ("~~~\nt\n~~~", "t"),
    ("\\begin{verbatim}\r\nc\r\n\\end{verbatim}\r\nt", "t"),
    ("\\verb|t\rt|", "t t"),
    ("\\", ""),
    ("\\verb", ""),
    ("\\verb*", ""),
    ("\\texttt", ""),
]


@pytest.mark.parametrize(("document", "left"), READINGS)
def test_reading(document: str, left: str) -> None:
    assert " ".join(re.findall(r"\b[ctu]\b|(?<=\d)c(?=\d)", blank(document, ".tex"))) == left


def test_delimiters_stay() -> None:
    """A word that touches one would else stand alone."""
    assert blank(r"\verb1c1pivotal", ".tex") == r"\verb1 1pivotal"
    assert blank(r"\texttt{c}x", ".tex") == r"\texttt{ }x"
