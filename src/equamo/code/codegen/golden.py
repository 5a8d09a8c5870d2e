"""Golden vectors: values of a function at a few states, to 120 bits, independent of generated code.

The numbers come from the derived equations, with original inertias and before any pass, so that a
self-test of generated code checks the regrouping of inertias, lowering, passes, printing and the
compiler.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import hypot
from random import Random
from typing import Any, Final, final

from ...algebra.arrays import np
from ...algebra.expr import ZERO, Expr
from ...algebra.expr.evaluate import Multiprecision, Tape
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...errors import EvaluationError
from ...mechanics.equations.equations import QUANTITIES, EquationsOfMotion, quantity
from ...mechanics.recursions.factorisation import ltdl
from ..ir.derivatives import derivative_functions, derived_reference
from ..ir.function import Function, Value, entries_of
from ..ir.functions import ProgramEquations
from ..ir.program import Dtype
from ..ir.rounding import nearest

DIGITS: Final = 37  # 120 bits
# Functions that divide by M: near a singular state its condition number is part of their error.
SOLVING: Final = (
    "mass_matrix_factors", "forward_dynamics", "forward_dynamics_inputs", "state_derivative",
    "constraint_forces", "constraint_forces_inputs", "constraint_inertia",
)  # fmt: skip
DRAWS: Final = 64  # attempts to find states where the function is defined


@final
@dataclass(frozen=True)
class Golden:
    """Golden vector: arguments, all results in order, row by row, and their scales.

    The allowed error of a result is proportional to its scale.
    """

    arguments: Mapping[str, tuple[float, ...]]
    result: tuple[float, ...]
    scales: tuple[float, ...]  # one per result


def golden(
    eom: EquationsOfMotion,
    function: Function,
    count: int = 3,
    dtype: Dtype = "float64",
    seed: int = 0,
    whole: EquationsOfMotion | None = None,
) -> tuple[Golden, ...]:
    """Evaluate a function at `count` states whose numbers are exact in the type.

    `whole` are the equations before parameters were replaced by numbers, for derivatives with respect to
    them.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.ir.functions import functions
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> g = golden(eom, functions(eom)["gravity"], count=1)[0]
    >>> bool(abs(eom.evaluate("gravity", q=g.arguments["q"]) - g.result).max() < 1e-13)
    True
    """
    entries = [e for x in reference(eom, function, whole) for e in entries_of(x)]
    ring, tape = Multiprecision(DIGITS), Tape(entries)
    d = function.derivative
    solving = function.name in SOLVING or (d is not None and d.of in SOLVING)
    condition = _Condition(eom, ring, 1 if d is None else 2) if solving else None
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
        parts = function.split(result)
        scales = tuple(max(map(abs, part), default=0.0) * worse for part in parts)
        found.append(Golden(state, result, scales))
    if len(found) < count:
        raise EvaluationError(
            f"{function.name} of robot {eom.robot.name!r} must have a value at {count} of {DRAWS} "
            f"random states, got {len(found)}; pass functions=[...] without it."
        )
    return tuple(found)


def reference(
    eom: EquationsOfMotion, function: Function, whole: EquationsOfMotion | None = None
) -> tuple[Value, ...]:
    """Expected results of a function, from the derived M and inverse dynamics."""
    name = function.name
    if function.specified is not None:
        return tuple(function.outputs(function.specified).values())
    if name.startswith("constraint_forces") and function.derivative is None:
        tau = next((a.symbols for a in function.arguments if a.name == "tau"), None)
        return (ProgramEquations(eom, derived=True).constraint_forces(tau),)
    if name == "constraint_inertia":  # with zeros in redundant rows, unlike that of the equations
        return (ProgramEquations(eom, derived=True).constraint_inertia(),)
    if name in QUANTITIES:
        return (quantity(eom, name),)
    if name == "mass_matrix_factors":
        return (ltdl(eom.mass_matrix).matrix(),)
    if name in ("forward_dynamics", "forward_dynamics_inputs"):
        # M v̇ = τ − (inverse dynamics at v̇ = 0)
        given = {a.name: Vector(a.symbols) for a in function.arguments}
        tau = given["tau"] if "tau" in given else eom.input_matrix @ Vector(eom.inputs)
        plain = ProgramEquations(eom, derived=True)
        return (Vector(plain.solution(tau)[: len(eom.v)]),)
    if function.derivative is not None and name in derivative_functions(eom):
        found = derived_reference(whole or eom, function)
        return tuple(x.subs(function.values) for x in found)
    # A frame's function: kinematics of the robot itself. For others, the first alternative is the
    # reference.
    return tuple(function.outputs(function.ways[0]).values())


def _state(
    eom: EquationsOfMotion, function: Function, random: Random, dtype: Dtype
) -> dict[str, tuple[float, ...]]:
    robot = eom.robot
    # Multiples of 1/512 up to 1.5: exact in float32 as well.
    value: dict[Expr, Fraction | int | float] = {
        s: random.randint(-768, 768) / 512 for a in function.arguments for s in a.symbols
    }
    for group in robot.unit_groups:
        if all(s in value for s in group):
            norm = hypot(*(value[s] for s in group)) or 1.0
            # Full precision: off the unit sphere, two forms of a function may differ.
            value |= {s: value[s] / norm for s in group}
    for s in robot.parameters:
        if s in value:
            default = robot.values[s.name]
            value[s] = abs(value[s]) + 0.5 if default is None else default
    return {a.name: tuple(nearest(value[s], dtype) for s in a.symbols) for a in function.arguments}


@final
class _Condition:
    """Condition number of M, or of [M Aᵀ; A 0]: the factor by which a solve can amplify the error."""

    def __init__(self, eom: EquationsOfMotion, ring: Multiprecision, solves: int) -> None:
        M, rows = eom.mass_matrix, ProgramEquations(eom, derived=True).constraints
        if rows is not None:
            empty = [ZERO] * len(rows.kept)
            top = [[*M.rows[i], *column] for i, column in enumerate(zip(*rows.A.rows, strict=True))]
            M = Matrix([*top, *([*row, *empty] for row in rows.A.rows)])
        self._solves = solves  # a derivative solves again, with the acceleration on the right
        self._shape, self._tape, self._ring = M.shape, Tape(M.entries), ring

    def at(self, state: Mapping[Expr, Any]) -> float:
        M = np.array([float(x) for x in self._tape.run(self._ring, state)]).reshape(self._shape)
        return max(1.0, float(np.linalg.cond(M))) ** self._solves
