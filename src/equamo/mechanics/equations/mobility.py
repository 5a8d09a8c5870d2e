"""Mobility of a robot: degrees of freedom, and which equations of its loops and contacts are redundant.

The rank of A is taken twice: for all q, exactly, and at points of φ = 0, where it may be smaller. On φ =
0 it is found exactly if φ = 0 can be solved linearly for lengths of the robot, and numerically at points
to which Newton's method leads from the default configuration. Validity of each method:

    for all q      an upper bound; the only method needed for contacts, which hold anywhere
    solved         generic lengths; a special choice of values may have a smaller rank
    closed form    planar loops, with square roots; equal lengths may have the same name
    numbers        the default values, near the default configuration; with 50 digits if possible

If the numerical rank agrees with an exact one, the result is exact. Otherwise the numbers decide, and
the report says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final
from weakref import WeakKeyDictionary

from ...algebra.expr import ZERO
from ...algebra.expr.matrix import Matrix
from ...algebra.identity.rank import independent_columns, independent_rows as independent_for_all
from ...algebra.identity.rank_where import independent_rows_where
from ...basics.wording import counted
from ...errors import ConstraintError
from ...robot.model.robot import Robot, expect_robot

if TYPE_CHECKING:  # closure_points needs NumPy, which proofs of robots without loops do not need
    from .closure_points import SampledRank
    from .equations import EquationsOfMotion


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
        """Names of the redundant equations, which follow from the others."""
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


def mobility(robot: Robot | EquationsOfMotion) -> Mobility:
    """Degrees of freedom of a robot, and which of its closure equations are redundant.

    Args:
        robot: Robot, or its equations of motion.

    Returns:
        The report; `print` it, or read its attributes.

    Raises:
        ModelError: The argument is not a robot.

    >>> from equamo.robot.library import load
    >>> print(mobility(load("rr_arm")))
    Robot rr_arm: 2 degrees of freedom (2 joint speeds, 0 equations of rank 0)
      rank: no equations
    """
    model = expect_robot(getattr(robot, "robot", robot), "mobility")
    if model not in _known:
        _known[model] = _mobility(model)
    return _known[model]


def independent_rows(robot: Robot) -> tuple[int, ...]:
    """Positions in `robot.rows` of the equations that do not follow from those before them on φ = 0.

    >>> from equamo.robot.library import load
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
    from .closure_points import SampledRank

    A = Matrix([r.A for r in rows])
    general = independent_for_all(A, robot.unit_groups)
    sampled = SampledRank(robot)
    kept, method, exact = _decided(robot, A, general, sampled)
    singular = sampled.rank_at_home < len(kept) if sampled.rank_at_home is not None else None
    independent = tuple(names[i] for i in kept)
    return Mobility(robot.name, n, names, independent, len(general), method, exact, singular)


def _decided(
    robot: Robot, A: Matrix, general: list[int], sampled: SampledRank
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
    formulas = _closed_form_rows(robot, A, sampled)
    if formulas is not None and (numbers is None or len(numbers) == len(formulas)):
        return numbers or formulas, "exact, with φ = 0 solved in closed form", True
    if numbers is not None:
        from .closure_digits import DIGITS, rank_holds

        where = f"in numbers, at {counted(sampled.count, 'point')} of φ = 0"
        if sampled.home is not None and rank_holds(robot, sampled.home, numbers):
            where = f"in numbers with {DIGITS} digits, at a point of φ = 0"
        if solved is not None:
            where += f" for the default values; {len(solved)} for general lengths"
        return numbers, where, False
    return general, f"exact for all q; not checked on φ = 0 ({sampled.reason})", False


def _closed_form_rows(robot: Robot, A: Matrix, sampled: SampledRank) -> list[int] | None:
    """Independent rows where closed forms of the dependent coordinates hold; None without such forms."""
    from .closed_form_loops import CROSSED, OPEN, closed_forms
    from .closure_points import independent_in_numbers

    n, names = A.shape[1], [x.name for x in robot.joint_coordinates]
    if n != len(names) or robot.speed_map is not None:
        return None
    if sampled.home is None:
        dependent = independent_columns(Matrix([r[::-1] for r in A.rows]), robot.unit_groups)
    else:
        dependent = independent_in_numbers(sampled.matrix.T[::-1]) or []
    independent = [x for j, x in enumerate(names) if n - 1 - j not in dependent]
    for assembly in (OPEN, CROSSED):
        try:
            formulas = closed_forms(robot, independent, {x.name: assembly for x in robot.loops})
        except ConstraintError:
            continue
        if sampled.holds(formulas):
            return independent_for_all(A.subs(formulas), robot.unit_groups)
    return None
