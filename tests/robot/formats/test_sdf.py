"""SDF files: poses, joints and loops, as a robot written in Python has them."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr import symbol
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.algebra.identity import prove_equal
from equamo.mechanics.kinematics.poses import poses
from equamo.robot.catalog import load_bytes
from equamo.robot.formats.sdf import robot_of_sdf
from equamo.robot.model import Robot
from sdf_texts import BAR, cassie, four_bar, joint, link, link_masses, link_poses, model

pytestmark = pytest.mark.needs("pinocchio")

FLAT = pytest.approx(0, abs=1e-15)


def numbers(robot: Robot, expressions: Any, **q: float) -> np.ndarray:
    """Values of expressions at home, or at other coordinates."""
    values = {symbol(n): float(q.get(n, x)) for n, x in robot.home.q.items()}
    return np.array(evaluate_floats(list(expressions), values))


def position(robot: Robot, body: str, **q: float) -> list[float]:
    return list(numbers(robot, poses(robot)[body].position, **q))


def axis(robot: Robot, body: str, column: int, **q: float) -> list[float]:
    return list(numbers(robot, poses(robot)[body].rotation.column(column), **q))


def test_a_four_bar_is_the_one_written_in_python() -> None:
    robot = robot_of_sdf(four_bar())
    bar = {"mass": "0.5", "com": "0.1 0 0", "inertia": "0.001 0.002 0.002"}
    same = eq.Robot(
        "same",
        [
            eq.Body("crank", eq.revolute("j1", axis="y"), **bar),
            eq.Body("coupler", eq.revolute("j2", axis="y", at="0.2 0 0"), parent="crank", **bar),
            eq.Body("rocker", eq.revolute("j3", axis="0 -1 0", at="0 0 0.2"), **bar),
        ],
        gravity="0 0 -9.81",
        forces=[],
    )
    assert [(x.name, x.joint, x.body, x.to) for x in robot.loops] == [
        ("j4", "revolute", "coupler", "rocker")
    ]
    ours, theirs = eq.derive(robot), eq.derive(same)
    for part in ("mass_matrix", "bias", "gravity"):
        assert prove_equal(getattr(ours, part), getattr(theirs, part)), part
    assert [x.value for x in robot.loops[0].at] == [0, 0, Fraction(1, 5)]
    assert [x.value for x in robot.loops[0].to_at] == [Fraction(1, 5), 0, 0]
    assert not numbers(robot, [r.phi for r in robot.rows]).any()
    assert robot.limits["j1"].lower == Fraction("-1.5")
    assert robot.limits["j1"].upper is None
    kinds = [type(f).__name__ for f in robot.forces]
    assert kinds[:4] == ["JointActuator", "JointActuator", "JointActuator", "JointSpring"]
    assert len(kinds) == 6
    report = robot.import_report
    assert [e.text for e in report["unlimited"]] == ["joint j1: upper inf"]
    assert [e.text for e in report["ignored"]] == [
        "joint j4: limit of a joint that closes a loop", "model/self_collide"
    ]  # fmt: skip
    assert "moves its parent rocker" in str(report["used"])
    assert list(robot.shapes) == ["crank"]


def test_a_joint_whose_child_is_the_world_closes_a_loop() -> None:
    robot = robot_of_sdf(four_bar(("coupler", "rocker")))
    assert [b.parent for b in robot.bodies] == ["world", "crank", "coupler", "rocker:j4"]
    assert [(x.name, x.body, x.to) for x in robot.loops] == [("j3", "rocker", "world")]
    assert not numbers(robot, [r.phi for r in robot.rows]).any()
    assert [x.value for x in robot.loops[0].to_at] == [0, 0, Fraction(1, 5)]


@pytest.mark.parametrize("name", ["cassie_v2.sdf", "cassie_reduced.sdf"])
def test_cassie(name: str) -> None:
    """Every link is where its file has it, no mass is lost, and all four loops are closed."""
    text = cassie(name)
    robot = robot_of_sdf(text, name, snap="1e-3")
    assert [x.joint for x in robot.loops] == ["spherical"] * 4
    assert len(robot.joint_speeds) == (28 if name == "cassie_v2.sdf" else 23)
    assert max(abs(numbers(robot, [r.phi for r in robot.rows]))) < 1e-15
    X = poses(robot)
    places = link_poses(text)
    assert len(places) == 23
    for n, xyz in places.items():
        assert numbers(robot, X[n].position) == pytest.approx(xyz, abs=1e-14), n
    total = sum(float(b.inertia.ten[0].value or 0) for b in robot.bodies)
    assert total == pytest.approx(sum(link_masses(text)))


def test_the_legs_of_cassie_are_those_of_the_built_in_leg() -> None:
    """Masses, and distances from hip pitch to the foot at equal angles."""
    robot, leg = robot_of_sdf(cassie("cassie_v2.sdf"), snap="1e-3"), eq.load("cassie_leg")
    for name in ("hip-roll", "hip-yaw", "hip-pitch", "knee", "shin", "tarsus", "foot"):
        theirs = robot.body(f"left-{name}").inertia.ten
        assert theirs == leg.body(name.replace("-", "_")).inertia.ten, name
    zero = dict.fromkeys(leg.home.q, 0.0) | {"achilles_rod_qw": 1.0}
    bent = {"knee": np.radians(-45), "tarsus": np.radians(58)}
    ours = [position(leg, n, **zero | bent) for n in ("foot", "hip_pitch")]
    theirs = [position(robot, f"left-{n}") for n in ("foot", "hip-pitch")]
    assert np.linalg.norm(np.subtract(*ours)) == pytest.approx(
        np.linalg.norm(np.subtract(*theirs)), abs=2e-3
    )


def test_a_model_that_nothing_fixes_floats() -> None:
    text = model(link("a", "1 2 3 0 0 0"))
    floating, fixed = robot_of_sdf(text), robot_of_sdf(text, base="fixed")
    assert len(floating.v) == 6
    assert len(fixed.v) == 0
    assert position(floating, "a") == position(fixed, "a") == [1, 2, 3]
    assert len(robot_of_sdf(text.replace("<link", "<static>1</static><link")).v) == 0
    assert len(robot_of_sdf(text, rotation="euler").q) == 6


def test_poses_are_relative_to_links_joints_and_frames() -> None:
    robot = robot_of_sdf(
        model(
            "<pose>0 0 10 0 0 0</pose>",
            link("a", "1 0 0 0 0 0"),
            '<link name="b"><pose relative_to="a" degrees="true">0 1 0 0 0 90</pose></link>',
            '<link name="c"><pose relative_to="f" rotation_format="quat_xyzw">1 0 0 0 0 0 2</pose>',
            "</link>",
            '<frame name="f" attached_to="j"><pose>0 0 1 0 0 0</pose></frame>',
            joint("j", "revolute", "a", "b", "0 0 1", "<pose>0.5 0 0 0 0 0</pose>"),
            joint("k", "prismatic", "b", "c", '<xyz expressed_in="__model__">0 1 0</xyz>'),
        ),
        base="fixed",
    )
    assert position(robot, "a") == [1, 0, 10]
    assert position(robot, "b") == [1, 1, 10]
    assert axis(robot, "b", 0) == [0, 1, 0]
    assert position(robot, "c") == [1, 2.5, 11]  # j is at (1, 1.5, 10), f above it, c along x of b
    assert position(robot, "c", k=0.25) == pytest.approx([1, 2.75, 11])
    # b turns about the point of the joint, half a metre along its x
    assert position(robot, "b", j=np.pi) == pytest.approx([1, 2, 10])


def test_older_versions_have_axes_in_the_model_frame() -> None:
    parts = (
        link("a"),
        link("b", "0 0 0 1.5707963267948966 0 0"),
        joint("j", "revolute", "a", "b", "0 0 1"),
    )
    for version, expected in (("1.4", [0, -1]), ("1.6", [0, 1])):
        robot = robot_of_sdf(model(*parts, version=version), base="fixed")
        # z of b is −y of the model; half a turn about z of the model reverses it
        assert axis(robot, "b", 2, j=np.pi)[:2] == pytest.approx([expected[0], -expected[1]])
    own = "<xyz>0 0 1</xyz><use_parent_model_frame>true</use_parent_model_frame>"
    robot = robot_of_sdf(model(*parts[:2], joint("j", "revolute", "a", "b", own)), base="fixed")
    assert axis(robot, "b", 2, j=np.pi)[1] == pytest.approx(1)


def test_ball_universal_and_fixed_joints() -> None:
    two = "<axis2><xyz>0 1 0</xyz></axis2>"
    robot = robot_of_sdf(
        model(
            link("a"), link("b", "1 0 0 0 0 0"), link("c", "2 0 0 0 0 0"), link("d", "3 0 0 0 0 0"),
            joint("fix", "fixed", "a", "b"),
            joint("uni", "universal", "b", "c", "1 0 0", two),
            joint("ball", "ball", "c", "d"),
        ),
        base="fixed",
    )  # fmt: skip
    assert " ".join(map(str, robot.q)) == "uni_1 uni_2 ball_qw ball_qx ball_qy ball_qz"
    assert float(robot.body("a").inertia.ten[0]) == 1  # both, because b is fixed to it
    turned = {"uni_1": np.pi / 2, "uni_2": np.pi / 2}
    assert axis(robot, "c", 0, **turned) == pytest.approx([0, 1, 0])  # −z, then −z to y
    assert robot.inputs == ()


@pytest.mark.parametrize(
    ("kind", "axes", "rows"),
    [
        ("revolute", "<axis><xyz>0 1 0</xyz></axis>", 5),
        ("prismatic", "<axis><xyz>0 1 0</xyz></axis>", 5),
        ("ball", "", 3),
        ("fixed", "", 6),
        ("universal", "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>", 4),
    ],
)
def test_joints_that_close_loops(kind: str, axes: str, rows: int) -> None:
    """Closed in the pose of the file, although the links are turned there."""
    robot = robot_of_sdf(
        model(
            link("a", "0 0 0 0.3 0 0"), link("b", "1 0 0 0 0.2 0.1"),
            joint("i", "ball", "world", "a"), joint("j", "ball", "world", "b"),
            joint("k", kind, "a", "b", more=axes),
        )
    )  # fmt: skip
    assert len(robot.rows) == rows
    assert max(abs(numbers(robot, [r.phi for r in robot.rows]))) == FLAT
    assert robot.joint_speeds == robot.v


def test_gravity_options_and_symbols() -> None:
    world = '<sdf version="1.7"><world name="w"><gravity>0 0 -1.62</gravity>{}</world></sdf>'
    inner = model(link("a"), joint("j", "revolute", "world", "a", "0 1 0"))
    text = world.format(inner.removeprefix('<sdf version="1.7">').removesuffix("</sdf>"))
    assert robot_of_sdf(text).gravity[2] == Fraction("-1.62")
    robot = robot_of_sdf(inner, parameters="symbolic")
    assert {"m_a", "ZZ_a", "g"} <= set(robot.parameter_info)


def test_defaults_of_the_format() -> None:
    robot = robot_of_sdf(
        model(
            link("a", more="<gravity>0</gravity><inertial/>"),
            joint("j", "revolute", "world", "a", "<limit><velocity>-1</velocity></limit>"),
        )
    )
    assert [float(x) for x in robot.body("a").inertia.ten] == [1, 0, 0, 0, 1, 0, 0, 1, 0, 1]
    kinds = {k: [e.text for e in robot.import_report[k]] for k in ("defaulted", "suspicious")}
    assert any("0 0 1" in x for x in kinds["defaulted"])
    assert any("gravity is off" in x for x in kinds["suspicious"])


def test_shapes() -> None:
    shapes = (
        '<visual name="1"><pose>1 0 0 0 0 0</pose><geometry><cylinder><radius>1</radius>'
        "<length>2</length></cylinder></geometry></visual>"
        '<visual name="2"><geometry><sphere><radius>-1</radius></sphere></geometry></visual>'
        '<visual name="3"><geometry><sphere/></geometry></visual>'
        '<visual name="4"><pose rotation_format="quat_xyzw">0 0 0 0 0 1 0</pose><geometry>'
        "<box><size>1 2 3</size></box></geometry></visual>"
        '<visual name="5"><geometry><mesh/></geometry></visual>'
    )
    robot = robot_of_sdf(model(link("a", more=BAR + shapes)))
    assert [s.kind for s in robot.shapes["a"]] == ["cylinder", "box"]
    assert list(robot.shapes["a"][0].at) == [1, 0, 0]
    assert len(robot.import_report["suspicious"]) == 2


def test_files_pipes_and_the_command_line_read_it(tmp_path: Path) -> None:
    path = tmp_path / "bar.sdf"
    path.write_text(four_bar(), encoding="utf-8")
    other = tmp_path / "bar.xml"
    other.write_text(four_bar(), encoding="utf-8")
    assert eq.load(path).q == eq.load(other).q == load_bytes(four_bar().encode()).q
    assert eq.load(str(path)).import_report.sha256
