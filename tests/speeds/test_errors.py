"""A wrong constraint or speed gives an error that names it and what would do."""

import re
from typing import Any

import pytest

from equamo.algebra.expr.matrix import Matrix
from equamo.errors import ConstraintError, EquamoError, UnknownNameError
from equamo.robot.model import Body, Robot, planar, revolute, speeds, spherical

SLEIGH = {"v": "dx*cos(a) + dy*sin(a)", "w": "da"}


def sleigh(joint: Any = None, **options: Any) -> Robot:
    body = Body("runner", joint or planar("x y a"), mass="m", inertia="0 0 I")
    return Robot("sleigh", [body], forces=[], **options)


@pytest.mark.parametrize(
    ("constraints", "speeds", "message"),
    [
        (["dx**2 + dy**2"], SLEIGH, "constraint 'dx**2 + dy**2' must be linear"),
        (["sin(dx)"], SLEIGH, "must be linear in the joint speeds"),
        (["dx = 1"], SLEIGH, "must hold at rest, got a term without a speed (-1)"),
        (["x**2 + y**2 = r**2"], SLEIGH, "use its time derivative: 2*("),
        (["m*I"], SLEIGH, "term without a speed"),
        (["dx - dx + a*0"], SLEIGH, "must depend on a joint speed of the robot. Valid: dx, dy, da"),
        (["dx*sin(a) - dz*cos(a)"], SLEIGH, "Unknown joint speed 'dz' in the constraint"),
        (["dx", "dy", "da"], {}, "got 3 ('dx', 'dy', 'da'), which leaves no degree of freedom"),
        (["dx", "dy"], SLEIGH, "1 degree of freedom, so 1 speed must be kept, got 2 (v, w); keep da"),
        ([], SLEIGH, "3 joint speeds with 0 independent constraints have 3"),
        (
            ["dx*sin(a) - dy*cos(a)"],
            {"v": "dx*sin(a) - dy*cos(a)", "w": "da"},
            "The speed v cannot be kept: the constraints and the other speeds determine it already",
        ),
        (["dx*sin(a) - dy*cos(a)"], {"v": "dx", "w": "2*dx"}, "The speed w cannot be kept"),
        (["dx*sin(a) - dy*cos(a)"], {"v": "dx**2", "w": "da"}, "The speed 'v' must be linear"),
        (["dx*sin(a) - dy*cos(a)"], {"v": "dx + dz", "w": "da"}, "Unknown joint speed 'dz' in the spe"),
        (["dx*sin(a) - dy*cos(a)"], {"a": "dx", "w": "da"}, "it is a coordinate of robot 'sleigh'"),
        (["dx*sin(a) - dy*cos(a)"], {"m": "dx", "w": "da"}, "it is a parameter of robot 'sleigh'"),
        (["dx*sin(a) - k*dy*cos(a)"], {"k": "dx", "w": "da"}, "must not depend on 'k', which is a"),
        (["dx*sin(a) - dy*cos(a)"], {"w": "dx", "dw": "da"}, "the derivative of another speed"),
        (["dx*sin(a) - dy*cos(a)"], {"dx": "dx + dy", "w": "da"}, "'dx' must be the joint speed of"),
        (["dx*sin(a) - dy*cos(a)"], "v da", "must be joint speeds to keep, got 'v'. Valid:"),
        (["dx*sin(a) - dy*cos(a)"], "dx", "so 2 speeds must be kept, got 1 (dx)"),
        (["dx*sin(a) - dy*cos(a)"], "dx dx", "must have different names, got 'dx' twice"),
    ],
)  # fmt: skip
def test_constraints(constraints: list[str], speeds: Any, message: str) -> None:
    with pytest.raises(EquamoError, match=re.escape(message)):
        sleigh(constraints=constraints, speeds=speeds)


RATES = {"dx": "v*cos(a)", "dy": "v*sin(a)", "da": "w"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speeds": "v v", "rates": RATES}, "must have different names, got 'v' twice"),
        ({"speeds": "v w", "rates": {**RATES, "db": "w"}}, "Unknown joint speed 'db'"),
        ({"speeds": "v w", "rates": {**RATES, "da": "w**2"}}, "'da' must be linear in the speeds v, w"),
        ({"speeds": "v w z", "rates": RATES}, "must be independent; remove z"),
        ({"speeds": "v w", "rates": RATES, "constraints": ["dx"]}, "not both"),
        ({"speeds": SLEIGH, "rates": RATES}, "not both"),
        ({"constraints": ["dx"]}, "need speeds; pass speeds="),
        ({"speeds": "v w", "rates": RATES, "eliminate": {"b": "a"}}, "Unknown coordinate 'b'"),
        ({"speeds": "v w", "rates": RATES, "eliminate": {"x": "y"}}, "x = y must follow from the"),
        ({"speeds": "v w", "rates": RATES, "eliminate": {"x": "x"}}, "x = x must not depend on x"),
    ],
)  # fmt: skip
def test_rates(options: dict[str, Any], message: str) -> None:
    with pytest.raises(EquamoError, match=re.escape(message)):
        sleigh(**options)


def test_a_parameter_of_the_name_of_a_speed() -> None:
    with pytest.raises(
        EquamoError,
        match="Parameter 'v' must not be a coordinate, speed or input of robot 'sleigh'",
    ):
        sleigh(speeds="v w", rates=RATES, parameters={"v": 1})


def test_a_quaternion_keeps_its_coordinates() -> None:
    body = Body("ball", spherical("b"), mass="m")
    names = [f"b_{c}" for c in ("wx", "wy", "wz")]
    with pytest.raises(
        ConstraintError, match="eliminated only if all joints have q̇ = u; replace quaternion joints"
    ):
        Robot("ball", [body], forces=[], constraints=["b_wz"], eliminate={"b_qz": "0"},
              speeds={n: n for n in names[:2]})  # fmt: skip


def test_an_unknown_speed_is_met_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'dq1'") as error:
        Robot("r", [Body("b", revolute("q1"))], constraints=["dq1 + dq11"], speeds={"w": "dq1"})
    assert error.value.valid == ["dq1"]


def test_redundant_constraints_are_reported_and_dropped() -> None:
    skating = "dx*sin(a) - dy*cos(a)"
    robot = sleigh(constraints=[skating, f"2*({skating})", "dx*tan(a) - dy"], speeds=SLEIGH)
    assert robot.speed_map is not None
    assert len(robot.speed_map.redundant) == 2
    assert robot.speed_map.W.closed_form() == sleigh(speeds="v w", rates=RATES).speed_map.W  # type: ignore[union-attr]


def test_solved_speeds_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong solution of the constraints would be noticed."""
    monkeypatch.setattr(speeds, "solve", lambda _, right: Matrix([[1, 1]] * len(right.rows)))
    with pytest.raises(
        ConstraintError, match="solved speeds do not satisfy the constraints: refuted"
    ):
        sleigh(constraints=["dx*sin(a) - dy*cos(a)"], speeds=SLEIGH)
