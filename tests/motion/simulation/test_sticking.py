"""Directions of signs at 0: their conditions, shared loads, and signs that cannot stick."""

from __future__ import annotations

import numpy as np
import pytest

from equamo.motion.simulation.sticking import (
    Load,
    directions,
    is_shared,
    smallest,
    solved,
    violation,
)


def problem(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """c and A of up to 12 frictions; every second one has shared loads, every third integers."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 13))
    J = rng.normal(size=(m, int(rng.integers(1, m + 1)) if seed % 2 else m))
    if seed % 3 == 0:
        J = np.round(J)
        J[~J.any(axis=1), 0] = 1
    F = np.ones(m) if seed % 4 == 0 else 10 ** rng.uniform(-2, 2, size=m)
    c: np.ndarray = J @ rng.normal(size=J.shape[1]) * 10 ** rng.uniform(-2, 3)
    return c, -(J @ J.T) * F


@pytest.mark.parametrize("seed", range(60))
def test_directions_satisfy_their_conditions(seed: int) -> None:
    c, A = problem(seed)
    found = directions(c, A)
    assert found is not None
    assert np.abs(found.s).max() <= 1 + 1e-9
    assert violation(c, A, found.s) < 1e-9
    rate, terms = c + A @ found.s, np.abs(c) + np.abs(A).sum(axis=1)
    assert (np.abs(rate[found.sticks]) <= 1e-9 * terms[found.sticks]).all()
    assert (np.abs(found.s[~found.sticks]) == 1).all()


def test_a_violation_is_measured() -> None:
    c, A = np.array([3.0, 0.5]), -np.eye(2)
    assert violation(c, A, np.array([1.0, 0.5])) == 0
    assert violation(c, A, np.array([-1.0, 0.5])) == pytest.approx(1)
    assert violation(c, A, np.array([1.0, 0.0])) == pytest.approx(0.5 / 1.5)


def test_signs_share_a_load_until_it_takes_all_of_both() -> None:
    """Two frictions 3 and 1 on one shaft."""
    A = -np.array([[3.0, 1.0], [3.0, 1.0]])
    for load, sticks in ((3.9, True), (-3.9, True), (4.1, False)):
        found = directions(np.full(2, load), A)
        assert found is not None
        assert found.sticks.tolist() == [sticks, sticks]
        assert A[0] @ found.s == pytest.approx(-np.clip(load, -4, 4))
    shares = Load(A, -np.full(2, 3.0)).shares()
    np.testing.assert_allclose(shares, 0.75)


def test_a_load_is_shared_with_the_shortest_directions_if_they_suffice() -> None:
    A = -np.array([[3.0, 1.0], [3.0, 1.0]])
    np.testing.assert_allclose(Load(A, np.full(2, -2.0)).held(), [0.6, 0.2])
    held = Load(A, np.full(2, -3.9)).held()
    assert np.abs(held).max() <= 1
    np.testing.assert_allclose(A @ held, -3.9)


def test_other_signs_do_not_see_a_shared_load() -> None:
    """Three signs, of which two share a load: the third keeps its direction."""
    A = -np.array([[3.0, 1.0, 0.0], [3.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    load = Load(A, np.array([-2.0, -2.0, -1.9]))
    np.testing.assert_allclose(load.shares(), [0.5, 0.5, 0.95])
    assert load.held()[2] == pytest.approx(0.95)


@pytest.mark.parametrize("seed", range(20))
def test_the_smallest_largest_entry(seed: int) -> None:
    """No other combination has a smaller one: random directions, and those of the columns."""
    rng = np.random.default_rng(seed)
    n, d = 6, int(rng.integers(1, 4))
    N, s = rng.normal(size=(n, d)), rng.normal(size=n)
    least = smallest(s, N)
    assert np.linalg.matrix_rank(np.column_stack([N, least - s]), tol=1e-9) == d
    for step in rng.normal(size=(50, d)) * 10 ** rng.uniform(-4, 0, size=(50, 1)):
        assert np.abs(least + N @ step).max() >= np.abs(least).max() - 1e-9


def test_a_sign_that_cannot_stick_goes_on() -> None:
    """One of the time (its row is 0), whose direction pushes a mass with friction."""
    c, A = np.array([2.0, 0.5]), np.array([[0.0, 0.0], [1.0, -1.0]])
    found = directions(c, A)
    assert found is not None
    assert found.s.tolist() == [1, 1]
    assert found.sticks.tolist() == [False, False]
    pulled = directions(np.array([-2.0, 0.5]), A)
    assert pulled is not None
    assert pulled.s.tolist() == [-1, -0.5]
    assert pulled.sticks.tolist() == [False, True]


def test_directions_that_contradict_each_other_have_no_solution() -> None:
    """Each of two signs that cannot stick turns the other one round."""
    assert directions(np.full(2, 0.1), np.array([[0.0, 1.0], [-1.0, 0.0]]) * 3 + 0.5) is None
    assert directions(np.array([np.nan]), -np.eye(1)) is None


def test_solutions_of_singular_equations_are_the_shortest() -> None:
    A = np.array([[1.0, 1.0], [1.0, 1.0]])
    assert is_shared(A)
    np.testing.assert_allclose(solved(A, np.array([2.0, 2.0])), [1, 1])
    np.testing.assert_allclose(solved(np.zeros((1, 1)), np.ones(1)), [0])
