"""A wrong constraint or speed gives an error that names it and what would do."""

import re
from typing import Any

import pytest

from equamo.errors import ConstraintError, EquamoError, UnknownNameError
from equamo.model import Body, Robot, planar, revolute, spherical

SLEIGH = {"v": "dx*cos(a) + dy*sin(a)", "w": "da"}


def sleigh(joint: Any = None, **options: Any) -> Robot:
    body = Body("runner", joint or planar("x y a"), mass="m", inertia="0 0 I")
    return Robot("sleigh", [body], forces=[], **options)


@pytest.mark.parametrize(
    ("constraints", "speeds", "message"),
    [
        (["dx**2 + dy**2"], SLEIGH, "constraint 'dx**2 + dy**2' is not linear"),
        (["sin(dx)"], SLEIGH, "not linear in the joint speeds"),
        (["dx = 1"], SLEIGH, "term without a speed (-1): standing still would break it"),
        (["x**2 + y**2 = r**2"], SLEIGH, "kept by its rate: 2*("),
        (["m*I"], SLEIGH, "term without a speed"),
        (["dx - dx + a*0"], SLEIGH, "no speed of this robot in it. Its speeds: dx, dy, da"),
        (["dx*sin(a) - dz*cos(a)"], SLEIGH, "Unknown joint speed 'dz' in the constraint"),
        (["dx", "dy", "da"], {}, "('dx', 'dy', 'da') leave no motion"),
        (["dx", "dy"], SLEIGH, "leave 1 degree of freedom; 2 speeds to be kept (v, w). Keeping da"),
        ([], SLEIGH, "3 joint speeds with 0 independent constraints leave 3"),
        (
            ["dx*sin(a) - dy*cos(a)"],
            {"v": "dx*sin(a) - dy*cos(a)", "w": "da"},
            "The speed v cannot be kept: the constraints and the other speeds fix it already. Keeping",
        ),
        (["dx*sin(a) - dy*cos(a)"], {"v": "dx", "w": "2*dx"}, "The speed w cannot be kept"),
        (["dx*sin(a) - dy*cos(a)"], {"v": "dx**2", "w": "da"}, "The speed 'v' is not linear"),
        (["dx*sin(a) - dy*cos(a)"], {"v": "dx + dz", "w": "da"}, "Unknown joint speed 'dz' in the spe"),
        (["dx*sin(a) - dy*cos(a)"], {"a": "dx", "w": "da"}, "'a' is a coordinate of robot 'sleigh'"),
        (["dx*sin(a) - dy*cos(a)"], {"m": "dx", "w": "da"}, "'m' is a parameter of robot 'sleigh'"),
        (["dx*sin(a) - k*dy*cos(a)"], {"k": "dx", "w": "da"}, "'k' is a speed to keep and occurs in"),
        (["dx*sin(a) - dy*cos(a)"], {"w": "dx", "dw": "da"}, "the derivative of another speed"),
        (["dx*sin(a) - dy*cos(a)"], {"dx": "dx + dy", "w": "da"}, "'dx' is a joint speed; a speed of"),
        (["dx*sin(a) - dy*cos(a)"], "v da", "must be joint speeds, the ones to keep, got 'v'. Valid:"),
        (["dx*sin(a) - dy*cos(a)"], "dx", "leave 2 degrees of freedom; 1 speed to be kept (dx)"),
        (["dx*sin(a) - dy*cos(a)"], "dx dx", "'dx' is named twice"),
    ],
)  # fmt: skip
def test_constraints(constraints: list[str], speeds: Any, message: str) -> None:
    with pytest.raises(EquamoError, match=re.escape(message)):
        sleigh(constraints=constraints, speeds=speeds)


RATES = {"dx": "v*cos(a)", "dy": "v*sin(a)", "da": "w"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speeds": "v v", "rates": RATES}, "'v' is named twice"),
        ({"speeds": "v w", "rates": {**RATES, "db": "w"}}, "Unknown joint speed 'db'"),
        ({"speeds": "v w", "rates": {**RATES, "da": "w**2"}}, "'da' = w**2 is not linear in the speeds"),
        ({"speeds": "v w z", "rates": RATES}, "not independent: z moves nothing"),
        ({"speeds": "v w", "rates": RATES, "constraints": ["dx"]}, "not both"),
        ({"speeds": SLEIGH, "rates": RATES}, "not both"),
        ({"constraints": ["dx"]}, "go with speeds: name the speeds"),
        ({"speeds": "v w", "rates": RATES, "eliminate": {"b": "a"}}, "Unknown coordinate 'b'"),
        ({"speeds": "v w", "rates": RATES, "eliminate": {"x": "y"}}, "x = y does not follow from"),
        ({"speeds": "v w", "rates": RATES, "eliminate": {"x": "x"}}, "x = x holds x, which is elim"),
    ],
)  # fmt: skip
def test_rates(options: dict[str, Any], message: str) -> None:
    with pytest.raises(EquamoError, match=re.escape(message)):
        sleigh(**options)


def test_a_parameter_of_the_name_of_a_speed() -> None:
    with pytest.raises(
        EquamoError, match="'v' is a parameter and also a coordinate, speed or input"
    ):
        sleigh(speeds="v w", rates=RATES, parameters={"v": 1})


def test_a_quaternion_keeps_its_coordinates() -> None:
    body = Body("ball", spherical("b"), mass="m")
    names = [f"b_{c}" for c in ("wx", "wy", "wz")]
    with pytest.raises(ConstraintError, match="a quaternion joint has not"):
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
