"""Edits of a robot and what they do to its equations."""

from __future__ import annotations

import pytest

from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity.prove import differences
from equamo.mechanics.certificate import compare
from equamo.mechanics.equations import derive
from equamo.robot.model import Body, Robot, fixed, revolute
from identities import failures
from random_trees import KINDS, random_tree

MOVING = [seed for seed, kind in enumerate(KINDS) if kind != "fixed"]


@pytest.mark.parametrize("seed", MOVING)
def test_locking_a_joint_puts_its_coordinates_and_no_speed_in(seed: int) -> None:
    robot = random_tree(seed, bodies=4, speeds=10).robot()
    first = robot.bodies[0]
    quaternion = ["1/2", "-1/2", "1/2", "1/2"]
    values = [f"{k}/7" for k in range(1, 8)]
    if first.joint.unit_groups():
        values[len(first.joint.q) - 4 :] = quaternion
    held = dict(zip(first.joint.coordinates, values, strict=False))
    whole, locked = derive(robot), derive(robot.lock(**held))
    at = {**held, **{v.name: 0 for v in first.joint.v}}
    rest = range(len(first.joint.v), len(robot.v))

    def rows(x: Vector) -> Vector:
        return Vector([x[i] for i in rest]).subs(at)

    M = Matrix([[whole.mass_matrix[i, j] for j in rest] for i in rest]).subs(at)
    groups = {
        "mass matrix": differences(M, locked.mass_matrix),
        "bias": differences(rows(whole.bias), locked.bias),
        "gravity": differences(rows(whole.gravity), locked.gravity),
    }
    assert {"torque", "strut", "push", "own"} <= set(locked.forces)
    for name, f in locked.forces.items():
        groups[f"force {name!r}"] = differences(rows(whole.forces[name]), f)
    assert not failures(locked.robot, groups)


@pytest.mark.parametrize("seed", [1, 4, 9])
def test_added_mass_is_a_body_attached(seed: int) -> None:
    robot = random_tree(seed, bodies=4, speeds=10).robot()
    extra = ("dm", "u1 u2 u3", "k1 k2 k3")
    added = derive(robot.add_mass("b2", *extra))
    attached = derive(robot.attach(Body("load", fixed(), *extra), to="b2"))
    groups = {
        name: differences(getattr(added, name), getattr(attached, name))
        for name in ("mass_matrix", "bias", "gravity")
    }
    assert not failures(robot, groups)


def fork(mass: str) -> Robot:
    """Two arms on one shoulder."""
    return Robot("fork", [
        Body("b1", revolute("q1"), mass=1, com="1 2 3", inertia="1 2 2"),
        Body("b2", revolute("q2", axis="x", at="1 0 1"), 1, "1 2 3", "1 2 2", parent="b1"),
        Body("b3", revolute("q3", axis="y", at="0 1 1"), mass, "1 2 3", "1 2 2", parent="b1"),
    ])  # fmt: skip


def test_comparison_with_a_mutant_names_what_differs() -> None:
    assert compare(derive(fork("2")), derive(fork("2"), by="lagrange"))
    report = compare(derive(fork("2")), derive(fork("3")))
    assert not report
    found = {(d.quantity, *d.entry) for d in report.differences}
    assert {("mass_matrix", "q1", "q1"), ("mass_matrix", "q1", "q3"), ("gravity", "q3")} <= found
    assert not [d for d in found if "q2" in d]  # the other arm is as it was
    assert "mass_matrix[q1, q3]" in str(report)
