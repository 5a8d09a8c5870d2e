"""Measurements on a GPU: states per second of functions, small batches, runs, the first result."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import torch

import equamo as eq
from equamo.code.jit.cuda.device import device

from .gpu_checks import Behaviour, Checks, on_gpu, robot, run, states
from .gpu_functions import Functions
from .gpu_gradients import Gradients
from .gpu_jax import JaxGradients

MANY = 2**21
LAUNCHES = 10


class Row(NamedTuple):
    """A figure to be measured: a function of a robot, and its target [10⁹ states/s]."""

    robot: str
    function: str
    dtype: str
    columns: bool
    target: float | None = None
    packed: bool = False
    count: int = MANY


ROWS = [
    Row("Panda", "inverse_dynamics", "float64", False),
    Row("Panda", "inverse_dynamics", "float64", True),
    Row("Panda", "inverse_dynamics", "float32", False),
    Row("Panda", "inverse_dynamics", "float32", True),
    Row("Panda", "forward_dynamics", "float64", False, 12),
    Row("Panda", "forward_dynamics", "float64", True, 12),
    Row("Panda", "forward_dynamics", "float32", False, 20),
    Row("Panda", "forward_dynamics", "float32", True, 20),
    Row("Panda", "mass_matrix", "float64", True),
    Row("Panda", "inverse_dynamics_derivatives", "float64", True, 2),
    Row("Panda", "inverse_dynamics_derivatives", "float64", True, 2, True),
    Row("Panda", "inverse_dynamics_derivatives", "float32", True),
    Row("Panda", "forward_dynamics_derivatives", "float64", True, 1),
    Row("Panda", "forward_dynamics_derivatives", "float64", True, 1, True),
    Row("Panda", "forward_dynamics_derivatives", "float32", True),
    Row("ANYmal", "inverse_dynamics", "float64", True, 7),
    Row("ANYmal", "inverse_dynamics", "float64", False, 7),
    Row("ANYmal", "inverse_dynamics", "float32", True),
    Row("ANYmal", "forward_dynamics", "float64", True, 4),
    Row("ANYmal", "forward_dynamics", "float64", False, 4),
    Row("ANYmal", "forward_dynamics", "float32", True),
    Row("G1", "inverse_dynamics", "float64", True, 2.5),
    Row("G1", "inverse_dynamics", "float32", True),
    Row("G1", "forward_dynamics", "float64", True, 1),
    Row("G1", "forward_dynamics", "float32", True),
]
SMALL = [16, 64, 256, 1024]


LANES = {"float64": 64, "float32": 128}  # multiply-adds per clock of a multiprocessor of an H200
SINES, QUOTIENTS = {"float64": 19, "float32": 13}, {"float64": 6, "float32": 4}  # operations of one


def operations(program: Any, dtype: str) -> int:
    """Floating-point instructions of one state."""
    found = 0
    for op, _, _ in program.instructions:
        if op in ("add", "sub", "mul", "fma", "fms", "fnma", "fnms"):
            found += 1
        elif op == "sincos":
            found += SINES[dtype]
        elif op == "div":
            found += QUOTIENTS[dtype]
    return found


def replayed(action: Any, launches: int = LAUNCHES) -> float:
    """Seconds of one launch, by a graph of many."""
    action()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(launches):
            action()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    found = []
    for k in range(8):
        begin.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        if k:
            found.append(begin.elapsed_time(end) / 1000 / launches)
    return sorted(found)[3]


def copy_bandwidth(size: int) -> float:
    """Bytes read and written per second by a copy: the driver's, or a kernel's if that is faster."""
    x = torch.rand(size // 8, dtype=torch.float64, device="cuda")
    y = torch.empty_like(x)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    found = []
    for _ in range(8):
        begin.record()
        for _ in range(LAUNCHES):
            y.copy_(x)  # not in a graph, where copies are slower
        end.record()
        torch.cuda.synchronize()
        found.append(begin.elapsed_time(end) / 1000 / LAUNCHES)
    return 2 * size / min(sorted(found)[4], replayed(lambda: torch.mul(x, 1.0, out=y)))


class Measured:
    """Compiled robots, and figures of their functions."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._made = folder, dict[str, Any]()

    def fast(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = eq.compile(eq.derive(robot(name, self.folder)), device="cuda")
        return self._made[name]

    def figure(self, row: Row, tune: bool) -> dict[str, Any]:
        """States per second, bandwidth and what the kernel takes."""
        fast = self.fast(row.robot)
        f, options = getattr(fast, row.function), {"packed": True} if row.packed else {}
        x = on_gpu(states(fast.eom, row.count), row.dtype, row.columns)
        given = [x[s] for s in fast.function(row.function).states]
        tuned = f(*given, tune=True, **options) if tune else {}
        found = f(*given, **options)
        results = found if isinstance(found, tuple) else (found,)
        out = tuple(y.values if row.packed else y for y in results)
        out = out if len(out) > 1 else out[0]
        function = f.sibling(f"{row.function}_packed") if row.packed else f
        seconds = replayed(lambda: function(*given, out=out))
        numbers = [*given, *(out if isinstance(out, tuple) else (out,))]
        moved = sum(y.numel() * y.element_size() for y in numbers)
        best = min(tuned, key=lambda v: tuned[v]) if tuned else None
        return {
            **row._asdict(),
            "states per second": row.count / seconds,
            "microseconds": seconds * 1e6,
            "bytes per second": moved / seconds,
            "bytes": moved / row.count,
            "operations": operations(function.host.program, row.dtype),
            "kernels": [str(i.resources) for i in function.code.images],
            "variant": str(best),
            "tried": {str(v): t for v, t in tuned.items()},
        }


def rollout_figure(measured: Measured, method: str, dtype: str, count: int, steps: int) -> Any:
    """Steps per second of runs without control."""
    fast = measured.fast("Panda")
    x = on_gpu(states(fast.eom, count), dtype)
    q, v = 0.1 * x["q"], 0.1 * x["v"]

    def action() -> None:
        fast.rollout(q, v, step=1e-4, steps=steps, method=method)

    action()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(3):
        action()
    torch.cuda.synchronize()
    seconds = (time.perf_counter() - begin) / 3
    return {"method": method, "dtype": dtype, "steps per second": count * steps / seconds}


def first_result(folder: Path) -> float:
    """Seconds from the URDF file to the first result, with an empty cache, imports not counted."""
    code = (
        "import time, torch, equamo as eq, equamo.code.jit.cuda.device_function\n"
        "x = torch.rand(100000, 9, dtype=torch.float64, device='cuda'); torch.cuda.synchronize()\n"
        "t = time.perf_counter()\n"
        f"fast = eq.compile(eq.derive(eq.load({str(folder / 'panda.urdf')!r})), device='cuda')\n"
        "y = fast.inverse_dynamics(x, x, x); torch.cuda.synchronize()\n"
        "print(time.perf_counter() - t)\n"
    )
    with tempfile.TemporaryDirectory() as place:
        where = {
            **os.environ,
            "EQUAMO_CACHE": str(Path(place) / "equamo"),
            "CUDA_CACHE_DISABLE": "1",
        }
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=where
        )
    if done.returncode:
        print(done.stderr[-800:])
        return float("nan")
    return float(done.stdout)


def clocks() -> str:
    """Clocks of the device as nvidia-smi shows them now."""
    ask = "--query-gpu=driver_version,clocks.sm,clocks.mem,temperature.gpu,power.draw"
    try:
        line = ["nvidia-smi", ask, "--format=csv,noheader"]
        return subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def measure(folder: Path, quick: bool) -> dict[str, Any]:
    """Check, measure, and report."""
    place = device(0)
    report: dict[str, Any] = {
        "device": place.name,
        "cuda": ".".join(map(str, place.driver.version)),
    }
    checks = run(Behaviour("Panda", folder).every(), "Panda")
    for name, many in (("Panda", 10**6), ("ANYmal", 10**5), ("iiwa", 10**5)):
        short = 10**4 if quick else many
        checks += run(Checks(name, folder, short).every(), name)
    checks += run(Functions().every(), "rr_arm")
    checks += run(Gradients(eq.derive(eq.load("rr_arm"))).every(), "rr_arm, to_torch()")
    checks += run(JaxGradients(eq.derive(eq.load("rr_arm"))).every(), "rr_arm, to_jax()")
    checks += run(JaxGradients(eq.derive(eq.load("iiwa"))).numerical(), "iiwa, to_jax()")
    report["checks"] = checks
    report["copy"] = copy_bandwidth(2**29)
    measured = Measured(folder)
    report["throughput"] = []
    for row in ROWS:
        if quick and row.robot == "G1":
            continue
        found = measured.figure(row, tune=not quick)
        # Figures that no kernel can exceed: memory at the speed of a copy, arithmetic at the top clock.
        found["limit by memory"] = report["copy"] / found["bytes"]
        rate = place.processors * LANES[row.dtype] * place.clocks[0] * 1e9
        found["limit by arithmetic"] = rate / found["operations"]
        report["throughput"].append(found)
        rate, share = found["states per second"] / 1e9, found["bytes per second"] / report["copy"]
        print(f"{row.robot} {row.function} {row.dtype} columns={row.columns} packed={row.packed}: "
              f"{rate:.3g} G/s (target {row.target}), {share:.0%} of a copy, {found['variant']}, "
              f"{found['kernels'][-1]}", flush=True)  # fmt: skip
    report["small"] = []
    for dtype in ("float64", "float32"):
        for count in SMALL:
            row = Row("iiwa", "forward_dynamics_derivatives", dtype, True, count=count)
            found = measured.figure(row, tune=not quick)
            report["small"].append(found)
            print(
                f"iiwa ∂FD {dtype} {count}: {found['microseconds']:.2f} µs, {found['variant']}",
                flush=True,
            )
    report["rollouts"] = []
    for method in ("semi_implicit_euler", "rk4"):
        for dtype in ("float64", "float32"):
            found = rollout_figure(measured, method, dtype, 2**19, 200)
            report["rollouts"].append(found)
            print(
                f"rollout {method} {dtype}: {found['steps per second'] / 1e9:.3g} G steps/s",
                flush=True,
            )
    report["first result"] = first_result(folder)
    report["clocks"] = clocks()
    print(f"URDF to first result: {report['first result']:.2f} s; {report['clocks']}")
    return report
