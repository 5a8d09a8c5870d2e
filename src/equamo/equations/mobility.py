"""Mobility of a robot: degrees of freedom, and which equations of its loops and contacts are redundant.

The rank of A is taken twice: for all q, exactly, and at points of φ = 0, where it may be smaller. There
it is found exactly if φ = 0 can be solved linearly for lengths of the robot, and in numbers at points to
which Newton's method leads from the default configuration. Each says for which robots it holds:

    for all q      an upper bound; for contacts, which hold anywhere, there is nothing else
    solved         generic lengths; a special choice of values may have a smaller rank
    numbers        the default values, near the default configuration

If the number agrees with one of the exact ranks, the result is exact. Otherwise the numbers decide, and
the report says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final
from weakref import WeakKeyDictionary

import numpy as np

from ..errors import AssemblyError, EvaluationError
from ..expr import ZERO
from ..expr.matrix import Matrix
from ..identity.rank import independent_rows as independent_for_all
from ..identity.rank_where import independent_rows_where
from ..model.robot import Robot, expect_robot
from ..wording import counted
from .state_reader import Floats

_POINTS: Final = 5  # configurations at which the rank is taken in numbers
_SPREAD: Final = 0.2  # how far they start from home [rad, m]
_ZERO: Final = 1e-9  # a row counts as dependent if less than this part of it is left,
_CLEAR: Final = 1e-6  # and as independent if more than this part is left; between them is no gap


@final
@dataclass(frozen=True)
class Mobility:
    """Rank of the equations of loops, sticking contacts and velocity constraints.

    Attributes:
        robot: Name of the robot.
        joint_speeds: Number of joint speeds.
        rows: Names of all equations.
        independent: Names of the equations that do not follow from those before them on φ = 0.
        rank_for_all_q: Rank of A for general q.
        method: How the rank on φ = 0 was found.
        exact: Whether it is certain, up to the bound of a proof.
        singular_at_home: Whether the rank is smaller at the default configuration; None if unknown.
    """

    robot: str
    joint_speeds: int
    rows: tuple[str, ...]
    independent: tuple[str, ...]
    rank_for_all_q: int
    method: str
    exact: bool
    singular_at_home: bool | None

    @property
    def rank(self) -> int:
        """Rank of A on φ = 0."""
        return len(self.independent)

    @property
    def redundant(self) -> tuple[str, ...]:
        """Names of the equations that follow from the others."""
        return tuple(n for n in self.rows if n not in self.independent)

    @property
    def degrees_of_freedom(self) -> int:
        """Number of independent speeds."""
        return self.joint_speeds - self.rank

    @property
    def overconstrained(self) -> bool:
        """Whether the rank is smaller on φ = 0 than for general q, as in a Bennett linkage."""
        return self.rank < self.rank_for_all_q

    def __str__(self) -> str:
        lines = [
            f"Robot {self.robot}: {counted(self.degrees_of_freedom, 'degree of freedom')} "
            f"({counted(self.joint_speeds, 'joint speed')}, {counted(len(self.rows), 'equation')} of "
            f"rank {self.rank})"
        ]
        if self.redundant:
            lines.append(f"  redundant: {', '.join(self.redundant)}")
        if self.overconstrained:
            lines.append(
                f"  overconstrained by closure: the rank is {self.rank_for_all_q} for general q and "
                f"{self.rank} where the loops are closed"
            )
        if self.singular_at_home:
            lines.append("  the default configuration is singular: the rank is smaller there")
        lines.append(f"  rank: {self.method}")
        return "\n".join(lines)


_known: WeakKeyDictionary[Robot, Mobility] = WeakKeyDictionary()


def mobility(robot: Robot) -> Mobility:
    """Degrees of freedom of a robot, and which of its closure equations are redundant.

    Args:
        robot: Robot.

    Returns:
        The report; `print` it, or read its attributes.

    Raises:
        ModelError: The argument is not a robot.

    >>> from equamo.robots import load
    >>> print(mobility(load("rr_arm")))
    Robot rr_arm: 2 degrees of freedom (2 joint speeds, 0 equations of rank 0)
      rank: no equations
    """
    expect_robot(robot, "mobility")
    if robot not in _known:
        _known[robot] = _mobility(robot)
    return _known[robot]


def independent_rows(robot: Robot) -> tuple[int, ...]:
    """Positions in `robot.rows` of the equations that do not follow from those before them on φ = 0.

    >>> from equamo.robots import load
    >>> independent_rows(load("rr_arm"))
    ()
    """
    kept = mobility(robot).independent
    return tuple(i for i, r in enumerate(robot.rows) if r.name in kept)


def degrees_of_freedom(robot: Robot) -> int:
    """Number of independent speeds."""
    return mobility(robot).degrees_of_freedom


def _mobility(robot: Robot) -> Mobility:
    rows = robot.rows
    names, n = tuple(r.name for r in rows), len(robot.joint_speeds)
    if not rows:
        return Mobility(robot.name, n, (), (), 0, "no equations", True, None)
    A = Matrix([r.A for r in rows])
    general = independent_for_all(A, robot.unit_groups)
    sampled = _Sampled(robot)
    kept, method, exact = _decided(robot, A, general, sampled)
    singular = sampled.rank_at_home < len(kept) if sampled.rank_at_home is not None else None
    independent = tuple(names[i] for i in kept)
    return Mobility(robot.name, n, names, independent, len(general), method, exact, singular)


def _decided(
    robot: Robot, A: Matrix, general: list[int], sampled: _Sampled
) -> tuple[list[int], str, bool]:
    """Independent rows on φ = 0, how they were found, and whether this is exact."""
    phi = [r.phi for r in robot.rows if r.phi is not None]
    numbers = sampled.rows
    if all(e is ZERO for e in phi) and (numbers is None or len(numbers) == len(general)):
        return numbers or general, "exact, for all q", True
    if numbers is not None and len(numbers) == len(general):
        # The exact rank for all q is an upper bound, which a point of φ = 0 reaches.
        return numbers, "exact for all q, and reached where the loops are closed", True
    solved = independent_rows_where(A, phi, robot.parameters, robot.unit_groups)
    if solved is not None and (numbers is None or len(numbers) == len(solved)):
        return numbers or solved, "exact, with φ = 0 solved for lengths", True
    if numbers is not None:
        where = f"in numbers, at {counted(sampled.count, 'point')} of φ = 0"
        if solved is not None:
            where += f" for the default values; {len(solved)} for general lengths"
        return numbers, where, False
    return general, f"exact for all q; not checked on φ = 0 ({sampled.reason})", False


class _Sampled:
    """Rank of A in numbers, at points of φ = 0 near the default configuration."""

    def __init__(self, robot: Robot) -> None:
        self.rows: list[int] | None = None
        self.count = 0
        self.rank_at_home: int | None = None
        self.reason = ""
        try:
            self._sample(robot)
        except EvaluationError as error:  # no values, or the loops cannot be assembled
            self.reason = str(error).partition(": ")[2].rstrip(".")

    def _sample(self, robot: Robot) -> None:
        from .assembly import Assembler

        assembler = Assembler(robot, place="mobility")
        closure = assembler.closure
        home = np.array([float(x) for x in robot.state_space.q.numbers])
        random = np.random.default_rng(7)
        closed = assembler.positions(home)
        matrices = [_scaled(closure.matrix(closed))]
        for _ in range(_POINTS):
            shift = _SPREAD * random.standard_normal(len(robot.joint_speeds))
            try:
                q = assembler.positions(closure.space.integrate(closed, shift), attempts=1)
            except AssemblyError:
                continue
            matrices.append(_scaled(closure.matrix(q)))
        self.count = len(matrices)
        found = [_independent(A) for A in matrices]
        clear = [rows for rows in found if rows is not None]
        if not clear:
            self.reason = "the numerical rank has no clear gap"
            return
        self.rows = max(clear, key=len)
        if found[0] is not None:
            self.rank_at_home = len(found[0])


def _scaled(A: Floats) -> Floats:
    """A with columns of comparable size, so that metres and radians count alike"""
    size = np.max(np.abs(A), axis=0, initial=0.0)
    return A / np.where(size > 0, size, 1.0)


def _independent(A: Floats) -> list[int] | None:
    """Rows that do not depend on those above them; None if this is not clear, or A is not finite."""
    if not np.isfinite(A).all():
        return None
    basis: list[Floats] = []
    kept: list[int] = []
    for i, row in enumerate(A):
        rest = np.array(row)
        for _ in range(2):  # twice, against rounding
            for b in basis:
                rest = rest - (b @ rest) * b
        left, size = float(np.linalg.norm(rest)), max(float(np.linalg.norm(row)), 1e-3)
        if left > _CLEAR * size:
            basis.append(rest / left)
            kept.append(i)
        elif left > _ZERO * size:
            return None
    return kept
