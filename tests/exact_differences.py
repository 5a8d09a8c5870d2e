"""Derivatives by differences of exact evaluations with 60 digits: what derivative functions must give.

Central differences with a step of 10⁻²⁰ are exact to about 10⁻³⁹ of the third derivative. They know
nothing of graphs, sweeps or factors: the equations are evaluated at moved states, and a quaternion is
moved as a state is, then normalised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import mpmath

from equamo.algebra.expr import Expr, internal
from equamo.algebra.expr.evaluate import Multiprecision, Tape
from equamo.algebra.expr.vector import Vector
from equamo.mechanics.equations import EquationsOfMotion

DIGITS = 60
STEP = mpmath.mpf(10) ** -20
State = dict[Expr, Any]
Function = Callable[[State], list[Any]]


@dataclass
class Differences:
    """One robot at one random state."""

    eom: EquationsOfMotion
    seed: int = 1

    @cached_property
    def ring(self) -> Multiprecision:
        return Multiprecision(DIGITS)

    def number(self, x: Any) -> Any:
        return self.ring.context.mpf(x)

    @cached_property
    def state(self) -> State:
        """A value for every symbol; quaternions of length 1 to all digits."""
        eom, r = self.eom, Random(self.seed)
        tau = [internal("tau", x.name) for x in eom.v]
        free = (*eom.q, *eom.v, *eom.vdot, *eom.inputs, *eom.external, *tau)
        state = {x: self.number(r.uniform(-1, 1)) for x in free}
        for x in eom.parameters:
            given = eom.robot.values[x.name]
            state[x] = self.number(r.uniform(0.5, 1.5) if given is None else 1) * (
                1 if given is None else self.number(given.numerator) / given.denominator
            )
        return self.normalised(state)

    def normalised(self, state: State) -> State:
        found = dict(state)
        for group in self.eom.robot.unit_groups:
            length = self.ring.context.sqrt(sum(found[x] ** 2 for x in group))
            found |= {x: found[x] / length for x in group}
        return found

    def values(self, entries: Sequence[Expr], state: State | None = None) -> list[Any]:
        return Tape(list(entries)).run(self.ring, self.state if state is None else state)

    # -- functions of a state --------------------------------------------------------------------------
    @cached_property
    def inverse_dynamics(self) -> Function:
        tape = Tape(list(self.eom.inverse_dynamics))
        return lambda state: tape.run(self.ring, state)

    @cached_property
    def forward_dynamics(self) -> Function:
        return self._accelerations([internal("tau", x.name) for x in self.eom.v])

    @cached_property
    def forward_dynamics_inputs(self) -> Function:
        return self._accelerations(list(self.eom.input_matrix @ Vector(self.eom.inputs)))

    def _accelerations(self, force: Sequence[Expr]) -> Function:
        """M v̇ = force − rest, solved in numbers."""
        eom = self.eom
        n = len(eom.v)
        still = eom.inverse_dynamics.subs(dict.fromkeys(eom.vdot, 0))
        rest = [f - x for f, x in zip(force, still, strict=True)]
        tape, mp = Tape([*eom.mass_matrix.entries, *rest]), self.ring.context

        def solve(state: State) -> list[Any]:
            found = tape.run(self.ring, state)
            M = mp.matrix([found[i * n : (i + 1) * n] for i in range(n)])
            return list(mp.lu_solve(M, mp.matrix(found[n * n :])))

        return solve

    @cached_property
    def state_derivative(self) -> Function:
        tape = Tape(list(self.eom.kinematic_map @ Vector(self.eom.v)))
        return lambda state: [*tape.run(self.ring, state), *self.forward_dynamics_inputs(state)]

    # -- moves -----------------------------------------------------------------------------------------
    def moves(self, wrt: str) -> list[Callable[[Any], State]]:
        """Of each column of ∂q, the state moved by h."""
        eom, tree = self.eom, self.eom.robot.tree
        if wrt == "coordinates":
            unit = [{x: 1} for x in eom.q]
        else:
            N = tree.kinematic_map
            tape = Tape(list(N.entries))
            known = {**{x: self.number(1) for x in tree.q}, **self.state}  # eliminated: any value
            flat, m = tape.run(self.ring, known), len(tree.v)
            rows = {x: flat[i * m : (i + 1) * m] for i, x in enumerate(tree.q)}
            unit = [{x: rows[x][k] for x in eom.q} for k in range(m)]
        return [self.moved(rates) for rates in unit]

    def moves_of(self, symbols: Sequence[Expr]) -> list[Callable[[Any], State]]:
        """Of each symbol, the state in which it is larger by h."""
        return [self.moved({x: 1}) for x in symbols]

    def moved(self, rates: dict[Expr, Any]) -> Callable[[Any], State]:
        """The state moved by h times the rates."""

        def at(h: Any) -> State:
            new = {x: self.state[x] + h * rate for x, rate in rates.items()}
            return self.normalised(self.state | new)

        return at

    def columns(self, f: Function, moves: Sequence[Callable[[Any], State]]) -> list[list[Any]]:
        """∂f, one list per move."""
        h = self.number(STEP)
        found: list[list[Any]] = []
        for move in moves:
            pairs = zip(f(move(h)), f(move(-h)), strict=True)
            found.append([(a - b) / (2 * h) for a, b in pairs])
        return found

    def jacobian(self, f: Function, moves: Sequence[Callable[[Any], State]]) -> list[Any]:
        """∂f as entries, row by row."""
        return [x for row in zip(*self.columns(f, moves), strict=True) for x in row]


def worst(ours: Sequence[Any], theirs: Sequence[Any]) -> float:
    """Largest difference, relative to the largest entry."""
    assert len(ours) == len(theirs)
    if not ours:
        return 0.0
    size = max(1, *(abs(x) for x in theirs))
    return float(max(abs(a - b) for a, b in zip(ours, theirs, strict=True)) / size)
