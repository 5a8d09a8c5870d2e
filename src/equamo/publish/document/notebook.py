"""Document as a Jupyter notebook: Markdown, and cells that repeat the derivation and its proofs."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from .blocks import Block, Code, Equation, Figure, Section, SideBySide, Table, Text
from .display import lines, note
from .notebook_code import checking_code, setup_code
from .prose import spans

if TYPE_CHECKING:
    from .paper import Paper


def to_notebook(paper: Paper) -> str:
    """Text of the notebook file (.ipynb, format 4.5)."""
    numbers = {x.number for x in paper.equations}
    cells = [_markdown(f"# {_escaped(paper.title)}\n\n{_prose(paper.abstract, numbers)}")]
    cells.append(_code(setup_code(paper)))
    for section in paper.sections:
        cells += _section(section, 2, numbers)
    for k, cell in enumerate(cells):
        cell["id"] = f"cell-{k + 1}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    data = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(text: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": text,
    }


def _section(section: Section, level: int, numbers: Collection[int]) -> Iterator[dict[str, Any]]:
    """Cells of a section; after its equations, one that proves them again."""
    text = [f"{'#' * min(level, 6)} {_prose(section.title, numbers)}"]
    own = [x.number for x in section.blocks if isinstance(x, Equation) and x.proofs]
    for block in section.blocks:
        if isinstance(block, Code) and block.language == "python":
            yield _markdown("\n\n".join(text))
            text = []
            yield _code(block.text)
        elif isinstance(block, Section):
            if text:
                yield _markdown("\n\n".join(text))
                text = []
            if own:
                yield _code(checking_code(own))
                own = []
            yield from _section(block, level + 1, numbers)
        else:
            text.append(_block(block, numbers))
    if text:
        yield _markdown("\n\n".join(text))
    if own:
        yield _code(checking_code(own))


def _block(block: Block, numbers: Collection[int]) -> str:
    match block:
        case Text(text):
            return _prose(text, numbers)
        case Equation():
            return _equation(block)
        case Table():
            return _table(block, numbers)
        case Figure(svg, caption):
            data = base64.b64encode(svg.encode()).decode()
            return f"![drawing](data:image/svg+xml;base64,{data})\n\n*{_prose(caption, numbers)}*"
        case Code(text, language):
            return f"```{language}\n{text}\n```"
        case SideBySide():
            return _side_by_side(block)


def _equation(equation: Equation) -> str:
    shown = lines(equation)
    rows = " \\\\\n".join(f"{x.left} &{x.right}" for x in shown)
    why = note(equation)
    text = f"$$\n\\begin{{aligned}}\n{rows}\n\\end{{aligned}}\n\\tag{{{equation.number}}}\n$$"
    return f"{text}\n<small>{why}</small>" if why else text


def _table(table: Table, numbers: Collection[int]) -> str:
    rows = [table.head, ("---",) * len(table.head), *table.rows]
    text = "\n".join(
        "| " + " | ".join(_prose(x, numbers).replace("|", r"\|") for x in row) + " |"
        for row in rows
    )
    return f"{text}\n\n*{_prose(table.caption, numbers)}*" if table.caption else text


def _side_by_side(block: SideBySide) -> str:
    """Rows one after the other: a Markdown table cannot contain display formulas."""
    parts: list[str] = []
    for left, right, same in block.rows:
        for head, side in zip(block.heads, (left, right), strict=True):
            if side is not None:
                parts.append(f"{head}{' (equal lines)' if same else ''}\n\n{_equation(side)}")
    return "\n\n".join(parts)


def _prose(text: str, numbers: Collection[int]) -> str:
    parts: list[str] = []
    for kind, content in spans(text, numbers):
        if kind == "maths":
            parts.append(f"${content}$")
        elif kind == "reference":
            parts.append(f"({content})")
        else:
            parts.append(f"`{content}`" if kind == "code" else _escaped(content))
    return "".join(parts)


def _escaped(text: str) -> str:
    return re.sub(r"([\\*_`<>\[\]#$])", r"\\\1", text)
