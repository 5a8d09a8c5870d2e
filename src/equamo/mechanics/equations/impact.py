"""Impact: loops and held contacts become active instantaneously, and the speeds jump.

The positions stay, finite forces have no effect, and impulses p act along the rows. With w = A v⁻ before
and one coefficient of restitution e for all rows,

    (1)  M (v⁺ − v⁻) = Aᵀ p         (2)  A v⁺ = −e w
    (3)  p = −(1 + e) Λ w           (4)  v⁺ = v⁻ + M⁻¹ Aᵀ p
    (5)  ½ v⁻·M v⁻ − ½ v⁺·M v⁺ = ½ (1 − e²) w·Λ w

(5) is proved for every impact before it is returned. M is positive definite and the rows are
independent, so Λ is positive definite: an impact with 0 ≤ e ≤ 1 loses energy unless w = 0 or
e = 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from ...algebra.expr import HALF, ONE, ZERO, Expr, as_expr
from ...algebra.expr.vector import Vector
from ...algebra.identity.proof import Proof
from ...algebra.identity.prove import prove_all
from ...basics.arguments import items_of
from ...basics.wording import brief, counted
from ...errors import ConstraintError, ShapeError, UnknownNameError
from ...robot.model.read_only import ReadOnly
from .constraint_space import ConstraintSpace
from .equations import EquationsOfMotion
from .replaced import replace_in


@final
@dataclass(frozen=True)
class Impact:
    """Speeds after an impact, impulses and energy loss, in q and the speeds before it.

    Attributes:
        velocity: Speeds v⁺ after the impact.
        impulses: Impulse [N s or N m s] along each independent row, on the body: M (v⁺ − v⁻) = Aᵀ p.
        energy_loss: ½ (1 − e²) w·Λ w with w = A v⁻ [J].
        proof: Proof that it is the difference of the kinetic energies, and that A v⁺ = −e A v⁻.
    """

    velocity: Vector
    impulses: Mapping[str, Expr]
    energy_loss: Expr
    proof: Proof = field(compare=False)


def impact(
    eom: EquationsOfMotion,
    v: Sequence[Any] | Mapping[str, Any] | None = None,
    restitution: Any = 0,
) -> Impact:
    """Impact at which all loops and held contacts of the equations become active.

    Args:
        eom: Equations of motion in the augmented form, such as `eom.in_mode(LF="stick")`.
        v: Speeds before the impact: one quantity per speed, or quantities by name (others are 0); by
            default the symbols of the speeds.
        restitution: Coefficient e of all rows: 0 for a plastic impact, 1 for an elastic one; a number,
            or an expression.

    Returns:
        The impact; `eom.evaluate(impact.velocity, q=…, v=…)` returns numbers.

    Raises:
        ConstraintError: The robot has no rows, its speeds were chosen, or `restitution` is not between
            0 and 1.
        ShapeError: `v` has the wrong number of speeds.
        UnknownNameError: `v` has an unknown speed.

    >>> from equamo.robot.library import load
    >>> from equamo.mechanics.equations import derive
    >>> landing = impact(derive(load("starleth")).in_mode(LF="stick"), v={"dqZ": -1})
    >>> list(landing.impulses), landing.proof.verdict
    (['LF x', 'LF y', 'LF z'], 'proved')
    """
    space = ConstraintSpace(eom, "impact()")
    whole = space.eom
    e, before = _restitution(restitution), _speeds(whole, v)
    M, w = whole.mass_matrix, space.A @ before
    after, p, loss = jump(space, before, e)
    difference = HALF * (before @ (M @ before)) - HALF * (after @ (M @ after)) - loss
    claims = [difference, *(space.A @ after + w * e), *(M @ (after - before) - space.A.T @ p)]
    proof = prove_all([claims], unit=whole.robot.unit_groups)[0]
    if not proof:
        raise ConstraintError(
            f"Robot {whole.robot.name!r}: could not prove the energy loss of the impact: {proof}; "
            "pass v as numbers, or replace parameters by numbers with subs."
        )
    steps = () if eom.replaced is None else eom.replaced.steps
    impulses = {n: replace_in(x, steps) for n, x in zip(space.rows, p, strict=True)}
    velocity = Vector(after, [x.name for x in whole.v])
    return Impact(replace_in(velocity, steps), ReadOnly(impulses), replace_in(loss, steps), proof)


def jump(space: ConstraintSpace, before: Vector, e: Expr) -> tuple[Vector, Vector, Expr]:
    """Speeds after an impact, impulses along the rows, and energy loss."""
    w = list(space.A @ before)
    momentum = space.momentum(w)  # Λ w
    after = before - space.correction(w) * (ONE + e)  # (4)
    loss = HALF * (ONE - e * e) * (momentum @ Vector(w))  # (5)
    return after, momentum * -(ONE + e), loss  # (3)


def _restitution(value: Any) -> Expr:
    """Coefficient of restitution; a number must be between 0 and 1."""
    e = as_expr(value)
    if e.value is not None and not 0 <= e.value <= 1:
        raise ConstraintError(
            f"impact(): restitution must be between 0 (plastic) and 1 (elastic), got {brief(value)}."
        )
    return e


def _speeds(eom: EquationsOfMotion, v: Sequence[Any] | Mapping[str, Any] | None) -> Vector:
    """Speeds before the impact, in the order of the equations."""
    if v is None:
        return Vector(eom.v)
    names = [x.name for x in eom.v]
    if isinstance(v, Mapping):
        for n in v:
            if n not in names:
                raise UnknownNameError("speed", n, names, "impact()")
        return Vector([v.get(n, ZERO) for n in names])
    listed = None if isinstance(v, str) else items_of(v)
    if listed is None:
        raise ShapeError(
            f"impact(): v must be a list of speeds or {{speed: number}}, got {brief(v)}."
        )
    if len(listed) != len(names):
        raise ShapeError(
            f"impact(): v must have {counted(len(names), 'speed')}, got {len(listed)}; to leave the "
            'others at 0, pass numbers by name, v={"dq1": -1}.'
        )
    return Vector(listed)
