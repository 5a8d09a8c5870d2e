"""Loops, contacts and constraint forces in pictures: marks in place, forces that do the right work."""

from pathlib import Path

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr import symbol
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.errors import EquamoError
from equamo.publish.picture.drawing import skeleton
from equamo.publish.picture.force_arrows import loads, resting_forces
from equamo.publish.picture.posture import Posture, coordinates
from equamo.publish.picture.schematic import schematic
from equamo.publish.picture.skeleton import place
from loops_examples import NAMES, closed_states, four_bar, mechanism

KINDS = (
    "revolute",
    "spherical",
    "universal",
    "prismatic",
    "cylindrical",
    "planar",
    "fixed",
    "distance",
)


def standing() -> eq.Robot:
    leg = eq.Body("leg", eq.planar("leg", plane="xz"), mass=2, com="0 0 0.3", inertia="0.1 0.1 0.1")
    feet = [
        eq.contact("front", "leg", "0.2 0 0"),
        eq.contact("back", "leg", "-0.2 0 0", normal="1 0 1"),
    ]
    return eq.Robot("stool", [leg], contacts=feet)


@pytest.mark.parametrize("name", NAMES)
def test_rods_lead_to_the_joints_of_loops(name: str) -> None:
    """A mark is where both bodies have their point, and a solid of each leads there or is near."""
    robot = mechanism(name)
    model, posture = skeleton(robot), Posture(robot)
    poses = posture(coordinates(robot))
    marks = [s for s in model.solids if s.role == "loop"]
    assert len(marks) == len(robot.loops)
    for load, mark in zip(loads(robot), marks, strict=True):
        point = place(poses, mark.body, mark.at)
        assert np.allclose(point, place(poses, load.to, load.to_at), atol=1e-12)
        ends = [
            place(poses, *e) for r in model.rods if r.body == load.body for e in (r.start, r.end)
        ]
        boxes = [s for s in model.solids if s.body == load.body and s.kind == "box"]
        assert boxes or min(np.linalg.norm(point - e) for e in ends) < 1e-9
    assert np.all(model.low <= model.high)


@pytest.mark.parametrize("cut", KINDS)
def test_every_kind_of_loop_has_a_mark(cut: str) -> None:
    robot = four_bar(cut)
    model = skeleton(robot)
    assert {s.role for s in model.solids} >= {"loop"}
    rods = [r for r in model.rods if r.start[0] != r.end[0]]
    assert len(rods) == (1 if cut == "distance" else 0)


def test_contacts_are_marked_by_their_mode() -> None:
    robot = standing().in_mode(back="stick")
    roles = [s.role for s in skeleton(robot).solids]
    assert roles.count("contact") == roles.count("held") == 1
    text = schematic(robot)
    assert 'data-contact="front"' in text
    assert "contact back: stick" in text
    assert [x.name for x in loads(robot)] == ["back"]


@pytest.mark.parametrize("name", ["stewart", "cassie_leg", "watt", "delta"])
def test_forces_do_the_work_of_their_rows(name: str) -> None:
    """f · (velocity of one point − velocity of the other) = λᵀ A u, for the rows of position."""
    robot = mechanism(name)
    _check_work(robot, seed=3)


@pytest.mark.parametrize("cut", ["cylindrical", "planar", "distance", "prismatic"])
def test_forces_of_other_joints_do_the_work_of_their_rows(cut: str) -> None:
    _check_work(four_bar(cut), seed=4)


def _check_work(robot: eq.Robot, seed: int) -> None:
    posture, random = Posture(robot), np.random.default_rng(seed)
    found = loads(robot)
    rows = {r.name: r for r in robot.rows}
    numbers = {symbol(n): float(x or 0) for n, x in robot.values.items()}
    (state, _), = closed_states(robot, 1, seed)  # fmt: skip
    N = np.asarray(eq.derive(robot).evaluate("kinematic_map", q=state))
    values = numbers | dict(zip(robot.joint_coordinates, map(float, state), strict=True))
    for load in found:
        names = list(load.directions) or [load.name]
        multipliers = {n: float(random.normal()) for n in names}
        f = load.force(posture(state), multipliers)
        u = random.normal(size=len(robot.joint_speeds))
        h = 1e-6
        moved = []
        for sign in (-1, 1):
            poses = posture(state + sign * h * (N @ u))
            moved.append(place(poses, load.body, load.at) - place(poses, load.to, load.to_at))
        power = f @ (moved[1] - moved[0]) / (2 * h)
        A = np.array([evaluate_floats(rows[n].A, values) for n in names])
        assert power == pytest.approx(
            np.array(list(multipliers.values())) @ A @ u, rel=1e-5, abs=1e-7
        )


def test_resting_forces_balance() -> None:
    """Two pins of a bar that hangs on both ends share its weight."""
    bar = eq.Body("bar", eq.planar("bar", plane="xz"), mass=2, com="0.5 0 0", inertia="0 0.1 0.1")
    loops = [eq.loop(n, "bar", at, joint="spherical", to_at=at) for n, at in
             (("left", "0 0 0"), ("right", "1 0 0"))]  # fmt: skip
    eom = eq.derive(eq.Robot("bar", [bar], loops=loops, gravity="0 0 -10", forces=[]))
    forces = resting_forces(eom, np.zeros(3))
    assert forces["left z"] + forces.get("right z", 0) == pytest.approx(20)
    assert forces["left z"] == pytest.approx(10)


@pytest.mark.needs("matplotlib")
def test_view_draws_forces(tmp_path: Path) -> None:
    axes = eq.view(eq.load("four_bar"), forces=True, save=tmp_path / "a.png")
    assert [t.get_text() for t in axes.texts if t.get_text().endswith(" N")]
    with pytest.raises(EquamoError, match="needs loops or sticking contacts"):
        eq.view(eq.load("rr_arm"), forces=True)
    with pytest.raises(EquamoError, match="augmented"):
        eq.view(eq.derive(eq.load("four_bar")).minimal(), forces=True)


def test_the_schematic_has_loops() -> None:
    text = schematic(eq.load("cassie_leg"))
    assert text.count('class="loop"') == 2
    assert text.count('class="contact"') == 2
    assert "spherical, closes loop achilles: achilles_rod to heel_spring" in text
