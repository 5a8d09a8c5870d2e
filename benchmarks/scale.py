"""Derivation, proof, compilation and page of long chains: `python benchmarks/scale.py [n …]`

A chain of n revolute joints about x, y, z in turn; the place of each joint, masses, centres of mass and
all six moments of inertia are symbols. Each figure is the processor time of one run in a process of its
own, with its peak of memory, and the last column is the exponent of n between the last two chains.
Compiling means the first call without a cache: program, passes, LLVM, loading. The page is written
without a certificate, which has a line of its own; up to 40 joints it has a simulated motion.

The script uses public names only, so it also measures an older version that is first in PYTHONPATH.
"""

from __future__ import annotations

import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any

SIZES = (10, 20, 50, 100)
LIMIT = 240  # seconds for one figure
FORMULATIONS = ("recursive", "kane", "gibbs_appell", "lagrange", "projected_newton_euler")
COMPILED = {"inverse_dynamics": 3, "forward_dynamics": 3, "mass_matrix": 1}  # number of arguments
# Thin rods of 20 cm, a little off their axes: a page needs numbers.
VALUES = {
    "m": 1, "x": 0.02, "y": 0.01, "z": 0.2, "cx": 0.01, "cy": 0.02, "cz": 0.1,
    "XX": 0.004, "YY": 0.004, "ZZ": 0.001, "XY": 0.0001, "XZ": 0.0001, "YZ": 0.0001,
}  # fmt: skip
LARGEST = {"certificate": 50}


def chain(n: int) -> Any:
    import equamo as eq

    bodies = [
        eq.Body(
            f"b{k}",
            eq.revolute(f"q{k}", axis="xyz"[k % 3], at=f"x{k} y{k} z{k}"),
            mass=f"m{k}",
            com=f"cx{k} cy{k} cz{k}",
            inertia=f"XX{k} XY{k} XZ{k} YY{k} YZ{k} ZZ{k}",
            parent=f"b{k - 1}" if k > 1 else "world",
        )
        for k in range(1, n + 1)
    ]
    return eq.Robot(f"chain of {n}", bodies)


# -- one figure, in its own process ----------------------------------------------------------------
def work(what: str, n: int) -> Callable[[], Any]:
    """What is measured; everything before it is prepared here."""
    import numpy as np

    import equamo as eq

    robot = chain(n)
    if what in FORMULATIONS:
        return lambda: eq.derive(robot, by=what)
    if what == "certificate":
        return lambda: eq.prove(robot)
    if what == "page":
        numbers = {f"{name}{k}": x for name, x in VALUES.items() for k in range(1, n + 1)}
        return lambda: _page(robot.with_values(**numbers))
    eom = eq.derive(robot)
    state = [np.full(n, 0.1)] * COMPILED[what]
    values = {s.name: 1.0 for s in eom.parameters}

    def compiled() -> Any:
        fast = eq.compile(eom, cache=False)
        return getattr(fast, what)(*state, values=values)

    return compiled


def _page(robot: Any) -> None:
    import equamo as eq

    with TemporaryDirectory() as folder:
        os.environ["EQUAMO_CACHE"] = folder
        eq.report(robot, f"{folder}/page.html", prove=False)


def measure(what: str, n: int) -> None:
    run = work(what, n)
    start = time.process_time()
    result = run()
    seconds = time.process_time() - start
    assert what != "certificate" or result.ok
    unit = 1 if sys.platform == "darwin" else 1024
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    print(json.dumps([seconds, memory]))


# -- all of them -----------------------------------------------------------------------------------
def in_a_process(what: str, n: int) -> tuple[float, float] | None:
    """(seconds, bytes), or None if it takes too long."""
    try:
        done = subprocess.run(
            [sys.executable, __file__, what, str(n)],
            stdout=subprocess.PIPE, timeout=LIMIT, check=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


def main(sizes: list[int]) -> None:
    from harness.results import new_results  # here, because an older version has none

    results = new_results("scale")
    print(f"{'seconds, GB':26}" + "".join(f"{f'n = {n}':>16}" for n in sizes) + f"{'growth':>9}")
    for what in (*FORMULATIONS, "certificate", *COMPILED, "page"):
        label = f"compile {what}" if what in COMPILED else what
        found: list[tuple[int, float]] = []
        print(f"{label:26}", end="", flush=True)
        for n in sizes:
            figure = in_a_process(what, n) if n <= LARGEST.get(what, n) else None
            text = "–" if figure is None else f"{figure[0]:.2f}, {figure[1] / 1e9:.2f}"
            print(f"{text:>16}", end="", flush=True)
            if figure is not None:
                found.append((n, figure[0]))
                results.add(f"{label}, n = {n}: time", figure[0], "s")
                results.add(f"{label}, n = {n}: memory", figure[1] / 1e6, "MB")
        growth = ""
        if len(found) > 1:
            (n, a), (m, b) = found[-2:]
            growth = f"n^{math.log(b / a) / math.log(m / n):.1f}"
        print(f"{growth:>9}", flush=True)
    if tuple(sizes) == SIZES:
        results.write()


if __name__ == "__main__":
    if len(sys.argv) == 3 and not sys.argv[1].isdecimal():
        measure(sys.argv[1], int(sys.argv[2]))
    else:
        main([int(n) for n in sys.argv[1:]] or list(SIZES))
