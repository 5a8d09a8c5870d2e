"""Switching of independent speeds where the chosen ones no longer determine the motion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import qr

import equamo as eq
from equamo.motion.simulation.partition import Partition, partition, pivots
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


# -- dry friction and velocity constraints -------------------------------------------------------------


@pytest.mark.ci
@pytest.mark.parametrize("coulomb", [1, 2])
def test_speeds_are_switched_with_dry_friction(coulomb: int, start: Any) -> None:
    """They were not, and the energy drifted where the rocker turns back."""
    rub = [eq.joint_friction(f"q{k}", coulomb * c / 10) for k, c in ((1, 3), (2, 1), (3, 2))]
    whole, rocker = (eq.derive(four_bar(speeds=s).with_forces(*rub)) for s in (None, ("dq3",)))
    options: dict[str, Any] = {
        "duration": 1.5, "control": {"tau1": "0.5*sin(3*t)"}, "t_eval": np.linspace(0.01, 1.49, 40)
    }  # fmt: skip
    one = eq.simulate(whole, start.q, start.v, **options)
    two = eq.simulate(rocker, start.q, {"dq3": start.v[2]}, **options)
    assert any("switched" in name for name in two.events)
    assert two.eom.v == whole.v
    assert np.abs(two.energy.drift).max() < 1e-6
    np.testing.assert_allclose(two.q, one.q, atol=1e-5)
    np.testing.assert_allclose(two.v, one.v, atol=1e-4)
    for k in (1, 2, 3):  # of all signs, in the order of the joined equations
        np.testing.assert_allclose(
            two.torques.elements[f"friction_q{k}"],
            one.torques.elements[f"friction_q{k}"],
            atol=1e-3,
        )


def geared_four_bar(speeds: Any, *more: str) -> eq.EquationsOfMotion:
    """A four-bar whose crank turns a wheel at twice its speed."""
    plain = four_bar()
    wheel = eq.Body(
        "wheel", eq.revolute("q4", axis="z", at="1 0 0"), mass=0.4, inertia="0.01 0.01 0.02"
    )
    robot = eq.Robot(
        "geared_four_bar", [*plain.bodies, wheel], gravity="0 -g 0", loops=plain.loops,
        parameters=plain.parameter_info, constraints=["dq4 = 2*dq1"], speeds=speeds,
    )  # fmt: skip
    return eq.derive(robot)


@pytest.mark.ci
def test_a_motion_with_a_gear_is_repeated_in_better_speeds() -> None:
    """There is no augmented form; the whole motion is computed in the speeds that determine it."""
    crank, rocker = geared_four_bar(("dq1",)), geared_four_bar(("dq3",))
    start = eq.assemble(rocker, {"q1": 1.0, "q2": -0.5, "q3": 1.2}, {"dq3": 3.2})

    def push(t: float, q: Any, v: Any) -> dict[str, float]:
        return {"tau1": 0.1 * v[0]}  # dq3

    events = {"one": "dq3 - 1"}
    motion = eq.simulate(rocker, start.q, start.v, duration=1, control=push, events=events)
    (name,) = (n for n in motion.events if "switched" in n)
    assert motion.events[name].tolist() == [0]
    assert np.abs(motion.energy.drift).max() < 1e-6
    same = eq.assemble(crank, start.q, {"dq1": motion["dq4"][0] / 2})
    other = eq.simulate(
        crank, same.q, same.v, duration=1, control={"tau1": "0.1*dq3"}, events=events
    )
    np.testing.assert_allclose(motion.q[-1], other.q[-1], atol=1e-5)
    np.testing.assert_allclose(motion.events["one"], other.events["one"], atol=1e-5)
