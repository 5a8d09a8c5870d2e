"""Base parameters: the part of an inertia that the joint does not feel moves to the parent.

After Gautier and Khalil 1990, without frames of a convention. A body whose joint turns it about one
axis e has, beside its own inertia, any inertia δ with

    mass m ,  first moment h e ,  tensor a (1 − e eᵀ)

for free: δ S = 0, and δ seen from the parent is the same for every q. So its energy is that of δ fixed
to the parent, and it may be carried there: m, h and a are chosen such that the body is left without
mass, without first moment along e, and without the second moment a = ∫(e·r)² dm = ½ tr J − eᵀ J e. Then
n = J α + ω × J ω takes 13 multiplications instead of 15 (see `recursive`). A joint that does not turn
the body leaves the whole tensor free, one that does not move its origin the mass, a fixed one all of it.
What comes to the world is felt by no joint and goes.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from ..expr import HALF, ONE, ZERO, Expr
from ..expr.count import count
from ..expr.matrix import Matrix, identity, mirrored, outer
from ..expr.number_size import bits
from ..expr.vector import ZERO3, Vector
from ..expr.walk import symbols
from ..model.body import WORLD, Body
from ..model.edits import copy_with
from ..model.inertia import Inertia
from ..model.joint import Joint
from ..model.robot import Robot
from .body_frames import LONGEST, carried, factored, reframed
from .newton_euler import inverse_dynamics
from .symmetric import moved


def regrouped(robot: Robot) -> Robot:
    """A robot with the same M, bias and gravity as functions, whose bodies have fewer parameters.

    Joints, coordinates, names and frames are the same; bodies that are fixed to others are left without
    inertia, and what they carried is carried by the body that they are fixed to. The inertias are those
    of no rigid bodies (a mass of 0, negative moments): `eq.check` and what is said of single bodies do
    not apply, nor do energies and the centre of mass, which change by what no joint feels. For inverse
    and forward dynamics, mass matrix, bias and gravity.

    >>> from equamo.robots import load
    >>> [x is ZERO for x in regrouped(load("rx90")).body("link6").inertia.ten]
    [True, False, False, True, False, False, False, False, False, False]
    """
    inertia = {b.name: b.inertia for b in robot.bodies}
    placed = carried(robot)
    for b in reversed(placed):
        own, free = _split(inertia[b.name], b.joint)
        if bits(free.ten) > LONGEST:
            own, free = inertia[b.name], Inertia.zero()
        inertia[b.name] = own
        if b.parent != WORLD and not free.is_zero:
            start = {q: ZERO for q in b.joint.q}  # what is free looks the same for every q
            A, P = b.joint.rotation.subs(start), b.joint.position.subs(start)
            inertia[b.parent] = inertia[b.parent] + moved(free, A, P)
    return copy_with(
        robot, bodies=[Body(b.name, b.joint, inertia=inertia[b.name], parent=b.parent) for b in placed]
    )  # fmt: skip


def customised(robot: Robot) -> Robot:
    """The robot in the form whose inverse dynamics takes the fewest operations.

    As given, `regrouped`, or in other frames (`body_frames.reframed`, `factored`) and regrouped.
    With numbers all of it saves; with symbols what is made of the parameters is counted too. It is
    looked for once per robot.
    """
    if robot not in _customised:
        found = _cheapest(robot)
        _customised[robot] = None if found is robot else found
    return _customised[robot] or robot


# None: as given. A robot must not be held by its own entry.
_customised: WeakKeyDictionary[Robot, Robot | None] = WeakKeyDictionary()


def _cheapest(robot: Robot) -> Robot:
    both = factored(regrouped(reframed(robot)))
    if all(x.value is not None for b in robot.bodies for x in b.inertia.ten):
        return both
    return min((robot, regrouped(robot), both), key=_operations)


def _operations(robot: Robot) -> int:
    return count(inverse_dynamics(robot, robot.v, robot.vdot, robot.gravity)).instructions


def _split(I: Inertia, joint: Joint) -> tuple[Inertia, Inertia]:
    """(what the joint feels, what it does not)"""
    still = joint.linear().is_zero  # the origin does not move in the parent
    if joint.angular().is_zero:
        own = Inertia(ZERO, ZERO3, Matrix([[ZERO] * 3] * 3))
        if still:
            return own, I
        return Inertia(I.mass, I.first_moment, own.tensor), Inertia(ZERO, ZERO3, I.tensor)
    m = I.mass if still else ZERO
    e = _axis(joint)
    if e is None:
        zero = Inertia.zero()
        return Inertia(I.mass - m, I.first_moment, I.tensor), Inertia(m, ZERO3, zero.tensor)
    h = e * (e @ I.first_moment) if still else ZERO3
    a, tensor = _without(I.tensor, e)
    free = (identity(3) - outer(e, e)) * a
    return Inertia(I.mass - m, I.first_moment - h, tensor), Inertia(m, h, free)


def _axis(joint: Joint) -> Vector | None:
    """The unit vector e about which the joint turns the body, if it is one and the same always."""
    columns = [s_w for s_w, _ in joint.columns if not s_w.is_zero]
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
