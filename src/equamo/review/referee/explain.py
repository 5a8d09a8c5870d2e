"""Explanation of the differences between our numbers and those of a library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from ...mechanics.equations.derive import derive
from .difference import Difference, difference
from .library import Library
from .numbers import DYNAMICS, QUANTITIES, OurNumbers
from .result import QuantityResult
from .rules import (
    SINGLE,
    SINGLE_PRECISION,
    SINGULAR,
    Rule,
    rules_for,
    single_precision,
    singular_mass_matrix,
)
from .states import States

Floats = NDArray[np.float64]
_SINGULAR: Final = 1e14  # condition number of a numerically singular matrix
_SMALL: Final = 1e-4  # scale of cancelling forces, relative to the inverse dynamics


@final
class Explanation:
    """Comparison of one library, quantity by quantity."""

    ours: OurNumbers
    theirs: Mapping[str, Floats]
    library: Library
    tolerance: float

    def __init__(
        self, ours: OurNumbers, theirs: Mapping[str, Floats], library: Library, tolerance: float
    ) -> None:
        self.ours, self.theirs, self.library, self.tolerance = ours, theirs, library, tolerance
        self.rules: list[Rule] = rules_for(library)
        self.texts: dict[str, str] = {}  # rules that explained something
        self._changed: dict[frozenset[str], OurNumbers] = {frozenset(): ours}
        forces = [
            x for n in ("inverse dynamics", "bias + gravity") if (x := theirs.get(n)) is not None
        ]
        size = max((np.abs(x[np.isfinite(x)]).max(initial=0.0) for x in forces), default=0.0)
        self._least = _SMALL * float(size)

    def results(self) -> list[QuantityResult]:
        """Results for all quantities that the library offers."""
        return [self._result(n) for n in QUANTITIES if n in self.theirs]

    def _result(self, name: str) -> QuantityResult:
        first = self._difference(name, ())
        if first.relative <= self.tolerance:
            return QuantityResult(name, first, (), first, True)
        if name in self.library.singles and first.relative <= SINGLE:
            self.texts[SINGLE_PRECISION] = single_precision(self.library)
            return QuantityResult(name, first, (SINGLE_PRECISION,), first, True)
        if name not in DYNAMICS:  # no rule changes the geometry
            return QuantityResult(name, first, (), first, False)
        for rules in self._candidates():
            rest = self._difference(name, rules)
            if rest.relative <= self.tolerance:
                return self._fewest(name, first, rules)
        if name == "forward dynamics" and self._is_singular(first.index[0]):
            self.texts[SINGULAR] = singular_mass_matrix()
            return QuantityResult(name, first, (SINGULAR,), first, True)
        return QuantityResult(name, first, (), first, False)

    def _candidates(self) -> Iterator[tuple[str, ...]]:
        """Sets of rules, small ones first: some of the forces, with or without the inertias."""
        inertias = tuple(r.name for r in self.rules if not r.is_force)
        forces = [r.name for r in self.rules if r.is_force]
        for k in range(len(forces) + 1):
            for some in combinations(forces, k):
                if some:
                    yield some
                if inertias:
                    yield (*some, *inertias)

    def _fewest(self, name: str, first: Difference, rules: tuple[str, ...]) -> QuantityResult:
        """Result for a minimal set of rules that explains a difference."""
        for rule in rules:
            fewer = tuple(n for n in rules if n != rule)
            if self._difference(name, fewer).relative <= self.tolerance:
                rules = fewer
        self.texts |= {r.name: r.text for r in self.rules if r.name in rules}
        return QuantityResult(name, first, rules, self._difference(name, rules), True)

    def _is_singular(self, state: int) -> bool:
        """Whether our mass matrix is numerically singular at a state."""
        return bool(np.linalg.cond(self.ours["mass matrix"][state]) > _SINGULAR)

    def _difference(self, name: str, rules: Iterable[str]) -> Difference:
        numbers = self._with(frozenset(rules))
        ours, theirs = numbers.pair(name, self.theirs[name])
        least: float | Floats = 0.0
        if name == "forward dynamics":  # backward error: relative to the terms of M v̇ + C v + g − τ
            terms = np.abs(numbers["mass matrix"]) @ np.abs(self.theirs[name])[..., None]
            least = np.nan_to_num(terms.max(axis=(1, 2)), posinf=0.0)
        elif name in DYNAMICS and name != "mass matrix":
            least = self._least
        return difference(ours, theirs, least)

    def _with(self, names: frozenset[str]) -> OurNumbers:
        """Our numbers for the robot that the rules describe."""
        if names not in self._changed:
            robot = self.ours.eom.robot
            for rule in self.rules:
                if rule.name in names:
                    robot = rule.change(robot)
            states: States = self.ours.states
            self._changed[names] = OurNumbers(derive(robot), states)
        return self._changed[names]
