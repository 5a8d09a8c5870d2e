"""Pinocchio's constraintDynamics in C++, header only, compiled as ours is."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from .build import HERE
from .models import Tree
from .pinocchio_calls import PinocchioCalls, headers_library, pointer


@dataclass(frozen=True)
class Closure:
    """Rigid constraint between points (3 rows) or frames (6 rows) of two joints; -1 is the world."""

    rows: int
    first: int
    at: np.ndarray  # rotation by rows, then position
    second: int
    to_at: np.ndarray


@cache
def _library() -> ctypes.CDLL:
    made = headers_library("pinocchio_loops", (HERE / "pinocchio.cpp").read_text())
    made.loops_new.restype = ctypes.c_void_p
    made.loops_time.restype = ctypes.c_double
    return made


class PinocchioLoopCalls:
    """One robot with closed loops, and states at which they are closed."""

    name = "Pinocchio C++"

    def __init__(
        self,
        tree: Tree,
        states: Any,
        closures: Sequence[Closure],
        mu: float = 0.0,
        accuracy: float = 1e-12,
        iterations: int = 1,
    ) -> None:
        self.calls = PinocchioCalls(tree, states, _library())
        self.calls.give("tau")
        numbers = [
            np.array([getattr(c, name) for c in closures], np.int32)
            for name in ("rows", "first", "second")
        ]
        places = [np.array([getattr(c, name) for c in closures]) for name in ("at", "to_at")]
        rows, first, second = map(pointer, numbers)
        at, to_at = map(pointer, places)
        made = _library().loops_new(
            self.calls.robot, ctypes.c_long(len(closures)), rows, first, at, second, to_at,
            ctypes.c_double(mu), ctypes.c_double(accuracy), iterations,
        )  # fmt: skip
        self.closed: Any = ctypes.c_void_p(made)

    def time(self, passes: int) -> float:
        """Seconds for one call; the last acceleration is in `result`."""
        self.result = np.zeros(self.calls.tree.nv)
        clock = _library().loops_time(
            self.calls.robot, self.closed, ctypes.c_long(passes), pointer(self.result)
        )
        return clock / (passes * self.calls.count)

    def at(self, k: int) -> np.ndarray:
        """Acceleration at one state."""
        whole = (self.calls.q, self.calls.v, self.calls.fourth["tau"])
        self.calls.library.robot_states(
            self.calls.robot, ctypes.c_long(1), *(pointer(x[k : k + 1]) for x in whole)
        )
        self.time(1)
        x = [pointer(a) for a in whole]
        self.calls.library.robot_states(self.calls.robot, ctypes.c_long(self.calls.count), *x)
        return self.result

    def __del__(self) -> None:
        if hasattr(self, "closed"):
            _library().loops_delete(self.closed)
