"""Equations of loops, sticking contacts and velocity constraints: φ(q) = 0 and A(q) u = 0.

The rate of every φ is A u for all q, also where φ is not zero:

    (1) A = (∂φ/∂q) N     with q̇ = N u for the joint speeds u

Multipliers λ are conjugate to the rows: the generalized force is Aᵀ λ. Positions are in the frame of
`to`, so λ of x, y, z is the force of `to` on `body` in that frame, and λ of rx, ry, rz is the torque
when assembled. λ of a sticking contact is the force of the ground on the body.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from ...algebra.expr import ONE, ZERO, Expr
from ...algebra.expr.differentiate import directional_columns
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.rules import neg
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...errors import ModelError, UnknownNameError
from .body import WORLD
from .constraint import constraint_matrix
from .contact import STICK, Contact
from .loop import POWERS, TURNED, Loop
from .relative_pose import from_common_ancestor, transform

if TYPE_CHECKING:
    from .robot import Robot


@final
@dataclass(frozen=True, slots=True)
class Row:
    """One scalar equation.

    Attributes:
        name: Name of the equation, such as "closure x".
        owner: Name of the loop, contact or velocity constraint.
        phi: φ of a loop, which must be 0; None for contacts and velocity constraints.
        A: Coefficients of the joint speeds, in tree order.
        position: Function of q whose rate is A u: φ of a loop, the coordinate of a contact point
            along the direction of the row; None for velocity constraints.
        power: Power of a length that `position` is: 1, 2 for a distance, 0 for an orientation.
    """

    name: str
    owner: str
    phi: Expr | None
    A: tuple[Expr, ...]
    position: Expr | None
    power: int = 1

    @property
    def holonomic(self) -> bool:
        """Whether A u is the rate of a known function of q."""
        return self.position is not None

    @property
    def is_zero(self) -> bool:
        """Whether every coefficient is the number 0, as for z of a planar mechanism."""
        return all(a is ZERO for a in self.A)


@final
@dataclass(frozen=True, slots=True)
class Inequality:
    """Condition `expression` > 0 that selects an assembly of a loop."""

    name: str  # "closure: z₁·z₂ > 0"
    owner: str  # name of the loop
    expression: Expr


def closure_rows(robot: Robot) -> tuple[Row, ...]:
    """Rows of the loops and of the sticking contacts, in all joint coordinates."""
    named: list[tuple[str, str, Expr, int | None]] = []
    for loop in robot.loops:
        powers = POWERS[loop.joint]
        named += [
            (n, loop.name, e, power)
            for n, e, power in zip(loop.row_names, _phi(robot, loop), powers, strict=True)
        ]
    for c in robot.contacts:
        if robot.mode[c.name] == STICK:
            held = zip(c.row_names, _point(robot, c), strict=True)
            named += [(n, c.name, e, None) for n, e in held]
    # (1)
    A = along_speeds(robot, [e for _, _, e, _ in named])
    return tuple(
        Row(n, owner, e if power is not None else None, tuple(a), e, 1 if power is None else power)
        for (n, owner, e, power), a in zip(named, A, strict=True)
    )


def rows(robot: Robot) -> tuple[Row, ...]:
    """All equations of a robot: loops, sticking contacts, velocity constraints.

    Eliminated coordinates are substituted.
    """
    own = robot.closure_rows
    if robot.speed_map is None:
        return own
    names = {r.name for r in own}
    others = [c for c in robot.speed_map.constraints if c.name not in names]
    A = constraint_matrix(others, robot.joint_speeds)
    more = [Row(c.name, c.name, None, a, None) for c, a in zip(others, A.rows, strict=True)]
    return tuple(_substituted(r, robot.eliminated) for r in (*own, *more))


def inequalities(robot: Robot) -> tuple[Inequality, ...]:
    """Conditions of all loops that exclude antiparallel axes and half-turns."""
    found: list[Inequality] = []
    for loop in robot.loops:
        A = transform(robot, loop.body, loop.to).rotation
        if loop.joint in TURNED:
            E = _relative_rotation(loop, A)
            e, text = E[0, 0] + E[1, 1] + E[2, 2], "trace E > 0"
        elif "rx" in {n.split(" ")[-1] for n in loop.row_names}:
            e, text = loop.to_axis @ (A @ loop.axis), "z₁·z₂ > 0"
        else:
            continue
        e = substitute([e], robot.eliminated)[0]
        found.append(Inequality(f"{loop.name}: {text}", loop.name, e))
    return tuple(found)


def along_speeds(robot: Robot, functions: list[Expr]) -> list[list[Expr]]:
    """(∂f/∂q) N of functions f of the joint coordinates, one column per joint speed."""
    seeds: list[dict[Expr, Expr]] = []
    for b in robot.bodies:
        N = b.joint.map()
        for j in range(len(b.joint.speeds)):
            column = N.column(j)
            seeds.append({q: n for q, n in zip(b.joint.q, column, strict=True) if n is not ZERO})
    return directional_columns(functions, seeds)


def check_closure(robot: Robot) -> None:
    """Check the names and bodies of loops and contacts."""
    frames = [WORLD, *(b.name for b in robot.bodies)]
    seen: set[str] = set()
    for x in (*robot.loops, *robot.contacts):
        kind = "loop" if isinstance(x, Loop) else "contact"
        for n in (x.body, x.to) if isinstance(x, Loop) else (x.body,):
            if n not in frames:
                raise UnknownNameError("body", n, frames, f"{kind} {x.name!r}")
        if isinstance(x, Contact) and x.body == WORLD:
            raise ModelError(f"Contact {x.name!r} must be a point of a moving body, got 'world'.")
        for n in dict.fromkeys((x.name, *x.row_names)):
            if n in seen:
                raise ModelError(
                    f"Robot {robot.name!r}: loops, contacts and their equations must have different "
                    f"names, got {n!r} twice; rename one."
                )
            seen.add(n)


def perpendicular(z: Vector) -> tuple[Vector, Vector]:
    """Unit vectors x, y with x × y = z for a unit vector z: the other two axes if z is a coordinate
    axis.

    Without square roots (Duff et al. 2017); a symbolic z must not be opposite to its third axis, unless
    a component of it is 0.

    >>> from equamo.robot.model.rotation import unit_axis
    >>> perpendicular(unit_axis("x"))
    (Vector([0, 1, 0]), Vector([0, 0, 1]))
    """
    zeros = [k for k, e in enumerate(z) if e is ZERO]
    if len(zeros) == 2:
        k = next(k for k in range(3) if k not in zeros)
        x = Vector([ONE if i == (k + 1) % 3 else ZERO for i in range(3)])
    elif zeros:
        x = Vector([ONE if i == zeros[0] else ZERO for i in range(3)])
    else:
        a, b, c = z
        s = neg(ONE) if float_sign(c) < 0 else ONE
        k = neg(ONE) / (s + c)
        return Vector([ONE + s * a * a * k, s * a * b * k, -s * a]), Vector(
            [a * b * k, s + b * b * k, -b]
        )
    return x, z.cross(x)


def float_sign(e: Expr) -> int:
    """Sign of a number; 1 for an expression with symbols."""
    return 1 if e.symbols() or float(e) >= 0 else -1


def _phi(robot: Robot, loop: Loop) -> Iterator[Expr]:
    """φ of a loop, in the order of its names."""
    if loop.joint == "distance":
        X, Y = from_common_ancestor(robot, loop.to, loop.body)
        d = Y.point(loop.at) - X.point(loop.to_at)  # in the frame of the common ancestor
        assert loop.length is not None
        yield (d @ d - loop.length * loop.length) / 2
        return
    X = transform(robot, loop.body, loop.to)
    d, z1, z2 = X.point(loop.at) - loop.to_at, X.rotation @ loop.axis, loop.to_axis
    x2, y2 = perpendicular(z2)
    if loop.joint in ("revolute", "spherical", "universal", "fixed"):
        yield from d
    elif loop.joint in ("cylindrical", "prismatic"):
        yield from (x2 @ d, y2 @ d)
    else:  # planar
        yield z2 @ d
    if loop.joint == "universal":
        yield z1 @ z2
    elif loop.joint in ("revolute", "cylindrical", "planar"):
        # z₂ × z₁ along x₂ and y₂: its rate is the relative ω there when assembled
        yield from (-(z1 @ y2), z1 @ x2)
    elif loop.joint in TURNED:
        E = _relative_rotation(loop, X.rotation)
        yield from ((E[2, 1] - E[1, 2]) / 2, (E[0, 2] - E[2, 0]) / 2, (E[1, 0] - E[0, 1]) / 2)


def _relative_rotation(loop: Loop, A: Matrix) -> Matrix:
    """E = A A₀ᵀ, with A the rotation of `body` in `to` and A₀ the same when assembled."""
    return A if loop.rotation is None else A @ loop.rotation.T


def _point(robot: Robot, contact: Contact) -> Iterator[Expr]:
    """Coordinates of a contact point in the world, along two tangents and the normal."""
    r = transform(robot, contact.body).point(contact.at)
    if tuple(x.value for x in contact.normal) == (0, 0, 1):
        yield from r
        return
    x, y = perpendicular(contact.normal)
    yield from (x @ r, y @ r, contact.normal @ r)


def _substituted(row: Row, dependent: dict[str, Expr]) -> Row:
    if not dependent:
        return row
    A = tuple(substitute(row.A, dependent))
    phi, position = (
        None if e is None else substitute([e], dependent)[0] for e in (row.phi, row.position)
    )
    return replace(row, A=A, phi=phi, position=position)
