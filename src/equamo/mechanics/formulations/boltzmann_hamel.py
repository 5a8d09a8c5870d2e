"""Boltzmann-Hamel equations, for a robot in chosen speeds: q̇ = N(q) v.

With the vector fields X_j (the columns of N), T*(q, v) = T(q, N v) and p = ∂T/∂q̇ of the
unconstrained T at q̇ = N v,

    d/dt ∂T*/∂v_j − X_j T* + Σ_k p·[X_j, X_k] v_k = X_j·Q

(Boltzmann 1902; Hamel 1904; the form of Maruskin and Bloch 2011). Summed over k the bracket is
∂(N v)/∂q X_j − Ẋ_j. Dependent coordinates are substituted first, so that q are the robot's.
Only energies and their derivatives occur: how other formulations use the chosen speeds is not shared.
The energies and the Jacobians of force elements are Lagrange's. For robots whose joints have q̇ = u, on
a base at rest.
"""

from __future__ import annotations

from ...algebra.expr import Expr, symbol
from ...algebra.expr.differentiate import directional, gradient, hessian, jacobian
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector, dot
from ...errors import ConstraintError
from ...robot.model.robot import Robot
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.force_projection import generalized_force, rotor_energy
from ..kinematics.poses import poses
from .derivation import Derivation
from .lagrange import CoordinateJacobians, kinetic_energy, potential_energy


def boltzmann_hamel(robot: Robot) -> Derivation:
    """M, bias, gravity and generalized forces by the Boltzmann-Hamel equations.

    >>> from equamo.robot.library import load
    >>> boltzmann_hamel(load("wheeled_inverted_pendulum")).mass_matrix[0, 1].closed_form()
    MX_B
    """
    if not robot.tree.has_unit_map or not robot.base.is_zero:
        raise ConstraintError(
            "boltzmann_hamel: joints must have q̇ = u and the base must be at rest, got robot "
            f"{robot.name!r} with a quaternion or a moving base; use eq.derive(robot, by=…)."
        )
    tree, speeds = robot.tree, ChosenSpeeds(robot)
    pose, q, u, v = poses(tree), robot.q, tree.v, robot.v
    X = robot.kinematic_map
    rates = dict(zip(q, X @ Vector(v), strict=True))
    T = kinetic_energy(tree, pose, u) + rotor_energy(tree)
    T_star, *p = speeds.insert([T, *gradient(T, u)])
    p = _reduced(robot, p)
    momenta = gradient(T_star, v)  # ∂T*/∂v
    first = directional(momenta, rates)  # d/dt at v̇ = 0
    slope = gradient(T_star, q)
    U = gradient(speeds.insert([potential_energy(tree, pose)])[0], q)
    D = Matrix(jacobian(rates.values(), q))  # ∂(N v)/∂q
    X_dot = X.map(lambda e: directional(e, rates))
    bias: list[Expr] = []
    gravity: list[Expr] = []
    for j in range(len(v)):
        X_j = X.column(j)
        bracket = D @ X_j - X_dot.column(j)  # (2) Σ_k [X_j, X_k] v_k
        # (1) d/dt ∂T*/∂v_j − X_j T* + Σ_k p·[X_j, X_k] v_k, at v̇ = 0
        bias.append(first[j] - dot(X_j, slope) + dot(p, bracket))
        gravity.append(dot(X_j, U))
    J = CoordinateJacobians(tree, pose)
    Q = [generalized_force(tree, f, J) for f in robot.forces]
    inserted = iter(speeds.insert([e for f in Q for e in f]))
    forces = {
        f.name: Vector(speeds.combine([next(inserted) for _ in u])) for f in robot.forces
    }  # X_j·Q
    return Derivation(Matrix(hessian(momenta, v)), Vector(bias), Vector(gravity), forces)


def _reduced(robot: Robot, p: list[Expr]) -> list[Expr]:
    """p of the robot's coordinates; dependent ones contribute theirs, p' = (∂q_all/∂q)ᵀ p."""
    dependent = {symbol(n): e for n, e in robot.speed_map.dependent} if robot.speed_map else {}
    by_name = dict(zip(robot.joint_coordinates, p, strict=True))
    reduced = [by_name[x] for x in robot.q]
    for x, e in dependent.items():
        reduced = [a + by_name[x] * d for a, d in zip(reduced, gradient(e, robot.q), strict=True)]
    return reduced
