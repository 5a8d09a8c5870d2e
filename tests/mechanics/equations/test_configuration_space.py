"""Displacements of configurations: against Pinocchio, against differences, and near zero."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pinocchio as pin
import pytest

import equamo as eq
from equamo.errors import EquamoError, EvaluationError
from equamo.mechanics.equations import rigid_motions as motions
from equamo.mechanics.equations.configuration_space import ConfigurationSpace
from equamo.robot.model import Body, Robot, free, revolute, spherical

pytestmark = pytest.mark.needs("pinocchio")


def robot() -> Robot:
    kinds = [free("base"), revolute("q1"), spherical("s")]
    parents = ["world", "a", "b"]
    return Robot("mixed", [
        Body(n, j, parent=p, mass=1, inertia="1 1 1")
        for n, j, p in zip("abc", kinds, parents, strict=True)
    ])  # fmt: skip


def peer() -> Any:
    model, last = pin.Model(), 0
    for k, kind in enumerate(
        (pin.JointModelFreeFlyer(), pin.JointModelRZ(), pin.JointModelSpherical())
    ):
        last = model.addJoint(last, kind, pin.SE3.Identity(), str(k))
    return model


def theirs(q: np.ndarray) -> np.ndarray:
    """q with quaternions x, y, z, w"""
    return np.concatenate([q[:3], q[4:7], q[3:4], q[7:8], q[9:], q[8:9]])


def configuration(seed: int) -> np.ndarray:
    q = np.random.default_rng(seed).normal(size=12)
    for part in (slice(3, 7), slice(8, 12)):
        q[part] /= np.linalg.norm(q[part])
    return q


SPACE, MODEL = ConfigurationSpace(robot()), peer()


@pytest.mark.parametrize("scale", [0, 1e-9, 0.7, 1.4])
def test_the_same_as_pinocchio(scale: float) -> None:
    q = configuration(3)
    delta = scale * np.random.default_rng(4).normal(size=10)
    end = SPACE.integrate(q, delta)
    close = {"rtol": 0, "atol": 2e-14}
    np.testing.assert_allclose(theirs(end), pin.integrate(MODEL, theirs(q), delta), **close)
    back = pin.difference(MODEL, theirs(q), theirs(end))
    np.testing.assert_allclose(SPACE.difference(q, end), back, **close)
    for ours, peers in (
        (SPACE.integrate_derivatives(q, delta), pin.dIntegrate(MODEL, theirs(q), delta)),
        (
            SPACE.difference_derivatives(q, end),
            pin.dDifference(MODEL, theirs(q), theirs(end)),
        ),
    ):
        for a, b in zip(ours, peers, strict=True):
            np.testing.assert_allclose(a, b, **close)


@pytest.mark.parametrize("scale", [1e-3, 1.1])
def test_derivatives_by_coordinates_are_differences(scale: float) -> None:
    q, delta = configuration(5), scale * np.random.default_rng(6).normal(size=10)
    end, h = SPACE.integrate(q, delta), 1e-6

    def shifted(x: np.ndarray, k: int, by: float) -> np.ndarray:
        moved = x.copy()
        moved[k] += by
        for part in (slice(3, 7), slice(8, 12)):  # a unit quaternion is extended by q/|q|
            moved[part] /= np.linalg.norm(moved[part])
        return moved

    by_q, by_delta = SPACE.integrate_derivatives(q, delta, wrt="coordinates")
    by_start, by_end = SPACE.difference_derivatives(q, end, wrt="coordinates")
    for k in range(12):
        up, down = shifted(q, k, h), shifted(q, k, -h)
        slope = (SPACE.integrate(up, delta) - SPACE.integrate(down, delta)) / (2 * h)
        np.testing.assert_allclose(by_q[:, k], slope, atol=1e-8)
        slope = (SPACE.difference(up, end) - SPACE.difference(down, end)) / (2 * h)
        np.testing.assert_allclose(by_start[:, k], slope, atol=1e-8)
        up, down = shifted(end, k, h), shifted(end, k, -h)
        slope = (SPACE.difference(q, up) - SPACE.difference(q, down)) / (2 * h)
        np.testing.assert_allclose(by_end[:, k], slope, atol=1e-8)
    for k in range(10):
        d = h * np.eye(10)[k]
        slope = (SPACE.integrate(q, delta + d) - SPACE.integrate(q, delta - d)) / (2 * h)
        np.testing.assert_allclose(by_delta[:, k], slope, atol=1e-8)


def test_stumpff_against_many_digits() -> None:
    points = [0.0, 1e-12, 1e-4, 0.5, 0.999, 1.0, 1.001, 4.0, 9.8]
    ours = motions.stumpff(np.array(points))
    with mpmath.workdps(40):
        for i, x in enumerate(points):
            for k in range(6):
                exact = mpmath.nsum(
                    lambda j, x=x, k=k: (-mpmath.mpf(x)) ** j / mpmath.factorial(2 * j + k),
                    [0, 40],
                )
                assert abs(ours[k][i] - exact) <= 4e-16


def test_a_batch_is_its_rows() -> None:
    q = np.stack([configuration(k) for k in range(4)])
    delta = np.random.default_rng(1).normal(size=(4, 10))
    whole, parts = SPACE.integrate_derivatives(q, delta), range(4)
    np.testing.assert_array_equal(
        SPACE.integrate(q, delta), [SPACE.integrate(q[k], delta[k]) for k in parts]
    )
    np.testing.assert_array_equal(
        whole[1], [SPACE.integrate_derivatives(q[k], delta[k])[1] for k in parts]
    )
    assert SPACE.integrate(q, delta[0]).shape == (4, 12)  # one displacement for all


def test_coordinates_that_follow_from_others_do_not_move() -> None:
    wheels = eq.load("krang_on_wheels")
    space = ConfigurationSpace(wheels)
    q = np.zeros(len(wheels.q))
    q[[wheels.q.index(g[0]) for g in wheels.unit_groups]] = 1
    delta = np.arange(1.0, len(wheels.joint_speeds) + 1)
    end = space.integrate(q, delta)
    assert end.shape == q.shape
    by_q, by_delta = space.integrate_derivatives(q, delta, wrt="coordinates")
    assert by_q.shape == (len(q), len(q))
    assert by_delta.shape == (len(q), len(delta))
    np.testing.assert_allclose(space.integrate(q, space.difference(q, end)), end, atol=1e-14)


def test_the_short_way_round() -> None:
    space = ConfigurationSpace(Robot("ball", [Body("a", spherical("s"), mass=1, inertia="1 1 1")]))
    start = np.array([1.0, 0, 0, 0])
    end = space.integrate(start, [0, 0, 1.5 * np.pi])
    np.testing.assert_allclose(space.difference(start, end), [0, 0, -np.pi / 2], atol=1e-15)


def test_errors_say_what_must_hold() -> None:
    q = configuration(1)
    with pytest.raises(EvaluationError, match=r"integrate: delta must have shape \(10,\)"):
        SPACE.integrate(q, [1, 2])
    with pytest.raises(EvaluationError, match="difference: end must have shape"):
        SPACE.difference(q, [1, 2])
    with pytest.raises(EvaluationError, match="must have length 1"):
        SPACE.integrate(q * 2, np.zeros(10))
    with pytest.raises(EvaluationError, match="finite"):
        SPACE.integrate(q, np.full(10, np.nan))
    with pytest.raises(EquamoError, match="wrt must be 'tangent' or 'coordinates', got 'both'"):
        SPACE.integrate_derivatives(q, np.zeros(10), wrt="both")  # type: ignore[arg-type]
