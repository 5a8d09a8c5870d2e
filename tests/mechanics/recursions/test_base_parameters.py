"""Base parameters and other body frames: the same equations, in fewer operations."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pinocchio as pin
import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import ZERO
from equamo.algebra.expr.count import count
from equamo.algebra.identity.prove import differences, prove_all
from equamo.mechanics.recursions.base_parameters import customised, regrouped
from equamo.mechanics.recursions.body_frames import factored, reframed
from equamo.mechanics.recursions.composite_bodies import mass_matrix
from equamo.mechanics.recursions.newton_euler import generalized_force, inverse_dynamics
from equamo.robot.catalog import load
from equamo.robot.library import names
from equamo.robot.model import BaseMotion, Body, Inertia, Robot, prismatic, revolute
from equamo.robot.model.edits import copy_with
from peer_urdf import Peer, file, files
from random_trees import random_tree

pytestmark = pytest.mark.needs("pinocchio")

FORMS = {"regrouped": regrouped, "reframed": reframed, "both": lambda r: regrouped(reframed(r))}
TREES = range(200)
READ = [p for p in files() if p.name not in ("falcon.urdf", "ur3.urdf")]  # those are refused


def is_same(given: Robot, other: Robot) -> bool:
    """Whether inverse dynamics with gravity and mass matrix are proved equal."""
    groups = [
        differences(
            inverse_dynamics(given, given.v, given.vdot, given.gravity),
            inverse_dynamics(other, given.v, given.vdot, given.gravity),
        ),
        differences(mass_matrix(given), mass_matrix(other)),
    ]
    return all(prove_all(groups, unit=given.unit_groups, seed=1))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", TREES if WHOLE_SWEEPS else TREES[::10])
def test_random_trees_keep_their_equations(seed: int, form: str) -> None:
    robot = random_tree(seed, speeds=16, forces=False).robot()
    assert is_same(robot, FORMS[form](robot))


@pytest.mark.parametrize("name", names())
def test_robots_keep_their_equations(name: str) -> None:
    robot = load(name).tree
    assert is_same(robot, regrouped(reframed(robot)))


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize(
    "path",
    READ if WHOLE_SWEEPS else [file(f"/{n}.urdf") for n in ("panda", "solo12", "kinova", "xarm7")],
)
def test_files_keep_their_equations(path: Path, base: str) -> None:
    robot = load(path, base=base).tree
    assert is_same(robot, customised(robot))


def test_a_moving_base_keeps_its_equations() -> None:
    robot = random_tree(5, kinds=("revolute", "prismatic", "fixed"), bodies=5, forces=False).robot(
        base=BaseMotion(w="w1 w2 w3", alpha="e1 e2 e3", a="a1 a2 a3")
    )
    assert is_same(robot, regrouped(reframed(robot)))


@pytest.mark.parametrize("end", ["solo12.urdf", "anymal_b_simple_description/robots/anymal.urdf"])
def test_no_regrouping_is_left_on_a_free_base(end: str) -> None:
    """As many parameters remain as the regressor of Pinocchio has rank."""
    peer = Peer(file(end), free=True)
    rng = np.random.default_rng(1)
    rows = []
    for _ in range(20):
        q = rng.uniform(-1, 1, peer.model.nq)
        q[3:7] /= np.linalg.norm(q[3:7])
        v, a = rng.uniform(-2, 2, (2, peer.model.nv))
        rows.append(pin.computeJointTorqueRegressor(peer.model, peer.data, q, v, a))
    rank = np.linalg.matrix_rank(np.vstack(rows), tol=1e-8)

    base, *links = [b for b in regrouped(load(file(end), base="free")).bodies if b.joint.speeds]
    assert len(base.joint.speeds) == 6
    for b in links:
        e, I = b.joint.angular().column(0), b.inertia
        assert I.mass is ZERO
        assert (e @ I.first_moment) is ZERO
        moments = [I.tensor[i, i].value for i in range(3)]
        about_axis = (e @ (I.tensor @ e)).value
        assert sum(moments) == 2 * about_axis  # seven of ten remain
    assert rank == 10 + 7 * len(links)


def test_a_rotation_about_another_axis_is_a_step_of_its_own() -> None:
    """Rx(α) by its cosine and sine, then Rz(q): 8 products on each vector, and no product of the two."""
    robot = load(file("/xarm7.urdf"))
    one = regrouped(reframed(robot))
    two = factored(one)
    assert len(two.bodies) > len(one.bodies)
    assert mass_matrix(two).operations().total < mass_matrix(one).operations().total
    assert is_same(one, two)


def test_what_each_joint_leaves() -> None:
    """Revolute: m, MZ and one moment go; prismatic: the tensor; the parent takes them."""
    ten = ["2", "1", "-1", "3", "5", "1", "-2", "7", "1", "4"]
    robot = Robot("rp", [
        Body("base", prismatic("x", "x"), mass=1),
        Body("slide", prismatic("q1", "z", at="1 2 3"), inertia=_about_origin(ten), parent="base"),
        Body("turn", revolute("q2", "z", at="1 2 3"), inertia=_about_origin(ten), parent="slide"),
    ])  # fmt: skip
    turn, slide = (regrouped(robot).body(n).inertia for n in ("turn", "slide"))
    assert turn.mass is ZERO
    assert [x.value for x in turn.first_moment] == [1, -1, 0]
    XX, YY, ZZ = (turn.tensor[i, i].value for i in range(3))
    assert (XX, YY, ZZ) == (1, 3, 4)  # ∫z² dm = (5 + 7 − 4)/2 is gone
    assert slide.tensor.is_zero
    assert slide.mass.value == 4
    # the mass of `turn` at its origin, and its first moment along z
    assert [x.value for x in slide.first_moment] == [1 + 2 * 1, -1 + 2 * 2, 3 + 2 * 3 + 3]


def _about_origin(ten: list[str]) -> Inertia:
    return Inertia.about_origin(ten)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", TREES if WHOLE_SWEEPS else TREES[::10])
def test_forces_keep_their_points_and_directions(seed: int, form: str) -> None:
    robot = random_tree(seed, kinds=("revolute", "prismatic", "fixed"), most=6).robot()
    other = FORMS[form](robot)
    groups = [
        differences(generalized_force(robot, f), generalized_force(other, g))
        for f, g in zip(robot.forces, other.forces, strict=True)
    ]
    assert all(prove_all(groups, seed=1))


# -- counts ------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def benchmark_of_operations() -> ModuleType:
    path = Path(__file__).parents[3] / "benchmarks" / "operations.py"
    spec = importlib.util.spec_from_file_location("benchmark_operations", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(path.parent))  # for its folder `harness`
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["rx90", "puma560", "stanford", "iiwa", "panda"])
def test_operation_counts_reach_the_goals(benchmark_of_operations: ModuleType, name: str) -> None:
    """Multiplications and additions of inverse dynamics with all inertial parameters."""
    b = benchmark_of_operations
    given = b.arm(name)
    moving = [body for body in given.bodies if body.joint.speeds]
    assert all(x.is_symbol for body in moving for x in body.inertia.ten)
    ours = b.with_base_parameters(given)
    assert is_same(given, ours)
    c = b.operations(ours)
    assert c.multiplications <= b.GOALS[name][0]
    assert c.additions <= b.GOALS[name][1]


@pytest.mark.parametrize("name", ["krang", "three_link_arm", "iiwa"])
def test_customised_costs_no_more(name: str) -> None:
    """With symbols the regrouped parameters have a price; then the robot may stay as it is."""
    robot = load(name).tree
    other = customised(robot)
    assert is_same(robot, other)
    before, after = (
        count(inverse_dynamics(r, robot.v, robot.vdot, robot.gravity)).instructions
        for r in (robot, other)
    )
    assert after <= before


def test_constants_alone_cost_nothing(benchmark_of_operations: ModuleType) -> None:
    """(m l²) q̈ + (m l) (g sin q): three products and a sum, those of the parameters not counted."""
    robot = Robot("pendulum", [Body("b", revolute("q", "y"), mass="m", com="0 0 -l")])
    c = benchmark_of_operations.operations(robot)
    assert (c.multiplications, c.additions, c.sincos) == (3, 1, 1)


def test_names_of_new_frames_are_free() -> None:
    given = load("iiwa")
    names = [b.name for b in given.bodies]
    clash = {names[2]: f"{names[1]} moved", names[3]: f"{names[1]} carrier"}
    bodies = [
        Body(clash.get(b.name, b.name), b.joint, inertia=b.inertia,
             parent=clash.get(b.parent, b.parent))
        for b in given.bodies
    ]  # fmt: skip
    robot = copy_with(given, bodies=bodies)
    made = factored(regrouped(reframed(robot)))
    assert len({b.name for b in made.bodies}) == len(made.bodies)
