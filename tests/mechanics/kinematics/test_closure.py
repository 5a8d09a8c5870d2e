"""A and Ȧ u from joint axes are those of φ, for all q: random trees, all cut joints, contacts."""

import random
from fractions import Fraction

import pytest

import equamo as eq
from equamo.algebra.expr.differentiate import directional
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector, dot
from equamo.mechanics.kinematics.closure import constraint_bias, constraint_matrix
from equamo.robot.model.loop import ROWS
from loops_examples import bennett, four_bar
from random_trees import WHOLE_SWEEPS, random_tree

# Unit vectors and a rotation without zeros.
AXES = ("2/3 -1/3 2/3", "3/7 6/7 -2/7", "-4/9 4/9 7/9", "z", "-x", "0 3/5 4/5")
TURN = [["1/9", "8/9", "4/9"], ["-4/9", "4/9", "-7/9"], ["-8/9", "-1/9", "4/9"]]


def differences(robot: eq.Robot) -> list[eq.Expr]:
    """A, Ȧ u by axes and by differentiating φ; and A u − φ̇ with q̇ by the kinematic map."""
    tree = robot.tree
    seeds = dict(zip(tree.q, tree.kinematic_map @ Vector(tree.v), strict=True))
    rates = [dot(r.A, tree.v) for r in robot.rows]
    A = Matrix([r.A for r in robot.rows])
    found = [x - y for x, y in zip(A.entries, constraint_matrix(robot).entries, strict=True)]
    second = directional(rates, seeds)
    found += [x - y for x, y in zip(second, constraint_bias(robot), strict=True)]
    first = directional([r.position for r in robot.rows if r.position is not None], seeds)
    return found + [x - y for x, y in zip(first, rates, strict=True)]


def closed_tree(seed: int) -> eq.Robot:
    """Random tree with one loop of each kind, and two contacts that stick."""
    r = random.Random(seed)
    tree = random_tree(seed, bodies=3, speeds=7, forces=False).robot()
    names = ["world", *(b.name for b in tree.bodies)]
    loops: list[eq.Loop] = []
    for k, kind in enumerate(ROWS):
        body, to = r.sample(names, 2)
        points = [[Fraction(r.randint(-9, 9), 7), f"p{k}{r.randint(1, 2)}", 1] for _ in range(2)]
        axes = {"axis": r.choice(AXES), "to_axis": r.choice(AXES)}
        more = {"length": f"l{k}"} if kind == "distance" else {}
        if kind in ("fixed", "prismatic"):
            more["rotation"] = r.choice([None, TURN, ["a1", 0, "a3"]])
        options = {"at": points[0], "to": to, "to_at": points[1], "joint": kind, **axes, **more}
        loops.append(eq.loop(f"loop {k}", body, **options))
    contacts = [
        eq.contact("foot", names[3], "l1 0 1/3"),
        eq.contact("hand", names[2], [1, 2, "h"], normal="2 -1 2"),
    ]
    own = {"gravity": tree.gravity, "forces": [], "parameters": tree.parameter_info}
    mode = {"foot": "stick", "hand": "stick"}
    return eq.Robot("closed", tree.bodies, loops=loops, contacts=contacts, mode=mode, **own)


@pytest.mark.parametrize("seed", range(60 if WHOLE_SWEEPS else 6))
def test_rows_by_axes_are_those_of_the_positions(seed: int) -> None:
    robot = closed_tree(seed)
    assert len(robot.rows) == sum(map(len, ROWS.values())) + 6
    assert eq.prove_zero(differences(robot), unit=robot.unit_groups)


def test_rows_of_small_mechanisms() -> None:
    for robot in (bennett(), *map(four_bar, ROWS)):
        assert eq.prove_zero(differences(robot))


def test_a_route_through_axes_costs_less() -> None:
    robot = four_bar("fixed")
    seeds = dict(zip(robot.q, robot.v, strict=True))
    slow = Vector(directional([dot(r.A, robot.v) for r in robot.rows], seeds))
    assert constraint_bias(robot).operations().total < slow.operations().total / 2


def test_multipliers_of_a_contact_are_the_force_of_the_ground() -> None:
    body = eq.Body("b", eq.free("b"), mass="m", inertia="I I I")
    arm = eq.Body("arm", eq.revolute("q", at="0 1 l"), mass="m", parent="b")
    push = eq.wrench("arm", "Fx Fy Fz", at="a 0 c", expressed_in="world", name="push")
    held = eq.contact("tip", "arm", "a 0 c")
    robot = eq.Robot("pushed", [body, arm], forces=[push], contacts=[held], mode={"tip": "stick"})
    force = eq.derive(robot.tree).forces["push"]
    A = constraint_matrix(robot)
    difference = A.T @ Vector(["Fx", "Fy", "Fz"]) - Vector(force.entries)
    assert eq.prove_zero(list(difference), unit=robot.unit_groups)


def test_velocity_constraints_are_differentiated() -> None:
    disc = eq.load("rolling_disc")
    seeds = dict(zip(disc.tree.q, disc.tree.kinematic_map @ Vector(disc.tree.v), strict=True))
    rates = directional([dot(r.A, disc.joint_speeds) for r in disc.rows], seeds)
    assert disc.rows
    assert not any(r.holonomic for r in disc.rows)
    assert eq.prove_zero([x - y for x, y in zip(rates, constraint_bias(disc), strict=True)])
