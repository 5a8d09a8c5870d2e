"""Classify the constraints of a robot: degrees of freedom, and which combinations are integrable.

The speeds v move the coordinates along the columns X_j of N, q̇ = N v. Their closure under Lie brackets

    [X, Y] = (∂Y/∂q) X − (∂X/∂q) Y

spans the directions that the robot can reach (Chow 1939); the growth vector has its rank, level by
level. The other directions are blocked by integrable combinations of the constraints (Frobenius 1877);
their number is the number of joint coordinates minus the rank of the closure. Ranks are computed at
random points of a finite field; each combination that is reported is proved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ...algebra.expr import ONE, ZERO, Expr
from ...algebra.expr.differentiate import directional, gradient
from ...algebra.expr.matrix import Matrix, from_columns, identity
from ...algebra.expr.vector import Vector, dot
from ...algebra.expr.walk import symbols
from ...algebra.identity import prove_zero
from ...algebra.identity.elimination import solve
from ...algebra.identity.linearity import linear_coefficients
from ...algebra.identity.rank import constant_combinations, independent_columns, independent_rows
from .constraint import constraint_matrix
from .robot import Robot

Fields = list[Vector]


@final
@dataclass(frozen=True, slots=True)
class Combination:
    """Integrable combination of constraints."""

    text: str  # "right wheel rolls − left wheel rolls"
    equation: Expr  # = 0, in the joint speeds
    integral: Expr | None = None  # conserved quantity, if the coefficients are constant

    def __str__(self) -> str:
        conserved = "" if self.integral is None else f", so {self.integral} is constant"
        return f"{self.text}: {self.equation} = 0{conserved}"


@final
@dataclass(frozen=True, slots=True)
class ConstraintReport:
    """Classification of the constraints of a robot.

    Attributes:
        robot: Name of the robot.
        joint_speeds: Number of joint speeds.
        constraints: Names of all constraints.
        redundant: Names of constraints that follow from the others.
        degrees_of_freedom: Number of independent speeds.
        growth: Rank of the reachable directions, level by level of Lie brackets.
        dimension: Dimension of the configuration space.
        integrable: Number of independent integrable combinations.
        combinations: These combinations, with their equations.
        eliminated: Coordinates that were eliminated with an integral, as "coordinate = expression".
    """

    robot: str
    joint_speeds: int
    constraints: tuple[str, ...]
    redundant: tuple[str, ...]
    degrees_of_freedom: int
    growth: tuple[int, ...]
    dimension: int
    integrable: int
    combinations: tuple[Combination, ...]
    eliminated: tuple[str, ...]

    @property
    def holonomic(self) -> bool:
        """Whether all constraints are integrable."""
        return self.integrable == self.joint_speeds - self.degrees_of_freedom

    def __str__(self) -> str:
        independent = self.joint_speeds - self.degrees_of_freedom
        lines = [
            f"Constraints of {self.robot}: joint speeds {self.joint_speeds}, independent constraints "
            f"{independent}, degrees of freedom {self.degrees_of_freedom}",
            *(f"  {n}" + (" (redundant)" if n in self.redundant else "") for n in self.constraints),
            f"  growth {', '.join(map(str, self.growth))} of {self.dimension}: {self._kind()}",
            *(f"  integrable: {c}" for c in self.combinations),
            *(f"  eliminated: {e}" for e in self.eliminated),
        ]
        return "\n".join(lines)

    def _kind(self) -> str:
        independent = self.joint_speeds - self.degrees_of_freedom
        if not independent:
            return "no constraint"
        if self.holonomic:
            return f"holonomic, all {independent} integrable"
        return f"nonholonomic, {self.integrable} of {independent} integrable"


def constraint_report(robot: Robot) -> ConstraintReport:
    """Classify the constraints of a robot.

    Args:
        robot: The robot. If it has loops or held contacts and no chosen speeds, they are chosen
            automatically.

    Returns:
        Degrees of freedom, redundant constraints, growth and integrable combinations.

    >>> from equamo.robot.library import load
    >>> report = constraint_report(load("wheeled_inverted_pendulum"))
    >>> report.growth, report.dimension, report.degrees_of_freedom
    ((3, 4, 5), 5, 3)
    >>> report.combinations[0].text
    'right wheel rolls − left wheel rolls'
    """
    from .robot import expect_robot  # which imports speeds, which imports this module

    expect_robot(robot, "constraint_report")
    if robot.speed_map is None and robot.closure_rows:
        robot = robot.with_speeds("auto")
    fields, growth = closure(robot)
    speeds = robot.speed_map
    integrable = len(robot.joint_speeds) - len(fields)
    return ConstraintReport(
        robot=robot.name,
        joint_speeds=len(robot.joint_speeds),
        constraints=tuple(c.name for c in speeds.constraints) if speeds else (),
        redundant=speeds.redundant if speeds else (),
        degrees_of_freedom=len(robot.v),
        growth=growth,
        dimension=len(robot.q) - len(robot.unit_groups),
        integrable=integrable,
        combinations=tuple(_combinations(robot, fields, integrable)) if integrable else (),
        eliminated=tuple(f"{n} = {e}" for n, e in speeds.dependent) if speeds else (),
    )


def closure(robot: Robot) -> tuple[Fields, tuple[int, ...]]:
    """Independent fields that span the closure, and growth: D_1 = N, D_k+1 = D_k + [D_1, D_k]."""
    q, unit = robot.q, robot.unit_groups
    N = robot.kinematic_map
    fields: Fields = [N.column(j) for j in range(len(robot.v))]
    first = fields = _independent(fields, [], unit)
    new, growth = fields, [len(fields)]
    while new:
        brackets = [bracket(X, Y, q) for Y in new for X in first if X is not Y]
        new = _independent([b for b in brackets if not b.is_zero], fields, unit)
        if new:
            fields = [*fields, *new]
            growth.append(len(fields))
    return fields, tuple(growth)


def bracket(X: Vector, Y: Vector, q: tuple[Expr, ...]) -> Vector:
    """Lie bracket [X, Y] = (∂Y/∂q) X − (∂X/∂q) Y.

    >>> from equamo.algebra.expr import symbol
    >>> bracket(Vector(["cos(a)", "sin(a)", 0]), Vector([0, 0, 1]), (*map(symbol, "xya"),))
    Vector([sin(a), -cos(a), 0])
    """
    along_X = directional(Y, dict(zip(q, X, strict=True)))
    along_Y = directional(X, dict(zip(q, Y, strict=True)))
    return Vector(a - b for a, b in zip(along_X, along_Y, strict=True))


def _independent(new: Fields, old: Fields, unit: tuple[tuple[Expr, ...], ...]) -> Fields:
    """New fields that are not in the span of the old ones and of the preceding new ones."""
    if not new:
        return []
    kept = independent_columns(from_columns([*old, *new]), unit)
    return [new[j - len(old)] for j in kept if j >= len(old)]


def _combinations(robot: Robot, fields: Fields, count: int) -> list[Combination]:
    """Integrable combinations: those that hold on the whole closure, λᵀ A E = 0."""
    u, unit = robot.joint_speeds, robot.unit_groups
    E = _in_joint_speeds(robot, fields)
    constraints = robot.speed_map.constraints if robot.speed_map else ()
    dependent = robot.eliminated
    if constraints:
        A, names = constraint_matrix(constraints, u), [c.name for c in constraints]
        redundant = set(robot.speed_map.redundant if robot.speed_map else ())
        rows = [i for i, n in enumerate(names) if n not in redundant]
        A, names = Matrix([A.rows[i] for i in rows]), [names[i] for i in rows]
    else:  # the user chose W: combine the joint speeds themselves
        A, names = identity(len(u)), []
    B = A.subs(dependent) @ E
    constants = [Vector(x) for x in constant_combinations(B, unit)]
    factors = [x for x in constants if prove_zero(_left(x, B), unit=unit)]
    if len(factors) < count:  # coefficients that are not numbers: by elimination
        factors = [x for x in _left_null(B, unit) if prove_zero(_left(x, B), unit=unit)]
    result: list[Combination] = []
    for x in factors:
        equation = dot(_left(x, A), u).closed_form()
        text = _sum(x, names) if names else "the speeds"
        result.append(Combination(text, equation, _integral(robot, equation)))
    return result


def _in_joint_speeds(robot: Robot, fields: Fields) -> Matrix:
    """Fields on the coordinates, converted to speeds u = N⁺ q̇ of all joints."""
    dependent = robot.eliminated
    slopes = {n: gradient(e, robot.q) for n, e in dependent.items()}
    columns: list[Vector] = []
    for X in fields:
        rate = dict(zip((x.name for x in robot.q), X, strict=True))
        rate |= {n: dot(slope, X) for n, slope in slopes.items()}
        q_dot = Vector(rate[x.name] for x in robot.joint_coordinates)
        columns.append(robot.kinematic_map_inverse.subs(dependent) @ q_dot)
    return from_columns(columns)


def _left(x: Vector, A: Matrix) -> Vector:
    """Product xᵀ A."""
    return A.T @ x


def _left_null(B: Matrix, unit: tuple[tuple[Expr, ...], ...]) -> list[Vector]:
    """Vectors λ(q) with λᵀ B = 0: each dependent row minus its expression in the independent ones."""
    rows = independent_rows(B, unit)
    if not rows:
        return [Vector(r) for r in identity(B.shape[0]).rows]
    columns = independent_columns(Matrix([B.rows[i] for i in rows]), unit)
    square = Matrix([[B.rows[i][j] for i in rows] for j in columns])
    others = [i for i in range(B.shape[0]) if i not in rows]
    X = solve(square, Matrix([[B.rows[i][j] for i in others] for j in columns]))
    vectors: list[Vector] = []
    for k, i in enumerate(others):
        x: list[Expr] = [ZERO] * B.shape[0]
        x[i] = ONE
        for position, row in enumerate(rows):
            x[row] = -X[position, k]
        vectors.append(Vector(x))
    return vectors


def _sum(x: Vector, names: list[str]) -> str:
    """λ·constraints as text, positive terms first: "right wheel rolls − left wheel rolls".

    A constraint without a name has its equation as one, which needs parentheses after a minus sign.
    """
    plus: list[str] = []
    minus: list[str] = []
    for factor, name in zip(x, names, strict=True):
        if factor is ZERO:
            continue
        number = factor.value
        negative = number is not None and number < 0
        size = -factor if negative else factor
        if size.value != 1:
            name = f"({size})·({name})"
        elif negative and (" + " in name or " - " in name):
            name = f"({name})"
        (minus if negative else plus).append(name)
    return " + ".join(plus) + "".join(f" − {m}" for m in minus)


def _integral(robot: Robot, equation: Expr) -> Expr | None:
    """Integral Σ c_i q_i if the coefficients of all speeds depend only on parameters, else None."""
    if robot.joint_coordinates and not robot.tree.has_unit_map:
        return None
    A, _ = linear_coefficients([equation], robot.joint_speeds)
    if set(symbols(A[0])) & set(robot.joint_coordinates):
        return None
    return dot(A[0], robot.joint_coordinates).closed_form()
