"""Speeds of the robot as a whole: u = W(q) v for the joint speeds u, with v chosen by the user.

The user gives W (each joint speed as an expression linear in v), or gives constraints A u = 0 and names
the speeds to keep as expressions D u = v; then W solves [A; D] W = [0; 1], exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast, final

from ..errors import ConstraintError, ExpressionError, UnknownNameError
from ..expr import ONE, ZERO, Expr, as_expr, symbol
from ..expr.differentiate import linear_coefficients
from ..expr.matrix import Matrix, identity
from ..expr.substitute import substitute
from ..expr.walk import symbols
from ..identity import prove_zero
from ..identity.elimination import solve
from ..identity.rank import independent_columns, independent_rows
from ..wording import brief, counted
from .constraint import Constraint, constraint, constraint_matrix
from .joint import acceleration_name
from .names import read_names
from .slots import CONSTRAINT, KEPT, LINEAR_RATE, check_equations

if TYPE_CHECKING:
    from .robot import Robot


@final
@dataclass(frozen=True, slots=True)
class SpeedMap:
    """u = W(q) v, and the coordinates that follow from others."""

    names: tuple[str, ...]  # of the speeds v
    W: Matrix  # joint speeds × speeds
    dependent: tuple[tuple[str, Expr], ...] = ()  # coordinate = expression in the others
    constraints: tuple[Constraint, ...] = ()  # what W keeps; for constraint forces
    redundant: tuple[str, ...] = ()  # names of constraints that follow from the others
    kept: tuple[tuple[str, Expr], ...] = ()  # v in the joint speeds, where given

    @property
    def v(self) -> tuple[Expr, ...]:
        return tuple(symbol(n) for n in self.names)


def speed_map(
    robot: Robot,
    speeds: str | Sequence[str] | Mapping[str, Any] | SpeedMap | None,
    rates: Mapping[str, Any] | None,
    constraints: Sequence[Constraint | str],
    eliminated: Mapping[str, Any],
) -> SpeedMap | None:
    """The speed map of a robot from what its constructor was given."""
    speeds = _kept_by_name(robot, speeds) if constraints and not rates else speeds
    if speeds is None or isinstance(speeds, SpeedMap):
        if rates or constraints or eliminated:
            raise ConstraintError(
                "Constraints, rates and coordinates to eliminate go with speeds: name the speeds, "
                'as speeds={"dx": "dX0*cos(psi) + dY0*sin(psi)", …}, or as speeds="dx dpsi" with rates.'
            )
        return speeds
    u = robot.joint_speeds
    listed = not isinstance(speeds, Mapping)
    names = read_names(speeds if isinstance(speeds, str) else tuple(speeds), "speeds: a speed")
    _check_names(robot, names)
    if constraints if listed else rates:
        raise ConstraintError(
            'Give rates with a list of names, speeds="dx dpsi", or constraints with the speeds to keep, '
            'speeds={"dx": "dX0*cos(psi) + dY0*sin(psi)", …}, not both.'
        )
    if not isinstance(speeds, Mapping):
        given = {n: as_expr(e) for n, e in (rates or {}).items()}
        check_equations(robot, names, LINEAR_RATE, ((repr(n), e) for n, e in given.items()))
        found = given_speeds(u, names, given)
    else:
        parsed = [c if isinstance(c, Constraint) else constraint(c) for c in constraints]
        kept = {n: as_expr(e) for n, e in zip(names, speeds.values(), strict=True)}
        equations = ((f"the constraint {c.name!r}", c.equation) for c in parsed)
        check_equations(robot, names, CONSTRAINT, equations)
        formulas = ((f"the speed {n!r}", e) for n, e in kept.items())
        check_equations(robot, names, KEPT, formulas)
        found = kept_speeds(u, _distinct(parsed), kept)
    return eliminate(found, eliminated, robot.joint_coordinates) if eliminated else found


def _kept_by_name(robot: Robot, speeds: Any) -> Any:
    """Joint speeds listed next to constraints, as the speeds to keep; anything else as it is."""
    if speeds is None or isinstance(speeds, (SpeedMap, Mapping)):
        return cast(Any, speeds)
    names = read_names(speeds, "speeds: a speed")
    known = [x.name for x in robot.joint_speeds]
    unknown = [n for n in names if n not in known]
    if unknown:
        raise ConstraintError(
            "Speeds listed next to constraints must be joint speeds, the ones to keep, got "
            f"{unknown[0]!r}. Valid: {', '.join(known)}. Give any other speed by its formula, "
            f'speeds={{{unknown[0]!r}: "…"}}.'
        )
    _check_names(robot, names)
    return {n: symbol(n) for n in names}


def _distinct(constraints: Sequence[Constraint]) -> list[Constraint]:
    """The constraints with a number after a name that was there before: "dx (2)"."""
    seen: dict[str, int] = {}
    named: list[Constraint] = []
    for c in constraints:
        seen[c.name] = seen.get(c.name, 0) + 1
        named.append(c if seen[c.name] == 1 else replace(c, name=f"{c.name} ({seen[c.name]})"))
    return named


def _check_names(robot: Robot, names: Sequence[str]) -> None:
    """Names of speeds: each once, and of nothing else but the joint speed they may be."""
    twice = [n for i, n in enumerate(names) if n in names[:i]]
    if twice:
        raise ConstraintError(f"The speed {twice[0]!r} is named twice.")
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
        raise ConstraintError(f"{n!r} is {kind} of robot {robot.name!r}; name the speed otherwise.")


def given_speeds(
    joint_speeds: Sequence[Expr], names: Sequence[str], rates: Mapping[str, Any]
) -> SpeedMap:
    """W from the joint speeds as expressions in v: {"dX0": "dx*cos(psi)", …}; left out: zero."""
    v = [symbol(n) for n in names]
    known = [u.name for u in joint_speeds]
    for n in rates:
        if n not in known:
            raise UnknownNameError("joint speed", n, known, "the speed map")
    rows: list[list[Expr]] = []
    for u in joint_speeds:
        e = as_expr(rates.get(u.name, 0))
        try:
            A, rest = linear_coefficients([e], v)
        except ExpressionError:
            A, rest = [], [ONE]
        if rest[0] is not ZERO:
            raise ConstraintError(
                f"The joint speed {u.name!r} = {brief(e)} is not linear in the speeds "
                f"{', '.join(names)}."
            )
        rows.append(A[0])
    W = Matrix(rows, known, list(names))
    kept = independent_columns(W)
    if len(kept) < len(names):
        lost = [n for j, n in enumerate(names) if j not in kept]
        raise ConstraintError(
            f"The speeds {', '.join(names)} are not independent: {', '.join(lost)} moves nothing that "
            "the others do not move."
        )
    return SpeedMap(tuple(names), W)


def kept_speeds(
    joint_speeds: Sequence[Expr], constraints: Sequence[Constraint], keep: Mapping[str, Any]
) -> SpeedMap:
    """W from constraints and the speeds to keep, {"dx": "dX0*cos(psi) + dY0*sin(psi)", …}."""
    given = [Constraint(as_expr(e), n) for n, e in keep.items()]
    for c in (*constraints, *given):
        for x in symbols([c.equation]):
            own = x.name == c.name and c in given  # a joint speed that is kept under its name
            if x.name in keep and not own and x not in joint_speeds:
                raise ConstraintError(f"{x.name!r} is a speed to keep and occurs in {c.name!r}.")
    for c in given:
        if c.equation is not symbol(c.name) and symbol(c.name) in joint_speeds:
            raise ConstraintError(
                f"{c.name!r} is a joint speed; a speed of that name is that one, not "
                f"{brief(c.equation)}."
            )
    A = constraint_matrix(constraints, joint_speeds)
    rows = independent_rows(A)
    redundant = tuple(c.name for i, c in enumerate(constraints) if i not in rows)
    A = Matrix([A.rows[i] for i in rows])
    D = constraint_matrix(given, joint_speeds, "speed")
    n, free = len(joint_speeds), len(joint_speeds) - len(rows)
    if not free:
        held = ", ".join(repr(constraints[i].name) for i in rows)
        raise ConstraintError(
            f"{counted(n, 'joint speed')} with {counted(n, 'independent constraint')} ({held}) leave no "
            "motion. Without the last of them one speed can be kept."
        )
    if len(keep) != free:
        raise ConstraintError(
            f"{counted(n, 'joint speed')} with {counted(len(rows), 'independent constraint')} leave "
            f"{counted(free, 'degree of freedom')}; {counted(len(keep), 'speed')} to be kept "
            f"({', '.join(keep)}). "
            f"{_would_do(A, joint_speeds)}"
        )
    stacked = Matrix([*A.rows, *D.rows])
    good = independent_rows(stacked)
    if len(good) < n:
        lost = [list(keep)[i - len(rows)] for i in range(n) if i not in good]
        raise ConstraintError(
            f"The speed {', '.join(lost)} cannot be kept: the constraints and the other speeds fix it "
            f"already. {_would_do(A, joint_speeds)}"
        )
    W = solve(stacked, Matrix([*([ZERO] * free for _ in rows), *identity(free).rows]))
    W = Matrix(W.rows, [u.name for u in joint_speeds], list(keep))
    proof = prove_zero(constraint_matrix(constraints, joint_speeds) @ W)
    if not proof:
        raise ConstraintError(f"The solved speeds do not satisfy the constraints: {proof}.")
    kept = tuple((c.name, c.equation) for c in given)
    return SpeedMap(tuple(keep), W, (), tuple(constraints), redundant, kept)


def _would_do(A: Matrix, joint_speeds: Sequence[Expr]) -> str:
    """Joint speeds that could be kept: those that the constraints leave free."""
    fixed = independent_columns(Matrix([list(reversed(r)) for r in A.rows])) if A.rows else []
    n = len(joint_speeds)
    free = [u.name for j, u in enumerate(joint_speeds) if n - 1 - j not in fixed]
    return f"Keeping {', '.join(free)} would do."


def constraint_rates(robot: Robot) -> list[Expr]:
    """A W of all constraints, entry by entry: zero if the speeds keep them."""
    if robot.speed_map is None:
        return []
    A = constraint_matrix(robot.speed_map.constraints, robot.joint_speeds)
    A = A.subs(dict(robot.speed_map.dependent))
    return list((A @ robot.speed_map.W).entries)


def eliminate(speeds: SpeedMap, coordinates: Mapping[str, Any], q: Sequence[Expr]) -> SpeedMap:
    """Coordinates that follow from the others: {"psi": "R*(theta_R - theta_L)/L"}, proved.

    `q` are the coordinates in the order of the rows of W (joints with q̇ = u).
    """
    from ..expr.differentiate import directional
    from ..expr.vector import Vector

    dependent: list[tuple[str, Expr]] = []
    names = [x.name for x in q]
    if len(q) != speeds.W.shape[0]:
        raise ConstraintError(
            "Coordinates are eliminated where all joints have q̇ = u; a quaternion joint has not."
        )
    u = speeds.W @ Vector(speeds.v)
    for name, given in coordinates.items():
        if name not in names:
            raise UnknownNameError("coordinate", name, names, "the coordinates to eliminate")
        e = as_expr(given)
        circular = [x.name for x in symbols([e]) if x.name in coordinates]
        if circular:
            raise ConstraintError(
                f"{name} = {brief(e)} holds {circular[0]}, which is eliminated too; write it in the "
                f"coordinates that stay: {', '.join(n for n in names if n not in coordinates)}."
            )
        rate = directional([e], dict(zip(q, u, strict=True)))[0] - u[names.index(name)]
        proof = prove_zero(rate)
        if not proof:
            raise ConstraintError(
                f"{name} = {brief(e)} does not follow from the speeds: its rate differs ({proof})."
            )
        dependent.append((name, e))
    W = Matrix(
        [substitute(r, dict(dependent)) for r in speeds.W.rows],
        speeds.W.row_names,
        speeds.W.column_names,
    )
    return replace(speeds, W=W, dependent=tuple(dependent))
