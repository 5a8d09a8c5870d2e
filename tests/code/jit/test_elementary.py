"""exp, log, tanh, asin, acos, atan and atan2 as GPUs compute them, run here, against mpmath."""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest

import equamo as eq
from equamo.code.ir.program import DTYPES, Dtype
from equamo.code.jit import engine
from equamo.code.jit.cuda import elementary
from equamo.code.jit.cuda.layout import chosen, sizes_of
from equamo.code.jit.cuda.proof import prove_thread
from equamo.code.jit.cuda.ptx import ptx
from equamo.code.jit.cuda.thread import thread_ir
from equamo.code.jit.llvm import LIBM

MOST = {"exp": 1.0, "log": 1.0, "atan": 1.0, "atan2": 1.0, "tanh": 2.0, "asin": 2.0, "acos": 2.0}
NUMPY: dict[str, Any] = {
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
}
LOOP = """
define void @loop(ptr %x, ptr %y, ptr %z, i64 %n) {{
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %px = getelementptr {T}, ptr %x, i64 %i
  %py = getelementptr {T}, ptr %y, i64 %i
  %pz = getelementptr {T}, ptr %z, i64 %i
  %v = load {T}, ptr %px
  %w = load {T}, ptr %py
  %r = call {T} @{name}({given})
  store {T} %r, ptr %pz
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}}"""


@cache
def compiled(function: str, dtype: Dtype) -> tuple[Any, Callable[..., None]]:
    T = "double" if dtype == "float64" else "float"
    given = f"{T} %v, {T} %w" if function == "atan2" else f"{T} %v"
    loop = LOOP.format(T=T, name=elementary.name_of(function, dtype), given=given)
    parts = [*elementary.declarations(dtype), *elementary.definitions(function, dtype), loop]
    loaded = engine.load(engine.object_code("\n".join(parts)))
    pointer = ctypes.c_void_p
    kind = ctypes.CFUNCTYPE(None, pointer, pointer, pointer, ctypes.c_int64)
    return loaded, kind(loaded.address("loop"))


def run(function: str, dtype: Dtype, x: np.ndarray, y: np.ndarray | None = None) -> np.ndarray:
    x = np.ascontiguousarray(x, dtype)
    y = x if y is None else np.ascontiguousarray(y, dtype)
    z = np.empty_like(x)
    compiled(function, dtype)[1](x.ctypes.data, y.ctypes.data, z.ctypes.data, len(x))
    return z


def arguments(function: str, dtype: Dtype, count: int) -> list[np.ndarray]:
    """Numbers of all sizes, and many where the function varies."""
    rng = np.random.default_rng(3)
    wide = dtype == "float64"
    last = 1000 if wide else 120

    def sizes(low: float, high: float) -> np.ndarray:
        return np.exp2(rng.uniform(low, high, count)) * rng.choice([-1, 1], count)

    near_one = 1 - abs(sizes(-50 if wide else -22, -1))
    match function:
        case "exp":
            return [np.r_[rng.uniform(*((-700, 709) if wide else (-80, 88)), count), sizes(-60, 5)]]
        case "log":
            return [abs(np.r_[sizes(-last, last), rng.uniform(0.5, 2, count), near_one])]
        case "asin" | "acos":
            return [np.r_[rng.uniform(-1, 1, count), rng.uniform(0.1, 0.2, count), near_one]]
        case "atan2":
            one = np.r_[rng.normal(size=count), sizes(-20, 20), sizes(-last, last)]
            return [one, np.r_[rng.normal(size=count), sizes(-20, 20), sizes(-last, last)]]
        case _:
            return [np.r_[sizes(-60, 8), rng.uniform(-3, 3, count)]]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", LIBM)
def test_errors_are_small(function: str, dtype: Dtype, whole_sweeps: bool) -> None:
    x = [y.astype(dtype) for y in arguments(function, dtype, 10_000 if whole_sweeps else 150)]
    found = run(function, dtype, *x)
    with mpmath.workprec(160):
        f = getattr(mpmath, function)
        for *given, z in zip(*x, found, strict=True):
            exact = f(*(mpmath.mpf(float(y)) for y in given))
            unit = np.spacing(np.abs(np.array(float(exact)).astype(dtype)))
            error = abs(mpmath.mpf(float(z)) - exact) / mpmath.mpf(float(unit))
            assert error <= MOST[function], given


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", LIBM)
def test_special_numbers_are_those_of_c(function: str, dtype: Dtype) -> None:
    tiny, large = (1e-310, 1.7e308) if dtype == "float64" else (1e-40, 3e38)
    least = np.finfo(dtype).smallest_subnormal
    inf = np.inf
    x = np.array([0, -0.0, 1, -1, 2, -2, inf, -inf, np.nan, least, tiny, -tiny, large, 800, -800])
    x = x.astype(dtype)
    given = [x] if function != "atan2" else [y.ravel() for y in np.meshgrid(x, x)]
    with np.errstate(all="ignore"):
        expected = NUMPY.get(function, getattr(np, function, None))(*given)
    found = run(function, dtype, *given)
    np.testing.assert_allclose(found, expected, rtol=1e-14 if dtype == "float64" else 1e-6)
    known = ~np.isnan(expected)
    assert (np.signbit(found) == np.signbit(expected))[known].all()


def test_exp_underflows_step_by_step() -> None:
    x = np.linspace(-745.2, -708, 200)
    np.testing.assert_allclose(run("exp", "float64", x), np.exp(x), rtol=1e-15, atol=5e-324)
    assert run("exp", "float64", np.array([-746.0, 709.8])).tolist() == [0, np.inf]


def program() -> Any:
    text = "tanh(q1) + exp(q2)*log(q1) + asin(q1)*acos(q2) + atan(q1)*atan2(q1, q2)"
    eom = eq.derive(eq.load("rr_arm"))
    return eq.compile(eom, functions={"soft": eq.parse(text)}).function("soft").program


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_kernel_calls_them_and_is_proved(dtype: Dtype) -> None:
    p = program()
    layout = chosen(("strided",) * len(sizes_of(p)), sizes_of(p), dtype)
    text = thread_ir(p, layout)
    assert prove_thread(p, text, layout).verdict == "proved"
    end = "" if dtype == "float64" else "f"
    T = layout.element
    wrong = text.replace(f"call {T} @equamo_exp{end}(", f"call {T} @equamo_log{end}(")
    assert prove_thread(p, wrong, layout).verdict == "refuted"
    changed = text.replace(" fdiv ", " fmul ", 1)  # in a function
    proof = prove_thread(p, changed, layout)
    assert "must be as emitted" in proof.reason
    made = ptx(p, layout, spill=True)
    assert ".extern" not in made
    assert made.count(".maxntid 64") == 1
    assert made.index(".maxntid") > made.index(".entry kernel(")
    assert not any(f" {op}.{kind} " in made for op in ("add", "mul") for kind in ("f64", "f32"))
