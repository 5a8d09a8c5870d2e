"""grid-rbd and frax beside equamo: one GPU, one robot, float32, all numbers on the device.

A folder has, for each of `ROBOTS`, robot.urdf and grid_run_robot, and the package `frax`. grid_run_robot
is `grid_run.cu` with the header that grid-rbd generates:

    grid-generate robot.urdf -o grid_robot.cuh --algorithm-list inverse_dynamics,minv,forward_dynamics,…
    nvcc -arch=sm_90 -O3 -std=c++17 -DHEADER='"grid_robot.cuh"' grid_run.cu -o grid_run_robot

frax runs in a process of its own, because its precision is a setting of JAX. Each is timed in the way
that is best for it: of grid-rbd the fastest of 36 launch configurations, of frax `jit(vmap(…))`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

COUNT = 100_000
ROBOTS = ("iiwa14", "panda")
FUNCTIONS = (
    "inverse_dynamics", "forward_dynamics", "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)  # fmt: skip
SAMPLE = 1000  # states whose results are compared
FRAX = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
import frax, jax, jax.numpy as jnp, numpy as np
robot = frax.Robot(sys.argv[2])
x = np.load(sys.argv[3])
q, v, u, a = (jnp.asarray(x[k]) for k in "q v tau vdot".split())
g = jnp.array([0.0, 0.0, 9.81, 0.0, 0.0, 0.0])
inverse = lambda q, v, a: robot.rnea(q, v, a, g, None)
forward = lambda q, v, u: robot.forward_dynamics(q, v, u, None)
work = {
    "inverse_dynamics": (inverse, (q, v, a)),
    "forward_dynamics": (forward, (q, v, u)),
    "inverse_dynamics_derivatives": (jax.jacfwd(inverse, (0, 1, 2)), (q, v, a)),
    "forward_dynamics_derivatives": (jax.jacfwd(forward, (0, 1, 2)), (q, v, u)),
}
seconds, kept = {}, {}
for name, (f, given) in work.items():
    run = jax.jit(jax.vmap(f))
    out = jax.block_until_ready(run(*given))
    first = out[0] if isinstance(out, tuple) else out
    assert first.dtype == jnp.float32
    kept[name] = np.asarray(first)[:1000]
    times = []
    for _ in range(7):
        begin = time.perf_counter()
        for _ in range(20):
            out = run(*given)
        jax.block_until_ready(out)
        times.append((time.perf_counter() - begin) / 20)
    seconds[name] = sorted(times)[3]
np.savez(sys.argv[4], **kept)
print(json.dumps(seconds))
"""


def compare(folder: Path) -> list[dict[str, Any]]:
    """Microseconds of each library for each function, and what equamo's results differ by."""
    found: list[dict[str, Any]] = []
    for name in ROBOTS:
        found += _robot(name, folder)
    return found


def _robot(name: str, folder: Path) -> list[dict[str, Any]]:
    import torch

    import equamo as eq

    from .gpu_checks import call, states
    from .gpu_measure import replayed

    urdf = folder / f"{name}.urdf"
    eom = eq.derive(eq.load(str(urdf)))
    cpu, gpu = eq.compile(eom), eq.compile(eom, device="cuda")
    x = {n: y.astype("float32") for n, y in states(eom, COUNT).items()}
    rows: list[dict[str, Any]] = []
    exact = {n: y[:SAMPLE].astype("float64") for n, y in x.items()}
    with tempfile.TemporaryDirectory() as place:
        grid, theirs = _grid(folder / f"grid_run_{name}", x, Path(place))
        frax, his = _frax(folder, urdf, x, Path(place))
    for function in FUNCTIONS:
        f = getattr(gpu, function)
        expected = call(cpu, function, exact)
        first = expected[0] if isinstance(expected, tuple) else expected
        row: dict[str, Any] = {"robot": name, "function": function, "count": COUNT}
        for order in ("rows", "columns"):
            y = {n: torch.tensor(z, device="cuda") for n, z in x.items()}
            if order == "columns":
                y = {n: z.T.contiguous().T for n, z in y.items()}
            given = [y[s] for s in gpu.function(function).states]
            f(*given, tune=True)
            out = f(*given)
            row[f"equamo, {order}"] = replayed(lambda f=f, g=given, o=out: f(*g, out=o)) * 1e6
        row["grid-rbd"], row["frax"] = grid[function]["ms"] * 1e3, frax[function] * 1e6
        row["launch of grid-rbd"] = [grid[function]["grid"], grid[function]["threads"]]
        mine = (out[0] if isinstance(out, tuple) else out)[:SAMPLE].cpu().numpy()
        scale = np.abs(first).max()
        for who, y in (("equamo", mine), ("grid-rbd", theirs[function]), ("frax", his[function])):
            row[f"error of {who}"] = float(np.abs(y - first).max() / scale)
        rows.append(row)
        print(row, flush=True)
    return rows


def _grid(program: Path, x: dict[str, np.ndarray], place: Path) -> tuple[Any, dict[str, Any]]:
    """Times of grid-rbd, and results: of derivatives those by q, which it stores column by column."""
    n = x["q"].shape[1]
    states = np.concatenate([x["q"], x["v"], x["tau"]], axis=1)
    (place / "in.bin").write_bytes(states.tobytes() + x["vdot"].tobytes())
    line = [program, str(COUNT), place / "in.bin", place / "out.bin"]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    numbers = np.fromfile(place / "out.bin", "float32")
    sizes = [n, n, 2 * n * n, 2 * n * n]
    parts = np.split(numbers, np.cumsum([SAMPLE * k for k in sizes])[:-1])
    found: dict[str, Any] = {}
    for function, part, size in zip(FUNCTIONS, parts, sizes, strict=True):
        y = part.reshape(SAMPLE, size)
        found[function] = y if size == n else y.reshape(SAMPLE, 2 * n, n)[:, :n].swapaxes(1, 2)
    return json.loads(done.stdout), found


def _frax(
    folder: Path, urdf: Path, x: dict[str, np.ndarray], place: Path
) -> tuple[Any, dict[str, Any]]:
    """Times of frax [s], and results."""
    np.savez(place / "x.npz", **x)
    line = [sys.executable, "-c", FRAX, folder, urdf, place / "x.npz", place / "y.npz"]
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1]), dict(np.load(place / "y.npz"))
