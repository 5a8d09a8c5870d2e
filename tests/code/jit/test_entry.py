"""The entry of a single-state call, in front of a kernel written by hand: y = p₀·(A x + u)."""

import contextlib
import gc
import inspect
import pickle
import sys
import tracemalloc
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from equamo.code.jit import engine
from equamo.code.jit.builtin import Binding, layout_is_known
from equamo.code.jit.entry import Signature, entry_ir
from equamo.code.jit.object_file import read

A = np.array([[1.0, 2.0, 3.0], [-4.0, 5.0, 0.5]])


def kernel(signature: Signature) -> str:
    """IR of the kernel with the arguments x (3), u (2), p (1) and the result y (2), or Σ y."""
    T = "double" if signature.dtype == "float64" else "float"
    lines = ["define void @kernel(ptr %args) {"]
    for k, length in enumerate((3, 2, 1)):
        lines += [
            f"  %at{k} = getelementptr ptr, ptr %args, i64 {k}",
            f"  %array{k} = load ptr, ptr %at{k}",
        ]
        for i in range(length):
            lines += [
                f"  %e{k}{i} = getelementptr {T}, ptr %array{k}, i64 {i}",
                f"  %a{k}{i} = load {T}, ptr %e{k}{i}",
            ]
    lines += ["  %at3 = getelementptr ptr, ptr %args, i64 3", "  %y = load ptr, ptr %at3"]
    for i, row in enumerate(A):
        total = f"%a1{i}"
        for j, x in enumerate(row):
            lines += [
                f"  %m{i}{j} = fmul {T} %a0{j}, {x:e}",
                f"  %s{i}{j} = fadd {T} {total}, %m{i}{j}",
            ]
            total = f"%s{i}{j}"
        lines.append(f"  %y{i} = fmul {T} {total}, %a20")
    if signature.shapes == ((),):
        lines += [f"  %sum = fadd {T} %y0, %y1", f"  store {T} %sum, ptr %y"]
    else:
        lines += [
            f"  store {T} %y0, ptr %y",
            f"  %second = getelementptr {T}, ptr %y, i64 1",
            f"  store {T} %y1, ptr %second",
        ]
    return "\n".join([*lines, "  ret void", "}", ""])


class General:
    """Where all calls go that are not the usual: it remembers them."""

    def __init__(self, signature: Signature) -> None:
        self.calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
        code = engine.object_code(kernel(signature) + entry_ir(signature))
        self.loaded = engine.load(code)
        addresses = self.loaded.address("entry"), self.loaded.address("bind")
        self.p = np.array([10.0], signature.dtype)
        doc = "f($self, x, u, *, out=None)\n--\n\nA x + u."
        self.binding = Binding(signature, addresses, [self.p], "f", doc)

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        self.calls.append((args, kwargs))
        if "raise" in kwargs:
            raise LookupError("from the general way")
        return "general"


def function(shape: tuple[int, ...] = (2,), dtype: str = "float64") -> tuple[Any, General]:
    signature = Signature((3, 2), 1, (shape,), dtype)
    general = General(signature)
    return general.binding.function(general), general


def states(dtype: str = "float64") -> tuple[Any, Any]:
    return np.array([0.5, -2.0, 4.0], dtype), np.array([100.0, 200.0], dtype)


@pytest.fixture(scope="module")
def made() -> tuple[Any, General]:
    return function()


def expected(x: Any, u: Any) -> Any:
    return 10 * (A @ x + u)


def test_arrays_have_their_fields_where_they_are_read() -> None:
    assert layout_is_known()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_plain_call_is_the_kernel(dtype: str) -> None:
    f, general = function((2,), dtype)
    x, u = states(dtype)
    y = f(x, u)
    assert type(y) is np.ndarray
    assert y.dtype == dtype
    assert y.flags.owndata
    np.testing.assert_array_equal(y, expected(x, u))
    assert f(x, u) is not y
    out = np.empty(2, dtype)
    assert f(x, u, out=out) is out
    np.testing.assert_array_equal(out, y)
    assert not general.calls


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_number_is_a_python_float(dtype: str) -> None:
    f, general = function((), dtype)
    x, u = states(dtype)
    assert type(f(x, u)) is float
    assert f(x, u) == expected(x, u).sum()
    assert not general.calls
    assert f(x, u, out=np.empty(())) == "general"


def test_arrays_of_many_origins_are_plain(made: tuple[Any, General]) -> None:
    f, general = made
    general.calls.clear()
    x, u = states()
    read_only = x.copy()
    read_only.flags.writeable = False
    middle = np.zeros(7)
    middle[2:5] = x
    for given in (
        pickle.loads(pickle.dumps(x)),  # with a dtype object of its own
        np.frombuffer(x.tobytes()),
        read_only,
        middle[2:5],
        np.repeat(x[:, None], 4, axis=1).T[1],
        x.astype(">f8").astype("=f8"),
        np.ndarray(3, buffer=bytearray(x.tobytes())),
    ):
        given = np.ascontiguousarray(given)
        np.testing.assert_array_equal(f(given, u), expected(x, u))
    assert not general.calls


class Subclass(np.ndarray):  # type: ignore[type-arg]
    pass


def test_anything_else_is_for_the_general_way(made: tuple[Any, General]) -> None:
    f, general = made
    x, u = states()
    unaligned = np.frombuffer(b"\0" + x.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    assert not unaligned.flags.aligned
    read_only = np.empty(2)
    read_only.flags.writeable = False
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((), {}), ((x,), {}), ((x, u, u), {}), ((u, x), {}), ((x, x), {}), ((x, None), {}),
        ((list(x), u), {}), ((x.astype("f4"), u), {}), ((x.astype(">f8"), u), {}),
        ((x.astype(int), u), {}), ((x.astype(complex), u), {}), ((x.astype(object), u), {}),
        ((np.zeros((4, 3)), np.zeros((4, 2))), {}), ((np.float64(1), u), {}),
        ((np.array(1.0), u), {}), ((np.zeros(6)[::2], u), {}), ((x[::-1], u), {}),
        ((as_strided(x, (3,), (0,)), u), {}), ((x.view(Subclass), u), {}), ((unaligned, u), {}),
        ((memoryview(x), u), {}), ((np.zeros(0), u), {}), ((x.view("M8[s]"), u), {}),
        ((x, u), {"values": {}}), ((x, u), {"out": None}), ((x,), {"u": u}),
        ((x, u), {"out": np.empty(3)}), ((x, u), {"out": np.empty((2, 1))}),
        ((x, u), {"out": np.empty(2, "f4")}), ((x, u), {"out": read_only}),
        ((x, u), {"out": np.empty(4)[::2]}), ((x, u), {"out": x[:2]}), ((x, u), {"out": u}),
        ((x, u), {"out": x[1:]}), ((x, u), {"out": np.empty(2).view(Subclass)}),
        ((x, u), {"out": np.empty(2), "values": {}}), ((x, u), {"Out": np.empty(2)}),
    ]  # fmt: skip
    for args, kwargs in calls:
        general.calls.clear()
        assert f(*args, **kwargs) == "general"
        [(seen, named)] = general.calls
        assert len(seen) == len(args)
        assert all(a is b for a, b in zip(seen, args, strict=True))
        assert named.keys() == kwargs.keys()
        assert all(named[k] is x for k, x in kwargs.items())


def test_errors_of_the_general_way_come_through(made: tuple[Any, General]) -> None:
    with pytest.raises(LookupError, match="general way"):
        made[0](**{"raise": 1})


def test_an_array_that_warns_when_written_to_is_not_written_to(made: tuple[Any, General]) -> None:
    f, _ = made
    x, u = states()
    _, out = np.broadcast_arrays(np.zeros((1, 2)), np.zeros(2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert f(x, u, out=out) == "general"


def test_not_a_number_in_not_a_number_out(made: tuple[Any, General]) -> None:
    x, _ = states()
    y = made[0](x, np.array([np.nan, 1.0]))
    assert np.isnan(y[0])
    assert y[1] == expected(x, np.array([0, 1.0]))[1]


def test_references_are_given_back(made: tuple[Any, General]) -> None:
    f, general = made
    x, u = states()
    out = np.empty(2)
    things = (x, u, out, general, general.p, np.empty, np.ndarray, np.dtype("f8"), None, "out", f)
    gc.collect()  # else garbage of other tests may be freed in between
    before = [sys.getrefcount(t) for t in things]
    for _ in range(1000):
        f(x, u)
        f(x, u, out=out)
        f(x, u, u)
        f(x, list(u))
        f(x, u, out=x[:2])
    general.calls.clear()
    after = [sys.getrefcount(t) for t in things]
    assert all(abs(a - b) < 50 for a, b in zip(after, before, strict=True)), (before, after)


@pytest.mark.linux
def test_memory_stays_flat(made: tuple[Any, General]) -> None:
    f, general = made
    x, u = states()
    out = np.empty(2)
    tracemalloc.start()
    try:
        for kind in range(4):
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(5000):
                if kind == 0:
                    f(x, u)
                elif kind == 1:
                    f(x, u, out=out)
                elif kind == 2:
                    f(x, u, out=u)  # made, then rejected
                else:
                    f(x, x)
                general.calls.clear()
            assert tracemalloc.get_traced_memory()[0] - before < 5000
    finally:
        tracemalloc.stop()
    import resource  # not on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1_000_000):
        f(x, u)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 10_000  # kB


def test_a_function_keeps_its_code_and_a_cycle_is_collected() -> None:
    f, general = function()
    x, u = states()
    del general
    gc.freeze()  # what other tests left is not walked again and again
    gc.collect()
    np.testing.assert_array_equal(f(x, u), expected(x, u))
    for _ in range(20):
        f, general = function()
        general.itself = f  # type: ignore[attr-defined]
        del f, general
        gc.collect()
    others = [function()[0] for _ in range(5)]
    for other in others:
        np.testing.assert_array_equal(other(x, u), expected(x, u))


def test_two_functions_of_one_code_have_tables_of_their_own() -> None:
    f, _ = function()
    g, second = function()
    second.p[0] = 1.0
    x, u = states()
    np.testing.assert_array_equal(f(x, u), 10 * g(x, u))


def test_python_reads_its_signature(made: tuple[Any, General]) -> None:
    f, _ = made
    assert str(inspect.signature(f)) == "(x, u, *, out=None)"
    assert f.__name__ == "f"
    assert f.__doc__ == "A x + u."


@pytest.mark.parametrize("machine", [engine.host(), engine.WINDOWS, engine.MACOS, engine.LINUX_ARM])
@pytest.mark.parametrize("shape", [(), (2,), (2, 3)])
def test_the_entry_calls_nothing_by_name(machine: engine.Machine, shape: tuple[int, ...]) -> None:
    signature = Signature((3, 2), 1, (shape,), "float64")
    alone = read(engine.object_code(kernel(signature), machine))
    found = read(engine.object_code(kernel(signature) + entry_ir(signature), machine))
    assert found.undefined == alone.undefined
    assert {n.lstrip("_") for n in found.defined - alone.defined} == {"entry", "bind"}


# -- several results -----------------------------------------------------------------------------------
NOTHING = "define void @kernel(ptr %args) nounwind { ret void }"
SEVERAL = ((2,), (), (2, 3))


@pytest.mark.parametrize("machine", [engine.host(), engine.WINDOWS, engine.MACOS, engine.LINUX_ARM])
@pytest.mark.parametrize("shapes", [SEVERAL, ((), ())])
def test_an_entry_of_several_results_calls_nothing_by_name(
    machine: engine.Machine, shapes: tuple[tuple[int, ...], ...]
) -> None:
    alone = kernel(Signature((3, 2), 1, ((2,),), "float64"))
    text = alone + entry_ir(Signature((3, 2), 1, shapes, "float64"))
    found = read(engine.object_code(text, machine))
    assert found.undefined == read(engine.object_code(alone, machine)).undefined


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_no_memory_for_one_of_several_results(failing: int) -> None:
    """The error is passed on, and the arrays that were made before are given back."""
    shapes = ((2,), (2, 3), (1,))
    loaded = engine.load(
        engine.object_code(NOTHING + entry_ir(Signature((3,), 0, shapes, "float64")))
    )
    impossible = tuple((-1,) if k == failing else s for k, s in enumerate(shapes))
    addresses = loaded.address("entry"), loaded.address("bind")

    class Owner:
        binding = Binding(Signature((3,), 0, impossible, "float64"), addresses, [], "f", "f")
        code = loaded

    f = Owner.binding.function(Owner())
    x = np.zeros(3)
    with pytest.raises(ValueError, match="negative dimensions"):
        f(x)
    blocks = sys.getallocatedblocks()
    for _ in range(1000):
        with contextlib.suppress(ValueError):
            f(x)
    assert sys.getallocatedblocks() - blocks < 200
