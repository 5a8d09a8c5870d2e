r"""Writer of LaTeX for trees: explicit signs and parentheses, so that nothing has to be guessed.

What it writes is read back as the same tree by `latex_reader`. Errors show the readings of an ambiguous
formula in this form.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from .latex_tokens import FUNCTIONS, GREEK
from .syntax import Node

# How tightly a kind of node binds; a node that binds less than its place needs parentheses.
_SUM, _SIGN, _DOT, _CROSS, _PRODUCT, _ATOM = range(6)
_LEVELS: Final = {
    "+": _SUM, "-": _SUM, "negative": _SIGN, "dot": _DOT, "cross": _CROSS, "*": _PRODUCT,
}  # fmt: skip
_JOINED: Final = {"+": " + ", "-": " - ", "dot": r" \cdot ", "cross": r" \times ", "*": " * "}
_COMMANDS: Final = {name: command for command, name in FUNCTIONS.items()}
_LETTERS: Final = re.compile(r"([^\W\d_]+)(.*)")


def written(node: Node) -> str:
    r"""LaTeX of a tree that was read from LaTeX.

    >>> from .latex_reader import read_latex
    >>> written(read_latex(r"\frac{1}{2} m_S d \sin 2\phi").tree)
    '\\frac{1}{2} * m_{S} * d * \\sin\\left(2 * \\phi\\right)'
    """
    kind = node.kind
    if kind == "number":
        return _number(node.value)
    if kind == "name":
        return r"\pi" if node.value == "pi" else name_latex(node.value)
    if kind in _JOINED:
        left, right = node.children
        level = _LEVELS[kind]
        least = level + 1 if kind == "cross" else level  # the others may repeat on the left
        return _within(left, least) + _JOINED[kind] + _within(right, max(level, _SIGN) + 1)
    if kind == "negative":
        return "-" + _within(node.children[0], _DOT)
    if kind == "/":
        return rf"\frac{{{written(node.children[0])}}}{{{written(node.children[1])}}}"
    if kind in ("**", "transpose"):
        power = written(node.children[1]) if kind == "**" else r"\mathsf{T}"
        base = node.children[0]
        plain = base.kind in ("name", "list") or (base.kind == "number" and base.value >= 0)
        return (written(base) if plain else _parentheses(written(base))) + f"^{{{power}}}"
    if kind == "list":
        rows = r" \\ ".join(" & ".join(map(written, row)) for row in node.rows)
        return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"
    if kind == "call":
        return _call(node)
    return str(node.value)


def name_latex(name: str) -> str:
    r"""LaTeX of a name, read back as this name if it is known.

    >>> name_latex("theta_1"), name_latex("Lc2"), name_latex("MX_b")
    ('\\theta_{1}', '\\mathit{Lc}_{2}', '\\mathit{MX}_{b}')
    """
    match = _LETTERS.fullmatch(name)
    letters, rest = match.groups() if match else (name, "")
    if letters in GREEK:
        letters = rf"\{letters}"
    elif len(letters) > 1:
        letters = rf"\mathit{{{letters}}}"
    subscript = rest.removeprefix("_")
    return f"{letters}_{{{subscript}}}" if subscript else letters


def _within(node: Node, least: int) -> str:
    """LaTeX of an operand; in parentheses if it binds less than its place."""
    text = written(node)
    return text if _LEVELS.get(node.kind, _ATOM) >= least else _parentheses(text)


def _parentheses(text: str) -> str:
    return rf"\left({text}\right)"


def _call(node: Node) -> str:
    arguments = [written(x) for x in node.children]
    if node.value == "sqrt":
        return rf"\sqrt{{{arguments[0]}}}"
    inside = _parentheses(", ".join(arguments))
    if node.value == "dt":
        return rf"\frac{{d}}{{dt}}{inside}"
    if node.value == "partial":
        return rf"\frac{{\partial}}{{\partial {arguments[1]}}}{_parentheses(arguments[0])}"
    command = _COMMANDS.get(node.value)
    return (rf"\{command}" if command else rf"\operatorname{{{node.value}}}") + inside


def _number(x: Fraction) -> str:
    """Exact decimal digits."""
    if x.denominator == 1:
        return str(x.numerator)
    digits = 1
    while (x * 10**digits).denominator != 1:
        digits += 1
    text = str((x * 10**digits).numerator).rjust(digits + 1, "0")
    return f"{text[:-digits]}.{text[-digits:]}"
