"""Document as one HTML file with MathML, drawings and style, without scripts or network requests."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from ..._version import __version__
from ...algebra.expr.printing.mathml import to_mathml
from .blocks import Block, Code, Equation, Figure, Section, SideBySide, Table, Text
from .display import Line, lines, note
from .prose import spans

if TYPE_CHECKING:
    from .paper import Paper

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
_SIDE: Final = 20.0  # ems of an equation in one of two columns


def to_html(paper: Paper) -> str:
    """HTML text of a document."""
    numbers = {x.number for x in paper.equations}
    style = (files(__name__.rpartition(".")[0]) / "style.css").read_text(encoding="utf-8")
    links = "".join(
        f'<li><a href="#s{k}">{_prose(x.title, ())}</a></li>'
        for k, x in enumerate(paper.sections, 1)
    )
    abstract = (
        f'<p class="abstract">{_prose(paper.abstract, numbers)}</p>' if paper.abstract else ""
    )
    body = "\n".join(
        line for k, x in enumerate(paper.sections, 1) for line in _section(x, (k,), numbers)
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(paper.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(paper.title)}</h1>\n{abstract}\n"
        f'<nav aria-label="Contents"><ol>{links}</ol></nav>\n{body}\n'
        f"<footer>Written by equamo {__version__}.</footer>\n</main>\n</body>\n</html>\n"
    )


def _section(section: Section, place: tuple[int, ...], numbers: Collection[int]) -> Iterator[str]:
    level = min(len(place) + 1, 6)
    anchor = "s" + "-".join(map(str, place))
    number = ".".join(map(str, place))
    yield f'<h{level} id="{anchor}">{number}&ensp;{_prose(section.title, numbers)}</h{level}>'
    count = 0
    for block in section.blocks:
        if isinstance(block, Section):
            count += 1
            yield from _section(block, (*place, count), numbers)
        else:
            yield _block(block, numbers)


def _block(block: Block, numbers: Collection[int]) -> str:
    match block:
        case Text(text):
            return f"<p>{_prose(text, numbers)}</p>"
        case Equation():
            return _equation(block, lines(block), numbers)
        case Table():
            return _table(block, numbers)
        case Figure(svg, caption):
            return f"<figure>{svg}<figcaption>{_prose(caption, numbers)}</figcaption></figure>"
        case Code(text, _):
            return f"<pre><code>{escape(text)}</code></pre>"
        case SideBySide():
            return _side_by_side(block, numbers)


def _equation(
    equation: Equation, shown: list[Line], numbers: Collection[int], same: str = ""
) -> str:
    if len(shown) == 1:
        maths = to_mathml(f"{shown[0].left} {shown[0].right}", display=True)
    else:
        rows = r" \\ ".join(f"{x.left} & {x.right}" for x in shown)
        maths = to_mathml(rf"\begin{{aligned}}{rows}\end{{aligned}}", display=True)
    why = note(equation)
    reason = f'<span class="why">{_prose(why, numbers)}</span>' if why else ""
    return (
        f'<div class="equation{same}" id="eq-{equation.number}"><div class="formula">{maths}</div>'
        f"<span>({equation.number})</span>{reason}</div>"
    )


def _table(table: Table, numbers: Collection[int]) -> str:
    head = "".join(f"<th>{_prose(x, numbers)}</th>" for x in table.head)
    rows = "".join(
        "<tr>" + "".join(f"<td>{_prose(x, numbers)}</td>" for x in row) + "</tr>"
        for row in table.rows
    )
    caption = f"<figcaption>{_prose(table.caption, numbers)}</figcaption>" if table.caption else ""
    return (
        f'<figure><table class="data"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        f"{caption}</figure>"
    )


def _side_by_side(block: SideBySide, numbers: Collection[int]) -> str:
    cells = [f'<div class="head">{_prose(x, numbers)}</div>' for x in block.heads]
    for left, right, same in block.rows:
        mark = " same" if same else ""
        cells += [
            "<div></div>" if x is None else _equation(x, lines(x, _SIDE), numbers, mark)
            for x in (left, right)
        ]
    return f'<div class="sides">{"".join(cells)}</div>'


def _prose(text: str, numbers: Collection[int]) -> str:
    parts: list[str] = []
    for kind, content in spans(text, numbers):
        if kind == "maths":
            parts.append(to_mathml(content))
        elif kind == "reference":
            parts.append(f'<a href="#eq-{content}">({content})</a>')
        elif kind == "code":
            parts.append(f"<code>{escape(content)}</code>")
        else:
            parts.append(re.sub(r"https?://[^\s<>()]+[^\s<>().,]", _link, escape(content)))
    return "".join(parts)


def _link(match: re.Match[str]) -> str:
    return f'<a href="{match[0]}">{match[0]}</a>'
