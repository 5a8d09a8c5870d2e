"""Robots with closed loops against Pinocchio's constraintDynamics: `python benchmarks/loops.py`

Forward dynamics under the forces of closed loops, C against C: every program is called from a loop in C
over the same random states at which the loops are closed, on one core; processor time, the median of the
rounds, programs in turns. Before anything is timed, accelerations are compared at every tenth state.
Pinocchio has the loops as 3D constraints. If some of these rows are redundant, it needs a proximal
term; it gets the smallest number of iterations (one) and a mu with which it agrees to 1e-9. Passive
forces and rotors are left out of both.

The first run compiles Pinocchio's templates, which takes minutes; they are kept in build/benchmarks. A
whole run writes its table into docs/project/performance.md and all figures to results/loops.json.

    python benchmarks/loops.py --robots cassie_leg --quick
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from dynamics import PAGE, described, one_core
from harness.agreement import TOLERANCE, relative
from harness.clock import Seconds, in_turns
from harness.closed_robots import ClosedStates, plain_tree, without_passive
from harness.equamo_calls import LAYOUTS, EquamoCalls
from harness.pinocchio_loop_calls import PinocchioLoopCalls
from harness.results import Results, new_results
from harness.tables import Table, nanoseconds, times, write
from rich.console import Console

import equamo as eq

LOOP_PARTS = ("loops", "loops machine")  # places on the page
ROBOTS = ("four_bar", "five_bar", "cassie_leg")
REACH = {"cassie_leg": 10.0}  # times faster than constraintDynamics
STATES, MU = 200, 1e-12
FORWARD = "forward_dynamics"


class ClosedCalls(EquamoCalls):
    """Our machine code of a robot with loops, and states at which they are closed."""

    def __init__(self, robot: Any, states: ClosedStates) -> None:
        self.robot, self.count = robot, states.count
        # As of robots from URDF files, numbers stand in the code.
        options = {"dtype": "float64", "threads": 1, "cache": False, "parameters": "numeric"}
        self.fast = eq.compile(eq.derive(robot), **options)
        self.batches: dict[tuple[str, str], list[np.ndarray]] = {}
        self.given = {"q": states.q, "v": states.v, "tau": states.tau}


@dataclass(frozen=True)
class Measured:
    """Seconds per state of one robot, by program."""

    name: str
    speeds: int
    rows: int
    rank: int
    instructions: int
    clocks: dict[str, Seconds]

    def ratio(self, program: str) -> float:
        """How many times faster than Pinocchio."""
        return self.clocks["Pinocchio"].median / self.clocks[program].median

    @property
    def batch(self) -> str:
        """Our faster layout."""
        return min(LAYOUTS, key=lambda way: self.clocks[way].median)


def compare(ours: ClosedCalls, theirs: PinocchioLoopCalls, states: ClosedStates) -> float:
    """Largest relative difference of accelerations; an error if it is large."""
    worst = 0.0
    mine = ours.fast.forward_dynamics(states.q, states.v, states.tau)
    for k in range(0, states.count, 10):
        worst = max(worst, relative(mine[k], theirs.at(k)))
    assert worst <= TOLERANCE, worst
    return worst


def measure(name: str, rounds: int) -> Measured:
    """Both programs on one robot."""
    robot = without_passive(eq.load(name))
    states = ClosedStates(robot, STATES)
    tree, closures = plain_tree(robot)
    rank = eq.mobility(robot).rank
    rows = 3 * len(closures)
    mu = MU if rank < rows else 0.0
    theirs = PinocchioLoopCalls(tree, states, closures, mu)
    ours = ClosedCalls(robot, states)
    worst = compare(ours, theirs, states)
    print(f"   largest relative difference from Pinocchio: {worst:.0e}", flush=True)
    work = {"Pinocchio": theirs.time, "equamo": lambda n: ours.time(FORWARD, n)}
    for way in LAYOUTS:
        work[way] = lambda n, way=way: ours.time_batch(FORWARD, n, way)
    clocks = in_turns(work, rounds, STATES)
    cost = ours.fast.function(FORWARD).cost
    return Measured(name, len(robot.v), rows, rank, cost.instructions, clocks)


def loops_table(results: Sequence[Measured]) -> Table:
    rows = [
        [
            f"{x.name} ({x.speeds})", f"{x.rank} of {x.rows}", f"{x.instructions:,}",
            *(nanoseconds(x.clocks[p].median) for p in ("Pinocchio", "equamo", *LAYOUTS)),
            times(x.ratio("equamo"), REACH.get(x.name)), times(x.ratio(x.batch)),
        ]
        for x in results
    ]  # fmt: skip
    headings = (
        "robot (speeds)", "independent rows", "instructions", "constraintDynamics", "equamo",
        "batch, rows", "batch, columns", "Pinocchio / one call (target)", "Pinocchio / batch",
    )  # fmt: skip
    title = "Forward dynamics with closed loops, one core: ns per state"
    return Table(title, headings, rows)


def stored(measured: Sequence[Measured]) -> Results:
    results = new_results("loops", peers=["pin"])
    for x in measured:
        for program, seconds in x.clocks.items():
            unit = "ns, peer" if program == "Pinocchio" else "ns"
            results.add(f"{x.name}, {program}", 1e9 * seconds.median, unit)
        results.add(f"{x.name}, one call", x.ratio("equamo"), "times faster")
        results.add(f"{x.name}, batch", x.ratio(x.batch), "times faster")
        results.add(f"{x.name}, forward dynamics", x.instructions, "instructions")
    return results


def main() -> None:
    """Measure, print, and write the page."""
    options = argparse.ArgumentParser(description="Closed loops against Pinocchio.")
    options.add_argument("--robots", default=",".join(ROBOTS), help="comma-separated names")
    options.add_argument("--quick", action="store_true", help="few rounds; the page is not changed")
    chosen = options.parse_args()
    names = chosen.robots.split(",")
    unknown = set(names) - set(ROBOTS)
    if unknown:
        options.error(f"no robot {', '.join(sorted(unknown))}; there are {', '.join(ROBOTS)}")
    results: list[Measured] = []
    for name in names:
        print(name, flush=True)
        with one_core():
            results.append(measure(name, 5 if chosen.quick else 21))
    table = loops_table(results)
    console = Console(width=None if sys.stdout.isatty() else 200)
    console.print(described())
    table.show(console)
    if tuple(names) == ROBOTS and not chosen.quick:
        write(PAGE, {"loops machine": described(), "loops": table.markdown()})
        print(f"written to {PAGE.name}")
        stored(results).write()


if __name__ == "__main__":
    main()
