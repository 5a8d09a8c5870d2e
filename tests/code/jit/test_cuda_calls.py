"""Calls on a GPU, with a driver in the host's memory: arguments, arrays, sizes, errors, the cache."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import equamo as eq
from cuda_setting import gpu
from equamo.cli import doctor
from equamo.code.jit.cuda import driver as driver_module, launch, libraries
from equamo.code.jit.cuda.arrays import DeviceArray, View, by_dlpack, by_interface
from equamo.code.jit.cuda.device import device, device_of
from equamo.code.jit.cuda.driver import Driver
from equamo.code.jit.cuda.selftest import gpus, self_test
from equamo.errors import DeviceError, EquamoError, EvaluationError, UnknownNameError

__all__ = ["gpu"]


@pytest.mark.parametrize("count", [None, 0, 1, 7, 31, 33, 1024, 1025, 3000])
def test_arrays_in_the_hosts_memory(gpu: Any, count: int | None) -> None:
    s = gpu()
    x = s.states(count)
    for name, given in (("inverse_dynamics", x), ("mass_matrix", x[:1]), ("kinetic_energy", x[:2])):
        found = s.call(s.compiled(), name, *given)
        expected = getattr(s.cpu, name)(*given)
        assert np.array_equal(found, expected)
        assert np.shape(found) == np.shape(expected)
    single = s.call(s.compiled(), "inverse_dynamics", *(y.astype("float32") for y in x))
    assert single.dtype == np.float32


def test_small_batches_have_several_threads_per_state(
    gpu: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equamo.code.jit.cuda.code.SHORT", 10)  # rr_arm's program is long, then
    s = gpu()
    x = s.states(1025)
    s.call(s.compiled(), "forward_dynamics", *(y[:1024] for y in x))
    s.call(s.compiled(), "forward_dynamics", *x)
    (_, blocks, parts, threads, _), large = s.fake.launches
    assert (blocks, threads) == (32, 32)
    assert parts == 2
    assert large[1:4] == (17, 1, 64)


def test_arrays_on_the_device(gpu: Any) -> None:
    s = gpu()
    x = s.states(2000)
    found = s.call(s.compiled(), "inverse_dynamics", *s.on_device(*x))
    assert isinstance(found, DeviceArray)
    assert np.array_equal(found.to_numpy(), s.cpu.inverse_dynamics(*x))
    assert "on cuda:0 (Fake GPU)" in repr(found)
    # one state for all, in either memory
    q, v, vdot = s.on_device(*x)
    (one,) = s.on_device(x[0][3])
    for given in (one, x[0][3], list(x[0][3])):
        mixed = s.call(s.compiled(), "inverse_dynamics", given, v, vdot)
        assert np.array_equal(mixed.to_numpy(), s.cpu.inverse_dynamics(x[0][3], *x[1:]))
    alone = s.call(s.compiled(), "inverse_dynamics", *s.on_device(*(y[0] for y in x)))
    assert np.array_equal(alone, s.cpu.inverse_dynamics(*(y[0] for y in x)))
    (out,) = s.on_device(np.zeros((2000, 2)))
    assert s.call(s.compiled(), "inverse_dynamics", q, v, vdot, out=out) is out
    assert np.array_equal(out.to_numpy(), found.to_numpy())
    single = s.on_device(np.zeros(2))[0]
    s.call(s.compiled(), "inverse_dynamics", *s.on_device(*(y[0] for y in x)), out=single)
    assert np.array_equal(single.to_numpy(), alone)


def test_arrays_of_all_arguments(gpu: Any) -> None:
    """As bridges to other libraries call it: parameters are arrays of the device too."""
    s = gpu()
    x = s.states(1300)
    f = s.compiled().inverse_dynamics_derivatives
    s.fake.function = s.cpu.function("inverse_dynamics_derivatives")
    values = np.array(f.host.default("parameters", "float64"))
    values = values * np.random.default_rng(2).uniform(1, 2, (1300, 1))
    given = [*x, values]
    assert [*f.host.readers] == ["q", "v", "vdot", "parameters"]
    found = f.run_arrays(s.on_device(*given))
    expected = s.cpu.function(f.name).run_arrays(given)
    assert len(found) == len(expected) > 1
    for a, b in zip(found, expected, strict=True):
        assert np.array_equal(a.to_numpy(), b)


@pytest.mark.parametrize(("dtype", "item"), [("float64", 8), ("float32", 4)])
@pytest.mark.parametrize("call", ["all arguments", "state"])
def test_long_rows_are_stored_as_columns(
    gpu: Any, monkeypatch: pytest.MonkeyPatch, dtype: str, item: int, call: str
) -> None:
    """Results of more bytes than go through shared memory; rr_arm has 2 torques."""
    s = gpu()
    f = s.compiled().inverse_dynamics
    s.fake.function = s.cpu.function("inverse_dynamics")
    x = [y.astype(dtype) for y in s.states(5)]
    values = np.tile(np.array(f.host.default("parameters", dtype), dtype), (5, 1))
    asked: list[tuple[tuple[int, ...], str, bool]] = []
    made = libraries.Other.empty

    def empty(self: Any, place: Any, shape: tuple[int, ...], dtype: str, columns: bool) -> Any:
        asked.append((shape, dtype, columns))
        return made(self, place, shape, dtype, columns)

    monkeypatch.setattr(libraries.Other, "empty", empty)
    for most in (2 * item, 2 * item - 1):
        monkeypatch.setattr("equamo.code.jit.cuda.device_function.MOST_STAGED", most)
        f.run_arrays(s.on_device(*x, values)) if call == "all arguments" else f(*s.on_device(*x))
    assert asked == [((5, 2), dtype, False), ((5, 2), dtype, True)]


def test_arrays_of_other_libraries(gpu: Any) -> None:
    s = gpu()
    x = s.states(1500)
    views = s.on_device(*x)
    plain = [SimpleNamespace(__cuda_array_interface__=y.__cuda_array_interface__) for y in views]

    class Capsule:
        def __init__(self, array: DeviceArray) -> None:
            self.array = array

        def __dlpack__(self, stream: int) -> Any:
            assert stream == 1
            return self.array.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.array.__dlpack_device__()

    for given in (plain, [Capsule(y) for y in views]):
        found = s.call(s.compiled(), "inverse_dynamics", *given)
        assert np.array_equal(found.to_numpy(), s.cpu.inverse_dynamics(*x))
    back = by_dlpack(Capsule(views[0]), 0)
    assert (back.shape, back.strides, back.dtype) == ((1500, 2), (16, 8), "float64")
    assert device_of(views[0].memory.pointer) == 0


def test_columns_and_strides(gpu: Any) -> None:
    s = gpu()
    x = s.states(1500)
    stored = s.on_device(*(y.T.copy() for y in x))
    columns = [interface(y.memory.pointer, (1500, 2), (8, 12000)) for y in stored]
    found = s.call(s.compiled(), "inverse_dynamics", *columns)
    assert np.array_equal(found.to_numpy(), s.cpu.inverse_dynamics(*x))
    every = [interface(y.memory.pointer, (500, 2), (24, 12000)) for y in stored]
    found = s.call(s.compiled(), "inverse_dynamics", *every)
    assert np.array_equal(found.to_numpy(), s.cpu.inverse_dynamics(*(y[::3] for y in x)))


def interface(pointer: int, shape: tuple[int, ...], strides: Any, kind: str = "<f8") -> Any:
    data = {"shape": shape, "strides": strides, "typestr": kind, "data": (pointer, False)}
    return SimpleNamespace(__cuda_array_interface__=data)


def test_parameters_of_each_state(gpu: Any) -> None:
    s = gpu()
    x = s.states(1500)
    mass = np.linspace(1, 2, 1500)
    (own,) = s.on_device(mass)
    for given in (x, s.on_device(*x)):
        for values in ({"m1": 2.5}, {"m1": mass, "g": 3}):
            found = s.call(s.compiled(), "inverse_dynamics", *given, values=values)
            expected = s.cpu.inverse_dynamics(*x, values=values)
            found = found.to_numpy() if isinstance(found, DeviceArray) else found
            assert np.array_equal(found, expected)
    found = s.call(s.compiled(), "inverse_dynamics", *s.on_device(*x), values={"m1": own})
    assert np.array_equal(found.to_numpy(), s.cpu.inverse_dynamics(*x, values={"m1": mass}))


def test_keywords_choose_other_functions(gpu: Any) -> None:
    s = gpu()
    x = s.states(1500)
    found = s.call(s.compiled(), "mass_matrix", x[0], packed=True)
    assert np.array_equal(found.dense(), s.cpu.mass_matrix(x[0]))
    s.fake.function = s.cpu.function("pose", "fore")
    assert np.array_equal(s.compiled().pose("fore", x[0]), s.cpu.pose("fore", x[0]))
    out = np.empty((1500, 2))
    assert s.call(s.compiled(), "inverse_dynamics", *x, out=out) is out
    assert np.array_equal(out, s.cpu.inverse_dynamics(*x))


def test_wrong_arguments_are_refused(gpu: Any) -> None:
    s = gpu()
    x = s.states(1500)
    q, v, vdot = s.on_device(*x)
    f = s.compiled().inverse_dynamics
    (single,) = s.on_device(x[0].astype("float32"))
    (short,) = s.on_device(x[0][:5])
    (wide,) = s.on_device(np.zeros((1500, 3)))
    pointer = q.memory.pointer
    wrong = [
        (lambda: f(x[0], v, vdot), "must be on cuda:0"),
        (lambda: f(single, v, vdot), "must have the same dtype"),
        (lambda: f(short, v, vdot), "must have the same size"),
        (lambda: f(wide, v, vdot), "must have shape"),
        (lambda: f(q, v, vdot, out=np.zeros((1500, 2))), "out must be an array"),
        (lambda: f(q, v, vdot, out=wide), "out must be an array"),
        (lambda: f(q, v, vdot, out=vdot), "must not overlap vdot"),
        (lambda: f(interface(pointer, (1500, 2), None, "<i8"), v, vdot), "float32 or float64"),
        (lambda: f(*x, tune=True), "with tune=True, at least one argument must be on"),
        (
            lambda: f(q, v, vdot, values={"m1": interface(pointer, (750,), (16,))}),
            "must be contiguous",
        ),
    ]
    for action, message in wrong:
        with pytest.raises(EvaluationError, match=message):
            action()
    with pytest.raises(EvaluationError, match="must have dtype float32"):
        s.compiled(dtype="float32").inverse_dynamics(q, v, vdot)
    derivatives = s.compiled().inverse_dynamics_derivatives
    with pytest.raises(EvaluationError, match="tuple of 3 arrays"):
        derivatives(q, v, vdot, out=(q,))
    (cube,) = s.on_device(np.zeros((1500, 2, 2)))
    turned = interface(cube.memory.pointer, (1500, 2, 2), (32, 8, 16))
    with pytest.raises(EvaluationError, match="one common stride"):
        s.compiled().mass_matrix(q, out=turned)


def test_an_array_of_another_device_is_refused(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    s = gpu(devices=2)
    q, v, vdot = s.on_device(*s.states(1500))
    f = eq.compile(s.eom, device="cuda:1").inverse_dynamics
    with pytest.raises(EvaluationError, match=r"must be on cuda:1.*on cuda:0"):
        f(q, v, vdot)


def test_whole_numbers_are_refused_by_dlpack(gpu: Any) -> None:
    s = gpu()

    class Whole:
        def __dlpack__(self, stream: int) -> Any:
            return np.arange(3).__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return 2, 0

    x = s.on_device(*s.states(1500))
    with pytest.raises(EvaluationError, match="float32 or float64, got DLPack type 0"):
        s.compiled().inverse_dynamics(Whole(), *x[1:])


def test_a_parameter_without_a_value_is_named(gpu: Any) -> None:
    rod = eq.Body("rod", eq.revolute("q1", axis="x"), mass="m", com="0 0 l", inertia="I I 0")
    s = gpu(eq.derive(eq.Robot("pendulum", [rod])))
    with pytest.raises(EvaluationError, match="no value for"):
        s.compiled().inverse_dynamics(*s.states(5))


def test_out_of_memory_is_an_error_and_nothing_stays(gpu: Any) -> None:
    s = gpu(limit=100_000)
    x = s.states(5000)
    with pytest.raises(DeviceError, match=r"CUDA_ERROR_OUT_OF_MEMORY.*smaller batches") as caught:
        s.call(s.compiled(), "inverse_dynamics", *x)
    assert caught.value.code == 2
    found = s.call(s.compiled(), "inverse_dynamics", *(y[:50] for y in x))
    assert np.array_equal(found, s.cpu.inverse_dynamics(*(y[:50] for y in x)))
    del caught
    assert s.fake.used <= 100_000
    error = libraries.out_of_memory((5,), "float64", device(0))
    assert "GiB are free" in str(error)


def test_failed_launches_and_translations_are_reported(gpu: Any) -> None:
    s = gpu()
    x = s.states(5)
    s.fake.fail = {"cuLaunchKernel": 719}
    with pytest.raises(DeviceError, match=r"inverse_dynamics of 5 states on cuda:0.*error 719"):
        s.call(s.compiled(), "inverse_dynamics", *x)
    s.fake.fail = {"cuModuleLoadDataEx": 218}
    with pytest.raises(DeviceError, match="translating inverse_dynamics"):
        s.call(s.compiled(cache=False), "inverse_dynamics", *x)
    many = launch.Arrays((), (), (), "float64", launch.MOST_STATES + 1)
    image: Any = SimpleNamespace(device=None, function="f")
    with pytest.raises(EvaluationError, match="at most"):
        launch.launch(image, many, None, 0)  # type: ignore[arg-type]


def test_a_driver_that_cannot_spill_to_shared_memory(gpu: Any) -> None:
    s = gpu()
    s.fake.spills = False
    x = s.states(2000)
    assert np.array_equal(
        s.call(s.compiled(cache=False), "inverse_dynamics", *x), s.cpu.inverse_dynamics(*x)
    )
    assert b".pragma" not in s.fake.texts[-1]


def test_kernels_are_cached(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    s = gpu()
    x = s.states(2000)
    s.call(s.compiled(), "inverse_dynamics", *x)
    monkeypatch.setattr("equamo.code.jit.cuda.code.translated", None)  # must not be called
    assert np.array_equal(s.call(s.compiled(), "inverse_dynamics", *x), s.cpu.inverse_dynamics(*x))


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, gpu: Any) -> None:
    driver_module.driver.cache_clear()
    monkeypatch.setattr("ctypes.CDLL", lambda name: (_ for _ in ()).throw(OSError(name)))
    with pytest.raises(DeviceError, match=r"needs an NVIDIA GPU and its driver.*was not found"):
        driver_module.driver()
    with pytest.raises(DeviceError, match="must have the function cuInit"):
        Driver(SimpleNamespace())
    with pytest.raises(UnknownNameError, match="Unknown device 'gpu'"):
        eq.compile(eq.derive(eq.load("rr_arm")), device="gpu")
    with pytest.raises(EquamoError, match="lanes, threads and cpu must be left out"):
        eq.compile(eq.derive(eq.load("rr_arm")), device="cuda", lanes=4)
    s = gpu()
    with pytest.raises(DeviceError, match="must be below 1"):
        eq.compile(s.eom, device="cuda:3")


def test_doctor_shows_gpus(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    s = gpu()
    s.fake.function = s.cpu.function("inverse_dynamics")
    (line,) = gpus()
    assert line.startswith("Fake GPU, compute capability 9.0, CUDA 13.0")
    assert doctor.gpu_lines() == [(line, "green")]
    assert line.endswith("self-test passed")
    s.fake.fail = {"cuLaunchKernel": 719}
    assert self_test(0).startswith("self-test failed: CUDA")
    assert doctor.gpu_lines()[0][1] == "bold red"
    s.fake.fail = {"cuDeviceGetCount": 100}
    assert doctor.gpu_lines()[0][0].startswith("none: CUDA: counting devices")


def test_a_view_of_an_interface_without_strides(gpu: Any) -> None:
    s = gpu()
    (x,) = s.on_device(np.zeros((4, 2)))
    view = by_interface(x)
    assert (view.strides, view.is_rows, view.is_columns) == ((16, 8), True, False)
    assert view.overlaps(view)
    assert "on cuda:0" in repr(s.compiled().inverse_dynamics)


def test_work_on_another_stream_is_waited_for(gpu: Any) -> None:
    """Streams that do not wait for the default one would read a result before it is written."""
    s = gpu()
    waits: list[int] = []
    s.fake.cuStreamSynchronize.action = waits.append
    x = s.on_device(*s.states(5))
    waits.clear()
    y = s.call(s.compiled(), "inverse_dynamics", *x, stream=9)
    assert (waits, y.pending, y.__cuda_array_interface__["stream"]) == ([], 9, 9)
    s.call(s.compiled(), "inverse_dynamics", x[0], x[1], y, stream=9)
    y.__dlpack__(stream=9)
    y.__dlpack__(stream=-1)
    assert waits == []
    again = s.call(s.compiled(), "inverse_dynamics", x[0], x[1], y)
    assert waits == [9]
    assert again.__cuda_array_interface__["stream"] == 1
    assert x[0].__cuda_array_interface__["stream"] is None
    y.__dlpack__()
    assert waits == [9, 9]
    y.to_numpy()
    assert waits[2:] == [9, 0]

    class Foreign:
        __cuda_array_interface__ = y.__cuda_array_interface__

    waits.clear()
    by_interface(Foreign(), 9)
    assert waits == []
    by_interface(Foreign(), 4)
    assert waits == [9]
    out = s.on_device(np.zeros((5, 2)))[0]
    s.call(s.compiled(), "inverse_dynamics", *x, out=out, stream=9)
    assert out.pending == 9


@pytest.mark.parametrize("count", [None, 40])
def test_out_is_checked_before_the_kernel_runs(gpu: Any, count: int | None) -> None:
    """Arguments in host memory: nothing is uploaded or launched for an array that does not fit."""
    s = gpu()
    x = s.states(count)
    shape = s.cpu.inverse_dynamics(*x).shape
    read_only = np.empty(shape)
    read_only.flags.writeable = False
    wrong = [np.empty((3, 3)), np.empty(shape, "float32"), read_only, [0.0, 0.0], 3]
    for out in wrong:
        with pytest.raises(EvaluationError, match="out must be a writeable array of shape"):
            s.call(s.compiled(), "inverse_dynamics", *x, out=out)
    for out in (np.empty(shape), (np.empty(shape),), 3):
        with pytest.raises(EvaluationError, match="out must be a tuple of 3 arrays"):
            s.call(s.compiled(), "inverse_dynamics_derivatives", *x, out=out)
    for out in (np.empty(shape), 3):
        with pytest.raises(EvaluationError, match="out must be a tuple of 3 arrays"):
            s.call(s.compiled(), "inverse_dynamics_derivatives", *s.on_device(*x), out=out)
    assert not s.fake.launches
    whole = tuple(np.empty(y.shape) for y in s.cpu.inverse_dynamics_derivatives(*x))
    assert s.call(s.compiled(), "inverse_dynamics_derivatives", *x, out=whole) is whole
    for found, y in zip(whole, s.cpu.inverse_dynamics_derivatives(*x), strict=True):
        assert np.array_equal(found, y)
    assert s.fake.launches


@pytest.mark.parametrize(("count", "access"), [(31, "strided"), (32, "rows"), (33, "rows")])
def test_rows_are_moved_together_from_a_whole_warp_on(count: int, access: str) -> None:
    x = View(0, (count, 2), (16, 8), "float64", 0)
    y = View(0, (count, 3), (24, 8), "float64", 0)
    arrays = launch.Arrays((x,), (y,), (2, 3), np.float64, count)
    assert arrays.layout(1, 32).access == (access, access)
