"""`eq.assemble`: start values projected onto φ(q) = 0 and A(q) u = 0.

Positions by Newton's method with the shortest step, in displacements δ of the joints,

    (1) A δ = −φ          |δ| → min

velocities in one step, in the metric of the mass matrix, as in an impact:

    (2) A (u + δ) = 0     δᵀ M δ → min

Displacements and φ are divided by their characteristic sizes, so that a configuration of a large robot
is that of a small one, scaled. A φ is polynomial in rotations, so it also vanishes for antiparallel
axes; the inequalities of the loops exclude these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast, final

from ...algebra.arrays import np
from ...basics.arguments import is_one_of, items_of
from ...basics.wording import brief
from ...errors import AssemblyError, EvaluationError, UnknownNameError
from ...robot.model.arguments import number
from ...robot.model.robot import Robot, expect_robot
from .characteristic_sizes import CharacteristicSizes
from .closure_values import ClosureValues
from .equations import EquationsOfMotion
from .state_reader import Floats, Reader

CLOSED: Final = 1e-11  # largest |φ| of an assembled configuration, divided by its size
_STEPS: Final = 80
_HALVINGS: Final = 12
_EXACT: Final = 1e-16  # |φ|, divided by its size, at which no step can improve it
_FLAT: Final = 1e-5  # slope of |φ| that counts as zero
_LARGEST: Final = 1.0  # longest step [rad, or the length of the robot]
_SPREADS: Final = (0.0, 0.1, 0.3, 0.3, 0.6, 0.6, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0)
_SMALL: Final = 1e-10  # singular values below this times the largest count as zero
_MOVES: Final = 1e-9  # rate of φ, as a fraction of its terms, that kept speeds may leave


@final
@dataclass(frozen=True, eq=False)
class Assembled:
    """State on φ = 0 and A u = 0.

    Attributes:
        q: Coordinates, as `robot.q`.
        v: Speeds, as `robot.v`.
        start_gap: Largest |φ| of the start.
        gap: Largest |φ| that remains.
    """

    q: Floats
    v: Floats
    start_gap: float
    gap: float


def assemble(
    robot: Robot | EquationsOfMotion,
    q: Any = None,
    v: Any = None,
    values: Mapping[str, Any] | None = None,
    start_gap: Any = None,
    keep: Sequence[str] | None = None,
) -> Assembled:
    """Project a state onto the loops of a robot.

    Args:
        robot: Robot, or its equations of motion.
        q: Coordinates: a sequence, or {name: number} with the others at home.
        v: Speeds, like q; 0 for names that are missing.
        values: Values of parameters, in place of their defaults.
        start_gap: Largest |φ| that the start may have [m; sine of an angle]; by default any.
        keep: Coordinates and speeds that must not change. By default those named in q and v, if they
            do not exceed the degrees of freedom.

    Returns:
        The nearest state found with φ(q) = 0 and A(q) v = 0.

    Raises:
        AssemblyError: The loops cannot be closed; the message names the loop and the remaining gap. Or
            the start violates a loop by more than `start_gap`.
        UnknownNameError: A name is unknown.
        EvaluationError: A state has a wrong shape, or a parameter has no value.

    >>> from equamo.robot.library import load
    >>> assemble(load("rr_arm"), q=[0.5, 1.0]).q
    array([0.5, 1. ])
    """
    if isinstance(robot, EquationsOfMotion):
        expect_original(robot)
    model = robot.robot if isinstance(robot, EquationsOfMotion) else expect_robot(robot, "assemble")
    space = model.state_space
    start = Reader("assemble", space.q, exact=True).read_state(q)
    speeds = Reader("assemble", space.v, exact=True).read_state(_zeros(v, space.v.names))
    assembler = Assembler(model, values)
    if start_gap is not None:
        advice = "pass a q that is closer, or a larger start_gap"
        assembler.check_start(start, _positive(start_gap), advice)
    coordinates, rates = _kept(model, keep, q, v)
    start_gap = assembler.closure.gap(start)[0]
    closed = assembler.positions(start, coordinates)
    v_closed = assembler.velocities(closed, speeds, rates)
    return Assembled(closed, v_closed, start_gap, assembler.closure.gap(closed)[0])


def expect_original(eom: EquationsOfMotion) -> None:
    """Raise an error if symbols were replaced: the loops still have the symbols of the robot."""
    if eom.replaced is not None and eom.robot.closure_rows:
        raise EvaluationError(
            f"The equations of robot {eom.robot.name!r} with loops or held contacts must not have "
            f"replaced symbols; pass values={{…}}, or use robot.with_values(…)."
        )


@final
class Assembler:
    """Projections of one robot with given values of its parameters."""

    robot: Robot
    place: str

    def __init__(
        self, robot: Robot, values: Mapping[str, Any] | None = None, place: str = "assemble"
    ) -> None:
        self.robot, self.place = robot, place
        self.closure: ClosureValues = ClosureValues(robot, values, place)
        self.sizes: CharacteristicSizes = CharacteristicSizes(robot, values)
        self._row_sizes: Floats = self.sizes.of_rows(self.closure.loop_rows)

    def check_closed(self, q: Floats, share: float, advice: str) -> None:
        """Check that no |φ| of a state exceeds a fraction of its size."""
        phi = np.abs(self.closure.phi(q))
        if not (phi <= share * self._row_sizes).all():
            self.check_start(
                q, share * float(self._row_sizes[int(np.argmax(phi / self._row_sizes))]), advice
            )

    def check_start(self, q: Floats, most: float, advice: str) -> None:
        """Check that no |φ| of a start exceeds `most`; the message ends with `advice`."""
        gap, row, loop = self.closure.gap(q)
        if not gap <= most:
            raise AssemblyError(
                f"{self.place}: at the start, no gap of a loop may exceed {most:.3g}, got "
                f"{gap:.3g} in loop {loop!r} ({row!r}); {advice}.",
                loop,
                gap,
            )

    # -- positions -------------------------------------------------------------------------------------
    def positions(
        self, q: Floats, keep: Sequence[str] = (), attempts: int = len(_SPREADS)
    ) -> Floats:
        """q projected onto φ = 0; joints of the kept coordinates do not move.

        Args:
            q: Start.
            keep: Names of coordinates.
            attempts: Starts to try: q, then random ones near it.

        Raises:
            AssemblyError: The loops cannot be closed from there.
        """
        if not self.closure.loop_rows:
            return q
        self.closure.check_lengths()
        columns = self._free_columns(keep)
        random = np.random.default_rng(20)
        best, least, branch = q, np.inf, ""
        for spread in _SPREADS[:attempts]:
            moved = np.zeros((1, len(self.robot.joint_speeds)))
            moved[0, columns] = spread * random.standard_normal(len(columns))
            moved *= self.sizes.u
            start = self.closure.space.integrate(q, moved[0]) if spread else q
            found, gap = self._newton(start, columns)
            wrong = self._wrong_branch(found)
            if gap <= CLOSED and not wrong:
                return found
            if gap < least:
                best, least, branch = found, gap, wrong
        raise self._not_assembled(best, keep, branch)

    def _newton(self, q: Floats, columns: list[int]) -> tuple[Floats, float]:
        """Newton's method (1) from one start: the last configuration, and its largest φ by size."""
        closure, rows, sizes = self.closure, self._row_sizes, self.sizes.u
        phi = closure.phi(q) / rows
        for _ in range(_STEPS):
            size = float(np.linalg.norm(phi))
            if not np.isfinite(size) or size <= _EXACT or not columns:
                break
            A = (closure.loop_matrix(q) * sizes / rows[:, None])[:, columns]
            if (
                not np.isfinite(A).all()
                or np.linalg.norm(A.T @ phi) <= _FLAT * np.linalg.norm(A) * size
            ):
                break  # no direction reduces |φ|
            step = -np.linalg.lstsq(A, phi, rcond=_SMALL)[0]  # (1)
            step *= min(1.0, _LARGEST / (float(np.linalg.norm(step)) or 1.0))
            for _ in range(_HALVINGS):
                delta = np.zeros(len(self.robot.joint_speeds))
                delta[columns] = step
                trial = closure.space.integrate(q, delta * sizes)
                value = closure.phi(trial) / rows
                if float(np.linalg.norm(value)) < size:
                    break
                step = step / 2
            else:
                break
            q, phi = trial, value
        worst = float(np.max(np.abs(phi), initial=0.0))
        return q, worst if np.isfinite(worst) else np.inf

    def _wrong_branch(self, q: Floats) -> str:
        """Name of a violated inequality; empty if there is none."""
        numbers = self.closure.inequalities(q)
        for x, condition in zip(numbers, self.robot.inequalities, strict=True):
            if not x > 0:
                return condition.name
        return ""

    def _free_columns(self, keep: Sequence[str]) -> list[int]:
        """Joint speeds that may change q: those of joints without a kept coordinate, if there are any"""
        moving = {k for part in self.closure.space.parts for k in part.v}
        for b in self.robot.bodies:
            own, columns = b.joint.coordinates, self.robot.columns(b)
            if len(own) == len(columns):
                moving -= {k for n, k in zip(own, columns, strict=True) if n in keep}
            elif any(n in keep for n in own):
                moving -= set(columns)
        return sorted(moving)

    def _not_assembled(self, q: Floats, keep: Sequence[str], branch: str) -> AssemblyError:
        gap, row, loop = self.closure.gap(q)
        held = f" with {', '.join(keep)} kept" if keep else ""
        if branch and (np.abs(self.closure.phi(q)) <= CLOSED * self._row_sizes).all():
            return AssemblyError(
                f"{self.place}: the loops of robot {self.robot.name!r} must close with {branch}, got "
                f"only configurations of the other branch{held}; pass a q that is closer.",
                branch.split(":")[0],
                gap,
            )
        if not np.isfinite(gap):
            return AssemblyError(
                f"{self.place}: loop {loop!r} of robot {self.robot.name!r} cannot be assembled: {row!r} "
                f"has no value at the given coordinates{held}; pass coordinates within its reach.",
                loop,
                gap,
            )
        return AssemblyError(
            f"{self.place}: loop {loop!r} of robot {self.robot.name!r} cannot be assembled: a gap of "
            f"{gap:.3g} remains in {row!r}{self._unmoved(row)}{held}; check lengths and attachment "
            "points, or pass a q that is closer.",
            loop,
            gap,
        )

    def _unmoved(self, name: str) -> str:
        """Remark on a row whose φ does not depend on q"""
        row = next(r for r in self.closure.loop_rows if r.name == name)
        return ", which no joint moves" if row.is_zero else ""

    # -- velocities ------------------------------------------------------------------------------------
    def velocities(self, q: Floats, v: Floats, keep: Sequence[str] = ()) -> Floats:
        """v projected onto A v = 0; kept speeds do not change. Chosen speeds satisfy it already.

        Raises:
            AssemblyError: The kept speeds contradict the rows.
        """
        if self.robot.speed_map is not None or not self.closure.rows or not v.any():
            return v
        A = self.closure.matrix(q)
        columns = [k for k, x in enumerate(self.robot.v) if x.name not in keep]
        F, rate = A[:, columns], A @ v
        L = self._metric(q, columns)
        rows = self.sizes.of_rows(self.closure.rows)
        left = F @ np.linalg.inv(L.T) / rows[:, None]
        step = np.linalg.solve(L.T, np.linalg.lstsq(left, -rate / rows, rcond=_SMALL)[0])
        result = np.array(v)
        result[columns] += step  # (2)
        left = np.abs(A @ result)
        terms = np.abs(A) @ (np.abs(result) + np.abs(v))
        beyond = left - self.sizes.negligible_rates(self.closure.rows, terms, _MOVES)
        worst = int(np.argmax(beyond))
        if beyond[worst] > 0:
            row = self.closure.rows[worst]
            raise AssemblyError(
                f"{self.place}: the speeds {', '.join(keep)} cannot be kept: {row.name!r} would move at "
                f"{left[worst]:.3g}; keep fewer speeds.",
                row.owner,
                float(left[worst]),
            )
        return result

    def _metric(self, q: Floats, columns: list[int]) -> Floats:
        """Lower triangular L with M = L Lᵀ of some speeds; by their sizes if they have no inertia"""
        M = self.closure.mass_matrix(q)[np.ix_(columns, columns)]
        try:
            return np.asarray(np.linalg.cholesky(M), dtype=np.float64)
        except np.linalg.LinAlgError:
            return np.diag(1 / self.sizes.u[columns])


def _zeros(v: Any, names: Sequence[str]) -> Any:
    """v, or zeros: the default speeds are part of the start only if nothing was passed"""
    if isinstance(v, Mapping):
        return {**dict.fromkeys(names, 0.0), **cast(Mapping[Any, Any], v)}
    return v


def _kept(robot: Robot, keep: Sequence[str] | None, q: Any, v: Any) -> tuple[list[str], list[str]]:
    """Names of the coordinates and of the speeds that must not change"""
    coordinates, speeds = robot.state_space.q.names, robot.state_space.v.names
    if keep is not None:
        names = None if isinstance(keep, str) else items_of(keep)
        if names is None:
            raise EvaluationError(
                f"assemble: keep must be a list of coordinates and speeds, got {brief(keep)}."
            )
        for n in names:
            if not is_one_of(n, (*coordinates, *speeds)):
                raise UnknownNameError("coordinate or speed", n, (*coordinates, *speeds), "keep")
        return [n for n in names if n in coordinates], [n for n in names if n in speeds]
    if not robot.rows or not (isinstance(q, Mapping) or isinstance(v, Mapping)):
        return [], []
    return few(robot, names_in(q)), few(robot, names_in(v))


def few(robot: Robot, names: list[str]) -> list[str]:
    """Names of coordinates or of speeds, unless there are more of them than degrees of freedom."""
    from .mobility import degrees_of_freedom

    return names if len(names) <= degrees_of_freedom(robot) else []


def names_in(state: Any) -> list[str]:
    """Names in a state {name: number}; none in a sequence."""
    if not isinstance(state, Mapping):
        return []
    return [str(getattr(n, "name", n)) for n in cast(Mapping[Any, Any], state)]


def _positive(start_gap: Any) -> float:
    try:
        x = float(number("start_gap", start_gap))
    except Exception:
        x = np.nan
    if not x >= 0:
        raise EvaluationError(f"assemble: start_gap must be a number ≥ 0, got {brief(start_gap)}.")
    return x
