"""Agreement to rounding: the difference of two values at random states, compared with a bound.

If constants of a program were folded in double precision, its expressions differ from the derived ones
as exact functions, by about 10⁻¹⁶ of their terms. Such a difference is measured, never proved: at each
state it is enclosed in ball arithmetic, and compared with

    (1) bound = unit · max over the entries of E

where E is the running error analysis of the program's own operations, for relative errors of 1 in
every constant, every input and every operation [Higham, Accuracy and Stability, section 3.3]:

    (2) E(a ± b) = E(a) + E(b) + |a ± b|        E(a b) = |a| E(b) + |b| E(a) + |a b|
        E(a / b) = (E(a) + |a/b| E(b))/|b| + |a/b|        E(f(a)) = |f'(a)| E(a) + |f(a)|

The largest entry counts, since an entry that is 0 may contain the rounding errors of the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import inf, isfinite, pi
from random import Random
from typing import Any, Final, final

from ....algebra.expr import Expr, constant, symbol
from ....algebra.expr.evaluate import FLOATS, Tape
from ....algebra.expr.functions import TABLE
from ....algebra.expr.graph import ADD, ATAN2, CONST, DIV, MUL, NEG, POW, SUB, SYMBOL
from ....algebra.expr.substitute import substitute
from ....algebra.expr.walk import walk
from ....algebra.identity.counterexample import Balls
from ....algebra.identity.proof import power_of_two
from ....robot.formats.rational_rotation import simplest

STATES: Final = 20
UNIT: Final = Fraction(1, 2**47)  # a constant with 15 digits is wrong by up to 5·10⁻¹⁵
FOLDED: Final = 14  # fewest significant digits of a number that was computed, not typed
SIMPLE: Final = 10**6  # largest numerator or denominator of an intended fraction
_DIGITS: Final = 60  # of the balls
_ATTEMPTS: Final = 5  # draws for each state at which everything is defined
State = Mapping[str, float | Fraction]


@final
@dataclass(frozen=True)
class Agreement:
    """Largest difference of one entry, relative to its bound."""

    agrees: bool | None  # None if no state could be judged
    residual: float = 0.0  # program − derived at `state`
    bound: float = 0.0  # there
    unit: Fraction = UNIT
    states: int = 0
    state: State | None = None

    @property
    def share(self) -> float:
        """Residual as a fraction of the bound."""
        return abs(self.residual) / self.bound if self.bound else inf if self.residual else 0.0

    def __str__(self) -> str:
        if self.agrees is None:
            return "the difference could not be bounded at a random state"
        sign = "≤" if self.agrees else ">"
        return (
            f"residual {abs(self.residual):.2g} {sign} {self.bound:.2g}, the worst of {self.states} "
            f"random states (relative unit {_unit_text(self.unit)})"
        )


def is_folded(exprs: Sequence[Expr]) -> bool:
    """Whether a constant has so many digits that a program must have computed it.

    >>> from equamo.algebra.expr import parse
    >>> is_folded([parse("0.125*x + 1/3")]), is_folded([parse("0.1000000000000000055*x")])
    (False, True)
    """
    return any(n.op == CONST and significant_digits(n.a) >= FOLDED for n in walk(exprs))


def unrounded(e: Expr) -> Expr | None:
    """Expression with a simple fraction in place of each folded number; None if one is not close to any.

    >>> from equamo.algebra.expr import parse
    >>> unrounded(parse("0.3333333333333333*x")), unrounded(parse("0.3183098861837907*x"))
    (x/3, None)
    """
    table: dict[Expr, Expr] = {}
    for n in walk([e]):
        if n.op == CONST and significant_digits(n.a) >= FOLDED:
            c, reach = Fraction(n.a), abs(Fraction(n.a)) / 2**50
            near = simplest(c - reach, c + reach)
            if max(abs(near.numerator), near.denominator) > SIMPLE:
                return None
            table[n] = constant(near)
    return substitute([e], table)[0]


def significant_digits(x: int | Fraction) -> int:
    """Significant decimal digits of a number; divisors with other prime factors do not count.

    >>> significant_digits(Fraction("0.00125")), significant_digits(Fraction(1, 3))
    (3, 1)
    """
    x = Fraction(x)
    n, d = abs(x.numerator), x.denominator
    twos = (d & -d).bit_length() - 1
    fives, rest = 0, d >> twos
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    whole = n * 2 ** (places - twos) * 5 ** (places - fives)
    while whole and whole % 10 == 0:
        whole //= 10
    digits = 0
    while whole:  # str() rejects numbers of more than 4,300 digits
        whole, digits = whole // 10, digits + 1
        if digits > FOLDED:
            break
    return digits


def agreements(
    code: Sequence[Expr], derived: Sequence[Expr], moving: Collection[Expr],
    quaternions: Sequence[Sequence[Expr]] = (), unit: Fraction = UNIT, seed: int = 0,
) -> list[Agreement]:  # fmt: skip
    """Compare the entries of one output at random states.

    Args:
        code: Entries as the program computes them, in exact arithmetic.
        derived: The derived entries.
        moving: Coordinates, speeds and accelerations; all other symbols get positive values.
        quaternions: Groups of symbols whose squares sum to one.
        unit: Relative error of one operation in (1).
        seed: Seed of the random states.

    >>> from equamo.algebra.expr import parse
    >>> near = agreements([parse("0.3333333333333333*x")], [parse("x/3")], [])
    >>> near[0].agrees, agreements([parse("0.3333*x")], [parse("x/3")], [])[0].agrees
    (True, False)
    """
    random = Random(seed)
    both = Tape([*code, *derived])
    own = Tape(code)
    symbols = sorted((n for n in both.leaves if n.op == SYMBOL), key=lambda n: n.name)
    worst = [Agreement(None, unit=unit) for _ in code]
    for _ in range(STATES):
        for _ in range(_ATTEMPTS):
            state = _draw(symbols, moving, quaternions, random)
            measured = _measured(both, own, state, unit)
            if measured is not None:
                worst = [_worse(a, *m, state) for a, m in zip(worst, measured, strict=True)]
                break
    return worst


def _worse(old: Agreement, residual: float, bound: float, agrees: bool, state: Any) -> Agreement:
    """The worse of the previous result and this state."""
    names = {s.name: x for s, x in state.items()}
    new = Agreement(agrees, residual, bound, old.unit, old.states + 1, names)
    if old.agrees is None or (old.agrees, -old.share) > (agrees, -new.share):
        return new
    return replace(old, states=new.states)


def _measured(
    both: Tape, own: Tape, state: Mapping[Expr, float | Fraction], unit: Fraction
) -> list[tuple[float, float, bool]] | None:
    """(difference, bound, whether it is surely below) of each entry; None if one is not defined."""
    ring = Balls()
    with ring.flint.ctx.workdps(_DIGITS):
        values = {s: ring.constant(_exact(x)) for s, x in state.items()}
        balls = both.run(ring, values)
        count = len(balls) // 2
        gaps = [a - b for a, b in zip(balls[:count], balls[count:], strict=True)]
        largest = max(_errors(own, state), default=0.0)
        if not all(g.is_finite() for g in gaps) or not isfinite(largest):
            return None
        bound = float(unit) * largest
        return [(float(g), bound, bool(g.abs_upper() <= bound)) for g in gaps]


def _errors(tape: Tape, state: Mapping[Expr, float | Fraction]) -> list[float]:
    """E of the outputs, by (2)."""
    try:
        x = tape.run_all(FLOATS, {s: float(v) for s, v in state.items()})
        E = [abs(v) for v in x[: len(tape.leaves)]]  # one relative error in each leaf
        for k, (op, i, j) in enumerate(tape.steps, start=len(tape.leaves)):
            E.append(_error(tape.nodes[k], op, i, j, x, E) + (0.0 if op == NEG else abs(x[k])))
    except (ArithmeticError, ValueError):  # 1/0, a root of a negative number, a number too large
        return [inf]
    return [E[i] for i in tape.outputs]


def _error(
    node: Expr, op: int, i: int, j: int, x: Sequence[float], E: Sequence[float]
) -> float:  # fmt: skip
    if op in (ADD, SUB):
        return E[i] + E[j]
    if op == NEG:
        return E[i]
    if op == MUL:
        return abs(x[i]) * E[j] + abs(x[j]) * E[i]
    if op == DIV:
        return (E[i] + abs(x[i] / x[j]) * E[j]) / abs(x[j])
    if op == POW:  # the exponent is a whole number
        return abs(j) * abs(x[i]) ** (j - 1) * E[i] if j else 0.0
    if op == ATAN2:
        return (abs(x[j]) * E[i] + abs(x[i]) * E[j]) / (x[i] ** 2 + x[j] ** 2)
    (slope,) = _slope(node.op).run(FLOATS, {_X: x[i]})
    return abs(slope) * E[i]


_X: Final = symbol("x")


@cache
def _slope(opcode: int) -> Tape:
    """f'(x) of a function."""
    return Tape([TABLE[opcode].derivative(_X)])


def _draw(
    symbols: Sequence[Expr], moving: Collection[Expr], quaternions: Sequence[Sequence[Expr]],
    random: Random,
) -> dict[Expr, float | Fraction]:  # fmt: skip
    """Short decimals: from −π to π for moving quantities, from 1/2 to 2 for all others."""
    state: dict[Expr, float | Fraction] = {}
    for s in symbols:
        low, high = (-pi, pi) if s in moving else (0.5, 2.0)
        state[s] = float(f"{random.uniform(low, high):.4g}")
    for group in quaternions:
        t = [Fraction(random.randrange(-99, 100), 50) for _ in group[1:]]
        norm = sum(x * x for x in t)
        point = [(1 - norm) / (1 + norm), *(2 * x / (1 + norm) for x in t)]
        state |= {s: x for s, x in zip(group, point, strict=True) if s in state}
    return state


def _exact(x: float | Fraction) -> Fraction:
    return x if isinstance(x, Fraction) else Fraction(repr(x))


def _unit_text(unit: Fraction) -> str:
    bits = unit.denominator.bit_length() - 1
    power = unit.numerator == 1 and unit.denominator == 1 << bits
    return power_of_two(-bits) if power else f"{float(unit):.2g}"
