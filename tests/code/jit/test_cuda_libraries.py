"""Arrays of PyTorch, CuPy and JAX on a GPU, with modules that only look like them."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cuda_setting import Setting, gpu
from equamo.code.jit.cuda.arrays import DeviceArray
from equamo.code.jit.cuda.device import device
from equamo.code.jit.cuda.libraries import library_of
from equamo.errors import DeviceError, EvaluationError

__all__ = ["gpu"]


class FullError(Exception):
    """What the libraries raise without memory."""


def like_torch(place: Any, **changes: Any) -> Any:
    """A tensor that is a DeviceArray."""

    class Tensor:
        def __init__(self, array: DeviceArray, strides: Any = None) -> None:
            view = array.view
            self.array, self.shape, self._strides = array, view.shape, strides or view.strides
            self.dtype, self.is_cuda, self.requires_grad = view.dtype, True, False
            self.device = SimpleNamespace(index=0)
            self.__dict__.update(changes)

        def data_ptr(self) -> int:
            return self.array.memory.pointer

        def stride(self) -> Any:
            return tuple(s // self.element_size() for s in self._strides)

        def element_size(self) -> int:
            return self.array.dtype.itemsize

        def movedim(self, old: int, new: int) -> Any:
            found = Tensor(self.array, (self._strides[-1], *self._strides[:-1]))
            found.shape = (self.shape[-1], *self.shape[:-1])
            return found

        def cpu(self) -> Any:
            return SimpleNamespace(numpy=self.array.to_numpy)

    Tensor.__module__ = "torch"
    return Tensor(place) if isinstance(place, DeviceArray) else Tensor


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module in the place of torch."""
    module: Any = ModuleType("torch")
    module.float64, module.float32, module.OutOfMemoryError = "float64", "float32", FullError
    module.is_grad_enabled = lambda: True
    module.cuda = SimpleNamespace(current_stream=lambda k: SimpleNamespace(cuda_stream=7))
    make = like_torch(None)

    def empty(shape: Any, dtype: str, device: str) -> Any:
        assert device == "cuda:0"
        return make(new(shape, dtype))

    module.empty = empty
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


def new(shape: Any, dtype: str = "float64") -> DeviceArray:
    return DeviceArray(device(0), tuple(shape), dtype, "testing")


def test_torch(gpu: Any, torch: Any) -> None:
    s: Setting = gpu()
    x = s.states(1500)
    given = [like_torch(y) for y in s.on_device(*x)]
    found = s.call(s.compiled(), "inverse_dynamics", *given)
    assert type(found).__name__ == "Tensor"
    assert np.array_equal(found.array.to_numpy(), s.cpu.inverse_dynamics(*x))
    library = library_of(given[0])
    assert library is not None
    assert library.stream(device(0)) == 7
    mass = like_torch(s.on_device(np.linspace(1, 2, 1500))[0])
    found = s.call(s.compiled(), "inverse_dynamics", *given, values={"m1": mass})
    expected = s.cpu.inverse_dynamics(*x, values={"m1": np.linspace(1, 2, 1500)})
    assert np.array_equal(found.array.to_numpy(), expected)
    assert library_of(like_torch(given[0].array, is_cuda=False)) is None


def test_memory_of_a_result_belongs_to_the_stream_that_writes_it(gpu: Any, torch: Any) -> None:
    """Libraries give memory that work on the current stream may still read to that stream only."""
    s: Setting = gpu()
    given = [like_torch(y) for y in s.on_device(*s.states(1500))]
    current: list[Any] = [7]
    seen: list[Any] = []

    class Stream:
        def __init__(self, stream: int) -> None:
            self.stream = stream

        def __enter__(self) -> None:
            current.append(self.stream)

        def __exit__(self, *_: object) -> None:
            current.pop()

    def external(stream: int, device: int) -> int:
        assert device == 0
        return stream

    torch.cuda.ExternalStream, torch.cuda.stream = external, Stream
    empty = torch.empty

    def noted(*x: Any, **more: Any) -> Any:
        seen.append(current[-1])
        return empty(*x, **more)

    torch.empty = noted
    s.call(s.compiled(), "inverse_dynamics", *given, stream=9)
    s.call(s.compiled(), "inverse_dynamics", *given)
    assert seen == [9, 7]
    assert current == [7]


def test_columns_of_torch_give_columns(gpu: Any, torch: Any) -> None:
    s: Setting = gpu()
    x = s.states(1500)
    turned = [like_torch(y).movedim(-1, 0) for y in s.on_device(*(y.T.copy() for y in x))]
    found = s.call(s.compiled(), "inverse_dynamics", *turned)
    assert found.shape == (1500, 2)
    assert found.stride() == (1, 1500)
    assert np.array_equal(found.array.to_numpy().T, s.cpu.inverse_dynamics(*x))


def test_tensors_that_cannot_be_used(gpu: Any, torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    s: Setting = gpu()
    q, v, vdot = s.on_device(*s.states(1500))
    f = s.compiled().inverse_dynamics
    with pytest.raises(EvaluationError, match="must not require a gradient"):
        f(like_torch(q, requires_grad=True), v, vdot)
    with pytest.raises(EvaluationError, match="dtype float32 or float64, got half"):
        f(like_torch(q, dtype="half"), v, vdot)

    def full(*_: Any, **__: Any) -> Any:
        raise FullError

    torch.empty = full
    with pytest.raises(DeviceError, match="GiB are free"):
        f(like_torch(q), v, vdot)


def test_cupy(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    s: Setting = gpu()
    module: Any = ModuleType("cupy")

    class Array:
        def __init__(self, array: DeviceArray) -> None:
            self.array, self.shape, self.dtype = array, array.shape, array.dtype
            self.strides, self.device = array.view.strides, SimpleNamespace(id=0)
            self.data = SimpleNamespace(ptr=array.memory.pointer)

        def get(self) -> Any:
            return self.array.to_numpy()

    class Place:
        def __init__(self, ordinal: int) -> None: ...

        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None: ...

    Array.__module__ = "cupy"
    memory = SimpleNamespace(OutOfMemoryError=FullError)
    stream = SimpleNamespace(ptr=0)
    module.cuda = SimpleNamespace(
        Device=Place, memory=memory, get_current_stream=lambda: stream,
        ExternalStream=lambda pointer, ordinal: streams.append(pointer) or Place(ordinal),
    )  # fmt: skip
    streams: list[int] = []
    module.empty = lambda shape, dtype: Array(new(shape, dtype))
    monkeypatch.setitem(sys.modules, "cupy", module)
    x = s.states(1500)
    given = [Array(y) for y in s.on_device(*x)]
    found = s.call(s.compiled(), "inverse_dynamics", *given)
    assert np.array_equal(found.get(), s.cpu.inverse_dynamics(*x))
    mass = Array(s.on_device(np.linspace(1, 2, 1500))[0])
    found = s.call(s.compiled(), "inverse_dynamics", *given, values={"m1": mass})
    assert found.shape == (1500, 2)
    s.call(s.compiled(), "inverse_dynamics", *given, stream=9)
    assert streams == [9]
    given[0].dtype = np.dtype("int64")
    with pytest.raises(EvaluationError, match="float32 or float64, got int64"):
        s.call(s.compiled(), "inverse_dynamics", *given)
    given[0].dtype = np.dtype("float64")

    def full(*_: Any) -> Any:
        raise FullError

    module.empty = full
    with pytest.raises(DeviceError, match="GiB are free"):
        s.call(s.compiled(), "inverse_dynamics", *given)


def test_jax(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    s: Setting = gpu()

    class Array:
        def __init__(self, array: DeviceArray, platform: str = "gpu") -> None:
            self.array, self.platform, self.waited = array, platform, 0

        @property
        def __cuda_array_interface__(self) -> Any:
            return self.array.__cuda_array_interface__

        def block_until_ready(self) -> Any:
            self.waited += 1
            return self

        def devices(self) -> Any:
            return [SimpleNamespace(platform=self.platform)]

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return self.array.to_numpy()

    Array.__module__ = "jaxlib.xla"
    module: Any = ModuleType("jax.dlpack")
    module.from_dlpack = Array
    monkeypatch.setitem(sys.modules, "jax", ModuleType("jax"))
    monkeypatch.setitem(sys.modules, "jax.dlpack", module)
    x = s.states(1500)
    given = [Array(y) for y in s.on_device(*x)]
    found = s.call(s.compiled(), "inverse_dynamics", *given)
    assert isinstance(found, Array)
    assert np.array_equal(np.asarray(found), s.cpu.inverse_dynamics(*x))
    assert [y.waited for y in given] == [1, 1, 1]
    mass = Array(s.on_device(np.linspace(1, 2, 1500))[0])
    s.call(s.compiled(), "inverse_dynamics", *given, values={"m1": mass})
    assert library_of(Array(given[0].array, "cpu")) is None
    with pytest.raises(EvaluationError, match="must not be a JAX array, which is immutable"):
        s.call(s.compiled(), "inverse_dynamics", *given, out=found)
