"""Choose independent joint speeds for constraints A u = 0 (speeds="auto").

The speeds of joints without an actuator are solved for first, largest pivot first at the default state,
so that the partition is well conditioned there. Independence is then decided exactly, for all q.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

from ...algebra.expr import Expr, as_expr
from ...algebra.expr.evaluate import evaluate_floats
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.walk import symbols
from ...algebra.identity.rank import independent_columns
from ...errors import EquamoError
from .parameter import Parameter

if TYPE_CHECKING:
    from .robot import Robot

_SMALL = 1e-9  # pivots below this times the largest entry count as zero
_GOOD = 0.3  # a pivot larger than this times the largest is good enough


def independent_speeds(
    A: Matrix, speeds: Sequence[str], actuated: set[str], values: Mapping[str, float],
    unit: Sequence[Sequence[Expr]] = (),
) -> list[str]:  # fmt: skip
    """Names of joint speeds that determine the others by A u = 0.

    Args:
        A: Coefficients of the joint speeds.
        speeds: Names of the joint speeds.
        actuated: Joint speeds to keep if possible.
        values: Numbers by symbol at which pivots are compared; others are arbitrary.
        unit: Groups of coordinates whose squares sum to one.

    Returns:
        The speeds to keep, in tree order.
    """
    free = [j for j, n in enumerate(speeds) if n not in actuated]
    driven = [j for j, n in enumerate(speeds) if n in actuated]
    order = _pivots(A, values, (free, driven))
    # Then the others, so that a singular default state does not matter.
    order += [j for j in (*reversed(free), *reversed(driven)) if j not in order]
    columns = independent_columns(Matrix([[row[j] for j in order] for row in A.rows]), unit)
    dependent = {order[k] for k in columns}
    return [n for j, n in enumerate(speeds) if j not in dependent]


def _pivots(
    A: Matrix, values: Mapping[str, float], groups: tuple[list[int], list[int]]
) -> list[int]:
    """Columns in the order of the pivots of Gauss–Jordan elimination, group by group."""
    n, m = A.shape
    numbers = {
        x: values.get(x.name, 0.6 + 0.13 * (k % 11)) for k, x in enumerate(symbols(A.entries))
    }
    try:
        entries = evaluate_floats(A.entries, numbers)
    except (EquamoError, ArithmeticError, ValueError):
        return []
    if not all(map(isfinite, entries)):
        return []
    rows = [entries[i * m : (i + 1) * m] for i in range(n)]
    smallest = _SMALL * max(map(abs, entries), default=0.0)
    order: list[int] = []
    for group in groups:
        while rows:
            largest = {
                j: max(range(len(rows)), key=lambda i: abs(rows[i][j]))
                for j in group
                if j not in order
            }
            sizes = {j: abs(rows[i][j]) for j, i in largest.items()}
            size = max(sizes.values(), default=0.0)
            if size <= smallest:
                break
            j = max(
                j for j in sizes if sizes[j] >= _GOOD * size
            )  # keep the first joints if possible
            pivot = rows.pop(largest[j])
            order.append(j)
            for row in rows:
                factor = row[j] / pivot[j]
                row[:] = [x - factor * y for x, y in zip(row, pivot, strict=True)]
    return order


def numbers_at_home(
    robot: Robot, home: Mapping[str, Any], parameters: Mapping[str, Any] | Iterable[Parameter]
) -> dict[str, float]:
    """Numbers of the default state and the parameters; symbols without a number are omitted."""
    first = {g[0] for g in robot.unit_groups}
    values: dict[str, Any] = {x.name: 1 if x in first else 0 for x in robot.joint_coordinates}
    values |= home
    if isinstance(parameters, Mapping):
        values |= cast(Mapping[str, Any], parameters)
    else:
        values |= {p.name: p for p in parameters}
    numbers: dict[str, float] = {}
    for n, x in values.items():
        value = x.value if isinstance(x, Parameter) else x
        try:
            numbers[n] = float(as_expr(value))
        except (EquamoError, ArithmeticError, ValueError, TypeError):
            continue  # the constructor of the robot reports the error
    return numbers


def actuated_speeds(robot: Robot) -> set[str]:
    """Joint speeds along which a force element with an input acts."""
    return {u for f in robot.forces if f.inputs() for u in f.speeds()}
