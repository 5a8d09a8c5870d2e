"""Equations of rest: their rows, slopes, unknowns, starting points, and when two states are one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.motion.control.rest_equations import EVALUATIONS, RestEquations


def arm(at: list[float], free: str, **values: float) -> RestEquations:
    """The equations of rest of rr_arm."""
    eom = eq.derive(eq.load("rr_arm"))
    names = {x.name: x for x in (*eom.q, *eom.inputs)}
    return RestEquations(eom, np.array(at), [names[n] for n in free.split()], values)


def slider(rest: str, at: float, **more: Any) -> RestEquations:
    """A mass on a spring that slides along x: x − rest(x) = 0."""
    body = eq.Body("b", eq.prismatic("x", axis="x"), mass=1)
    spring = eq.joint_spring("x", 1, rest=rest)
    robot = eq.Robot("slider", [body], gravity="0 0 0", forces=[spring], **more)
    eom = eq.derive(robot)
    return RestEquations(eom, np.array([at]), [*eom.q], {})


def test_rows_are_gravity_without_inputs() -> None:
    rest = arm([0.3, 0.5, 1, -2], "q1 q2 tau1", m2=0.7)
    assert [x.name for x in rest.symbols] == ["q1", "q2", "tau1", "tau2"]
    assert (rest.state, rest.free, rest.groups) == (4, [0, 1, 2], [])
    x = np.array([-0.4, 1.1, 3, 5])
    gravity = rest.eom.evaluate("gravity", q=x[:2], values={"m2": 0.7})
    np.testing.assert_allclose(rest.rows(x), gravity - x[2:], rtol=1e-12)
    assert rest.residual(x) == np.abs(rest.rows(x)).max()
    numeric = np.array([(rest.rows(x + d) - rest.rows(x - d)) / 2e-6 for d in 1e-6 * np.eye(4)[:3]])
    np.testing.assert_allclose(rest.slopes(x), numeric.T, atol=1e-7)
    solved = np.array([0.3, 0.5, *rest.eom.evaluate("gravity", q=[0.3, 0.5], values={"m2": 0.7})])
    for share, holds in (
        (0.0, True),
        (0.2e-9, True),
        (1e-8, False),
    ):  # of the terms of both equations
        assert rest.holds(solved * [1, 1, 1 + share, 1 + share]) is holds
    np.testing.assert_array_equal(rest.at, [0.3, 0.5, 1, -2])


def test_solutions_keep_what_is_not_free_and_wrap_angles() -> None:
    rest = arm([0.3, 0.5, 1, -2], "tau1 tau2")
    found = rest.solve(rest.at)
    assert found is not None
    np.testing.assert_allclose(found[2:], rest.eom.evaluate("gravity", q=[0.3, 0.5]), rtol=1e-12)
    np.testing.assert_array_equal(found[:2], [0.3, 0.5])
    hanging = arm([7.0, 0.0, 0, 0], "q1 q2")
    for start, place in ((5.0, -np.pi / 2), (-1.5 - 4 * np.pi, -np.pi / 2), (8.0, np.pi / 2)):
        found = hanging.solve(np.array([start, 2 * np.pi, 0, 0]))
        assert found is not None
        np.testing.assert_allclose(found, [place, 0, 0, 0], atol=1e-9)
    bent = hanging.solve(np.array([-1.5, -np.pi, 0, 0]))
    assert bent is not None
    assert bent[1] == np.pi  # not −π
    for angle, wrapped in ((-np.pi, np.pi), (1e-8 - np.pi, np.pi), (0.1 - np.pi, 0.1 - np.pi)):
        x = np.array([angle, 4.0, 4.0, -4.0])
        expected = [wrapped, 4 - 2 * np.pi, 4, -4]
        np.testing.assert_allclose(hanging._wrapped(x), expected, rtol=1e-15)
        assert x[1] == 4
    assert slider("x + 1", 0.0).solve(np.array([0.5])) is None  # 1 = 0
    assert slider("log(x) + x", 1.0).solve(np.array([-1.0])) is None  # no value


def test_unknowns_are_what_the_equations_depend_on() -> None:
    """By their values: in the graph of a wheeled pendulum, its place and its wheels occur as well."""
    eom = eq.derive(eq.load("wheeled_inverted_pendulum"))
    at = np.zeros(len(eom.q) + len(eom.inputs))
    rest = RestEquations(eom, at, [*eom.q], {})
    assert [rest.symbols[k].name for k in rest.free] == ["q_imu"]
    assert slider("2*x - x + 1", 0.0).free == []
    # The points at which this is found out are near the starting point.
    assert slider("log(x - 1000)", 1000.5).free == [0]
    assert slider("log(x + 1000)", -999.5).free == [0]


def test_two_states_are_one_up_to_whole_turns() -> None:
    rest = arm([0.0, 0, 0, 0], "q1 q2")
    x = np.array([3.1, 0.5, 1, 2])
    for other, same in (
        ([3.1, 0.5, 1, 2], True),
        ([3.1 - 2 * np.pi, 0.5, 1, 2], True),
        ([3.1, 0.5 + 1e-7, 1, 2], True),
        ([3.1, 0.5 + 1e-5, 1, 2], False),
        ([3.1, 0.5, 1, 2.1], False),
        ([3.1, 0.5, 1 + 2 * np.pi, 2], False),
    ):
        assert rest.same(x, np.array(other)) is rest.same(np.array(other), x) is same
    lever = slider("3", 0.0)
    assert not lever.same(np.array([3.1]), np.array([3.1 - 2 * np.pi]))


def test_random_starts_are_within_a_turn_or_the_limits() -> None:
    rng = np.random.default_rng(1)
    rest = arm([0.1, 0.2, 3, 4], "q1 tau1")
    drawn = np.array([rest.random(rng) for _ in range(200)])
    np.testing.assert_array_equal(drawn[:, 1:], [[0.2, 3, 4]] * 200)
    assert -np.pi <= drawn[:, 0].min() < -3
    assert 3 < drawn[:, 0].max() <= np.pi
    for rest, low, high in (
        (slider("3", 0.0), -3, 3),
        (slider("3", 0.0, limits={"x": (-7, 9)}), -7, 9),
        (slider("3", 0.0, limits={"x": (-7, None)}), -3, 3),
        (slider("3", 0.0, limits={"x": (None, 7)}), -3, 3),
    ):
        x = np.array([rest.random(rng) for _ in range(200)])
        assert low <= x.min() < low + 0.2 * (high - low)
        assert high - 0.2 * (high - low) < x.max() <= high


def test_quaternions_are_unknowns_of_length_one() -> None:
    ball = eq.Robot("ball", [eq.Body("b", eq.spherical("s"), mass=2, com="0 0 -1/2")])
    eom = eq.derive(ball)
    rest = RestEquations(eom, np.array([1.0, 0, 0, 0]), [*eom.q], {})
    assert rest.groups == [[0, 1, 2, 3]]
    assert rest.rows(np.array([2.0, 0, 0, 0]))[-1] == 3  # w² + … − 1
    rng = np.random.default_rng(1)
    for _ in range(5):
        assert np.linalg.norm(rest.random(rng)) == pytest.approx(1, abs=1e-14)
    found = rest.solve(np.array([-1.0, 0, 0, 0]))
    assert found is not None
    np.testing.assert_array_equal(found, [1, 0, 0, 0])  # w ≥ 0
    np.testing.assert_array_equal(rest._wrapped(np.array([0.0, -1, 0, 0])), [0, -1, 0, 0])


@pytest.mark.ci
def test_a_start_without_a_solution_costs_a_bounded_number_of_evaluations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of the Stewart platform, whose random starts stagnated for thousands of evaluations."""
    calls, rows = [0], RestEquations.rows

    def counted(rest: RestEquations, x: np.ndarray) -> np.ndarray:
        calls[0] += 1
        return rows(rest, x)

    monkeypatch.setattr(RestEquations, "rows", counted)
    eq.equilibria(eq.derive(eq.load("stewart")), starts=5)
    assert calls[0] <= 6 * (EVALUATIONS + 20) + 200
    calls[0] = 0
    (found,) = eq.equilibria(eq.derive(eq.load("delta")), starts=0)  # not lost by the bound
    assert found.q[11] == pytest.approx(-0.607947, abs=1e-5)  # platform_z
    assert 5 < calls[0] < EVALUATIONS + 250
