"""Switching of independent speeds where the chosen ones no longer determine the motion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import qr

import equamo as eq
from equamo.motion.partition import Partition, partition, pivots
from loops_examples import four_bar

pytestmark = pytest.mark.needs("scipy")


@pytest.fixture(scope="module")
def whole() -> eq.EquationsOfMotion:
    return eq.derive(four_bar())


@pytest.fixture(scope="module")
def rocker() -> eq.EquationsOfMotion:
    """In the speed of the rocker, which turns back twice per revolution of the crank."""
    return eq.derive(four_bar(speeds=("dq3",)))


@pytest.fixture(scope="module")
def start(whole: eq.EquationsOfMotion) -> Any:
    return eq.assemble(whole, {"q1": 1.0}, {"dq1": 12.0})


def parameters(eom: eq.EquationsOfMotion) -> np.ndarray:
    return np.array([float(eom.robot.values[s.name] or 0) for s in eom.parameters])


def test_the_motion_continues_where_the_rocker_turns_back(
    whole: eq.EquationsOfMotion, rocker: eq.EquationsOfMotion, start: Any
) -> None:
    motion = eq.simulate(rocker, start.q, {"dq3": start.v[2]}, duration=0.6, rtol=1e-10)
    assert list(motion.events) == ["speeds switched to dq1"]
    assert np.sign(motion["dq3"]).min() < 0 < np.sign(motion["dq3"]).max()
    # the result is in all joint speeds, on the loop, and the same motion
    assert motion.eom.v == whole.v
    assert motion.closure_errors is not None
    assert motion.closure_errors.positions.max() < 1e-12
    assert np.abs(motion.energy.drift).max() < 1e-7
    other = eq.simulate(whole, start.q, start.v, duration=0.6, rtol=1e-10)
    np.testing.assert_allclose(motion.q[-1], other.q[-1], atol=1e-7)
    for t in (0.1, 0.3):  # in both segments
        np.testing.assert_allclose(motion.at(t)[1], other.at(t)[1], atol=1e-6)


def test_controls_and_events_get_the_chosen_speeds(
    whole: eq.EquationsOfMotion, rocker: eq.EquationsOfMotion, start: Any
) -> None:
    sizes: set[int] = set()

    def push(t: float, q: Any, v: Any) -> dict[str, float]:
        sizes.add(len(v))
        return {"tau1": 0.1 * v[0]}

    options: dict[str, Any] = {"duration": 0.5, "rtol": 1e-9, "events": {"one": "dq3 - 1"}}
    motion = eq.simulate(rocker, start.q, {"dq3": start.v[2]}, control=push, **options)
    other = eq.simulate(whole, start.q, start.v, control={"tau1": "0.1*dq3"}, **options)
    assert sizes == {1}
    np.testing.assert_allclose(motion.events["one"], other.events["one"], atol=1e-6)
    np.testing.assert_allclose(motion.q[-1], other.q[-1], atol=1e-6)
    np.testing.assert_allclose(
        motion.energy.work["tau1"][-1], other.energy.work["tau1"][-1], atol=1e-6
    )


def test_a_partition_is_poor_only_near_its_singular_configurations(
    rocker: eq.EquationsOfMotion,
) -> None:
    chosen = partition(rocker, parameters(rocker))
    assert chosen is not None
    for q1 in (1.0, 2.0):
        assert not chosen.is_poor(eq.assemble(rocker, {"q1": q1}).q)
    in_line = eq.assemble(rocker, {"q2": 0.0}).q  # crank and coupler: the rocker turns back
    assert chosen.is_poor(in_line)
    assert chosen.better(in_line) != chosen.kept


def test_the_speed_of_the_crank_is_never_poor(whole: eq.EquationsOfMotion) -> None:
    eom = eq.derive(four_bar(speeds=("dq1",)))
    chosen = Partition(eom, parameters(eom))
    for q1 in np.linspace(0, 2 * np.pi, 20):
        assert not chosen.is_poor(eq.assemble(eom, {"q1": q1}).q)
    assert partition(whole, parameters(whole)) is None


def test_fixed_steps_do_not_switch(rocker: eq.EquationsOfMotion, start: Any) -> None:
    with pytest.raises(eq.SimulationError, match="speeds dq3 no longer determine the motion"):
        eq.simulate(rocker, start.q, {"dq3": start.v[2]}, duration=1, method="rk4", step=2e-3)


@pytest.mark.parametrize("seed", range(20))
def test_pivots_are_lapacks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 6))
    X = rng.normal(size=(rows, rows + int(rng.integers(0, 5)))) * rng.uniform(0.1, 10)
    assert pivots(X) == list(qr(X, mode="r", pivoting=True)[1][:rows])


def test_a_configuration_without_numbers_is_poor(rocker: eq.EquationsOfMotion) -> None:
    chosen = partition(rocker, parameters(rocker))
    assert chosen is not None
    assert chosen.is_poor(np.full(3, np.nan))
