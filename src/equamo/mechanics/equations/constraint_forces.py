"""Constraint forces, such as the force of the ground on a rolling wheel, or of a pin that closes a loop.

Robots with loops or sticking contacts and no chosen speeds have multipliers in their equations of
motion; `constrained` solves for them. With chosen speeds they are found afterwards:

In the joint speeds u, with the constraints A u = 0 and the speeds v = D u that were kept,

    (1)  M u̇ + b + g − f = r,   r = Aᵀ λ        λ_i is conjugate to the velocity of constraint i
    (2)  [A; D] [G W] = 1       the inverse of the matrix that gave W: A G = 1
    (3)  λ = Gᵀ r

where u = W v. Two identities are proved for every robot before λ is returned: λ does no work,
(W v)·Aᵀ λ = 0, and

    (4)  r − Aᵀ λ = Dᵀ Wᵀ r

so that Aᵀ λ is all of r if the equations of motion Wᵀ r = 0 hold.
"""

from __future__ import annotations

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import Vector
from ...algebra.identity.elimination import solve
from ...algebra.identity.prove import prove_all
from ...errors import ConstraintError
from ...robot.model.constraint import Constraint, constraint_matrix
from ...robot.model.robot import Robot
from ...robot.model.speeds import SpeedMap
from ..kinematics.chosen_speeds import ChosenSpeeds
from .constrained import is_augmented
from .derive import FORMULATIONS, formulate
from .equations import EquationsOfMotion


def constraint_forces(eom: EquationsOfMotion) -> dict[str, Expr]:
    """Constraint forces {name of the constraint: λ} in q, v, inputs and external forces.

    Redundant constraints are omitted. With chosen speeds they depend on v̇ too.

    Raises:
        ConstraintError: The robot has no constraints, or the forces cannot be proved correct.

    >>> from equamo.robot.library import load
    >>> from equamo.mechanics.equations import derive
    >>> ground = constraint_forces(derive(load("wheeled_inverted_pendulum")))
    >>> list(ground)
    ['left wheel rolls', 'right wheel rolls', 'no skidding']
    """
    robot = eom.robot
    if is_augmented(robot):
        rows = eom.constrained_system.rows
        return {r.name: x for r, x in zip(rows, eom.multipliers, strict=True)}
    speeds = _with_constraints(robot)
    constraints = [c for c in speeds.constraints if c.name not in speeds.redundant]
    kept = [Constraint(e, name) for name, e in speeds.kept]
    A = constraint_matrix(constraints, robot.joint_speeds)
    D = constraint_matrix(kept, robot.joint_speeds, "speed")
    r = Vector(ChosenSpeeds(robot).insert(_residual(robot, eom.by)))
    # (2), (3)
    n, m = len(robot.joint_speeds), len(constraints)
    inverse = solve(Matrix([*A.rows, *D.rows]), identity(n))
    G = Matrix([row[:m] for row in inverse.rows])
    A, D, G = (x.subs(dict(speeds.dependent)) for x in (A, D, G))
    force = G.T @ r
    power = (speeds.W @ Vector(robot.v)) @ (A.T @ force)
    # (4), with Wᵀ r from the equations of motion
    total = eom.mass_matrix @ Vector(eom.vdot) + eom.bias + eom.gravity
    for f in eom.forces.values():
        total = total - f
    rest = r - A.T @ force - D.T @ Vector(total.entries)
    for claim, proof in zip(
        ("do no work", "balance the equations of motion"),
        prove_all([[power], list(rest)], unit=robot.unit_groups),
        strict=True,
    ):
        if not proof:
            raise ConstraintError(
                f"Robot {robot.name!r}: could not prove that the constraint forces {claim}: {proof}."
            )
    return {c.name: x for c, x in zip(constraints, force, strict=True)}


def _with_constraints(robot: Robot) -> SpeedMap:
    speeds = robot.speed_map
    if speeds is None or not speeds.constraints:
        raise ConstraintError(
            f"Robot {robot.name!r} has no constraints, so it has no constraint forces; pass "
            "loops=[...] or constraints=[...] to Robot (speeds defined by rates have no constraint "
            "forces)."
        )
    return speeds


def _residual(robot: Robot, by: str) -> list[Expr]:
    """Residual (1) M u̇ + b + g − f in the joint speeds, by the formulation of the equations."""
    tree = robot.tree
    d = formulate(tree, by if by in FORMULATIONS else "recursive")
    r = d.mass_matrix @ Vector(tree.vdot) + d.bias + d.gravity
    for f in d.forces.values():
        r = r - f
    return list(r)
