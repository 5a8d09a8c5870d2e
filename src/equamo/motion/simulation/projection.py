"""Projection of states onto φ(q) = 0 and A v = 0, after every step and at the start of a motion.

An integrated motion drifts off its loops, because the errors of the steps accumulate. The projection
moves a state back by the shortest way, measured by the mass matrix:

    (1) δ = −M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ φ          repeated until φ = 0; q moves by δ
    (2) u ← u − M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ A u     this never increases the kinetic energy

for independent rows A. There are no Baumgarte terms, so no stiffness and damping to choose, and nothing
does work on the motion except the projections themselves, whose energy is counted.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from ...mechanics.equations.characteristic_sizes import CharacteristicSizes
from ...mechanics.equations.equations import EquationsOfMotion
from .constraint_rows import At, ConstraintRows, closing_rows

Floats = NDArray[np.float64]

STEPS: Final = 12  # of (1); after a step of a solver one or two are enough
EXACT: Final = 1e-14  # a smaller |φ|, divided by its size, is rounding
CLOSED: Final = 1e-11  # largest |φ| that counts as 0, divided by its size


class Projected(NamedTuple):
    """State after a projection, or why it failed."""

    q: Floats
    v: Floats
    gap: float  # largest |φ| that remains, divided by its size
    failure: str | None = None


@final
class Projection:
    """Projections of the states of one robot with given parameters."""

    eom: EquationsOfMotion
    rows: ConstraintRows

    def __init__(self, eom: EquationsOfMotion, parameters: Floats) -> None:
        self.eom, self.rows = eom, ConstraintRows(eom, parameters)
        self.augmented: bool = eom.robot.speed_map is None  # v are all joint speeds
        self.sizes: CharacteristicSizes = CharacteristicSizes.of_parameters(eom, parameters)
        self._rows: Floats = self.sizes.of_rows(self.rows.rows)

    def __call__(self, q: Floats, v: Floats) -> Projected:
        """Project a state near φ = 0."""
        rows, chosen = self.rows, self.rows.independent
        here = rows.at(q)
        gap = _size(here.phi / self._rows)
        for _ in range(STEPS):
            if not gap > EXACT or not chosen:
                break
            response = self._response(here)
            near = rows.moved(q, -response.shift(here.phi[chosen]))  # (1)
            there = rows.at(near)
            new = _size(there.phi / self._rows)
            if not new < gap:
                break
            slow = new > gap / 4 and new < CLOSED
            q, here, gap = near, there, new
            if slow:
                break
        if not gap <= CLOSED * max(1.0, _size(q / self.sizes.q)):
            owner, name, _ = rows.largest(here.phi / self._rows)
            size = float(abs(here.phi[rows.names.index(name)]))
            text = f"loop or contact {owner!r} cannot be closed: {name!r} is off by {size:.3g}"
            return Projected(q, v, gap, text)
        for condition, x in zip(rows.conditions, here.conditions, strict=True):
            if not x > 0:
                text = (
                    f"loop {condition.owner!r} is in its other assembly ({condition.name} must hold, "
                    f"got {x:.3g})"
                )
                return Projected(q, v, gap, text)
        if self.augmented and chosen:
            v = v - self._response(here).shift(here.A[chosen] @ v)  # (2)
        return Projected(q, v, gap)

    def _response(self, at: At) -> Response:
        chosen = self.rows.independent
        return Response(at, chosen, self._rows[chosen], self.sizes.u)


@final
class Response:
    """X = M⁻¹ Aᵀ and Λ⁻¹ = A M⁻¹ Aᵀ of independent rows, divided by their sizes.

    If M of the tree is singular, displacements are measured by their sizes instead.
    """

    def __init__(self, at: At, chosen: list[int], rows: Floats, moves: Floats) -> None:
        self.rows = rows
        A = at.A[chosen] / rows[:, None]
        try:
            self.X = np.linalg.solve(at.M, A.T)
        except np.linalg.LinAlgError:  # a massless body, held by the loop only
            self.X = (A * moves**2).T
        self.inverse_inertia: Floats = A @ self.X

    def shift(self, rates: Floats) -> Floats:
        """M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ rates: the smallest δ with A δ = rates."""
        z: Any
        rates = rates / self.rows
        try:
            z = np.linalg.solve(self.inverse_inertia, rates)
        except np.linalg.LinAlgError:  # A has lost rank
            z = np.linalg.lstsq(self.inverse_inertia, rates, rcond=None)[0]
        return self.X @ z


def projection(eom: EquationsOfMotion, parameters: Floats) -> Projection | None:
    """Projection of a robot with loops or sticking contacts; None for a tree."""
    return Projection(eom, parameters) if closing_rows(eom) else None


def _size(x: Floats) -> float:
    return float(np.abs(x).max(initial=0))
