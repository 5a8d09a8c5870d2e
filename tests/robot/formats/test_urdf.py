"""What a URDF file means: joints, frames, inertias, forces, limits, names and options."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import equamo
from equamo.algebra.expr import parse, symbol
from equamo.errors import EquamoError, FileFormatError, ModelError, UnknownNameError
from equamo.mechanics.certificate import dissipation, prove
from equamo.mechanics.equations import derive
from equamo.robot.catalog import load
from equamo.robot.formats.urdf import read_urdf, robot_of_urdf
from equamo.robot.model import Robot, check
from equamo.robot.model.forces import JointDamper, JointFriction, RotorInertia
from peer_urdf import Peer, compare, file, files, states
from urdf_texts import EVERYTHING, joint, link, robot

pytestmark = pytest.mark.needs("pinocchio")


@pytest.fixture
def everything(tmp_path: Path) -> Path:
    path = tmp_path / "everything.urdf"
    path.write_text(EVERYTHING)
    return path


# -- the tree ------------------------------------------------------------------------------------------
def test_order_is_depth_first_siblings_in_file_order() -> None:
    r = robot_of_urdf(EVERYTHING)
    assert [x.name for x in r.q] == ["j1", "j2", "j3", "j4"]
    assert [b.name for b in r.bodies] == ["base", "a", "b", "c", "f", "d", "e"]


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("mimic", ["free", "follow"])
def test_numbers_are_pinocchios(everything: Path, base: str, mimic: str) -> None:
    eom = derive(load(everything, base=base, mimic=mimic, snap=0))
    peer = Peer(everything, free=base == "free", mimic=mimic == "follow")
    # our mass matrix has the rotor, 50² · 0.0001, which Pinocchio does not read
    k = peer.order(eom.robot)[[x.name for x in eom.v].index("dj2")]
    armature = np.zeros(peer.model.nv)
    armature[k] = 0.25
    peer.model.armature = armature
    found = compare(eom, peer, 5).worst_state()
    assert max(found.values()) < 1e-10, found


@pytest.mark.sweep(1)
@pytest.mark.parametrize("mimic", ["free", "follow"])
@pytest.mark.parametrize("base", ["fixed", "free"])
def test_everything_is_proved(everything: Path, base: str, mimic: str) -> None:
    r = load(everything, base=base, mimic=mimic)
    assert check(r)
    assert prove(r, seed=3).ok


def test_a_planar_and_a_floating_joint(tmp_path: Path) -> None:
    text = robot(
        link("base"), link("plate"), link("hand"), link("drone"),
        joint("slide", "planar", "base", "plate",
              '<origin xyz="1 0 0" rpy="0.1 0 0"/><axis xyz="0 0 1"/>'),
        joint("turn", "continuous", "plate", "hand", '<axis xyz="0 1 0"/>'),
        joint("fly", "floating", "base", "drone"),
    )  # fmt: skip
    r = robot_of_urdf(text)
    assert [x.name for x in r.v][:4] == ["dslide_x", "dslide_y", "dslide_angle", "dturn"]
    assert [x.name for x in r.q][4:] == [
        f"fly_{s}" for s in ("x", "y", "z", "qw", "qx", "qy", "qz")
    ]
    assert prove(r, seed=1).ok
    model = pin.buildModelFromXML(text)
    data = model.createData()
    q = states(r, 1)[0][0]
    theirs = pin.neutral(model)
    places = {"slide": [*q[:2], np.cos(q[2]), np.sin(q[2])], "turn": [np.cos(q[3]), np.sin(q[3])],
              "fly": [*q[4:7], *q[8:], q[7]]}  # fmt: skip
    for name, own in places.items():
        k = model.joints[model.getJointId(name)]
        theirs[k.idx_q : k.idx_q + k.nq] = own
    pin.framesForwardKinematics(model, data, theirs)
    eom = derive(r)
    for name in ("plate", "hand", "drone"):
        place = data.oMf[model.getFrameId(name, pin.FrameType.BODY)]
        assert np.allclose(
            eom.evaluate(eom.frame(name).position(), q=q), place.translation, atol=1e-13
        )
        assert np.allclose(
            eom.evaluate(eom.frame(name).rotation(), q=q), place.rotation, atol=1e-13
        )
    euler = robot_of_urdf(text, rotation="euler")
    assert len(euler.q) == len(euler.v) == 10


@pytest.mark.parametrize("axis", ["1 0 0", "0 0 -1", "1 2 2", "0.3 -0.4 0.1"])
def test_a_planar_joint_moves_in_the_plane_normal_to_its_axis(axis: str) -> None:
    text = robot(
        link("base"), link("a"), joint("p", "planar", "base", "a", f'<axis xyz="{axis}"/>')
    )
    r = robot_of_urdf(text)
    assert check(r)
    assert prove(r, seed=1).ok
    eom = derive(r)
    e = np.array([float(x) for x in axis.split()])
    e /= np.linalg.norm(e)
    q = [0.3, -0.5, 1.1]
    p = eom.evaluate(eom.frame("a").position(), q=q)
    assert p @ e == pytest.approx(0, abs=1e-15)
    assert np.linalg.norm(p) == pytest.approx(np.hypot(0.3, 0.5))
    A = eom.evaluate(eom.frame("a").rotation(), q=q)
    assert np.allclose(A @ e, e)
    assert np.trace(A) == pytest.approx(1 + 2 * np.cos(1.1))


def test_a_fixed_link_is_a_frame_and_its_inertia_is_counted_with_its_carrier() -> None:
    r = robot_of_urdf(EVERYTHING)
    assert r.body("d").inertia.is_zero
    assert r.body("d").parent == "b"
    assert r.body("b").inertia.mass.value == 4
    assert r.body("e").parent == "b"  # the joint of e is placed on what carries d
    assert sum(Fraction(b.inertia.mass.value or 0) for b in r.bodies) == 14


def test_a_link_named_world() -> None:
    text = robot(link("world", ""), link("a"), joint("j", "continuous", "world", "a"))
    assert [b.name for b in robot_of_urdf(text).bodies] == ["a"]
    assert "merged" not in robot_of_urdf(text).import_report.counts
    heavy = robot(link("world"), link("a"), joint("j", "continuous", "world", "a"))
    ground = robot_of_urdf(heavy)
    assert [b.name for b in ground.bodies] == ["a"]
    (note,) = ground.import_report["merged"]
    assert (note.line, note.text) == (
        2,
        "link world: its mass belongs to the ground and does not enter the equations",
    )
    free = robot_of_urdf(text, base="free")
    assert [b.name for b in free.bodies] == ["world_link", "a"]
    assert "world_link" in free.import_report["renamed"][0].text
    below = robot(link("base"), link("world"), joint("j", "continuous", "base", "world"))
    assert [b.name for b in robot_of_urdf(below).bodies] == ["base", "world_link"]


def test_every_link_of_every_file_has_a_frame() -> None:
    for end in ("panda.urdf", "talos_left_arm.urdf", "tiago_pro.urdf"):
        path = file(f"/{end}")
        names = [e.attrib["name"] for e in ET.parse(path).getroot().findall("link")]
        assert {b.name for b in read_urdf(path).bodies} == set(names) - {"world"}


# -- numbers -------------------------------------------------------------------------------------------
def test_decimal_text_is_exact() -> None:
    r = robot_of_urdf(EVERYTHING)
    assert list(r.body("a").joint.at) == [parse("1/10"), parse("1/5"), parse("3/10")]
    assert [x.value for x in r.gravity] == [0, 0, Fraction("-9.81")]
    assert [x.value for x in r.body("a").joint.axis] == [
        Fraction(1, 3),
        Fraction(2, 3),
        Fraction(2, 3),
    ]  # type: ignore[attr-defined]
    first = r.body("a").inertia.first_moment
    assert [x.value for x in first] == [Fraction(1, 5), Fraction(-2, 5), Fraction(3, 5)]


def test_symbolic_parameters() -> None:
    r = robot_of_urdf(EVERYTHING, parameters="symbolic")
    assert [x.name for x in r.body("e").inertia.ten] == [
        "m_e", "MX_e", "MY_e", "MZ_e", "XX_e", "XY_e", "XZ_e", "YY_e", "YZ_e", "ZZ_e"
    ]  # fmt: skip
    assert r.values["MX_e"] == Fraction(1, 5)
    assert r.values["z_j1"] == Fraction(3, 10)
    assert r.values["g"] == Fraction("9.81")
    assert r.parameter_info["m_e"].unit == "kg"
    assert "x_j2" not in r.values  # zero in the file stays zero
    assert symbol("m_d") in r.body("b").inertia.mass.symbols()
    assert prove(r, seed=1).ok


def test_symbolic_damping_and_friction() -> None:
    """With the values of the file they are the numbers of the file."""
    r = robot_of_urdf(EVERYTHING, parameters="symbolic")
    damping, friction = (r.parameter_info[n] for n in ("damping_j1", "friction_j1"))
    assert (damping.value, damping.unit) == (Fraction(1, 2), "N m s/rad")
    assert (friction.value, friction.unit) == (Fraction(1, 4), "N m")
    assert damping.nonnegative
    eom = derive(r)
    assert eom.forces["damper_j1"][0] is parse("-dj1*damping_j1")
    assert eom.forces["friction_j1"][0] is parse("-friction_j1*sign(dj1)")
    numeric = derive(robot_of_urdf(EVERYTHING))
    assert eom.subs(r.values).passive_force == numeric.passive_force
    assert all(dissipation(eom, n) for n in ("damper_j1", "friction_j1"))


# -- forces and limits ---------------------------------------------------------------------------------
def test_damping_friction_and_rotors_are_force_elements() -> None:
    r = robot_of_urdf(EVERYTHING)
    found = {f.name: f for f in r.forces}
    damper, friction, rotor = (found[n] for n in ("damper_j1", "friction_j1", "rotor_j2"))
    assert isinstance(damper, JointDamper)
    assert isinstance(friction, JointFriction)
    assert isinstance(rotor, RotorInertia)
    eom = derive(r)
    assert eom.forces["damper_j1"][0] is parse("-dj1/2")
    assert eom.forces["friction_j1"][0] is parse("-sign(dj1)/4")
    assert rotor.inertia() == {"dj2": parse("1/4")}
    assert [x.name for x in r.inputs] == ["tau_j1", "tau_j2", "tau_j3", "tau_j4"]
    follow = robot_of_urdf(EVERYTHING, mimic="follow")
    assert [x.name for x in follow.inputs] == ["tau_j1", "tau_j2", "tau_j3"]


def test_limits_are_data() -> None:
    limits = robot_of_urdf(EVERYTHING).limits
    assert (limits["j1"].lower, limits["j1"].upper) == (parse("-1"), parse("2"))
    assert limits["j2"].lower is None
    assert (limits["j2"].speed, limits["j2"].effort) == (parse("5"), parse("4"))


def test_mimic_follow_eliminates_the_coordinate() -> None:
    r = robot_of_urdf(EVERYTHING, mimic="follow")
    assert [x.name for x in r.q] == ["j1", "j2", "j3"]
    eom, free = derive(r), derive(robot_of_urdf(EVERYTHING))
    q = [0.3, 0.2, 0.1]
    full = [*q, -2 * 0.3 + 0.25]
    A, B = (e.evaluate(e.frame("e").rotation(), q=x) for e, x in ((eom, q), (free, full)))
    assert np.allclose(A, B, atol=1e-15)


CHAIN = robot(
    *(link(n) for n in "abcd"),
    joint("j1", "continuous", "a", "b"),
    joint("j2", "continuous", "b", "c", '<mimic joint="j1" multiplier="2" offset="1"/>'),
    joint("j3", "continuous", "c", "d", '<mimic joint="j2" multiplier="-3" offset="0.5"/>'),
)


def test_chains_of_mimics() -> None:
    r = robot_of_urdf(CHAIN, mimic="follow")
    assert r.speed_map is not None
    assert dict(r.speed_map.dependent)["j3"].sympy(simplify=False) == parse("-6*j1 - 5/2").sympy(
        simplify=False
    )
    circle = CHAIN.replace('<child link="b"/>', '<child link="b"/><mimic joint="j3"/>')
    with pytest.raises(FileFormatError, match="must not mimic itself, got j1 → j3 → j2 → j1"):
        robot_of_urdf(circle, mimic="follow")
    assert len(robot_of_urdf(circle).q) == 3


# -- names and options ---------------------------------------------------------------------------------
def test_names_are_kept_verbatim() -> None:
    text = robot(
        link("my base"), link("1st-link/α"), link("x"),
        joint("joint 1.a-b", "continuous", "my base", "1st-link/α"),
        joint("the drone", "floating", "my base", "x"),
        name="a robot",
    )  # fmt: skip
    r = robot_of_urdf(text)
    assert r.name == "a robot"
    assert [x.name for x in r.q][:2] == ["joint 1.a-b", "the drone_x"]
    assert prove(r, seed=1).ok
    assert derive(r).frame("1st-link/α").rotation()


def test_one_name_for_two_things_is_refused() -> None:
    text = robot(
        link("base"), link("a"), link("b"),
        joint("q", "continuous", "base", "a"), joint("dq", "continuous", "a", "b"),
    )  # fmt: skip
    with pytest.raises(
        FileFormatError, match=r"t\.urdf:10: 'dq' .*is a speed of joint 'q' and also"
    ):
        robot_of_urdf(text, "t.urdf")


def test_options_are_checked(everything: Path) -> None:
    for option in ("parameters", "base", "rotation", "mimic"):
        with pytest.raises(UnknownNameError, match=f"Unknown choice of {option} 'x'.*Valid: "):
            load(everything, **{option: "x"})
    for snap in (-1, 1, "x", float("nan"), float("inf"), None):
        with pytest.raises(ModelError, match=r"snap must be (a number|from 0 to 0\.25 rad).*got"):
            load(everything, snap=snap)
    with pytest.raises(UnknownNameError, match=r"Unknown option 'bas'.*Did you mean 'base'"):
        load(everything, bas="free")


def test_load_decides_by_suffix_and_root(tmp_path: Path) -> None:
    assert equamo.load is load
    for suffix in (".urdf", ".URDF", ".xml"):
        path = tmp_path / f"r{suffix}"
        path.write_text(EVERYTHING)
        assert len(load(path).q) == len(load(str(path)).q) == 4
    (tmp_path / "m.xml").write_text("<mujoco><worldbody>")
    with pytest.raises(FileFormatError, match=r"m\.xml:1: the file must be well-formed XML"):
        load(tmp_path / "m.xml")
    for name in ("m.xml", "m.toml"):
        (tmp_path / name).write_text("<mujoco/>")
        with pytest.raises(UnknownNameError, match="Unknown option 'base'"):
            load(tmp_path / name, base="free")
    with pytest.raises(FileFormatError, match="No such file"):
        load(tmp_path / "none.urdf")
    with pytest.raises(
        EquamoError, match=r"must be \.urdf, \.xacro, \.sdf, \.xml or \.toml, got '\.step'"
    ):
        load(tmp_path / "r.step")


# -- nothing is read and then forgotten ----------------------------------------------------------------
CHANGES = {
    "mass": ('<mass value="2"/>', '<mass value="2.5"/>'),
    "com": ('xyz="0.1 -0.2 0.3"', 'xyz="0.1 -0.2 0.35"'),
    "inertia": ('ixy="0.01"', 'ixy="0.011"'),
    "inertial rotation": ('rpy="0.3 0.2 -0.1"', 'rpy="0.3 0.2 -0.11"'),
    "origin": ('xyz="0 0 0.3" rpy', 'xyz="0 0 0.31" rpy'),
    "rotation": ('rpy="0.1 0.2 0.3"', 'rpy="0.1 0.2 0.31"'),
    "axis": ('xyz="1 2 2"', 'xyz="1 2 2.1"'),
    "damping": ('damping="0.125"', 'damping="0.126"'),
    "friction": ('friction="0.25"', 'friction="0.26"'),
    "rotor": ("0.0001", "0.0002"),
    "reduction": (">50<", ">51<"),
}


def equations(r: Robot) -> tuple[object, ...]:
    eom = derive(r)
    return (*eom.mass_matrix.entries, *eom.inverse_dynamics)


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_in_the_file_changes_the_equations(what: str) -> None:
    old, new = CHANGES[what]
    assert old in EVERYTHING
    assert equations(robot_of_urdf(EVERYTHING)) != equations(
        robot_of_urdf(EVERYTHING.replace(old, new))
    )


@pytest.mark.ci
def test_changes_of_real_files_change_the_equations(whole_sweeps: bool) -> None:
    """A mass, an inertia and a damping of a link that turns, in 20 files, or in a sample of 6."""
    wanted = 20 if whole_sweeps else 6
    seen = 0
    for path in files():
        tree = ET.parse(path).getroot()
        turning = [j for j in tree.findall("joint") if j.get("type") in ("revolute", "continuous")]
        children = {child.get("link") for j in turning if (child := j.find("child")) is not None}
        links = [x for x in tree.findall("link") if x.get("name") in children]
        dampings = [
            d for j in turning if (d := j.find("dynamics")) is not None and d.get("damping")
        ]
        if not links or len(turning) > 9 or links[-1].find("inertial") is None:
            continue
        before = equations(robot_of_urdf(ET.tostring(tree), base="free"))
        changes = [
            (links[-1].find("inertial/mass"), ("value",)),
            (links[-1].find("inertial/inertia"), ("ixx", "iyy", "izz")),
            *((d, ("damping",)) for d in dampings[:1]),
        ]
        for element, attributes in changes:
            assert element is not None
            old = dict(element.attrib)
            for a in attributes:
                element.set(a, repr(float(old[a]) + 0.5))
            assert equations(robot_of_urdf(ET.tostring(tree), base="free")) != before, (
                path,
                attributes,
            )
            element.attrib.update(old)
        seen += 1
        if seen == wanted:
            return
    raise AssertionError(f"only {seen} files")


def test_inertial_is_in_the_links_frame() -> None:
    """J = A J_file Aᵀ about the centre of mass, with A = Rz Ry Rx."""
    r = robot_of_urdf(robot(link("base"), link("a"), joint("j", "continuous", "base", "a")))
    A = pin.rpy.rpyToMatrix(0.3, 0.2, -0.1)
    J = A @ np.array([[0.11, 0.01, -0.02], [0.01, 0.12, 0.005], [-0.02, 0.005, 0.13]]) @ A.T
    ours = np.array([float(x) for x in r.body("a").inertia.tensor_at_center.entries]).reshape(3, 3)
    assert np.allclose(ours, J, atol=1e-15)
