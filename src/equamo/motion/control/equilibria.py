"""eq.equilibria: states of rest of a robot, by Newton's method from many starting points.

    inverse dynamics(q, v = 0, v̇ = 0) − B(q) · inputs = 0

is solved for the free coordinates and inputs with the exact Jacobian from the graph. With loops or
sticking contacts, φ(q) = 0 and the forces of the rows are added (`rest_equations`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, final

import numpy as np

from ...algebra.expr import Expr
from ...basics.arguments import items_of
from ...basics.wording import brief
from ...errors import EvaluationError, UnknownNameError
from ...mechanics.equations.equations import EquationsOfMotion, expect_equations
from .controllability import near_axis
from .kinks import has_kink_at_rest
from .linear_system import LinearSystem
from .linearize import linearize
from .operating_point import Array, operating_point, read, read_values
from .rest_equations import PLACE, RestEquations

MOST_STARTS: Final = 1_000_000  # random starts of a search


@final
@dataclass(frozen=True, eq=False)
class Equilibrium:
    """Coordinates and inputs of a state of rest; `residual` [N m, N] is the largest remaining force.

    `eigenvalues` are those of the linearization. `stable` is True if all modes decay, False if one
    grows, and None if the linear system does not decide (a frictionless pendulum, a free wheel).
    """

    q: Array  # coordinates
    inputs: Array  # inputs that hold it
    residual: float  # largest remaining force [N m, N]
    eigenvalues: Any = field(repr=False)  # of the linearization [1/s]
    stable: bool | None  # None if the linearization does not decide
    eom: EquationsOfMotion = field(repr=False)  # equations of the robot

    def __str__(self) -> str:
        names = [s.name for s in (*self.eom.q, *self.eom.inputs)]
        numbers = ", ".join(
            f"{n} = {x + 0.0:.6g}" for n, x in zip(names, (*self.q, *self.inputs), strict=True)
        )
        kind = {True: "stable", False: "unstable", None: "stability undecided"}[self.stable]
        return f"{numbers} ({kind})"


def equilibria(
    eom: EquationsOfMotion,
    q: Any = None,
    inputs: Any = None,
    free: Iterable[str] | None = None,
    values: Any = None,
    starts: int | None = None,
    seed: int = 0,
) -> list[Equilibrium]:
    """States of rest near `q`, or from random starting points, in order of potential energy.

    Newton's method may miss states of rest. If they are not isolated, each starting point can lead to
    another one. Contact and dry friction are ignored. Coordinates that no equation depends on keep
    their value.

    Args:
        eom: Equations of motion. Loops are closed in every equilibrium; sticking
            contacts stay where they are at the starting point.
        q: Starting point; without it the search starts at `robot.home` and at random points.
        inputs: Values of the inputs, by default 0.
        free: Names of the coordinates and inputs to solve for, by default all coordinates. The others
            keep their value in `q` and `inputs`, or at `robot.home`.
        values: {parameter: number} for parameters that differ from the robot's defaults.
        starts: Number of additional random starting points, by default 24, or 0 if `q` is given:
            angles in ±π, lengths within their limits, or within ± the largest length of the robot.
        seed: Seed of the random starting points.

    Returns:
        The states of rest, each one once, the one of least potential energy first.

    Raises:
        EvaluationError: An argument has the wrong type, or a parameter has no value.
        UnknownNameError: `free` names an unknown coordinate or input.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> for rest in equilibria(derive(load("rr_arm"))): print(rest)
    q1 = -1.5708, q2 = 0, tau1 = 0, tau2 = 0 (stability undecided)
    q1 = -1.5708, q2 = 3.14159, tau1 = 0, tau2 = 0 (unstable)
    q1 = 1.5708, q2 = 3.14159, tau1 = 0, tau2 = 0 (unstable)
    q1 = 1.5708, q2 = 0, tau1 = 0, tau2 = 0 (unstable)
    """
    expect_equations(eom, PLACE)
    space, table = eom.robot.state_space, read_values(eom, PLACE, values)
    at = np.concatenate([read(PLACE, space.q, q), read(PLACE, space.inputs, inputs)])
    rest = RestEquations(eom, at, _unknowns(eom, free), table)
    count = (24 if q is None else 0) if starts is None else starts
    for name, x, most in (("starts", count, MOST_STARTS), ("seed", seed, None)):
        if not isinstance(x, (int, np.integer)) or x < 0 or (most is not None and x > most):  # pyright: ignore
            limit = f"≤ {most:,}" if isinstance(x, (int, np.integer)) and x > 0 else "≥ 0"  # pyright: ignore
            raise EvaluationError(f"{PLACE}: {name} must be an integer {limit}, got {brief(x)}.")
    rng = np.random.default_rng(seed)
    solutions: list[Array] = []
    for guess in [rest.at, *(rest.random(rng) for _ in range(count))]:
        x = rest.solve(guess)
        if x is not None and not any(rest.same(x, y) for y in solutions):
            solutions.append(x)

    energies = [
        float(eom.evaluate("potential_energy", q=x[: len(eom.q)], values=table)) for x in solutions
    ]
    least, size = min(energies, default=0.0), rest.energy or 1.0

    def height(k: int) -> float:
        return round((energies[k] - least) / size, 6)

    return [_equilibrium(rest, solutions[k]) for k in sorted(range(len(solutions)), key=height)]


def _unknowns(eom: EquationsOfMotion, free: Iterable[str] | None) -> list[Expr]:
    candidates = [*eom.q, *eom.inputs]
    if free is None:
        return list(eom.q)
    listed = [free] if isinstance(free, str) else items_of(free)
    if listed is None:
        raise EvaluationError(
            f"{PLACE}: free must be a list of coordinate or input names, got {brief(free)}."
        )
    names = [str(getattr(n, "name", n)) for n in listed]
    valid = [s.name for s in candidates]
    for n in names:
        if n not in valid:
            raise UnknownNameError("coordinate or input", n, valid, f"free of {PLACE}")
    return [s for s in candidates if s.name in names]


def _equilibrium(rest: RestEquations, x: Array) -> Equilibrium:
    eom, n = rest.eom, len(rest.eom.q)
    q, inputs = x[:n], x[n : rest.state]
    lin = _linear(rest, q, inputs)
    if lin is None:
        return Equilibrium(q, inputs, rest.residual(x), np.zeros(0), None, eom)
    poles = lin.poles
    limit = near_axis(poles, lin)
    stable = None
    if (np.real(poles) > limit).any():
        stable = False
    elif (np.real(poles) < -limit).all():
        stable = True
    return Equilibrium(q, inputs, rest.residual(x), poles, stable, eom)


def _linear(rest: RestEquations, q: Array, inputs: Array) -> LinearSystem | None:
    """Linearization; None at a singular configuration of loops, or at a kink."""
    eom = rest.eom
    still = np.zeros(len(eom.v))
    try:
        return linearize(eom, q, still, inputs, rest.values)
    except EvaluationError:
        if eom.robot.closure_rows:
            return None
        if has_kink_at_rest(operating_point(eom, PLACE, q, still, inputs, rest.values)):
            return None
        raise
