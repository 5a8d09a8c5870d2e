"""eq.linearize(…, symbolic=True): exact matrices of the linear system in the robot's parameters.

With r(q, v, v̇, u) = inverse dynamics − B u, which is zero at the accelerations, and all derivatives
taken before the state is inserted:

    (1) M v̇ = B u − inverse dynamics at v̇ = 0
    (2) M ∂v̇/∂x = −∂r/∂x,   M ∂v̇/∂u = B
    (3) holding inputs: the smallest u with B u = inverse dynamics at v̇ = 0, u = Bᵀ (B Bᵀ)⁻¹ …

Both are solved in the field of rational functions of the parameters; the solution is proved by
substitution.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import pi
from typing import Any, Final, cast

from ...algebra.expr import ZERO, Expr, as_expr, symbol
from ...algebra.expr.differentiate import jacobian
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...algebra.identity import prove_zero
from ...algebra.identity.rank import independent_rows
from ...basics.arguments import items_of
from ...basics.wording import brief, counted
from ...errors import EquilibriumError, EvaluationError, ProofError, UnknownEntryError
from ...mechanics.equations.equations import EquationsOfMotion, expect_equations
from ...robot.model.joints.spherical import quaternion_rows
from ...robot.model.state_space import StatePart
from .kinks import expect_exact_slopes
from .rational_functions import Quotient, RationalFunctions, within_budget
from .symbolic_linear_system import SymbolicLinearSystem, SymbolicPoint

PLACE: Final = "linearize"
Table = dict[Expr, Expr]


def symbolic_linearize(
    eom: EquationsOfMotion, q: Any, v: Any, inputs: Any, values: Any, external: Any
) -> SymbolicLinearSystem:
    """Exact linear system near a state; arguments as for `linearize`, numbers or expressions."""
    expect_equations(eom, PLACE)
    _expect_independent_coordinates(eom)
    with within_budget(PLACE):
        return _linearize(eom, q, v, inputs, values, external)


def _linearize(
    eom: EquationsOfMotion, q: Any, v: Any, inputs: Any, values: Any, external: Any
) -> SymbolicLinearSystem:
    space = eom.robot.state_space
    numbers = _values(eom, values)
    at: Table = {}
    for part, given in ((space.q, q), (space.v, v), (space.external, external)):
        at |= _read(eom, part, given)
    at = {x: substitute([e], numbers)[0] for x, e in at.items()}
    _check_quaternions(eom, at)
    M, h, B = (_inserted(x, at, numbers) for x in _dynamics(eom))
    if inputs is None:
        u = _holding_inputs(eom, B, h)
    else:
        table = _read(eom, space.inputs, inputs)
        u = [substitute([table[x]], {**at, **numbers})[0] for x in eom.inputs]
    at |= dict(zip(eom.inputs, u, strict=True))
    point = SymbolicPoint(eom, at, numbers, _embedding(eom, at))
    return _system(point, M, h, B, u)


def _expect_independent_coordinates(eom: EquationsOfMotion) -> None:
    """Raise an error if loops or held contacts relate the coordinates to each other."""
    robot = eom.robot
    if robot.closure_rows and not robot.eliminated:
        raise EvaluationError(
            f"linearize: the coordinates of a symbolic system must be independent, got robot "
            f"{robot.name!r} with loops or held contacts; use eom.explicit(…), or symbolic=False."
        )


def _system(
    point: SymbolicPoint, M: Matrix, h: Matrix, B: Matrix, u: list[Expr]
) -> SymbolicLinearSystem:
    eom = point.eom
    state = [*eom.q, *eom.v]
    force = B @ Vector(u) - Vector(h.column(0))
    vdot = [r[0] for r in _solved(eom, M, Matrix([[x] for x in force]))]  # (1)
    r = eom.inverse_dynamics - eom.input_matrix @ Vector(eom.inputs)
    still = dict(zip(eom.vdot, vdot, strict=True))
    rates = eom.kinematic_map @ Vector(eom.v)
    moving = [*substitute(list(r), still), *rates]
    of = f"the equations of robot {eom.robot.name!r}"
    expect_exact_slopes(PLACE, of, moving, state, point.insert)
    slopes = [point.insert(substitute(row, still)) for row in jacobian(list(r), state)]  # ∂r/∂x
    chart, names = _chart(eom, point.at)
    right = Matrix([[-x for x in row] for row in slopes]) @ point.embedding
    joined = Matrix([[*a, *b] for a, b in zip(right.rows, B.rows, strict=True)])
    solved = _solved(eom, M, joined)  # (2)
    m = len(names)
    of_rates = Matrix([point.insert(row) for row in jacobian(list(rates), state)])
    top = chart @ of_rates @ point.embedding
    drift = chart @ Vector(point.insert(rates))
    rows = [*top.rows, *(r[:m] for r in solved)]
    inputs = [*([ZERO] * len(eom.inputs) for _ in top.rows), *(r[m:] for r in solved)]
    F = RationalFunctions([*top.entries, *drift], eom.parameters)
    short = [[F.write(F.read(x)) for x in row] for row in top.rows]
    rows = [*short, *rows[len(short) :]]
    return SymbolicLinearSystem(
        Matrix(rows, names, names),
        Matrix(inputs, names, [x.name for x in eom.inputs]),
        Vector([*(F.write(F.read(x)) for x in drift), *vdot], names),
        point,
    )


def _dynamics(eom: EquationsOfMotion) -> tuple[Matrix, Matrix, Matrix]:
    """M, inverse dynamics at v̇ = 0 as a column, B."""
    still = eom.inverse_dynamics.subs(dict.fromkeys(eom.vdot, 0))
    return eom.mass_matrix, Matrix([[x] for x in still]), eom.input_matrix


def _inserted(X: Matrix, at: Table, numbers: Table) -> Matrix:
    if not X.entries:
        return X
    entries = substitute(substitute(X.entries, at), numbers)
    n = X.shape[1]
    return Matrix([entries[i : i + n] for i in range(0, len(entries), n)])


def _solved(eom: EquationsOfMotion, M: Matrix, right: Matrix) -> list[list[Expr]]:
    """M⁻¹ right in lowest terms, proved by substitution."""
    F = RationalFunctions([*M.entries, *right.entries], eom.parameters)

    def read(X: Matrix) -> list[list[Quotient]]:
        return [[F.read(x) for x in row] for row in X.rows]

    try:
        X, _ = F.solve(read(M), read(right))
    except ZeroDivisionError:
        raise EvaluationError(
            f"linearize: the mass matrix of robot {eom.robot.name!r} is singular at this state; every "
            "joint must move some inertia."
        ) from None
    solution = [[F.write(x) for x in row] for row in X]
    if solution and solution[0]:
        proof = prove_zero(M @ Matrix(solution) - right)
        if not proof:
            raise ProofError(
                f"linearize: the solution of the linear equations of robot {eom.robot.name!r} could "
                f"not be proved: {proof}; pass values={{…}} for some parameters."
            )
    return solution


def _holding_inputs(eom: EquationsOfMotion, B: Matrix, h: Matrix) -> list[Expr]:
    """(3)"""
    needed, count = list(h.column(0)), len(eom.inputs)
    u = [ZERO] * count
    rows = independent_rows(B) if count else []
    if rows:
        # independent rows of B; the others must follow from them
        part = Matrix([B.rows[i] for i in rows])
        gram = part @ part.T
        y = _solved(eom, gram, Matrix([[needed[i]] for i in rows]))
        field = RationalFunctions([*part.entries, *(r[0] for r in y)], eom.parameters)
        u = [field.write(field.read(x)) for x in part.T @ Vector([r[0] for r in y])]
    names = eom.mass_matrix.row_names or ()
    reached = B @ Vector(u) if count else [ZERO] * len(needed)
    for name, a, b in zip(names, reached, needed, strict=True):
        rest = b - a
        if not prove_zero(rest):
            raise EquilibriumError(
                f"linearize: inputs must hold robot {eom.robot.name!r} at this state, but the equation "
                f"of {name} leaves {brief(rest.closed_form())}; pass inputs=… for a linearization with "
                "drift, or another state."
            )
    return u


# -- quaternions -------------------------------------------------------------------------------------
def _chart(eom: EquationsOfMotion, at: Mapping[Expr, Expr]) -> tuple[Matrix, list[str]]:
    """(∂x/∂q without speeds, names of all states), with three errors per quaternion."""
    rows, _, names = _directions(eom, at)
    return Matrix(rows), [*names, *(x.name for x in eom.v)]


def _embedding(eom: EquationsOfMotion, at: Mapping[Expr, Expr]) -> Matrix:
    """∂(q, v)/∂x"""
    _, columns, _ = _directions(eom, at)
    k, n = len(eom.q), len(eom.v)
    rows = [[*(c[i] for c in columns), *([ZERO] * n)] for i in range(k)]
    for j in range(n):
        rows.append([*([ZERO] * len(columns)), *(as_expr(int(i == j)) for i in range(n))])
    return Matrix(rows)


def _directions(
    eom: EquationsOfMotion, at: Mapping[Expr, Expr]
) -> tuple[list[list[Expr]], list[list[Expr]], list[str]]:
    """Rows of ∂x/∂q, columns of ∂q/∂x and names, as in `state_chart`."""
    groups = {g[0]: g for g in eom.robot.state_space.quaternions}
    inside = {k for g in groups.values() for k in g}
    joint = {s: b.joint.name for b in eom.robot.bodies for s in b.joint.q}
    rows: list[list[Expr]] = []
    columns: list[list[Expr]] = []
    names: list[str] = []
    for k, x in enumerate(eom.q):
        if k in groups:
            E = quaternion_rows(*(at[eom.q[i]] for i in groups[k]))
            for c, axis in enumerate(("_ex", "_ey", "_ez")):
                whole = [ZERO] * len(eom.q)
                for i, row in zip(groups[k], E, strict=True):
                    whole[i] = as_expr(row[c])
                rows.append([e * 2 for e in whole])
                columns.append([e / 2 for e in whole])
                names.append(joint[x] + axis)
        elif k not in inside:
            unit = [as_expr(int(i == k)) for i in range(len(eom.q))]
            rows.append(unit)
            columns.append(unit)
            names.append(x.name)
    return rows, columns, names


def _check_quaternions(eom: EquationsOfMotion, at: Table) -> None:
    for group in eom.robot.unit_groups:
        length = sum((at[x] * at[x] for x in group), ZERO)
        if not prove_zero(length - 1):
            raise EvaluationError(
                f"linearize: the quaternion {', '.join(x.name for x in group)} must have length 1, got "
                f"{', '.join(str(at[x]) for x in group)}; divide it by its length."
            )


# -- reading -----------------------------------------------------------------------------------------
def _read(eom: EquationsOfMotion, part: StatePart, given: Any) -> Table:
    """{symbol: expression} from a sequence, or {name: expression} with the others at home."""
    at = {symbol(n): exact(x or 0) for n, x in zip(part.names, part.numbers, strict=True)}
    if given is None:
        return at
    if isinstance(given, Mapping):
        table = {str(k): x for k, x in cast(Mapping[Any, Any], given).items()}
        for name in table:
            if name not in part.names:
                raise UnknownEntryError(part.kind, name, part.names, PLACE)
    else:
        listed = given.split() if isinstance(given, str) else items_of(given)
        if listed is None:
            raise EvaluationError(
                f"linearize: {part.argument} must be a list of {counted(len(part.names), 'entry')} or "
                f"{{name: expression}}, got {brief(given)}."
            )
        entries: list[Any] = listed
        if len(entries) != len(part.names):
            raise EvaluationError(
                f"linearize: {part.argument} must have {counted(len(part.names), 'entry', 'entries')}, "
                f"got {len(entries)}."
            )
        table = dict(zip(part.names, entries, strict=True))
    valid = [x.name for x in eom.parameters]
    for name, x in table.items():
        e = exact(x)
        for s in symbols([e]):
            if s.name not in valid:
                raise UnknownEntryError("parameter", s.name, valid, f"linearize, {name}")
        at[symbol(name)] = e
    return at


def _values(eom: EquationsOfMotion, values: Any) -> Table:
    if values is not None and not isinstance(values, Mapping):
        raise EvaluationError(
            f"linearize: values must be {{name of a parameter: expression}}, got {brief(values)}."
        )
    table = dict(cast(Mapping[Any, Any], {} if values is None else values))
    valid = [x.name for x in eom.parameters]
    for name in table:
        if str(name) not in valid:
            raise UnknownEntryError("parameter", str(name), valid, PLACE)
    return {symbol(str(n)): exact(x) for n, x in table.items()}


def exact(x: Any) -> Expr:
    """A number or text as an expression; a float that is a multiple of π/12 is that multiple of π.

    >>> exact(pi / 2), exact(0.25), exact("m*g")
    (pi/2, 1/4, g*m)
    """
    if isinstance(x, float) and x:  # also a float of NumPy
        twelfths = round(12 * x / pi)
        if twelfths and pi * twelfths / 12 == x:
            return as_expr("pi") * Fraction(twelfths, 12)
    return as_expr(x)
