"""URDF that is written is read back to the same numbers."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from equamo.algebra.expr import as_expr
from equamo.algebra.expr.vector import Vector
from equamo.errors import ModelError
from equamo.mechanics.equations import derive
from equamo.robot.catalog import load
from equamo.robot.formats.urdf import robot_of_urdf
from equamo.robot.formats.urdf_losses import Losses, _home  # pyright: ignore[reportPrivateUsage]
from equamo.robot.formats.urdf_writer import (
    _rpy,  # pyright: ignore[reportPrivateUsage]
    write_urdf,
)
from equamo.robot.model import (
    Body,
    Inertia,
    Robot,
    custom,
    fixed,
    free,
    joint_actuator,
    joint_damper,
    joint_spring,
    planar,
    revolute,
    rotor_inertia,
)
from equamo.robot.model.mesh_file import MeshFile
from equamo.robot.model.rotation import euler_xyz
from equamo.robot.model.shape import Shape
from peer_urdf import file, relative, states
from urdf_texts import EVERYTHING

pytestmark = pytest.mark.needs("pinocchio")

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
QUANTITIES = ("mass_matrix", "gravity", "bias", "passive_force")


def same_numbers(a: Robot, b: Robot) -> None:
    assert [x.name for x in a.q] == [x.name for x in b.q]
    q, v = states(a, 4)
    one, two = derive(a), derive(b)
    for what in QUANTITIES:
        x, y = (e.evaluate(what, q=q, v=v) for e in (one, two))
        assert relative(x, y) < 1e-11, what
    for body in a.bodies:
        x, y = (e.evaluate(e.frame(body.name).position(), q=q) for e in (one, two))
        assert abs(x - y).max() < 1e-12


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("mimic", ["free", "follow"])
def test_everything_round_trips(base: str, mimic: str) -> None:
    first = robot_of_urdf(EVERYTHING, base=base, mimic=mimic)
    again = robot_of_urdf(write_urdf(first), mimic=mimic)
    same_numbers(first, again)
    limits = again.limits["j1"]
    assert [float(x) for x in limits.expressions()] == [-1, 2, 3, 10]


@pytest.mark.parametrize("end", ["panda.urdf", "solo12.urdf", "talos_left_arm.urdf", "iris.urdf"])
def test_files_round_trip(end: str) -> None:
    first = load(file(f"/{end}"))
    same_numbers(first, robot_of_urdf(write_urdf(first)))


def test_a_symbolic_robot_is_written_in_its_values() -> None:
    arm = load("rr_arm")
    arm = arm.with_values(**{n: x or Fraction(1, 2) for n, x in arm.values.items()})
    again = robot_of_urdf(write_urdf(arm, lossy=True))
    one, two = derive(arm), derive(again)
    q = [[0.3, 0.5]]
    M = [e.evaluate("mass_matrix", q=q) for e in (one, two)]
    assert relative(*M) < 1e-12


def test_planar() -> None:
    r = Robot(
        "p", [Body("a", planar("p", at="1 2 3", rotation="0.1 0.2 0.3"), mass=2, com="1 0 0")]
    )
    same_numbers(r, robot_of_urdf(write_urdf(r)))


def test_what_urdf_cannot_hold_is_an_error_or_a_comment() -> None:
    r = Robot("r", [Body("a", revolute("q1"), mass=1)], gravity="0 -g 0",
              forces=[joint_spring("q1", 3)])  # fmt: skip
    with pytest.raises(ModelError, match=r"cannot represent.*gravity.*JointSpring.*lossy=True"):
        write_urdf(r)
    assert "<!-- not in URDF: the force element" in write_urdf(r, lossy=True)
    bent = Robot("r", [Body("a", custom("q1", position="q1**2 0 0"), mass=1)])
    with pytest.raises(
        ModelError, match=r"cannot represent the Custom joint of body 'a'\. Valid: Revolute"
    ):
        write_urdf(bent)
    with pytest.raises(ModelError, match=r"no value for 'm' of robot 'r'; set one with"):
        write_urdf(Robot("r", [Body("a", revolute("q1"), mass="m")]))
    massless = Body("a", revolute("q1"), inertia=Inertia.about_origin("0 1 0 0 1 0 0 1 0 1"))
    with pytest.raises(ModelError, match="mass of body 'a' must not be 0"):
        write_urdf(Robot("r", [massless]))


def test_names_are_escaped() -> None:
    r = Robot('<"&>', [Body("a & b", revolute('`q"1`'), mass=1)])
    again = robot_of_urdf(write_urdf(r))
    assert (again.name, again.bodies[-1].name, again.q[0].name) == ('<"&>', "a & b", 'q"1')


# -- what is lost is listed ----------------------------------------------------------------------------
def arm(*forces: Any, joint: Any = None, **options: Any) -> Robot:
    """A joint q1, and one that carries it; gravity and inputs as URDF has them."""
    bodies = [
        Body("a", joint or revolute("q1", axis="y"), mass=1, com="1 0 0"),
        Body("b", revolute("q2", axis="y", at="1 0 0"), mass=1, com="1 0 0", parent="a"),
    ]
    driven = [joint_actuator("q1", "tau_q1"), joint_actuator("q2", "tau_q2")]
    return Robot("r", bodies, forces=forces or driven, **options)


Q1, Q2 = joint_actuator("q1", "tau_q1"), joint_actuator("q2", "tau_q2")
LOST: dict[str, tuple[Any, str]] = {
    "a gear": (
        lambda: arm(joint_actuator("q1", "tau_q1", gear=5), Q2), "the gear 5 of the input tau_q1"),
    "a gear that depends on q": (
        lambda: arm(joint_actuator("q1", "tau_q1", gear="cos(q1)"), Q2), r"the gear cos\(q1\) of"),
    "a passive joint": (lambda: arm(Q2), "that no input drives q1"),
    "two inputs at a joint": (
        lambda: arm(Q1, Q2, joint_actuator("q2", "u")), "the input u along the speed dq2"),
    "one input at two joints": (
        lambda: arm(Q1, joint_actuator("q2", "tau_q1", name="x")),
        "that 2 joints have the input tau_q1"),
    "the order of inputs": (lambda: arm(Q2, Q1), "the order of the inputs"),
    "a damper of a later speed": (
        lambda: arm(Q2, joint_damper("p_angle", 3), joint=planar("p")),
        r"the force element damper_p_angle \(JointDamper\)"),
    "a damper of the first of three speeds": (
        lambda: arm(Q2, joint_damper("p_x", 3), joint=planar("p")), "the force element damper_p_x"),
    "a rotor of a later speed": (
        lambda: arm(Q2, rotor_inertia("p_y", 3), joint=planar("p")),
        r"the force element rotor_p_y \(RotorInertia\)"),
    "damping that depends on the state": (
        lambda: arm(Q1, Q2, joint_damper("q1", "q2**2")), "the force element damper_q1"),
    "a home": (lambda: arm(home={"q1": 1, "tau_q2": 2}), "the default state of q1, tau_q2"),
    "limits of one of three coordinates": (
        lambda: arm(Q2, joint=planar("p"), limits={"p_y": (0, 1)}), "the limits of p_y"),
    "Euler angles": (
        lambda: arm(Q2, joint=free("f", rotation="euler")),
        r"the coordinates f_alpha, .* \(read as f_qw"),
    "names of coordinates": (
        lambda: arm(Q2, joint=planar("x y a")), r"the coordinates x, y, a \(read as"),
    "the name of a coordinate": (lambda: arm(joint=revolute("q1", axis="y", name="elbow")),
                                 r"the coordinates q1 \(read as elbow\)"),
    "a speed": (lambda: arm(Q2, joint=replace(revolute("q1"), speeds=("w",))),
                r"the speeds w \(read as dq1\)"),
    "shapes with a size that has no value": (
        lambda: arm(shapes={"a": [Shape("sphere", Vector(["r"]))]}), "the shapes of a"),
    "meshes of MuJoCo": (lambda: arm(meshes={"a": [MeshFile("m", surfaces=(1,))]}), "the meshes of a"),
    "chosen speeds": (lambda: arm(speeds="u1 u2", rates={"dq1": "u1", "dq2": "u1*cos(q1) + 2*u2"}),
                      "the chosen speeds"),
}  # fmt: skip


@pytest.mark.sweep(6)
@pytest.mark.parametrize("what", LOST)
def test_every_loss_is_an_error_or_a_comment(what: str) -> None:
    make, message = LOST[what]
    robot = make()
    with pytest.raises(ModelError, match=f"cannot represent these parts of robot 'r': .*{message}"):
        write_urdf(robot)
    assert re.search(f"<!-- not in URDF: {message}", write_urdf(robot, lossy=True))


def test_names_that_readers_choose_are_comments() -> None:
    robot = Robot("r", [Body("a", revolute("q1"), mass=1)], description="a -- b -", notation={"q1": "x"},
                  forces=[joint_actuator("q1"), joint_damper("q1", 2, name="oil")])  # fmt: skip
    text = write_urdf(robot)
    for comment in ("the description a - - b  ", "the notation of q1", "inputs (read tau1 as tau_q1)",
                    "names of force elements (read as damper_q1)"):  # fmt: skip
        assert f"not in URDF: {comment}" in text or comment in text, comment
    assert robot_of_urdf(text).q == robot.q


def test_the_order_of_coordinates_is_depth_first() -> None:
    one, two = (Body(n, revolute(q), mass=1) for n, q in (("a", "q1"), ("b", "q2")))
    tip = Body("c", revolute("q3"), mass=1, parent="a")
    forces = [joint_actuator(q, f"tau_{q}") for q in ("q1", "q2", "q3")]
    with pytest.raises(
        ModelError, match=r"the order of the coordinates \(readers go depth first\)"
    ):
        write_urdf(Robot("r", [one, two, tip], forces=forces))
    forces = [joint_actuator(q, f"tau_{q}") for q in ("q1", "q3", "q2")]
    assert write_urdf(Robot("r", [one, tip, two], forces=forces))


def test_what_does_not_read_back_is_an_error_even_if_lossy() -> None:
    twins = [
        Body("a", revolute("q1", name="j"), mass=1),
        Body("b", revolute("q2", name="j"), mass=1),
    ]
    with pytest.raises(ModelError, match=r"the text would not read back: .*'j' is already defined"):
        write_urdf(Robot("r", twins), lossy=True)


def test_unnamed_fixed_joints_and_several_rotors() -> None:
    bodies = [Body("a", revolute("b_joint"), mass=1), Body("b", fixed("1 0 0"), mass=1, parent="a")]
    rotors = [
        rotor_inertia("b_joint", 2, ratio=3),
        rotor_inertia("b_joint", "1/2", 4, name="other"),
    ]
    robot = Robot("r", bodies, forces=[joint_actuator("b_joint", "tau_b_joint"), *rotors])
    same_numbers(robot, robot_of_urdf(write_urdf(robot)))
    assert robot_of_urdf(write_urdf(robot)).bodies[-1].joint.name == "b_joint_"


@pytest.mark.parametrize("angle", [0.0, 1e-12, 3e-9, -2e-8, 1e-5])
def test_rotations_near_the_pole_are_not_rounded(angle: float) -> None:
    """Roll and yaw are ill-conditioned near pitch 90°, their sum is not."""
    A = (
        euler_xyz("0.3", 0, "0.4")
        @ euler_xyz(0, as_expr(math.pi / 2 + angle), 0)
        @ euler_xyz("0.7", 0, 0)
    )
    numbers = [[float(A[i, j]) for j in range(3)] for i in range(3)]
    roll, pitch, yaw = (float(x) for x in _rpy(numbers))
    again = (
        euler_xyz(0, 0, as_expr(yaw))
        @ euler_xyz(0, as_expr(pitch), 0)
        @ euler_xyz(as_expr(roll), 0, 0)
    )
    error = max(abs(float(again[i, j]) - numbers[i][j]) for i in range(3) for j in range(3))
    assert error < 1e-15


def test_meshes_and_shapes_of_the_world_are_written(tmp_path: Path) -> None:
    (tmp_path / "arm.stl").write_bytes(b"")
    text = f"""<robot name="r"><link name="world"><visual><geometry><box size="1 2 3"/></geometry>
      </visual></link><link name="a"><inertial><mass value="1"/>{INERTIA}</inertial>
      <visual><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><geometry>
      <mesh filename="arm.stl" scale="1 2 0.5"/></geometry></visual>
      <collision><geometry><sphere radius="2"/></geometry></collision></link>
      <joint name="q" type="continuous"><parent link="world"/><child link="a"/>
      <axis xyz="0 0 1"/></joint></robot>"""
    (tmp_path / "one.urdf").write_text(text, encoding="utf-8")
    first = load(tmp_path / "one.urdf")
    (tmp_path / "two.urdf").write_text(write_urdf(first), encoding="utf-8")
    again = load(tmp_path / "two.urdf")
    assert again.shapes == first.shapes
    assert set(first.shapes) == {"world", "a"}
    (one,), (two,) = first.meshes["a"], again.meshes["a"]
    assert (one.name, one.path, one.scale, one.at) == (two.name, two.path, two.scale, two.at)
    assert two.replaces_shapes is one.replaces_shapes
    gap = [abs(float(x - y)) for x, y in zip(one.turned.entries, two.turned.entries, strict=True)]
    assert max(gap) < 1e-6  # of shapes in files, whose angles are read to 1e-6


def test_an_upright_free_body_is_at_the_home_of_its_file() -> None:
    """The first entry of its quaternion is 1 there; a quaternion that is turned would be lost."""
    body = Body("b", free("f"), mass=1, inertia="1 1 1")
    found: list[list[str]] = []
    for home in ({}, {"f_qw": 0, "f_qx": 1}):
        lost = Losses()
        _home(Robot("stone", [body], home=home), lost)
        found.append(lost.states)
    assert found == [[], ["the default state of f_qw, f_qx"]]
