"""Equations of loops and sticking contacts in numbers: φ, A and M at a configuration.

    φ(q) = 0        positions; a contact is held where it was at the start, φ = r(q) − r(q₀)
    A(q) u = 0      one column per joint speed u; A u is the rate of φ
    M(q)            mass matrix of the tree, which measures displacements

Velocity constraints are not included: they need chosen speeds, which satisfy them exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...algebra.expr.differentiate import directional_columns
from ...code.ir.directions import Directions
from ...code.ir.program import Argument
from ...code.jit.kernel import Kernel
from ...mechanics.equations.assembly import expect_original
from ...mechanics.equations.configuration_space import ConfigurationSpace
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.mobility import independent_rows
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...mechanics.recursions.composite_bodies import mass_matrix
from ...robot.model.closure import Inequality, Row

Floats = NDArray[np.float64]


class At(NamedTuple):
    """Numbers at one configuration, or at many with a leading axis."""

    phi: Floats  # (m,)
    A: Floats  # (m, n)
    M: Floats  # (n, n)
    conditions: Floats  # must be > 0


def closing_rows(eom: EquationsOfMotion) -> tuple[Row, ...]:
    """Rows of loops and sticking contacts; empty for a tree."""
    expect_original(eom)
    return tuple(r for r in eom.robot.rows if r.position is not None)


@final
class ConstraintRows:
    """φ, A and M of a robot with loops or sticking contacts.

    `independent` are the positions of a largest set of independent rows among `rows`.
    """

    eom: EquationsOfMotion
    parameters: Floats

    def __init__(self, eom: EquationsOfMotion, parameters: Floats) -> None:
        robot = eom.robot
        self.eom, self.parameters = eom, parameters
        self.rows: tuple[Row, ...] = closing_rows(eom)
        self.names: list[str] = [r.name for r in self.rows]
        self.owners: list[str] = [r.owner for r in self.rows]
        self.conditions: tuple[Inequality, ...] = robot.inequalities
        self.space: ConfigurationSpace = ConfigurationSpace(robot)
        self.n: int = len(robot.joint_speeds)
        self.eliminated: bool = bool(robot.eliminated)
        self._kernel = _kernel(eom, self.rows).again()
        self._plain = robot.tree.has_unit_map and not self.eliminated
        self.held: NDArray[Any] = np.zeros(len(self.rows))
        self.independent: list[int] = self._independent()

    def _independent(self) -> list[int]:
        if self.eliminated:  # φ = 0 for all q
            return []
        chosen = {self.eom.robot.rows[k].name for k in independent_rows(self.eom.robot)}
        return [k for k, name in enumerate(self.names) if name in chosen]

    def hold(self, q: Floats) -> None:
        """Hold the points of contacts where they are at q."""
        phi = self.at(q).phi + self.held
        self.held = np.array(
            [x if r.phi is None else 0.0 for r, x in zip(self.rows, phi, strict=True)]
        )

    def at(self, q: Floats) -> At:
        """Numbers at coordinates q."""
        out = self._kernel(q, self.parameters)
        m, n = len(self.rows), self.n
        phi, A, M, rest = np.split(out, [m, m + m * n, m + m * n + n * n])
        return At(phi - self.held, A.reshape(m, n), M.reshape(n, n), rest)

    def batch(self, q: Floats) -> At:
        """Numbers at many configurations, with a leading axis T."""
        m, n, T = len(self.rows), self.n, len(q)
        out = self._kernel.batch(T, q, self.parameters)
        phi, A, M, rest = np.split(out, [m, m + m * n, m + m * n + n * n], axis=1)
        return At(phi - self.held, A.reshape(T, m, n), M.reshape(T, n, n), rest)

    def moved(self, q: Floats, delta: Floats) -> Floats:
        """q displaced by δ, one entry per joint speed."""
        if self._plain:
            return q + delta
        return self.space.integrate(q, delta)

    def largest(self, values: Floats) -> tuple[str, str, float]:
        """(owner, row, size) of the largest entry."""
        k = int(np.argmax(np.abs(values)))
        return self.owners[k], self.names[k], float(abs(values[k]))


def _kernel(eom: EquationsOfMotion, rows: Sequence[Row]) -> Kernel:
    """φ, A, M and inequalities of (q, parameters), created once per equations."""
    key = "constraint rows"
    if key not in eom.made:
        robot = eom.robot
        positions = [r.position for r in rows if r.position is not None]
        A: list[Any] = [list(r.A) for r in rows]
        if robot.eliminated:
            # Eliminated coordinates follow the others, so A is the rate along the remaining ones.
            along = Directions(robot)
            seeds = [along.seeds(k) for k in range(len(along))]
            A = directional_columns(positions, seeds)
        M = mass_matrix(robot.tree).entries
        conditions = [c.expression for c in robot.inequalities]
        entries: list[Expr] = [*positions, *(a for row in A for a in row)]
        entries += ChosenSpeeds(robot).insert(M)
        entries += conditions
        arguments = [Argument("q", eom.q), Argument("parameters", eom.parameters)]
        eom.made[key] = Kernel("constraint_rows", arguments, [entries])
    return eom.made[key]
