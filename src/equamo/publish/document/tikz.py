"""Drawings for LaTeX: the elements of our SVG pictures as TikZ paths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree

from ...basics.wording import brief
from ...errors import FileFormatError
from .latex_text import escaped

_WIDTH: Final = 9.0  # centimetres of a drawing
_POINT: Final = re.compile(r"([MLZ])\s*(?:(-?[\d.]+)[ ,]+(-?[\d.]+))?")
_INHERITED: Final = ("fill", "stroke", "stroke-width", "opacity", "font-size", "text-anchor")


def to_tikz(svg: str) -> str:
    r"""TikZ picture of an SVG element that consists of paths, lines, circles and texts.

    Args:
        svg: Drawing of `picture.static_svg` or of a document.

    Raises:
        FileFormatError: The drawing has any other element.

    >>> print(to_tikz('<svg viewBox="0 0 90 60"><path d="M0 0L9 6" stroke="#ff0000"/></svg>'))
    \begin{tikzpicture}[x=0.1000cm,y=-0.1000cm,line join=round]
    \clip (0,0) rectangle (90,60);
    \definecolor{hue}{HTML}{FF0000}\path[draw=hue,line width=2.00pt] (0,0) -- (9,6);
    \end{tikzpicture}
    """
    root = ElementTree.fromstring(svg)
    width, height = map(float, root.get("viewBox", "0 0 640 480").split()[2:])
    unit = _WIDTH / width
    head = rf"\begin{{tikzpicture}}[x={unit:.4f}cm,y=-{unit:.4f}cm,line join=round]"
    frame = rf"\clip (0,0) rectangle ({width:g},{height:g});"
    return "\n".join([head, frame, *_shapes(root, {}, unit), r"\end{tikzpicture}"])


def _shapes(element: ElementTree.Element, outer: dict[str, str], unit: float) -> Iterator[str]:
    for child in element:
        tag = child.tag.rpartition("}")[2]
        style = {key: x for key in _INHERITED if (x := child.get(key, outer.get(key)))}
        if tag == "g":
            yield from _shapes(child, style, unit)
        elif tag == "path":
            yield _styled(_path(child.get("d", "")), style, unit)
        elif tag == "line":
            x1, y1, x2, y2 = (float(child.get(k, "0")) for k in ("x1", "y1", "x2", "y2"))
            yield _styled(f"({x1:g},{y1:g}) -- ({x2:g},{y2:g})", {"fill": "none"} | style, unit)
        elif tag == "circle":
            x, y, r = (float(child.get(k, "0")) for k in ("cx", "cy", "r"))
            yield _styled(f"({x:g},{y:g}) circle[radius={r * unit:.3f}cm]", style, unit)
        elif tag == "text":
            yield _label(child, style, unit)
        elif tag not in ("title", "desc"):
            raise FileFormatError(
                "A drawing for LaTeX must consist of path, line, circle, text and g elements, got "
                f"{brief(tag)}; write .pdf or .html instead."
            )


def _path(d: str) -> str:
    steps: list[str] = []
    for letter, x, y in _POINT.findall(d):
        if letter == "Z":
            steps.append(" -- cycle")
        else:
            steps.append(f"{' -- ' if letter == 'L' else ' '}({float(x):g},{float(y):g})")
    return "".join(steps).strip()


def _styled(path: str, style: dict[str, str], unit: float) -> str:
    """TikZ path in the colours of an SVG shape, black by default."""
    fill, stroke = style.get("fill"), style.get("stroke", "none")
    if fill is None and stroke == "none":
        fill = "#000000"
    options: list[str] = []
    colours = ""
    for key, colour in (("fill", fill), ("draw", stroke)):
        if colour and colour != "none":
            name = "hue" if key == "draw" else "area"
            colours += rf"\definecolor{{{name}}}{{HTML}}{{{_hex(colour)}}}"
            options.append(f"{key}={name}")
    if stroke != "none":
        points = float(style.get("stroke-width", "1")) * unit * 28.45
        options.append(f"line width={points if points < 2 else 2:.2f}pt")
    if "opacity" in style:
        options.append(f"opacity={style['opacity']}")
    return rf"{colours}\path[{','.join(options)}] {path};"


def _hex(colour: str) -> str:
    digits = colour.lstrip("#")
    return ("".join(2 * c for c in digits) if len(digits) == 3 else digits).upper()


def _label(element: ElementTree.Element, style: dict[str, str], unit: float) -> str:
    x, y = (float(element.get(k, "0")) for k in ("x", "y"))
    anchor = {"middle": "base", "end": "base east"}.get(style.get("text-anchor", ""), "base west")
    colour = _hex(style.get("fill", "#000000"))
    text = escaped("".join(element.itertext()).strip())
    return (
        rf"\definecolor{{hue}}{{HTML}}{{{colour}}}\node[anchor={anchor},inner sep=0pt,text=hue,"
        rf"font=\footnotesize] at ({x:g},{y:g}) {{{text}}};"
    )
