"""Solid ellipsoid with the mass and inertia of a body."""

from __future__ import annotations

from ...algebra.arrays import np
from .posture import Array


def ellipsoid(mass: float, tensor: Array) -> tuple[Array | None, Array]:
    """(radii, axes as columns) of the homogeneous ellipsoid; radii are None without extent.

    Its moments are I_i = m (a_j² + a_k²)/5, so a_i² = 5 (I_j + I_k − I_i) / 2m; a negative square, which
    real bodies cannot have, is set to 0.

    >>> ellipsoid(5.0, np.diag([2.0, 2.0, 2.0]))[0]
    array([1., 1., 1.])
    """
    moments, axes = np.linalg.eigh(tensor)
    if np.linalg.det(axes) < 0:
        axes[:, 0] = -axes[:, 0]
    squares = 5 * (moments.sum() - 2 * moments) / (2 * mass)
    radii = np.sqrt(np.clip(squares, 0.0, None))
    return (radii, axes) if radii.max() > 0 else (None, axes)
