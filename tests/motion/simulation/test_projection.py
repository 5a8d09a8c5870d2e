"""Projection onto φ(q) = 0 and A v = 0: the shortest way, measured by the mass matrix."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq
from equamo.motion.simulation.closing import closing
from equamo.motion.simulation.constraint_rows import ConstraintRows
from equamo.motion.simulation.projection import Projection, projection
from loops_examples import four_bar


def parameters(eom: eq.EquationsOfMotion) -> np.ndarray:
    return np.array([float(eom.robot.values[s.name] or 0) for s in eom.parameters])


@pytest.fixture(scope="module")
def four() -> Projection:
    eom = eq.derive(four_bar())
    found = projection(eom, parameters(eom))
    assert found is not None
    return found


def test_a_tree_has_no_projection() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    assert projection(eom, parameters(eom)) is None
    assert closing(eom, parameters(eom), 1e-9) is None


def test_states_are_moved_the_shortest_way(four: Projection) -> None:
    q = eq.assemble(four.eom, {"q1": 0.9}).q
    rng = np.random.default_rng(3)
    off = q + 1e-5 * rng.normal(size=3)
    state = four(off, rng.normal(size=3))
    assert state.failure is None
    assert state.gap < 1e-14
    at = four.rows.at(state.q)
    free = np.linalg.svd(at.A[four.rows.independent])[2][-1]
    # M δ is orthogonal to every motion on the loop, up to the square of its length
    assert abs(free @ at.M @ (off - state.q)) < 1e-9
    assert np.abs(at.A @ state.v).max() < 1e-14


def test_the_projection_of_speeds_takes_kinetic_energy(four: Projection) -> None:
    q = eq.assemble(four.eom, {"q1": 0.9}).q
    for seed in range(5):
        v = np.random.default_rng(seed).normal(size=3)
        after, M = four(q, v).v, four.rows.at(q).M
        lost = v - after
        assert after @ M @ after <= v @ M @ v
        np.testing.assert_allclose(v @ M @ v, after @ M @ after + lost @ M @ lost)


def test_a_state_far_from_the_loop_is_not_accepted(four: Projection) -> None:
    eom = four.eom
    values = parameters(eom)
    values[[s.name for s in eom.parameters].index("L4")] = 5.0
    broken = Projection(eom, values)
    failure = broken(np.array([0.1, 0.2, 0.3]), np.zeros(3)).failure
    assert failure is not None
    assert "'closure' cannot be closed" in failure


def test_the_other_assembly_is_not_accepted() -> None:
    """A weld is also satisfied by a half-turn, which its inequality excludes."""
    eom = eq.derive(four_bar("fixed"))
    rows = ConstraintRows(eom, parameters(eom))
    found = projection(eom, parameters(eom))
    assert found is not None
    q = eq.assemble(eom, {"q1": 0.9}).q
    assert found(q, np.zeros(4)).failure is None
    q[-1] += np.pi  # the pin turned by half a turn
    assert rows.at(q).conditions.min() < 0
    failure = found(q, np.zeros(4)).failure
    assert failure is not None
    assert "other assembly" in failure
