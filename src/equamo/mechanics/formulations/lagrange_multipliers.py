"""Lagrange's equations with multipliers, for robots with loops, held contacts or velocity constraints.

    (1)  d/dt ∂L/∂q̇ − ∂L/∂q = Q + (∂φ/∂q)ᵀ λ
    (2)  φ_q q̈ + d/dt(φ_q) q̇ = 0,   φ_q = ∂φ/∂q

In the joint speeds, q̇ = N u and A = φ_q N. Both together are one symmetric linear system,

    (3)  [0  A; Aᵀ  M] [−λ; u̇] = [−Ȧ u; f − b − g]

φ is written here from the definition of each cut joint, with poses in the world: nothing is taken from
`model.closure`, which uses poses relative to the other body, nor from chosen speeds. The certificate
compares the accelerations with those of Kane's equations in chosen speeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

from ...algebra.expr import ONE, ZERO, Expr
from ...algebra.expr.differentiate import directional, jacobian
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import ZERO3, Vector
from ...robot.model.closure import perpendicular
from ...robot.model.constraint import constraint_matrix
from ...robot.model.contact import Contact
from ...robot.model.loop import Loop
from ...robot.model.robot import Robot
from ...robot.spatial.pose import Pose
from ..kinematics.poses import poses
from ..recursions.factorisation import ltdl
from .derivation import Derivation

_POINT = ("revolute", "spherical", "universal", "fixed")  # both points coincide
_LINE = ("cylindrical", "prismatic")  # a point on a line
_AXES = ("revolute", "cylindrical", "planar")  # both axes are parallel
_ROTATION = ("fixed", "prismatic")  # no relative rotation


@final
@dataclass(frozen=True, slots=True)
class MultiplierEquations:
    """Rows of (2) in the joint speeds, by name: A u̇ + Ȧ u = 0."""

    A: Matrix
    bias: Vector  # Ȧ u


def multiplier_equations(robot: Robot) -> MultiplierEquations:
    """Rows of loops, held contacts and velocity constraints, by differentiating φ.

    Args:
        robot: The robot; chosen speeds are ignored.

    Returns:
        A and Ȧ u in the joint speeds, one row per equation.
    """
    tree = robot.tree
    X = poses(tree)
    names: list[str] = []
    phi: list[Expr] = []
    for loop in robot.loops:
        names += loop.row_names
        phi += _closure(loop, X)
    for contact in robot.contacts:
        if robot.mode[contact.name] == "stick":
            names += contact.row_names
            phi += _held_point(contact, X)
    N = tree.kinematic_map
    rows = list((Matrix(jacobian(phi, tree.q)) @ N).rows) if phi else []  # A = ∂φ/∂q N
    if robot.speed_map is not None:  # velocity constraints have the form A u = 0
        given = [c for c in robot.speed_map.constraints if c.name not in names]
        rows += constraint_matrix(given, tree.v).rows
        names += [c.name for c in given]
    u = Vector(tree.v)
    rates = dict(zip(tree.q, N @ u, strict=True))
    A = Matrix(rows, names, [x.name for x in tree.v])
    return MultiplierEquations(A, Vector(A.map(lambda e: directional(e, rates)) @ u, names))


def solve(equations: Derivation, A: Matrix, bias: Vector) -> tuple[Vector, Vector]:
    """(u̇, λ) of (3), from M, b, g and f in the joint speeds and independent rows A u̇ + bias = 0."""
    M, (m, n) = equations.mass_matrix, A.shape
    f = -(equations.bias + equations.gravity)
    for force in equations.forces.values():
        f = f + force
    if any(M[i, i] is ZERO for i in range(n)):  # a joint without inertia: add Aᵀ (A u̇ + bias) = 0
        M, f = M + A.T @ A, f - A.T @ bias
    # Eliminated from the last speed to the first multiplier, so that every pivot is regular.
    whole = Matrix([
        *([*([ZERO] * m), *row] for row in A.rows),
        *([*(row[i] for row in A.rows), *M.rows[i]] for i in range(n)),
    ])  # fmt: skip
    x = ltdl(whole).solve([*(-bias), *f])
    return Vector(x[m:]), Vector([-y for y in x[:m]])


def _closure(loop: Loop, X: Mapping[str, Pose]) -> Iterator[Expr]:
    """φ of a cut joint, in the order of its row names."""
    body, to = X[loop.body], X[loop.to]
    d = body.point(loop.at) - to.point(loop.to_at)  # in the world
    if loop.joint == "distance":
        assert loop.length is not None
        yield (d @ d - loop.length**2) / 2
        return
    x2, y2 = (to.rotation @ e for e in perpendicular(loop.to_axis))
    z1, z2 = body.rotation @ loop.axis, to.rotation @ loop.to_axis
    if loop.joint in _POINT:
        yield from (column @ d for column in to.rotation.T)  # in the frame of `to`
    elif loop.joint in _LINE:
        yield from (d @ x2, d @ y2)
    else:
        yield d @ z2
    if loop.joint in _AXES:
        across = z2.cross(z1)
        yield from (across @ x2, across @ y2)
    elif loop.joint in _ROTATION:
        # vee(E − Eᵀ)/2 = ½ Σ eₖ × E eₖ
        E = to.rotation.T @ body.rotation
        E = E if loop.rotation is None else E @ loop.rotation.T
        total = ZERO3
        for e in identity(3):
            total = total + e.cross(E @ e)
        yield from total / 2
    elif loop.joint == "universal":
        yield z1 @ z2


def _held_point(contact: Contact, X: Mapping[str, Pose]) -> Iterator[Expr]:
    """Coordinates of a contact point in the world, along two tangents and the normal."""
    r = X[contact.body].point(contact.at)
    n = contact.normal
    along_z = [x.value for x in n] == [0, 0, ONE.value]
    tangents = identity(3)[0:2, 0:3] if along_z else perpendicular(n)
    yield from (t @ r for t in (*tangents, n))
