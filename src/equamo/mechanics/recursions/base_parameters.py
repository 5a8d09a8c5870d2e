"""Base parameters: the part of an inertia on which the joint force does not depend moves to the parent.

After Gautier and Khalil 1990, without a convention for frames. For a joint that rotates its body about
one axis e, take an inertia δ with

    mass m ,  first moment h e ,  tensor a (1 − e eᵀ)

Then δ S = 0, and δ about the parent's frame is the same for every q: its energy is that of δ fixed to
the parent, so it may be moved there. m, h and a are chosen such that the body is left without mass,
without first moment along e, and without the second moment a = ∫(e·r)² dm = ½ tr J − eᵀ J e. Then
n = J α + ω × J ω takes 13 multiplications instead of 15 (see `newton_euler`). A joint that does not
rotate the body lets the whole tensor move, one that does not move its origin the mass, a fixed one all.
An inertia that reaches the world has no effect and is dropped.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from ...algebra.expr import HALF, ONE, ZERO, Expr
from ...algebra.expr.count import count
from ...algebra.expr.matrix import Matrix, identity, mirrored, outer
from ...algebra.expr.number_size import bits
from ...algebra.expr.vector import ZERO3, Vector
from ...algebra.expr.walk import symbols
from ...robot.model.body import WORLD, Body
from ...robot.model.edits import copy_with
from ...robot.model.inertia import Inertia
from ...robot.model.joint import Joint
from ...robot.model.robot import Robot
from ...robot.spatial.pose import Pose
from .body_frames import LONGEST, factored, reframed, without_fixed_parents
from .newton_euler import inverse_dynamics


def regrouped(robot: Robot) -> Robot:
    """Robot with the same M, bias and gravity as functions, whose bodies have fewer parameters.

    Joints, coordinates and names are the same; bodies that are fixed to others are left without inertia,
    and their children become children of the body they are fixed to. The inertias are not those of rigid
    bodies (a mass of 0, negative moments), so `eq.check`, energies and the centre of mass are not valid
    for the result. It is meant for inverse and forward dynamics, mass matrix, bias and gravity.

    >>> from equamo.robot.library import load
    >>> [x is ZERO for x in regrouped(load("rx90")).body("link6").inertia.ten]
    [True, False, False, True, False, False, False, False, False, False]
    """
    bodies = without_fixed_parents(robot)
    I = {b.name: b.spatial_inertia for b in bodies}
    for b in reversed(bodies):
        own, free = _split(Inertia.of(I[b.name]), b.joint)
        if bits(free.ten) > LONGEST or free.is_zero:
            continue
        I[b.name] = own.in_frame(b.frame)
        if b.parent != WORLD:
            # The moved part is the same about the parent's frame for every q.
            start = {q: ZERO for q in b.joint.q}
            A, P = b.joint.rotation.subs(start), b.joint.position.subs(start)
            X = Pose(b.frame, I[b.parent].frame, A, P)
            I[b.parent] = I[b.parent] + X @ free.in_frame(b.frame)
    return copy_with(
        robot,
        bodies=[
            Body(b.name, b.joint, inertia=Inertia.of(I[b.name]), parent=b.parent) for b in bodies
        ],
    )


def customised(robot: Robot) -> Robot:
    """Robot in the form whose inverse dynamics takes the fewest operations, chosen once per robot.

    The candidates are the robot itself, `regrouped`, and the robot in other frames
    (`body_frames.reframed`, `factored`) and regrouped. With numbers the last one is taken as cheapest;
    with symbols, operations on the parameters count too.
    """
    if robot not in _customised:
        cheapest = _cheapest(robot)
        _customised[robot] = None if cheapest is robot else cheapest
    return _customised[robot] or robot


# None: the robot itself. A robot must not be held by its own entry.
_customised: WeakKeyDictionary[Robot, Robot | None] = WeakKeyDictionary()


def _cheapest(robot: Robot) -> Robot:
    both = factored(regrouped(reframed(robot)))
    if all(x.value is not None for b in robot.bodies for x in b.inertia.ten):
        return both
    return min((robot, regrouped(robot), both), key=_operations)


def _operations(robot: Robot) -> int:
    return count(inverse_dynamics(robot, robot.v, robot.vdot, robot.gravity)).instructions


def _split(I: Inertia, joint: Joint) -> tuple[Inertia, Inertia]:
    """(the part on which the joint force depends, the part that can move to the parent)"""
    still = joint.linear().is_zero  # the origin does not move in the parent
    if joint.angular().is_zero:
        own = Inertia(ZERO, ZERO3, Matrix([[ZERO] * 3] * 3))
        if still:
            return own, I
        return Inertia(I.mass, I.first_moment, own.tensor), Inertia(ZERO, ZERO3, I.tensor)
    m = I.mass if still else ZERO
    e = rotation_axis(joint)
    if e is None:
        zero = Inertia.zero()
        return Inertia(I.mass - m, I.first_moment, I.tensor), Inertia(m, ZERO3, zero.tensor)
    h = e * (e @ I.first_moment) if still else ZERO3
    a, tensor = _without(I.tensor, e)
    free = (identity(3) - outer(e, e)) * a
    return Inertia(I.mass - m, I.first_moment - h, tensor), Inertia(m, h, free)


def rotation_axis(joint: Joint) -> Vector | None:
    """Unit vector e about which the joint rotates the body, if it is the same for all speeds and q."""
    S = joint.angular()
    columns = [s for s in (S.column(j) for j in range(len(joint.speeds))) if not s.is_zero]
    if not columns:
        return None
    along = [k for k in range(3) if any(s[k] is not ZERO for s in columns)]
    if len(along) == 1:
        return identity(3).row(along[0])
    first = columns[0]
    same = all(s == first for s in columns)
    constant = not set(symbols(first)).intersection(joint.q)
    return first if same and constant and (first @ first) is ONE else None


def _without(J: Matrix, e: Vector) -> tuple[Expr, Matrix]:
    """(a, J − a (1 − e eᵀ)) with a = ½ tr J − eᵀ J e; along a coordinate axis Z then ZZ = XX + YY."""
    a = HALF * (J[0, 0] + J[1, 1] + J[2, 2]) - e @ (J @ e)
    rest = J - (identity(3) - outer(e, e)) * a
    rows = [list(r) for r in rest.rows]
    along = [k for k in range(3) if e[k] is not ZERO]
    if len(along) == 1:
        k, (i, j) = along[0], [x for x in range(3) if x != along[0]]
        rows[k][k] = rows[i][i] + rows[j][j]
    return a, mirrored(rows)
