"""Accelerations of light bodies in loops: their error is measured, and reported where it matters."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import equamo as eq
from equamo.motion.simulation.acceleration_errors import EXACT, acceleration_error
from loops_examples import FOUR_BAR_VALUES, four_bar
from scaled_robots import Scaling, scaled


def with_light_coupler(ratio: float) -> eq.Robot:
    light = {n: float(FOUR_BAR_VALUES[n]) * ratio for n in ("m2", "I2")}
    return four_bar(values=light)


def motion(eom: eq.EquationsOfMotion) -> eq.Trajectory:
    return eq.simulate(eom, {"q1": 1.0}, {"dq1": 1.0}, duration=0.02, rtol=1e-7)


@pytest.mark.ci
def test_the_error_of_a_light_body_is_measured_and_reported() -> None:
    eom = eq.derive(with_light_coupler(1e-10))
    text = r"'four_bar_revolute' must be exact to 1e-08.*eom\.minimal"
    with pytest.warns(eq.AccuracyWarning, match=text) as c:
        found = motion(eom)
    assert c[0].filename == __file__
    assert len(c) == 1
    error = acceleration_error(found)
    exact = eq.derive(with_light_coupler(1e-10)).minimal()
    k = [x.name for x in eom.v].index(exact.v[0].name)
    states = zip(found.q, found.v[:, [k]], strict=True)
    vdot = np.array([exact.evaluate("state_derivative", q=q, v=v)[3] for q, v in states])
    true = np.abs(found.vdot[:, k] - vdot).max() / np.abs(vdot).max()
    assert true / 30 < error < 100 * true
    assert error > EXACT


@pytest.mark.parametrize("ratio", [1.0, 1e-6])
def test_bodies_that_are_not_too_light_are_not_reported(ratio: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = motion(eq.derive(with_light_coupler(ratio)))
    assert acceleration_error(found) < 1e-9
    every = {n: float(FOUR_BAR_VALUES[n]) * 1e-12 for n in FOUR_BAR_VALUES if n[0] in "mI"}
    assert acceleration_error(motion(eq.derive(four_bar(values=every)))) < 1e-13


@pytest.mark.ci
def test_chosen_speeds_and_trees_have_no_error() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert acceleration_error(motion(eq.derive(with_light_coupler(1e-10)).minimal())) == 0
        assert acceleration_error(eq.simulate(eq.derive(eq.load("rr_arm")), duration=0.1)) == 0


@pytest.mark.ci
def test_a_pin_without_mass_is_exact_near_one_metre_only() -> None:
    """It is held by M + AᵀA, which adds inertias to numbers without a unit; the warning says so."""
    small = scaled(four_bar("fixed"), Scaling.of(1, 2.0**-20, 1))
    with pytest.warns(eq.AccuracyWarning, match="or have no mass"):
        found = motion(eq.derive(small))
    assert acceleration_error(found) > 1e-6
    assert acceleration_error(motion(eq.derive(four_bar("fixed")))) < 1e-12


def test_check_remarks_on_light_bodies_in_loops() -> None:
    (remark,) = eq.check(with_light_coupler(1e-10)).remarks
    assert (remark.body, remark.entry) == ("coupler", "mass")
    assert "of the mass of the robot" in str(remark)
    assert "eom.minimal()" in str(remark)
    assert eq.check(with_light_coupler(1e-6)).remarks == ()
    light = four_bar("fixed")  # its pin has no mass, and no acceleration of its own
    assert not [x for x in eq.check(light).remarks if x.entry == "mass"]
