"""Differences of two libraries: relative to the largest number, or to a given scale."""

from __future__ import annotations

import numpy as np
import pytest

from equamo.review.referee.difference import Difference, difference

NAN, INF = np.nan, np.inf


@pytest.mark.parametrize(
    ("ours", "theirs", "least", "expected"),
    [
        ([], [], 0.0, Difference(0.0, (0,), 0.0, 0.0)),
        ([[1.0, 2.0]], [[1.0, 4.0]], 0.0, Difference(0.5, (0, 1), 2.0, 4.0)),
        ([[1.0, 4.0]], [[1.5, 3.0]], 0.0, Difference(0.25, (0, 1), 4.0, 3.0)),
        ([[1.0], [-8.0]], [[2.0], [-8.0]], 0.0, Difference(0.125, (0, 0), 1.0, 2.0)),
        ([[0.0]], [[0.0]], 0.0, Difference(0.0, (0, 0), 0.0, 0.0)),
        ([[1e-9]], [[0.0]], 1.0, Difference(1e-9, (0, 0), 1e-9, 0.0)),
        ([[1.0]], [[0.0]], 0.5, Difference(1.0, (0, 0), 1.0, 0.0)),  # the scale is the larger one
        ([[1.0], [2.0]], [[0.0], [0.0]], [2.0, 8.0], Difference(0.5, (0, 0), 1.0, 0.0)),
        ([[1.0, 3.0]], [[1.0, INF]], 0.0, Difference(INF, (0, 1), 3.0, INF)),
    ],
)
def test_difference(ours: object, theirs: object, least: object, expected: Difference) -> None:
    scale = np.array(least) if isinstance(least, list) else least
    found = difference(np.array(ours), np.array(theirs), scale)  # type: ignore[arg-type]
    assert found == expected


@pytest.mark.parametrize("ours", [NAN, INF, 1.0])
def test_what_is_not_finite_is_a_difference(ours: float) -> None:
    found = difference(np.array([[ours]]), np.array([[NAN]]))
    assert (found.relative, found.index) == (INF, (0, 0))
