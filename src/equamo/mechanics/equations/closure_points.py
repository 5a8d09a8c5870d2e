"""Rank of the closure equations in numbers, at points of φ = 0 near the default configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from ...algebra.arrays import np
from ...algebra.expr import Expr
from ...errors import AssemblyError, EvaluationError
from ...robot.model.robot import Robot
from .closure_values import ClosureValues
from .state_reader import Floats, Reader

_POINTS: Final = 5  # configurations at which the rank is taken in numbers
_SPREAD: Final = 0.2  # how far they start from home [rad, or the length of the robot]
_ROW: Final = 1e-3  # length of a row, divided by its size, below which it is compared with this
_ZERO: Final = 1e-9  # a row is dependent if a smaller share of it remains,
_CLEAR: Final = 1e-6  # and independent if a larger share remains; in between it is unclear


@final
class SampledRank:
    """Rank of A in numbers, at points of φ = 0 near the default configuration."""

    count: int
    reason: str

    def __init__(self, robot: Robot) -> None:
        self.rows: list[int] | None = None
        self.count = 0
        self.rank_at_home: int | None = None
        self.reason = ""
        self.home: Floats | None = None  # the assembled default configuration
        self.matrix: Floats = np.zeros((0, 0))  # A near it
        self._closure = ClosureValues(robot, place="mobility")
        try:
            self._sample(robot)
        except EvaluationError as error:  # no values, or the loops cannot be assembled
            self.reason = str(error).partition(": ")[2].rstrip(".")

    def _sample(self, robot: Robot) -> None:
        from .assembly import Assembler

        assembler = Assembler(robot, place="mobility")
        closure = assembler.closure
        home = Reader("mobility", robot.state_space.q).default()
        random = np.random.default_rng(7)
        closed = assembler.positions(home)
        sizes = assembler.sizes
        rows = sizes.of_rows(closure.rows)[:, None]

        def scaled(q: Floats) -> Floats:
            return _scaled(closure.matrix(q) * sizes.u / rows)

        matrices = [scaled(closed)]
        for _ in range(_POINTS):
            shift = _SPREAD * sizes.u * random.standard_normal(len(robot.joint_speeds))
            try:
                q = assembler.positions(closure.space.integrate(closed, shift), attempts=1)
            except AssemblyError:
                continue
            matrices.append(scaled(q))
        self.count = len(matrices)
        self.home, self.matrix = closed, matrices[-1]
        found = [independent_in_numbers(A) for A in matrices]
        clear = [rows for rows in found if rows is not None]
        if not clear:
            self.reason = "the numerical rank has no clear gap"
            return
        self.rows = max(clear, key=len)
        if found[0] is not None:
            self.rank_at_home = len(found[0])

    def holds(self, formulas: Mapping[str, Expr]) -> bool:
        """Whether formulas of dependent coordinates yield the assembled default configuration."""
        if self.home is None:
            return True
        values = self._closure.run(list(formulas.values()), self.home)
        given = [self.home[self._closure.robot.state_space.q.position[n]] for n in formulas]
        turns = (values - given) / (2 * np.pi)
        return bool(np.all(np.abs(turns - np.round(turns)) < 1e-6))


def _scaled(A: Floats) -> Floats:
    """A with columns of comparable size, so that metres and radians are comparable"""
    size = np.max(np.abs(A), axis=0, initial=0.0)
    return A / np.where(size > 0, size, 1.0)


def independent_in_numbers(A: Floats) -> list[int] | None:
    """Rows that do not depend on those above them; None if unclear, or if A is not finite."""
    if not np.isfinite(A).all():
        return None
    basis: list[Floats] = []
    kept: list[int] = []
    for i, row in enumerate(A):
        rest = np.array(row)
        for _ in range(2):  # twice, against rounding
            for b in basis:
                rest = rest - (b @ rest) * b
        left, size = float(np.linalg.norm(rest)), max(float(np.linalg.norm(row)), _ROW)
        if left > _CLEAR * size:
            basis.append(rest / left)
            kept.append(i)
        elif left > _ZERO * size:
            return None
    return kept
