"""Columns chosen by pivots are those of LAPACK's QR with column pivoting."""

import numpy as np
import pytest
from scipy.linalg import qr

from equamo.motion.partition import pivots


@pytest.mark.parametrize("seed", range(20))
def test_pivots_are_lapacks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 6))
    X = rng.normal(size=(rows, rows + int(rng.integers(0, 5)))) * rng.uniform(0.1, 10)
    assert pivots(X) == list(qr(X, mode="r", pivoting=True)[1][:rows])
