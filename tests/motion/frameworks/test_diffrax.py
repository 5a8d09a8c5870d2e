"""Motions by diffrax on the functions for JAX: under jit, vmap and grad."""

from __future__ import annotations

from functools import cache
from typing import Any

import diffrax
import jax
import jax.numpy as jnp
import numpy as np

import equamo as eq

jax.config.update("jax_enable_x64", True)

START = np.array([1.0, 0.5, 0.2, -0.1])


@cache
def equations() -> eq.EquationsOfMotion:
    return eq.derive(eq.load("rr_arm"))


def last(x: Any, values: Any) -> Any:
    """State after 0.2 s, from rest of the inputs."""
    arm = eq.compile(equations()).to_jax()
    still = jnp.zeros(2)
    term = diffrax.ODETerm(lambda t, x, p: arm.state_derivative(x[:2], x[2:], still, values=p))
    steps = diffrax.PIDController(rtol=1e-10, atol=1e-10)
    end, first = 0.2, 0.01
    found = diffrax.diffeqsolve(
        term, diffrax.Tsit5(), 0.0, end, first, x, values, stepsize_controller=steps, max_steps=256
    )
    return found.ys[0]


def test_a_motion_under_jit_vmap_and_grad() -> None:
    eom = equations()
    values = np.array([float(x) for x in eom.robot.state_space.values.numbers])
    starts = jnp.stack([START, 0.5 * START, -START])
    ends = jax.jit(jax.vmap(last, (0, None)))(starts, values)
    run = eq.simulate(eom, q=START[:2], v=START[2:], duration=0.2, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(ends[0], [*run.q[-1], *run.v[-1]], atol=1e-8)

    slope = jax.jit(jax.vmap(jax.grad(lambda x, p: last(x, p)[0], (0, 1)), (0, None)))
    by_state, by_values = slope(starts, values)
    h, forward = 1e-5, jax.jit(jax.vmap(last))
    steps = np.eye(12) * h
    shifted = np.concatenate([START, values]) + np.concatenate([steps, -steps])
    moved = forward(shifted[:, :4], shifted[:, 4:])[:, 0]
    expected = (moved[:12] - moved[12:]) / (2 * h)
    np.testing.assert_allclose(np.r_[by_state[0], by_values[0]], expected, atol=1e-7)
