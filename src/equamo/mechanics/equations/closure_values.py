"""φ, A and the inequalities of a robot's loops in numbers, at one configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, final

from ...algebra.arrays import np
from ...algebra.expr import Expr, symbol
from ...algebra.expr.evaluate import Arrays, Tape
from ...algebra.expr.walk import symbols
from ...errors import AssemblyError
from ...robot.model.closure import Row
from ...robot.model.robot import Robot
from ..recursions.composite_bodies import mass_matrix
from .configuration_space import ConfigurationSpace
from .state_reader import Floats, Reader, no_value


@final
class ClosureValues:
    """Closure equations of a robot for given values of its parameters.

    φ has one entry per row of a loop; A has the rows of loops, sticking contacts and velocity
    constraints, and one column per joint speed. With eliminated coordinates, q are the remaining ones.

    >>> from equamo.robot.library import load
    >>> ClosureValues(load("rr_arm")).phi([0.0, 0.5]).shape
    (0,)
    """

    robot: Robot
    place: str

    def __init__(
        self, robot: Robot, values: Mapping[str, Any] | None = None, place: str = "assemble"
    ) -> None:
        self.robot, self.place = robot, place
        self.space: ConfigurationSpace = ConfigurationSpace(robot)
        self.rows: tuple[Row, ...] = robot.rows
        self.loop_rows: tuple[Row, ...] = tuple(r for r in self.rows if r.phi is not None)
        self._values = values

    # -- functions of q --------------------------------------------------------------------------------
    def phi(self, q: Sequence[float] | Floats) -> Floats:
        """φ of the loops [m; sine of an angle for orientations]"""
        return self._run(self._phi, q)

    def matrix(self, q: Sequence[float] | Floats) -> Floats:
        """A of all rows, rows × joint speeds"""
        shape = len(self.rows), len(self.robot.joint_speeds)
        return self._run(self._matrix, q).reshape(shape)

    def loop_matrix(self, q: Sequence[float] | Floats) -> Floats:
        """A of the rows that have a φ"""
        return self.matrix(q)[[i for i, r in enumerate(self.rows) if r.phi is not None]]

    def inequalities(self, q: Sequence[float] | Floats) -> Floats:
        """Expressions of the loops that must be positive"""
        return self._run(self._inequalities, q)

    def mass_matrix(self, q: Sequence[float] | Floats) -> Floats:
        """M in the joint speeds"""
        n = len(self.robot.joint_speeds)
        return self._run(self._mass, q).reshape(n, n)

    def run(self, expressions: Sequence[Expr], q: Sequence[float] | Floats) -> Floats:
        """Values of expressions in q and parameters"""
        return self._run(self._tape(expressions), q)

    def check_lengths(self) -> None:
        """Check that distances are greater than 0 with these values; for constants, `Loop` does.

        A distance of 0 has φ = d·d/2, whose rate vanishes where it is closed: its row would say nothing.

        Raises:
            AssemblyError: A length is not greater than 0.
        """
        rods = [x for x in self.robot.loops if x.length is not None and x.length.value is None]
        lengths = self.run(
            [x.length for x in rods if x.length is not None], np.zeros(len(self.robot.q))
        )
        for rod, x in zip(rods, lengths, strict=True):
            if not x > 0:
                raise AssemblyError(
                    f"{self.place}: loop {rod.name!r}: the length of a distance must be greater than 0, "
                    f"got {x:.6g} for {rod.length}; pass other values, or use joint='spherical' to join "
                    "the points.",
                    rod.name,
                    0.0,
                )

    def gap(self, q: Sequence[float] | Floats) -> tuple[float, str, str]:
        """Largest |φ|, the name of its row, and its loop"""
        phi = np.abs(self.phi(q))
        if not len(phi):
            return 0.0, "", ""
        k = int(np.argmax(np.where(np.isfinite(phi), phi, np.inf)))
        return float(phi[k]), self.loop_rows[k].name, self.loop_rows[k].owner

    # -- tapes -----------------------------------------------------------------------------------------
    @cached_property
    def _phi(self) -> Tape:
        return self._tape([r.phi for r in self.loop_rows if r.phi is not None])

    @cached_property
    def _matrix(self) -> Tape:
        return self._tape([a for r in self.rows for a in r.A])

    @cached_property
    def _inequalities(self) -> Tape:
        return self._tape([x.expression for x in self.robot.inequalities])

    @cached_property
    def _mass(self) -> Tape:
        return self._tape(mass_matrix(self.robot.tree).subs(self.robot.eliminated).entries)

    @cached_property
    def _numbers(self) -> dict[Expr, Any]:
        part = self.robot.state_space.values
        reader = Reader(self.place, part, exact=True)
        array = reader.read_names(reader.table(self._values))
        return {s: np.float64(x) for s, x in zip(part.symbols, array, strict=True)}

    def _tape(self, outputs: Sequence[Expr]) -> Tape:
        used = {x.name for x in symbols(outputs)}
        numbers = self._numbers
        missing = [n for n in self.robot.values if n in used and np.isnan(numbers[symbol(n)])]
        if missing:
            raise no_value(self.place, self.robot.name, missing)
        return Tape(outputs)

    def _run(self, tape: Tape, q: Sequence[float] | Floats) -> Floats:
        state = {s: np.float64(x) for s, x in zip(self.robot.q, q, strict=True)}
        with np.errstate(all="ignore"):  # a root without a value is nan, which the caller checks
            return np.array(tape.run(Arrays(), self._numbers | state), dtype=np.float64)
