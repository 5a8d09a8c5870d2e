"""sincos: the emitted IR, run for every number of lanes with and without FMA, against mpmath."""

from __future__ import annotations

import re

import llvmlite.binding as llvm
import mpmath
import numpy as np
import pytest
from mpmath import mpf

from conftest import WHOLE_SWEEPS
from equamo.code.jit import sincos
from equamo.errors import UnknownNameError
from sincos_code import (
    HOST,
    LANES,
    TYPES,
    WAYS,
    angles,
    compiled,
    machine,
    quarters,
    script,
    text,
    truth,
    worst,
)  # fmt: skip

ABSOLUTE = {"float64": 1.8e-16, "float32": 1e-7}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", TYPES)
def test_absolute_error(dtype: str, lanes: int, way: str) -> None:
    s, c = compiled(dtype, lanes, way)(angles(dtype))
    assert worst(s, [right for right, _ in truth(dtype)]) < ABSOLUTE[dtype]
    assert worst(c, [right for _, right in truth(dtype)]) < ABSOLUTE[dtype]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("dtype", "last", "bound"),
    [
        ("float64", 4, 1e-15),
        ("float64", 100, 2e-12),
        ("float64", 63662, 2e-11),
        ("float32", 100, 5e-6),
    ],
)
def test_relative_error_at_the_zeros(dtype: str, last: int, bound: float, way: str) -> None:
    k = np.arange(1, last + 1)
    if last > 1000 and not WHOLE_SWEEPS:  # k = 58285 is among the worst
        k = np.append(np.random.default_rng(7).choice(k, 2000), 58285)
    x = quarters(dtype, k)
    with mpmath.workprec(200):
        zero = [
            (mpmath.cos if i % 2 else mpmath.sin)(mpf(float(v))) for i, v in zip(k, x, strict=True)
        ]
    s, c = compiled(dtype, 4, way)(x)
    assert worst(np.where(k % 2, c, s), zero, relative=True) < bound


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", TYPES)
def test_tiny_and_special(dtype: str, lanes: int, way: str) -> None:
    about = np.finfo(dtype)
    tiny = np.array([0, about.smallest_subnormal, about.tiny / 3, about.tiny, about.eps / 9], dtype)
    tiny = np.concatenate([tiny, -tiny])
    s, c = compiled(dtype, lanes, way)(tiny)
    assert (s == tiny).all()
    assert (c == 1).all()
    # NaN and infinity spoil their own lane only.
    bad = np.array([0.5, np.nan, 0.5, np.inf, 0.5, -np.inf, 0.5, 0.5], dtype)
    for values, right in zip(
        compiled(dtype, lanes, way)(bad), (np.sin(0.5), np.cos(0.5)), strict=True
    ):
        assert (np.isnan(values) == ~np.isfinite(bad)).all()
        assert np.allclose(values[np.isfinite(bad)], right, rtol=1e-6, atol=0)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", TYPES)
def test_huge_angles_are_bounded_or_nan(dtype: str, lanes: int, way: str) -> None:
    largest = float(np.finfo(dtype).max)
    x = 10 ** np.random.default_rng(8).uniform(4, np.log10(largest), 20_000)
    x = np.concatenate([x, 2 ** np.random.default_rng(9).uniform(15, 60, 20_000), [largest]])
    x = np.concatenate([x, -x]).astype(dtype)
    s, c = compiled(dtype, lanes, way)(x)
    assert (np.isnan(s) == np.isnan(c)).all()
    known = ~np.isnan(s)
    assert np.abs([s[known], c[known]]).max() <= 1 + 1e-7
    last = 3.5e15 if dtype == "float64" else 6.5e6
    assert known[np.abs(x) < last].all()
    assert not known[np.abs(x) > 4.1 * last].any()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", TYPES)
def test_every_lane_computes_the_same(dtype: str, way: str) -> None:
    x = angles(dtype)
    one = compiled(dtype, 1, way)(x)
    for lanes in LANES[1:]:
        assert np.array_equal(compiled(dtype, lanes, way)(x), one)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", TYPES)
def test_no_branch_no_call_no_fast_math(dtype: str, lanes: int, way: str) -> None:
    module = llvm.parse_assembly(text(dtype, lanes, way))
    assembly = machine(way).emit_assembly(module)
    function = assembly.split(f"\nsincos_{dtype}x{lanes}:")[1].split("\nloop:")[0]
    assert not re.findall(r"^\s+(?:call|j[a-z]+|bl?|b\.[a-z]+|cbn?z|tbn?z)\s.*", function, re.M)
    if "fma" in HOST:  # the two ways are really different code
        assert bool(HOST["fma"] and way != "apart") == ("vfmadd" in function)
        if way == "fused":  # and no multiply-add is taken apart, as the proved bound has it
            emitted = sincos.emit("%x", "%s", "%c", lambda: "%n", dtype, lanes, True)
            single = re.findall(r"\bvf(?:n?m)(?:add|sub)\d+p[ds]", function)
            per_register = len(single) / sum("@llvm.fm" in line for line in emitted)
            assert per_register in (1, 2, 4)
    assert not re.search(
        r"\b(fast|nnan|ninf|nsz|arcp|contract|afn|reassoc)\b", text(dtype, lanes, way)
    )


@pytest.mark.parametrize("dtype", TYPES)
def test_parts_of_half_pi(dtype: str) -> None:
    """k·part is exact for every k allowed, the sum is π/2, and scaled nothing is subnormal."""
    of = sincos.numbers(dtype)
    with mpmath.workprec(300):
        for parts in (of.parts, of.fused_parts):
            left = abs(sum(map(mpf, parts)) - mpmath.pi / 2)
            assert left < mpf(2) ** (-105 if dtype == "float64" else -47)
    largest = 2**20 if dtype == "float64" else 2**16
    for part in of.parts[:-1]:
        numerator, _ = part.as_integer_ratio()
        odd = numerator // (numerator & -numerator)
        assert odd.bit_length() + largest.bit_length() - 1 <= of.digits
    smallest = float(np.finfo(dtype).tiny)
    for fused in (False, True):
        assert all(abs(v) >= smallest for v in of.table(fused) if v)
        assert all(float(np.dtype(dtype).type(v)) == v for v in of.table(fused))


@pytest.mark.parametrize("dtype", TYPES if WHOLE_SWEEPS else ["float32"])
def test_numbers_are_those_of_the_script(dtype: str) -> None:
    computed = getattr(script("sincos_polynomials"), dtype)()
    of = sincos.numbers(dtype)
    assert computed == {name: list(getattr(of, name)) for name in computed}


@pytest.mark.parametrize(("dtype", "bound"), [("float64", 4e-18), ("float32", 5e-9)])
def test_polynomials_are_near_sine_and_cosine(dtype: str, bound: float) -> None:
    of = sincos.numbers(dtype)
    with mpmath.workprec(160):
        for i in range(1, 400):
            r = mpmath.pi / 4 * i / 399
            s = r + r**3 * mpmath.polyval([mpf(c) for c in reversed(of.sine)], r**2)
            c = 1 + r**2 * mpmath.polyval([mpf(c) for c in reversed(of.cosine)], r**2)
            assert abs(s / mpmath.sin(r) - 1) < bound
            assert abs(c - mpmath.cos(r)) < bound


def test_unknown_type() -> None:
    with pytest.raises(UnknownNameError, match=r"float16.*float64, float32"):
        sincos.emit("%x", "%s", "%c", str, "float16", 4)
