"""Eigenvalues without NumPy are those of LAPACK."""

import numpy as np
import pytest

from equamo.robot.model.eigenvalues import eigenvalues


@pytest.mark.parametrize("n", [1, 2, 3, 8, 25])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_random_matrices(n: int, scale: float) -> None:
    A = np.random.default_rng(n).normal(size=(n, n)) * scale
    S = A + A.T
    expected = np.linalg.eigvalsh(S)
    error = np.abs(np.array(eigenvalues(S.tolist())) - expected).max()
    assert error <= 1e-14 * n * np.abs(expected).max()
    assert eigenvalues(S.tolist(), [0, -1]) == [eigenvalues(S.tolist())[k] for k in (0, -1)]


def test_multiple_and_zero_eigenvalues() -> None:
    assert eigenvalues([[0.0] * 3] * 3) == [0, 0, 0]
    assert eigenvalues([[1, 1, 1]] * 3) == pytest.approx([0, 0, 3], abs=1e-15)
    assert eigenvalues([[1, 0, 0], [0, 0, 0], [0, 0, 0]])[:2] == [0, 0]  # printed as 0, not 1e-39
    assert eigenvalues([[2, 0], [0, 2]]) == pytest.approx([2, 2])


def test_entries_must_be_finite() -> None:
    with pytest.raises(ValueError, match="must be finite"):
        eigenvalues([[1, float("nan")], [float("nan"), 1]])
