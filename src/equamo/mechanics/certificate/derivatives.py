"""Identities for derivatives of inverse dynamics: both sides of each.

Each holds for every direction w of the speeds, which consists of new symbols: one derivative along w
says as much as a matrix of derivatives. Let X and Y be the motions N w and N v of the coordinates, and

    [X, Y] = DY·X − DX·Y

their Lie bracket, which is zero if q̇ = v. With b = C v and Christoffel's C,

    (1) ∂ID/∂v̇ · w = M w
    (2) ∂ID/∂v · w = 2 C w + Nᵀ M_q [N w, N v] − ∂f/∂v · w        f: all forces that are not inputs
    (3) u·(∂g/∂q · w) = w·(∂g/∂q · u)                             if q̇ = v
    (4) d/dt ID = the recursion that is differentiated once more − d/dt f

(2) follows from b(v) = C(v) v, quadratic in v: its derivative along w is C(v) w + C(w) v, and the second
term is C(v) w up to the bracket. M_q is the mass matrix in the rates of the coordinates: Nᵀ M_q X is
Wᵀ M N⁺ X, with M and N of the joints.
"""

from __future__ import annotations

from ...algebra.expr import ZERO, Expr, internal
from ...algebra.expr.differentiate import directional
from ...algebra.expr.vector import Vector
from ...robot.model import Robot
from ..equations import EquationsOfMotion
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..recursions.composite_bodies import mass_matrix
from ..recursions.inverse_dynamics_rate import inverse_dynamics_rate
from ..recursions.newton_euler import inverse_dynamics
from .sides import Sides, sides


def by_acceleration(eom: EquationsOfMotion) -> list[Sides]:
    """(1)"""
    w = _direction(eom, "w")
    changed = directional(eom.inverse_dynamics, dict(zip(eom.vdot, w, strict=True)))
    return sides(Vector(changed), eom.mass_matrix @ w)


def by_speed(eom: EquationsOfMotion) -> list[Sides]:
    """(2)"""
    w = _direction(eom, "w")
    along = dict(zip(eom.v, w, strict=True))
    left = Vector(directional(eom.inverse_dynamics, along))
    f = Vector(directional(eom.passive_force, along))
    return sides(left, eom.coriolis_matrix @ w * 2 + _bracket_force(eom.robot, w) - f)


def _bracket_force(robot: Robot, w: Vector) -> Vector:
    """Nᵀ M_q [N w, N v]"""
    if robot.has_unit_map:
        return Vector([ZERO] * len(robot.v))
    tree, speeds, v = robot.tree, ChosenSpeeds(robot), Vector(robot.v)
    N = tree.kinematic_map.map(speeds.insert) @ speeds.W  # of all coordinates of the joints
    X, Y = N @ w, N @ v
    place = {x: k for k, x in enumerate(tree.q)}

    def rates(motion: Vector) -> dict[Expr, Expr]:
        return {x: motion[place[x]] for x in robot.q}

    ahead, behind = directional(Y, rates(X)), directional(X, rates(Y))
    bracket = Vector(a - b for a, b in zip(ahead, behind, strict=True))
    # M N⁺ [X, Y] in the joint speeds; projected on the chosen ones
    u = tree.kinematic_map_inverse.map(speeds.insert) @ bracket
    return Vector(speeds.combine(mass_matrix(tree).map(speeds.insert) @ u))


def gravity_symmetric(eom: EquationsOfMotion) -> list[Sides]:
    """(3)"""
    u, w = _direction(eom, "u"), _direction(eom, "w")
    along_u, along_w = (
        Vector(directional(eom.gravity, dict(zip(eom.q, x, strict=True)))) for x in (u, w)
    )
    return [(u @ along_w, w @ along_u)]


def in_time(eom: EquationsOfMotion) -> list[Sides]:
    """(4)"""
    left = Vector(directional(eom.inverse_dynamics, time_rates(eom)))
    return sides(left, differentiated_recursion(eom))


def second_derivatives(eom: EquationsOfMotion) -> Vector:
    """Symbols v̈."""
    return Vector(internal("second derivative", x.name) for x in eom.v)


def time_rates(eom: EquationsOfMotion) -> dict[Expr, Expr]:
    """Time derivatives of q, v and v̇."""
    rates = dict(zip(eom.q, eom.robot.kinematic_map @ Vector(eom.v), strict=True))
    rates |= zip(eom.v, eom.vdot, strict=True)
    rates |= zip(eom.vdot, second_derivatives(eom), strict=True)
    return rates


def differentiated_recursion(eom: EquationsOfMotion) -> Vector:
    """d/dt ID by the recursion, differentiated once more; d/dt f of the forces is subtracted."""
    rates = time_rates(eom)
    inertial = Vector(_rate(eom.robot, second_derivatives(eom), rates))
    return inertial - Vector(directional(eom.passive_force, rates))


def _rate(robot: Robot, jerk: Vector, rates: dict[Expr, Expr]) -> list[Expr]:
    """d/dt (Wᵀ τ) = Wᵀ τ̇ + Ẇᵀ τ in the joint speeds u = W v"""
    tree, speeds = robot.tree, ChosenSpeeds(robot)
    if speeds.trivial:
        return list(inverse_dynamics_rate(tree, jerk, robot.gravity))
    u_ddot = _second_rates(robot, speeds, rates)
    unknown = [internal("second derivative of", x.name) for x in tree.v]
    tau_dot = speeds.insert(inverse_dynamics_rate(tree, unknown, robot.gravity))
    tau_dot = Vector(tau_dot).subs(dict(zip(unknown, u_ddot, strict=True)))
    tau = Vector(speeds.insert(inverse_dynamics(tree, tree.v, tree.vdot, robot.gravity)))
    return [x + y for x, y in zip(speeds.combine(tau_dot), speeds.W_dot.T @ tau, strict=True)]


def _second_rates(robot: Robot, speeds: ChosenSpeeds, rates: dict[Expr, Expr]) -> list[Expr]:
    """ü = d/dt (W v̇ + Ẇ v)"""
    return directional(speeds.W @ Vector(robot.vdot) + speeds.bias, rates)


def _direction(eom: EquationsOfMotion, purpose: str) -> Vector:
    return Vector(internal(f"direction {purpose}", x.name) for x in eom.v)
