"""Checks of every function on a GPU: it gives the numbers of the CPU, whatever the batch looks like."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

import equamo as eq
from equamo.errors import DeviceError, EvaluationError

Check = tuple[str, Callable[[], str]]
FREE = ("ANYmal", "Talos", "G1")  # robots with a free base


def robot(name: str, folder: Path) -> eq.Robot:
    """A robot of the tables, from a folder of URDF files, or one of our own."""
    file = folder / f"{name.lower()}.urdf"
    if not file.exists():
        return eq.load(name.lower())
    return eq.load(str(file), base="free") if name in FREE else eq.load(str(file))


def states(eom: eq.EquationsOfMotion, count: int, seed: int = 1) -> dict[str, np.ndarray]:
    """Random states: angles of ±π, unit quaternions, speeds and accelerations of a few rad/s."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-np.pi, np.pi, (count, len(eom.q)))
    for group in eom.robot.state_space.quaternions:
        columns = list(group)
        quaternion = rng.normal(size=(count, 4))
        q[:, columns] = quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True)
    n = len(eom.v)
    rest = {name: rng.uniform(-3, 3, (count, n)) for name in ("v", "vdot", "tau")}
    return {"q": q, **rest}


def on_gpu(
    x: dict[str, np.ndarray], dtype: str = "float64", columns: bool = False
) -> dict[str, Any]:
    """Tensors of states, as rows or as columns."""
    found = {n: torch.tensor(y, dtype=getattr(torch, dtype), device="cuda") for n, y in x.items()}
    return {n: y.T.contiguous().T if columns else y for n, y in found.items()}


def difference(a: Any, b: Any) -> float:
    """max|a − b| / max|b| over the results of a function; NaN counts as infinite."""
    worst = 0.0
    pairs = zip(a, b, strict=True) if isinstance(a, tuple) else [(a, b)]
    for x, y in pairs:
        x, y = np.asarray(host(x)), np.asarray(host(y))
        assert x.shape == y.shape, (x.shape, y.shape)
        if y.size:
            relative = np.abs(x - y).max() / max(np.abs(y).max(), 1e-300)
            worst = max(worst, float(relative) if np.isfinite(relative) else float("inf"))
    return worst


def host(x: Any) -> Any:
    """An array of any library in the host's memory."""
    if isinstance(x, torch.Tensor):
        return x.cpu().numpy()
    return x.get() if hasattr(x, "get") else x


def call(fast: Any, name: str, x: dict[str, Any], **options: Any) -> Any:
    """Call a function with those of the states that it takes."""
    return getattr(fast, name)(*(x[s] for s in fast.function(name).states), **options)


class Checks:
    """All checks of one robot."""

    def __init__(self, name: str, folder: Path, many: int) -> None:
        self.name, self.many = name, many
        self.eom = eq.derive(robot(name, folder))
        self.cpu, self.gpu = eq.compile(self.eom), eq.compile(self.eom, device="cuda")

    def every(self) -> Iterator[Check]:
        """Name and function of each check; a function returns a remark or raises."""
        yield "numbers of the CPU", self.numbers
        yield "forward dynamics by its residual", self.residual

    def numbers(self) -> str:
        """ID within 1e-12 of the CPU's, in rows and columns; derivatives and others on fewer states."""
        worst = {}
        x = states(self.eom, self.many)
        expected = call(self.cpu, "inverse_dynamics", x)
        for columns in (False, True):
            found = call(self.gpu, "inverse_dynamics", on_gpu(x, columns=columns))
            worst["inverse_dynamics"] = difference(found, expected)
            assert worst["inverse_dynamics"] <= 1e-12, worst
        x = {n: y[:4099] for n, y in x.items()}
        names = ["mass_matrix", "bias", "gravity", "inverse_dynamics_derivatives"]
        if self.name not in FREE:  # they take minutes to compile for the CPU
            names += [
                "forward_dynamics_derivatives",
                "inverse_dynamics_jvp",
                "inverse_dynamics_vjp",
            ]
            names += ["forward_dynamics_jvp", "forward_dynamics_vjp"]
        for name in names:
            given = {**x, **self.directions(name)}
            expected = call(self.cpu, name, given)
            # FD amplifies rounding by the condition of M, which the CPU's result has too.
            tolerance = 1e-6 if "forward" in name else 1e-11
            for columns in (False, True):
                worst[name] = difference(
                    call(self.gpu, name, on_gpu(given, columns=columns)), expected
                )
                assert worst[name] <= tolerance, (name, columns, worst)
            single = call(self.gpu, name, on_gpu(given, "float32"))
            assert difference(single, expected) <= 0.05, name
        return ", ".join(f"{n} {w:.1e}" for n, w in worst.items())

    def directions(self, name: str) -> dict[str, np.ndarray]:
        """Random numbers for the arguments of a function that are not states."""
        rng = np.random.default_rng(3)
        f = self.cpu.function(name)
        known = ("q", "v", "vdot", "tau")
        sizes = {n: f.readers[n].part.size for n in f.states if n not in known}
        return {n: rng.normal(size=(4099, k)) for n, k in sizes.items()}

    def residual(self) -> str:
        """ID of FD's result is τ again, up to the condition of M."""
        x = states(self.eom, self.many, 2)
        y = on_gpu(x)
        vdot = call(self.gpu, "forward_dynamics", y)
        tau = self.gpu.inverse_dynamics(y["q"], y["v"], vdot)
        # |M| |v̇| sets the scale of rounding in the product M v̇.
        scale = float(vdot.abs().max() * torch.abs(self.gpu.mass_matrix(y["q"][:2048])).max())
        worst = float((tau - y["tau"]).abs().max()) / scale
        assert worst <= 1e-10, worst
        return f"residual {worst:.1e} of |M||v̇|"


class Behaviour:
    """Checks of one arm that do not depend on the robot: sizes, strides, streams, threads, errors."""

    def __init__(self, name: str, folder: Path) -> None:
        self.eom = eq.derive(robot(name, folder))
        self.cpu, self.gpu = eq.compile(self.eom), eq.compile(self.eom, device="cuda")

    def every(self) -> Iterator[Check]:
        """Name and function of each check."""
        for name in (
            "sizes", "strides", "one_state", "nan_and_inf", "numpy_arrays", "cupy_arrays", "jax_arrays",
            "other_arrays", "outputs", "streams", "threads", "small_and_large", "wrong_arguments",
            "out_of_memory", "single_precision", "parameters", "long_results", "runs", "variants",
        ):  # fmt: skip
            yield name.replace("_", " "), getattr(self, name)

    def same(self, x: dict[str, Any], found: Any, name: str = "inverse_dynamics") -> None:
        expected = call(self.cpu, name, {n: host(y) for n, y in x.items()})
        assert difference(found, expected) <= 1e-12, difference(found, expected)

    def sizes(self) -> str:
        tried = (0, 1, 2, 7, 31, 32, 33, 127, 128, 129, 1023, 1024, 1025, 1057, 4099)
        for count in tried:
            for columns in (False, True):
                x = on_gpu(states(self.eom, count), columns=columns)
                found = call(self.gpu, "inverse_dynamics", x)
                assert found.shape == (count, len(self.eom.v))
                self.same(x, found)
        return ", ".join(map(str, tried))

    def strides(self) -> str:
        x = on_gpu(states(self.eom, 3000))
        wide = torch.zeros(3000, 40, dtype=torch.float64, device="cuda")
        n = len(self.eom.q)
        wide[:, 3 : 3 + 2 * n : 2] = x["q"]
        x["q"] = wide[:, 3 : 3 + 2 * n : 2]
        self.same(x, call(self.gpu, "inverse_dynamics", x))
        every = {k: y[::3] for k, y in x.items()}
        self.same(every, call(self.gpu, "inverse_dynamics", every))
        shared = {**x, "q": x["q"][5]}
        self.same(shared, call(self.gpu, "inverse_dynamics", shared))
        repeated = {**x, "v": x["v"][:1].expand(3000, -1)}
        self.same(repeated, call(self.gpu, "inverse_dynamics", repeated))
        return "slices, every third state, one state for all, expanded"

    def one_state(self) -> str:
        x = {n: y[0] for n, y in on_gpu(states(self.eom, 3)).items()}
        found = call(self.gpu, "inverse_dynamics", x)
        assert found.shape == (len(self.eom.v),)
        self.same(x, found)
        M = self.gpu.mass_matrix(x["q"])
        assert M.shape == (len(self.eom.v),) * 2
        return "vector and matrix"

    def nan_and_inf(self) -> str:
        x = on_gpu(states(self.eom, 2048))
        x["q"][7, 1], x["v"][9, 0], x["vdot"][11, 2] = float("nan"), float("inf"), float("-inf")
        found = call(self.gpu, "inverse_dynamics", x)
        bad = ~torch.isfinite(found).all(dim=1)
        assert bad.nonzero().flatten().tolist() == [7, 9, 11]
        return "only in their own states"

    def numpy_arrays(self) -> str:
        x = states(self.eom, 5000)
        found = call(self.gpu, "inverse_dynamics", x)
        assert isinstance(found, np.ndarray)
        self.same(x, found)
        one = self.gpu.inverse_dynamics(*([0.1] * len(self.eom.v) for _ in range(3)))
        assert one.shape == (len(self.eom.v),)
        return "batch and lists"

    def cupy_arrays(self) -> str:
        import cupy

        x = {n: cupy.asarray(y) for n, y in states(self.eom, 5000).items()}
        found = call(self.gpu, "inverse_dynamics", x)
        assert isinstance(found, cupy.ndarray)
        self.same(x, found)
        turned = {n: cupy.asfortranarray(y) for n, y in x.items()}
        self.same(turned, call(self.gpu, "inverse_dynamics", turned))
        return "rows and columns"

    def jax_arrays(self) -> str:
        import jax

        jax.config.update("jax_enable_x64", True)
        x = {n: jax.numpy.asarray(y) for n, y in states(self.eom, 5000).items()}
        found = call(self.gpu, "inverse_dynamics", x)
        assert isinstance(found, jax.Array)
        self.same(x, found)
        return f"{found.devices()}"

    def other_arrays(self) -> str:
        class Interface:
            def __init__(self, x: torch.Tensor) -> None:
                self.x = x

            @property
            def __cuda_array_interface__(self) -> Any:
                return self.x.__cuda_array_interface__

        class Capsule:
            def __init__(self, x: torch.Tensor) -> None:
                self.x = x

            def __dlpack__(self, **options: Any) -> Any:
                return self.x.__dlpack__(**options)

            def __dlpack_device__(self) -> Any:
                return self.x.__dlpack_device__()

        x = on_gpu(states(self.eom, 3000))
        for kind in (Interface, Capsule):
            found = call(self.gpu, "inverse_dynamics", {n: kind(y) for n, y in x.items()})
            self.same(x, found.to_numpy())
            assert difference(torch.from_dlpack(found), found.to_numpy()) == 0
            assert difference(torch.as_tensor(found, device="cuda"), found.to_numpy()) == 0
        return "__cuda_array_interface__, DLPack in and out"

    def outputs(self) -> str:
        x = on_gpu(states(self.eom, 3000))
        out = torch.full((3000, len(self.eom.v)), float("nan"), dtype=torch.float64, device="cuda")
        assert call(self.gpu, "inverse_dynamics", x, out=out) is out
        self.same(x, out)
        wide = torch.zeros(3000, 2 * len(self.eom.v), dtype=torch.float64, device="cuda")
        view = wide[:, 1::2]
        call(self.gpu, "inverse_dynamics", x, out=view)
        self.same(x, view)
        assert float(wide[:, ::2].abs().max()) == 0
        raised(EvaluationError, lambda: call(self.gpu, "inverse_dynamics", x, out=x["vdot"]))
        return "given, strided, overlapping refused"

    def streams(self) -> str:
        x = on_gpu(states(self.eom, 200_000))
        expected = call(self.gpu, "inverse_dynamics", x)
        torch.cuda.synchronize()
        found = []
        for _ in range(8):
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                found.append(call(self.gpu, "inverse_dynamics", x))
        torch.cuda.synchronize()
        assert all(torch.equal(y, expected) for y in found)
        return "eight streams"

    def threads(self) -> str:
        fresh = eq.compile(self.eom, device="cuda")
        x = on_gpu(states(self.eom, 50_000))
        expected = call(self.gpu, "forward_dynamics", x)
        found: list[Any] = []

        def work() -> None:
            found.extend(call(fresh, "forward_dynamics", x) for _ in range(20))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        torch.cuda.synchronize()
        assert len(found) == 80
        assert all(torch.equal(y, expected) for y in found)
        return "four threads, first call included"

    def small_and_large(self) -> str:
        x = on_gpu(states(self.eom, 40_000))
        for name in ("inverse_dynamics", "forward_dynamics", "mass_matrix"):
            large = call(self.gpu, name, x)
            for count in (16, 100, 1024):
                small = call(self.gpu, name, {n: y[:count] for n, y in x.items()})
                assert torch.equal(small, large[:count]), (name, count)
            columns = call(self.gpu, name, {n: y.T.contiguous().T for n, y in x.items()})
            assert torch.equal(columns, large)
        return "bit for bit, for all sizes and layouts"

    def wrong_arguments(self) -> str:
        x = on_gpu(states(self.eom, 64))
        q, v, a = x["q"], x["v"], x["vdot"]
        f = self.gpu.inverse_dynamics
        messages = [
            raised(EvaluationError, lambda: f(q.cpu(), v, a)),
            raised(EvaluationError, lambda: f(q.float(), v, a)),
            raised(EvaluationError, lambda: f(q.half(), v, a)),
            raised(EvaluationError, lambda: f(q[:, :-1], v, a)),
            raised(EvaluationError, lambda: f(q[:10], v, a)),
            raised(EvaluationError, lambda: f(q, v, a, out=torch.empty(3, device="cuda"))),
            raised(EvaluationError, lambda: f(q.clone().requires_grad_(), v, a)),
            raised(DeviceError, lambda: eq.compile(self.eom, device="cuda:64")),
        ]
        return " | ".join(messages)

    def out_of_memory(self) -> str:
        x = on_gpu(states(self.eom, 1))
        many = {n: y.expand(4 * 10**9, -1) for n, y in x.items()}
        message = raised(DeviceError, lambda: call(self.gpu, "inverse_dynamics", many))
        self.same(x, call(self.gpu, "inverse_dynamics", x))  # and it works again
        return message

    def single_precision(self) -> str:
        x = states(self.eom, 100_000)
        expected = call(self.cpu, "inverse_dynamics", x)
        found = call(self.gpu, "inverse_dynamics", on_gpu(x, "float32"))
        assert found.dtype == torch.float32
        worst = difference(found, expected)
        assert worst <= 1e-5, worst
        return f"{worst:.1e}"

    def parameters(self) -> str:
        eom = eq.derive(eq.load("rr_arm"))
        cpu, gpu = eq.compile(eom), eq.compile(eom, device="cuda")
        x = states(eom, 5000)
        mass = np.random.default_rng(5).uniform(1, 2, 5000)
        y = on_gpu(x)
        for values in ({"m1": 2.5}, {"m1": mass}, {"m1": mass, "g": 3.0}):
            expected = call(cpu, "inverse_dynamics", x, values=values)
            assert difference(call(gpu, "inverse_dynamics", y, values=values), expected) <= 1e-12
        on_device = {"m1": torch.tensor(mass, device="cuda")}
        expected = call(cpu, "inverse_dynamics", x, values={"m1": mass})
        assert difference(call(gpu, "inverse_dynamics", y, values=on_device), expected) <= 1e-12
        return "one for all, one per state, arrays on the device"

    def long_results(self) -> str:
        """Matrices whose rows are long, into given rows and columns, by every library."""
        import cupy
        import jax

        x = states(self.eom, 3000)
        expected = call(self.cpu, "inverse_dynamics_derivatives", x)
        y = on_gpu(x)
        kinds = {
            "torch": y,
            "cupy": {n: cupy.asarray(z) for n, z in x.items()},
            "jax": {n: jax.numpy.asarray(z) for n, z in x.items()},
            "numpy": x,
        }
        for name, given in kinds.items():
            found = call(self.gpu, "inverse_dynamics_derivatives", given)
            assert difference(found, expected) <= 1e-11, name
        rows = tuple(torch.empty(z.shape, dtype=torch.float64, device="cuda") for z in expected)
        assert (
            difference(call(self.gpu, "inverse_dynamics_derivatives", y, out=rows), expected)
            <= 1e-11
        )
        packed = self.gpu.inverse_dynamics_derivatives(y["q"], y["v"], y["vdot"], packed=True)
        theirs = self.cpu.inverse_dynamics_derivatives(x["q"], x["v"], x["vdot"], packed=True)
        for a, b in zip(packed, theirs, strict=True):
            assert difference(a.values, b.values) <= 1e-11
        return "torch, cupy, jax, numpy, given rows, packed"

    def runs(self) -> str:
        """Runs on the device end where those of the CPU do."""
        worst = {}
        for eom in (self.eom, eq.derive(eq.load("rr_arm"))):
            gpu = eq.compile(eom, device="cuda")
            x = states(eom, 500)
            q, v = 0.2 * x["q"], 0.2 * x["v"]
            y = on_gpu({"q": q, "v": v})
            name = str(eom.inputs[0].name)
            for method in ("semi_implicit_euler", "rk4"):
                for control in (None, {name: f"-2*{eom.v[0].name} + sin(t)"}):
                    options = {"step": 1e-3, "steps": 100, "every": 10, "control": control}
                    theirs = eq.rollout(eom, q, v, method=method, **options)
                    found = gpu.rollout(y["q"], y["v"], method=method, **options)
                    assert found.states.shape == theirs.states.shape
                    worst[method] = difference(found.states, theirs.states)
                    assert worst[method] <= 1e-9, worst
                    numpy = gpu.rollout(q, v, method=method, **options)
                    assert difference(numpy.states, theirs.states) <= 1e-9
            inputs = np.random.default_rng(1).normal(size=(500, 100, len(eom.inputs)))
            theirs = eq.rollout(eom, q, v, step=1e-3, steps=100, control=inputs)
            found = gpu.rollout(
                y["q"], y["v"], step=1e-3, steps=100, every=1, method="rk4",
                control=torch.tensor(inputs, device="cuda"),
            )  # fmt: skip
            assert difference(found.states, theirs.states) <= 1e-9
            final = gpu.rollout(y["q"].float(), y["v"].float(), step=1e-3, steps=100)
            assert final.q.shape == (500, 2, len(eom.q))
        return ", ".join(f"{n} {w:.1e}" for n, w in worst.items())

    def variants(self) -> str:
        """All variants of a kernel give the same numbers, bit for bit."""
        gpu = eq.compile(self.eom, device="cuda", cache=False)
        x = on_gpu(states(self.eom, 70_000))
        before = call(gpu, "forward_dynamics", x)
        times = call(gpu, "forward_dynamics", x, tune=True)
        assert torch.equal(call(gpu, "forward_dynamics", x), before)
        return ", ".join(
            f"{v.threads}/{v.spill}/{v.blocks}: {1e6 * t:.0f} µs" for v, t in times.items()
        )


def raised(kind: type[Exception], action: Callable[[], Any]) -> str:
    """The message of the error that an action must raise."""
    try:
        action()
    except kind as error:
        return str(error)
    raise AssertionError(f"no {kind.__name__}")


def run(checks: Iterator[Check], title: str) -> list[dict[str, str]]:
    """Run all checks; print and return the results."""
    found: list[dict[str, str]] = []
    for name, action in checks:
        try:
            remark, verdict = action(), "ok"
        except Exception as error:
            import traceback

            traceback.print_exc()
            remark, verdict = f"{type(error).__name__}: {error}", "FAILED"
        print(f"{verdict:7} {title}, {name}: {remark[:600]}", flush=True)
        found.append({"check": f"{title}, {name}", "verdict": verdict, "remark": remark[:2000]})
    return found
