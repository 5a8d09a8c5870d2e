"""From a URDF file to the first number of a jitted function, and calls after it.

    make .venv-bridges/.stamp && .venv-bridges/bin/python benchmarks/bridges/jax_first_number.py

Each line is a process of its own with an empty cache of machine code: JAX and equamo are imported and
JAX is started, then the clock runs from `eq.load` to the value of `jax.jit(robot.inverse_dynamics)`.
Then, in the same process, one jitted call, a jitted product of the same arrays for comparison, and 4096
states in one call. The fastest of five processes counts, because other programs on the machine only make
them slower. The table is written into docs/guide/bridges.md, except with --quick.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "bridges.md"
NAMES = {"rr_arm": "rr_arm", "panda": "Panda", "anymal": "ANYmal, free base", "krang": "Krang"}
STATES, CALLS = 4096, 2000


def seconds(call: Callable[[], Any], count: int) -> float:
    """Seconds per call, the least of five rounds."""
    call()
    found: list[float] = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(count):
            last = call()
        last.block_until_ready()
        found.append((time.perf_counter() - start) / count)
    return min(found)


def one(name: str) -> dict[str, float]:
    """Figures of one robot, in this process."""
    sys.path.insert(0, str(ROOT / "tests"))
    import jax
    import jax.numpy as jnp
    import numpy as np

    import equamo as eq
    from bridge_robots import FILES, robot_file

    jax.config.update("jax_enable_x64", True)
    jax.jit(lambda x: 2 * x)(jnp.zeros(3)).block_until_ready()
    start = time.perf_counter()
    path, base = FILES.get(name, (name, None))
    robot = eq.load(name) if base is None else eq.load(robot_file(path), base=base)
    eom = eq.derive(robot)
    functions = eq.compile(eom).to_jax()
    f = jax.jit(functions.inverse_dynamics)
    q = np.array([float(x or 0) for x in robot.state_space.q.numbers])
    v = np.zeros(len(eom.v))
    f(q, v, v).block_until_ready()
    first = time.perf_counter() - start
    x, y = jnp.asarray(q), jnp.asarray(v)
    product = jax.jit(lambda x, y, z: (2 * x, y * z)[1])
    many = [jnp.tile(a, (STATES, 1)) for a in (x, y, y)]
    return {
        "first": first,
        "call": seconds(lambda: f(x, y, y), CALLS),
        "product": seconds(lambda: product(x, y, y), CALLS),
        "state": seconds(lambda: f(*many), 20) / STATES,
    }


def measured(name: str, rounds: int) -> dict[str, float]:
    """The best figures of several processes."""
    found: list[dict[str, float]] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            line = [sys.executable, __file__, "--one", name]
            environment = {**os.environ, "EQUAMO_CACHE": str(Path(folder) / "equamo")}
            run = subprocess.run(line, capture_output=True, text=True, check=True, env=environment)
            found.append(json.loads(run.stdout))
    return {key: min(x[key] for x in found) for key in found[0]}


def table(rounds: int) -> str:
    lines = [
        "| robot | first number [s] | one call [µs] | a product [µs] | 4096 states [ns each] |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, title in NAMES.items():
        x = measured(name, rounds)
        call, product, state = 1e6 * x["call"], 1e6 * x["product"], 1e9 * x["state"]
        lines.append(f"| {title} | {x['first']:.2f} | {call:.1f} | {product:.1f} | {state:.0f} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def main() -> None:
    """Measure, and write the page."""
    options = argparse.ArgumentParser(description="The first jitted number.")
    options.add_argument("--one", help="figures of one robot, as JSON")
    options.add_argument(
        "--quick", action="store_true", help="one process each; nothing is written"
    )
    chosen = options.parse_args()
    if chosen.one:
        print(json.dumps(one(chosen.one)))
        return
    found = table(1 if chosen.quick else 5)
    if not chosen.quick:
        sys.path.insert(0, str(ROOT / "benchmarks"))
        from harness.tables import write

        write(PAGE, {"jax first number": found})


if __name__ == "__main__":
    main()
