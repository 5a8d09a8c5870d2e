"""Boltzmann-Hamel equations, for a robot in chosen speeds u = W(q) v.

With the vector fields X_j (the columns of W), T*(q, v) = T(q, W v) and p = ∂T/∂u of the
unconstrained T at u = W v,

    d/dt ∂T*/∂v_j − X_j T* + Σ_k p·[X_j, X_k] v_k = X_j·Q

(Boltzmann 1902; Hamel 1904; the form of Maruskin and Bloch 2011). Summed over k the bracket is
∂(W v)/∂q X_j − Ẇ_j. Energies and their derivatives only: independent of the other formulations' use
of W. For robots whose joints have q̇ = u.
"""

from __future__ import annotations

from ..expr import Expr
from ..expr.differentiate import directional, gradient, jacobian
from ..expr.matrix import Matrix
from ..expr.substitute import substitute
from ..expr.vector import Vector, dot
from ..model.robot import Robot
from .derivation import Derivation
from .lagrange import CoordinateJacobians, kinetic_energy, potential_energy
from .projection import generalized_force
from .speeds import ChosenSpeeds
from .transforms import poses


def boltzmann_hamel(robot: Robot) -> Derivation:
    """M, bias, gravity and generalized forces by the Boltzmann-Hamel equations."""
    tree, speeds = robot.tree, ChosenSpeeds(robot)
    pose, q, u, v = poses(tree), tree.q, tree.v, robot.v
    X = speeds.W
    T = kinetic_energy(tree, pose, u)
    Wv = X @ Vector(v)
    at = dict(zip(u, Wv, strict=True))
    T_star = substitute([T], at)[0]
    p = substitute(gradient(T, u), at)
    rates = dict(zip(q, Wv, strict=True))
    momenta = gradient(T_star, v)  # ∂T*/∂v
    first = directional(momenta, rates)  # d/dt at v̇ = 0
    slope = gradient(T_star, q)
    D = Matrix(jacobian(Wv, q))  # ∂(W v)/∂q
    X_dot = X.map(lambda e: directional(e, rates))
    U = gradient(potential_energy(tree, pose), q)
    bias: list[Expr] = []
    gravity: list[Expr] = []
    for j in range(len(v)):
        X_j = X.column(j)
        bracket = D @ X_j - X_dot.column(j)  # Σ_k [X_j, X_k] v_k
        bias.append(first[j] - dot(X_j, slope) + dot(p, bracket))
        gravity.append(dot(X_j, U))
    M = Matrix(jacobian(momenta, v))
    J = CoordinateJacobians(tree, pose)
    forces = {f.name: speeds.project(generalized_force(tree, f, J)) for f in robot.forces}
    insert = speeds.insert
    return Derivation(M.map(insert), Vector(insert(bias)), Vector(insert(gravity)), forces)
