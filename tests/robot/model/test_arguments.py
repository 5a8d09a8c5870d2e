"""What a robot may be made of: clashing names and wrong types are errors that name the thing."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

import equamo as eq
from equamo.errors import EquamoError, ModelError

pytestmark = pytest.mark.needs("sympy")


def robot(**changes) -> eq.Robot:
    body = {"mass": 1, "com": "1 0 0", "joint": eq.revolute("q", axis="y")}
    body |= {k: changes.pop(k) for k in list(changes) if k in ("mass", "com", "inertia", "joint")}
    return eq.Robot("r", [eq.Body("b", **body)], **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"forces": [eq.joint_actuator("q", input="q")]},
        {"forces": [eq.joint_actuator("q", input="dq")]},
        {"forces": [eq.joint_actuator("q", input="F"), eq.wrench("b", "F 0 0")]},
        {"forces": [eq.wrench("b", "q 0 0")]},
        {"forces": [eq.joint_actuator("q", input="F")], "mass": "F"},
        {"mass": "q"},
        {"mass": "dq"},
        {"mass": "ddq"},
        {"com": "q 0 0"},
        {"gravity": "0 0 -g*q"},
        {"parameters": {"q": 1}},
    ],
)
def test_names_do_not_clash(changes: dict) -> None:
    with pytest.raises(ModelError):
        robot(**changes)


def test_the_coordinate_of_another_body_is_no_length() -> None:
    slide = eq.Body("a", eq.prismatic("x"), mass=1)
    with pytest.raises(ModelError, match=r"'x'.*coordinate"):
        eq.Robot("r", [slide, eq.Body("b", eq.revolute("q"), mass=1, com="x 0 0", parent="a")])


@pytest.mark.parametrize(
    "changes",
    [
        {"gravity": 9.81}, {"com": 5}, {"joint": 5}, {"forces": eq.joint_actuator("q")},
        {"forces": 5}, {"parameters": ["m"]}, {"parameters": "m"}, {"home": [1]}, {"base": "free"},
        {"home": {"q": float("nan")}}, {"home": {"q": "x"}}, {"home": {"q": "pi/"}},
    ],
)  # fmt: skip
def test_wrong_types_are_errors_of_ours(changes: dict) -> None:
    with pytest.raises(EquamoError):
        robot(**changes)


@pytest.mark.parametrize(
    "make",
    [
        lambda: eq.Robot("", []), lambda: eq.Robot(None, []), lambda: eq.Robot("r", None),
        lambda: eq.Robot("r", eq.Body("b")), lambda: eq.revolute(None),
        lambda: eq.revolute("q", at=None),
        lambda: eq.wrench("b", 5), lambda: eq.BaseMotion(w=5),
        lambda: eq.load("rr_arm").lock(q1="q2"), lambda: eq.derive(robot()).forces["zz"],
        lambda: eq.derive(robot()).save("no/such/folder/x.eom"),
        lambda: eq.prove(robot()).save("no/such/folder/x.json"),
    ],
)  # fmt: skip
def test_wrong_calls_are_errors_of_ours(make) -> None:
    with pytest.raises(EquamoError):
        make()


def test_text_is_a_default_state() -> None:
    assert robot(home={"q": "pi/4"}).home.q["q"] == pytest.approx(np.pi / 4)


@pytest.mark.parametrize(
    "given", [np.diag([1.0, 2.0, 2.5]), sympy.diag(1, 2, sympy.Rational(5, 2))]
)
def test_matrices_of_other_libraries(given) -> None:
    plain = robot(inertia="1 2 2.5")
    assert robot(inertia=given).bodies[0].inertia == plain.bodies[0].inertia
    turned = robot(joint=eq.revolute("q", axis="y", rotation=np.eye(3)))
    assert turned.bodies[0].joint.rotation == robot().bodies[0].joint.rotation


@pytest.mark.parametrize("power", [400, 5000])  # 5000 digits are more than Python writes down
@pytest.mark.parametrize("factor", [1, -1, Fraction(1, 3)])
def test_numbers_that_no_double_can_hold(factor, power: int) -> None:
    """They are exact, and so could be kept; but nothing could be computed with them."""
    number = factor * 10**power
    for changes in ({"parameters": {"m": number}, "mass": "m"}, {"home": {"q": number}},
                    {"limits": {"q": {"upper": number}}}):  # fmt: skip
        with pytest.raises(EquamoError, match=r"1\.8e308|at most 14000 bits, got"):
            robot(**changes)
    with pytest.raises(ModelError, match=r"parameter 'm'.*1\.8e308"):
        eq.Parameter("m", number)
    assert eq.Parameter("m", Fraction(1, 10**400)).value == Fraction(1, 10**400)
    assert eq.Parameter("m", 10**308).value == 10**308
