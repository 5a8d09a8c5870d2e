"""eq.equilibria: states in which a robot rests, by Newton's method from many starts.

    inverse dynamics(q, v = 0, v̇ = 0) − B(q) · inputs = 0

is solved for the free coordinates and inputs with the exact Jacobian from the graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from ..equations.equations import EquationsOfMotion, expect_equations
from ..errors import EvaluationError, UnknownNameError
from ..expr import Expr
from ..wording import brief
from .controllability import near_axis
from .linearize import linearize
from .operating_point import Array, read, read_values
from .rest_equations import PLACE, RestEquations


@final
@dataclass(frozen=True, eq=False)
class Equilibrium:
    """Coordinates and inputs of rest; `residual` [N m, N] is what they leave of the equations.

    `eigenvalues` are those of the linearization; `stable` is True if all settle, False if one grows, and
    None if the linear system does not decide (a frictionless swing, a wheel that may stand anywhere).
    """

    q: Array
    inputs: Array
    residual: float
    eigenvalues: Any = field(repr=False)
    stable: bool | None
    eom: EquationsOfMotion = field(repr=False)

    def __str__(self) -> str:
        names = [s.name for s in (*self.eom.q, *self.eom.inputs)]
        numbers = ", ".join(
            f"{n} = {x + 0.0:.6g}" for n, x in zip(names, (*self.q, *self.inputs), strict=True)
        )
        kind = {True: "stable", False: "unstable", None: "stable or not: not decided"}[self.stable]
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
    """States of rest near `q`, or from random starts; each once, those of least height first.

    `free`: names of the coordinates and inputs that are solved for, by default all coordinates. The
    others keep their number in `q` and `inputs` (or at `robot.home`). With `q` that is the one start;
    `starts` says how many random ones there are besides (24 without `q`), angles in ±π, lengths in
    ±1 m or between their limits.

    Limits: it finds what Newton's method finds, not all there is; where states of rest are not isolated
    it gives as many of them as starts led to; contact and dry friction are not seen. Coordinates that no
    equation depends on stay where they are.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> for rest in equilibria(derive(load("rr_arm"))): print(rest)
    q1 = -1.5708, q2 = 0, tau1 = 0, tau2 = 0 (stable or not: not decided)
    q1 = -1.5708, q2 = 3.14159, tau1 = 0, tau2 = 0 (unstable)
    q1 = 1.5708, q2 = 3.14159, tau1 = 0, tau2 = 0 (unstable)
    q1 = 1.5708, q2 = 0, tau1 = 0, tau2 = 0 (unstable)
    """
    expect_equations(eom, PLACE)
    space, table = eom.robot.state_space, read_values(eom, PLACE, values)
    at = np.concatenate([read(PLACE, space.q, q), read(PLACE, space.inputs, inputs)])
    rest = RestEquations(eom, at, _unknowns(eom, free), table)
    count = (24 if q is None else 0) if starts is None else starts
    for name, x in (("starts", count), ("seed", seed)):
        if not isinstance(x, (int, np.integer)) or x < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvaluationError(f"{PLACE}: {name} must be a whole number from 0, got {brief(x)}.")
    rng = np.random.default_rng(seed)
    found: list[Array] = []
    for guess in [at, *(rest.random(rng) for _ in range(count))]:
        x = rest.solve(guess)
        if x is not None and not any(rest.same(x, y) for y in found):
            found.append(x)

    def height(x: Array) -> float:
        energy = eom.evaluate("potential_energy", q=x[: len(eom.q)], values=table)
        return round(float(energy), 6)

    return [_equilibrium(rest, x) for x in sorted(found, key=height)]


def _unknowns(eom: EquationsOfMotion, free: Iterable[str] | None) -> list[Expr]:
    known = [*eom.q, *eom.inputs]
    if free is None:
        return list(eom.q)
    if not isinstance(free, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EvaluationError(f"{PLACE}: free must be a list of names, got {brief(free)}.")
    given = [free] if isinstance(free, str) else list(free)
    names = [str(getattr(n, "name", n)) for n in given]
    for n in names:
        if n not in [s.name for s in known]:
            raise UnknownNameError("coordinate or input", n, [s.name for s in known], "free")
    return [s for s in known if s.name in names]


def _equilibrium(rest: RestEquations, x: Array) -> Equilibrium:
    eom, n = rest.eom, len(rest.eom.q)
    q, inputs = x[:n], x[n:]
    lin = linearize(eom, q=q, v=np.zeros(len(eom.v)), inputs=inputs, values=rest.values)
    poles = lin.poles
    limit = near_axis(poles)
    stable = None
    if (np.real(poles) > limit).any():
        stable = False
    elif (np.real(poles) < -limit).all():
        stable = True
    return Equilibrium(q, inputs, rest.residual(x), poles, stable, eom)
