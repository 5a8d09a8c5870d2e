"""Regressor columns of drives: rotor inertia, viscous and Coulomb friction at joints.

Ia   u̇              rotor inertia N² J_m, referred to the joint
Fv   u              viscous friction, of a damper or of joint friction
Fc   sign(u)        Coulomb friction, or tanh(u/w) if it is smoothed
Fcp  ((1 + sign u)/2)² sign(u),  Fcm  ((1 − sign u)/2)² sign(u)
                    Coulomb friction that depends on the direction
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...algebra.expr import HALF, ONE, ZERO, Expr, sign, symbol, tanh
from ...algebra.expr.walk import symbols
from ...algebra.identity import prove_zero
from ...robot.model.force import ForceElement
from ...robot.model.forces.joint_damper import JointDamper
from ...robot.model.forces.joint_friction import JointFriction
from ...robot.model.robot import Robot


class DriveColumn(NamedTuple):
    """One parameter of a drive: it multiplies `entry` along one joint speed, on the left-hand side."""

    quantity: str
    element: str
    value: Expr
    speed: int  # position among the joint speeds
    entry: Expr


def rotor_columns(robot: Robot, rates: tuple[Expr, ...]) -> Iterator[DriveColumn]:
    """Columns of rotor inertia along given joint accelerations (or speeds, for momentum)."""
    position = {x.name: k for k, x in enumerate(robot.joint_speeds)}
    for element in robot.forces:
        for speed, inertia in element.inertia().items():
            k = position[speed]
            yield DriveColumn("Ia", element.name, inertia, k, rates[k])


def friction_columns(robot: Robot, element: ForceElement) -> list[DriveColumn] | None:
    """Columns of a damper or of joint friction; None if it is not linear in constant parameters."""
    if isinstance(element, JointDamper):
        parts = [("Fv", element.damping, symbol(element.speed))]
    elif isinstance(element, JointFriction):
        coulomb = _coulomb(element)
        if coulomb is None:
            return None
        parts = [*coulomb, ("Fv", element.viscous, symbol(element.speed))]
    else:
        return None
    moving = {*robot.joint_coordinates, *robot.joint_speeds, *robot.v, *robot.joint_accelerations}
    if not moving.isdisjoint(symbols(value for _, value, _ in parts)):
        return None
    k = [x.name for x in robot.joint_speeds].index(element.speed)
    return [DriveColumn(n, element.name, x, k, y) for n, x, y in parts if x is not ZERO]


def _coulomb(element: JointFriction) -> list[tuple[str, Expr, Expr]] | None:
    """Coulomb's part: one column, or one per direction; None if it depends on the speed otherwise."""
    u, Fc = symbol(element.speed), element.coulomb
    direction = sign(u) if element.width is None else tanh(u / element.width)
    if u not in symbols([Fc]):
        return [("Fc", Fc, direction)]
    plus, minus = Fc.subs({u: 1}), Fc.subs({u: -1})
    forward, backward = (HALF * (ONE + sign(u))) ** 2, (HALF * (ONE - sign(u))) ** 2
    if element.width is not None or not prove_zero(Fc - plus * forward - minus * backward):
        return None
    return [("Fcp", plus, forward * direction), ("Fcm", minus, backward * direction)]
