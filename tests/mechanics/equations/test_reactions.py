"""Reactions: along each joint they are its drive, and together they balance the whole robot."""

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.mechanics.equations.reactions import multiplier_symbols, wrench_expressions
from loops_examples import bennett, four_bar
from scaled_robots import Scaling, scaled

CUTS = ["revolute", "spherical", "fixed", "distance", "universal", "cylindrical", "prismatic"]


@pytest.mark.parametrize("robot", [*map(four_bar, CUTS), four_bar("planar"), bennett()], ids=str)
def test_along_its_axis_a_joint_transmits_what_drives_it(robot: eq.Robot) -> None:
    """S·R = τ − Aᵀ λ + Aᵀ λ: a proof that the wrenches of the rows are those of A."""
    tree = robot.tree
    wrenches = wrench_expressions(robot)
    along = []
    for k, b in enumerate(robot.bodies):
        R = Vector(wrenches[6 * k : 6 * k + 6])
        along += [S.angular @ R[:3] + S.linear @ R[3:] for S in b.subspace]
    eom = eq.derive(tree)
    left = eom.mass_matrix @ Vector(eom.vdot) + eom.bias + eom.gravity
    A = Matrix([r.A for r in robot.rows])
    assert eq.prove_zero(Vector(along) - (left - A.T @ Vector(multiplier_symbols(robot))))


def test_reactions_on_the_ground_balance_the_robot() -> None:
    robot = four_bar()
    eom = eq.derive(robot)
    state = eq.assemble(robot, q={"q1": 1.2})
    hold = eq.distribute_torques(eom, q=state.q)
    found = eq.reactions(eom, q=state.q, inputs=list(hold.inputs.values()))
    # At rest both joints on the ground carry the weight, in the world frame.
    total = np.zeros(3)
    for name in ("crank", "rocker"):
        total += eom.evaluate(eom.frame(name).rotation(), q=state.q) @ found.joints[name][3:]
    weight = 9.81 * (0.3 + 0.7 + 0.5)
    assert total == pytest.approx([0, weight, 0], abs=1e-12)
    # The pin of the loop: λ is the force of the rocker on the coupler, in the frame of the rocker.
    coupler = found.joints["coupler"]
    assert coupler[2] == pytest.approx(hold.inputs["tau2"])
    assert {"closure x", "closure y", "crank fx", "rocker mz"} <= set(found.unique)
    assert {"closure z", "closure rx", "rocker fz", "crank mx"} <= set(found.ambiguous)
    assert "* not unique (12 components)" in str(found)


def test_without_loops_and_with_springs_every_component_is_unique() -> None:
    arm = eq.load("rr_arm").with_forces(eq.joint_spring("q2", 3), eq.wrench("fore", "push 0 0"))
    eom = eq.derive(arm)
    push = {"push": 2.0}
    found = eq.reactions(eom, q=[0.3, 0.2], v=[1, 2], inputs=[1, 2], external=push)
    assert found.ambiguous == ()
    spring = eom.evaluate(eom.forces["spring_q2"], q=[0.3, 0.2])[1]
    assert found.joints["fore"][2] == pytest.approx(2 + spring)
    free = eq.reactions(eom.subs({"g": 0}), q=[0.3, 0.2], v=[1, 2], inputs=[1, 2], external=push)
    assert free.joints["fore"][2] == pytest.approx(2 + spring)
    assert free.joints["upper"][4] != pytest.approx(found.joints["upper"][4])


def test_a_standing_body_carries_its_weight_on_its_feet() -> None:
    feet = [
        eq.contact(n, "box", at) for n, at in (("a", "1 0 0"), ("b", "-1 1 0"), ("c", "-1 -1 0"))
    ]
    body = eq.Body("box", eq.free("p"), mass=3, com="0 0 1", inertia="1 1 1")
    box = eq.Robot("box", [body], contacts=feet).in_mode(a="stick", b="stick", c="stick")
    found = eq.reactions(eq.derive(box))
    vertical = {n: found.loops[f"{n} z"] for n in "abc"}
    assert vertical == pytest.approx({"a": 3 * 9.81 / 2, "b": 3 * 9.81 / 4, "c": 3 * 9.81 / 4})
    assert {"a z", "b z", "c z"} <= set(found.unique)
    assert "b x" in found.ambiguous  # feet can push against each other
    assert found.joints["box"] == pytest.approx(0, abs=1e-12)


def test_reactions_need_joint_speeds() -> None:
    eom = eq.derive(four_bar("distance", speeds="dq1"))
    with pytest.raises(eq.ConstraintError, match="must be in the joint speeds, got chosen speeds"):
        eq.reactions(eom)
    assert eq.reactions(eom.augmented()).ambiguous == ()


@pytest.mark.parametrize("power", [-6, 0, 6])
def test_uniqueness_does_not_depend_on_the_size(power: int) -> None:
    """Two rods between the same points share their load; a rod loads by N/m times its length."""
    rod = four_bar("distance")
    loops = [*rod.loops, eq.loop("again", "crank", "L1 0 0", to="rocker", to_at="L3 0 0",
                                 joint="distance", length="L2")]  # fmt: skip
    whole = eq.Robot("rods", rod.bodies, rod.gravity, parameters=list(rod.parameter_info.values()),
                     home=dict(rod.home.q), loops=loops)  # fmt: skip
    robot = scaled(whole, Scaling.of(1, 10.0**power, 1))
    state = eq.assemble(robot, q={"q1": 1.2})
    found = eq.reactions(eq.derive(robot), q=state.q)
    assert found.ambiguous == ("closure", "again")
