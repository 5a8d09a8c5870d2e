"""Document as typst source, and the PDF that typst makes from it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from ...basics.extras import missing
from ...basics.wording import brief
from ...errors import EquamoError
from .blocks import Block, Code, Equation, Figure, Section, SideBySide, Table, Text
from .display import TALL, Line, lines, note
from .prose import spans
from .typst_maths import quoted, to_typst

if TYPE_CHECKING:
    from .paper import Paper

_HEAD: Final = r"""// Written by equamo.
#set document(title: %(title)s, author: "equamo", date: none)
#set page(paper: "a4", margin: (x: 2.4cm, top: 2.3cm, bottom: 2.5cm), numbering: "1")
#set text(font: "New Computer Modern", size: 10.5pt, lang: "en")
#set par(justify: true, leading: 0.62em, spacing: 1em)
#set heading(numbering: "1.1")
#show heading.where(level: 1): it => block(above: 1.9em, below: 0.9em, text(size: 13.5pt, it))
#show heading.where(level: 2): it => block(above: 1.5em, below: 0.8em, text(size: 11.5pt, it))
#show heading.where(level: 3): it => block(above: 1.3em, below: 0.7em, text(size: 10.5pt, it))
#show figure: set block(above: 1.6em, below: 1.6em)
#show figure.caption: set text(size: 9.5pt)
#show raw: set text(size: 9pt)
#show link: it => text(fill: rgb("#1f4e8c"), it)
#set table(stroke: none, inset: (x: 0.6em, y: 0.42em))
#set math.mat(column-gap: 0.9em, row-gap: 0.45em)
// A formula wider than the line is scaled to it.
#let fit(it) = layout(size => {
  let w = measure(it).width
  let part = size.width / w * 100%%
  if w > size.width { scale(x: part, y: part, reflow: true, it) } else { it }
})
#let equation(number, it, why, breakable: false, beside: false) = block(width: 100%%,
  above: 1.05em, below: 1.05em, breakable: breakable, {
  let small(it) = text(size: 8pt, fill: luma(95), it)
  grid(columns: (1fr, if beside { 4em } else { 2.6em }), align: (center + horizon, right + horizon),
    if breakable { it } else { fit(it) },
    if beside { [(#number) #v(-0.55em) #small(why)] } else { [(#number)] })
  if why != none and not beside { v(-0.35em); align(right, small(why)) }
})
#let see(number) = link(label("eq-" + str(number)), [(#number)])
#align(center, block(below: 1.4em, text(size: 17pt, weight: "bold", %(title)s)))
"""

_SIDE: Final = 17.0  # ems of an equation in one of two columns
_BESIDE: Final = 9  # characters of a note that fits below the number of its equation


def to_typst_source(paper: Paper) -> str:
    """Typst source of a document."""
    numbers = {x.number for x in paper.equations}
    parts = [_HEAD % {"title": quoted(paper.title)}]
    if paper.abstract:
        text = _prose(paper.abstract, numbers)
        parts.append(f"#block(inset: (x: 2.2em), below: 1.6em, text(size: 9.5pt)[{text}])")
    for section in paper.sections:
        parts += _section(section, 1, numbers)
    return "\n".join(parts) + "\n"


def expect_typst() -> None:
    """Check that a PDF can be written.

    Raises:
        MissingLibraryError: The package typst is not installed.
    """
    if find_spec("typst") is None:
        raise missing("typst", "paper: a PDF", "Without it, write .html, .tex or .ipynb.")


def to_pdf(source: str) -> bytes:
    """Typeset typst source as PDF, without network access.

    Raises:
        EquamoError: The package typst is not installed, or rejects the source.
    """
    expect_typst()
    try:
        return import_module("typst").compile(source.encode())
    except Exception as error:  # the package has its own class of errors
        raise EquamoError(
            f"paper: typst could not read the document: {brief(str(error), 300)}; write .html or "
            ".tex instead, and report this error."
        ) from None


def _section(section: Section, level: int, numbers: Collection[int]) -> Iterator[str]:
    yield f"\n{'=' * level} {_prose(section.title, numbers)}\n"
    for block, after in zip(section.blocks, (*section.blocks[1:], None), strict=True):
        if isinstance(block, Section):
            yield from _section(block, level + 1, numbers)
        elif isinstance(block, Text) and isinstance(after, Equation):
            # text that introduces an equation stays on its page
            yield f"#block(sticky: true)[{_prose(block.text, numbers)}]\n"
        else:
            yield _block(block, numbers)


def _block(block: Block, numbers: Collection[int]) -> str:
    match block:
        case Text(text):
            return _prose(text, numbers) + "\n"
        case Equation():
            return _equation(block, numbers)
        case Table():
            return _table(block, numbers)
        case Figure(svg, caption):
            image = f'image(bytes({quoted(svg)}), format: "svg", width: 62%)'
            return f"#figure({image}, caption: [{_prose(caption, numbers)}])\n"
        case Code(text, language):
            raw = f"raw({_lines_quoted(text)}, lang: {quoted(language)}, block: true)"
            return f"#block(breakable: false, {raw})\n"
        case SideBySide():
            return _side_by_side(block, numbers)


def _equation(equation: Equation, numbers: Collection[int]) -> str:
    shown = lines(equation)
    why = note(equation)
    reason = f"[{_prose(why, numbers)}]" if why else "none"
    options = ", breakable: true" if len(shown) > TALL else ""
    if 0 < len(why) <= _BESIDE:
        options += ", beside: true"
    maths = _aligned(shown)
    return f"#equation({equation.number}, {maths}, {reason}{options}) <eq-{equation.number}>\n"


def _aligned(shown: list[Line]) -> str:
    if len(shown) == 1:
        return f"$ {to_typst(f'{shown[0].left} {shown[0].right}')} $"
    rows = (f"{to_typst(x.left) if x.left else ''} & {to_typst(x.right)}" for x in shown)
    return "$ " + " \\\n  ".join(rows) + " $"


def _table(table: Table, numbers: Collection[int]) -> str:
    head = "".join(f"[*{_prose(x, numbers)}*], " for x in table.head)
    rows = "".join("\n  " + "".join(f"[{_prose(x, numbers)}], " for x in row) for row in table.rows)
    body = (
        f"table(columns: {len(table.head)}, align: left + horizon, table.hline(stroke: 0.8pt), "
        f"table.header({head}table.hline(stroke: 0.4pt)), {rows}\n  table.hline(stroke: 0.8pt))"
    )
    caption = f", caption: [{_prose(table.caption, numbers)}]" if table.caption else ""
    return f"#[#show figure: set block(breakable: true)\n#figure({body}, kind: table{caption})]\n"


def _side_by_side(block: SideBySide, numbers: Collection[int]) -> str:
    """Two columns, each an equation with its number; equal rows are marked."""
    heads = [_prose(x, numbers) for x in block.heads]
    cells = f"[*{heads[0]}*], [], [], [*{heads[1]}*], [], "
    for left, right, same in block.rows:
        sides = [_side(left), _side(right)]
        cells += f"{sides[0]}, {'[$ = $]' if same else '[]'}, {sides[1]}, "
    return (
        "#grid(columns: (1fr, 2em, 1.2em, 1fr, 2em), column-gutter: 0.5em, row-gutter: 1.2em, "
        f"align: (left + horizon, right + horizon, center + horizon, left + horizon, right + horizon), "
        f"{cells})\n"
    )


def _side(equation: Equation | None) -> str:
    if equation is None:
        return "[], []"
    n = equation.number
    return f"fit({_aligned(lines(equation, _SIDE))}), [#text(size: 8.5pt)[({n})] <eq-{n}>]"


def _prose(text: str, numbers: Collection[int]) -> str:
    parts: list[str] = []
    for kind, content in spans(text, numbers):
        if kind == "maths":
            maths = to_typst(content)
            parts.append(f"$display({maths})$" if "mat(" in maths else f"${maths}$")
        elif kind == "reference":
            parts.append(f"#see({content})")
        elif kind == "code":
            parts.append(f"#raw({quoted(content)})")
        else:
            parts.append(_escaped(content))
    return "".join(parts)


def _escaped(text: str) -> str:
    """Plain text with the special characters of typst escaped."""
    text = re.sub(r"([\\#$*_`<>@\[\]~=/])", r"\\\1", text)
    return re.sub(r"^([-+])|^(\d+)\.", lambda m: f"\\{m[0]}" if m[1] else f"{m[2]}\\.", text)


def _lines_quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
