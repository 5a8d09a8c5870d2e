"""Table of the functions of the language, one row each; `register` adds a function.

A row holds the parity of the function, its values at a few numbers, its derivative and how to
evaluate it. Everything else (parser, printers, proofs) reads this table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Literal, final

from . import graph, rules
from .graph import FIRST_FUNCTION, ONE, TWO, ZERO, Expr, digest
from .special_values import cos_of_turn, sin_of_turn, sqrt_of_number

_EMPTY: Final[Mapping[int, int]] = {}


@final
@dataclass(frozen=True, slots=True)
class Function:
    """One row of the table."""

    name: str
    derivative: Callable[[Expr], Expr]  # f'(x) as an expression in x
    parity: Literal["odd", "even", None] = None
    values: Mapping[int, int] = field(default_factory=lambda: _EMPTY)  # f(number) = number
    numpy: str = ""  # name in NumPy and in mpmath if it differs from `name`
    mpmath: str = ""
    python: Callable[[float], float] | None = None  # for one float
    latex: str = ""
    sympy: str = ""
    rewrite: Callable[[Expr], Expr | None] | None = None  # further rules on construction
    opcode: int = 0
    hash: int = 0


TABLE: dict[int, Function] = {}  # by opcode
BY_NAME: dict[str, Function] = {}


def register(function: Function) -> Callable[[Expr], Expr]:
    """Add a function of one argument to the language and return its constructor."""
    if function.name in BY_NAME:
        raise ValueError(f"the function {function.name!r} exists already")
    opcode = FIRST_FUNCTION + len(TABLE)
    row = _numbered(function, opcode)
    TABLE[opcode] = row
    BY_NAME[function.name] = row

    def construct(x: Expr) -> Expr:
        return apply(opcode, x)

    construct.__name__ = construct.__qualname__ = function.name
    construct.__doc__ = f"{function.name}(x) as a node of the graph."
    return construct


def _numbered(f: Function, opcode: int) -> Function:
    return replace(
        f,
        opcode=opcode,
        hash=digest(f"function {f.name}"),
        numpy=f.numpy or f.name,
        mpmath=f.mpmath or f.name,
        sympy=f.sympy or f.name,
        latex=f.latex or rf"\{f.name}",
    )


def apply(opcode: int, x: Expr) -> Expr:
    """Apply the function of this opcode to x, simplified by its row of the table."""
    row = TABLE[opcode]
    if x.op == graph.NEG and row.parity is not None:
        inner = apply(opcode, x.a)
        return rules.neg(inner) if row.parity == "odd" else inner
    if x.op == graph.CONST and x.a in row.values:
        return graph.constant(row.values[x.a])
    if row.rewrite is not None:
        simpler = row.rewrite(x)
        if simpler is not None:
            return simpler
    return graph.intern((opcode, x, None), hash((row.hash, x.h)))


def apply_atan2(y: Expr, x: Expr) -> Expr:
    """Build atan2(y, x), the angle of the point (x, y)."""
    if y is ZERO and x.op == graph.CONST and x is not ZERO:
        return ZERO
    return graph.intern((graph.ATAN2, y, x), hash((graph.ATAN2, y.h, x.h)))


def _float_sign(x: float) -> float:
    return math.nan if math.isnan(x) else float((x > 0) - (x < 0))


def _positive(x: Expr) -> Expr | None:
    return ONE if x.op == graph.CONST and x is not ZERO else None


sin: Callable[[Expr], Expr] = register(
    Function("sin", lambda x: cos(x), "odd", {0: 0}, python=math.sin, rewrite=sin_of_turn)
)
cos: Callable[[Expr], Expr] = register(
    Function(
        "cos", lambda x: rules.neg(sin(x)), "even", {0: 1}, python=math.cos, rewrite=cos_of_turn
    )
)
tan: Callable[[Expr], Expr] = register(
    Function(
        "tan", lambda x: rules.add(ONE, rules.power(tan(x), TWO)), "odd", {0: 0}, python=math.tan
    )
)
sqrt: Callable[[Expr], Expr] = register(
    Function(
        "sqrt",
        lambda x: rules.div(ONE, rules.mul(TWO, sqrt(x))),
        values={0: 0, 1: 1},
        python=math.sqrt,
        rewrite=sqrt_of_number,
    )
)
exp: Callable[[Expr], Expr] = register(
    Function("exp", lambda x: exp(x), values={0: 1}, python=math.exp)
)
log: Callable[[Expr], Expr] = register(
    Function("log", lambda x: rules.div(ONE, x), values={1: 0}, python=math.log)
)
tanh: Callable[[Expr], Expr] = register(
    Function(
        "tanh", lambda x: rules.sub(ONE, rules.power(tanh(x), TWO)), "odd", {0: 0}, python=math.tanh
    )
)
absolute: Callable[[Expr], Expr] = register(
    Function(
        "abs",
        lambda x: sign(x),
        "even",
        numpy="abs",
        mpmath="fabs",
        python=abs,
        sympy="Abs",
        rewrite=lambda x: x if x.op == graph.CONST else None,
    )
)
# The derivative of sign is zero where it exists.
sign: Callable[[Expr], Expr] = register(
    Function(
        "sign",
        lambda x: ZERO,
        "odd",
        {0: 0},
        python=_float_sign,
        latex=r"\operatorname{sgn}",
        rewrite=_positive,
    )
)


def _root(x: Expr) -> Expr:
    """√(1 − x²)"""
    return sqrt(rules.sub(ONE, rules.power(x, TWO)))


asin: Callable[[Expr], Expr] = register(
    Function(
        "asin",
        lambda x: rules.div(ONE, _root(x)),
        "odd",
        {0: 0},
        numpy="arcsin",
        python=math.asin,
        latex=r"\arcsin",
    )
)
acos: Callable[[Expr], Expr] = register(
    Function(
        "acos",
        lambda x: rules.neg(rules.div(ONE, _root(x))),
        values={1: 0},
        numpy="arccos",
        python=math.acos,
        latex=r"\arccos",
    )
)
atan: Callable[[Expr], Expr] = register(
    Function(
        "atan",
        lambda x: rules.div(ONE, rules.add(ONE, rules.power(x, TWO))),
        "odd",
        {0: 0},
        numpy="arctan",
        python=math.atan,
        latex=r"\arctan",
    )
)

SIN: Final = BY_NAME["sin"].opcode
COS: Final = BY_NAME["cos"].opcode
TAN: Final = BY_NAME["tan"].opcode
SQRT: Final = BY_NAME["sqrt"].opcode
ABS: Final = BY_NAME["abs"].opcode
SIGN: Final = BY_NAME["sign"].opcode


def constructor(name: str) -> Callable[..., Any] | None:
    """Look up the constructor of a function by its name in text; None if it is unknown."""
    if name == "atan2":
        return apply_atan2
    row = BY_NAME.get(name)
    return None if row is None else partial(apply, row.opcode)
