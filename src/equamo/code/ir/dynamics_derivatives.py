"""Derivatives of the dynamics with respect to q, v and v̇, τ or the inputs.

Inverse dynamics τ = ID(q, v, v̇) is differentiated on the graph. The acceleration of forward dynamics is
the solution of r = 0, and no solve is differentiated:

    (1) r(q, v, v̇, τ) = ID(q, v, v̇) − τ          with inputs u: ID − B(q) u
    (2) ∂v̇/∂x = −M⁻¹ ∂r/∂x  at v̇ = FD(q, v, τ),   M = Lᵀ D L
    (3) ẋ = (N v, v̇)

With constraints, their forces λ are unknowns like v̇, and M stands for the matrix of both:

    (1') r = (ID − Aᵀ λ − τ, A v̇ + Ȧ v)
    (2') [M −Aᵀ; A 0] ∂(v̇, λ)/∂x = −∂r/∂x       at fixed v̇ and λ

With chosen speeds τ = Wᵀ τ_u(q, u, u̇), u = W v, u̇ = W v̇ + Ẇ v: W(q) has derivatives too,

    (4) D_k τ = Wᵀ (∂τ_u/∂q D_k + ∂τ_u/∂u D_k u + M_u D_k u̇) + (D_k W)ᵀ τ_u

∂τ by q and v has two sources: the graph of the Newton-Euler recursion, differentiated, and the recursion
for derivatives (`recursions.derivatives`). The one with fewer operations is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final, final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.count import count
from ...algebra.expr.differentiate import directional, directional_columns
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector, dot
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.recursions.composite_bodies import mass_matrix
from ...mechanics.recursions.constrained_dynamics import ConstrainedFactors
from ...mechanics.recursions.derivatives import inverse_dynamics_derivatives
from ...mechanics.recursions.newton_euler import inverse_dynamics
from ...robot.model.wrt import Wrt
from .directions import Directions
from .functions import ProgramEquations
from .variables import Group, Variables

LARGE: Final = 20  # most speeds for which the graph is tried as well; it never won from 4 on


@final
class DynamicsDerivatives:
    """Derivatives of one robot's dynamics, in the tangent space or in coordinates."""

    equations: ProgramEquations
    v: Group
    vdot: Group
    tau: Group
    inputs: Group
    eom: EquationsOfMotion

    def __init__(self, equations: ProgramEquations, wrt: Wrt = "tangent") -> None:
        self.equations, self.eom = equations, equations.eom
        self.directions: Directions = Directions(self.eom.robot, wrt)
        eom = self.eom
        self.v, self.vdot = Group("v", eom.v), Group("vdot", eom.vdot)
        self.tau, self.inputs = Group("tau", equations.tau), Group("inputs", eom.inputs)
        given = Group("external", eom.external), Group("parameters", eom.parameters)
        self.constants: tuple[Group, ...] = tuple(g for g in given if g.symbols)

    # -- inverse dynamics ----------------------------------------------------------------------------
    @cached_property
    def of_inverse(self) -> Variables:
        """(q, v, v̇)"""
        return Variables(self.directions, (self.v, self.vdot))

    @cached_property
    def of_state(self) -> Variables:
        """(q, v)"""
        return Variables(self.directions, (self.v,))

    def inverse_dynamics(self) -> tuple[Matrix, Matrix, Matrix]:
        """(∂τ/∂q, ∂τ/∂v, ∂τ/∂v̇ = M)"""
        by_q, by_v = self._slopes
        return by_q, by_v, self.equations.mass_matrix()

    @cached_property
    def _slopes(self) -> tuple[Matrix, Matrix]:
        """(∂τ/∂q, ∂τ/∂v), by the method with fewer operations, counted together with M."""
        if not self.equations.direct:
            return self.by_graph()
        found = [self.by_recursion()]
        if len(self.eom.v) <= LARGE:
            found.append(self.by_graph())
        M = self.equations.mass_matrix().entries
        return min(found, key=lambda d: count((*d[0].entries, *d[1].entries, *M)).instructions)

    def by_graph(self) -> tuple[Matrix, Matrix]:
        """(∂τ/∂q, ∂τ/∂v) by differentiating the recursion's graph."""
        by_q, by_v = self.of_state.jacobian(list(self.equations.inverse_dynamics()))
        return by_q, by_v

    def by_recursion(self) -> tuple[Matrix, Matrix]:
        """(∂τ/∂q, ∂τ/∂v) by the recursion for derivatives, in chosen speeds and coordinates."""
        e, robot = self.equations, self.eom.robot
        by_q, by_v = inverse_dynamics_derivatives(e.tree, elements=e.passive)
        if not e.speeds.trivial:
            return self._projected(by_q, by_v)
        if self.directions.wrt == "coordinates" and not robot.has_unit_map:
            by_q = by_q @ robot.kinematic_map_inverse  # 2Qᵀ for a quaternion
        return by_q, by_v

    def _projected(self, by_q: Matrix, by_u: Matrix) -> tuple[Matrix, Matrix]:
        """In chosen speeds: (4) with the derivatives ∂τ_u/∂q, ∂τ_u/∂u of the tree."""
        e, speeds, x = self.equations, self.equations.speeds, self.of_state
        tree, n = self.eom.robot.tree, len(self.eom.v)
        torque = inverse_dynamics(e.tree, e.tree.v, e.tree.vdot, e.tree.gravity, elements=e.passive)
        u = speeds.insert((*tree.v, *tree.vdot))
        moved = x.jacobian(u)
        placed = self._placed()
        tau, M = speeds.insert(torque), mass_matrix(e.tree).map(speeds.insert)
        by_q, by_u = by_q.map(speeds.insert), by_u.map(speeds.insert)
        m = len(u) // 2
        columns: list[list[Expr]] = []
        for part, width in zip(moved, x.sizes, strict=True):
            for k in range(width):
                du, du_dot = [row[k] for row in part.rows[:m]], [row[k] for row in part.rows[m:]]
                total = by_u @ Vector(du) + M @ Vector(du_dot)
                if part is moved[0]:
                    total = total + by_q @ Vector(placed[k])
                columns.append(speeds.combine(list(total)))
        turned = directional_columns(speeds.W.entries, x.seeds[: x.sizes[0]])
        for k in range(x.sizes[0]):
            for j in range(n):
                columns[k][j] = columns[k][j] + dot((turned[i * n + j][k] for i in range(m)), tau)
        rows = [[column[i] for column in columns] for i in range(n)]
        found_q, found_v = x.matrices(rows)
        return found_q, found_v

    def _placed(self) -> list[list[Expr]]:
        """Joint speeds of the tree that move its configuration along each direction of q."""
        robot, directions = self.eom.robot, self.directions
        assert robot.speed_map is not None
        follow = dict(robot.speed_map.dependent)
        if directions.wrt == "tangent" and not follow:
            return [list(row) for row in identity(len(robot.joint_speeds)).rows]
        inverse = robot.kinematic_map_inverse.map(self.equations.speeds.insert)
        placed: list[list[Expr]] = []
        for k in range(len(directions)):
            rates = directions.seeds(k)
            # An eliminated coordinate moves with the others.
            moved = {n: directional([f], rates)[0] for n, f in follow.items()}
            all_rates = [moved.get(x.name, rates.get(x, ZERO)) for x in robot.joint_coordinates]
            placed.append(list(inverse @ Vector(all_rates)))
        return placed

    # -- forward dynamics ----------------------------------------------------------------------------
    def force(self, by_inputs: bool) -> list[Expr]:
        """τ, or B(q) u"""
        return self.equations.force(None if by_inputs else self.tau.symbols)

    @property
    def unknowns(self) -> tuple[Expr, ...]:
        """Symbols of v̇, and of λ with constraints."""
        rows = self.equations.constraints
        return (*self.eom.vdot, *(() if rows is None else rows.lam))

    def residual(self, by_inputs: bool) -> list[Expr]:
        """(1), with constraints (1')"""
        needed = self.equations.inverse_dynamics()
        driven = [x - y for x, y in zip(needed, self.force(by_inputs), strict=True)]
        along, held = self._of_constraints
        return [*(x - y for x, y in zip(driven, along, strict=True)), *held]

    @cached_property
    def _of_constraints(self) -> tuple[list[Expr], list[Expr]]:
        """Aᵀ λ, and A v̇ + Ȧ v; zeros and no entries without constraints."""
        rows = self.equations.constraints
        if rows is None:
            return [ZERO] * len(self.eom.v), []
        total = rows.A @ Vector(self.eom.vdot)
        held = [x + c for x, c in zip(total, rows.bias, strict=True)]
        return list(rows.A.T @ Vector(rows.lam)), held

    def solved(self, entries: list[Expr], by_inputs: bool) -> list[Expr]:
        """Entries with the solution of forward dynamics in place of v̇ and λ."""
        solution = self.equations.solution(self.force(by_inputs))
        return substitute(entries, dict(zip(self.unknowns, solution, strict=True)))

    @property
    def factors(self) -> ConstrainedFactors:
        """Factors of M, or of [M −Aᵀ; A 0] with constraints."""
        return self.equations.solver

    def padded(self, force: Sequence[Expr]) -> list[Expr]:
        """Right-hand side for `factors` of a generalized force, with 0 for the constraints."""
        return [*force, *([ZERO] * (len(self.unknowns) - len(self.eom.v)))]

    def residual_slopes(self, by_inputs: bool) -> tuple[Matrix, Matrix]:
        """(∂r/∂q, ∂r/∂v)"""
        by_q, by_v = self._slopes
        if by_inputs:  # B and u do not depend on v
            by_q = by_q - self.of_state.jacobian(self.force(True))[0]
        if self.equations.constraints is None:
            return by_q, by_v
        along, held = self._of_constraints
        by_q = by_q - self.of_state.jacobian(along)[0]
        held_q, held_v = self.of_state.jacobian(held)
        return Matrix([*by_q.rows, *held_q.rows]), Matrix([*by_v.rows, *held_v.rows])

    def forward_dynamics(self, by_inputs: bool = False) -> tuple[Matrix, Matrix, Matrix]:
        """(∂v̇/∂q, ∂v̇/∂v, ∂v̇/∂τ = M⁻¹), or (…, ∂v̇/∂u = M⁻¹ B)"""
        n = len(self.eom.v)
        by_q, by_v = self.of_state.matrices(self._moved(by_inputs)[:n])
        if not by_inputs:
            return by_q, by_v, self.factors.inverse()
        B = self.eom.input_matrix
        solved = [self.factors.solve(self.padded(c)) for c in zip(*B.rows, strict=True)]
        return by_q, by_v, Matrix([[column[i] for column in solved] for i in range(n)])

    def _moved(self, by_inputs: bool) -> list[tuple[Expr, ...]]:
        """∂(v̇, λ) by q and v, row by row: (2), with constraints (2')"""
        parts = self.residual_slopes(by_inputs)
        slopes = [list(column) for part in parts for column in zip(*part.rows, strict=True)]
        size, flat = len(self.unknowns), [e for column in slopes for e in column]
        at = self.solved(flat, by_inputs)
        columns = [at[k * size : (k + 1) * size] for k in range(len(slopes))]
        moved = [[-x for x in self.factors.solve(column)] for column in columns]
        return list(zip(*moved, strict=True))

    def constraint_forces(self, by_inputs: bool = False) -> tuple[Matrix, Matrix, Matrix]:
        """(∂λ/∂q, ∂λ/∂v, ∂λ/∂τ), or (…, ∂λ/∂u), with zeros in redundant rows."""
        n, rows = len(self.eom.v), self.equations.rows
        by_q, by_v = self.of_state.matrices(self._moved(by_inputs)[n:])
        B = self.eom.input_matrix if by_inputs else identity(n)
        columns = [self.factors.solve(self.padded(c))[n:] for c in zip(*B.rows, strict=True)]
        by_tau = Matrix([[column[i] for column in columns] for i in range(len(rows.lam))])
        by_q, by_v, by_tau = (rows.padded_rows(X) for X in (by_q, by_v, by_tau))
        return by_q, by_v, by_tau

    def rate_slopes(self) -> Matrix:
        """∂(N v)/∂q"""
        return self.of_state.jacobian(list(self.eom.kinematic_map @ Vector(self.eom.v)))[0]

    def state_derivative(self) -> tuple[Matrix, Matrix, Matrix]:
        """∂ẋ by q, v and the inputs"""
        eom = self.eom
        N, rates = eom.kinematic_map, self.rate_slopes()
        by_q, by_v, by_u = self.forward_dynamics(by_inputs=True)
        zero = [[0] * len(eom.inputs) for _ in eom.q]
        return (
            Matrix([*rates.rows, *by_q.rows]),
            Matrix([*N.rows, *by_v.rows]),
            Matrix([*zero, *by_u.rows]),
        )
