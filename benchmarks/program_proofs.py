"""Proofs that programs equal the equations: `python benchmarks/program_proofs.py`

All functions that `eq.generate` writes by default (those of the robot, and of the frames at its tips),
proved at shared random points with an error of at most 2⁻¹⁰⁰ in all. Times are those of the processor,
in one process, with the garbage collector paused as in the proof itself. `made`: to derive and lower the
programs, which a user waits for anyway. `folded`: proved with the values of the parameters inserted.

The exit code is 1 if a proof fails. All figures go to results/program_proofs.json.
"""

from __future__ import annotations

import gc
import sys
import time

from harness.results import new_results
from operations import robot_file

from equamo.algebra.identity import prove_zero
from equamo.algebra.identity.proof import log2_sum, power_of_two
from equamo.code.ir.function import folded
from equamo.code.ir.functions import FRAME_FUNCTIONS, Function, frame_function, functions
from equamo.code.ir.proof import prove_programs
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.catalog import load
from equamo.robot.model import Robot

ROBOTS = {
    "rr_arm": ("rr_arm", ""),
    "wheeled_inverted_pendulum": ("wheeled_inverted_pendulum", ""),
    "Panda": ("panda.urdf", "fixed"),
    "Krang": ("krang", ""),
    "ANYmal, free base": ("anymal_b_simple_description/robots/anymal.urdf", "free"),
    "G1, free base": ("g1_description/urdf/g1_29dof_rev_1_0.urdf", "free"),
}


def robot_of(name: str, base: str) -> Robot:
    return load(robot_file(name), base=base) if base else load(name)


def chosen(eom: EquationsOfMotion) -> list[Function]:
    """What `eq.generate` writes by default."""
    parents = {b.parent for b in eom.robot.bodies}
    tips = [b.name for b in eom.robot.bodies if b.name not in parents]
    ends = (frame_function(eom, kind, tip) for tip in tips for kind in FRAME_FUNCTIONS)
    return [f for f in (*functions(eom).values(), *ends) if f.size]


def main() -> int:
    print(
        "| robot | speeds | functions | instructions | made [s] | proved [s] | folded [s] | bound |"
    )
    print("|---|---|---|---|---|---|---|---|")
    failed = 0
    results = new_results("program_proofs", peers=["example-robot-data"])
    prove_zero("sin(x)**2 + cos(x)**2 - 1")  # loads what proofs need
    for label, source in ROBOTS.items():
        eom = derive(robot_of(*source))
        fs = chosen(eom)
        start = time.process_time()
        made = [(f, f.program()) for f in fs]
        lowered = time.process_time() - start
        gc.collect()
        start = time.process_time()
        proofs = prove_programs(eom, made)
        proved = time.process_time() - start
        values = {n: x for n, x in eom.robot.values.items() if x is not None}
        numeric = "–"
        if values:
            with_values = [(f, f.program()) for f in (folded(f, values) for f in fs)]
            gc.collect()
            start = time.process_time()
            more = prove_programs(eom, with_values)
            seconds = time.process_time() - start
            numeric = f"{seconds:.3f}"
            results.add(f"{label}: folded", seconds, "s")
            failed += sum(not p for p in more)
        failed += sum(not p for p in proofs)
        bound = power_of_two(log2_sum([p.bound_bits for p in proofs if p.bound_bits is not None]))
        results.add(f"{label}: made", lowered, "s")
        results.add(f"{label}: proved", proved, "s")
        size = sum(len(p.instructions) for _, p in made)
        results.add(f"{label}: programs", size, "instructions")
        print(
            f"| {label} | {len(eom.v)} | {len(fs)} | {size:,} | {lowered:.2f} | {proved:.3f} "
            f"| {numeric} | {bound} |",
            flush=True,
        )
    if not failed:
        results.write()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
