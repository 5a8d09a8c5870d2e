"""Evaluation in any ring: floats, NumPy arrays of states, exact rationals, GF(p), mpmath.

A `Tape` stores the walk as a list of operations, so that it can be run many times.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, final

from ...basics.wording import brief
from ...errors import ExpressionError, NumberRangeError, UnknownNameError
from .functions import TABLE
from .graph import ADD, ATAN2, CONST, DIV, LAST_LEAF, MUL, NEG, PI, POW, SUB, SYMBOL, Expr
from .walk import walk


def nearest_double(value: int | Fraction) -> float:
    """Round an exact number to the nearest double.

    Raises:
        NumberRangeError: The number is outside the range of double precision.

    >>> nearest_double(Fraction(1, 3))
    0.3333333333333333
    """
    try:
        return value.numerator / value.denominator
    except OverflowError:
        # Counted in bits: Python refuses to write out the digits of a very long number.
        bits = value.numerator.bit_length() - value.denominator.bit_length()
        raise NumberRangeError(
            f"A number must be below 1.8e308 in magnitude to become a double, got about "
            f"{'-' * (value < 0)}10^{round(bits * math.log10(2))}."
        ) from None


class Ring(ABC):
    """Arithmetic of an evaluation: how constants and functions become elements of the ring."""

    @abstractmethod
    def constant(self, value: int | Fraction) -> Any: ...

    @abstractmethod
    def pi(self) -> Any: ...

    @abstractmethod
    def apply(self, node: Expr, *x: Any) -> Any:
        """Value of a function node (or atan2) whose operands have the values x."""

    def power(self, x: Any, k: Any) -> Any:
        """x to the power of a constant k."""
        return x**k

    modulus: int = 0  # p of GF(p); 0 if the elements' own operators do the arithmetic


@final
class Floats(Ring):
    """Python floats, for one state."""

    def constant(self, value: int | Fraction) -> float:
        return nearest_double(value)

    def pi(self) -> float:
        return math.pi

    def apply(self, node: Expr, *x: float) -> float:
        if node.op == ATAN2:
            return math.atan2(*x)
        function = TABLE[node.op].python
        assert function is not None
        return function(*x)


@final
class Arrays(Ring):
    """NumPy arrays: the value of a symbol may be an array, one entry per state."""

    def __init__(self) -> None:
        from ..arrays import np  # imported at first use: it takes a tenth of a second

        self.numpy = np

    def constant(self, value: int | Fraction) -> Any:
        return self.numpy.float64(nearest_double(value))

    def pi(self) -> Any:
        return self.numpy.float64(math.pi)

    def apply(self, node: Expr, *x: Any) -> Any:
        name = "arctan2" if node.op == ATAN2 else TABLE[node.op].numpy
        return getattr(self.numpy, name)(*x)


@final
class Rationals(Ring):
    """Exact rationals; functions have no exact value unless the caller gives their nodes one."""

    def constant(self, value: int | Fraction) -> Fraction:
        return Fraction(value)

    def pi(self) -> Any:
        raise ExpressionError("pi has no exact rational value; evaluate in floating point.")

    def apply(self, node: Expr, *x: Any) -> Any:
        raise ExpressionError(
            f"{brief(node)} has no exact rational value; evaluate in floating point."
        )


@final
class Multiprecision(Ring):
    """mpmath numbers with a given number of decimal digits."""

    def __init__(self, digits: int) -> None:
        import mpmath

        self.context: Any = mpmath.mp.clone() if hasattr(mpmath.mp, "clone") else mpmath.MPContext()  # pyright: ignore
        self.context.dps = digits

    def constant(self, value: int | Fraction) -> Any:
        return self.context.mpf(value.numerator) / value.denominator

    def pi(self) -> Any:
        return +self.context.pi

    def apply(self, node: Expr, *x: Any) -> Any:
        name = "atan2" if node.op == ATAN2 else TABLE[node.op].mpmath
        y = getattr(self.context, name)(*x)
        if isinstance(y, self.context.mpc):
            raise ArithmeticError(f"{name} is not real here")
        return y


@final
class Modular(Ring):
    """GF(p); the caller supplies functions as values of their nodes, or by `apply`."""

    def __init__(self, p: int, apply: Any = None) -> None:
        self.modulus = p
        self._apply = apply

    def constant(self, value: int | Fraction) -> int:
        p = self.modulus
        if isinstance(value, int):
            return value % p
        return value.numerator * pow(value.denominator, -1, p) % p

    def pi(self) -> int:
        raise ExpressionError("pi has no value modulo a prime; pass a value for its node.")

    def apply(self, node: Expr, *x: int) -> int:
        if self._apply is None:
            raise ExpressionError(
                f"{brief(node)} has no value modulo a prime; pass a value for its node."
            )
        return self._apply(node, *x)


FLOATS: Final = Floats()
RATIONALS: Final = Rationals()


@final
class Tape:
    """Outputs as a list of operations on numbered values, operands first."""

    __slots__ = ("leaves", "nodes", "outputs", "steps")

    nodes: list[Expr]

    def __init__(
        self,
        outputs: Iterable[Expr],
        given: Iterable[Expr] = (),
        order: Sequence[Expr] | None = None,  # walk(outputs, stop=given), if it was computed before
    ) -> None:
        roots = list(outputs)
        known = dict.fromkeys(given)
        if order is None:
            order = walk(roots, stop=known)
        # Leaves first: numbers, symbols and the nodes whose values the caller gives.
        self.leaves: list[Expr] = [n for n in order if n.op <= LAST_LEAF and n not in known] + list(
            known
        )
        self.nodes = nodes = list(self.leaves)
        number = {n: i for i, n in enumerate(nodes)}
        self.steps: list[tuple[int, int, int]] = []
        append, node = self.steps.append, nodes.append
        i = len(nodes)
        for n in order:
            op = n.op
            if op <= LAST_LEAF or n in known:
                continue
            if ADD <= op <= ATAN2:
                append((op, number[n.a], number[n.b]))
            else:
                append((op, number[n.a], n.b if op == POW else 0))
            number[n] = i
            node(n)
            i += 1
        self.outputs: list[int] = [number[y] for y in roots]

    def run(self, ring: Ring, values: Mapping[Expr, Any]) -> list[Any]:
        """Values of the outputs for the values of symbols and of the `given` nodes."""
        v = self.run_all(ring, values)
        p = ring.modulus
        return [v[i] % p for i in self.outputs] if p else [v[i] for i in self.outputs]

    def run_all(self, ring: Ring, values: Mapping[Expr, Any]) -> list[Any]:
        """Values of all nodes of the tape."""
        v = [self._leaf(n, ring, values) for n in self.leaves]
        if ring.modulus:
            self._run_modular(v, ring)
        else:
            self._run_native(v, ring)
        return v

    def _leaf(self, n: Expr, ring: Ring, values: Mapping[Expr, Any]) -> Any:
        if n in values:
            return values[n]
        if n.op == CONST:
            return ring.constant(n.a)
        if n.op == PI:
            return ring.pi()
        have = [s.name for s in values if s.op == SYMBOL]
        raise UnknownNameError("value for the symbol", n.name, have)

    def _run_native(self, v: list[Any], ring: Ring) -> None:
        append = v.append
        offset = len(self.leaves)
        for k, (op, i, j) in enumerate(self.steps):
            if op == MUL:
                append(v[i] * v[j])
            elif op == ADD:
                append(v[i] + v[j])
            elif op == SUB:
                append(v[i] - v[j])
            elif op == NEG:
                append(-v[i])
            elif op == POW:
                append(ring.power(v[i], j))
            elif op == DIV:
                append(v[i] / v[j])
            elif op == ATAN2:
                append(ring.apply(self.nodes[offset + k], v[i], v[j]))
            else:
                append(ring.apply(self.nodes[offset + k], v[i]))

    def _run_modular(self, v: list[int], ring: Ring) -> None:
        p = ring.modulus
        append = v.append
        offset = len(self.leaves)
        limit = p << 64
        for k, (op, i, j) in enumerate(self.steps):
            if op == MUL:
                append(v[i] * v[j] % p)
            elif op == ADD:  # reduced by the next product, or when the sum becomes long
                x = v[i] + v[j]
                append(x if -limit < x < limit else x % p)
            elif op == SUB:
                x = v[i] - v[j]
                append(x if -limit < x < limit else x % p)
            elif op == NEG:
                append(-v[i])
            elif op == POW:
                append(pow(v[i], j, p))
            elif op == DIV:
                append(v[i] * pow(v[j], -1, p) % p)  # ValueError if v[j] = 0
            elif op == ATAN2:
                append(ring.apply(self.nodes[offset + k], v[i] % p, v[j] % p))
            else:
                append(ring.apply(self.nodes[offset + k], v[i] % p))


def evaluate(outputs: Iterable[Expr], ring: Ring, values: Mapping[Expr, Any]) -> list[Any]:
    """Evaluate the outputs in a ring; `values` may hold any nodes, not only symbols.

    >>> from equamo.algebra.expr import parse, symbol
    >>> evaluate([parse("x/3 + 1/6")], RATIONALS, {symbol("x"): 1})
    [Fraction(1, 2)]
    """
    roots = list(outputs)
    given = [n for n in values if n.op != SYMBOL]
    return Tape(roots, given).run(ring, values)


def evaluate_floats(outputs: Sequence[Expr], values: Mapping[Expr, float]) -> list[float]:
    """Evaluate the outputs at one state, as floats."""
    return [float(x) for x in evaluate(outputs, FLOATS, values)]
