"""Batches of any size, order and stride: the right states are read, and nothing else is written."""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
import pytest

from equamo.algebra.expr import symbol
from equamo.code.ir.lower import lower
from equamo.code.ir.program import Argument
from equamo.code.jit import engine
from equamo.code.jit.llvm import Dtype, ir

GUARD = -77.0


@cache
def code(size: int, lanes: int, dtype: Dtype) -> engine.Loaded:
    """y_k = 2 x_k + p"""
    x = tuple(symbol(f"x{k}") for k in range(size))
    arguments = [Argument("x", x), Argument("p", (symbol("p"),))]
    program = lower("f", arguments, {"y": [2 * e + symbol("p") for e in x]})
    return engine.load(engine.object_code(ir(program, dtype, lanes)))


def run(loaded: engine.Loaded, arrays: list[np.ndarray], begin: int, end: int) -> None:
    batch = ctypes.CFUNCTYPE(
        None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
    )(loaded.address("batch"))
    pointers = (ctypes.c_void_p * len(arrays))(*[a.ctypes.data for a in arrays])
    strides = [s for a in arrays for s in a.strides]
    batch(pointers, (ctypes.c_int64 * len(strides))(*strides), begin, end)


def laid_out(rng: np.random.Generator, layout: str, N: int, n: int, dtype: str) -> np.ndarray:
    """An (N, n) view into a larger array full of GUARD."""
    match layout:
        case "rows":
            whole = np.full((N + 40, n), GUARD, dtype)
            view = whole[20 : 20 + N]
        case "padded rows":
            whole = np.full((N + 40, n + 3), GUARD, dtype)
            view = whole[20 : 20 + N, 1 : 1 + n]
        case "columns":
            whole = np.full((n + 40, N), GUARD, dtype)
            view = whole[20 : 20 + n].T
        case "every second":
            whole = np.full((2 * N + 40, 2 * n + 2), GUARD, dtype)
            view = whole[20 : 20 + 2 * N : 2, 1 : 1 + 2 * n : 2]
        case _:  # backwards
            whole = np.full((N + 40, n), GUARD, dtype)
            view = whole[20 : 20 + N][::-1, ::-1]
    view[...] = rng.uniform(-1, 1, (N, n))
    return view


LAYOUTS = ("rows", "padded rows", "columns", "every second", "backwards")


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("dtype", "lanes"), [
    ("float64", 1), ("float64", 2), ("float64", 4), ("float64", 8), ("float32", 8), ("float32", 16),
])  # fmt: skip
def test_every_size_and_layout(dtype: Dtype, lanes: int) -> None:
    rng = np.random.default_rng(lanes)
    for size in (0, 1, 2, 3, 5, 7, 8, 9, 13, 16, 17, 33):
        loaded = code(size, lanes, dtype)
        for N in (0, 1, 2, lanes - 1, lanes, lanes + 1, 3 * lanes + 2, 41):
            first, second = rng.choice(LAYOUTS, 2)
            x, y = laid_out(rng, first, N, size, dtype), laid_out(rng, second, N, size, dtype)
            p = np.array([[0.5]], dtype)
            shared = np.lib.stride_tricks.as_strided(p, (max(N, 1), 1), (0, p.itemsize))
            begin, end = sorted(rng.integers(0, N + 1, 2)) if N and rng.random() < 0.5 else (0, N)
            whole = y.base if y.base is not None else y
            while whole.base is not None:
                whole = whole.base
            before, old = whole.copy(), y.copy()
            run(loaded, [x, shared, y], int(begin), int(end))
            place = (dtype, lanes, size, N, first, second, begin, end)
            np.testing.assert_array_equal(y[begin:end], 2 * x[begin:end] + p[0, 0], str(place))
            np.testing.assert_array_equal(y[:begin], old[:begin], str(place))
            np.testing.assert_array_equal(y[end:], old[end:], str(place))
            y[...] = old
            np.testing.assert_array_equal(whole, before, str(place))
