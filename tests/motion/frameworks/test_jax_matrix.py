"""Robots of every kind in JAX: inverse and forward dynamics, M, and their derivatives."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from bridge_robots import MATRIX, compiled, residual, states

jax.config.update("jax_enable_x64", True)

EPS = np.finfo(float).eps


def largest(x: Any) -> float:
    return float(np.abs(x).max())


@pytest.mark.parametrize("name", MATRIX)
def test_dynamics_and_their_derivatives(name: str) -> None:
    fast = compiled(name)
    robot, x = fast.to_jax(), states(fast.eom, 3)
    q, v, vdot, tau = (x[n] for n in ("q", "v", "vdot", "tau"))
    found = jax.jit(jax.vmap(robot.inverse_dynamics))(q, v, vdot)
    expected = fast.inverse_dynamics(q, v, vdot)
    assert largest(found - expected) <= 8 * EPS * largest(expected)
    M = fast.mass_matrix(q)
    assert largest(jax.jit(robot.mass_matrix)(q) - M) <= 8 * EPS * largest(M)
    accelerations = np.asarray(jax.jit(jax.vmap(robot.forward_dynamics))(q, v, tau))
    assert residual(fast, x, accelerations) <= 64 * EPS

    # ∂ID both ways, and ∂FD by M ∂v̇ + ∂ID = 0 at v̇ = FD
    one = (q[0], v[0], vdot[0])
    slopes = fast.inverse_dynamics_derivatives(*one, wrt="coordinates")
    for way in (jax.jacfwd, jax.jacrev):
        for y, z in zip(jax.jit(way(robot.inverse_dynamics, (0, 1, 2)))(*one), slopes, strict=True):
            assert largest(y - z) <= 64 * EPS * largest(z)
    moving = (q[0], v[0], accelerations[0])
    slopes = fast.inverse_dynamics_derivatives(*moving, wrt="coordinates")
    by_q, by_v, by_tau = jax.jit(jax.jacrev(robot.forward_dynamics, (0, 1, 2)))(q[0], v[0], tau[0])
    for Y, Z in ((by_q, slopes[0]), (by_v, slopes[1]), (by_tau, -np.eye(len(tau[0])))):
        scale = largest(np.abs(M[0]) @ np.abs(Y)) + largest(Z)
        assert largest(M[0] @ Y + Z) <= 64 * EPS * scale
