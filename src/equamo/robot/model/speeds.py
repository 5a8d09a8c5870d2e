"""Chosen speeds v of a robot, with u = W(q) v for the joint speeds u.

The user passes W (each joint speed as an expression linear in v), or constraints A u = 0 and the speeds
to keep as expressions D u = v; then W is the exact solution of [A; D] W = [0; 1].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast, final

from ...algebra.expr import ONE, ZERO, Expr, as_expr, symbol
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector, dot
from ...algebra.expr.walk import symbols
from ...algebra.identity import prove_zero
from ...algebra.identity.block_elimination import solve_in_blocks
from ...algebra.identity.elimination import solve
from ...algebra.identity.linearity import linear_coefficients
from ...algebra.identity.rank import independent_columns, independent_rows
from ...basics.arguments import items_of
from ...basics.wording import brief, counted
from ...errors import ConstraintError, ExpressionError, UnknownNameError
from .constraint import Constraint, constraint, constraint_matrix
from .independent_speeds import actuated_speeds, independent_speeds
from .joint import acceleration_name
from .names import read_names, written
from .slots import CONSTRAINT, KEPT, LINEAR_RATE, check_equations

if TYPE_CHECKING:
    from .closure import Row
    from .robot import Robot


@final
@dataclass(frozen=True, slots=True)
class SpeedMap:
    """Map u = W(q) v from chosen speeds to joint speeds, and eliminated coordinates."""

    names: tuple[str, ...]  # of the speeds v
    W: Matrix  # joint speeds × speeds
    dependent: tuple[tuple[str, Expr], ...] = ()  # eliminated coordinate = expression in the others
    constraints: tuple[Constraint, ...] = ()  # satisfied by W; for constraint forces
    redundant: tuple[str, ...] = ()  # names of constraints that follow from the others
    kept: tuple[tuple[str, Expr], ...] = ()  # v in terms of the joint speeds, if chosen that way

    @property
    def v(self) -> tuple[Expr, ...]:
        """Chosen speeds as symbols."""
        return tuple(symbol(n) for n in self.names)


def speed_map(
    robot: Robot,
    speeds: str | Sequence[str] | Mapping[str, Any] | SpeedMap | None,
    rates: Mapping[str, Any] | None,
    constraints: Sequence[Constraint | str],
    eliminated: Mapping[str, Any],
    values: Callable[[], Mapping[str, float]] = dict[str, float],
    only: Sequence[str] | None = None,
) -> SpeedMap | None:
    """Speed map of a robot from the arguments of its constructor; None if the speeds are u.

    Args:
        robot: Robot with its bodies, loops and contacts.
        speeds: Names, formulas by name, an existing map, or "auto".
        rates: Joint speeds in terms of the chosen ones.
        constraints: Velocity constraints.
        eliminated: Coordinates as expressions in the others.
        values: Function that returns the values of all symbols at the default state, for "auto".
        only: Names of the equations of loops and contacts to use; by default all. The others must
            follow from these on φ = 0, as in overconstrained mechanisms.
    """
    if rates is not None and not isinstance(rates, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConstraintError(
            f"The rates of robot {robot.name!r} must be {{joint speed: expression}}, got {brief(rates)}."
        )
    rows = [r for r in robot.closure_rows if only is None or r.name in only]
    closing = [Constraint(dot(r.A, robot.joint_speeds), r.name) for r in rows if not r.is_zero]
    if isinstance(speeds, str) and speeds == "auto" and not rates:
        speeds = _automatic(robot, closing, constraints, values())
    speeds = _kept_by_name(robot, speeds) if (constraints or rows) and not rates else speeds
    if isinstance(speeds, SpeedMap):
        _check_closed(robot, speeds)
    if speeds is None or isinstance(speeds, SpeedMap):
        if rates or constraints or eliminated:
            raise ConstraintError(
                "Constraints, rates and eliminated coordinates need speeds; pass "
                'speeds={"dx": "dX0*cos(psi) + dY0*sin(psi)", …}, or speeds="dx dpsi" with rates.'
            )
        return speeds
    given: object = speeds
    if not isinstance(speeds, (str, Mapping)):
        speeds = items_of(speeds)
    if speeds is None:
        raise ConstraintError(
            f'The speeds of robot {robot.name!r} must be "auto", names such as "dx dpsi" or formulas by '
            f"name, got {brief(given)}."
        )
    u = robot.joint_speeds
    listed = not isinstance(speeds, Mapping)
    names = read_names(speeds if isinstance(speeds, str) else tuple(speeds), "speeds: a speed")
    _check_names(robot, names)
    if rates and robot.closure_rows:
        raise ConstraintError(
            "The speeds of a robot with loops or held contacts must be joint speeds to keep, or "
            'formulas, speeds={"v": "dq1 + dq2"}, got rates; remove the rates.'
        )
    if constraints if listed else rates:
        raise ConstraintError(
            'Speeds must be names with rates, speeds="dx dpsi", or formulas with constraints, '
            'speeds={"dx": "dX0*cos(psi) + dY0*sin(psi)", …}, not both.'
        )
    if not isinstance(speeds, Mapping):
        parsed_rates = {n: as_expr(e) for n, e in (rates or {}).items()}
        equations = ((repr(n), e) for n, e in parsed_rates.items())
        check_equations(robot, names, LINEAR_RATE, equations)
        chosen = speeds_from_rates(u, names, parsed_rates)
    else:
        parsed = [c if isinstance(c, Constraint) else constraint(c) for c in constraints]
        kept = {n: as_expr(e) for n, e in zip(names, speeds.values(), strict=True)}
        equations = ((f"the constraint {c.name!r}", c.equation) for c in parsed)
        check_equations(robot, names, CONSTRAINT, equations)
        formulas = ((f"the speed {n!r}", e) for n, e in kept.items())
        check_equations(robot, names, KEPT, formulas)
        _check_rows(parsed, robot.closure_rows)
        chosen = kept_speeds(
            u, [*_distinct(parsed), *closing], kept, robot.unit_groups, in_blocks=bool(closing)
        )
        unused = tuple(r.name for r in robot.closure_rows if r not in rows or r.is_zero)
        chosen = replace(chosen, redundant=(*chosen.redundant, *unused))
    if not eliminated:
        return chosen
    chosen = eliminate(chosen, eliminated, robot.joint_coordinates)
    _check_closes(robot, chosen)
    return chosen


def _kept_by_name(robot: Robot, speeds: Any) -> Any:
    """Joint speeds listed next to constraints, as speeds to keep; other arguments are unchanged."""
    if speeds is None or isinstance(speeds, (SpeedMap, Mapping)):
        return cast(Any, speeds)
    names = read_names(speeds, "speeds: a speed")
    valid = [x.name for x in robot.joint_speeds]
    unknown = [n for n in names if n not in valid]
    if unknown:
        raise ConstraintError(
            f"Speeds listed with constraints must be joint speeds to keep, got {unknown[0]!r}. Valid: "
            f'{", ".join(valid)}. Define any other speed by a formula, speeds={{{unknown[0]!r}: "…"}}.'
        )
    _check_names(robot, names)
    return {written(n): symbol(n) for n in names}


def _automatic(
    robot: Robot,
    closing: Sequence[Constraint],
    constraints: Sequence[Constraint | str],
    values: Mapping[str, float],
) -> tuple[str, ...] | None:
    """Independent joint speeds; None if nothing constrains them."""
    parsed = [c if isinstance(c, Constraint) else constraint(c) for c in constraints]
    together = [*_distinct(parsed), *closing]
    if not together:
        return None
    A, u = constraint_matrix(together, robot.joint_speeds), robot.joint_speeds
    names = [x.name for x in u]
    kept = independent_speeds(A, names, actuated_speeds(robot), values, robot.unit_groups)
    return tuple(map(written, kept))


def _check_closed(robot: Robot, speeds: SpeedMap) -> None:
    """Check that a speed map was made for the loops and contacts of the robot."""
    made_for = {*(c.name for c in speeds.constraints), *speeds.redundant}
    missing = [r.name for r in robot.closure_rows if r.name not in made_for]
    if missing:
        raise ConstraintError(
            f"Robot {robot.name!r}: speeds must be chosen for its loops and held contacts, got a map "
            f"without {missing[0]!r}; choose them again, robot.with_speeds(…)."
        )


def _check_closes(robot: Robot, speeds: SpeedMap) -> None:
    """Check φ = 0 of all loops if only independent coordinates remain."""
    if len(robot.joint_coordinates) - len(speeds.dependent) > len(speeds.names):
        return
    phi = {r.name: r.phi for r in robot.closure_rows if r.phi is not None}
    closed = substitute(phi.values(), dict(speeds.dependent))
    for n, e in zip(phi, closed, strict=True):
        if e is not ZERO and not (proof := prove_zero(e)):
            raise ConstraintError(
                f"The eliminated coordinates must close the loops, but {n!r} is not 0: {proof}; correct "
                "their formulas."
            )


def _check_rows(constraints: Sequence[Constraint], rows: Sequence[Row]) -> None:
    """Check that no velocity constraint has the name of an equation of a loop or contact."""
    taken = {n for r in rows for n in (r.name, r.owner)}
    for c in constraints:
        if c.name in taken:
            raise ConstraintError(
                f"A constraint must not have the name of a loop or contact, got {c.name!r}; "
                "rename it."
            )


def _distinct(constraints: Sequence[Constraint]) -> list[Constraint]:
    """Constraints with a number appended to repeated names: "dx (2)"."""
    seen: dict[str, int] = {}
    named: list[Constraint] = []
    for c in constraints:
        seen[c.name] = seen.get(c.name, 0) + 1
        named.append(c if seen[c.name] == 1 else replace(c, name=f"{c.name} ({seen[c.name]})"))
    return named


def _check_names(robot: Robot, names: Sequence[str]) -> None:
    """Check that each name of a speed occurs once and is not used for anything but a joint speed."""
    twice = [n for i, n in enumerate(names) if n in names[:i]]
    if twice:
        raise ConstraintError(f"Speeds must have different names, got {twice[0]!r} twice.")
    expressions = [e for b in robot.bodies for e in b.expressions()]
    used = {x.name for x in symbols([*expressions, *robot.gravity])}
    coordinates = {x.name for x in robot.joint_coordinates}
    rates = {acceleration_name(n) for n in (*names, *(x.name for x in robot.joint_speeds))}
    for n in names:
        if n in coordinates:
            kind = "a coordinate"
        elif n in used and n not in {x.name for x in robot.joint_speeds}:
            kind = "a parameter"
        elif n in rates:
            kind = "the derivative of another speed"
        else:
            continue
        raise ConstraintError(
            f"The speed {n!r} must have another name: it is {kind} of robot {robot.name!r}."
        )


def speeds_from_rates(
    joint_speeds: Sequence[Expr], names: Sequence[str], rates: Mapping[str, Any]
) -> SpeedMap:
    """Speed map from joint speeds in terms of v, {"dX0": "dx*cos(psi)", …}; missing ones are 0."""
    v = [symbol(n) for n in names]
    valid = [u.name for u in joint_speeds]
    for n in rates:
        if n not in valid:
            raise UnknownNameError("joint speed", n, valid, "the speed map")
    rows: list[list[Expr]] = []
    for u in joint_speeds:
        e = as_expr(rates.get(u.name, 0))
        try:
            A, rest = linear_coefficients([e], v)
        except ExpressionError:
            A, rest = [], [ONE]
        if rest[0] is not ZERO:
            raise ConstraintError(
                f"The joint speed {u.name!r} must be linear in the speeds {', '.join(names)}, got "
                f"{brief(e)}."
            )
        rows.append(A[0])
    W = Matrix(rows, valid, list(names))
    kept = independent_columns(W)
    if len(kept) < len(names):
        extra = [n for j, n in enumerate(names) if j not in kept]
        raise ConstraintError(
            f"The speeds {', '.join(names)} must be independent; remove {', '.join(extra)}, which the "
            "others can replace."
        )
    return SpeedMap(tuple(names), W)


def kept_speeds(
    joint_speeds: Sequence[Expr],
    constraints: Sequence[Constraint],
    keep: Mapping[str, Any],
    unit: Sequence[Sequence[Expr]] = (),
    in_blocks: bool = False,
) -> SpeedMap:
    """Speed map from constraints and speeds to keep, {"dx": "dX0*cos(psi) + dY0*sin(psi)", …}.

    Many equations, such as those of loops, are solved in blocks.
    """
    definitions = [Constraint(as_expr(e), n) for n, e in keep.items()]
    for c in (*constraints, *definitions):
        for x in symbols([c.equation]):
            own = x.name == c.name and c in definitions  # a joint speed kept under its own name
            if x.name in keep and not own and x not in joint_speeds:
                raise ConstraintError(
                    f"{c.name!r} must not depend on {x.name!r}, which is a speed to keep; write it in "
                    "the joint speeds."
                )
    for c in definitions:
        if c.equation is not symbol(c.name) and symbol(c.name) in joint_speeds:
            raise ConstraintError(
                f"The speed {c.name!r} must be the joint speed of that name, got {brief(c.equation)}; "
                "rename it."
            )
    A = constraint_matrix(constraints, joint_speeds)
    rows = independent_rows(A, unit)
    redundant = tuple(c.name for i, c in enumerate(constraints) if i not in rows)
    A = Matrix([A.rows[i] for i in rows])
    D = constraint_matrix(definitions, joint_speeds, "speed")
    n, free = len(joint_speeds), len(joint_speeds) - len(rows)
    if not free:
        names = ", ".join(repr(constraints[i].name) for i in rows)
        advice = "remove one" if not in_blocks else (
            "remove a loop, or name the equations that are independent if φ = 0 (eq.mobility lists "
            "them), robot.with_speeds(…, rows=[…])"
        )  # fmt: skip
        raise ConstraintError(
            f"Independent constraints must be fewer than the {counted(n, 'joint speed')}, got {n} "
            f"({names}), which leaves no degree of freedom; {advice}."
        )
    if len(keep) != free:
        raise ConstraintError(
            f"{counted(n, 'joint speed')} with {counted(len(rows), 'independent constraint')} have "
            f"{counted(free, 'degree of freedom')}, so {counted(free, 'speed')} must be kept, got "
            f"{len(keep)} ({', '.join(keep)}); keep {_free_speeds(A, joint_speeds)}."
        )
    stacked = Matrix([*A.rows, *D.rows])
    independent = independent_rows(stacked, unit)
    if len(independent) < n:
        dependent = [list(keep)[i - len(rows)] for i in range(n) if i not in independent]
        raise ConstraintError(
            f"The speed {', '.join(dependent)} cannot be kept: the constraints and the other speeds "
            f"determine it already; keep {_free_speeds(A, joint_speeds)}."
        )
    right = Matrix([*([ZERO] * free for _ in rows), *identity(free).rows])
    W = solve_in_blocks(stacked, right, unit) if in_blocks else solve(stacked, right)
    W = Matrix(W.rows, [u.name for u in joint_speeds], list(keep))
    kept = tuple((c.name, c.equation) for c in definitions)
    chosen = SpeedMap(tuple(keep), W, (), tuple(constraints), redundant, kept)
    gaps = [*constraint_rates(chosen), *(x - v for v, x in kept_rates(chosen))]
    proof = prove_zero(gaps, unit=unit)
    if proof.verdict == "undecided":  # one by one they have fewer square roots
        single = [prove_zero(gap, unit=unit) for gap in gaps]
        proof = next((x for x in single if not x), single[0])
    if proof.verdict == "undecided":
        raise ConstraintError(
            f"The solved speeds must be proved to satisfy the constraints, got {proof}; write axes and "
            f"rotations without square roots, for example with lengths of 1 such as '0.6 0.8 0'."
        )
    if not proof:
        raise ConstraintError(f"The solved speeds do not satisfy the constraints: {proof}.")
    return chosen


def _free_speeds(A: Matrix, joint_speeds: Sequence[Expr]) -> str:
    """Joint speeds that the constraints leave free, and that could be kept."""
    fixed = independent_columns(Matrix([list(reversed(r)) for r in A.rows])) if A.rows else []
    n = len(joint_speeds)
    return ", ".join(u.name for j, u in enumerate(joint_speeds) if n - 1 - j not in fixed)


def constraint_rates(speeds: SpeedMap) -> list[Expr]:
    """Left-hand sides of all constraints, as they were written, at u = W v: zero if W keeps them."""
    return _at(speeds, [c.equation for c in speeds.constraints])


def kept_rates(speeds: SpeedMap) -> list[tuple[Expr, Expr]]:
    """Each speed that was chosen by a formula, and its formula, as it was written, at u = W v."""
    formulas = _at(speeds, [e for _, e in speeds.kept])
    return [(symbol(n), e) for (n, _), e in zip(speeds.kept, formulas, strict=True)]


def _at(speeds: SpeedMap, expressions: Sequence[Expr]) -> list[Expr]:
    """Expressions in the joint speeds at u = W v, without the eliminated coordinates."""
    u = speeds.W @ Vector(speeds.v)
    values = dict(zip(speeds.W.row_names or (), u, strict=True)) | dict(speeds.dependent)
    return substitute(expressions, {symbol(n): e for n, e in values.items()})


def eliminate(speeds: SpeedMap, coordinates: Mapping[str, Any], q: Sequence[Expr]) -> SpeedMap:
    """Eliminate coordinates, {"psi": "R*(theta_R - theta_L)/L"}; each formula is proved.

    `q` are the coordinates in the order of the rows of W (joints with q̇ = u).
    """
    dependent: list[tuple[str, Expr]] = []
    names = [x.name for x in q]
    if len(q) != speeds.W.shape[0]:
        raise ConstraintError(
            "Coordinates can be eliminated only if all joints have q̇ = u; replace quaternion joints, "
            'for example by rotation="euler".'
        )
    formulas = {n: as_expr(e) for n, e in coordinates.items()}
    # On the motions described by the formulas.
    u = Vector(substitute(speeds.W @ Vector(speeds.v), formulas))
    for name, e in formulas.items():
        if name not in names:
            raise UnknownNameError("coordinate", name, names, "the coordinates to eliminate")
        circular = [x.name for x in symbols([e]) if x.name in coordinates]
        if circular:
            remaining = ", ".join(n for n in names if n not in coordinates)
            raise ConstraintError(
                f"The formula {name} = {brief(e)} must not depend on {circular[0]}, which is eliminated "
                f"too; use the remaining coordinates: {remaining}."
            )
        rate = directional([e], dict(zip(q, u, strict=True)))[0] - u[names.index(name)]
        proof = prove_zero(rate)
        if not proof:
            raise ConstraintError(
                f"{name} = {brief(e)} must follow from the speeds, but its rate differs: {proof}."
            )
        dependent.append((name, e))
    W = Matrix(
        [substitute(r, dict(dependent)) for r in speeds.W.rows],
        speeds.W.row_names,
        speeds.W.column_names,
    )
    return replace(speeds, W=W, dependent=tuple(dependent))
