"""Base parameters, their number and the time they take: `python benchmarks/base_parameters.py`

Processor seconds of one run from derived equations to base parameters, and of their proof. The exit code
is 1 if a count differs from the literature or a proof fails. All figures go to
results/base_parameters.json.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from harness.results import new_results

import equamo as eq
from equamo.algebra.expr import symbol
from equamo.robot.library.puma560 import puma560
from equamo.robot.library.rx90 import rx90
from equamo.robot.model.edits import copy_with
from equamo.robot.model.inertia import NAMES, Inertia

ARM_SECONDS, HUMANOID_SECONDS = 1.0, 10.0


def general_arm(joints: int) -> eq.Robot:
    """Revolute joints with symbolic offsets and twists, the first axis along gravity."""
    bodies = [
        eq.Body(
            f"b{k}",
            eq.revolute(
                f"q{k}", at=f"a{k} 0 d{k}", rotation=f"alpha{k} beta{k} 0" if k > 1 else None
            ),
            inertia=Inertia.about_origin([symbol(f"{n}_b{k}") for n in NAMES]),
            parent=f"b{k - 1}" if k > 1 else "world",
        )
        for k in range(1, joints + 1)
    ]
    return eq.Robot("general 7R", bodies)


def from_file(end: str, base: str = "fixed") -> eq.Robot:
    """A robot of example-robot-data, without drives."""
    import pinocchio

    folder = Path(pinocchio.__file__).parents[4] / "share" / "example-robot-data" / "robots"
    (path,) = [p for p in folder.rglob("*.urdf") if p.as_posix().endswith(end)]
    return copy_with(eq.load(path, base=base).tree, forces=[])


def robots() -> list[tuple[str, eq.Robot, int | None, float]]:
    """(name, robot, number in the literature, most seconds)"""
    iiwa = copy_with(eq.load("iiwa"), forces=[])
    return [
        ("Puma 560", puma560(friction=False, rotors=False), 36, ARM_SECONDS),
        ("RX-90 with rotors", rx90(rotors=True), 40, ARM_SECONDS),
        ("iiwa", iiwa, 43, ARM_SECONDS),
        ("general 7R", general_arm(7), 43, ARM_SECONDS),
        ("Panda", from_file("/panda.urdf"), None, ARM_SECONDS),
        ("ANYmal, free base", from_file("b_simple_description/robots/anymal.urdf", "free"), 94,
         ARM_SECONDS),
        ("Krang on wheels", eq.load("krang_on_wheels"), None, HUMANOID_SECONDS),
        ("Talos, free base", from_file("talos_full_v2.urdf", "free"), None, HUMANOID_SECONDS),
        ("G1 with hands, free base", from_file("g1_29dof_with_hand_rev_1_0.urdf", "free"), None,
         HUMANOID_SECONDS),
        ("Romeo", from_file("/romeo.urdf"), None, HUMANOID_SECONDS),
    ]  # fmt: skip


def main() -> int:
    failed = 0
    results = new_results("base_parameters", peers=["example-robot-data"])
    print(
        "| robot | speeds | parameters | base parameters | seconds | proof |\n|---|---|---|---|---|---|"
    )
    for name, robot, wanted, limit in robots():
        eom = eq.derive(robot)
        start = time.process_time()
        base = eom.base_parameters
        middle = time.process_time()
        minimal = base.is_minimal
        end = time.process_time()
        row = (name, len(robot.v), len(base.regressor.names), base.count)
        print(f"| {' | '.join(map(str, row))} | {middle - start:.2f} | {end - middle:.2f} |")
        results.add(f"{name}: number", base.count, "base parameters")
        results.add(f"{name}: base parameters", middle - start, "s")
        results.add(f"{name}: proof", end - middle, "s")
        wrong = not minimal or (wanted is not None and base.count != wanted)
        slow = middle - start > limit
        failed |= wrong or slow
        if wrong or slow:
            print(f"  {name}: minimal {minimal}, literature {wanted}, at most {limit} s")
    if not failed:
        results.write()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
