"""The same mechanism cut at two joints: equal accelerations where the loop is closed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import equamo as eq
from equamo.certificate import cuts
from equamo.certificate.sides import residuals
from equamo.equations import derive
from equamo.expr.evaluate import evaluate_floats
from equamo.identity import prove_zero
from equamo.model import Robot
from equamo.model.loop import Loop
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
