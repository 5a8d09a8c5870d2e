"""Linear complementarity by pivoting: the conditions themselves are the test."""

from __future__ import annotations

import numpy as np
import pytest

from equamo.motion.simulation.pivoting import complementary


@pytest.mark.parametrize("seed", range(40))
def test_solutions_are_complementary(seed: int) -> None:
    """For semidefinite matrices of any rank, with integers, so that ties are frequent."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 16))
    J = rng.integers(-2, 3, size=(n, int(rng.integers(1, n + 1)))).astype(float)
    skew = rng.integers(-1, 2, size=(n, n)).astype(float)
    M: np.ndarray = J @ J.T + skew - skew.T
    q = rng.integers(0, 3, size=n) - M @ rng.integers(0, 3, size=n)  # so that there is a solution
    z = complementary(M, q.astype(float))
    assert z is not None
    w = q + M @ z
    assert z.min() >= 0
    assert w.min() > -1e-9
    assert abs(w @ z) < 1e-8


@pytest.mark.parametrize("seed", range(20))
def test_another_cover_leads_to_the_same_solution(seed: int) -> None:
    """If M is positive definite, the solution is unique."""
    rng = np.random.default_rng(seed)
    n = 8
    J = rng.normal(size=(n, n))
    M, q = J @ J.T + 0.1 * np.eye(n), rng.normal(size=n)
    one, two = complementary(M, q), complementary(M, q, rng.uniform(0.5, 2, size=n))
    assert one is not None
    assert two is not None
    np.testing.assert_allclose(one, two, atol=1e-9)


def test_there_may_be_no_solution() -> None:
    assert complementary(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([-1.0, -1.0])) is None


def test_a_right_hand_side_that_is_not_negative_needs_no_pivot() -> None:
    z = complementary(np.full((2, 2), np.nan), np.array([0.0, 1.0]))
    assert z is not None
    assert not z.any()
