"""URDF that is written reads back to the same equations, or lists what it lost.

Random trees with random values of their parameters: with the elements that URDF has, and with all that a
robot can have.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import symbol
from equamo.errors import FileFormatError, ModelError
from equamo.mechanics.equations import derive
from equamo.robot.formats.urdf import robot_of_urdf
from equamo.robot.formats.urdf_writer import urdf_text, write_urdf
from equamo.robot.model import Robot
from equamo.robot.model.edits import copy_with
from random_trees import random_state, random_tree
from saved_robots import ROBOTS, adorned

CHUNKS = [range(first, first + 50) for first in range(0, 400, 50)] if WHOLE_SWEEPS else [range(4)]
KINDS = ("fixed", "revolute", "prismatic", "planar", "free quaternion")
# Losses that change a quantity, by a word of their text.
REASONS = {
    "mass_matrix": ("RotorInertia", "chosen speeds", "directions of the lengths"),
    "bias": ("moving base", "chosen speeds", "directions of the lengths"),
    "gravity": ("gravity ", "chosen speeds", "directions of the lengths"),
    "passive_force": ("the force element", "chosen speeds", "directions of the lengths"),
}
largest: dict[str, float] = defaultdict(float)


def valued(robot: Robot, seed: int) -> Robot:
    """Copy with other, random values of the parameters, of the same sign."""
    r = np.random.default_rng(seed)
    values = {n: (x or 1) * float(r.uniform(0.6, 1.4)) for n, x in robot.values.items() if n != "g"}
    return robot.with_values(values)


def by_name(robot: Robot, what: str, state: dict[str, float]) -> dict[Any, float]:
    """A quantity by the names of its speeds, at a state by name."""
    eom = derive(robot)
    q, v = ([state[x.name] for x in part] for part in (eom.q, eom.v))
    found = np.atleast_1d(eom.evaluate(what, q=q, v=v))
    names = [x.name for x in eom.v]
    if found.ndim == 1:
        return dict(zip(names, found.tolist(), strict=True))
    return {(a, b): float(found[i, j]) for i, a in enumerate(names) for j, b in enumerate(names)}


def check(robot: Robot, seed: int) -> list[str]:
    """URDF reads back to the same equations, except for what is listed; returns the list."""
    robot = valued(robot, seed)
    text, lost = urdf_text(robot)
    assert [x for x in lost if f"not in URDF: {x[:20]}" not in text] == []
    if lost.serious:
        with pytest.raises(ModelError, match="pass lossy=True"):
            write_urdf(robot)
    else:
        assert write_urdf(robot) == text
    again = robot_of_urdf(text, mimic="follow", meshes=False)
    listed = "; ".join(lost)
    same_names = {x.name for x in (*robot.q, *robot.v)} == {x.name for x in (*again.q, *again.v)}
    assert same_names or "the coordinates " in listed or " speeds" in listed
    if [x.name for x in robot.q] != [x.name for x in again.q]:
        assert lost.states
    if same_names:
        state = {x.name: value for x, value in random_state(robot, seed).items()}
        for what, reasons in REASONS.items():
            if any(reason in listed for reason in reasons):
                continue
            one, two = by_name(robot, what, state), by_name(again, what, state)
            assert one.keys() == two.keys()
            size = max((abs(x) for x in one.values()), default=0.0)
            error = max((abs(one[k] - two[k]) for k in one), default=0.0) / max(size, 1e-3)
            largest[what] = max(largest[what], error)
            assert error < 1e-9, (what, error)
    drives = [
        [(f.speed, float(f.gear)) for f in r.forces if type(f).__name__ == "JointActuator"]
        for r in ((robot, again) if not lost.inputs and not lost.states else ())
    ]
    assert not drives or drives[0] == drives[1]
    if not lost.states:
        assert [float(x) for x in robot.home.q.values()] == [
            float(x) for x in again.home.q.values()
        ]
    if not lost.data:
        assert {n for n, x in robot.limits.items() if x.expressions()} == set(again.limits)
        assert {n: len(x) for n, x in robot.shapes.items()} == {
            n: len(x) for n, x in again.shapes.items()
        }
    return lost.serious


def plain_tree(seed: int) -> Robot:
    """A random tree with the elements that URDF has, and gravity 9.81."""
    robot = random_tree(seed, KINDS, most=5, forces=False).robot()
    single = [b.joint.coordinates[0] for b in robot.bodies if len(b.joint.speeds) == 1]
    forces = [eq.joint_actuator(symbol(c), f"tau_{c}") for c in single]
    for k, c in enumerate(single):
        forces += [
            [eq.joint_damper(c, "d_1"), eq.joint_friction(c, "Fc_1", "Fv_1")],
            [eq.rotor_inertia(c, "Jm", ratio="-N_r"), eq.rotor_inertia(c, 1, name=f"second {c}")],
            [eq.joint_friction(c, 2, 0)],
            [],
        ][(seed + k) % 4]  # fmt: skip
    return copy_with(robot, gravity="0 0 -9.81", forces=forces)


@pytest.mark.ci
@pytest.mark.parametrize("seeds", CHUNKS, ids=str)
def test_urdf_of_random_trees_has_the_same_equations(seeds: range) -> None:
    lossless = 0
    for seed in seeds:
        lossless += not check(plain_tree(seed), seed)
        check(adorned(seed, kinds=KINDS), seed)
    assert lossless >= len(seeds) // 4
    print(dict(largest))


def test_urdf_of_named_robots_has_the_same_equations_or_a_list() -> None:
    for name in ("pendulum", "flying", "rr_arm"):
        check(ROBOTS[name](), 1)


@pytest.mark.ci
@pytest.mark.needs("pinocchio")
@pytest.mark.parametrize("part", range(4) if WHOLE_SWEEPS else [0])
def test_urdf_of_files_has_the_same_equations(part: int) -> None:
    from peer_urdf import files

    for k, path in enumerate(files()[part::4] if WHOLE_SWEEPS else files()[::25]):
        try:
            robot = eq.load(path, mimic="follow", parameters="symbolic" if k % 2 else "numeric")
        except FileFormatError:
            continue
        if len(robot.v) <= 30:
            assert check(robot, k) == []
