"""Displacements with any number of leading axes are those of one state each."""

from collections.abc import Callable

import numpy as np
import pytest

from equamo.mechanics.equations import rigid_motions as rm

ONE = [(rm.skew, 3), (rm.quaternion_of, 3), (rm.rotation_vector, 4), (rm.conjugate, 4),
       (rm.translation_map, 3), (rm.rotation_jacobian, 3), (rm.rotation_transport, 3)]  # fmt: skip
TWO = [(rm.product, 4, 4), (rm.rotated, 4, 3), (rm.cross_matrix, 3, 3), (rm.motion_jacobian, 3, 3),
       (rm.motion_transport, 3, 3)]  # fmt: skip


@pytest.mark.parametrize(("function", "sizes"), [(f, n) for f, *n in (*ONE, *TWO)])
def test_leading_axes(function: Callable[..., rm.Floats], sizes: list[int]) -> None:
    rng = np.random.default_rng(5)
    batches = [rng.normal(size=(2, 5, n)) for n in sizes]
    whole = function(*batches)
    for i in np.ndindex(2, 5):
        one = function(*(x[i] for x in batches))
        assert whole[i].shape == one.shape
        np.testing.assert_allclose(whole[i], one, rtol=1e-13, atol=1e-13)
