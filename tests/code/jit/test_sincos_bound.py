"""The proved bounds of sine and cosine: of the emitted sequence, above every error that occurs."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest

from conftest import WHOLE_SWEEPS
from equamo.code.jit import ir_execution, sincos
from equamo.code.jit.ir_sincos import pattern
from sincos_code import LANES, TYPES, WAYS, angles, compiled, script, truth, worst

PIECES = 256 if WHOLE_SWEEPS else 24
# What docs/theory/proofs.md states: for |x| up to a number, the error of sine and cosine is at most
# another.
STATED = [
    ("float64", True, 1e12, 1.39e-16),
    ("float64", True, 1e15, 4.5e-16),
    ("float64", True, 3.5e15, 4.2e-14),
    ("float64", False, 2**20 * 1.57, 1.68e-16),
    ("float32", True, 1e5, 7.5e-8),
    ("float32", True, 6.5e6, 1.1e-6),
    ("float32", False, 2**16 * 1.57, 9.2e-8),
]


@cache
def bound(dtype: str, fused: bool, largest: float) -> float:
    found = script("sincos_bound").bound(dtype, fused, largest, PIECES)
    return max(found.sine, found.cosine)


@pytest.mark.parametrize(("dtype", "fused", "largest", "stated"), STATED)
def test_stated_bounds_are_proved(dtype: str, fused: bool, largest: float, stated: float) -> None:
    assert bound(dtype, fused, largest) <= stated


def test_no_bound_where_k_does_not_fit() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        script("sincos_bound").bound("float64", True, 4e15)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", TYPES)
def test_errors_are_below_the_bound(dtype: str, way: str) -> None:
    """And not far below: a bound that forgot a rounding would fall under what is measured."""
    limit = bound(dtype, way == "fused", 1e5)
    s, c = compiled(dtype, 4, way)(angles(dtype))
    found = max(worst(s, [r for r, _ in truth(dtype)]), worst(c, [r for _, r in truth(dtype)]))
    assert limit / 2 < found <= limit


# -- what is emitted is what was analysed --------------------------------------------------------------
def formula(dtype: str, fused: bool) -> tuple[Any, Any]:
    """Sine and cosine of the variable x as the analysis has them, operation by operation."""
    of = sincos.numbers(dtype)
    last = "fma" if fused else "fmuladd"

    def horner(coefficients: tuple[float, ...], z: Any) -> Any:
        *rest, value = coefficients
        for c in reversed(rest):
            value = ("fmuladd", value, z, c)
        return value

    # (1)
    rounded = ("fmuladd", "x", of.two_over_pi * of.scale, of.magic)
    k, r = ("fsub", rounded, of.magic), "x"
    for part in of.fused_parts if fused else of.parts:
        r = (last, k, -part / of.scale, r)
    # (2)
    z = ("fmul", r, r)
    s = ("fmuladd", ("fmul", r, z), horner(of.sine, z), r)
    c = ("fmuladd", horner(of.cosine, z), z, 1.0)
    # (3)
    odd = ("shl", ("bits", rounded), of.bits - 1)
    sign = ("and", ("shl", ("bits", rounded), of.bits - 2), ("bits", "-0"))
    swap = ("slt", odd, 0)
    return (
        ("real", ("xor", ("bits", ("select", swap, c, s)), sign)),
        ("real", ("xor", ("bits", ("select", swap, s, c)), ("xor", sign, odd))),
    )


def as_emitted(dtype: str, lanes: int, fused: bool) -> tuple[Any, Any]:
    """The same, read from the lines that LLVM prints."""
    p = pattern(dtype, lanes, fused)
    of = sincos.numbers(dtype)
    width = lanes if lanes > 1 else 128 // of.bits
    real, whole = f"<{width} x {of.element}>", f"<{width} x i{of.bits}>"
    table = re.findall(rf"splat \({of.element} (\S+)\)", p.definition)
    constants = ["-0" if t == "-0.000000e+00" else ir_execution.number(t) for t in table]
    values: dict[str, Any] = {"%x": "x", "zeroinitializer": 0}
    places = {f"getelementptr ({real}, ptr @{p.table}, i32 {i})": i for i in range(len(table))}
    places[f"@{p.table}"] = 0
    name = r"(%x|#\d+|zeroinitializer)"
    number = rf"splat \(i{of.bits} (\d+)\)"
    kinds = {
        rf"load {real}, ptr (.*), align {width * of.bits // 8}, !invariant.load !0": "load",
        rf"(fmul|fsub) {real} {name}, {name}": "binary",
        rf"call {real} @llvm\.(fma|fmuladd)\.v{width}f{of.bits}\({real} {name}, {real} {name}, "
        rf"{real} {name}\)": "binary",
        rf"(shl) {whole} {name}, {number}": "shift",
        rf"(and|xor) {whole} {name}, {name}": "binary",
        rf"icmp (slt) {whole} {name}, {name}": "binary",
        rf"(select) <{width} x i1> {name}, {real} {name}, {real} {name}": "binary",
        rf"bitcast {real} {name} to {whole}": "bits",
        rf"bitcast {whole} {name} to {real}": "real",
        rf"insertelement {real} poison, {of.element} {name}, i32 0": "same",
        rf"extractelement {real} {name}, i32 0": "same",
    }
    for line in p.text.split("\n"):
        target, text = line.split(" = ", 1)
        ((kind, m),) = [(k, m) for r, k in kinds.items() if (m := re.fullmatch(r, text))]
        match kind:
            case "load":
                values[target] = constants[places[m[1]]]
            case "binary":
                values[target] = (m[1], *(values[g] for g in m.groups()[1:]))
            case "shift":
                values[target] = (m[1], values[m[2]], int(m[3]))
            case "same":
                values[target] = values[m[1]]
            case _:
                values[target] = (kind, values[m[1]])
    return values[f"#{p.sine}"], values[f"#{p.cosine}"]


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("lanes", [*LANES, 16])
@pytest.mark.parametrize("dtype", TYPES)
def test_the_emitted_sequence_is_the_analysed_one(dtype: str, lanes: int, fused: bool) -> None:
    assert as_emitted(dtype, lanes, fused) == formula(dtype, fused)


@pytest.mark.parametrize("k", range(-8, 9))
def test_quadrants(k: int) -> None:
    """(3): k and the signs, at angles where both functions are far from zero."""
    x = np.array([k * np.pi / 2 + r for r in (-0.7, -0.2, 0.2, 0.7)])
    s, c = compiled("float64", 4, "host")(x)
    assert np.allclose(s, np.sin(x), rtol=0, atol=1e-15)
    assert np.allclose(c, np.cos(x), rtol=0, atol=1e-15)


# -- every float32 -------------------------------------------------------------------------------------
def sweep(way: str, smallest: float, largest: float, step: int) -> float:
    """The largest error of sine and cosine over float32 between two numbers, each `step`-th.

    The reference is NumPy's double, which is right to 10⁻¹⁵; −x must give the same as x.
    """
    first, last = (int(np.float32(x).view(np.uint32)) for x in (smallest, largest))
    run, most, size = compiled("float32", 8, way), 0.0, 1 << 18
    for start in range(first, last + 1, size * step):
        end = min(start + size * step, last + 1)
        x = np.arange(start, end, step, np.uint32).view(np.float32)
        s, c = run(x)
        wide = x.astype(np.float64)
        most = max(most, np.abs(s - np.sin(wide)).max(), np.abs(c - np.cos(wide)).max())
        mirrored = run(-x)
        assert (mirrored[0] == -s).all()
        assert (mirrored[1] == c).all()
    return float(most)


@pytest.mark.parametrize("way", [way for way in WAYS if way != "host"])
def test_every_float32(way: str) -> None:
    """All of them up to where k fits, by `make test-all`: 1.25·10⁹ positive numbers."""
    step, fused = 1 if WHOLE_SWEEPS else 4096, way == "fused"
    found = sweep(way, 0, 1e5, step)
    assert found <= bound("float32", fused, 1e5) + 1e-15
    if fused:
        assert sweep(way, 1e5, 6.5e6, step) <= bound("float32", fused, 6.5e6) + 1e-15
    # Beyond, with both signs: no number, or one that a sine could be; NaN for infinity and NaN.
    first, last = int(np.float32(6.5e6).view(np.uint32)), 2**31
    for start in range(first, last, step << 18):
        x = np.arange(start, min(start + (step << 18), last), step, np.uint32).view(np.float32)
        for s, c in (compiled("float32", 8, way)(x), compiled("float32", 8, way)(-x)):
            assert (np.isnan(s) == np.isnan(c)).all()
            assert not (np.abs([s, c]) > 1 + 1e-7).any()
            assert np.isnan(s[~np.isfinite(x)]).all()


def test_the_reference_of_the_sweep() -> None:
    """NumPy's sine and cosine of float32 angles, against mpmath."""
    x = np.random.default_rng(3).uniform(-6.5e6, 6.5e6, 300).astype(np.float32).astype(np.float64)
    with mpmath.workprec(120):
        for v in x:
            assert abs(mpmath.sin(mpmath.mpf(float(v))) - np.sin(v)) < 1e-15
            assert abs(mpmath.cos(mpmath.mpf(float(v))) - np.cos(v)) < 1e-15
