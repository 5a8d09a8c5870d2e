"""Equations of rest in numbers: residual, exact Jacobian, solver, and comparison of solutions.

With loops or sticking contacts, forces λ of their independent rows are additional unknowns, and φ adds
equations:

    inverse dynamics(q, v = 0, v̇ = 0) − B(q) · inputs − A(q)ᵀ λ = 0,   φ(q) = 0

A contact is held where it is at the starting point of the search.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, Final, final

import numpy as np

from ..equations.assembly import expect_original
from ..equations.constrained import is_augmented
from ..equations.equations import EquationsOfMotion
from ..equations.mobility import independent_rows
from ..equations.state_reader import no_value
from ..expr import Expr, internal, symbol
from ..expr.differentiate import jacobian
from ..expr.evaluate import Arrays, Tape
from ..expr.matrix import Matrix
from ..expr.substitute import substitute
from ..expr.vector import Vector
from ..expr.walk import symbols as symbols_of
from ..extras import library
from .operating_point import Array

PLACE: Final = "equilibria"
SOLVED: Final = 1e-9  # fraction of the largest gravity force that may remain
DRAWS: Final = 100  # random points to try; three at which the equations are finite are used
APART: Final = 1e-6  # two solutions closer than this count as one
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
        here = self.rows(at)
        self._held[n : n + len(closure.positions)] = np.where(
            closure.held, here[n : n + len(closure.positions)], 0.0
        )
        self.free = [k for k, s in enumerate(self.symbols) if s in free and s in occurring]
        self._differentiate(rows)
        self.free: list[int] = self._relevant()
        self._differentiate(rows)
        size = np.abs(eom.evaluate("gravity", q=at[: len(eom.q)], values=values)).max(initial=1.0)
        self.least: float = SOLVED * max(1.0, float(size))
        self._periodic = self._periodicity()

    def _differentiate(self, rows: list[Expr]) -> None:
        slopes = jacobian(rows, [self.symbols[k] for k in self.free])
        self._slopes = Tape([x for row in slopes for x in row])
        self._shape = len(rows), len(self.free)

    def _relevant(self) -> list[int]:
        """Unknowns that the equations depend on; in the graph, others occur in terms that cancel."""
        rng = np.random.default_rng(2)
        slope = np.zeros(len(self.free))
        points = (self.slopes(self.at + rng.uniform(-1, 1, len(self.at))) for _ in range(DRAWS))
        for slopes in islice((x for x in points if np.isfinite(x).all()), 3):
            slope = np.maximum(slope, np.abs(slopes).max(axis=0, initial=0))
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

    def solve(self, start: Array) -> Array | None:
        """Solution from a starting point by least squares and Newton's method; None if it fails."""
        try:
            x = self._improved(start)
        except (ValueError, np.linalg.LinAlgError):  # undefined after a step
            return None
        good = np.isfinite(x).all() and self.residual(x) <= self.least and self._assembled(x)
        return self._wrapped(x) if good else None

    def _assembled(self, x: Array) -> bool:
        """Whether the loops are in the right assembly, without antiparallel axes."""
        with np.errstate(all="ignore"):
            values = self._conditions.run(Arrays(), self._numbers(x))
        return all(float(e) > 0 for e in values)

    def _balanced(self, x: Array) -> Array:
        """x with the multipliers that best balance its forces, as a start."""
        places = [k for k, j in enumerate(self.free) if j >= self.state]
        J, r = self.slopes(x)[:, places], self.rows(x)
        if places and np.isfinite(J).all() and np.isfinite(r).all():
            x = x.copy()
            x[[self.free[k] for k in places]] -= np.linalg.lstsq(J, r, rcond=None)[0]
        return x

    def _improved(self, start: Array) -> Array:
        x = self._balanced(start)

        def put(z: Array) -> Array:
            x[self.free] = z
            return x

        def rows(z: Array) -> Array:
            return self.rows(put(z))

        def slopes(z: Array) -> Array:
            return _finite(self.slopes(put(z)))

        if self.free and not self.residual(x) <= self.least:  # true for nan, too
            optimize = library("scipy.optimize", PLACE)
            x[self.free] = optimize.least_squares(rows, x[self.free], slopes).x
            for _ in range(6):
                J, r = _finite(self.slopes(x)), _finite(self.rows(x))
                x[self.free] -= np.linalg.lstsq(J, r, rcond=None)[0]
        return x

    def random(self, rng: np.random.Generator) -> Array:
        """Random starting point: angles in ±π, lengths in ±1 m or within limits, inputs unchanged."""
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
            return -1.0, 1.0
        ends = Vector([limits.lower, limits.upper])
        low, high = self.eom.evaluate(ends, values=self.values)
        return float(low), float(high)

    def _periodicity(self) -> list[bool]:
        """For each coordinate, whether the equations are periodic in it with period 2π."""
        rng = np.random.default_rng(1)
        x = self.at + rng.uniform(-1, 1, len(self.at))
        here = self.rows(x)
        size = 1e-9 * max(1.0, float(np.abs(here).max(initial=0)))
        inside = {k for g in self.eom.robot.state_space.quaternions for k in g}
        periodic: list[bool] = []
        for k in range(len(self.eom.q)):
            shifted = x.copy()
            shifted[k] += 2 * PI
            same = bool(np.abs(self.rows(shifted) - here).max(initial=0) < size)
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
        return bool(d.max(initial=0) <= APART * (1 + np.abs(y).max(initial=0)))


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
        self.multipliers: tuple[Expr, ...] = ()
        self.force = Vector([0] * len(eom.v))
        if is_augmented(robot):
            chosen = [robot.rows[k] for k in independent_rows(robot)]
            self.multipliers = tuple(internal("multiplier", r.name) for r in chosen)
            A = Matrix([r.A for r in chosen])
            self.force = A.T @ Vector(self.multipliers) if chosen else self.force


def _finite(x: Array) -> Array:
    """Return x, or raise ValueError if it is not finite: LAPACK would print a message."""
    if not np.isfinite(x).all():
        raise ValueError
    return x
