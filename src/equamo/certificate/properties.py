"""What equations of motion must satisfy, as expressions that vanish. Each function is one identity."""

from __future__ import annotations

from ..expr import HALF, ZERO, Expr, internal
from ..expr.differentiate import directional, gradient
from ..expr.vector import Vector
from ..formulations import EquationsOfMotion
from ..formulations.kinematics import velocities
from ..formulations.projection import BodyGeometry, rotor_energy
from ..formulations.recursive import inverse_dynamics
from ..formulations.speeds import ChosenSpeeds
from ..identity.prove import differences
from ..model import Body, Inertia, Robot
from ..model.edits import remade
from ..model.inertia import NAMES


def same(a: EquationsOfMotion, b: EquationsOfMotion) -> list[Expr]:
    """M, C v, g and every generalized force of two derivations."""
    zero = differences(a.mass_matrix, b.mass_matrix)
    zero += differences(a.bias, b.bias) + differences(a.gravity, b.gravity)
    for name in a.forces:
        zero += differences(a.forces[name], b.forces[name])
    return zero


def symmetric(eom: EquationsOfMotion) -> list[Expr]:
    """M = Mᵀ"""
    return differences(eom.mass_matrix, eom.mass_matrix.T)


def skew(eom: EquationsOfMotion) -> list[Expr]:
    """(Ṁ − 2C) + (Ṁ − 2C)ᵀ = 0"""
    M_dot = eom.mass_matrix.map(lambda e: directional(e, _rates(eom.robot)))
    S = M_dot - eom.coriolis_matrix * 2
    return list((S + S.T).entries)


def coriolis(eom: EquationsOfMotion) -> list[Expr]:
    """C v is the bias"""
    return differences(eom.coriolis_matrix @ Vector(eom.v), eom.bias)


def equation(eom: EquationsOfMotion) -> list[Expr]:
    """M v̇ + C v + g − (forces that are not inputs) is what Newton-Euler gives for v̇"""
    whole = eom.mass_matrix @ Vector(eom.vdot) + eom.bias + eom.gravity - eom.passive_force
    return differences(whole, eom.inverse_dynamics)


def power(eom: EquationsOfMotion) -> list[Expr]:
    """d/dt (T + U + ΣV) = v·f with f = M v̇ + C v + g − Σ(forces of springs), V their energies

    and for each force element: v·f = −dV/dt of a spring, v·f = P where it says its power P.
    """
    robot = eom.robot
    tree, speeds = robot.tree, ChosenSpeeds(robot)
    f = speeds.project(inverse_dynamics(tree, tree.v, tree.vdot, robot.gravity))
    E = speeds.insert([kinetic_energy(tree)])[0] + eom.potential_energy
    rates = _rates(robot) | dict(zip(eom.v, eom.vdot, strict=True))
    v, geometry = Vector(eom.v), BodyGeometry(robot)
    elements: list[Expr] = []
    for element in robot.forces:
        own = eom.forces[element.name]
        if own.energy is not None:
            E, f = E + own.energy, f - own
            elements.append(v @ own + directional([own.energy], rates)[0])
        P = element.power(geometry)
        if P is not None:
            elements.append(v @ own - speeds.insert([P])[0])
    return [directional([E], rates)[0] - v @ f, *elements]


def kinetic_energy(robot: Robot) -> Expr:
    """T from the velocity recursion: Σ ½ m V·V + MS·(V × ω) + ½ ω·J ω, and of the rotors"""
    m = velocities(robot)
    T = ZERO
    for b in robot.bodies:
        V, w, I = m.v[b.name], m.w[b.name], b.inertia
        T = T + HALF * (I.mass * (V @ V) + w @ (I.tensor @ w)) + I.first_moment @ V.cross(w)
    return T + rotor_energy(robot)


def conservative(eom: EquationsOfMotion) -> list[Expr]:
    """g = Nᵀ ∂U/∂q"""
    slope = Vector(gradient(eom.potential_energy, eom.q))
    return differences(eom.gravity, eom.kinematic_map.T @ slope)


def linear_in_inertia(robot: Robot) -> list[Expr]:
    """Inverse dynamics of a sum of inertias is the sum of inverse dynamics, for any ten numbers."""
    zero: list[Expr] = []
    parts: list[Vector] = []
    for which in ("a", "b", "ab"):
        bodies = [_with_fresh_inertia(b, which) for b in robot.bodies]
        fresh = remade(robot.tree, bodies=bodies, parameters={}, forces=[])
        parts.append(inverse_dynamics(fresh, fresh.v, fresh.vdot, robot.gravity))
    a, b, both = parts
    zero += differences(a + b, both)
    return zero


def _with_fresh_inertia(b: Body, which: str) -> Body:
    def fresh(letter: str) -> Inertia:
        return Inertia.about_origin([internal(f"inertia {letter}", f"{n} {b.name}") for n in NAMES])

    inertia = fresh("a") + fresh("b") if which == "ab" else fresh(which)
    return Body(b.name, b.joint, inertia=inertia, parent=b.parent)


def _rates(robot: Robot) -> dict[Expr, Expr]:
    return dict(zip(robot.q, robot.kinematic_map @ Vector(robot.v), strict=True))
