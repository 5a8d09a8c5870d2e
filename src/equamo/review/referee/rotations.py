"""Rotation matrices and unit quaternions (w, x, y, z) as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def rotation_of(w: float, x: float, y: float, z: float) -> Floats:
    """Rotation matrix of a unit quaternion: A = 1 + 2w K + 2K², with K the cross product by (x, y, z).

    >>> rotation_of(0.0, 1.0, 0.0, 0.0).diagonal()
    array([ 1., -1., -1.])
    """
    K = cross_matrix(np.array([x, y, z]))
    return np.eye(3) + 2 * w * K + 2 * K @ K


def quaternion_of(A: Floats) -> Floats:
    """Unit quaternion (w, x, y, z) of a rotation matrix, by its largest component.

    >>> quaternion_of(rotation_of(0.0, 0.0, 0.6, 0.8))
    array([0. , 0. , 0.6, 0.8])
    """
    t = np.array([np.trace(A), *np.diag(A)])
    k = int(np.argmax(t))
    if k == 0:
        q = np.array([1 + t[0], A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])
    else:
        i, j, m = k - 1, k % 3, (k + 1) % 3
        q = np.zeros(4)
        q[0] = A[m, j] - A[j, m]
        q[1 + i] = 1 + A[i, i] - A[j, j] - A[m, m]
        q[1 + j] = A[j, i] + A[i, j]
        q[1 + m] = A[m, i] + A[i, m]
    return q / np.linalg.norm(q)


def cross_matrix(a: Floats) -> Floats:
    """Matrix of the cross product: cross_matrix(a) @ b = a × b.

    >>> cross_matrix(np.array([0.0, 0.0, 2.0])) @ np.array([1.0, 0.0, 0.0])
    array([0., 2., 0.])
    """
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=np.float64)
