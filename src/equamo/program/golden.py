"""Golden vectors: what a function gives at a few states, to 120 bits and not by generated code.

The numbers come from the graph of the equations, before any pass, so that a self-test of generated
code checks lowering, passes, printing and the compiler that was used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Final, Literal, final

import numpy as np

from ..errors import EquamoError
from ..expr import Expr
from ..expr.evaluate import Multiprecision, Tape
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..formulations.equations import QUANTITIES, EquationsOfMotion, quantity
from .functions import Function

DIGITS: Final = 37  # 120 bits
# They divide by M: near a singular state its condition number is part of their error.
SOLVING: Final = (
    "mass_matrix_factors", "forward_dynamics", "forward_dynamics_inputs", "state_derivative",
)  # fmt: skip
DRAWS: Final = 64  # of a state where the function is defined


@final
@dataclass(frozen=True)
class Golden:
    """The arguments, the result row by row, and the size that its errors are measured by."""

    arguments: Mapping[str, tuple[float, ...]]
    result: tuple[float, ...]
    scale: float


def golden(
    eom: EquationsOfMotion,
    function: Function,
    count: int = 3,
    dtype: Literal["float64", "float32"] = "float64",
    seed: int = 0,
) -> tuple[Golden, ...]:
    """A function at `count` states; the arguments are numbers of the type, so that none is rounded.

    >>> from equamo.formulations import derive
    >>> from equamo.program.functions import functions
    >>> from equamo.robots import load
    >>> eom = derive(load("rr_arm"))
    >>> g = golden(eom, functions(eom)["gravity"], count=1)[0]
    >>> bool(abs(eom.evaluate("gravity", q=g.arguments["q"]) - g.result).max() < 1e-13)
    True
    """
    entries = _entries(reference(eom, function))
    ring, tape = Multiprecision(DIGITS), Tape(entries)
    condition = _Condition(eom, ring) if function.name in SOLVING else None
    random = Random(f"{seed} {function.name}")
    found: list[Golden] = []
    for _ in range(DRAWS):
        if len(found) == count:
            break
        state = _state(eom, function, random, dtype)
        exact = {
            s: ring.constant(Fraction(x))
            for a in function.arguments
            for s, x in zip(a.symbols, state[a.name], strict=True)
        }
        try:
            result = tuple(float(x) for x in tape.run(ring, exact))
            worse = condition.at(exact) if condition else 1.0
        except ArithmeticError:
            continue
        scale = max(map(abs, result), default=0.0) * worse
        found.append(Golden(state, result, scale))
    if len(found) < count:
        raise EquamoError(
            f"{function.name} of robot {eom.robot.name!r} has no value at most random states: "
            f"{len(found)} golden vectors after {DRAWS} draws."
        )
    return tuple(found)


def reference(eom: EquationsOfMotion, function: Function) -> Expr | Vector | Matrix:
    """What a function is to give, as the equations have it; else its first way, before all passes."""
    return quantity(eom, function.name) if function.name in QUANTITIES else function.ways[0]()


def _entries(value: Expr | Vector | Matrix) -> list[Expr]:
    return [value] if isinstance(value, Expr) else list(value.entries)


def _state(
    eom: EquationsOfMotion, function: Function, random: Random, dtype: str
) -> dict[str, tuple[float, ...]]:
    robot = eom.robot
    # Multiples of 1/512 up to 1.5: exact in float32 as well.
    value = {s: random.randint(-768, 768) / 512 for a in function.arguments for s in a.symbols}
    for group in robot.unit_groups:
        if all(s in value for s in group):
            norm = sum(value[s] ** 2 for s in group) ** 0.5 or 1.0
            value |= {s: round(value[s] / norm * 4096) / 4096 for s in group}
    for s in robot.parameters:
        if s in value:
            default = robot.values[s.name]
            value[s] = abs(value[s]) + 0.5 if default is None else float(default)
    return {a.name: tuple(rounded(value[s], dtype) for s in a.symbols) for a in function.arguments}


def rounded(x: Fraction | float, dtype: str) -> float:
    """The number of the type that is nearest to x."""
    return float(np.float32(x) if dtype == "float32" else float(x))


@final
class _Condition:
    """Condition number of M: what solving with it may add to the error, at least 1."""

    def __init__(self, eom: EquationsOfMotion, ring: Multiprecision) -> None:
        M = eom.mass_matrix
        self._shape, self._tape, self._ring = M.shape, Tape(M.entries), ring

    def at(self, state: Mapping[Expr, Any]) -> float:
        M = np.array([float(x) for x in self._tape.run(self._ring, state)]).reshape(self._shape)
        return max(1.0, float(np.linalg.cond(M)))
