"""Conversion to and from SymPy, which is imported at first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial, reduce
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, final

from ...basics.arguments import flag
from ...basics.extras import library
from ...basics.waiting import waiting
from ...basics.wording import brief, with_article
from ...errors import ExpressionError
from .closed_form.display import simplified
from .functions import TABLE, apply, apply_atan2, cos, exp, sin, sqrt
from .graph import (
    ADD,
    ATAN2,
    CONST,
    DIV,
    LAST_LEAF,
    MUL,
    NEG,
    ONE,
    PI,
    PI_NODE,
    POW,
    SUB,
    SYMBOL,
    ZERO,
    Expr,
    constant,
    symbol,
)
from .rules import add, div, mul, power
from .walk import walk

if TYPE_CHECKING:
    import sympy

# SymPy's automatic evaluation recurses and takes exponential time on nested functions: beyond these
# bounds it is switched off. It rewrites abs and sign of complex symbols with re(x), or expands them.
_MAX_DEPTH: Final = 30
_MAX_SIZE: Final = 500
_UNEVALUATED: Final = ("abs", "sign", "tanh")


_JOINS: Final = {
    ADD: (ADD, SUB),
    SUB: (ADD, SUB),
    NEG: (ADD, SUB),
    MUL: (MUL, DIV),
    DIV: (MUL, DIV),
}


def to_sympy(expr: Expr, simplify: bool = False) -> sympy.Expr:
    """Convert an expression to SymPy, with symbols without assumptions.

    Args:
        expr: Expression.
        simplify: Convert its closed form, if that is within the budget.

    >>> from equamo.algebra.expr import parse
    >>> to_sympy(parse("m1*l1**2*cos(q1)/2"))
    l1**2*m1*cos(q1)/2
    """
    return to_sympy_all([expr], simplify)[0]


def to_sympy_all(exprs: Sequence[Expr], simplify: bool = False) -> list[sympy.Expr]:
    """Convert several expressions to SymPy; shared sub-expressions are converted once."""
    if flag("sympy: simplify", simplify):
        exprs = simplified(exprs)
    with waiting("converting to SymPy"):
        return _converted(exprs)


def _converted(exprs: Sequence[Expr]) -> list[Any]:
    order = walk(exprs)
    inlined = _inlined(order) - set(exprs)
    made: dict[Expr, Any] = {}
    extent: dict[Expr, tuple[int, int]] = {}  # (depth, size as a tree)
    for n in order:
        if n in inlined:
            continue
        parts = _flat(n, inlined) if n.op in _JOINS else [(x, False) for x in n.args]
        depth = max((extent[x][0] for x, _ in parts), default=0)
        size = sum(extent[x][1] for x, _ in parts)
        extent[n] = depth + 1, min(size + 1, _MAX_SIZE + 1)
        operands = [(made[x], inverse) for x, inverse in parts]
        made[n] = _make(n, operands, depth <= _MAX_DEPTH, size <= _MAX_SIZE)
    return [made[e] for e in exprs]


def _make(n: Expr, operands: list[tuple[Any, bool]], shallow: bool, small: bool) -> Any:
    sympy = library("sympy", "sympy()")
    op = n.op
    if op == CONST:
        return sympy.Rational(n.a.numerator, n.a.denominator)
    if op == PI:
        return sympy.pi
    if op == SYMBOL:
        return sympy.Symbol(n.name)
    how: dict[str, bool] = {} if shallow else {"evaluate": False}
    if op in (ADD, SUB, NEG):
        return sympy.Add(*(sympy.Mul(-1, x, **how) if sign else x for x, sign in operands), **how)
    if op in (MUL, DIV):
        return sympy.Mul(*(sympy.Pow(x, -1, **how) if over else x for x, over in operands), **how)
    x = operands[0][0]
    if op == POW:
        return sympy.Pow(x, n.b, **how)
    if not small or not (op == ATAN2 or TABLE[op].name not in _UNEVALUATED or x.is_Atom):
        how = {"evaluate": False}
    if op == ATAN2:
        if all(y.is_number for y, _ in operands):
            how = {"evaluate": False}  # SymPy has no value for atan2(0, 0), which is 0 here
        return sympy.atan2(x, operands[1][0], **how)
    function = getattr(sympy, TABLE[op].sympy, None)
    if function is None:
        raise ExpressionError(f"SymPy has no function for {TABLE[op].name!r}.")
    return function(x, **how)


def _inlined(order: list[Expr]) -> set[Expr]:
    """Sums used only once, in a sum, and products in a product: converted together with their user."""
    user: dict[Expr, Expr | None] = {}
    for n in order:
        for x in n.args:
            user[x] = None if x in user else n
    return {x for x, n in user.items() if n is not None and x.op in _JOINS.get(n.op, ())}


def _flat(n: Expr, inlined: set[Expr]) -> list[tuple[Expr, bool]]:
    """Terms with their signs, or factors and whether they divide."""
    parts: list[tuple[Expr, bool]] = []
    stack = [(n, False)]
    while stack:
        x, sign = stack.pop()
        if x is n or x in inlined:
            if x.op != NEG:
                stack.append((x.b, sign != (x.op in (SUB, DIV))))
            stack.append((x.a, sign != (x.op == NEG)))
        else:
            parts.append((x, sign))
    return parts


def from_sympy(s: Any) -> Expr:
    """Convert a SymPy expression; `q1(t)` becomes the symbol q1, its time derivatives dq1 and ddq1.

    Raises:
        ExpressionError: `s` is not a SymPy expression, or contains an unsupported function.

    >>> import sympy
    >>> from_sympy(sympy.sqrt(2) * sympy.Symbol("x") / 2)
    x*sqrt(2)/2
    """
    return from_sympy_with_domain(s)[0]


def from_sympy_with_domain(s: Any) -> tuple[Expr, tuple[Expr, ...]]:
    """Convert, and list the nodes that must have a value wherever SymPy's expression has one.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> from_sympy_with_domain(sympy.Pow(sympy.sqrt(x), 2, evaluate=False))
    (x, (sqrt(x),))
    """
    sympy = library("sympy", "from_sympy")
    if not isinstance(s, sympy.Basic):
        raise ExpressionError(
            f"from_sympy() takes a SymPy expression, got {brief(s)} ({with_article(type(s).__name__)})."
        )
    reader = _Reader(sympy)
    made: dict[int, Expr] = {}  # by id, since comparing deep SymPy expressions recurses
    stack: list[Any] = [s]
    while stack:
        x = stack[-1]
        operands = () if id(x) in made else reader.operands(x)
        waiting = [a for a in operands if id(a) not in made]
        if waiting:
            stack += waiting
            continue
        if id(x) not in made:
            made[id(x)] = reader.convert(x, [made[id(a)] for a in operands])
        stack.pop()
    return made[id(s)], tuple(dict.fromkeys(n for n in made.values() if n.op > LAST_LEAF))


_REWRITTEN: Final[dict[str, Callable[[Expr], Expr]]] = {
    "sec": lambda x: div(ONE, cos(x)),
    "csc": lambda x: div(ONE, sin(x)),
    "cot": lambda x: div(cos(x), sin(x)),
}


@final
class _Reader:
    """Converter of single SymPy nodes whose operands are converted already."""

    def __init__(self, sympy: Any) -> None:
        self.sympy = sympy
        self.functions: dict[str, Callable[..., Expr]] = {**_REWRITTEN, "atan2": apply_atan2}
        for row in TABLE.values():
            self.functions[row.sympy] = partial(apply, row.opcode)
        self._named: dict[str, Any] = {}  # what became a symbol of this name

    def _symbol(self, name: str, x: Any) -> Expr:
        """The symbol that x becomes; two things that SymPy tells apart must not become one."""
        other = self._named.setdefault(name, x)
        if other != x:
            given = " and ".join(map(self.sympy.srepr, (other, x)))
            raise ExpressionError(
                f"A SymPy expression must not have two different things that are called {name!r} here, "
                f"got {given}; rename one of them, or replace it by the other."
            )
        return symbol(name)

    def operands(self, x: Any) -> tuple[Any, ...]:
        """Operands that must be converted before x."""
        if x.is_Pow:
            if x.exp.is_Rational or x.exp.is_Float:
                return (x.base,)
            return (x.exp,) if x.base is self.sympy.E else ()
        return x.args if x.is_Add or x.is_Mul or self._function(x) else ()

    def convert(self, x: Any, operands: list[Expr]) -> Expr:
        sympy = self.sympy
        if x.is_Add:
            return reduce(add, operands, ZERO)
        if x.is_Mul:
            return _product(operands)
        if x.is_Pow and operands:
            return exp(operands[0]) if x.base is sympy.E else _power(operands[0], x.exp)
        if x.is_Rational or x.is_Float:
            return _number(x)
        if x is sympy.pi:
            return PI_NODE
        if x is sympy.E:
            return exp(ONE)
        if type(x) is sympy.Symbol:
            if not x.is_commutative:
                raise ExpressionError(f"A symbol of SymPy must be commutative, got {x.name!r}.")
            return self._symbol(x.name, x)
        function = self._function(x)
        if function:
            return function(*operands)
        rate = self._rate(x)
        if rate:
            return self._symbol(rate, x)
        name = f"{type(x).__name__}(…)" if any(a.args for a in x.args) else str(x)
        raise ExpressionError(
            f"Unknown SymPy expression {name}. Valid: numbers, pi, symbols, q(t) and its first two "
            "derivatives, + - * /, powers to an integer or a fraction over 2, 4, 8 …, and the functions "
            f"{', '.join(self.functions)}."
        )

    def _function(self, x: Any) -> Callable[..., Expr] | None:
        if not x.is_Function or isinstance(x, self.sympy.core.function.AppliedUndef):
            return None
        wanted = 2 if isinstance(x, self.sympy.atan2) else 1
        return self.functions.get(type(x).__name__) if len(x.args) == wanted else None

    def _rate(self, x: Any) -> str | None:
        """q1 for q1(t), dq1 and ddq1 for its derivatives."""
        prefix = ""
        if isinstance(x, self.sympy.Derivative):
            times = sum(
                int(n) if v.name == "t" and n.is_Integer else 3 for v, n in x.variable_count
            )
            if times > 2:
                return None
            prefix, x = "d" * times, x.expr
        of_time = isinstance(x, self.sympy.core.function.AppliedUndef) and len(x.args) == 1
        if not of_time or getattr(x.args[0], "name", "") != "t":
            return None
        return prefix + type(x).__name__


def _product(factors: Iterable[Expr]) -> Expr:
    above = below = ONE
    for x in factors:
        if x.op == DIV and x.a is ONE:
            below = mul(below, x.b)
        else:
            above = mul(above, x)
    return div(above, below)


def _power(x: Expr, exponent: Any) -> Expr:
    """x to a number; SymPy writes sqrt(sqrt(x)) as x**(1/4)."""
    while exponent.is_Rational and exponent.q % 4 == 0:
        x, exponent = sqrt(x), 2 * exponent
    return power(x, _number(exponent))


def _number(x: Any) -> Expr:
    """Node of an Integer, a Rational, or a Float at its shortest decimal."""
    if x.is_Rational:
        return constant(Fraction(int(x.p), int(x.q)))
    text = repr(float(x)) if x._prec == 53 else _shortest(x)
    return constant(Fraction(_shortest(x) if text in ("inf", "-inf", "0.0") else text))


def _shortest(x: Any) -> str:
    """Shortest decimal text that reads as a Float of its precision."""
    numbers: Any = import_module("mpmath.libmp")  # which SymPy needs
    most: int = numbers.repr_dps(x._prec)
    texts: Iterator[str] = (numbers.to_str(x._mpf_, n) for n in range(1, most + 1))
    return next(t for t in texts if type(x)(t, precision=x._prec) == x)
