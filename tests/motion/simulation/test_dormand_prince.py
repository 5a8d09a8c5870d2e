"""The Runge-Kutta method of order 8: its coefficients, its steps and its interpolant are SciPy's."""

import pickle

import numpy as np
import pytest
from scipy.integrate import DOP853

from equamo.motion.simulation.dormand_prince import TOO_SMALL, DormandPrince
from equamo.motion.simulation.dormand_prince_table import ALL, E3, E5, STAGES, A, C, D

pytestmark = pytest.mark.needs("scipy")


def test_the_table_is_scipys() -> None:
    theirs = DOP853.A
    np.testing.assert_array_equal(A[:STAGES, :STAGES], theirs)
    np.testing.assert_array_equal(A[STAGES, :STAGES], DOP853.B)
    np.testing.assert_array_equal(A[STAGES + 1 :], DOP853.A_EXTRA)
    np.testing.assert_array_equal(np.concatenate([C[:STAGES], C[STAGES + 1 :]]),
                                  np.concatenate([DOP853.C, DOP853.C_EXTRA]))  # fmt: skip
    np.testing.assert_array_equal(E3, DOP853.E3)
    np.testing.assert_array_equal(E5, DOP853.E5)
    np.testing.assert_array_equal(D, DOP853.D)


def test_the_table_is_consistent() -> None:
    """Order conditions: Σ_j a_ij = c_i and, for the weights, Σ b_j c_j^(k−1) = 1/k up to order 8."""
    np.testing.assert_allclose(A.sum(axis=1), C, atol=1e-14)
    for k in range(1, 9):
        assert A[STAGES, :STAGES] @ C[:STAGES] ** (k - 1) == pytest.approx(1 / k, abs=1e-14)
    for E in (E3, E5):
        assert abs(E.sum()) < 1e-14
    assert A.shape == (ALL, ALL)


def pendulum(t: float, y: np.ndarray) -> np.ndarray:
    return np.array([y[1], -9.81 * np.sin(y[0]) + np.cos(3 * t)])


@pytest.mark.parametrize("first", [None, 1e-3])
@pytest.mark.parametrize("largest", [np.inf, 0.05])
def test_steps_and_interpolants_are_scipys(first: float | None, largest: float) -> None:
    atol = np.array([1e-9, 1e-8])
    options = {"first_step": first, "rtol": 1e-8, "atol": atol, "max_step": largest}
    start = np.array([2.5, 0.0])
    ours = DormandPrince(pendulum, 0.0, start, 4.0, **options)  # type: ignore[arg-type]
    theirs = DOP853(pendulum, 0.0, start, 4.0, **options)
    while theirs.status == "running":
        assert ours.status == "running"
        assert ours.step() is theirs.step() is None
        assert ours.t == pytest.approx(theirs.t, rel=1e-12)
        assert ours.h_abs == pytest.approx(theirs.h_abs, rel=1e-9)
        assert ours.step_size == pytest.approx(theirs.step_size, rel=1e-9)
        np.testing.assert_allclose(ours.y, theirs.y, rtol=1e-12, atol=1e-13)
        times = np.linspace(theirs.t_old, theirs.t, 5)
        curve, expected = ours.dense_output(), theirs.dense_output()
        np.testing.assert_allclose(curve(times), expected(times), rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(curve(times[2]), expected(times[2]), rtol=1e-11, atol=1e-12)
    assert ours.status == "finished"
    assert ours.t == 4.0


def test_the_error_decreases_with_order_8() -> None:
    def error(h: float) -> float:
        solver = DormandPrince(pendulum, 0.0, np.array([1.0, 0.0]), 2.0, h, 1e3, 1e3, h)
        while solver.status == "running":
            solver.step()
        return float(np.abs(solver.y - exact.y).max())

    exact = DormandPrince(pendulum, 0.0, np.array([1.0, 0.0]), 2.0, None, 3e-14, 1e-14, np.inf)
    while exact.status == "running":
        exact.step()
    assert 7.2 < np.log2(error(0.2) / error(0.1)) < 9.5


def test_a_singularity_ends_with_a_message() -> None:
    solver = DormandPrince(lambda t, y: y**2, 0.0, np.ones(1), 2.0, None, 1e-8, 1e-10, np.inf)
    with np.errstate(all="ignore"):
        while (message := solver.step()) is None:
            assert solver.t < 1.001
    assert (message, solver.status) == (TOO_SMALL, "failed")
    assert solver.t == pytest.approx(1, abs=1e-3)


def test_a_state_at_rest_takes_the_largest_steps() -> None:
    solver = DormandPrince(
        lambda t, y: np.zeros(2), 0.0, np.zeros(2), 100.0, None, 1e-8, 1e-10, np.inf
    )
    count = 0
    while solver.status == "running":
        solver.step()
        count += 1
    assert count < 12
    np.testing.assert_array_equal(solver.y, 0)


def test_an_interpolant_can_be_pickled() -> None:
    solver = DormandPrince(pendulum, 0.0, np.array([1.0, 0.0]), 2.0, None, 1e-8, 1e-10, np.inf)
    solver.step()
    curve = solver.dense_output()
    t = solver.t / 2
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(curve))(t), curve(t))
