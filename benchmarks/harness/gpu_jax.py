"""Checks of `fast.to_jax()` on a GPU: numbers of the CPU, gradients, transforms, streams, errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.test_util import check_grads

import equamo as eq

from .gpu_checks import Check, difference

jax.config.update("jax_enable_x64", True)


class JaxGradients:
    """Functions for JAX on arrays of a GPU, of one robot."""

    def __init__(self, eom: eq.EquationsOfMotion) -> None:
        self.eom, self.cpu = eom, eq.compile(eom)
        self.arm = self.cpu.to_jax()

    def every(self) -> Iterator[Check]:
        """Name and function of each check."""
        yield "check_grads", self.check_grads
        yield from self.numerical()

    def numerical(self) -> Iterator[Check]:
        """Those that do not take long for a robot with many joints."""
        yield "numbers of the functions", self.numbers
        yield "jit, vmap, jacobians", self.transforms
        yield "parameters", self.parameters
        yield "in a program", self.program

    def states(self, *leading: int, dtype: str = "float64") -> list[np.ndarray]:
        """q, v and v̇."""
        rng = np.random.default_rng(1)
        return [rng.normal(size=(*leading, len(self.eom.v))).astype(dtype) for _ in range(3)]

    def numbers(self) -> str:
        """As on the CPU, for one state, batches of all sizes, and long results; on the GPU."""
        worst = {}
        for name in ("inverse_dynamics", "inverse_dynamics_derivatives", "mass_matrix"):
            for leading in ((), (1,), (7,), (31,), (33,), (1024,), (1025,), (3000,), (3, 5), (0,)):
                x = self.states(*leading)[: 1 if name == "mass_matrix" else 3]
                found = getattr(self.arm, name)(*map(jnp.asarray, x))
                first = found[0] if isinstance(found, tuple) else found
                assert {d.platform for d in first.devices()} == {"gpu"}, first.devices()
                flat = [y.reshape(-1, y.shape[-1]) if len(leading) > 1 else y for y in x]
                expected = getattr(self.cpu, name)(*flat)
                if len(leading) > 1:
                    each = expected if isinstance(expected, tuple) else (expected,)
                    shaped = tuple(y.reshape(*leading, *y.shape[1:]) for y in each)
                    expected = shaped if isinstance(expected, tuple) else shaped[0]
                worst[name] = max(worst.get(name, 0.0), difference(found, expected))
                assert worst[name] <= 1e-11, (name, leading, worst)
        single = self.arm.inverse_dynamics(*map(jnp.asarray, self.states(5, dtype="float32")))
        assert single.dtype == jnp.float32
        return ", ".join(f"{n} {w:.1e}" for n, w in worst.items())

    def check_grads(self) -> str:
        """JAX's own check, forward and reverse, to the second order."""
        q, v, a = map(jnp.asarray, self.states(3))
        check_grads(self.arm.inverse_dynamics, (q, v, a), order=2, modes=("fwd", "rev"))
        check_grads(self.arm.forward_dynamics, (q, v, a), order=1, modes=("fwd", "rev"))
        check_grads(self.arm.potential_energy, (q,), order=2, modes=("fwd", "rev"))
        return "inverse dynamics and potential energy to order 2, forward dynamics"

    def transforms(self) -> str:
        """vmap, jit and Jacobians agree with each other and with the CPU's derivatives."""
        x = self.states(6)
        y = [jnp.asarray(z) for z in x]
        whole = self.arm.inverse_dynamics(*y)
        assert difference(jax.vmap(self.arm.inverse_dynamics)(*y), whole) <= 1e-14
        assert difference(jax.jit(self.arm.inverse_dynamics)(*y), whole) <= 1e-14
        mixed = jax.vmap(self.arm.inverse_dynamics, in_axes=(0, None, 0))(y[0], y[1][0], y[2])
        same = self.cpu.inverse_dynamics(x[0], np.tile(x[1][0], (6, 1)), x[2])
        assert difference(mixed, same) <= 1e-12
        exact = self.cpu.inverse_dynamics_derivatives(*x)
        for jacobian in (jax.jacfwd, jax.jacrev):
            found = jax.vmap(jacobian(self.arm.inverse_dynamics, argnums=(0, 1, 2)))(*y)
            assert difference(tuple(found), exact) <= 1e-11
        return "vmap, a shared argument, jit, jacfwd, jacrev"

    def parameters(self) -> str:
        """Gradients by parameters, against those of the CPU."""
        q = self.states(4)[0]
        values = self.arm.parameter_values()
        found = []
        for place in (jax.devices("gpu")[0], jax.devices("cpu")[0]):
            given = [jax.device_put(x, place) for x in (values, q)]
            f = jax.grad(lambda p, x: (self.arm.gravity(x, values=p) ** 2).sum())
            found.append(np.asarray(f(*given)))
        assert difference(found[0], found[1]) <= 1e-12
        return f"{len(values)} of them"

    def program(self) -> str:
        """In a loop between other operations of JAX: order on the stream is kept."""
        q, v = (jnp.asarray(x) for x in self.states(20_000)[:2])

        @jax.jit
        def run(q: Any, v: Any) -> Any:
            def body(_: Any, state: Any) -> Any:
                q, v = state
                v = v + 1e-3 * self.arm.forward_dynamics(q, v, -0.1 * v)
                return q + 1e-3 * v, v

            return jax.lax.fori_loop(0, 100, body, (q, v))

        found = run(q, 0.1 * v)
        ours = eq.compile(self.eom)
        x, w = np.asarray(q), 0.1 * np.asarray(v)
        for _ in range(100):
            w = w + 1e-3 * ours.forward_dynamics(x, w, -0.1 * w)
            x = x + 1e-3 * w
        worst = difference(tuple(found), (x, w))
        assert worst <= 1e-9, worst
        return f"100 steps of 20,000 runs: {worst:.1e}"
