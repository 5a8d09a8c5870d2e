"""Operations of inverse dynamics with gravity: `python benchmarks/operations.py`

First table: multiplications / additions, every body with ten inertial symbols, base parameters; sin and
cos are not counted, nor is what depends on parameters alone. Panda is without fingers. `plain` is the
recursion on the robot as given, `ours` the same recursion after `reframed`, `regrouped` and `factored`.

Second table: robots from files with their own numbers, in instructions (a multiply-add is one, sin and
cos left out) of inverse dynamics and of the mass matrix.

Each program is proved equal to the plain recursion in the same run; the exit code is 1 if a proof fails.
The counts go to results/operations.json.
"""

from __future__ import annotations

import sys
from pathlib import Path

from harness.results import new_results

from equamo.algebra.expr import Expr, symbol
from equamo.algebra.expr.count import Count, count
from equamo.algebra.expr.graph import LAST_LEAF, NEG
from equamo.algebra.expr.substitute import substitute
from equamo.algebra.expr.vector import Vector
from equamo.algebra.expr.walk import depends, walk
from equamo.algebra.identity import prove_all
from equamo.algebra.identity.prove import differences
from equamo.mechanics.recursions.base_parameters import regrouped
from equamo.mechanics.recursions.body_frames import factored, reframed
from equamo.mechanics.recursions.composite_bodies import mass_matrix
from equamo.mechanics.recursions.newton_euler import inverse_dynamics
from equamo.robot.catalog import load
from equamo.robot.model import Body, Inertia, Robot
from equamo.robot.model.edits import copy_with
from equamo.robot.model.inertia import NAMES

# multiplications, additions to reach
GOALS = {
    "rx90": (247, 234),
    "puma560": (273, 256),
    "stanford": (227, 212),
    "iiwa": (297, 282),
    "panda": (314, 298),
}
FILES = [
    ("ur5_robot.urdf", "fixed"),
    ("panda.urdf", "fixed"),
    ("kinova.urdf", "fixed"),
    ("anymal_b_simple_description/robots/anymal.urdf", "free"),
    ("talos_data/robots/talos_reduced.urdf", "free"),
    ("g1_description/urdf/g1_29dof_rev_1_0.urdf", "free"),
]
FIGURES = ("inverse dynamics", "inverse dynamics, plain", "mass matrix", "mass matrix, plain")


def robot_file(end: str) -> Path:
    """A file of example-robot-data."""
    import pinocchio

    folder = Path(pinocchio.__file__).parents[4] / "share" / "example-robot-data" / "robots"
    (found,) = [p for p in folder.rglob("*.urdf") if p.as_posix().endswith(f"/{end}")]
    return found


def arm(name: str) -> Robot:
    """A robot of the first table: ten inertial symbols on every body that moves, no drives."""
    robot = load(robot_file(FILES[1][0]) if name == "panda" else name)
    bodies = [b for b in robot.bodies if "finger" not in b.name]
    bodies = [Body(b.name, b.joint, inertia=_ten_symbols(b), parent=b.parent) for b in bodies]
    return copy_with(robot, bodies=bodies, forces=[], limits={})


def _ten_symbols(b: Body) -> Inertia:
    if not b.joint.speeds:
        return Inertia.zero()
    return Inertia.about_origin([symbol(f"{n}_{b.name}") for n in NAMES])


def tau(robot: Robot) -> Vector:
    """Inverse dynamics with gravity."""
    return inverse_dynamics(robot, robot.v, robot.vdot, robot.gravity)


def operations(robot: Robot) -> Count:
    """Operations of inverse dynamics, without those that depend on parameters only."""
    outputs = tau(robot)
    order = walk(outputs)
    moving = depends(order, [*robot.q, *robot.v, *robot.vdot])
    known: dict[Expr, Expr] = {}
    for x in order:
        if not moving[x] and x.op > LAST_LEAF and x.op != NEG:
            known[x] = symbol(f"known{len(known)}")
    return count(substitute(outputs, known))


def is_proved(given: Robot, ours: Robot) -> bool:
    """Whether inverse dynamics and mass matrix are the same functions."""
    groups = [differences(tau(given), tau(ours))]
    groups.append(differences(mass_matrix(given), mass_matrix(ours)))
    return all(prove_all(groups, unit=given.unit_groups))


def with_base_parameters(robot: Robot) -> Robot:
    """Other body frames, then base parameters."""
    return factored(regrouped(reframed(robot)))


def main() -> int:
    failed: list[str] = []
    results = new_results("operations", peers=["example-robot-data"])

    def proof(name: str, given: Robot, ours: Robot) -> str:
        if is_proved(given, ours):
            return "proved"
        failed.append(name)
        return "NOT PROVED"

    print(f"{'mult/add':24}{'ours':>9}{'goal':>9}{'plain':>9}")
    for name, goal in GOALS.items():
        given = arm(name)
        ours = with_base_parameters(given)
        c, plain = operations(ours), operations(given)
        for label, counted in (("inverse dynamics", c), ("inverse dynamics, plain", plain)):
            results.add(f"{name}, {label}: multiplications", counted.multiplications, "operations")
            results.add(f"{name}, {label}: additions", counted.additions, "operations")
        reached = c.multiplications <= goal[0] and c.additions <= goal[1]
        print(
            f"{name:24}{_pair(c):>9}{'/'.join(map(str, goal)):>9}{_pair(plain):>9}  "
            f"{'reached' if reached else 'MISSED'}, {proof(name, given, ours)}"
        )
    print(f"\n{'instructions':24}{'ID':>6}{'plain':>7}{'M':>7}{'plain':>7}")
    for end, base in FILES:
        given = load(robot_file(end), base=base)
        ours = with_base_parameters(given)
        figures = [
            count(x).instructions
            for x in (tau(ours), tau(given), mass_matrix(ours).entries, mass_matrix(given).entries)
        ]
        name = Path(end).stem
        for label, figure in zip(FIGURES, figures, strict=True):
            results.add(f"{name}, {label}", figure, "instructions")
        cells = "".join(f"{x:7}" for x in figures)
        print(f"{name:23}{cells}  {proof(name, given, ours)}")
    if not failed:
        results.write()
    return 1 if failed else 0


def _pair(c: Count) -> str:
    return f"{c.multiplications}/{c.additions}"


if __name__ == "__main__":
    sys.exit(main())
