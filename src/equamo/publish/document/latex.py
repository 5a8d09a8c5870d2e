r"""Document as LaTeX, for pdflatex with packages that every distribution has.

Each equation is an environment of its own that ends with its number, \tag{14}; `round_trip` reads the
formulas back from this text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from ..._version import __version__
from .blocks import Block, Code, Equation, Figure, Section, SideBySide, Table, Text
from .display import TALL, Line, lines, note, total_width
from .latex_columns import table_columns
from .latex_text import escaped
from .prose import spans
from .tikz import to_tikz
from .widths import LINE

if TYPE_CHECKING:
    from .paper import Paper

_HEAD: Final = r"""% Written by equamo VERSION.
\documentclass[11pt,a4paper]{article}
\usepackage[margin=2.4cm]{geometry}
\usepackage{amsmath,amssymb,bm,array,longtable,graphicx,tikz}
\usepackage[colorlinks,linkcolor=blue!50!black,urlcolor=blue!50!black]{hyperref}
\allowdisplaybreaks
% A page may end between two equations, but not between an equation and the words that announce it.
\predisplaypenalty=0
\newcommand{\announced}{\predisplaypenalty=10000 }
\setcounter{MaxMatrixCols}{60}
\setlength{\parindent}{0pt}
\setlength{\emergencystretch}{3em}
\setlength{\parskip}{0.6em}
% A formula that is wider than the line is scaled to it.
\newcommand{\fit}[1]{\resizebox{\ifdim\width>0.9\linewidth 0.9\linewidth\else\width\fi}{!}{%
  $\displaystyle #1$}}
\setlength{\LTcapwidth}{0.9\linewidth}
% An equation and, on the line below it, why it holds.
\newcommand{\tight}{\belowdisplayskip=2pt\belowdisplayshortskip=2pt\postdisplaypenalty=10000 }
\newcommand{\why}[1]{\noindent\hfill{\footnotesize\color{black!60}#1}}
"""
_LEVELS: Final = ("section", "subsection", "subsubsection", "paragraph")
_SURE: Final = 0.75  # formulas below this fraction of the line surely fit; TeX measures the others
_SIDE: Final = 17.0  # ems of an equation in one of two columns


def to_latex_document(paper: Paper) -> str:
    """LaTeX text of a document."""
    numbers = {x.number for x in paper.equations}
    parts = [
        _HEAD.replace("VERSION", __version__),
        r"\begin{document}",
        rf"\begin{{center}}\LARGE\bfseries {escaped(paper.title)}\end{{center}}",
    ]
    if paper.abstract:
        parts += [r"\begin{abstract}", _prose(paper.abstract, numbers), r"\end{abstract}"]
    for section in paper.sections:
        parts += _section(section, 0, numbers)
    return "\n".join([*parts, r"\end{document}"]) + "\n"


def _section(section: Section, level: int, numbers: Collection[int]) -> Iterator[str]:
    command = _LEVELS[min(level, len(_LEVELS) - 1)]
    yield f"\n\\{command}{{{_title(section.title)}}}"
    for k, block in enumerate(section.blocks):
        before = section.blocks[k - 1] if k else None
        after = section.blocks[k + 1] if k + 1 < len(section.blocks) else None
        if isinstance(block, Section):
            yield from _section(block, level + 1, numbers)
        else:
            text = _block(block, numbers)
            announced = isinstance(block, Equation) and isinstance(before, Text)
            yield f"{{\\announced\n{text}}}" if announced else text
            if not isinstance(after, Equation):  # which belongs to the paragraph
                yield ""


def _title(text: str) -> str:
    """Title with formulas; the bookmark in the PDF gets the plain text."""
    parts = spans(text)
    if all(kind == "plain" for kind, _ in parts):
        return escaped(text)
    plain = "".join(escaped("".join(c for c in x if c not in "\\{}_^")) for _, x in parts)
    return rf"\texorpdfstring{{{_prose(text, ())}}}{{{plain}}}"


def _block(block: Block, numbers: Collection[int]) -> str:
    match block:
        case Text(text):
            return _prose(text, numbers)
        case Equation():
            return _equation(block, numbers)
        case Table():
            return _table(block, numbers)
        case Figure(svg, caption):
            return (
                "\\begin{figure}[!ht]\\centering\n"
                f"{to_tikz(svg)}\n\\caption{{{_prose(caption, numbers)}}}\n\\end{{figure}}"
            )
        case Code(text, _):
            return f"{{\\small\n\\begin{{verbatim}}\n{_ascii(text)}\n\\end{{verbatim}}}}"
        case SideBySide():
            return _side_by_side(block, numbers)


def _equation(equation: Equation, numbers: Collection[int]) -> str:
    shown = lines(equation)
    n = equation.number
    tag = rf"\tag{{{n}}}\label{{eq:{n}}}"
    if len(shown) > TALL:
        rows = " \\notag \\\\\n".join(f"{x.left} &{x.right}" for x in shown)
        text = f"\\begin{{align}}\n{rows} {tag}\n\\end{{align}}"
    else:
        maths = _aligned(shown)
        if total_width(shown) > _SURE * LINE:
            maths = f"\\fit{{\n{maths}\n}}"
        text = f"\\begin{{equation}}\n{maths} {tag}\n\\end{{equation}}"
    why = note(equation)
    return f"{{\\tight\n{text}}}%\n\\why{{{_prose(why, numbers)}}}" if why else text


def _aligned(shown: list[Line]) -> str:
    if len(shown) == 1:
        return f"{shown[0].left} {shown[0].right}".strip()
    rows = " \\\\\n".join(f"{x.left} &{x.right}" for x in shown)
    return f"\\begin{{aligned}}\n{rows}\n\\end{{aligned}}"


def _table(table: Table, numbers: Collection[int]) -> str:
    """Table that may be broken over pages."""
    columns = table_columns(table)
    head = " & ".join(rf"\textbf{{{_prose(x, numbers)}}}" for x in table.head)
    rows = "".join(" & ".join(_prose(x, numbers) for x in row) + " \\\\\n" for row in table.rows)
    caption = f"\\caption{{{_prose(table.caption, numbers)}}}\\\\\n" if table.caption else ""
    return (
        f"\\begin{{longtable}}{{{columns}}}\n{caption}\\hline\n{head} \\\\\n\\hline\n\\endhead\n"
        f"{rows}\\hline\n\\end{{longtable}}\n"
    )


def _side_by_side(block: SideBySide, numbers: Collection[int]) -> str:
    """Two columns with the equations of a row side by side, and an equals sign if they agree."""
    half = r">{\centering\arraybackslash}p{0.45\linewidth}"
    rows = " & & ".join(rf"\textbf{{{_prose(x, numbers)}}}" for x in block.heads) + " \\\\\n"
    for left, right, same in block.rows:
        cells = [
            ""
            if x is None
            else f"\\fit{{\n{_aligned(lines(x, _SIDE))}\n}}"
            rf"\hfill({x.number})\phantomsection\label{{eq:{x.number}}}"
            for x in (left, right)
        ]
        rows += (" & $=$ & " if same else " & & ").join(cells) + " \\\\[0.6em]\n"
    return f"\\begin{{longtable}}{{{half}c{half}}}\n{rows}\\end{{longtable}}\n"


def _prose(text: str, numbers: Collection[int]) -> str:
    parts: list[str] = []
    for kind, content in spans(text, numbers):
        if kind == "maths":
            parts.append(f"${content}$")
        elif kind == "reference":
            parts.append(rf"\hyperref[eq:{content}]{{({content})}}")
        elif kind == "code":
            parts.append(rf"\texttt{{{escaped(content)}}}")
        else:
            parts.append(escaped(content))
    return "".join(parts)


def _ascii(text: str) -> str:
    """Code in which characters that pdflatex cannot print verbatim are replaced."""
    return text.encode("ascii", "replace").decode()
