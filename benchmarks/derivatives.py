"""Derivatives against Pinocchio and CasADi, in one run: `python benchmarks/derivatives.py`

The six robots of dynamics.py × derivatives of inverse and forward dynamics with respect to q (on the
tangent space), v, and v̇ or τ: C against C, the same 1000 random states, one core, processor time,
programs in turns. Our code and CasADi's write only entries that can differ from zero. Pinocchio fills
whole matrices, and is called as its users call it, without having to set them to zero. Passive forces
are left out, since Pinocchio has none. Before anything is timed, results are compared at one state.

A second table compares products with the functions that they are derived from: the Hessian λᵀ∂²ID with
the derivatives, and the reverse sweep λᵀ∂ID with inverse dynamics.

The first run compiles Pinocchio's templates and CasADi's C, which takes minutes; they are kept in
build/benchmarks. The tables go to the terminal and, after a whole run, into docs/project/performance.md,
all figures to results/derivatives.json.

    python benchmarks/derivatives.py --robots UR5,Talos --quick --no-casadi
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from dynamics import PAGE, STATES, described, one_core
from harness.agreement import TOLERANCE, relative
from harness.casadi_calls import CasadiCalls
from harness.clock import Seconds, Work, in_turns
from harness.derivative_report import Robot, derivative_table, product_table, store_derivatives
from harness.equamo_calls import LAYOUTS, EquamoCalls, load
from harness.models import SOURCES, Source, States, Tree, pinocchio_model, tree
from harness.pinocchio_calls import DERIVATIVES, PinocchioCalls
from harness.results import new_results
from harness.tables import write
from rich.console import Console

import equamo as eq
from equamo.robot.model.edits import copy_with

PRODUCTS = ("inverse_dynamics_hessian_packed", "inverse_dynamics_vjp", "inverse_dynamics")
LARGEST = 20  # speeds of the largest robot whose Hessian is measured


def compiled(source: Source) -> Any:
    """Machine code of the robot without passive forces."""
    robot = load(source)
    robot = copy_with(robot, forces=[f for f in robot.forces if f.inputs()])
    return eq.compile(eq.derive(robot), dtype="float64", threads=1, cache=False)


def compare(tree: Tree, ours: EquamoCalls, theirs: PinocchioCalls, function: str) -> float:
    """Largest relative difference from Pinocchio at the last state; an error if it is large."""
    theirs.time(function, 1)
    at = np.ix_(range(3), ours.speeds, ours.speeds)
    reference = theirs.result.transpose(0, 2, 1)[at]
    x = ours.given["tau" if function.startswith("forward") else "vdot"]
    state = ours.given["q"][-1], ours.given["v"][-1], x[-1]
    packed = getattr(ours.fast, function)(*state, packed=True)
    worst = max(
        relative(p.dense(), y) for p, y in zip(packed, reference, strict=True) if np.abs(y).max()
    )
    assert worst <= TOLERANCE, (function, worst)
    return worst


def measure(source: Source, rounds: int, with_casadi: bool) -> Robot:
    """All programs on one robot."""
    plain = tree(pinocchio_model(source))
    states = States(plain, STATES)
    theirs, generated = PinocchioCalls(plain, states), CasadiCalls(source.name, plain, states)
    ours = EquamoCalls(source, plain, states, compiled(source))
    found = Robot(source, plain.nv)
    for f in DERIVATIVES:
        packed = f"{f}_packed"
        start = time.process_time()
        made = ours.fast.function(packed)
        assert made.address
        found.seconds[f] = time.process_time() - start
        found.instructions[f] = made.cost.instructions
        worst = compare(plain, ours, theirs, f)
        print(f"   {f}: {made.cost.instructions} instructions, {found.seconds[f]:.1f} s, "
              f"differs by {worst:.0e}", flush=True)  # fmt: skip
        work: dict[str, Work] = {
            "Pinocchio": lambda n, f=f: theirs.time(f, n),
            "equamo": lambda n, f=packed: ours.time(f, n),
        }
        for way in LAYOUTS:
            work[f"batch, {way}"] = lambda n, f=packed, way=way: ours.time_batch(f, n, way)
        if with_casadi:
            generated.build(f)
            work["CasADi"] = lambda n, f=f: generated.time(f, n)
        found.clocks[f] = in_turns(work, rounds, STATES)
    if plain.nv <= LARGEST:
        found.products = products(ours, rounds)
    return found


def products(ours: EquamoCalls, rounds: int) -> dict[str, Seconds]:
    """One call of the Hessian and of the reverse sweep, and of the functions they are compared with."""
    names = (*PRODUCTS, "inverse_dynamics_derivatives_packed")
    work: dict[str, Work] = {f: lambda n, f=f: ours.time(f, n) for f in names}
    return in_turns(work, rounds, STATES)


def main(given: Sequence[str] | None = None) -> None:
    """Measure, print, and write the page."""
    options = argparse.ArgumentParser(description="Derivatives against Pinocchio and CasADi.")
    options.add_argument("--robots", default=",".join(SOURCES), help="comma-separated names")
    options.add_argument("--quick", action="store_true", help="few rounds; the page is not changed")
    options.add_argument("--no-casadi", action="store_true", help="without CasADi's C")
    chosen = options.parse_args(given)
    unknown = set(chosen.robots.split(",")) - set(SOURCES)
    if unknown:
        options.error(f"no robot {', '.join(sorted(unknown))}; there are {', '.join(SOURCES)}")
    sources = [s for s in SOURCES.values() if s.name in chosen.robots.split(",")]
    results: list[Robot] = []
    for source in sources:
        print(source.name, flush=True)
        with one_core():
            results.append(measure(source, 5 if chosen.quick else 21, not chosen.no_casadi))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    tables = {"derivatives": derivative_table(results), "products": product_table(results)}
    console = Console(width=None if sys.stdout.isatty() else 200)
    console.print(described())
    for table in tables.values():
        table.show(console)
    console.print(f"Most memory of this process: {peak:.1f} GB.")
    if sources == list(SOURCES.values()) and not chosen.quick:
        write(PAGE, {n: t.markdown() for n, t in tables.items()})
        print(f"written to {PAGE.name}")
        if not chosen.no_casadi:
            stored = new_results("derivatives", peers=["pin", "casadi", "example-robot-data"])
            store_derivatives(stored, results)
            stored.write()


if __name__ == "__main__":
    main()
