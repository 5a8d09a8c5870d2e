"""Composite rigid bodies: the mass matrix (Walker and Orin 1982; [RBDA] table 6.2).

With the rotation of a symmetric matrix about an axis in 8 multiplications and 8 additions.
"""

from __future__ import annotations

from typing import Final

from ..expr import ZERO, Expr
from ..expr.matrix import Matrix, mirrored
from ..expr.vector import Vector
from ..kinematics.force_projection import rotor_inertia
from ..kinematics.quantity_name import QuantityName
from ..kinematics.steps import Recorder, of
from ..model.body import WORLD, Body
from ..model.inertia import Inertia
from ..model.robot import Robot
from .accumulate import plus_cross
from .symmetric import moved

_FORCE: Final = "[F, N] = I_j S_j, then A F, A N + P × A F"


def mass_matrix(robot: Robot, record: Recorder | None = None) -> Matrix:
    """Joint-space inertia by the composite-rigid-body algorithm ([RBDA] table 6.2).

    M is n×n in tree order [kg m² for revolute, kg for prismatic joints], rotor inertia included.

    >>> from equamo.robots import load
    >>> mass_matrix(load("rr_arm"))[1, 1].closed_form()
    I2 + Lc2**2*m2
    """
    n = len(robot.v)
    M: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    composite: dict[str, Inertia] = {b.name: b.inertia for b in robot.bodies}
    for b in reversed(robot.bodies):
        I = composite[b.name]
        if record is not None:
            _record_composite(record, robot, b, I)
        if b.parent != WORLD:
            composite[b.parent] = composite[b.parent] + moved(I, b.joint.rotation, b.joint.position)
        for (s_w, s_v), j in zip(b.joint.columns, robot.columns(b), strict=True):
            # Force and moment at the origin of b that accelerate the composite body by column j
            f = s_v * I.mass + s_w.cross(I.first_moment)
            m = I.tensor @ s_w + I.first_moment.cross(s_v)
            _row(robot, M, b, j, f, m, record)
    for i, I_a in enumerate(rotor_inertia(robot)):
        M[i][i] = M[i][i] + I_a
    return mirrored(M)


def _record_composite(record: Recorder, robot: Robot, b: Body, I: Inertia) -> None:
    """Record mass, first moment and tensor of a body with all that it carries."""
    carried = [c.name for c in robot.bodies if c.parent == b.name]
    known = [x for c in carried for x in of(("mc", "hc", "Jc"), c)]
    for letter, value in (("mc", I.mass), ("hc", I.first_moment), ("Jc", I.tensor)):
        record("I_i += moved I_j", QuantityName(letter, b.name), value, known)


def _row(
    robot: Robot,
    M: list[list[Expr]],
    b: Body,
    j: int,
    f: Vector,
    m: Vector,
    record: Recorder | None,
) -> None:
    """M_ij for all speeds i from body b up to the base."""
    known: list[QuantityName] = []
    while True:
        if record is not None:
            known = known or of(("mc", "hc", "Jc"), b.name)
            by = (robot.v[j].name,)
            record(_FORCE, QuantityName("F", b.name, by=by), f, known)
            record(_FORCE, QuantityName("N", b.name, by=by), m, known)
            known = of("FN", b.name, by)
        for (s_w, s_v), i in zip(b.joint.columns, robot.columns(b), strict=True):
            if i <= j:
                M[i][j] = s_w @ m + s_v @ f
        if b.parent == WORLD:
            return
        A, P = b.joint.rotation, b.joint.position
        f = A @ f
        m = plus_cross(A @ m, P, f)
        b = robot.body(b.parent)
