"""The same mechanism cut at two joints: equal accelerations where the loop is closed."""

from __future__ import annotations

from dataclasses import replace
from math import cos, sin

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.algebra.expr.vector import ZERO3
from equamo.algebra.identity import prove_zero
from equamo.mechanics.certificate import cuts
from equamo.mechanics.certificate.sides import residuals
from equamo.mechanics.equations import derive
from equamo.robot.model import Robot
from equamo.robot.model.loop import Loop
from equamo.robot.model.rotation import rotation_x, rotation_z
from loops_examples import bennett, double_parallelogram, four_bar, four_bar_home, parallelogram


def moved(robot: Robot) -> Loop:
    loop = cuts.loop_to_move(robot)
    assert isinstance(loop, Loop)
    return loop


def slider_crank() -> Robot:
    """Crank and rod, cut from a slider: the joint that is cut instead slides."""
    bodies = [
        eq.Body("crank", eq.revolute("q1"), mass="m1", com="a/2 0 0", inertia="0 0 I1"),
        eq.Body("rod", eq.revolute("q2", at="a 0 0"), mass="m2", com="b/2 0 0", inertia="0 0 I2",
                parent="crank"),
        eq.Body("slider", eq.prismatic("x", axis="x"), mass="m3", com="0 h 0"),
    ]  # fmt: skip
    loops = [eq.loop("pin", "slider", to="rod", to_at="b 0 0")]
    return eq.Robot("slider_crank", bodies, gravity="0 -g 0", loops=loops)


@pytest.mark.parametrize(
    "robot",
    [four_bar(), four_bar("spherical"), parallelogram(), slider_crank()],
    ids=lambda r: r.name,
)
def test_equal_accelerations(robot: Robot) -> None:
    assert prove_zero(residuals(cuts.two_cuts(robot, moved(robot))))


def test_seen_from_the_other_body() -> None:
    """The coupler hangs on the crank, so the rocker moves: it is cut from the ground."""
    robot = four_bar()
    loop = cuts._reversed(robot.loops[0])
    assert (loop.body, loop.to) == ("rocker", "coupler")
    assert prove_zero(residuals(cuts.two_cuts(robot, loop)))


def test_bodies_that_hang_on_the_moved_one() -> None:
    """A pendulum on the coupler moves with it."""
    robot = four_bar()
    tip = eq.Body("tip", eq.revolute("q5", at="L2/2 0 0"), mass="m4", com="l 0 0", parent="coupler")
    hung = robot.attach(tip, to="coupler")
    assert [b.name for b in cuts._carried(hung, moved(hung))] == ["tip"]
    assert prove_zero(residuals(cuts.two_cuts(hung, moved(hung))))


@pytest.mark.parametrize(
    ("robot", "changed"),
    [
        (four_bar(), {"at": eq.Vector([0, "d", 0])}),
        (four_bar(), {"to_at": eq.Vector(["2*L1", 0, 0])}),
        (slider_crank(), {"to_axis": eq.Vector(["3/5", "4/5", 0])}),
    ],
    ids=["at", "to_at", "to_axis"],
)
def test_another_mechanism_is_refuted(
    robot: Robot, changed: dict[str, eq.Vector], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A joint that is cut at another place, or along another axis, is another robot."""
    honest = cuts._cut
    monkeypatch.setattr(cuts, "_cut", lambda b, name: replace(honest(b, name), **changed))
    sides = cuts.two_cuts(robot, moved(robot))
    # Only A of the rows counts: it does not depend on the point of attachment in the frame of `to`.
    assert prove_zero(residuals(sides)).verdict == ("proved" if "to_at" in changed else "refuted")


def test_the_angle_is_that_of_the_numbers() -> None:
    """At an assembled state, both robots have the numbers of the augmented form."""
    robot = four_bar()
    loop = moved(robot)
    sides = cuts.two_cuts(robot, loop)
    eom = derive(robot)
    home = four_bar_home(0.7)
    q = {n: home[n] for n in ("q1", "q2", "q3")}
    A = eom.evaluate(eom.constraint_matrix, q=q)
    v = np.array([0.3, -0.2, 0.5])
    v = v - np.linalg.pinv(A) @ A @ v
    expected = eom.evaluate(eom.state_derivative, q=q, v=v, inputs={"tau1": 1, "tau3": 2})[3:]
    values = {n: float(x) for n, x in robot.values.items() if x is not None}
    at = {**q, **dict(zip(("dq1", "dq2", "dq3"), v, strict=True)), "tau1": 1.0, "tau3": 2.0}
    for side in zip(*sides, strict=True):
        found = evaluate_floats(side, {eq.parse(n): x for n, x in {**values, **at}.items()})
        assert found == pytest.approx([expected[0], expected[2]], rel=1e-9)


def test_reasons() -> None:
    assert cuts.loop_to_move(eq.load("rr_arm")) == "the robot has no loops"
    assert cuts.loop_to_move(four_bar("fixed")) == "no loop has a revolute or spherical cut"
    assert "components in both bodies" in str(cuts.loop_to_move(bennett()))
    assert "no degree of freedom" in str(cuts.loop_to_move(double_parallelogram()))
    balls = [
        eq.Body(n, eq.spherical(n), mass="m", com="l 0 0", inertia="1 2 3") for n in ("a", "b")
    ]
    skew = eq.Robot("skew", balls, loops=[eq.loop("hinge", "a", "l 0 0", to="b", to_at="k 0 0")])
    assert cuts.loop_to_move(skew) == "the equations of orientation restrict q"
    free = [eq.Body(n, eq.planar(n), mass="m", inertia="0 0 1") for n in ("a", "b")]
    plane = eq.Robot("plane", free, loops=[eq.loop("hinge", "a", to="b")])
    assert cuts.loop_to_move(plane) == "no joint of a body at such a cut can be cut"


def test_coordinates_of_a_new_joint() -> None:
    """The quaternion and the angular velocity in the rotated axes, for a rotation about z, then x."""
    a, b, da, db = (eq.parse(n) for n in ("a", "b", "da", "db"))
    R = rotation_z(a) @ rotation_x(b)
    joint = eq.spherical("s")
    found = cuts._of_new_joint(joint, R, ZERO3, {a: da, b: db})
    assert list(found) == [*joint.q, *joint.v]
    values = evaluate_floats(list(found.values()), {a: 0.8, b: 0.6, da: 2.0, db: 3.0})
    (c, s), (k, n) = (cos(0.4), sin(0.4)), (cos(0.3), sin(0.3))
    expected = [c * k, c * n, s * n, s * k, 3, 2 * sin(0.6), 2 * cos(0.6)]
    assert values == pytest.approx(expected, rel=1e-12)
    hinge = eq.revolute("h")
    angle = cuts._of_new_joint(hinge, rotation_z(a), eq.Vector([0, 0, 1]), {a: da})
    assert list(angle) == [eq.parse("cos(h)"), eq.parse("sin(h)"), *hinge.v]
    values = evaluate_floats(list(angle.values()), {a: 0.8, da: 2.0})
    assert values == pytest.approx([cos(0.8), sin(0.8), 2], rel=1e-12)


def test_the_cut_of_a_joint() -> None:
    """A turned joint: its axis in the frame of the parent is the turned one."""
    at, axis = eq.Vector(["d", 0, 0]), eq.Vector([1, 0, 0])
    for kind, make in (("revolute", eq.revolute), ("prismatic", eq.prismatic)):
        b = eq.Body(
            "b", make("x", "x", "d 0 0", rotation_z(eq.parse("pi/2"))), mass="m", parent="a"
        )
        loop = cuts._cut(b, "pin")
        assert (loop.name, loop.body, loop.at, loop.axis) == ("pin", "b", ZERO3, axis)
        assert (loop.to, loop.to_at, loop.to_axis) == ("a", at, eq.Vector([0, 1, 0]))
        assert (loop.joint, loop.length) == (kind, None)
        assert loop.rotation == (b.joint.turned if kind == "prismatic" else None)
    ball = cuts._cut(eq.Body("b", eq.spherical("s"), mass="m"), "pin")
    assert (ball.joint, ball.axis, ball.to) == ("spherical", eq.Vector([0, 0, 1]), "world")


def test_the_hinge_gets_a_name_that_is_free() -> None:
    """A body, a symbol or a rate of that name is already there: the next number is taken."""
    loop = eq.loop("pin", "rod", "l 0 0", axis="y", to="world", to_at="k 0 0")
    rod = eq.Body("rod", eq.revolute("q", axis="y"), mass="new1", com="c 0 0", inertia="1 2 3")
    robot = eq.Robot("r", [eq.Body("new0", eq.revolute("dnew2"), mass="m"), rod])
    hinge, fixed = cuts._hinge(robot, loop)
    assert (hinge.name, hinge.parent, fixed.name, fixed.parent) == ("new3", "world", "rod", "new3")
    assert (hinge.joint.axis, hinge.joint.at) == (eq.Vector([0, 1, 0]), eq.Vector(["k", 0, 0]))
    assert fixed.joint.at == eq.Vector(["-l", 0, 0])
    assert fixed.inertia == rod.inertia
    assert hinge.inertia.mass == eq.parse("0")
    ball = cuts._hinge(robot, replace(loop, joint="spherical"))[0].joint
    assert isinstance(ball, type(eq.spherical("s")))
    assert ball.at == eq.Vector(["k", 0, 0])
