"""The same mechanism cut at another joint: both robots have equal accelerations.

A loop with a revolute or spherical cut between the bodies b and `to` becomes a joint of the tree, and
the joint between b and its parent is cut instead. The new joint has the angle θ of b relative to
`to` about the axis a, or the unit quaternion (w, x, y, z) of its orientation. With the rotation R and
the angular velocity ω of b relative to `to`,

    (1)  cos θ = ½ (trace R − 1),  sin θ = ½ a·vee(R − Rᵀ),  θ̇ = a·ω
    (2)  w = ½ √(1 + trace R),  (x, y, z) = vee(R − Rᵀ)/(4 w),  speeds Rᵀω

Both robots have the same motions only where the loop is closed. So the point of attachment on `to`
becomes three new parameters, by which the closure φ(q) = 0 is solved: it is linear in them. The identity
then holds for all q and all parameters, so the usual bound applies; it covers every geometry, including
that of the robot.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from ...algebra.expr import ONE, Expr, cos, internal, sin, sqrt
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix, unskew
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import ZERO3, Vector
from ...algebra.expr.walk import symbols
from ...algebra.identity.prove import prove_zero
from ...algebra.identity.rank import independent_rows, rank
from ...robot.model import Body, Robot, fixed, revolute, spherical
from ...robot.model.edits import copy_with
from ...robot.model.joint import Joint
from ...robot.model.joints.cylindrical import Cylindrical
from ...robot.model.joints.prismatic import Prismatic
from ...robot.model.joints.revolute import Revolute
from ...robot.model.joints.spherical import Spherical
from ...robot.model.loop import Loop
from ..equations.derive import formulate
from ..formulations.lagrange_multipliers import solve
from ..kinematics import closure
from ..kinematics.poses import transform
from ..recursions.constrained_dynamics import ConstrainedFactors
from ..recursions.factorisation import ltdl
from .sides import Sides

_KINDS: dict[type[Joint], str] = {
    Revolute: "revolute",
    Prismatic: "prismatic",
    Cylindrical: "cylindrical",
    Spherical: "spherical",
}


def loop_to_move(robot: Robot) -> Loop | str:
    """First loop that can be exchanged for a joint of the tree, from the point of view of the moving
    body.

    Returns:
        The loop, or the reason why there is none.
    """
    if not robot.loops:
        return "the robot has no loops"
    reason = "no loop has a revolute or spherical cut"
    for loop in (x for x in robot.loops if x.joint in ("revolute", "spherical")):
        if loop.joint == "revolute" and loop.axis != loop.to_axis:
            reason = "the axis of no revolute cut has the same components in both bodies"
            continue
        reason = "no joint of a body at such a cut can be cut"
        for side in (loop, _reversed(loop)):
            if side.body == "world" or side.body in (b.name for b in robot.path(side.to)):
                continue
            if type(robot.body(side.body).joint) not in _KINDS:
                continue
            if not _closes_by_attachment(robot, side):
                reason = "the equations of orientation restrict q"
            elif rank(Matrix([r.A for r in robot.rows]), robot.unit_groups) == len(
                robot.joint_speeds
            ):
                reason = "no degree of freedom with another point of attachment"
            else:
                return side
    return reason


def _reversed(loop: Loop) -> Loop:
    """The same cut from the point of view of the other body."""
    return replace(
        loop, body=loop.to, at=loop.to_at, axis=loop.to_axis, to=loop.body, to_at=loop.at,
        to_axis=loop.axis,
    )  # fmt: skip


def _closes_by_attachment(robot: Robot, loop: Loop) -> bool:
    """Whether the axes are parallel for all q, so that the point of attachment closes the loop."""
    if loop.joint == "spherical":
        return True
    R = transform(robot.tree, loop.body, loop.to).rotation
    return bool(prove_zero((R @ loop.axis - loop.to_axis), unit=robot.unit_groups))


def two_cuts(robot: Robot, loop: Loop) -> list[Sides]:
    """Accelerations of the joints that both robots have, at the same state, with the loop closed.

    Force elements along the joint that the second robot cuts are omitted in both.
    """
    b = robot.body(loop.body)
    attached = replace(loop, to_at=Vector([internal("attachment", c) for c in "xyz"]))
    others = [x for x in robot.loops if x.name != loop.name]
    parts: dict[str, Any] = {
        "forces": [f for f in robot.forces if not {*f.speeds()} & {*b.joint.speeds}],
        "speeds": None, "parameters": {}, "limits": {}, "home": {},
    }  # fmt: skip
    here = copy_with(robot, **parts, loops=[attached, *others])
    bodies = [*_kept(robot, loop), *(hinge := _hinge(robot, attached)), *_carried(robot, loop)]
    there = copy_with(robot, **parts, bodies=bodies, loops=[_cut(b, loop.name), *others])
    X = transform(here.tree, loop.body, loop.to)
    new = _of_new_joint(hinge[0].joint, X.rotation, loop.axis, _rates(here))
    shared = [x for x in here.v if x not in b.joint.v]
    first = dict(zip(here.v, _by_multipliers(here), strict=True))
    second = dict(zip(there.v, _by_factors(there), strict=True))
    right = substitute([second[x] for x in shared], new)
    closed = dict(zip(attached.to_at, X.point(loop.at), strict=True))
    both = substitute([*(first[x] for x in shared), *right], closed)
    both = substitute(both, _allowed(here))
    return list(zip(both[: len(shared)], both[len(shared) :], strict=True))


def _of_new_joint(joint: Joint, R: Matrix, a: Vector, rates: dict[Expr, Expr]) -> dict[Expr, Expr]:
    """Coordinates and speeds of the new joint in those of the first robot."""
    R_dot = R.map(lambda e: directional(e, rates))
    trace, skew = R[0, 0] + R[1, 1] + R[2, 2], unskew(R - R.T)
    if isinstance(joint, Revolute):  # (1)
        (theta,), (speed,) = joint.q, joint.v
        turned = {cos(theta): (trace - ONE) / 2, sin(theta): a @ skew / 2}
        return turned | {speed: a @ unskew(R_dot @ R.T)}
    w = sqrt(trace + ONE) / 2  # (2)
    new = dict(zip(joint.q, (w, *(skew / (4 * w))), strict=True))
    return new | dict(zip(joint.v, unskew(R.T @ R_dot), strict=True))


def _hinge(robot: Robot, loop: Loop) -> list[Body]:
    """The cut as a joint of the tree: a massless body that rotates on `to`, and b fixed to it."""
    taken = {x.name for x in symbols(robot.expressions())} | {b.name for b in robot.bodies}
    names = (f"new{k}" for k in count())
    name = next(n for n in names if not any(x.lstrip("d").startswith(n) for x in taken))
    joint: Joint = spherical(name, at=loop.to_at)
    if loop.joint == "revolute":
        joint = revolute(name, axis=loop.to_axis, at=loop.to_at)
    b = robot.body(loop.body)
    return [
        Body(name, joint, parent=loop.to),
        Body(b.name, fixed(at=-loop.at), inertia=b.inertia, parent=name),
    ]


def _carried(robot: Robot, loop: Loop) -> list[Body]:
    """Bodies carried by the moving one."""
    return [b for b in robot.bodies if loop.body in [x.name for x in robot.path(b.parent)]]


def _kept(robot: Robot, loop: Loop) -> list[Body]:
    """Bodies that keep their place in the tree."""
    moved = {loop.body, *(b.name for b in _carried(robot, loop))}
    return [b for b in robot.bodies if b.name not in moved]


def _cut(b: Body, name: str) -> Loop:
    """The joint of a body as a cut between it and its parent."""
    joint = b.joint
    kind, axis = _KINDS[type(joint)], getattr(joint, "axis", Vector([0, 0, 1]))
    turned = joint.turned if kind == "prismatic" else None
    to_axis = joint.turned @ axis
    return Loop(name, b.name, ZERO3, axis, b.parent, joint.at, to_axis, kind, None, turned)


def _rates(robot: Robot) -> dict[Expr, Expr]:
    return dict(zip(robot.q, robot.kinematic_map @ Vector(robot.v), strict=True))


def _all_rows(robot: Robot) -> Matrix:
    return Matrix([row.A for row in robot.rows])


def _independent(robot: Robot) -> Matrix:
    A = _all_rows(robot)
    return Matrix([A.rows[i] for i in independent_rows(A, robot.unit_groups)])


def _by_multipliers(robot: Robot) -> Vector:
    """u̇ by the recursion, the rows of the model and their multipliers."""
    A = _independent(robot)
    rates = _rates(robot)
    bias = A.map(lambda e: directional(e, rates)) @ Vector(robot.v)
    return solve(formulate(robot, "recursive"), A, bias)[0]


def _by_factors(robot: Robot) -> list[Expr]:
    """u̇ by Kane's equations, the recursion for rows and factors of M."""
    d, rows = formulate(robot, "kane"), independent_rows(_all_rows(robot), robot.unit_groups)
    A, bias = closure.constraint_matrix(robot), closure.constraint_bias(robot)
    force = -(d.bias + d.gravity)
    for f in d.forces.values():
        force = force + f
    factors = ConstrainedFactors(d.mass_matrix, Matrix([A.rows[i] for i in rows]))
    return factors.solve([*force, *(-bias[i] for i in rows)])[: len(robot.v)]


def _allowed(robot: Robot) -> dict[Expr, Expr]:
    """Any speeds u, projected onto A u = 0: u − Aᵀ (A Aᵀ)⁻¹ A u."""
    A, u = _independent(robot), Vector(robot.v)
    rest = ltdl(A @ A.T).solve(list(A @ u))
    return dict(zip(robot.v, u - A.T @ Vector(rest), strict=True))
