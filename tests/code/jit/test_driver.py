"""The loop over a batch: every remainder of states and rows, every class of strides, on numbers that
say where they come from.

The kernel copies. Arrays of all sizes up to two vectors and more go through one call, so that what
arrives in the wrong place, or beside an array, is seen. `ir_proof` compares the loop of a user's module
with the text that is tested here.
"""

from __future__ import annotations

import ctypes
from functools import cache
from itertools import product

import numpy as np
import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import symbol
from equamo.code.ir.lower import lower
from equamo.code.ir.program import DTYPES, Argument, Dtype
from equamo.code.jit import engine
from equamo.code.jit.llvm import ir
from equamo.code.jit.machine_code import LANES

INPUTS = (
    "rows",
    "padded rows",
    "columns",
    "padded columns",
    "backwards",
    "one state",
    "one element",
)
OUTPUTS = ("rows", "padded rows", "columns", "padded columns", "backwards")
EDGE = 20  # rows and columns of guards
GUARD = -77.0


def sizes(lanes: int) -> list[int]:
    """All lengths of a row, from none to beyond two vectors; with 16 lanes those near a boundary."""
    if lanes < 16 or WHOLE_SWEEPS:
        return list(range(2 * lanes + 3))
    return [0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 19, 20, 21, 31, 32, 33, 34]


@cache
def batch(dtype: Dtype, lanes: int) -> engine.Loaded:
    """y = x for several arrays x, of every size."""
    arguments = [
        Argument(f"x{a}", tuple(symbol(f"x{a}_{k}") for k in range(n)))
        for a, n in enumerate(sizes(lanes))
    ]
    program = lower("copy", arguments, {f"y{a.name}": list(a.symbols) for a in arguments})
    return engine.load(engine.object_code(ir(program, dtype, lanes), level=1))


def placed(layout: str, N: int, n: int, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """A view of shape (N, n) in an array of guards, and that array."""
    e, second = EDGE, slice(EDGE, EDGE + 2 * max(N, n), 2)
    whole = np.full((2 * max(N, n) + 2 * e, 2 * max(N, n) + 2 * e), GUARD, dtype)
    match layout:
        case "rows":
            whole = np.full((N + 2 * e, n), GUARD, dtype)
            return whole[e : e + N], whole
        case "padded rows":
            return whole[e : e + N, e : e + n], whole
        case "columns":
            whole = np.full((n + 2 * e, N), GUARD, dtype)
            return whole[e : e + n].T, whole
        case "padded columns":
            return whole[second, e : e + N][:n].T, whole
        case "backwards":
            return whole[e : e + N, e : e + n][::-1, ::-1], whole
        case "one state":
            return np.broadcast_to(whole[e, e : e + n], (N, n)), whole
        case _:
            return np.broadcast_to(whole[e : e + N, e : e + 1], (N, n)), whole


def labels(a: int, N: int, n: int) -> np.ndarray:
    """Array, state and element in one number that float32 has exactly."""
    i, k = np.meshgrid(np.arange(N), np.arange(n), indexing="ij")
    return (a * 64.0 + i) * 64 + k + 1


def filled(layout: str, a: int, N: int, n: int, dtype: str) -> np.ndarray:
    x, whole = placed(layout, N, n, dtype)
    if layout == "one state":
        whole[EDGE, EDGE : EDGE + n] = labels(a, 1, n)
    elif layout == "one element":
        whole[EDGE : EDGE + N, EDGE : EDGE + 1] = labels(a, N, 1)
    else:
        x[...] = labels(a, N, n)
    return x


def check(dtype: Dtype, lanes: int, N: int, begin: int, end: int, first: str, second: str) -> None:
    arguments = [filled(first, a, N, n, dtype) for a, n in enumerate(sizes(lanes))]
    results = [placed(second, N, n, dtype) for n in sizes(lanes)]
    every = [*arguments, *(y for y, _ in results)]
    run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(
        batch(dtype, lanes).address("batch")
    )
    pointers = (ctypes.c_void_p * len(every))(*[x.ctypes.data for x in every])
    steps = [s for x in every for s in x.strides]
    run(pointers, (ctypes.c_int64 * len(steps))(*steps), begin, end)
    for a, (x, (y, whole)) in enumerate(zip(arguments, results, strict=True)):
        place = (dtype, lanes, N, begin, end, first, second, sizes(lanes)[a])
        assert (y[begin:end] == x[begin:end]).all(), place
        y[begin:end] = GUARD
        assert (whole == GUARD).all(), place


@pytest.mark.sweep(4)
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_remainder_and_class_of_strides(dtype: Dtype, lanes: int) -> None:
    pairs = list(product(INPUTS, OUTPUTS))
    for N in range(3 * lanes + 2):
        # All pairs by `make test-all`; here each N takes other ones, and all occur.
        for first, second in pairs if WHOLE_SWEEPS else pairs[N % 5 :: 5]:
            check(dtype, lanes, N, 0, N, first, second)


@pytest.mark.parametrize("lanes", LANES)
def test_pieces_of_a_batch(lanes: int) -> None:
    """What a thread takes: states from `begin` to `end`, wherever these are."""
    N = 2 * lanes + 1
    edges = sorted({0, 1, lanes - 1, lanes, lanes + 1, N - 1, N})
    for begin, end in product(edges, edges):  # the end before the beginning: nothing happens
        for first, second in (
            ("rows", "rows"),
            ("columns", "padded rows"),
            ("backwards", "columns"),
        ):
            check("float64", lanes, N, begin, end, first, second)
