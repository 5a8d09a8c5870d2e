"""Identities of equations of motion, one per function, both sides of each."""

from __future__ import annotations

from ...algebra.expr import HALF, ZERO, Expr, internal, symbol
from ...algebra.expr.differentiate import directional, gradient
from ...algebra.expr.vector import Vector
from ...robot.model import Body, Inertia, Robot
from ...robot.model.edits import copy_with
from ...robot.model.forces import RotorInertia
from ...robot.model.inertia import NAMES
from ...robot.model.slots import check_energy
from ..equations import EquationsOfMotion
from ..equations.derive import formulate
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.force_projection import BodyGeometry
from ..kinematics.velocities import velocities
from ..recursions.newton_euler import inverse_dynamics
from .sides import Sides, sides
from .virtual_motion import VirtualMotion
from .virtual_power import same_length, virtual_power


def same(a: EquationsOfMotion, b: EquationsOfMotion) -> list[Sides]:
    """M, C v, g and every generalized force of two derivations."""
    both = sides(a.mass_matrix, b.mass_matrix)
    both += sides(a.bias, b.bias) + sides(a.gravity, b.gravity)
    for name in a.forces:
        both += sides(a.forces[name], b.forces[name])
    return both


def skew(eom: EquationsOfMotion) -> list[Sides]:
    """Skew symmetry: Ṁ − 2C = −(Ṁ − 2C)ᵀ."""
    M_dot = eom.mass_matrix.map(lambda e: directional(e, _rates(eom.robot)))
    S = M_dot - eom.coriolis_matrix * 2
    return sides(S, -S.T)


def coriolis(eom: EquationsOfMotion) -> list[Sides]:
    """Coriolis matrix times v equals the bias."""
    return sides(eom.coriolis_matrix @ Vector(eom.v), eom.bias)


def equation(eom: EquationsOfMotion, other: EquationsOfMotion) -> list[Sides]:
    """M v̇ + C v + g − (forces that are not inputs) equals the Newton-Euler recursion at v̇.

    The left side is that of another formulation, whose C v and g are not the recursion at v̇ = 0.
    """
    whole = other.mass_matrix @ Vector(other.vdot) + other.bias + other.gravity
    return sides(whole - other.passive_force, eom.inverse_dynamics)


def state_derivative(eom: EquationsOfMotion) -> list[Sides]:
    """The state derivative (q̇, v̇) satisfies q̇ = N v and M v̇ + C v + g = Σ(forces of all elements)."""
    k = len(eom.q)
    rates, v_dot = Vector(eom.state_derivative[:k]), Vector(eom.state_derivative[k:])
    whole = eom.mass_matrix @ v_dot + eom.bias + eom.gravity
    forces = Vector([0] * len(eom.v))
    for f in eom.forces.values():
        forces = forces + f
    return [*sides(rates, eom.kinematic_map @ Vector(eom.v)), *sides(list(whole), list(forces))]


def virtual_powers(eom: EquationsOfMotion) -> list[Sides]:
    """w·f of each force element equals its virtual power, written from its definition."""
    m, w = VirtualMotion(eom.robot), Vector(eom.vdot)
    both: list[Sides] = []
    for element in eom.robot.forces:
        P = virtual_power(element, m)
        if P is not None:
            P, *lengths = m.insert([P, *same_length(element, m)])
            both.append((w @ eom.forces[element.name], P))
            both += zip(lengths[::2], lengths[1::2], strict=True)
    return both


def input_forces(eom: EquationsOfMotion) -> list[Sides]:
    """w·B τ equals the virtual power of all actuators."""
    m = VirtualMotion(eom.robot)
    total = ZERO
    for element in eom.robot.forces:
        if element.inputs():
            P = virtual_power(element, m)
            f = Vector(eom.vdot) @ eom.forces[element.name]
            total = total + (f if P is None else m.insert([P])[0])
    return [(Vector(eom.vdot) @ (eom.input_matrix @ Vector(eom.inputs)), total)]


def energy(eom: EquationsOfMotion) -> list[Sides]:
    """½ v·M v equals the kinetic energy T of all bodies and rotors."""
    T = ChosenSpeeds(eom.robot).insert([kinetic_energy(eom.robot.tree)])[0]
    return [(eom.kinetic_energy, T)]


def power(eom: EquationsOfMotion) -> list[Sides]:
    """Power balance d/dt (T + U + ΣV) = v·f with f = M v̇ + C v + g − Σ(forces of springs).

    V are the energies of the springs. For each force element, v·f = −dV/dt if it is a spring, and
    v·f = P if it defines its power P.
    """
    robot = eom.robot
    tree, speeds = robot.tree, ChosenSpeeds(robot)
    f = speeds.project(inverse_dynamics(tree, tree.v, tree.vdot, robot.gravity))
    E = speeds.insert([kinetic_energy(tree)])[0] + eom.potential_energy
    rates = _rates(robot) | dict(zip(eom.v, eom.vdot, strict=True))
    v, geometry = Vector(eom.v), BodyGeometry(robot)
    elements: list[Sides] = []
    for element in robot.forces:
        own = eom.forces[element.name]
        V = element.energy(geometry)
        if V is not None and own.energy is not None:
            check_energy(robot, element.name, V)
            E, f = E + own.energy, f - own
            elements.append((v @ own, -directional([own.energy], rates)[0]))
        P = element.power(geometry)
        if P is not None:
            elements.append((v @ own, speeds.insert([P])[0]))
    return [(directional([E], rates)[0], v @ f), *elements]


def kinetic_energy(robot: Robot) -> Expr:
    """T by the velocity recursion: Σ ½ m V·V + MS·(V × ω) + ½ ω·J ω, plus ½ J (N u)² of the rotors."""
    motion = velocities(robot)
    T = ZERO
    for b in robot.bodies:
        V, w, I = motion[b.name].linear, motion[b.name].angular, b.inertia
        T = T + HALF * (I.mass * (V @ V) + w @ (I.tensor @ w)) + I.first_moment @ V.cross(w)
    for f in robot.forces:
        if isinstance(f, RotorInertia):
            T = T + HALF * f.rotor * (f.ratio * symbol(f.speed)) ** 2
        else:
            for speed, inertia in f.inertia().items():
                T = T + HALF * inertia * symbol(speed) ** 2
    return T


def conservative(eom: EquationsOfMotion) -> list[Sides]:
    """Gravity is the gradient of the potential energy: g = Nᵀ ∂U/∂q."""
    slope = Vector(gradient(eom.potential_energy, eom.q))
    return sides(eom.gravity, eom.kinematic_map.T @ slope)


def linear_in_inertia(robot: Robot) -> list[Sides]:
    """Inverse dynamics of a sum of inertias is the sum of inverse dynamics, for any ten numbers.

    The sum is of Newton-Euler recursions; of the sum of inertias, Kane's equations are taken.
    """
    a, b, both = (_with_fresh_inertias(robot, which) for which in ("a", "b", "ab"))
    total = Vector([ZERO] * len(both.v))
    for fresh in (a, b):
        total = total + inverse_dynamics(fresh, fresh.v, fresh.vdot, robot.gravity)
    kane = formulate(both, "kane")
    return sides(total, kane.mass_matrix @ Vector(both.vdot) + kane.bias + kane.gravity)


def _with_fresh_inertias(robot: Robot, which: str) -> Robot:
    name, bodies = (
        f"inertias of {robot.name}",
        [_with_fresh_inertia(b, which) for b in robot.bodies],
    )
    return copy_with(robot.tree, name=name, bodies=bodies, parameters={}, forces=[])


def _with_fresh_inertia(b: Body, which: str) -> Body:
    def fresh(letter: str) -> Inertia:
        return Inertia.about_origin([internal(f"inertia {letter}", f"{n} {b.name}") for n in NAMES])

    inertia = fresh("a") + fresh("b") if which == "ab" else fresh(which)
    return Body(b.name, b.joint, inertia=inertia, parent=b.parent)


def _rates(robot: Robot) -> dict[Expr, Expr]:
    return dict(zip(robot.q, robot.kinematic_map @ Vector(robot.v), strict=True))
