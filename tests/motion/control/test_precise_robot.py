"""The linearization in balls is that in floats, on all robots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import equamo as eq
from equamo.errors import UnknownNameError
from equamo.motion.control.balls import to_floats, with_enough_bits, working
from equamo.motion.control.linear_system import LinearSystem, precise_form
from equamo.motion.control.precise_robot import OfRobot, meant
from loops_examples import four_bar

# Trees, quaternions, rolling, loops with coordinates and quaternions; the largest take seconds each.
ROBOTS = ["rr_arm", "rolling_disc", "wheeled_inverted_pendulum", "puma560", "starleth", "four_bar",
          "five_bar", "cassie_leg"]  # fmt: skip


def same(lin: LinearSystem) -> None:
    source = precise_form(lin)
    assert isinstance(source, OfRobot)
    A, B = with_enough_bits(source.matrices)
    for found, array in ((A, lin.A), (B, lin.B)):
        numbers = np.array(to_floats(found)).reshape(array.shape)
        size = np.abs(array).max(initial=1e-300)
        np.testing.assert_allclose(numbers, array, rtol=1e-9, atol=1e-12 * size)
        zero = np.array([[x.is_zero() for x in row] for row in found], dtype=bool)
        np.testing.assert_array_equal(zero.reshape(array.shape), array == 0)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ROBOTS)
def test_equals_the_linearization_in_floats(name: str) -> None:
    eom = eq.derive(eq.load(name))
    rng = np.random.default_rng(2)
    v = rng.normal(size=len(eom.v)) * 0.3
    inputs = rng.normal(size=len(eom.inputs))
    same(eq.linearize(eom, v=v, inputs=inputs))


@pytest.mark.ci
def test_a_moving_loop() -> None:
    eom = eq.derive(four_bar(forces=[eq.joint_actuator("q1", "tau1")]))
    same(eq.linearize(eom, q={"q1": 1.3}, v={"dq1": 2}, inputs=[0.3]))
    chosen = eq.derive(four_bar(forces=[eq.joint_actuator("q1", "tau1")], speeds=("dq1",)))
    same(eq.linearize(chosen, q={"q1": 1.3}, v={"dq1": 2}, inputs=[0.3]))


def test_the_numbers_that_doubles_stand_for() -> None:
    with working(200):
        assert float(meant(np.pi / 2) * 2 - meant(np.pi)) == 0
        assert (meant(0.1) * 10 - 1).contains(0)
        assert not (meant(0.1 + 1e-16) * 10 - 1).contains(0)
        assert meant(1e-13, 1e-12).is_zero()
        assert not meant(1e-13).is_zero()


def test_a_loop_that_cannot_be_closed() -> None:
    lin = eq.linearize(eq.derive(four_bar(forces=[eq.joint_actuator("q1", "tau1")])), {"q1": 1.3})
    source = precise_form(lin)
    assert isinstance(source, OfRobot)
    far = replace(source, point=replace(source.point, values={"L1": 100.0}))
    with working(200), pytest.raises(ArithmeticError):
        far.matrices()


def test_outputs() -> None:
    lin = eq.linearize(eq.derive(eq.load("rr_arm")), q=[0.3, 0.5])
    source = precise_form(lin)
    with working(200):
        row = source.output_row("sin(q1) + 2*dq2")
        np.testing.assert_allclose([float(x) for x in row], [np.cos(0.3), 0, 0, 2], rtol=1e-15)
        with pytest.raises(UnknownNameError, match="symbol 'q9' in the output"):
            source.output_row("q9")
