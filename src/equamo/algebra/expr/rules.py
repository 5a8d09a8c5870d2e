"""Local rules that construct nodes: 0, 1, constants, signs, order, x+x, x−x, x·x.

Each constructor looks at its operands and one level below, never deeper, and never expands: the cost
of a node does not depend on the size of its operands. The operands of a commutative operation are put
into structural order (`Expr.h`), so the result never depends on what was built before.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ...basics.wording import brief
from ...errors import ExpressionError
from .graph import (
    ADD,
    CONST,
    DIV,
    MAX_NUMBER_BITS,
    MUL,
    NEG,
    ONE,
    POW,
    SUB,
    ZERO,
    Expr,
    constant,
    intern,
    lookup,
    make,
    make_negative_number,
)

MAX_EXPONENT = 10_000


def operand(x: Any) -> Expr | None:
    """Convert an arithmetic operand to a node; None if it is not a number.

    A float is read as its shortest decimal: 0.1 is 1/10.
    """
    if isinstance(x, Expr):
        return x
    if isinstance(x, (int, Fraction)):
        return constant(x)
    if isinstance(x, (float, Decimal)) or type(x).__module__ == "numpy":
        return _decimal(x)
    return None


def _decimal(x: Any) -> Expr | None:
    if hasattr(x, "item"):  # a NumPy scalar
        if getattr(x, "shape", ()) != ():
            return None
        if type(x).__name__ in ("float16", "float32", "longdouble"):
            x = Decimal(str(x))
        return operand(x if isinstance(x, Decimal) else x.item())
    if not Decimal(x).is_finite() or abs(Decimal(x).adjusted()) > MAX_NUMBER_BITS // 4:
        raise ExpressionError(
            f"A number in an expression must be finite and not too large, got {x}."
        )
    return constant(Fraction(repr(x) if isinstance(x, float) else str(x)))


def neg(a: Expr) -> Expr:
    """−a"""
    if a.op == NEG:
        return a.a
    if a is ZERO:
        return a
    key = (NEG, a, None)
    ref = lookup(key)
    node = ref() if ref is not None else None
    if node is not None:
        return node
    return make_negative_number(a) if a.op == CONST else make(key, hash((NEG, a.h)))


def _ordered(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    if a.h != b.h or a is b:
        return (a, b) if a.h < b.h else (b, a)
    # Two different nodes with the same hash, about once in 2⁶⁴: compare their contents.
    from .store import dump

    return (a, b) if repr(dump([a])) < repr(dump([b])) else (b, a)


def _scaled(c: int | Fraction, a: Expr) -> Expr:
    """c·a for a number c; the only place that attaches a coefficient to its factor."""
    if a.op == NEG:
        return neg(_scaled(c, a.a))
    d, x = split(a)
    c = c * d
    if c == 0:
        return ZERO
    if c < 0:
        return neg(_scaled(-c, x))
    if c == 1:
        return x
    if x is ONE:
        return constant(c)
    k = constant(c)
    return intern((MUL, k, x), hash((MUL, k.h, x.h)))


def split(a: Expr) -> tuple[int | Fraction, Expr]:
    """(c, x) with a = c·x, for an `a` without sign."""
    if a.op == MUL and a.a.op == CONST:
        return a.a.a, a.b
    if a.op == CONST:
        return a.a, ONE
    return 1, a


def add(a: Expr, b: Expr) -> Expr:
    """a + b"""
    if a.op == NEG:
        if b.op == NEG:  # −x − y = −(x + y)
            return neg(add(a.a, b.a))
        return sub(b, a.a)
    if b.op == NEG:
        return sub(a, b.a)
    if a is ZERO:
        return b
    if b is ZERO:
        return a
    if a.h >= b.h:
        a, b = _ordered(a, b)
    key = (ADD, a, b)
    ref = lookup(key)
    if ref is not None:
        node = ref()
        if node is not None:
            return node
    if a.op == CONST:
        if b.op == CONST:
            return constant(a.a + b.a)
        if b.op == ADD and b.a.op == CONST:  # c + (d + x)
            return add(constant(a.a + b.a.a), b.b)
        if b.op == SUB and b.a.op == CONST:  # c + (d − x)
            return sub(constant(a.a + b.a.a), b.b)
    else:  # c·x + d·x
        x = a.b if a.op == MUL and a.a.op == CONST else a
        if x is (b.b if b.op == MUL and b.a.op == CONST else b):
            return _scaled(split(a)[0] + split(b)[0], x)
    return make(key, hash((ADD, a.h, b.h)))


def sub(a: Expr, b: Expr) -> Expr:
    """a − b"""
    if a is b:
        return ZERO
    if b.op == NEG:
        if a.op == NEG:
            return sub(b.a, a.a)
        return add(a, b.a)
    if a.op == NEG:  # −x − y = −(x + y)
        return neg(add(a.a, b))
    node, minus = _difference(a, b)
    return neg(node) if minus else node


def _difference(a: Expr, b: Expr) -> tuple[Expr, bool]:
    """(x, whether a − b is −x and not x), for operands without sign; so is x."""
    if a is b:
        return ZERO, False
    if b is ZERO:
        return a, False
    if a is ZERO:
        return b, True
    minus = a.h >= b.h
    if minus:  # x − y and y − x share one node
        first = a
        a, b = _ordered(a, b)
        minus = a is not first
    key = (SUB, a, b)
    ref = lookup(key)
    node = ref() if ref is not None else None
    if node is not None:
        return node, minus
    if a.op == CONST:
        if b.op == CONST:
            node = constant(a.a - b.a)
        elif b.op == ADD and b.a.op == CONST:  # c − (d + x)
            node = sub(constant(a.a - b.a.a), b.b)
        elif b.op == SUB and b.a.op == CONST:  # c − (d − x)
            node = add(constant(a.a - b.a.a), b.b)
    else:  # c·x − d·x
        x = a.b if a.op == MUL and a.a.op == CONST else a
        if x is (b.b if b.op == MUL and b.a.op == CONST else b):
            node = _scaled(split(a)[0] - split(b)[0], x)
    if node is None:
        return make(key, hash((SUB, a.h, b.h))), minus
    return (node.a, not minus) if node.op == NEG else (node, minus)


def signed_sum(a: Expr, a_minus: bool, b: Expr, b_minus: bool) -> tuple[Expr, bool]:
    """(x, minus) of ±a ± b, where `minus` says that −x is meant; a, b and x have no sign.

    The rules put a minus sign outermost, and the next operation usually removes it again. With signs
    kept apart from the nodes, no nodes are created for them.
    """
    if a_minus != b_minus:
        node, minus = _difference(a, b)
        return node, minus != a_minus
    return add(a, b), a_minus  # no sign: a number comes first, so that c + (d − x) is k − x


def signed_product(a: Expr, b: Expr) -> tuple[Expr, bool]:
    """(x, minus) of a·b, where `minus` says that −x is meant; x has no sign."""
    if a is ZERO or b is ZERO:
        return ZERO, False
    minus = False
    if a.op == NEG:
        a, minus = a.a, True
    if b.op == NEG:
        b, minus = b.a, not minus
    node = mul(a, b)
    return (node.a, not minus) if node.op == NEG else (node, minus)  # √(−x)·√(−x)


def sum_of_products(left: Iterable[Expr], right: Iterable[Expr], start: Expr = ZERO) -> Expr:
    """start + Σ xᵢ yᵢ, from left to right"""
    total, minus = (start.a, True) if start.op == NEG else (start, False)
    for x, y in zip(left, right, strict=True):
        if x is ZERO or y is ZERO:
            continue
        product, negative = signed_product(x, y)
        if total is ZERO:
            total, minus = product, negative
        else:
            total, minus = signed_sum(total, minus, product, negative)
    return neg(total) if minus else total


def difference_of_products(a: Expr, b: Expr, c: Expr, d: Expr, start: Expr = ZERO) -> Expr:
    """start + a·b − c·d, from left to right"""
    total, minus = signed_product(a, b)
    if start is not ZERO:
        x, negative = (start.a, True) if start.op == NEG else (start, False)
        total, minus = signed_sum(x, negative, total, minus)
    product, negative = signed_product(c, d)
    if product is not ZERO:
        total, minus = signed_sum(total, minus, product, not negative)
    return neg(total) if minus else total


def mul(a: Expr, b: Expr) -> Expr:
    """a·b"""
    if a is ZERO or b is ZERO:
        return ZERO
    if a.op == NEG:
        if b.op == NEG:
            return mul(a.a, b.a)
        return neg(mul(a.a, b))
    if b.op == NEG:
        return neg(mul(a, b.a))
    if a is ONE:
        return b
    if b is ONE:
        return a
    if a.h >= b.h:
        a, b = _ordered(a, b)
    key = (MUL, a, b)
    ref = lookup(key)
    if ref is not None:
        node = ref()
        if node is not None:
            return node
    if (
        a.op == CONST or (a.op == MUL and a.a.op == CONST) or (b.op == MUL and b.a.op == CONST)
    ):  # (c·x)·(d·y) = (c·d)·(x·y)
        c, x = split(a)
        d, y = split(b)
        return _scaled(c * d, mul(x, y))
    if a is b:
        return _power(a, 2)
    if a.op == POW or b.op == POW:  # xᵐ·xⁿ
        x, m = (a.a, a.b) if a.op == POW else (a, 1)
        y, n = (b.a, b.b) if b.op == POW else (b, 1)
        if x is y:
            return _power(x, m + n)
    if b.op == DIV and b.b is a:  # a·(x/a)
        return b.a
    if a.op == DIV and a.b is b:
        return a.a
    return make(key, hash((MUL, a.h, b.h)))


def div(a: Expr, b: Expr) -> Expr:
    """a/b"""
    if b is ZERO:
        raise ExpressionError("Division by zero in an expression; the denominator must not be 0.")
    if a is ZERO:
        return ZERO
    if a is b:
        return ONE
    if a.op == NEG:
        if b.op == NEG:
            return div(a.a, b.a)
        return neg(div(a.a, b))
    if b.op == NEG:
        return neg(div(a, b.a))
    c, x = split(a)
    d, y = split(b)
    if y is ONE:
        return _scaled(Fraction(c) / d, x)
    if c != 1 or d != 1:  # (c·x)/(d·y) = (c/d)·(x/y)
        return _scaled(Fraction(c) / d, div(x, y))
    if a.op == MUL:  # (x·b)/b
        if a.a is b:
            return a.b
        if a.b is b:
            return a.a
    if a.op == POW or b.op == POW:  # xᵐ/xⁿ
        x, m = (a.a, a.b) if a.op == POW else (a, 1)
        y, n = (b.a, b.b) if b.op == POW else (b, 1)
        if x is y:
            return _power(x, m - n) if m > n else div(ONE, _power(x, n - m))
    return intern((DIV, a, b), hash((DIV, a.h, b.h)))


def power(a: Expr, exponent: Expr) -> Expr:
    """Power with an integer or half-integer exponent, the latter as a power of the square root."""
    n = exponent.value
    if n is None or n.denominator not in (1, 2):
        raise ExpressionError(
            f"An exponent must be an integer or half an integer, got {brief(exponent)}."
        )
    if abs(n) > MAX_EXPONENT:
        raise ExpressionError(f"An exponent must be at most {MAX_EXPONENT} in magnitude, got {n}.")
    if n.denominator == 2:
        from .functions import sqrt

        return power(sqrt(a), constant(2 * n))
    n = int(n)
    if n >= 0:
        return _power(a, n)
    if a is ZERO:
        raise ExpressionError(
            "Division by zero in an expression; 0 cannot be raised to a negative power."
        )
    return div(ONE, _power(a, -n))


def _power(a: Expr, n: int) -> Expr:
    """aⁿ for n ≥ 0."""
    if n == 0:
        return ONE
    if n == 1 or a is ONE or a is ZERO:
        return a
    if a.op == NEG:
        p = _power(a.a, n)
        return neg(p) if n % 2 else p
    if a.op == POW:
        return _power(a.a, a.b * n)
    c, x = split(a)
    if c != 1:
        if max(c.numerator.bit_length(), c.denominator.bit_length()) * n > MAX_NUMBER_BITS:
            raise ExpressionError(
                f"A number must have at most {MAX_NUMBER_BITS} bits, got a longer one."
            )
        return _scaled(c**n, _power(x, n))
    if n > MAX_EXPONENT:
        raise ExpressionError(f"An exponent must be at most {MAX_EXPONENT} in magnitude, got {n}.")
    from .functions import SQRT

    if a.op == SQRT:  # √x² = x where √x is defined
        whole = _power(a.a, n // 2)
        return mul(whole, a) if n % 2 else whole
    return intern((POW, a, n), hash((POW, a.h, n)))
