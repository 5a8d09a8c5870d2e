"""Equations of rest in numbers: residual, exact Jacobian, solver, and comparison of solutions.

With loops or sticking contacts, forces λ of their independent rows are additional unknowns, and φ adds
equations:

    inverse dynamics(q, v = 0, v̇ = 0) − B(q) · inputs − A(q)ᵀ λ = 0,   φ(q) = 0

A contact is held where it is at the starting point of the search.

Unknowns and equations have different units, so each is divided by its size: coordinates by those of
`CharacteristicSizes`, a force by the largest one along its speed at random configurations, a multiplier
or an input by the force that balances these.
"""

from __future__ import annotations

from typing import Any, Final, final

import numpy as np

from ...algebra.expr import Expr, internal, symbol
from ...algebra.expr.differentiate import jacobian
from ...algebra.expr.evaluate import Arrays, Tape
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols as symbols_of
from ...basics.extras import library
from ...errors import AssemblyError
from ...mechanics.equations.assembly import Assembler, expect_original
from ...mechanics.equations.characteristic_sizes import CharacteristicSizes
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.mobility import independent_rows
from ...mechanics.equations.state_reader import no_value
from .operating_point import Array

PLACE: Final = "equilibria"
SOLVED: Final = 1e-9  # fraction of the terms of an equation that may remain
DRAWS: Final = 100  # random points to try; those at which the equations are finite are used
POINTS: Final = 3  # random points at which the dependence on the unknowns is tested
LIGHT: Final = 1e-2  # the same fraction below which an equation has no smaller weight in the search
APART: Final = 1e-6  # two solutions closer than this, as a fraction of their sizes, count as one
EVALUATIONS: Final = 100  # of the equations, per starting point; most solutions take 5 to 60
PI: Final = float(np.pi)


@final
class RestEquations:
    """Equations of rest in x = (q, inputs), of which some entries are free."""

    eom: EquationsOfMotion
    values: dict[str, float]

    def __init__(
        self, eom: EquationsOfMotion, at: Array, free: list[Expr], values: dict[str, float]
    ) -> None:
        self.eom, self.values = eom, values
        closure = RestClosure(eom)
        self.symbols: tuple[Expr, ...] = (*eom.q, *eom.inputs, *closure.multipliers)
        self.state: int = len(eom.q) + len(eom.inputs)
        at = np.concatenate([at, np.zeros(len(closure.multipliers))])
        still = dict.fromkeys((*eom.v, *eom.vdot, *eom.external), 0)
        force = (eom.inverse_dynamics - eom.input_matrix @ Vector(eom.inputs)).subs(still)
        force = Vector([*(force - closure.force), *closure.positions])
        free = [*free, *closure.multipliers]
        self.at = at
        numbers = {**eom.robot.values, **values}
        occurring = set(symbols_of(force))
        missing = [n for n in eom.robot.state_space.missing(values) if symbol(n) in occurring]
        if missing:
            raise no_value(PLACE, eom.robot.name, missing)
        force = force.subs({symbol(n): x for n, x in numbers.items() if x is not None})
        self.groups: list[list[int]] = [
            g for g in eom.robot.state_space.quaternions if eom.q[g[0]] in free
        ]
        unit = [
            Vector([eom.q[k] for k in g]) @ Vector([eom.q[k] for k in g]) - 1 for g in self.groups
        ]
        rows = [*force, *unit]
        conditions = [c.expression for c in eom.robot.inequalities]
        given = {symbol(n): x for n, x in numbers.items() if x is not None}
        self._conditions = Tape(substitute(conditions, given))
        self._held = np.zeros(len(rows))
        self._rows = Tape(rows)
        n = len(eom.v)
        driven = jacobian(rows[:n], self.symbols[len(eom.q) :])
        self._driven = Tape([x for row in driven for x in row])
        here = self.rows(at)
        self._held[n : n + len(closure.positions)] = np.where(
            closure.held, here[n : n + len(closure.positions)], 0.0
        )
        self.free = [k for k, s in enumerate(self.symbols) if s in free and s in occurring]
        self._differentiate(rows)
        sizes = CharacteristicSizes(eom.robot, values)
        if (
            not sizes.is_known
        ):  # no lengths, such as a mass on a spring: how far it moves to balance
            sizes = CharacteristicSizes(eom.robot, values, self._deflection() or 1.0)
        self._scales, self._q_sizes = sizes, sizes.q
        points = self._points()
        rest = np.concatenate([closure.sizes(sizes), np.ones(len(unit))])
        own = sizes.forces(eom, at[: len(eom.q)])
        self.energy: float = float((own * sizes.v).max(initial=0))
        least = LIGHT * self.energy / sizes.v
        self._sizes = np.concatenate([own, rest])
        self._weights = _or_one(np.concatenate([np.maximum(own, least), rest]))
        self._unknown_sizes = self._unknowns(sizes.q)
        self.free: list[int] = self._relevant(points)
        self._differentiate(rows)
        self._periodic = self._periodicity()
        self._assembler = Assembler(eom.robot, values, PLACE) if closure.closes else None

    # -- sizes -----------------------------------------------------------------------------------------
    def _deflection(self) -> float:
        """Largest step of Newton's method from the start, in coordinates of length."""
        J, r = self.slopes(self.at), self.rows(self.at)
        if not np.isfinite(J).all() or not np.isfinite(r).all():
            return 0.0
        step = np.abs(np.linalg.lstsq(J, r, rcond=None)[0])
        units = self.eom.robot.state_space.q.units
        lengths = (
            x for k, x in zip(self.free, step, strict=True) if k < len(units) and units[k] == "m"
        )
        return float(max(lengths, default=0.0))

    def _points(self) -> list[Array]:
        """The start, and random configurations at which the equations are finite."""
        rng, points = np.random.default_rng(2), [self.at]
        for _ in range(DRAWS):
            x = self.at.copy()
            move = rng.uniform(-1, 1, len(self.eom.q))
            x[: len(move)] += self._q_sizes * move
            for g in self.eom.robot.state_space.quaternions:
                x[g] /= np.linalg.norm(x[g])
            if np.isfinite(self.rows(x)).all() and np.isfinite(self.slopes(x)).all():
                points.append(x)
            if len(points) > POINTS:
                break
        return points

    def _unknowns(self, q_sizes: Array) -> Array:
        """Size of each unknown; of an input or a multiplier the value that balances the forces."""
        sizes = np.ones(len(self.symbols))
        sizes[: len(q_sizes)] = q_sizes
        slopes, n = np.abs(self.slopes(self.at)), len(self.eom.v)
        for column, k in enumerate(self.free):
            along = slopes[:n, column] / self._weights[:n]
            if k >= len(q_sizes) and np.isfinite(along).all() and along.any():
                sizes[k] = 1 / along.max()
        return sizes

    def _sizes_at(self, x: Array) -> Array:
        """Size of each equation at x, with the inputs and multipliers there."""
        n = len(self.eom.v)
        terms = np.abs(self._driven_slopes(x)) @ np.abs(x[len(self.eom.q) :])
        sizes = self._sizes.copy()
        sizes[:n] += np.where(np.isfinite(terms), terms, 0)
        return sizes

    def _driven_slopes(self, x: Array) -> Array:
        """Derivatives of the forces with respect to inputs and multipliers."""
        with np.errstate(all="ignore"):
            flat = self._driven.run(Arrays(), self._numbers(x))
        return np.array(flat, dtype=np.float64).reshape(len(self.eom.v), -1)

    def _differentiate(self, rows: list[Expr]) -> None:
        slopes = jacobian(rows, [self.symbols[k] for k in self.free])
        self._slopes = Tape([x for row in slopes for x in row])
        self._shape = len(rows), len(self.free)

    def _relevant(self, points: list[Array]) -> list[int]:
        """Unknowns that the equations depend on; in the graph, others occur in terms that cancel."""
        slope = np.zeros(len(self.free))
        scale = self._unknown_sizes[self.free] / self._weights[:, None]
        for x in points:
            slopes = np.abs(self.slopes(x)) * scale
            if np.isfinite(slopes).all():
                slope = np.maximum(slope, slopes.max(axis=0, initial=0))
        least = 1e-9 * slope.max(initial=0)
        return [k for k, x in zip(self.free, slope, strict=True) if x > least]

    # The equations may be undefined at a starting point, such as at a spring of length 0. The numbers
    # are then nan or infinite, which `solve` checks; NumPy's warnings would not help the user.
    def rows(self, x: Array) -> Array:
        """Left-hand sides of the equations at x."""
        with np.errstate(all="ignore"):
            values = np.array(self._rows.run(Arrays(), self._numbers(x)), dtype=np.float64)
        return values - self._held

    def _numbers(self, x: Array) -> dict[Expr, Any]:
        return dict(zip(self.symbols, (np.float64(a) for a in x), strict=True))

    def slopes(self, x: Array) -> Array:
        """Jacobian of the equations with respect to the free entries of x."""
        with np.errstate(all="ignore"):
            flat = self._slopes.run(Arrays(), self._numbers(x))
        return np.array(flat, dtype=np.float64).reshape(self._shape)

    def residual(self, x: Array) -> float:
        """Largest left-hand side at x."""
        return float(np.abs(self.rows(x)).max(initial=0))

    def holds(self, x: Array) -> bool:
        """Whether all equations hold at x, up to a fraction of their terms."""
        allowed, n = SOLVED * self._sizes_at(x), len(self.eom.v)
        allowed[:n] = self._scales.negligible(allowed[:n] / SOLVED, SOLVED)
        return bool((np.abs(self.rows(x)) <= allowed).all())

    def solve(self, start: Array) -> Array | None:
        """Solution from a starting point by least squares and Newton's method; None if it fails."""
        try:
            x = self._improved(start)
        except (ValueError, np.linalg.LinAlgError):  # undefined after a step
            return None
        good = np.isfinite(x).all() and self.holds(x) and self._assembled(x)
        return self._wrapped(x) if good else None

    def _assembled(self, x: Array) -> bool:
        """Whether the loops are in the right assembly, without antiparallel axes."""
        with np.errstate(all="ignore"):
            values = self._conditions.run(Arrays(), self._numbers(x))
        return all(float(e) > 0 for e in values)

    def _closed(self, x: Array) -> Array:
        """x with its loops closed, if that succeeds in few steps."""
        n = len(self.eom.q)
        fixed = [s.name for k, s in enumerate(self.eom.q) if k not in self.free]
        if self._assembler is None:
            return x
        try:
            q = self._assembler.positions(x[:n], fixed, attempts=1)
        except AssemblyError:
            return x
        return np.concatenate([q, x[n:]])

    def _balanced(self, x: Array) -> Array:
        """x with the multipliers that best balance its forces, as a start."""
        places = [k for k, j in enumerate(self.free) if j >= self.state]
        J, r = self.slopes(x), self.rows(x)
        if places and np.isfinite(J).all() and np.isfinite(r).all():
            x = x.copy()
            columns = [self.free[k] for k in places]
            x[columns] -= self._step(J[:, places], r, columns)
        return x

    def _step(self, J: Array, r: Array, columns: list[int]) -> Array:
        """Least-squares solution of J step = r, in equations and unknowns divided by their sizes."""
        rows, unknowns = self._weights, self._unknown_sizes[columns]
        scaled = _finite(J / rows[:, None] * unknowns)
        return unknowns * np.linalg.lstsq(scaled, _finite(r / rows), rcond=None)[0]

    def _improved(self, start: Array) -> Array:
        x = self._balanced(self._closed(start))
        sizes, unknowns = self._weights, self._unknown_sizes[self.free]

        def put(z: Array) -> Array:
            x[self.free] = unknowns * z
            return x

        def rows(z: Array) -> Array:
            return self.rows(put(z)) / sizes

        def slopes(z: Array) -> Array:
            return _finite(self.slopes(put(z)) / sizes[:, None] * unknowns)

        if self.free and not self.holds(x):  # true for nan, too
            optimize = library("scipy.optimize", PLACE)
            start = x[self.free] / unknowns
            put(optimize.least_squares(rows, start, slopes, x_scale="jac", max_nfev=EVALUATIONS).x)
            for _ in range(6):
                x[self.free] -= self._step(self.slopes(x), self.rows(x), self.free)
        return x

    def random(self, rng: np.random.Generator) -> Array:
        """Random starting point: angles in ±π, lengths in ±L or within limits, inputs unchanged."""
        x = self.at.copy()
        for k in self.free:
            if k >= len(self.eom.q):
                continue
            low, high = self._range(k)
            x[k] = rng.uniform(low, high)
        for g in self.groups:
            quaternion = rng.normal(size=4)
            x[g] = quaternion / np.linalg.norm(quaternion)
        return x

    def _range(self, k: int) -> tuple[float, float]:
        if self._periodic[k]:
            return -PI, PI
        limits = self.eom.robot.limits.get(self.eom.q[k].name)
        if limits is None or limits.lower is None or limits.upper is None:
            return -float(self._q_sizes[k]), float(self._q_sizes[k])
        ends = Vector([limits.lower, limits.upper])
        low, high = self.eom.evaluate(ends, values=self.values)
        return float(low), float(high)

    def _periodicity(self) -> list[bool]:
        """For each coordinate, whether the equations are periodic in it with period 2π."""
        rng = np.random.default_rng(1)
        x = self.at + rng.uniform(-1, 1, len(self.at)) * self._unknown_sizes
        here = self.rows(x)
        size = 1e-9 * (self._sizes_at(x) + np.abs(here))
        inside = {k for g in self.eom.robot.state_space.quaternions for k in g}
        periodic: list[bool] = []
        for k in range(len(self.eom.q)):
            shifted = x.copy()
            shifted[k] += 2 * PI
            same = bool((np.abs(self.rows(shifted) - here) < size).all())
            periodic.append(same and k in self.free and k not in inside)
        return periodic

    def _wrapped(self, x: Array) -> Array:
        """The same state with angles in (−π, π] and quaternions with w ≥ 0."""
        x = x.copy()
        for k, periodic in enumerate(self._periodic):
            if periodic:
                x[k] = PI - (PI - x[k]) % (2 * PI)
                if abs(x[k] + PI) < APART:
                    x[k] = PI
        for g in self.groups:
            if x[g[0]] < 0:
                x[g] *= -1
        return x

    def same(self, x: Array, y: Array) -> bool:
        """Whether two solutions are the same state."""
        x, y = x[: self.state], y[: self.state]
        d = np.abs(x - y)
        for k, periodic in enumerate(self._periodic):
            if periodic:
                d[k] = min(d[k], 2 * PI - d[k])
        sizes = np.maximum(self._unknown_sizes[: self.state], np.abs(y))
        return bool((d <= 2 * APART * sizes).all())


@final
class RestClosure:
    """Forces of loops and sticking contacts at rest, and their positions; nothing for a tree."""

    force: Vector

    def __init__(self, eom: EquationsOfMotion) -> None:
        expect_original(eom)
        robot = eom.robot
        rows = [r for r in robot.rows if r.position is not None]
        self.positions: list[Expr] = [r.position for r in rows if r.position is not None]
        self.held: list[bool] = [r.phi is None for r in rows]
        self.closes: bool = any(r.phi is not None for r in rows)
        self._rows = rows
        self.multipliers: tuple[Expr, ...] = ()
        self.force = Vector([0] * len(eom.v))
        if is_augmented(robot):
            chosen = [robot.rows[k] for k in independent_rows(robot)]
            self.multipliers = tuple(internal("multiplier", r.name) for r in chosen)
            A = Matrix([r.A for r in chosen])
            self.force = A.T @ Vector(self.multipliers) if chosen else self.force

    def sizes(self, sizes: CharacteristicSizes) -> Array:
        """Size of each position."""
        return sizes.of_rows(self._rows)


def _or_one(sizes: Array) -> Array:
    """Sizes to divide by: 1 for an equation without terms."""
    return np.where(sizes > 0, sizes, 1.0)


def _finite(x: Array) -> Array:
    """Return x, or raise ValueError if it is not finite: LAPACK would print a message."""
    if not np.isfinite(x).all():
        raise ValueError
    return x
