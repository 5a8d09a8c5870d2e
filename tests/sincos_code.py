"""The emitted sine and cosine as compiled loops, with and without FMA, and what is right, by mpmath."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType

import llvmlite.binding as llvm
import mpmath
import numpy as np
from mpmath import mpf

from conftest import WHOLE_SWEEPS
from equamo.code.jit import sincos

Pair = tuple[np.ndarray, np.ndarray]
TYPES = ("float64", "float32")
LANES = (1, 2, 4, 8)
HOST = llvm.get_host_cpu_features()
# Fused where the processor can; never; the short reduction, which needs FMA.
WAYS = ("host", "apart", "fused") if HOST.get("fma", True) else ("host", "apart")

LOOP = """
define void @loop(ptr %x, ptr %s, ptr %c, i64 %n) {{
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %px = getelementptr {T}, ptr %x, i64 %i
  %ps = getelementptr {T}, ptr %s, i64 %i
  %pc = getelementptr {T}, ptr %c, i64 %i
  %v = load {T}, ptr %px, align 4
{lines}
  store {T} %sin, ptr %ps, align 4
  store {T} %cos, ptr %pc, align 4
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}}"""


def machine(way: str) -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = HOST.flatten()
    if way == "apart" and "fma" in HOST:  # 64-bit ARM cannot do without
        features += ",-fma"
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        llvm.get_host_cpu_name(), features, opt=2, reloc="pic", codemodel="small"
    )


def text(dtype: str, lanes: int, way: str) -> str:
    element = sincos.numbers(dtype).element
    names = (f"%t{i}" for i in count())
    fused = way == "fused"
    lines = sincos.emit("%v", "%sin", "%cos", lambda: next(names), dtype, lanes, fused)
    body = LOOP.format(
        T=element if lanes == 1 else f"<{lanes} x {element}>", lines="\n".join(lines)
    )
    function = definition(dtype, lanes, fused)
    return "\n".join([*sincos.declarations(dtype, lanes, fused), function, body])


def definition(dtype: str, lanes: int, fused: bool) -> str:
    """The same alone in a function, `{ T, T } @sincos_float64x4(T)`, so that its assembly is seen."""
    element = sincos.numbers(dtype).element
    value = element if lanes == 1 else f"<{lanes} x {element}>"
    pair = f"{{ {value}, {value} }}"
    names = (f"%v{i}" for i in count())
    lines = [
        f"define {pair} @sincos_{dtype}x{lanes}({value} %x) {{",
        *sincos.emit("%x", "%s", "%c", lambda: next(names), dtype, lanes, fused),
        f"%half = insertvalue {pair} poison, {value} %s, 0",
        f"%both = insertvalue {pair} %half, {value} %c, 1",
        f"ret {pair} %both",
        "}",
    ]
    return "\n".join(lines)


@cache
def compiled(dtype: str, lanes: int, way: str) -> Callable[[np.ndarray], Pair]:
    """The loop over an array; the array is filled up to whole vectors."""
    module = llvm.parse_assembly(text(dtype, lanes, way))
    module.verify()
    engine = llvm.create_mcjit_compiler(module, machine(way))
    engine.finalize_object()
    loop = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64)(
        engine.get_function_address("loop")
    )

    def run(x: np.ndarray) -> Pair:
        assert engine  # which owns the code
        padded = np.resize(np.asarray(x, dtype), -(-len(x) // lanes) * lanes)
        s, c = np.empty_like(padded), np.empty_like(padded)
        loop(padded.ctypes.data, s.ctypes.data, c.ctypes.data, len(padded) // lanes)
        return s[: len(x)], c[: len(x)]

    return run


def quarters(dtype: str, k: np.ndarray) -> np.ndarray:
    """The number nearest to k π/2, for each k."""
    with mpmath.workprec(200):
        return np.array([float(int(i) * mpmath.pi / 2) for i in k]).astype(dtype)


@cache
def angles(dtype: str) -> np.ndarray:
    """Random to 10⁵, ordinary, next to multiples of π/2 and of π/4, and small."""
    random, n = np.random.default_rng(6), 5_000 if WHOLE_SWEEPS else 800
    near = quarters(dtype, random.integers(-63662, 63663, n))
    there = np.dtype(dtype).type(np.inf)
    groups = (
        random.uniform(-1e5, 1e5, n),
        random.uniform(-7, 7, n),
        near,
        np.nextafter(near, there),
        np.nextafter(near, -there),
        (random.integers(-60000, 60000, n) + 0.5) * (np.pi / 2),
        10 ** random.uniform(-30, 5, n),
        [1e5, -1e5],
    )
    return np.concatenate(groups).astype(dtype)


@cache
def truth(dtype: str) -> list[tuple[mpf, mpf]]:
    with mpmath.workprec(160):
        return [(mpmath.sin(mpf(float(x))), mpmath.cos(mpf(float(x)))) for x in angles(dtype)]


def worst(values: np.ndarray, right: list[mpf], relative: bool = False) -> float:
    with mpmath.workprec(160):
        return max(
            float(abs((mpf(float(v)) - r) / (r if relative else 1)))
            for v, r in zip(values, right, strict=True)
        )


@cache
def script(name: str) -> ModuleType:
    """A module of the folder `scripts`."""
    path = Path(__file__).parents[1] / "scripts" / f"{name}.py"
    spec = spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses look
    spec.loader.exec_module(module)
    return module
