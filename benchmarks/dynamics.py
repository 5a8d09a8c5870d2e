"""Rigid-body dynamics against Pinocchio, MuJoCo and CasADi, in one run: `python benchmarks/dynamics.py`

Six robots × inverse dynamics, mass matrix, forward dynamics. First C against C: every program is
called from a loop in C over the same 1000 random states on one core; then Python against Python; then
the time from `eq.load` to the first number. The programs take turns, so that noise affects all of them
equally; a figure is processor time, the median over the rounds. Before anything is timed, the results of
all programs at one of the states are compared.

The first run compiles Pinocchio's templates (minutes) and CasADi's C for each robot; they are kept in
build/benchmarks. The tables go to the terminal and, after a whole run, into docs/project/performance.md,
all figures to results/dynamics.json.

    python benchmarks/dynamics.py --robots UR5,Talos --quick
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness import pinocchio_calls as cpp, python_calls as python
from harness.agreement import disagreements
from harness.casadi_calls import CasadiCalls
from harness.clock import Work, in_turns, over_states, per_state
from harness.equamo_calls import LAYOUTS, EquamoCalls
from harness.models import SOURCES, Source, States, pinocchio_model, tree
from harness.mujoco_calls import MujocoCalls
from harness.pinocchio_calls import PinocchioCalls
from harness.report import (
    Measured,
    batch_table,
    c_table,
    least_table,
    python_table,
    start_table,
    store,
)
from harness.results import new_results
from harness.tables import machine, write
from rich.console import Console

FUNCTIONS = ("inverse_dynamics", "mass_matrix", "forward_dynamics")
STATES, BATCH = 1000, 4096
PAGE = Path(__file__).parents[1] / "docs" / "project" / "performance.md"
PACKAGES = ("equamo", "llvmlite", "pin", "mujoco", "casadi", "numpy")


# -- measuring -------------------------------------------------------------------------------------
def measure(source: Source, rounds: int) -> Measured:
    """All programs on one robot."""
    model = pinocchio_model(source)
    plain = tree(model)
    states = States(plain, STATES)
    ours, theirs = EquamoCalls(source, plain, states), PinocchioCalls(plain, states)
    simulator, generated = MujocoCalls(plain, states), CasadiCalls(source.name, plain, states)
    for function in FUNCTIONS:
        generated.build(function)
    worst = disagreements(plain, ours, theirs, simulator, generated)
    print(f"   largest relative difference from Pinocchio: {worst:.0e}", flush=True)
    many = States(plain, BATCH)
    our_many = EquamoCalls(source, plain, many, ours.fast)
    generated_many = generated.with_states(many)
    found = Measured(source, plain.nv)
    for f in FUNCTIONS:
        print(f"   {f}: C", end="", flush=True)
        found.in_c[f] = in_turns(in_c(f, ours, theirs, simulator, generated), rounds, STATES)
        ways = [found.in_c[f][f"Pinocchio, {way}"] for way in cpp.ALGORITHMS[f]]
        found.in_c[f]["Pinocchio"] = min(ways)  # the convention that suits it best
        print(", Python", end="", flush=True)
        found.in_python[f] = in_turns(one_call(f, model, states, ours, generated), rounds, STATES)
        print(", batches", flush=True)
        work = batch(f, model, many, our_many, generated_many)
        found.batches[f] = in_turns(work, max(3, rounds // 2), BATCH)
    return found


def in_c(
    f: str,
    ours: EquamoCalls,
    theirs: PinocchioCalls,
    simulator: MujocoCalls,
    generated: CasadiCalls,
) -> dict[str, Work]:
    """One state per call, and our batches, from C."""
    work: dict[str, Work] = {
        f"Pinocchio, {way}": lambda n, way=way: theirs.time(f, n, way) for way in cpp.ALGORITHMS[f]
    }
    work["MuJoCo"] = lambda n: simulator.time(f, n)
    work["CasADi"] = lambda n: generated.time(f, n)
    work["equamo"] = lambda n: ours.time(f, n)
    for way in LAYOUTS:
        work[f"batch, {way}"] = lambda n, way=way: ours.time_batch(f, n, way)
    return work


def one_call(
    f: str, model: Any, states: States, ours: EquamoCalls, generated: CasadiCalls
) -> dict[str, Work]:
    """One state per call, from Python."""
    calls = {
        "Pinocchio": python.pinocchio_calls(model, states, f),
        "MuJoCo": python.mujoco_calls(states, f),
        "CasADi": python.casadi_calls(generated, f),
        "equamo": python.equamo_calls(ours, f),
    }
    return {name: over_states(call, STATES) for name, call in calls.items() if call}


def batch(
    f: str, model: Any, states: States, ours: EquamoCalls, generated: CasadiCalls
) -> dict[str, Work]:
    """Many states, from Python, on one core."""
    of_mujoco = python.mujoco_batch(states) if f == "forward_dynamics" else None
    runs = {
        "Pinocchio": python.loop(python.pinocchio_calls(model, states, f), BATCH),
        "MuJoCo": of_mujoco or python.loop(python.mujoco_calls(states, f), BATCH),
        "CasADi": python.casadi_batch(generated, f),
        "equamo": python.equamo_batch(ours, f),
    }
    return {name: per_state(run, BATCH) for name, run in runs.items() if run}


# -- from the file to the first number -------------------------------------------------------------
FIRST_NUMBER = """
import sys, time
import equamo as eq
start = time.perf_counter()
robot = eq.load(sys.argv[1], base=sys.argv[2])
fast = eq.compile(eq.derive(robot))
q, v, vdot = robot.home.q, [0.1] * len(robot.v), [0.2] * len(robot.v)
fast.inverse_dynamics(q, v, vdot)
print(time.perf_counter() - start)
"""


def first_number(source: Source, runs: int) -> tuple[float, float]:
    """Seconds without and with the disk cache, each in a process of its own."""

    def once(cache: str) -> float:
        base = "free" if source.free else "fixed"
        line = [sys.executable, "-c", FIRST_NUMBER, str(source.path), base]
        environment = {**os.environ, "EQUAMO_CACHE": cache}
        done = subprocess.run(line, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        return float(done.stdout)

    cold = statistics.median(once("off") for _ in range(runs))
    with tempfile.TemporaryDirectory() as folder:
        once(f"{folder}/cache")
        warm = statistics.median(once(f"{folder}/cache") for _ in range(runs))
    return cold, warm


@contextmanager
def one_core() -> Iterator[None]:
    """Stay on one core, if the system allows it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    yield
    os.sched_setaffinity(0, cores)


def described() -> str:
    """The machine and the versions."""
    versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in PACKAGES)
    flags = "-O3 -march=native"
    return f"{machine()} {flags}; Eigen {cpp.eigen_version()}, {versions}."


def main() -> None:
    """Measure, print, and write the page."""
    options = argparse.ArgumentParser(description="Dynamics against Pinocchio, MuJoCo and CasADi.")
    options.add_argument("--robots", default=",".join(SOURCES), help="comma-separated names")
    options.add_argument("--quick", action="store_true", help="few rounds; the page is not changed")
    chosen = options.parse_args()
    unknown = set(chosen.robots.split(",")) - set(SOURCES)
    if unknown:
        options.error(f"no robot {', '.join(sorted(unknown))}; there are {', '.join(SOURCES)}")
    sources = [s for s in SOURCES.values() if s.name in chosen.robots.split(",")]
    rounds = 5 if chosen.quick else 21
    results: list[Measured] = []
    for source in sources:
        print(source.name, flush=True)
        with one_core():
            results.append(measure(source, rounds))
    print("from the file to the first number", flush=True)
    seconds = {s.name: first_number(s, 1 if chosen.quick else 5) for s in sources}
    tables = {
        "calls": c_table(results), "least": least_table(results), "python": python_table(results),
        "batches": batch_table(results, BATCH), "start": start_table(seconds),
    }  # fmt: skip
    console = Console(width=None if sys.stdout.isatty() else 200)
    console.print(described())
    for table in tables.values():
        table.show(console)
    if sources == list(SOURCES.values()) and not chosen.quick:
        write(PAGE, {"machine": described(), **{n: t.markdown() for n, t in tables.items()}})
        print(f"written to {PAGE.name}")
        stored = new_results("dynamics", peers=["pin", "mujoco", "casadi", "example-robot-data"])
        store(stored, results, seconds)
        stored.write()


if __name__ == "__main__":
    main()
