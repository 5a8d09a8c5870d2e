"""Characteristic sizes of a robot: what counts as small is a fraction of these, not of 1 m or 1 N.

    L    largest length of the model: of joints and points in bodies, mass centres, radii of gyration
    1/T  √(|g|/L), the rate of a pendulum of length L; 0 without gravity

A coordinate in rad has the size 1, one in m the size L; φ in m has the size L, that of a distance L². So
the thresholds of motion and control scale with masses, lengths and times, and a robot of micrometres or
of kilometres is treated like one of metres. Where the base stands in the world does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, final

from ...algebra.arrays import np
from ...algebra.expr import ZERO, Expr, sqrt, symbol
from ...algebra.expr.evaluate import Arrays, Tape
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...basics.wording import brief
from ...errors import EvaluationError
from ...robot.model.body import WORLD
from ...robot.model.closure import Row
from ...robot.model.robot import Robot
from .state_reader import Floats, Reader

if TYPE_CHECKING:
    from .equations import EquationsOfMotion

POINTS: Final = 6  # random configurations at which forces are taken
DRAWS: Final = 30  # of them, those at which the equations are finite
ROUNDING: Final = 1e-13  # of the largest force or rate of a robot, in the others


@final
class CharacteristicSizes:
    """Sizes of one robot with given values of its parameters.

    >>> from equamo.robot.library import load
    >>> sizes = CharacteristicSizes(load("rp_arm"))  # q2 moves the second link by q2/2
    >>> sizes.length, sizes.q.tolist()
    (1.25, [1.0, 2.5])
    """

    robot: Robot
    values: dict[str, Any]
    is_known: bool  # whether the model defines a length
    length: float  # [m]

    def __init__(
        self, robot: Robot, values: Mapping[str, Any] | None = None, otherwise: float = 1.0
    ) -> None:
        """Sizes of a robot; `otherwise` is the length [m] if the model defines none."""
        if values is not None and not isinstance(values, Mapping):  # pyright: ignore
            raise EvaluationError(
                f"values must be a mapping {{name: number}}, got {brief(values)}."
            )
        self.robot, self.values = robot, dict(values or {})
        part = robot.state_space.values
        reader = Reader("sizes", part, exact=True)
        given = reader.default()
        for name, x in self.values.items():
            if name in part.position:
                given[part.position[str(name)]] = x
        numbers: dict[Expr, Any] = {
            s: np.float64(x) for s, x in zip(part.symbols, given, strict=True)
        }
        home = zip(robot.state_space.q.symbols, robot.state_space.q.numbers, strict=True)
        numbers |= {s: np.float64(0.0 if x is None else x) for s, x in home}
        self._numbers = numbers
        length = self._largest(_lengths(robot), _grounded(robot)) or self._largest(_extents(robot))
        self.is_known = length > 0
        self.length = length if self.is_known else otherwise

    def _values(self, expressions: Sequence[Expr]) -> Floats:
        """Numbers; NaN for an expression with a parameter that has no value."""
        inserted = substitute(expressions, self.robot.eliminated)
        unknown = {x: np.float64(np.nan) for x in symbols(inserted) if x not in self._numbers}
        with np.errstate(all="ignore"):
            values = Tape(inserted).run(Arrays(), self._numbers | unknown)
        return np.array(values, dtype=np.float64)

    def _largest(self, vectors: Iterable[Vector], ground: Iterable[Vector] = ()) -> float:
        """Largest length of a vector, or of the difference of two points of the ground."""
        vectors, ground = list(vectors), list(ground)
        rows = self._values([x for v in (*vectors, *ground) for x in v.entries]).reshape(-1, 3)
        free, fixed = rows[: len(vectors)], rows[len(vectors) :]
        lengths = np.sqrt((free * free).sum(axis=1))
        fixed = fixed[np.isfinite(fixed).all(axis=1)]
        spread = np.ptp(fixed, axis=0) if len(fixed) else np.zeros(3)
        lengths = lengths[np.isfinite(lengths)]
        return max(float(lengths.max(initial=0)), float(np.sqrt(spread @ spread)))

    @staticmethod
    def of_parameters(
        eom: EquationsOfMotion, parameters: Floats, otherwise: float = 1.0
    ) -> CharacteristicSizes:
        """Sizes for the values of all parameters, in their order; NaN without a value."""
        names = (s.name for s in eom.parameters)
        values = {n: float(x) for n, x in zip(names, parameters, strict=True) if np.isfinite(x)}
        return CharacteristicSizes(eom.robot, values, otherwise)

    # -- sizes -----------------------------------------------------------------------------------------
    @cached_property
    def rate(self) -> float:
        """1/T: √(|g|/L) [1/s]; 0 without gravity."""
        g = self._values(list(self.robot.gravity))
        size = float(np.sqrt(g @ g))
        return (size / self.length) ** 0.5 if np.isfinite(size) else 0.0

    def forces(self, eom: EquationsOfMotion, q: Floats) -> Floats:
        """Size of the generalized force along each speed: the largest at rest at points near q."""
        rng, groups = np.random.default_rng(2), self.robot.state_space.quaternions
        largest, count = np.zeros(len(self.v)), 0
        for k in range(DRAWS):
            x = np.array(q, dtype=np.float64)
            if k:
                x = x + self.q * rng.uniform(-1, 1, len(x))
                for group in groups:
                    x[group] = x[group] / np.sqrt(x[group] @ x[group])
            with np.errstate(all="ignore"):
                force = np.abs(eom.evaluate("inverse_dynamics", q=x, values=self.values))
            if np.isfinite(force).all():
                largest, count = np.maximum(largest, force), count + 1
            if count > POINTS:
                break
        return largest

    def negligible(self, forces: Floats, share: float) -> Floats:
        """A share of the forces along the speeds, and rounding of the one that does the most work."""
        work = float((forces * self.v).max(initial=0))
        return share * forces + ROUNDING * work / self.v

    @cached_property
    def q(self) -> Floats:
        """Size of each coordinate: 1 for angles and quaternions, L for lengths."""
        units = self.robot.state_space.q.units
        own: dict[str, float] = {}
        for b in self.robot.bodies:
            if len(b.joint.coordinates) == len(b.joint.speeds):
                own |= zip(b.joint.coordinates, self._of_joint(b.joint.subspace), strict=True)
        names = self.robot.state_space.q.names
        plain = [self.length if u == "m" else 1.0 for u in units]
        return np.array([own.get(n, x) for n, x in zip(names, plain, strict=True)])

    @cached_property
    def u(self) -> Floats:
        """Size of the displacement along each joint speed."""
        sizes = [x for b in self.robot.bodies for x in self._of_joint(b.joint.subspace)]
        return np.array(sizes)

    @cached_property
    def v(self) -> Floats:
        """Size of the displacement along each speed, which may be chosen: u = W v."""
        chosen = self.robot.speed_map
        if chosen is None:
            return self.u
        W = np.abs(self._values(chosen.W.entries).reshape(chosen.W.shape))
        with np.errstate(all="ignore"):
            moved = (W / self.u[:, None]).max(axis=0, initial=0)
        good = np.isfinite(moved) & (moved > 0)
        return np.where(good, 1 / np.where(good, moved, 1.0), 1.0)

    def _of_joint(self, subspace: Any) -> list[float]:
        """Displacements of a joint that turn it by 1 rad or move it by L, whichever is less."""
        angular, linear = subspace
        rows = self._values([*angular.entries, *linear.entries])
        turns, moves = rows.reshape(2, 3, -1)
        rate = np.maximum(*(np.sqrt((x * x).sum(axis=0)) for x in (turns, moves / self.length)))
        good = np.isfinite(rate) & (rate > 0)
        return [float(x) for x in np.where(good, 1 / np.where(good, rate, 1.0), 1.0)]

    def states(self, duration: float) -> Floats:
        """Sizes of (q, v): speeds change as fast as a pendulum of length L, or once per duration."""
        return np.concatenate([self.q, self.v * max(self.rate, 1 / duration)])

    def of_motion(self, initial: Floats, duration: float) -> CharacteristicSizes:
        """The same sizes; without lengths in the model, those of a motion from a state (q, v)."""
        if self.is_known:
            return self
        units = (*self.robot.state_space.q.units, *self.robot.state_space.v.units)
        moved = {
            unit: max(
                (abs(x) for x, u in zip(initial, units, strict=True) if u == unit), default=0.0
            )
            for unit in ("m", "m/s")
        }
        g = self.rate**2 * self.length
        otherwise = float(moved["m"] or moved["m/s"] * duration or g * duration**2)
        return CharacteristicSizes(self.robot, self.values, otherwise or 1.0)

    def negligible_rates(self, rows: Sequence[Row], terms: Floats, share: float) -> Floats:
        """A share of the terms in the rates of rows, and rounding of the largest of them by size."""
        sizes = self.of_rows(rows)
        return share * terms + ROUNDING * sizes * float((terms / sizes).max(initial=0))

    def of_rows(self, rows: Sequence[Row]) -> Floats:
        """Size of φ of each row: L, L² for a distance, or 1 for an orientation."""
        return np.array([self.length**row.power for row in rows], dtype=np.float64)


def _lengths(robot: Robot) -> Iterable[Vector]:
    """Vectors within bodies."""
    for b in robot.bodies:
        if b.parent != WORLD:
            yield b.joint.position
        if b.inertia.mass is not ZERO:
            J, m = b.inertia.tensor, b.inertia.mass
            yield _along(sqrt((J[0, 0] + J[1, 1] + J[2, 2]) / (2 * m)))
    for x in robot.loops:
        ends = ((x.body, x.at), (x.to, x.to_at))
        yield from (at for name, at in ends if name != WORLD)
        if x.length is not None:
            yield _along(x.length)
    yield from (x.at for x in robot.contacts)
    lengths = {n for n, u in _units(robot) if u == "m"}
    for f in robot.forces:
        yield from (at for name, at in _points(f) if name != WORLD)
        rest: Any = getattr(f, "rest", None)
        if rest is not None and (
            getattr(f, "coordinate", None) in lengths or not hasattr(f, "coordinate")
        ):
            yield _along(rest)


def _grounded(robot: Robot) -> Iterable[Vector]:
    """Points of the world to which something is attached; only their distances matter."""
    yield from (b.joint.at for b in robot.bodies if b.parent == WORLD)
    for x in robot.loops:
        if WORLD in (x.body, x.to):
            yield x.at if x.body == WORLD else x.to_at
    for f in robot.forces:
        yield from (at for name, at in _points(f) if name == WORLD)


def _extents(robot: Robot) -> Iterable[Vector]:
    """Limits and home values of coordinates in m, for a robot whose bodies have no lengths."""
    for name, unit in _units(robot):
        if unit == "m":
            yield _along(symbol(name))
            limits = robot.limits.get(name)
            if limits is not None:
                yield from (_along(x) for x in (limits.lower, limits.upper) if x is not None)


def _units(robot: Robot) -> Iterable[tuple[str, str]]:
    return zip(robot.state_space.q.names, robot.state_space.q.units, strict=True)


def _points(f: Any) -> list[tuple[str, Vector]]:
    """Points of a force element, each with its body."""
    pairs = (("body", "point"), ("other", "other_point"), ("reaction_on", "reaction_point"))
    return [(getattr(f, b), getattr(f, p)) for b, p in pairs if hasattr(f, b) and hasattr(f, p)]


def _along(x: Expr) -> Vector:
    return Vector([x, 0, 0])
