"""Machine code of any expressions, for simulation loops, at one point or a batch of points."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import asdict
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...robot.formats.json_file import canonical, digest
from ..ir.cost import cost
from ..ir.lower import lower
from ..ir.passes import optimise
from ..ir.program import Argument
from . import engine, processor
from .batch import Code
from .cache import Cache
from .llvm import ir
from .origin import sources

Floats = NDArray[np.float64]

_Kernel = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@final
class Kernel:
    """Function of several arrays whose result has expressions in their symbols as entries.

    >>> from equamo.algebra.expr import parse, symbol
    >>> f = Kernel("f", [Argument("x", (symbol("a"), symbol("b")))], [[parse("a*b"), parse("a - b")]])
    >>> f(np.array([3.0, 4.0]))
    array([12., -1.])
    """

    name: str
    size: int

    def __init__(
        self, name: str, arguments: Sequence[Argument], ways: Sequence[Sequence[Expr]]
    ) -> None:
        """`ways` are alternative expressions for the same result; the cheapest is used."""
        self.name, self.size = name, len(ways[0])
        self._sizes = [len(a) for a in arguments]
        self._code = Code(_machine_code(name, arguments, ways), 1)
        self._prepare()

    def _prepare(self) -> None:
        call: Callable[[bytes], None] = _Kernel(self._code.kernel)
        self._call = call
        # Buffers of the kernel, so that a call creates no arrays except its result.
        self._given = [np.zeros(max(1, n)) for n in self._sizes]
        self._out = np.zeros(max(1, self.size))
        every = [*self._given, self._out]
        self._pointers = struct.pack(f"{len(every)}Q", *(x.ctypes.data for x in every))

    def again(self) -> Kernel:
        """Copy with the same code and its own buffers, for a concurrent run."""
        other = copy(self)
        other._prepare()
        return other

    def __call__(self, *arrays: Floats) -> Floats:
        """Evaluate at one point, with one array (k,) per argument."""
        for own, x in zip(self._given, arrays, strict=True):
            if len(x):
                own[:] = x
        self._call(self._pointers)
        return self._out[: self.size].copy()

    def batch(self, count: int, *arrays: Floats) -> Floats:
        """Evaluate at `count` points: (count, k), or (k,) for all; the result is (count, size)."""
        out = np.empty((count, self.size))
        if not self.size or not count:
            return out
        rows = [np.ascontiguousarray(np.broadcast_to(x, (count, x.shape[-1]))) for x in arrays]
        rows = [x if x.size else np.zeros((count, 1)) for x in rows]
        strides = [s for x in (*rows, out) for s in x.strides]
        self._code.run([*rows, out], strides, count, 1)
        return out


def _machine_code(
    name: str, arguments: Sequence[Argument], ways: Sequence[Sequence[Expr]]
) -> bytes:
    """Machine code from the disk cache, or compiled now."""
    cache, machine = Cache(), processor.current()
    key = canonical(
        {
            "version": [sources(), engine.version(), asdict(machine)],
            "arguments": [[s.name for s in a.symbols] for a in arguments],
            "expressions": digest([[e.h for e in way] for way in ways]),
        }
    )
    kept = cache.get(key) if cache.enabled else None
    if kept is not None:
        return kept.payload
    programs = [optimise(lower(name, arguments, {"y": list(way)})) for way in ways]
    cheapest = min(programs, key=lambda p: cost(p).estimate)
    code = engine.object_code(ir(cheapest, "float64", 1), machine)
    if cache.enabled:
        meta: dict[str, Any] = {"function": name}
        cache.put(key, code, meta)
    return code
