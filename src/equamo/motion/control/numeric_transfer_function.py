"""Transfer function of a linear system in numbers, and its value at one frequency.

The polynomials come from the exact matrices (`transfer_polynomials`): those of the robot, of which A
and B are the rounded values, or A and B themselves if the system comes from elsewhere. They are compared
with the solution of linear equations at 50 frequencies: with (s 1 − A) x = b and (s 1 − A)ᵀ y = cᵀ,

    (1) y/u = c x
    (2) the rounding errors of A and b change y/u by at most ε |y|ᵀ (|A| |x| + |b|)
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from ...algebra.expr import ONE, as_expr
from ...basics.arguments import is_one_of
from ...errors import EvaluationError, UnknownNameError
from .balls import Balls, ball, from_floats, with_enough_bits, working
from .linear_system import LinearSystem, precise_form
from .precise_system import Given, PreciseSystem
from .rational_polynomials import at_points, certain, complex_ball, frequencies, ratio_at
from .transfer_function import TransferFunction
from .transfer_polynomials import between, transfer_polynomials

ERROR: Final = 1e-6  # largest relative difference from the solution of the linear equations
ROUNDING: Final = 1e-12  # ε of (2): 4,000 times that of one rounding
CHECK_BITS: Final = 256

Polynomials = tuple[list[Fraction], list[Fraction]]


def numeric_transfer_function(lin: LinearSystem, source: str, output: Any) -> TransferFunction:
    """Transfer function from an input to an output; see `LinearSystem.transfer_function`."""
    column = _column(lin, source)
    name = output if isinstance(output, str) else str(as_expr(output))
    given = Given(lin.A, lin.B, lin.states, lin.chart)
    for system in dict.fromkeys((precise_form(lin), given)):
        top, bottom = transfer_polynomials(system, column, output)
        if _agrees(lin, column, output, system, (top, bottom)):
            break
    else:  # the second ones are those of A and B
        raise EvaluationError(
            f"transfer_function: the polynomials of {name}/{source} must agree with A and B to "
            f"{ERROR:g}, but differ more; use lin.response(input, output, s)."
        )
    if not top:
        return TransferFunction((), (ONE,), source, name, lin.dt)
    above, below = (tuple(as_expr(c) for c in p) for p in (top, bottom))
    return TransferFunction(above, below, source, name, lin.dt)


def response(lin: LinearSystem, source: str, output: Any, s: Any) -> Any:
    """y/u at one s or several; see `LinearSystem.response`."""
    column = _column(lin, source)
    A, b, c = with_enough_bits(lambda: _parts(lin, column, output, precise_form(lin)))
    return at_points(lambda z: certain(lambda: _solution(A, b, c, z), z), s)


def _column(lin: LinearSystem, source: str) -> int:
    if not is_one_of(source, lin.inputs):
        raise UnknownNameError("input", source, lin.inputs, "the linear system")
    return lin.inputs.index(source)


def _parts(
    lin: LinearSystem, column: int, output: Any, system: PreciseSystem
) -> tuple[list[Balls], Balls, Balls]:
    """A and b as they are, c of the exact system, reduced to the states between input and output."""
    A, B = from_floats(lin.A), from_floats(lin.B)
    return between(A, [row[column] for row in B], system.output_row(output))


def _solution(A: list[Balls], b: Balls, c: Balls, s: complex) -> Any:
    """(1) as a ball"""
    from flint import acb, acb_mat

    if not A:
        return acb(0)
    x: Any = acb_mat(_shifted(A, s)).solve(acb_mat([[v] for v in b]))
    return sum((w * x[i, 0] for i, w in enumerate(c)), acb(0))


def _shifted(A: list[Balls], s: complex) -> list[Balls]:
    """s 1 − A"""
    at = complex_ball(s)
    return [[(at if i == j else ball(0)) - x for j, x in enumerate(r)] for i, r in enumerate(A)]


def _agrees(
    lin: LinearSystem, column: int, output: Any, system: PreciseSystem, polynomials: Polynomials
) -> bool:
    """Whether the polynomials equal (1) at all frequencies, up to (2)."""
    from flint import acb_mat

    top, bottom = polynomials
    A, b, c = with_enough_bits(lambda: _parts(lin, column, output, system))
    if not A:
        return not top
    sizes = [[abs(float(x)) for x in row] for row in A]
    forced = [abs(float(x)) for x in b]
    kind: Any = {"algorithm": "approx"}  # without error bounds, which would take most of the time
    for s in frequencies(top, bottom, lin.dt):
        with working(CHECK_BITS):
            whole: Any = acb_mat(_shifted(A, s))
            try:
                x: Any = whole.solve(acb_mat([[v] for v in b]), **kind)
                y: Any = whole.transpose().solve(acb_mat([[w] for w in c]), **kind)
            except ZeroDivisionError:  # a pole
                continue
            value = complex(sum(w * x[i, 0] for i, w in enumerate(c)))
        states, weights = ([abs(complex(v[i, 0])) for i in range(len(A))] for v in (x, y))
        terms = zip(weights, sizes, forced, strict=True)
        uncertain = sum(w * (_dot(row, states) + f) for w, row, f in terms) * ROUNDING
        if not abs(ratio_at(top, bottom, s) - value) <= ERROR * abs(value) + uncertain:
            return False
    return True


def _dot(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))
