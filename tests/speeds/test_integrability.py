"""Constraints classified: growth, integrable combinations by name, redundant rows, quaternions."""

from typing import Any

import pytest

from equamo.algebra.expr import parse, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal, prove_zero
from equamo.algebra.identity.rank import constant_combinations
from equamo.robot.library import load
from equamo.robot.model import Body, Robot, planar, prismatic, revolute, spherical
from equamo.robot.model.constraint import constraint
from equamo.robot.model.integrability import _sum, bracket, closure, constraint_report


def plane(**options: Any) -> Robot:
    return Robot("plane", [Body("b", planar("x y a"), mass="m")], forces=[], **options)


def test_skating_is_nonholonomic() -> None:
    report = constraint_report(plane(constraints=["dx*sin(a) = dy*cos(a)"],
                                     speeds={"v": "dx*cos(a) + dy*sin(a)", "w": "da"}))  # fmt: skip
    assert (report.growth, report.dimension, report.integrable) == ((2, 3), 3, 0)
    assert not report.holonomic
    assert not report.combinations


def test_a_circle_is_holonomic() -> None:
    speeds = {"v": "x*dy - y*dx", "w": "da"}
    report = constraint_report(plane(constraints=["x*dx + y*dy"], speeds=speeds))
    assert (report.growth, report.integrable, report.holonomic) == ((2,), 1, True)
    assert prove_equal(report.combinations[0].equation, "x*dx + y*dy")
    assert report.combinations[0].integral is None


def test_coefficients_that_are_no_numbers() -> None:
    """Each constraint scaled by a function: the combination is found by elimination."""
    left = "dx*cos(a) + dy*sin(a) - L*da - R*dl"
    right = "dx*cos(a) + dy*sin(a) + L*da - R*dr"
    wheels = [Body(n, revolute(n), mass="m", parent="b") for n in "lr"]
    robot = Robot(
        "scaled", [Body("b", planar("x y a")), *wheels], forces=[],
        constraints=[f"({left})*x", right, "dx*sin(a) - dy*cos(a)"],
        speeds={"v": "dx*cos(a) + dy*sin(a)", "w": "da"},
    )  # fmt: skip
    report = constraint_report(robot)
    assert (report.growth, report.dimension, report.integrable) == ((2, 3, 4), 5, 1)
    equation = report.combinations[0].equation
    assert prove_equal(equation, "2*L*da - R*dr + R*dl")


def test_text_of_a_report() -> None:
    """A combination with numbers: 3/2 of one rolling wheel from the other."""
    forward = "(dx*cos(a) + dy*sin(a))"
    wheels = [Body(n, revolute(n), mass="m", parent="b") for n in "lr"]
    robot = Robot(
        "cart", [Body("b", planar("x y a")), *wheels], forces=[],
        constraints=[
            constraint(f"2*{forward} = 2*L*da + 2*R*dl", "left"),
            constraint(f"3*{forward} + 3*L*da = 3*R*dr", "right"),
            constraint("dx*sin(a) = dy*cos(a)", "side"),
        ],
        speeds={"v": forward, "w": "da"},
    )  # fmt: skip
    assert str(constraint_report(robot)) == (
        "Constraints of cart: joint speeds 5, independent constraints 3, degrees of freedom 2\n"
        "  left\n"
        "  right\n"
        "  side\n"
        "  growth 2, 3, 4 of 5: nonholonomic, 1 of 3 integrable\n"
        "  integrable: right − (3/2)·(left): 3*(2*da*L + R*(dl - dr)) = 0, so "
        "3*(2*a*L + R*(l - r)) is constant"
    )


@pytest.mark.parametrize(
    ("factors", "names", "text"),
    [
        ("1 0 0", "a b c", "a"),
        ("-1 1 0", "a b c", "b − a"),
        ("1 1 -1", "a b c", "a + b − c"),
        ("2 -3/2 0", "a b c", "(2)·(a) − (3/2)·(b)"),
        ("cos(q) -1 0", "a b c", "(cos(q))·(a) − b"),
        ("1 -1 0", "dx+dy dx-da c", "dx + dy − (dx - da)"),
        ("1 -1 0", "a n*dx c", "a − n*dx"),
    ],
)
def test_text_of_a_combination(factors: str, names: str, text: str) -> None:
    spaced = [n.replace("+", " + ").replace("-", " - ") for n in names.split()]
    assert _sum(Vector(factors.split()), spaced) == text


def test_rates_have_integrals_too() -> None:
    report = constraint_report(plane(speeds="v", rates={"dx": "v*cos(a)", "dy": "v*sin(a)"}))
    assert (report.growth, report.integrable, report.holonomic) == ((1,), 2, True)
    equations = [c.equation for c in report.combinations]
    still = {"dx": "cos(a)", "dy": "sin(a)", "da": 0}
    assert len(equations) == 2
    assert all(prove_zero(e.subs(still)) for e in equations)


def test_redundant_constraints_are_named() -> None:
    speeds = {"v": "dy", "w": "da"}
    report = constraint_report(plane(constraints=["dx", "2*dx", "dx + 0*dy"], speeds=speeds))
    assert report.constraints == ("dx", "2*dx", "dx (2)")
    assert report.redundant == report.constraints[1:]
    assert str(report).count("(redundant)") == 2
    assert report.degrees_of_freedom == 2


def test_gear() -> None:
    """Two joints and a gear: one integral, the angle of one is that of the other."""
    gear = Robot("gear", [Body("a", revolute("q1")), Body("b", revolute("q2"), mass="m")], forces=[],
                 constraints=["n*dq1 = dq2"], speeds={"w": "dq1"})  # fmt: skip
    report = constraint_report(gear)
    assert report.holonomic
    assert report.combinations[0].integral is not None
    assert prove_equal(report.combinations[0].integral, "n*q1 - q2")
    assert "is constant" in str(report)


@pytest.mark.parametrize("name", ["rr_arm", "starleth"])
def test_no_constraints(name: str) -> None:
    robot = load(name)
    report = constraint_report(robot)
    assert report.growth == (len(robot.v),)
    assert report.holonomic
    assert "no constraint" in str(report)


def test_a_ball_that_rolls_reaches_every_pose() -> None:
    """Rolling without slipping, spinning allowed or not: growth 3, 5 and 2, 3, 5 of 5."""
    bodies = [
        Body("x", prismatic("x", axis="x")),
        Body("y", prismatic("y", axis="y"), parent="x"),
        Body("ball", spherical("b"), mass="m", parent="y"),
    ]
    R = bodies[2].joint.rotation
    w = R @ Vector(["b_wx", "b_wy", "b_wz"])  # in the world
    rolling = [parse("dx") - w[1] * symbol("r"), parse("dy") + w[0] * symbol("r")]
    spinning = Robot("ball", bodies, forces=[], constraints=[str(e) for e in rolling],
                     speeds={"b_wx": "b_wx", "b_wy": "b_wy", "b_wz": "b_wz"})  # fmt: skip
    report = constraint_report(spinning)
    assert (report.growth, report.dimension, report.integrable) == ((3, 5), 5, 0)


def test_bracket_is_skew_and_kills_constants() -> None:
    q = tuple(map(symbol, "xya"))
    X, Y = Vector(["cos(a)", "x*y", "sin(a)*y"]), Vector(["y**2", "a", "x"])
    assert prove_zero(bracket(X, Y, q) + bracket(Y, X, q))
    assert bracket(Vector([1, 2, 3]), Vector([3, 0, "m"]), q).is_zero


def test_closure_of_the_speeds_holds_them() -> None:
    robot = load("rolling_disc")
    fields, growth = closure(robot)
    assert len(fields) == growth[-1] == 5
    assert fields[:3] == [robot.kinematic_map.column(j) for j in range(3)]


def test_constant_combinations() -> None:
    A = Matrix(
        [["x", "sin(a)"], ["x/3 + 1", "cos(a)"], ["x*7/2 - 2 - 2*x/3", "sin(a)*7/2 - 2*cos(a)"]]
    )
    (found,) = constant_combinations(A)
    assert prove_zero(Vector(A.T @ Vector(found)))
    assert [str(x) for x in found] == ["-7/2", "2", "1"]
    assert constant_combinations(Matrix([["x"], ["x**2"]])) == []
    assert len(constant_combinations(Matrix([["0"], ["0"]]))) == 2
