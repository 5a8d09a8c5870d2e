"""Ours: kernels of `eq.compile`, called by their address from loops in C."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

import equamo as eq

from .loops import loops, pointers
from .models import Source, States, Tree

LAYOUTS = ("rows", "columns")  # a state is a row of C-ordered, a column of Fortran-ordered memory


def load(source: Source) -> Any:
    """The robot of a file."""
    return eq.load(str(source.path), base="free" if source.free else "fixed")


def columns(robot: Any, tree: Tree) -> tuple[list[int], list[int]]:
    """Positions of our coordinates and speeds in the states of a tree."""
    q: list[int] = []
    v: list[int] = []
    for body in robot.bodies:
        if body.joint.coordinates:
            root = body.joint.name not in tree.names  # Pinocchio has its own name for the base
            k = tree.names.index("root_joint" if root else body.joint.name)
            q += range(tree.first_q[k], tree.first_q[k + 1])
            v += range(tree.first_v[k], tree.first_v[k + 1])
    assert sorted(q) == list(range(tree.nq))
    assert sorted(v) == list(range(tree.nv))
    return q, v


class EquamoCalls:
    """Machine code of one robot, and random states in our order."""

    name = "equamo"

    def __init__(self, source: Source, tree: Tree, states: States, fast: Any = None) -> None:
        self.robot = load(source)
        # Without the disk cache: what is timed was made from the sources as they are now.
        options = {"dtype": "float64", "threads": 1, "cache": False}
        self.fast = fast or eq.compile(eq.derive(self.robot), **options)
        q, v = columns(self.robot, tree)
        self.speeds, self.count = v, states.count
        self.batches: dict[tuple[str, str], list[np.ndarray]] = {}
        given = {"q": states.q[:, q], "v": states.v[:, v]}
        given |= {"vdot": states.vdot[:, v], "tau": states.tau[:, v]}
        given["lam"] = given["tau"]  # weights of the rows, where a function takes them
        self.given = {name: np.ascontiguousarray(x) for name, x in given.items()}

    def arguments(self, function: str) -> Sequence[np.ndarray]:
        """The states, as a function takes them."""
        return [self.given[name] for name in self.fast.function(function).states]

    def time(self, function: str, passes: int) -> float:
        """Seconds for one call with one state; the result is always written to the same place."""
        made = self.fast.function(function)
        results = [np.zeros(y.shape) for y in made.results]
        self.result = results[0]
        given = self.arguments(function)
        arrays = [*given, *results]
        widths = np.array([*(a.shape[1] for a in given), *(0 for _ in results)], np.int64)
        clock = loops().time_kernel(
            ctypes.c_void_p(made.address), ctypes.c_long(len(arrays)), pointers(arrays),
            widths.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_long(self.count), ctypes.c_long(passes),
        )  # fmt: skip
        return clock / (passes * self.count)

    def time_batch(self, function: str, passes: int, layout: str = "rows") -> float:
        """Seconds for one state of a batch, on one core."""
        made = self.fast.function(function)
        order: Any = "C" if layout == "rows" else "F"
        key = (function, layout)
        if key not in self.batches:
            given = [np.array(a, order=order) for a in self.arguments(function)]
            # Ones, so that the memory is there before it is timed.
            sizes = [y.size for y in made.results]
            self.batches[key] = [*given, *(np.ones((self.count, n), order=order) for n in sizes)]
        arrays = self.batches[key]
        strides = np.array([s for a in arrays for s in a.strides], np.int64)
        self.results = arrays[-len(made.results)]
        clock = loops().time_batch(
            ctypes.c_void_p(made.batch_address), pointers(arrays),
            strides.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_long(self.count), ctypes.c_long(passes),
        )  # fmt: skip
        return clock / (passes * self.count)
