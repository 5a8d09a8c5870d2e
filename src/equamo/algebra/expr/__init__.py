"""Exact scalar expressions on a hash-consed graph. Layout, in reading order:

graph       the nodes                        evaluate      in any ring
rules       how nodes are made               count         operations
functions   sin, cos … : one table           closed_form   short readable forms
special_values   cos(pi/3) …                 text, latex   printers
walk, differentiate, substitute              parse, sympy_bridge, store   in and out
vector, matrix                               small exact linear algebra
collector   no pauses while graphs are made
"""

from .convert import as_expr
from .functions import (
    absolute,
    acos,
    apply_atan2 as atan2,
    asin,
    atan,
    cos,
    exp,
    log,
    sign,
    sin,
    sqrt,
    tan,
    tanh,
)
from .graph import HALF, ONE, TWO, ZERO, Expr, constant, internal, symbol, symbols
from .parse import parse

__all__ = [
    "HALF", "ONE", "TWO", "ZERO", "Expr", "absolute", "acos", "as_expr", "asin", "atan", "atan2",
    "constant", "cos", "exp", "internal", "log", "parse", "sign", "sin", "sqrt", "symbol", "symbols",
    "tan", "tanh",
]  # fmt: skip
