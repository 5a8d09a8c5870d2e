"""Inertias: how many numbers they take, and which tensors they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equamo.algebra.expr.matrix import Matrix
from equamo.errors import ModelError
from equamo.robot.model import Inertia


@pytest.mark.parametrize(
    ("tensor", "message"),
    [
        ("1 2", "must be 3 principal moments, 6 entries .* or a 3×3 matrix, got 2 numbers"),
        ([1] * 7, "got 7 numbers"),
        (Matrix([[1, 0], [0, 1]]), "must be 3×3, got 2×2"),
        (np.array([[1, 2, 0], [0, 1, 0], [0, 0, 1]]), "got 2 for entry 12 and 0 for entry 21"),
    ],
    ids=["two", "seven", "2x2", "not symmetric"],
)  # fmt: skip
def test_tensors_that_are_refused(tensor: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Inertia.central(1, "0 0 0", tensor)


def test_an_inertia_about_the_frame_has_ten_numbers() -> None:
    assert Inertia.about_origin("m 0 0 0 A 0 0 B 0 C").ten[4].name == "A"
    with pytest.raises(ModelError, match=r"must have ten numbers m MX .* ZZ, got 3"):
        Inertia.about_origin("1 2 3")


def test_a_first_moment_without_mass_has_no_centre() -> None:
    base = Inertia.about_origin("0 MX 0 0 0 0 0 0 0 ZZ")
    with pytest.raises(ModelError, match="must have a mass to have a centre of mass, got mass 0"):
        _ = base.center
