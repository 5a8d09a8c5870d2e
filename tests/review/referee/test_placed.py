"""Speeds u = X ν of free bodies in other libraries, and their rates by numerical differentiation."""

from __future__ import annotations

import numpy as np
import pytest

from equamo.review.referee.placed import body_speeds, mixed_speeds, world_speeds
from equamo.review.referee.rotations import cross_matrix, quaternion_of, rotation_of

RNG = np.random.default_rng(1)


def random_rotation() -> np.ndarray:
    q = RNG.normal(size=4)
    return rotation_of(*(q / np.linalg.norm(q)))


@pytest.mark.parametrize("speeds", [body_speeds, mixed_speeds, world_speeds])
def test_rates(speeds: object) -> None:
    """Ẋ ν by central differences along Ȧ = A ω×."""
    A, nu, h = random_rotation(), RNG.normal(size=6), 1e-6
    W = cross_matrix(nu[3:])
    step = np.eye(3) + h * W + h * h / 2 * W @ W
    back = np.eye(3) - h * W + h * h / 2 * W @ W
    rate = (speeds(A @ step, nu).X - speeds(A @ back, nu).X) / (2 * h) @ nu  # type: ignore
    assert np.abs(rate - speeds(A, nu).X_dot_nu).max() < 1e-8  # type: ignore


def test_velocities_are_those_of_the_body() -> None:
    A, nu = random_rotation(), RNG.normal(size=6)
    v, w = nu[:3], nu[3:]
    assert np.allclose(body_speeds(A, nu).X @ nu, nu)
    assert np.allclose(mixed_speeds(A, nu).X @ nu, [*(A @ v), *w])
    assert np.allclose(world_speeds(A, nu).X @ nu, [*(A @ w), *(A @ v)])


def test_quaternions() -> None:
    for _ in range(20):
        A = random_rotation()
        assert np.allclose(A @ A.T, np.eye(3))
        assert np.allclose(rotation_of(*quaternion_of(A)), A)
    for half_turn in np.eye(3):
        A = rotation_of(0, *half_turn)
        assert np.allclose(rotation_of(*quaternion_of(A)), A)
