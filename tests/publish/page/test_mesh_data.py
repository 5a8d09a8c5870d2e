"""Meshes in the data of a page: decoded, they are the surfaces of the picture to half a step."""

from __future__ import annotations

from base64 import b64decode

import numpy as np
import pytest

from equamo.publish.page.mesh_data import mesh_data
from equamo.publish.picture.meshes import Meshes
from equamo.publish.picture.simplify import Surface


@pytest.mark.parametrize("count", [0, 3, 65_535, 65_536])
def test_surfaces_are_those_of_the_picture(count: int) -> None:
    rng = np.random.default_rng(count)
    points = rng.uniform([-1, 2, 30], [1, 3, 34], (count, 3))
    faces = rng.integers(0, max(count, 1), (min(count, 500), 3))
    if count:
        faces[0] = count - 1
    (data,) = mesh_data(Meshes(surfaces=(Surface(points, faces),)))["surfaces"]
    assert data["wide"] == (count > 65_535)
    kind = "<u4" if data["wide"] else "<u2"
    numbers = np.frombuffer(b64decode(data["faces"]), kind).reshape(-1, 3)
    assert np.array_equal(numbers, faces)
    steps = np.frombuffer(b64decode(data["points"]), "<u2").reshape(-1, 3)
    if count:
        assert steps.max() == 65_535
        found = np.array(data["low"]) + data["step"] * steps
        assert np.abs(found - points).max() < 0.51 * data["step"] + 2e-5
        assert data["step"] == pytest.approx(np.ptp(points, axis=0).max() / 65_535, rel=1e-6)
    else:
        assert not steps.any()
