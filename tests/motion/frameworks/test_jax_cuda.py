"""Handlers of XLA for GPUs, called as XLA would, with a driver that is written here."""

from __future__ import annotations

import ctypes
from typing import Any

import jax
import jax.numpy as jnp
import pytest

import equamo as eq
from equamo.code.jit import engine
from equamo.code.jit.cuda.layout import MOST_STAGED
from equamo.code.jit.cuda.variants import SMALL, Variant
from equamo.motion.frameworks import jax_cuda, jax_primitive
from equamo.motion.frameworks.jax_cuda import (
    CALLS,
    Addresses,
    Call,
    Kernel,
    handler_ir,
    operands_shared,
)

P, U = ctypes.c_void_p, ctypes.c_uint
STREAM, CONTEXT = 77, 5
KERNELS = (Kernel(4, 40, 64, 1, 0), Kernel(CONTEXT, 50, 96, 1, 960), Kernel(6, 60, 128, 2, 0))


def call(name: str = "inverse_dynamics", batch: tuple[int, ...] = (3, 2), **options: Any) -> Call:
    function = eq.compile(eq.derive(eq.load(options.pop("robot", "rr_arm")))).function(name)
    shared = tuple(a.name == "parameters" for a in function.source.arguments)
    return Call(function, options.pop("dtype", "float64"), shared, batch)


class Driver:
    """Functions of the driver and of XLA as addresses; it keeps what they were called with."""

    def __init__(self, made: Call, codes: dict[str, int] | None = None, refuse: int = 0) -> None:
        self.made, self.codes, self.refuse = made, codes or {}, refuse
        self.calls: list[tuple[Any, ...]] = []
        self.message = b""
        kinds = {
            "cuStreamGetCtx": (ctypes.c_int, P, P),
            "cuCtxPushCurrent_v2": (ctypes.c_int, P),
            "cuLaunchKernel": (ctypes.c_int, P, U, U, U, U, U, U, U, P, ctypes.POINTER(P), P),
            "cuCtxPopCurrent_v2": (ctypes.c_int, P),
        }
        self.made_callable = [
            ctypes.CFUNCTYPE(*kinds[n])(lambda *x, n=n: self.called(n, *x)) for n in CALLS
        ]
        self.xla = [ctypes.CFUNCTYPE(P, P)(self.stream), ctypes.CFUNCTYPE(P, P)(self.error)]

    def called(self, name: str, *given: Any) -> int:
        if name == "cuStreamGetCtx":
            ctypes.c_uint64.from_address(given[1]).value = CONTEXT
        if name == "cuLaunchKernel":
            table = given[9]
            count = 1 + 3 * len(self.made.sizes)
            numbers = [ctypes.c_int64.from_address(table[i]).value for i in range(count)]
            given = (*given[:9], numbers)
        self.calls.append((name, *given))
        return self.codes.get(name, 0)

    def stream(self, place: int) -> int:
        assert ctypes.c_uint64.from_address(place).value == 32
        assert ctypes.c_uint64.from_address(place + 16).value == 11
        ctypes.c_uint64.from_address(place + 24).value = STREAM
        return self.refuse

    def error(self, place: int) -> int:
        assert ctypes.c_uint64.from_address(place).value == 28
        pointer = ctypes.c_uint64.from_address(place + 16).value
        self.message = ctypes.string_at(pointer)
        assert ctypes.c_int32.from_address(place + 24).value == 13
        return 999

    def run(
        self, kernels: tuple[Kernel, ...] = KERNELS, batch: tuple[int, ...] | None = None
    ) -> Any:
        """Call the handler with buffers of the shapes of the call."""
        made = self.made
        batch = made.batch if batch is None else batch
        address = [ctypes.cast(f, P).value or 0 for f in self.made_callable]
        text = handler_ir(made, Addresses(tuple(address), kernels))
        loaded = engine.load(engine.object_code(text))
        handler = ctypes.CFUNCTYPE(P, P)(loaded.address("handler"))
        api = (ctypes.c_uint64 * 32)()
        api[10], api[6] = (ctypes.cast(f, P).value or 0 for f in self.xla)
        n = len(made.shared)
        shapes = [
            (*((),) * s, k) if s else (*batch, k)
            for s, k in zip(made.shared, made.sizes, strict=False)
        ]
        shapes = [tuple(x for x in s if x != ()) for s in shapes]
        shapes += [(*batch, *y.shape) for y in made.function.results]
        kept: list[Any] = []
        for k, shape in enumerate(shapes):
            dims = (ctypes.c_int64 * len(shape))(*shape)
            buffer = (ctypes.c_uint64 * 6)(48, 0, 12, 1000 + k, len(shape), ctypes.addressof(dims))
            kept += [dims, buffer]
        buffers = [ctypes.addressof(x) for x in kept[1::2]]
        arguments, results = (
            (ctypes.c_uint64 * n)(*buffers[:n]),
            (ctypes.c_uint64 * 9)(*buffers[n:]),
        )
        frame = (ctypes.c_uint64 * 40)(0, 0, ctypes.addressof(api), 11, 3)
        frame[9], frame[14] = ctypes.addressof(arguments), ctypes.addressof(results)
        return handler(ctypes.addressof(frame))


def test_a_handler_launches_the_kernel_of_its_context_on_the_stream_of_xla() -> None:
    driver = Driver(call())
    assert driver.run() is None
    names = [x[0] for x in driver.calls]
    assert tuple(names) == CALLS
    _, kernel, *sizes, shared, stream, numbers = driver.calls[2]
    assert (kernel, stream, shared) == (50, STREAM, 960)
    assert sizes == [1, 1, 1, 96, 1, 1]
    assert driver.calls[1] == ("cuCtxPushCurrent_v2", CONTEXT)
    made = driver.made
    assert numbers[0] == 6
    for k, n in enumerate(made.sizes):
        shared = k < len(made.shared) and made.shared[k]
        assert numbers[1 + 3 * k : 4 + 3 * k] == [1000 + k, 0 if shared else 8 * n, 8]


def test_long_results_are_columns() -> None:
    made = call("forward_dynamics_derivatives", (100,), robot="iiwa")
    driver = Driver(made)
    small = Kernel(CONTEXT, 50, SMALL[0].threads, 8, 0)
    assert driver.run((small,), batch=(1000,)) is None
    assert MOST_STAGED >= 8 * 49
    assert made.columns == (False, False, False)
    wide = call("inverse_dynamics_derivatives", (100,), robot="iiwa", dtype="float64")
    assert wide.layouts == [(2, 1, 0)] * 3
    launch = next(x for x in driver.calls if x[0] == "cuLaunchKernel")
    assert launch[2:5] == (-(-1000 // SMALL[0].threads), 8, 1)


def test_an_empty_batch_calls_nothing() -> None:
    driver = Driver(call(batch=(0,)))
    assert driver.run() is None
    assert driver.calls == []


@pytest.mark.parametrize("name", [x for x in CALLS if "Pop" not in x])
def test_a_failure_becomes_an_error_of_xla(name: str) -> None:
    driver = Driver(call(), {name: 719})
    assert driver.run() == 999
    done = [*CALLS[: CALLS.index(name) + 1]]
    # What was pushed is popped, and nothing else.
    assert [x[0] for x in driver.calls] == done + [CALLS[-1]] * (name == "cuLaunchKernel")
    assert driver.message.decode() == (
        "inverse_dynamics: its kernel could not be launched: code 719 from the CUDA driver."
    )


def test_a_refusal_of_xla_is_passed_on() -> None:
    driver = Driver(call(), refuse=123)
    assert driver.run() == 123
    assert driver.calls == []


def test_an_operand_without_leading_dimensions_is_shared() -> None:
    assert operands_shared([(3, 2), (2,), (4, 3, 2)]) == (False, True, False)


def test_lowering_for_cuda_names_the_target_and_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Call] = []

    def name(x: Call) -> str:
        made.append(x)
        return "equamo_cuda_test"

    monkeypatch.setattr(jax_primitive, "cuda_target", name)
    arm = eq.compile(eq.derive(eq.load("rr_arm"))).to_jax()
    traced = jax.jit(jax.vmap(arm.inverse_dynamics)).trace(*(jnp.ones((5, 2), "float32"),) * 3)
    text = traced.lower(lowering_platforms=("cuda",)).as_text()
    assert "equamo_cuda_test" in text
    assert made[0].batch == (5,)
    assert made[0].dtype == "float32"
    assert made[0].shared[:3] == (False,) * 3


def test_a_target_is_registered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Place:
        context = CONTEXT

    class Code:
        parts, shared = 1, 0
        handle = 50
        device = Place

    fastest = [Variant()]
    registered: list[tuple[Any, ...]] = []
    monkeypatch.setattr(jax_cuda, "_devices", lambda: [0])
    monkeypatch.setattr(Call, "image", lambda self, n: (Code, self.layout(fastest[0]), fastest[0]))
    monkeypatch.setattr(jax_cuda, "driver", lambda: type("D", (), {"address": staticmethod(len)}))
    monkeypatch.setattr(
        jax.ffi, "register_ffi_target", lambda *x, platform: registered.append((*x, platform))
    )
    names = {jax_cuda.target(call(batch=b)) for b in ((3,), (4,), (2, 2))}
    assert len(names) == 1
    assert len(registered) == 1
    assert registered[0][-1] == "CUDA"
    assert jax_cuda.target(call("gravity")) not in names
    fastest[0] = Variant(constants=True)  # after a measurement; its layout is the same
    assert jax_cuda.target(call(batch=(3,))) not in names
