"""Equations of motion with loops and sticking contacts: M v̇ + b = f + Aᵀ λ, A v = 0.

With the independent rows of A, f the sum of all forces and b = C v + g,

    (1) M v̇ − Aᵀ λ = f − b
    (2) A v̇ = −Ȧ v
    (3) A M⁻¹ Aᵀ λ = −Ȧ v − A M⁻¹ (f − b)

M is factored, never inverted. If a joint has no inertia of its own, M is replaced by M + AᵀA, and f by
f − AᵀȦv, which changes neither v̇ nor λ because of (2). Rows that follow from the others have λ = 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast, final

from ...algebra.expr import Expr
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix, from_columns
from ...algebra.expr.vector import Vector, dot
from ...errors import ExpressionError
from ...robot.model.closure import Row
from ...robot.model.read_only import ReadOnly
from ...robot.model.robot import Robot
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..recursions.factorisation import Factors, ltdl
from .replaced import quantity_property

if TYPE_CHECKING:
    from .equations import EquationsOfMotion


def is_augmented(robot: Robot) -> bool:
    """Whether the equations of motion have multipliers: rows, and no chosen speeds."""
    return robot.speed_map is None and bool(robot.rows)


def row_bias(robot: Robot, rows: Sequence[Row]) -> list[Expr]:
    """Ȧ u of some rows, in the joint speeds u, along q̇ = N u."""
    tree = robot.tree
    q_dot = tree.kinematic_map @ Vector(tree.v)
    rates = dict(zip(tree.q, q_dot, strict=True))
    return directional([dot(r.A, tree.v) for r in rows], rates)


@final
@dataclass(frozen=True)
class ConstrainedSystem:
    """Linear system (1), (2) of equations with multipliers, with its independent rows.

    Attributes:
        rows: Independent rows.
        A: Their coefficients, rows × speeds.
        bias: Ȧ v.
        mass_matrix: M.
    """

    rows: tuple[Row, ...]
    A: Matrix
    bias: Vector
    mass_matrix: Matrix

    @cached_property
    def is_regular(self) -> bool:
        """Whether M has no zero pivot: every joint moves something with inertia."""
        try:
            ltdl(self.mass_matrix)
        except ExpressionError:  # nothing with inertia moves along some joint speed
            return False
        return True

    @cached_property
    def factors(self) -> Factors:
        """Factors of M, or of M + AᵀA if M has a zero pivot."""
        M = self.mass_matrix if self.is_regular else self.mass_matrix + self.A.T @ self.A
        return ltdl(M)

    @cached_property
    def response(self) -> Matrix:
        """M⁻¹ Aᵀ, speeds × rows"""
        return from_columns([Vector(self.factors.solve(list(r))) for r in self.A.rows])

    @cached_property
    def delassus(self) -> Matrix:
        """A M⁻¹ Aᵀ, rows × rows, symmetric entry by entry"""
        n = range(len(self.rows))
        columns = [self.response.column(j) for j in n]
        upper = {(i, j): dot(self.A.rows[i], columns[j]) for i in n for j in n if i <= j}
        names = [r.name for r in self.rows]
        return Matrix([[upper[min(i, j), max(i, j)] for j in n] for i in n], names, names)

    @cached_property
    def delassus_factors(self) -> Factors:
        return ltdl(self.delassus)

    def solve(self, rest: Sequence[Expr]) -> tuple[Vector, Vector]:
        """(v̇, λ) for the forces f − b."""
        f = Vector(rest)
        if not self.is_regular:
            f = f - self.A.T @ self.bias
        free = Vector(self.factors.solve(list(f)))
        if not self.rows:  # all rows are redundant
            return free, Vector([])
        multipliers = self.delassus_factors.solve(list(-(self.A @ free) - self.bias))  # (3)
        force = Vector(multipliers)
        return free + self.response @ force, force  # (1)


def constrained_system(eom: EquationsOfMotion) -> ConstrainedSystem:
    """Linear system of the augmented equations of a robot, with its independent rows."""
    from .mobility import independent_rows

    robot = eom.robot
    kept = independent_rows(robot)
    rows = tuple(robot.rows[i] for i in kept)
    A = Matrix(
        [eom.constraint_matrix.rows[i] for i in kept],
        [r.name for r in rows],
        [x.name for x in robot.joint_speeds],
    )
    bias = Vector([eom.constraint_bias[i] for i in kept])
    return ConstrainedSystem(rows, A, bias, eom.mass_matrix)


class ConstrainedEquations:
    """Base of EquationsOfMotion: terms of loops and sticking contacts, and solutions for v̇."""

    @property
    def _equations(self) -> EquationsOfMotion:
        return cast("EquationsOfMotion", self)

    @quantity_property
    def closure(self) -> Vector:
        """φ of the loops, by row: 0 where they are closed."""
        rows = [r for r in self._equations.robot.rows if r.phi is not None]
        return Vector([cast(Expr, r.phi) for r in rows], [r.name for r in rows])

    @quantity_property
    def constraint_matrix(self) -> Matrix:
        """Matrix A of the loops, sticking contacts and velocity constraints: A u = 0.

        One row per equation, including redundant ones, and one column per joint speed u.
        """
        robot = self._equations.robot
        names = [r.name for r in robot.rows]
        return Matrix([r.A for r in robot.rows], names, [x.name for x in robot.joint_speeds])

    @quantity_property
    def constraint_bias(self) -> Vector:
        """Ȧ u, the acceleration of every equation at u̇ = 0."""
        robot = self._equations.robot
        bias = ChosenSpeeds(robot).insert(row_bias(robot, robot.rows))
        return Vector(bias, [r.name for r in robot.rows])

    @cached_property
    def constrained_system(self) -> ConstrainedSystem:
        """Linear system in v̇ and λ of the augmented equations, with independent rows."""
        return constrained_system(self._equations)

    @cached_property
    def _solution(self) -> tuple[Vector, Vector]:
        """(v̇, λ of the independent rows) of augmented equations"""
        eom = self._equations
        still = eom.inverse_dynamics.subs(dict.fromkeys(eom.vdot, 0))
        return self.constrained_system.solve(list(eom.input_matrix @ Vector(eom.inputs) - still))

    @quantity_property
    def multipliers(self) -> Vector:
        """λ of the independent rows of augmented equations, as the solution."""
        names = [r.name for r in self.constrained_system.rows]
        return Vector(self._solution[1], names)

    @quantity_property
    def state_derivative(self) -> Vector:
        """State derivative (q̇, v̇): N v, then M⁻¹ (B · inputs − inverse dynamics at v̇ = 0).

        With loops or sticking contacts v̇ also satisfies A v̇ + Ȧ v = 0, by constraint forces.
        """
        eom = self._equations
        rates = eom.kinematic_map @ Vector(eom.v)
        names = [f"d{x.name}/dt" for x in (*eom.q, *eom.v)]
        if is_augmented(eom.robot):
            return Vector([*rates, *self._solution[0]], names)
        still = eom.inverse_dynamics.subs(dict.fromkeys(eom.vdot, 0))
        rest = eom.input_matrix @ Vector(eom.inputs) - still
        return Vector([*rates, *ltdl(eom.mass_matrix).solve(list(rest))], names)

    @quantity_property
    def constraint_forces(self) -> Mapping[str, Expr]:
        """Force λ of each equation of loops, contacts and velocity constraints, on the right-hand side.

        For a position row of a loop, λ is the force of `to` on `body`, in the frame of `to`; for a
        contact, that of the ground on the body. Without chosen speeds they depend on q, v and the
        inputs; with chosen speeds on v̇ too. Redundant equations are omitted.
        """
        from .constraint_forces import constraint_forces

        return ReadOnly(constraint_forces(self._equations))

    # -- forms -----------------------------------------------------------------------------------------
    def augmented(self) -> EquationsOfMotion:
        """Equations in the joint speeds, with constraint forces: M v̇ + C v + g = B τ + Aᵀ λ, A v = 0.

        Returns:
            The equations; the same object if they already have this form.

        Raises:
            ConstraintError: The robot has velocity constraints, which need chosen speeds.

        >>> from equamo.mechanics.equations import derive
        >>> from equamo.robot.library import load
        >>> eom = derive(load("rr_arm"))
        >>> eom.augmented() is eom
        True
        """
        from .forms import augmented

        return augmented(self._equations)

    def minimal(self, speeds: Any = "auto") -> EquationsOfMotion:
        """Equations in independent speeds, without constraint forces; all coordinates remain.

        Args:
            speeds: Joint speeds to keep, such as "dq1", formulas by name, or "auto" to choose them:
                actuated joints if possible.

        Returns:
            The equations of the robot with these speeds; q̇ = N W v.

        Raises:
            ConstraintError: The robot has no loops, contacts or constraints, or the speeds do not fit.

        >>> from equamo.mechanics.equations import derive
        >>> from equamo.robot.model import Body, Robot, loop, revolute
        >>> bars = [Body(n, revolute(f"q{n}"), mass="m", com="L 0 0") for n in "ab"]
        >>> rod = loop("rod", "a", "L 0 0", to="b", to_at="L 0 0", joint="distance", length="l")
        >>> derive(Robot("pair", bars, loops=[rod])).minimal("dqa").mass_matrix.shape
        (1, 1)
        """
        from .forms import minimal

        return minimal(self._equations, speeds)

    def explicit(
        self, assembly: str | Mapping[str, str] = "open", speeds: Any = "auto"
    ) -> EquationsOfMotion:
        """Equations in independent coordinates, with the dependent ones in closed form.

        For planar triangles, parallelograms and four-bars, and mechanisms of several such loops that can
        be solved one by one. The formulas are proved to close the loops.

        Args:
            assembly: "open" or "crossed", or one of them by loop. Open: the pin is to the left of the
                line from the end of the driven chain to the other pivot, viewed against the axis;
                the parallelogram itself; the larger value of a sliding coordinate.
            speeds: Independent joint speeds to keep, or "auto" to choose them.

        Returns:
            The equations of the robot without dependent coordinates.

        Raises:
            ConstraintError: A loop has no closed form.
            UnknownNameError: Unknown loop or assembly.
        """
        from .forms import explicit

        return explicit(self._equations, assembly, speeds)
