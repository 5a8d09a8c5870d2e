"""Checks of exp, log, tanh, asin, acos, atan and atan2 on a GPU, against NumPy's long double."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

import equamo as eq

from .gpu_checks import Check, difference, on_gpu, states

COUNT = 200_000
NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}


def arguments(function: str) -> list[np.ndarray]:
    """Random arguments where the function varies, of all sizes."""
    rng = np.random.default_rng(7)
    sizes = np.exp2(rng.uniform(-40, 6, COUNT)) * rng.choice([-1, 1], COUNT)
    match function:
        case "exp":
            return [np.where(rng.random(COUNT) < 0.5, rng.uniform(-80, 80, COUNT), sizes)]
        case "log":
            return [np.where(rng.random(COUNT) < 0.5, rng.uniform(0.4, 3, COUNT), abs(sizes))]
        case "asin" | "acos":
            return [rng.uniform(-1, 1, COUNT)]
        case "atan2":
            return [sizes, rng.normal(size=COUNT)]
        case _:
            return [sizes]


class Functions:
    """Elementary functions in kernels and in control laws."""

    def __init__(self) -> None:
        self.eom = eq.derive(eq.load("rr_arm"))
        names = ("exp", "log", "tanh", "asin", "acos", "atan")
        own = {f"own_{n}": eq.parse(f"{n}(q1)") for n in names}
        own["own_atan2"] = eq.parse("atan2(q1, q2)")
        self.gpu = eq.compile(self.eom, functions=own, device="cuda")

    def every(self) -> Iterator[Check]:
        """Name and function of each check."""
        yield "errors in units in the last place", self.errors
        yield "special numbers", self.special
        yield "control laws", self.control

    def call(self, function: str, x: list[np.ndarray], dtype: str) -> Any:
        q = np.zeros((len(x[0]), 2))
        q[:, : len(x)] = np.stack(x, axis=1)
        given = torch.tensor(q, dtype=getattr(torch, dtype), device="cuda")
        return getattr(self.gpu, f"own_{function}")(given).cpu().numpy()

    def errors(self) -> str:
        worst = {}
        for dtype in ("float64", "float32"):
            for function in ("exp", "log", "tanh", "asin", "acos", "atan", "atan2"):
                x = [y.astype(dtype) for y in arguments(function)]
                exact = getattr(np, NAMES.get(function, function))(
                    *(y.astype(np.longdouble) for y in x)
                )
                found = self.call(function, x, dtype)
                unit = np.spacing(np.abs(exact.astype(dtype)))
                error = np.abs(found.astype(np.longdouble) - exact) / unit
                assert np.isfinite(error).all(), function
                worst[f"{function} {dtype}"] = float(error.max())
                assert error.max() <= 2, worst
        return ", ".join(f"{n} {w:.2f}" for n, w in worst.items())

    def special(self) -> str:
        tiny, big = 1e-310, 1.7e308
        x = np.array(
            [0.0, -0.0, 1, -1, 2, -2, np.inf, -np.inf, np.nan, tiny, -tiny, big, 800, -800]
        )
        with np.errstate(all="ignore"):
            for function in ("exp", "log", "tanh", "asin", "acos", "atan"):
                expected = getattr(np, NAMES.get(function, function))(x)
                np.testing.assert_allclose(
                    self.call(function, [x], "float64"), expected, rtol=1e-14
                )
            y, z = (v.ravel() for v in np.meshgrid(x, x))
            found, expected = self.call("atan2", [y, z], "float64"), np.arctan2(y, z)
            np.testing.assert_allclose(found, expected, rtol=1e-14)
            known = ~np.isnan(expected)
            assert (np.signbit(found) == np.signbit(expected))[known].all()
        return "zeros, infinities, NaN, subnormal numbers"

    def control(self) -> str:
        x = states(self.eom, 500)
        y = on_gpu(x)
        law = {str(self.eom.inputs[0].name): "-3*tanh(dq1) + exp(-t)*atan2(q1, 1 + q2**2)"}
        options = {"step": 1e-3, "steps": 100, "control": law, "method": "rk4"}
        theirs = eq.rollout(self.eom, x["q"], 0.2 * x["v"], **options)
        found = self.gpu.rollout(y["q"], 0.2 * y["v"], every=1, **options)
        worst = difference(found.states[:, -1], theirs.states[:, -1])
        assert worst <= 1e-9, worst
        return f"{worst:.1e}"
