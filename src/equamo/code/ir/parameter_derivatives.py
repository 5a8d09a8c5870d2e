"""Derivatives of any function with respect to parameters: `inverse_dynamics_by_m_hand__L1`.

Inertias, lengths, placements, friction and gravity are all symbols of the graph, so they are
differentiated alike. Solutions with M are not differentiated through the solve (see
`dynamics_derivatives`): ∂v̇/∂p = −M⁻¹ ∂r/∂p at v̇ = FD. External loads count as parameters here.

One result per result of the function: (entries, parameters) for a vector, (parameters,) for a number;
for a matrix there is one matrix per parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from ...algebra.expr import ONE, Expr, symbol
from ...algebra.expr.differentiate import directional_columns
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...basics.arguments import is_one_of, items_of
from ...basics.wording import brief
from ...errors import EquamoError, UnknownNameError
from ...mechanics.equations.equations import EquationsOfMotion
from .derivative import Derivative
from .dynamics_derivatives import DynamicsDerivatives
from .function import Function, Result, Value, Way, entries_of
from .functions import program_equations

BY: Final = "_by_"
BETWEEN: Final = "__"  # between the names of parameters
SOLVING: Final = (
    "forward_dynamics", "forward_dynamics_inputs", "state_derivative", "constraint_forces",
    "constraint_forces_inputs",
)  # fmt: skip


def derivative_name(eom: EquationsOfMotion, function: str, by: Any) -> str:
    """Name of the derivative of a function with respect to parameters.

    Args:
        eom: Equations of motion.
        function: Name of the function.
        by: Names of parameters or external loads, or one name.

    Raises:
        UnknownNameError: Unknown parameter.
        EquamoError: No parameter, the same one twice, or names that cannot be told apart.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> derivative_name(derive(load("rr_arm")), "gravity", ["m1", "L1"])
    'gravity_by_m1__L1'
    """
    items = [by] if isinstance(by, (str, Expr)) else items_of(by)
    if items is None:
        raise EquamoError(f"derivative: by must be a list of parameters, got {brief(by)}.")
    names: list[Any] = [x.name if isinstance(x, Expr) and x.is_symbol else x for x in items]
    valid = _valid(eom)
    for n in names:
        if not is_one_of(n, valid):
            raise UnknownNameError("parameter", n, valid, f"robot {eom.robot.name!r}")
    if not names or len(set(names)) < len(names):
        raise EquamoError(
            f"derivative: by must list at least one parameter, each once, got {brief(names)}."
        )
    text = BETWEEN.join(names)
    if _parameters(text, valid) != names:
        raise EquamoError(
            f"derivative: the names {brief(names)} must not contain {BETWEEN!r} when they are combined; "
            "differentiate with respect to one at a time."
        )
    return f"{function}{BY}{text}"


def _valid(eom: EquationsOfMotion) -> list[str]:
    return [x.name for x in (*eom.parameters, *eom.external)]


def _parameters(text: str, valid: Sequence[str]) -> list[str] | None:
    """Names that make up the text, the fewest possible; None if it is not made of names."""
    if text in valid:
        return [text]
    parts = text.split(BETWEEN)
    for k in range(1, len(parts)):
        first, rest = BETWEEN.join(parts[:k]), BETWEEN.join(parts[k:])
        if first in valid and (found := _parameters(rest, valid)) is not None:
            return [first, *found]
    return None


def split_names(eom: EquationsOfMotion, name: str) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """All (function, parameters) that are written like this, such as f_by_a, b and f, a_by_b."""
    valid, start = _valid(eom), name.find(BY)
    while start >= 0:
        found = _parameters(name[start + len(BY) :], valid)
        if found is not None:
            yield name[:start], tuple(map(symbol, found))
        start = name.find(BY, start + 1)


def parameter_derivative(eom: EquationsOfMotion, f: Function, by: tuple[Expr, ...]) -> Function:
    """Derivative of a function with respect to parameters."""
    name = f"{f.name}{BY}{BETWEEN.join(x.name for x in by)}"
    results = tuple(result for y in f.results for result in _results(y, len(by)))
    if f.derivative is None and f.frame is None and f.name in SOLVING and f.specified is None:
        ways: tuple[Way, ...] = (partial(_solved, eom, f.name, by),)
    else:
        ways = tuple(partial(_differentiated, f, way, by) for way in f.ways)
    what = Derivative(f.name, "by", by=by, base=f)
    return Function(name, f.arguments, results, ways, f.naming, derivative=what)


def _results(y: Result, count: int) -> list[Result]:
    if len(y.shape) < 2:
        return [Result(f"d{y.name}_dp", (*y.shape, count))]
    return [Result(f"d{y.name}_dp{k}", y.shape) for k in range(1, count + 1)]


def _differentiated(f: Function, way: Way, by: Sequence[Expr]) -> tuple[Value, ...]:
    found: list[Value] = []
    for y, value in zip(f.results, f.outputs(way).values(), strict=True):
        rows = directional_columns(entries_of(value), [{x: ONE} for x in by])
        if not y.shape:
            found.append(Vector(rows[0]))
        elif len(y.shape) == 1:
            found.append(Matrix(rows))
        else:
            m = y.shape[1]
            for k in range(len(by)):
                flat = [row[k] for row in rows]
                found.append(Matrix([flat[i * m : (i + 1) * m] for i in range(y.shape[0])]))
    return tuple(found)


def _solved(eom: EquationsOfMotion, name: str, by: Sequence[Expr]) -> tuple[Value, ...]:
    equations, seeds = program_equations(eom), [{x: ONE} for x in by]
    of_forces = name.startswith("constraint_forces")
    d = DynamicsDerivatives(equations if of_forces else equations.in_short_frames)
    by_inputs = name == "state_derivative" or name.endswith("_inputs")
    slopes = directional_columns(d.residual(by_inputs), seeds)
    at = d.solved([row[k] for k in range(len(by)) for row in slopes], by_inputs)
    n, size = len(eom.v), len(d.unknowns)
    columns = [[-x for x in d.factors.solve(at[k * size : (k + 1) * size])] for k in range(len(by))]
    if of_forces:
        rows = [[column[i] for column in columns] for i in range(n, size)]
        return (d.equations.rows.padded_rows(Matrix(rows)),)
    rows = [[column[i] for column in columns] for i in range(n)]
    if name == "state_derivative":
        rates = eom.kinematic_map @ Vector(eom.v)
        rows = [*directional_columns(rates, seeds), *rows]
    return (Matrix(rows),)
