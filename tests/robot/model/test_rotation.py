"""Rotations and axes that users type."""

import pytest

from equamo.errors import ModelError
from equamo.robot.model.rotation import as_rotation, unit_axis


def test_a_rotation_must_be_3_by_3() -> None:
    with pytest.raises(ModelError, match="must be 3×3, or three angles, got 2×2"):
        as_rotation([[1, 0], [0, 1]])


def test_an_axis_must_have_a_direction() -> None:
    with pytest.raises(ModelError, match="must have a direction, got length 0; use x, y, z"):
        unit_axis("0 0 0")
