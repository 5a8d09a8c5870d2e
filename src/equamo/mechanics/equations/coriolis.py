"""Coriolis matrix C from the mass matrix.

Christoffel symbols (document 001, eq. 4): C_ij = Σ_k c_ijk q̇_k with

    c_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i)

Summed over k this is (5) C = ½ (Ṁ + G − Gᵀ) with G = ∂(M q̇)/∂q at constant q̇: no tensor is built. With
q̇ = N v, C = Nᵀ C_q N + Nᵀ M_q Ṅ and M_q = N⁺ᵀ M N⁺. Ṁ − 2C is skew.

The documents' coefficient splitting (getAC) is C = ½ ∂(C v)/∂v; if q̇ = v it is Christoffel's C.
"""

from __future__ import annotations

from typing import Final

from ...algebra.expr import HALF, ZERO, Expr
from ...algebra.expr.differentiate import derivative, directional, jacobian
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...robot.model.robot import Robot
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.poses import coordinate_rates

# Most speeds for which C may have fewer operations by differentiation.
BY_DIFFERENTIATION: Final = 6


def prefers_recursion(robot: Robot) -> bool:
    """Whether C of the recursive equations is that of `recursions.coriolis`, as in programs.

    It takes n² nodes; differentiating M takes n³. With chosen speeds or a moving base, where the
    certificate does not compare C with ∂(inverse dynamics)/∂v, C is differentiated.
    """
    is_tree = robot.speed_map is None and robot.base.is_zero
    return is_tree and len(robot.v) > BY_DIFFERENTIATION


def christoffel(robot: Robot, M: Matrix) -> Matrix:
    """Christoffel's C, with Ṁ − 2C skew and C v the velocity terms.

    `M` is the mass matrix in the joint speeds.
    """
    if robot.speed_map is not None:  # C_v = Wᵀ C W + Wᵀ M Ẇ
        speeds = ChosenSpeeds(robot)
        C = christoffel(robot.tree, M).map(speeds.insert)
        return speeds.W.T @ (C @ speeds.W + M.map(speeds.insert) @ speeds.W_dot)
    q, v = robot.q, Vector(robot.v)
    if robot.has_unit_map:
        return _christoffel(M, q, robot.v)
    N, N_inverse = robot.kinematic_map, robot.kinematic_map_inverse
    q_dot = coordinate_rates(robot)
    M_q = N_inverse.T @ M @ N_inverse
    Nv = N @ v
    C_q = _christoffel(M_q, q, q_dot).subs(dict(zip(q_dot, Nv, strict=True)))
    seeds = dict(zip(q, Nv, strict=True))
    N_dot = N.map(lambda e: directional(e, seeds))
    return N.T @ (C_q @ N + M_q @ N_dot)


def _christoffel(M: Matrix, q: tuple[Expr, ...], q_dot: tuple[Expr, ...]) -> Matrix:
    M_dot = M.map(lambda e: directional(e, dict(zip(q, q_dot, strict=True))))
    G = Matrix(jacobian(M @ Vector(q_dot), q))
    return (M_dot + (G - G.T)) * HALF  # (5)


def christoffel_symbols(M: Matrix, q: tuple[Expr, ...]) -> list[Matrix]:
    """Christoffel symbols [c_i] with c_i[j, k] = c_ijk of document 001, eq. 4, for q̇ = v."""
    D = [Matrix([derivative(row, x) for row in M.rows]) for x in q]  # D[k] = ∂M/∂q_k
    n = range(len(q))
    # (4) c_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i)
    return [
        Matrix([[HALF * (D[k][i, j] + D[j][i, k] - D[i][j, k]) for k in n] for j in n]) for i in n
    ]


def split(bias: Vector, v: tuple[Expr, ...]) -> Matrix:
    """Split C = ½ ∂(C v)/∂v: each product of two speeds is halved between them (getAC)."""
    return Matrix(jacobian(bias, v)) * HALF


def quadratic_part(robot: Robot, bias: Vector) -> Vector:
    """Part of the bias that is quadratic in v, without the motion of the base."""
    if robot.base.is_zero:
        return bias
    slope = Matrix(jacobian(bias, robot.v))
    linear = slope.subs(dict.fromkeys(robot.v, ZERO))
    return (slope - linear) @ Vector(robot.v) * HALF
