"""Kinks: abs(u) at u = 0, where a slope does not exist.

The slope of abs(u) is taken as sign(u), which is 0 at u = 0. This is right for v |v|, the drag of a
fluid, and wrong for |q|. With

    (1) abs(u) = s u    for each u that is 0 at the point, s constant on both sides of it

derivatives that depend on s at the point do not exist. sign(u) itself, as in dry friction, is not a
kink: it has the slope 0 on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, final

from ...algebra.arrays import np
from ...algebra.expr import Expr, internal
from ...algebra.expr.differentiate import gradient, jacobian
from ...algebra.expr.functions import ABS, SIGN
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import walk
from ...algebra.identity import prove_zero
from ...basics.wording import brief
from ...code.ir.functions import program_equations
from ...errors import EvaluationError
from ...mechanics.equations.characteristic_sizes import CharacteristicSizes
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.mobility import independent_rows
from .operating_point import Array, OperatingPoint
from .residual_slopes import KEPT, SameEquations, residual_slopes

AT_ZERO: Final = 1e-12  # distance from a kink that is rounding, in sizes of the states
CHANGES: Final = 1e-9  # of its change elsewhere: a change of a slope that is more than rounding
DRAWS: Final = 3  # points at which this change is taken

Insert = Callable[[Sequence[Expr]], Any]


def _error(place: str, what: str, node: Expr) -> EvaluationError:
    return EvaluationError(
        f"{place}: {what} must be differentiable at this state, but {brief(node)} has a kink "
        f"here, where {brief(node.a)} = 0; choose a state on one side of it, or a smooth "
        "function such as sqrt(x**2 + e**2)."
    )


@lru_cache(maxsize=KEPT)
def _kinked(key: SameEquations) -> tuple[Expr, ...]:
    """Equations whose slopes a linear system has; none if there is no abs in them."""
    eom = key.eom
    if not any(n.op == SIGN for n in walk(residual_slopes(eom))):  # of every abs of the state
        return ()
    r = eom.inverse_dynamics - eom.input_matrix @ Vector(eom.inputs)
    entries = [*(eom.kinematic_map @ Vector(eom.v))]
    unknowns = program_equations(eom).constraints
    if is_augmented(eom.robot) and unknowns is not None:
        A, bias = eom.constraint_matrix, eom.constraint_bias
        for i, force in zip(independent_rows(eom.robot), unknowns.lam, strict=True):
            r = r - Vector(A.rows[i]) * force
            entries.append(Vector(A.rows[i]) @ Vector(eom.vdot) + bias[i])
    entries += r
    return tuple(entries) if any(n.op == ABS for n in walk(entries)) else ()


def expect_slopes_of_motion(
    point: OperatingPoint, vdot: Array, multipliers: dict[Expr, Any]
) -> None:
    """Raise an error if the accelerations have a kink at the point."""
    entries = substitute(_kinked(SameEquations(point.eom)), multipliers)
    node = _kink(point, entries, vdot)
    if node is not None:
        raise _error("linearize", f"the equations of robot {point.eom.robot.name!r}", node)


def has_kink_at_rest(point: OperatingPoint) -> bool:
    """Whether the equations of a robot have a kink at a state of rest, apart from constraint forces."""
    unknowns = program_equations(point.eom).constraints
    free = {} if unknowns is None else dict.fromkeys(unknowns.lam, 0)
    entries = substitute(_kinked(SameEquations(point.eom)), free)
    return _kink(point, entries, np.zeros(len(point.v))) is not None


def expect_slopes(point: OperatingPoint, e: Expr) -> None:
    """Raise an error if an output or a state of a linear system has a kink at the point."""
    node = _kink(point, [e])
    if node is not None:
        raise _error("linear system", brief(e), node)


def _kink(point: OperatingPoint, entries: Sequence[Expr], vdot: Any = None) -> Expr | None:
    """A node of expressions that has a kink at the point, if there is one."""
    if not _bends(entries):
        return None
    eom = point.eom
    state = [*eom.q, *eom.v]
    sizes = CharacteristicSizes(eom.robot, point.values)
    q = np.maximum(sizes.q, np.abs(point.q))
    v = np.maximum(sizes.v * (sizes.rate or 1.0), np.abs(point.v))
    both = np.concatenate([q, v])

    def values(at: OperatingPoint, found: Sequence[Expr], sides: dict[Expr, Fraction]) -> Array:
        return np.asarray(at.evaluate(Vector(substitute(found, sides)), vdot=vdot))

    def vanishes(u: Expr, sides: list[Expr]) -> bool:
        found = values(point, [u, *gradient(u, state)], _numbers(sides))
        return bool(abs(found[0]) <= AT_ZERO * (np.abs(found[1:]) @ both))

    replaced = _replaced(entries, vanishes)
    if not replaced:
        return None
    sides = _numbers(list(replaced.sides))
    rows = jacobian(substitute(entries, replaced.nodes), state)
    slopes = [x for row in rows for x in row]
    rng = np.random.default_rng(1)
    moved = [
        replace(point, q=point.q + q * rng.uniform(-1, 1, len(q)),
                v=point.v + v * rng.uniform(-1, 1, len(v)))
        for _ in range(DRAWS)
    ]  # fmt: skip
    for node, side in zip(replaced.nodes, replaced.sides, strict=True):
        other = {**sides, side: -sides[side]}
        here, *elsewhere = (
            np.abs(values(x, slopes, sides) - values(x, slopes, other)) for x in (point, *moved)
        )
        if (here > CHANGES * np.fmax.reduce(elsewhere)).any():
            return node
    return None


def expect_exact_slopes(
    place: str, what: str, entries: Sequence[Expr], state: Sequence[Expr], insert: Insert
) -> None:
    """Raise an error if expressions have a kink at a symbolic point, whatever its symbols are."""
    replaced = _replaced(entries, lambda u, _: bool(prove_zero(insert([u])[0])))
    if not replaced:
        return
    rows = jacobian(substitute(entries, replaced.nodes), list(state))
    slopes = [x for row in rows for x in row]
    for node, side in zip(replaced.nodes, replaced.sides, strict=True):
        right, left = (substitute(slopes, {side: x}) for x in (1, -1))
        change = insert([a - b for a, b in zip(right, left, strict=True)])
        if not all(prove_zero(x) for x in change):
            raise _error(place, what, node)


@final
class _Replaced:
    """(1): abs(u) with u = 0 as s u, and the symbols s."""

    def __init__(self) -> None:
        self.nodes: dict[Expr, Expr] = {}
        self.sides: list[Expr] = []

    def __bool__(self) -> bool:
        return bool(self.nodes)


def _replaced(entries: Iterable[Expr], vanishes: Callable[[Expr, list[Expr]], bool]) -> _Replaced:
    found = _Replaced()
    for n in walk(entries):  # operands first
        if n.op == ABS:
            (u,) = substitute([n.a], found.nodes)
            if vanishes(u, found.sides):
                s = internal("kink", str(len(found.sides)))
                found.nodes[n] = s * u
                found.sides.append(s)
    return found


def _bends(entries: Iterable[Expr]) -> bool:
    return any(n.op == ABS for n in walk(entries))


def _numbers(sides: Sequence[Expr]) -> dict[Expr, Fraction]:
    """General numbers for the s, so that no two terms cancel."""
    return {s: Fraction(2 * k + 7, 3 * k + 11) for k, s in enumerate(sides)}
