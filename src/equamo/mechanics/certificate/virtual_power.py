"""Virtual power of each kind of force element, written from its definition.

The generalized force f of an element is correct if w·f is its virtual power for all virtual speeds w.
The power is written here independently, from the fields of the element alone: a wrong gear, sign, frame
or coefficient in shared code is the same in every formulation, but not here.
"""

from __future__ import annotations

from functools import singledispatch

from ...algebra.expr import ONE, ZERO, Expr, sign, sqrt, symbol, tanh
from ...algebra.expr.vector import Vector
from ...robot.model import ForceElement
from ...robot.model.forces import (
    Cylinder,
    Damper,
    ForceActuator,
    JointActuator,
    JointDamper,
    JointFriction,
    JointSpring,
    RotorInertia,
    Spring,
    TorqueActuator,
    Wrench,
)
from ...robot.model.forces.two_points import TwoPoints
from ..kinematics.force_projection import BodyGeometry
from .virtual_motion import Speeds, VirtualMotion


@singledispatch
def virtual_power(element: ForceElement, m: VirtualMotion) -> Expr | None:
    """Power of an element for the virtual speeds w; None for a kind that is not defined here.

    >>> from equamo.robot.library import load
    >>> from equamo.robot.model import joint_actuator
    >>> virtual_power(joint_actuator("q1", gear="N"), VirtualMotion(load("rr_arm")))
    N*tau1*ddq1
    """
    return None


def has_definition(element: ForceElement) -> bool:
    """Whether the virtual power of this kind of element is defined here."""
    return virtual_power.dispatch(type(element)) is not virtual_power.dispatch(object)


# -- along a joint speed -----------------------------------------------------------------------------
@virtual_power.register
def _(element: JointActuator, m: VirtualMotion) -> Expr:
    return element.gear * symbol(element.input) * m.along(element.speed)


@virtual_power.register
def _(element: JointDamper, m: VirtualMotion) -> Expr:
    return -(element.damping * symbol(element.speed)) * m.along(element.speed)


@virtual_power.register
def _(element: JointSpring, m: VirtualMotion) -> Expr:
    stretch = symbol(element.coordinate) - element.rest
    return -(element.stiffness * stretch) * m.along(element.speed)


@virtual_power.register
def _(element: JointFriction, m: VirtualMotion) -> Expr:
    u = symbol(element.speed)
    direction = sign(u) if element.width is None else tanh(u / element.width)
    return -(element.coulomb * direction + element.viscous * u) * m.along(element.speed)


@virtual_power.register
def _(element: RotorInertia, m: VirtualMotion) -> Expr:
    return ZERO  # part of M; its energy is in `properties.kinetic_energy`


# -- on bodies ---------------------------------------------------------------------------------------
@virtual_power.register
def _(element: TorqueActuator, m: VirtualMotion) -> Expr:
    """Virtual power T·(δθ of the body − δθ of the body that takes the reaction)."""
    rotation = m.displacement(element.body, m.w).angular
    reaction = m.displacement(element.reaction_on, m.w).angular
    return (m.pose(element.body)[0] @ element.torque) @ (rotation - reaction)


@virtual_power.register
def _(element: ForceActuator, m: VirtualMotion) -> Expr:
    """Virtual power F·(δr of the point of action − δr of the point of reaction)."""
    at, to = element.body, element.reaction_on
    moved = m.point_displacement(at, m.point(at, element.point), m.w)
    reaction = m.point_displacement(to, m.point(to, element.reaction_point), m.w)
    return (m.pose(at)[0] @ element.force) @ (moved - reaction)


@virtual_power.register
def _(element: Wrench, m: VirtualMotion) -> Expr:
    """Virtual power F·δr + T·δθ."""
    body, A = element.body, m.pose(element.expressed_in)[0]
    place = m.point(element.point_in or body, element.point)
    moved = m.point_displacement(body, place, m.w)
    return (A @ element.force) @ moved + (A @ element.torque) @ m.displacement(body, m.w).angular


# -- between two points: r from one to the other, δl = r·δr/l ----------------------------------------
@virtual_power.register
def _(element: Spring, m: VirtualMotion) -> Expr:
    relative = ONE if element.rest is ZERO else ONE - element.rest / _length(element, m)
    return -(element.stiffness * relative) * _stretch(element, m, m.w)


@virtual_power.register
def _(element: Damper, m: VirtualMotion) -> Expr:
    r = _span(element, m)
    return -(element.damping * _stretch(element, m, m.u)) * _stretch(element, m, m.w) / (r @ r)


@virtual_power.register
def _(element: Cylinder, m: VirtualMotion) -> Expr:
    return symbol(element.input) * _stretch(element, m, m.w) / _length(element, m)


def _span(element: TwoPoints, m: VirtualMotion) -> Vector:
    """Vector r from the point of the other body, in the world frame."""
    return m.point(element.body, element.point) - m.point(element.other, element.other_point)


def _stretch(element: TwoPoints, m: VirtualMotion, speeds: Speeds) -> Expr:
    """Product of length and elongation, l δl = r·δr."""
    here, there = m.point(element.body, element.point), m.point(element.other, element.other_point)
    moved = m.point_displacement(element.body, here, speeds)
    return (here - there) @ (moved - m.point_displacement(element.other, there, speeds))


def _length(element: TwoPoints, m: VirtualMotion) -> Expr:
    """Length l as the element defines it; `same_length` proves that it is √(r·r).

    A second root of another form would double the work of the proof.
    """
    return element.line(BodyGeometry(m.robot)).length


def same_length(element: ForceElement, m: VirtualMotion) -> list[Expr]:
    """l and √(l²), then l² and r·r of an element between two points, which must be equal in pairs."""
    if not isinstance(element, TwoPoints):
        return []
    r, line = _span(element, m), element.line(BodyGeometry(m.robot))
    return [line.length, sqrt(line.length_squared), line.length_squared, r @ r]
