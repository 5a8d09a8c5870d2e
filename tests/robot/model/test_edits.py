"""Edits lose nothing silently."""

from fractions import Fraction

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr.matrix import identity
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_zero
from equamo.code.ir.cost import cost
from equamo.code.ir.functions import functions
from equamo.errors import EquamoError, ModelError
from equamo.mechanics.equations import FORMULATIONS
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.formats.urdf import robot_of_urdf
from equamo.robot.formats.urdf_writer import write_urdf
from equamo.robot.model.shape import Shape

ARM = eq.load("rr_arm")
WIP = eq.load("wheeled_inverted_pendulum")


def test_subs_replaces_in_every_quantity() -> None:
    """The identities hold after it, whatever the formulation."""
    for by in ("recursive", "kane"):
        eom = eq.derive(ARM, by=by).subs({"g": 0, "q2": "2*q2"}).subs({"m1": "m2"})
        v, vdot = eq.Vector(eom.v), eq.Vector(eom.vdot)
        assert eom.gravity.is_zero
        assert prove_zero(eom.mass_matrix @ vdot + eom.bias - eom.inverse_dynamics)
        assert prove_zero(eom.coriolis_matrix @ v - eom.bias)
        assert "m1" not in {s.name for s in eom.kinetic_energy.symbols()}
        assert eom.frame("fore").rotation() == eq.derive(ARM).frame("fore").rotation().subs(
            {"q2": "2*q2"}
        )


def test_replaced_equations_are_saved(tmp_path) -> None:
    eom = eq.derive(ARM).subs({"m1": "a/3", "q1": "q2"})
    eom.save(tmp_path / "x.eom")
    again = eq.EquationsOfMotion.load(tmp_path / "x.eom")
    assert again.inverse_dynamics == eom.inverse_dynamics
    assert again.coriolis_matrix == eom.coriolis_matrix


def test_attach_refuses_what_it_would_lose() -> None:
    tool = eq.Robot("t", [eq.Body("c", eq.prismatic("x"), mass="m1"),
                          eq.Body("w", eq.revolute("th"), mass="mw", parent="c")],
                    constraints=["dx = R*dth"], speeds={"dth": "dth"})  # fmt: skip
    with pytest.raises(ModelError, match="chosen speeds"):
        ARM.attach(tool, to="fore")
    with pytest.raises(
        ModelError, match="parent of body 't' must be 'fore' or 'world', got 'upper'"
    ):
        ARM.attach(eq.Body("t", mass="mt", parent="upper"), to="fore")
    with pytest.raises(ModelError, match="'m1'"):
        ARM.attach(eq.Robot("t", [eq.Body("c", mass="m1")], parameters={"m1": 99}), to="fore")
    with pytest.raises(ModelError, match="chosen speeds"):
        WIP.attach(eq.Body("t", eq.revolute("qt")), to="body")
    with pytest.raises(EquamoError):
        ARM.attach(None, to="fore")


def test_force_elements_of_a_tool_refer_to_its_bodies() -> None:
    forces = [eq.spring("c", "world", 1)]
    tool = eq.Robot("t", [eq.Body("c", eq.prismatic("x"), mass=1)], forces=forces)
    with pytest.raises(ModelError, match=r"prefix must be empty, .* robot 't' .*, got 'p_'"):
        ARM.attach(tool, to="fore", prefix="p_")


def test_a_joint_is_locked_as_a_whole() -> None:
    robot = eq.Robot("r", [eq.Body("c", eq.planar("x y a"), mass=1)])
    with pytest.raises(ModelError, match="joint of body 'c' must be locked together; add y, a"):
        robot.lock(x=0)


def test_values_are_those_of_parameters() -> None:
    with pytest.raises(EquamoError, match=r"Unknown parameter 'm9' in robot 'rr_arm'"):
        ARM.with_values(m9=1)
    with pytest.raises(ModelError, match="value of parameter 'm1' must be a number, got 'm2'"):
        ARM.with_values(m1="m2")


def test_lock_puts_its_values_into_the_forces() -> None:
    spring = eq.joint_spring("q2", "k", rest="q1")
    robot = eq.Robot("r", ARM.bodies, gravity="0 -g 0", forces=[spring])
    locked = robot.lock(q1="c")
    assert "q1" not in {x.name for x in locked.parameters}
    force = eq.derive(locked).forces["spring_q2"]
    assert force.closed_form()[0] == eq.parse("k*(c - q2)").closed_form()


def test_lock_keeps_the_constraints_that_are_left() -> None:
    locked = WIP.lock(q_imu=0)
    assert [x.name for x in locked.v] == ["dx", "dpsi"]
    assert list(eq.derive(locked).constraint_forces) == list(eq.derive(WIP).constraint_forces)
    assert eq.prove(locked).ok


def test_wheels_are_locked_as_a_set() -> None:
    standing = WIP.lock(X0=0, Y0=0, psi=0, theta_L=0, theta_R=0)
    assert [x.name for x in standing.v] == ["dphi"]
    M = eq.derive(standing).mass_matrix
    assert prove_zero(M[0, 0] - eq.derive(WIP).mass_matrix["dphi", "dphi"])
    with pytest.raises(ModelError, match="together"):
        WIP.lock(theta_L=0)


def test_compare_sees_an_element_that_only_one_has() -> None:
    without = eq.Robot("r", ARM.bodies, gravity="0 -g 0", forces=[])
    difference = eq.compare(eq.derive(ARM), eq.derive(without))
    assert {d.quantity for d in difference.differences} == {"forces[tau1]", "forces[tau2]"}


def test_an_element_named_like_a_quantity_does_not_hide_it() -> None:
    robot = eq.Robot("r", ARM.bodies, gravity="0 -g 0", parameters=ARM.parameter_info,
                     forces=[eq.joint_actuator("q1", input="t", name="gravity")])  # fmt: skip
    assert np.allclose(eq.derive(robot).evaluate("gravity"), eq.derive(ARM).evaluate("gravity"))


def test_rows_and_columns_counted_from_the_end() -> None:
    M = eq.derive(ARM).mass_matrix
    assert M[-1, :] == M[1:2, :]
    assert M[:, -1] == M[:, 1:2]
    assert M["q1", :] == M[0:1, :]


def test_a_name_that_is_no_identifier_is_checked() -> None:
    assert eq.check(eq.Robot("b", [eq.Body("a", eq.free("`my-base`"), mass=1, inertia="1 1 1")])).ok


def test_commas_inside_parentheses_do_not_separate() -> None:
    body = eq.Body("a", eq.revolute("q"), mass=1, com="atan2(y, x) 0 0")
    assert str(body.inertia.first_moment[0]) == "atan2(y, x)"


# -- frames ----------------------------------------------------------------------------------------
TURNED = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]


def test_a_frame_leaves_the_equations_as_they_are() -> None:
    """Node by node, by every method, and no compiled function is longer."""
    with_tip = ARM.add_frame("tip", body="fore", at="L2 0 0", rotation=TURNED)
    for by in FORMULATIONS:
        one, two = eq.derive(ARM, by=by), eq.derive(with_tip, by=by)
        for name in ("mass_matrix", "bias", "gravity", "inverse_dynamics"):
            assert prove_zero(getattr(one, name) - getattr(two, name))
    eoms = eq.derive(ARM), eq.derive(with_tip)
    for name in ("inverse_dynamics", "mass_matrix", "forward_dynamics"):
        counts = [cost(functions(eom)[name].program()).estimate for eom in eoms]
        assert counts[0] == counts[1]
    assert eq.prove(with_tip).ok


def test_a_frame_has_pose_and_jacobians() -> None:
    """The tip is the point of the body that carries it, turned."""
    eom = eq.derive(ARM.add_frame("tip", body="fore", at="L2 0 0", rotation=TURNED))
    tip, fore = eom.frame("tip"), eom.frame("fore")
    assert prove_zero(tip.position() - fore.position("L2 0 0"))
    assert prove_zero(tip.rotation() - fore.rotation() @ eq.Matrix(TURNED))
    assert prove_zero(tip.jacobian() - fore.jacobian("L2 0 0"))
    assert prove_zero(tip.acceleration() - fore.acceleration("L2 0 0"))
    assert tip.transform(relative_to="fore").entries[3] is eq.parse("L2")


def test_a_frame_is_compiled_and_generated(tmp_path) -> None:
    robot = ARM.with_values(m1=1, m2=1, L1=2, Lc1=1, Lc2=1, I1=1, I2=1)
    fast = eq.compile(eq.derive(robot.add_frame("tip", body="fore", at="3 0 0")))
    q = [np.pi / 2, -np.pi / 2]
    assert np.allclose(fast.pose("tip", q)[:3, 3], [3, 2, 0])
    assert np.allclose(fast.jacobian("tip", q)[3:], [[-2, 0], [3, 3], [0, 0]])
    assert np.allclose(fast.jacobian_dot_v("tip", q, [1, 0])[3:], [-3, -2, 0])
    named = ["pose_tip", "jacobian_tip", "jacobian_dot_v_tip"]
    for functions_ in (named, None):
        eom = eq.derive(robot.add_frame("tip", body="fore", at="3 0 0"))
        eq.generate(eom, to="numpy", out=tmp_path, functions=functions_, prove=False)
        text = "".join(p.read_text(encoding="utf-8") for p in tmp_path.rglob("*.py"))
        assert all(f"def {n}" in text for n in named)


def test_a_frame_survives_files(tmp_path) -> None:
    robot = ARM.add_frame("tip", body="fore", at="L2 0 1/10", rotation=TURNED)
    position = eq.derive(robot).frame("tip").transform()
    (tmp_path / "arm.toml").write_text(write_toml(robot), encoding="utf-8")
    assert eq.derive(eq.load(tmp_path / "arm.toml")).frame("tip").transform() == position
    eq.derive(robot).save(tmp_path / "arm.eom")
    again = eq.EquationsOfMotion.load(tmp_path / "arm.eom")
    assert again.frame("tip").transform() == position


def test_a_frame_survives_urdf() -> None:
    numbers = ARM.with_values(m1=1, m2=1, L1=2, Lc1=1, Lc2=1, I1=1, I2=1)
    robot = numbers.add_frame("tip", body="fore", at="3 0 0", rotation=TURNED)
    again = robot_of_urdf(write_urdf(robot, lossy=True))
    q = [0.3, 0.4]
    assert np.allclose(
        eq.compile(eq.derive(robot)).pose("tip", q), eq.compile(eq.derive(again)).pose("tip", q)
    )


def test_a_frame_survives_edits() -> None:
    robot = ARM.add_frame("tip", body="fore", at="L2 0 0")
    edited = robot.lock(q1=0).with_values(L2=3).add_mass("fore", "m3").with_home(q2=1)
    edited = edited.attach(eq.Body("pen", mass="mp"), to="tip")
    assert edited.body("tip").parent == "fore"
    assert edited.body("pen").parent == "tip"
    assert prove_zero(eq.derive(edited).frame("tip").position() - eq.Vector(
        [eq.parse("L1 + L2*cos(q2)"), eq.parse("L2*sin(q2)"), 0]))  # fmt: skip
    assert eq.derive(WIP.add_frame("imu", body="body")).mass_matrix == eq.derive(WIP).mass_matrix


def test_frames_on_frames_and_on_the_world() -> None:
    robot = ARM.add_frame("camera", body="world", at="0 0 2").add_frame("a", "fore", at="1 0 0")
    robot = robot.add_frame("b", "a", at="1 0 0")
    eom = eq.derive(robot)
    assert prove_zero(eom.frame("b").position() - eom.frame("fore").position("2 0 0"))
    assert eom.frame("b").position(relative_to="camera")[2] == -2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "fore", "body": "upper"}, "the name of a frame must be new, got 'fore'"),
        ({"name": "world", "body": "upper"}, "the name of a frame must be new, got 'world'"),
        ({"name": "", "body": "upper"}, "non-empty text"),
        ({"name": "tip", "body": "four"}, "Unknown body 'four'.*Did you mean 'fore'"),
        ({"name": "tip", "body": "fore", "at": "q1 0 0"}, "q1"),
        ({"name": "tip", "body": "fore", "at": "1 2"}, "1 2"),
    ],
)
def test_a_frame_that_cannot_be(options, message) -> None:
    with pytest.raises(EquamoError, match=message):
        ARM.add_frame(**options)


# -- forces and locks ------------------------------------------------------------------------------
def test_forces_are_added_and_replaced_by_name() -> None:
    damped = ARM.with_forces(eq.joint_damper("q1", "d1"), [eq.joint_damper("q2", "d2")])
    assert [f.name for f in damped.forces] == ["tau1", "tau2", "damper_q1", "damper_q2"]
    assert {"d1", "d2"} <= damped.values.keys()
    assert eq.derive(damped).passive_force[0] is eq.parse("-d1*dq1")
    again = damped.with_forces(eq.joint_damper("q1", 3))
    assert [f.name for f in again.forces] == [f.name for f in damped.forces]
    assert eq.derive(again).passive_force[0] is eq.parse("-3*dq1")
    assert again.with_forces(again.forces).forces == again.forces


def test_forces_in_place_of_all_others() -> None:
    robot = ARM.with_home(q1=1, tau1=2)
    passive = robot.with_forces(only=True)
    assert passive.forces == ()
    assert passive.home.q["q1"] == 1
    assert passive.inputs == ()
    one = robot.with_forces(eq.joint_actuator("q1"), only=True)
    assert [x.name for x in one.inputs] == ["tau1"]
    assert one.home.inputs["tau1"] == 2


def test_forces_that_cannot_be() -> None:
    with pytest.raises(ModelError, match="list of ForceElement, got 'damper'"):
        ARM.with_forces("damper")
    with pytest.raises(ModelError, match="two named 'damper_q1'"):
        ARM.with_forces(eq.joint_damper("q1", 1), eq.joint_damper("q1", 2))
    with pytest.raises(EquamoError, match="'dq9'"):
        ARM.with_forces(eq.joint_damper("q9", 1))


def test_lock_takes_a_mapping() -> None:
    assert ARM.lock({"q1": "pi/2"}).bodies == ARM.lock(q1="pi/2").bodies
    assert ARM.lock({"q1": 0}, q2=1).q == ()
    assert ARM.lock().q == ARM.q
    values = eq.Robot("r", [eq.Body("a", eq.revolute("values"), mass=1)])
    assert values.lock(values=0).q == ()
    with pytest.raises(ModelError, match="'q1' must be passed once, got it twice"):
        ARM.lock({"q1": 0}, q1=1)
    with pytest.raises(
        ModelError, match=r"lock: values must map names to numbers, such as lock\(q1=0\)"
    ):
        ARM.lock(3)  # type: ignore[arg-type]


# -- what an edit must not lose -----------------------------------------------------------------------
def test_a_tool_has_the_gravity_of_the_robot() -> None:
    tool = eq.Robot("t", [eq.Body("c", mass=1)], gravity="0 0 -1")
    with pytest.raises(ModelError, match=r"robot 't' must have the gravity of robot 'rr_arm'"):
        ARM.attach(tool, to="fore")
    for gravity in ("0 -g 0", "0 -9.81 0"):  # the same expressions, or the same numbers
        fitting = eq.Robot("t", [eq.Body("c", mass=1)], gravity=gravity)
        assert ARM.attach(fitting, to="fore").gravity == ARM.gravity


def test_a_tool_keeps_its_values_and_what_is_drawn_of_its_world() -> None:
    box = Shape("box", Vector([1, 2, 3]))
    ball = Shape("sphere", Vector([1]))
    tool = eq.Robot("t", [eq.Body("c", mass="m")], gravity="0 -g 0", parameters={"m": 3},
                    shapes={"world": [box], "c": [ball]})  # fmt: skip
    robot = eq.Robot("r", [eq.Body("b", eq.revolute("q1"), mass="m")], gravity="0 -g 0",
                     shapes={"b": [ball]})  # fmt: skip
    both = robot.attach(tool, to="b", prefix="t_")
    assert both.values["m"] == 3
    assert dict(both.shapes) == {"b": (ball, box), "t_c": (ball,)}


BALL = eq.Robot("ball", [eq.Body("b", eq.spherical("s"), mass=1, com="1 0 0", inertia="1 2 3")])
NAMES = ("s_qw", "s_qx", "s_qy", "s_qz")


@pytest.mark.parametrize("values", [(1, 1, 0, 0), (0, 0, 0, 0), (0.7071, 0.7071, 0, 0)])
def test_a_quaternion_has_length_1(values: tuple[float, ...]) -> None:
    quaternion = dict(zip(NAMES, values, strict=True))
    message = r"quaternion \(s_qw, s_qx, s_qy, s_qz\) must have length 1, got"
    with pytest.raises(ModelError, match=f"default state of robot 'ball': the {message}"):
        BALL.with_home(quaternion)
    with pytest.raises(ModelError, match=f"lock: the {message}"):
        BALL.lock(quaternion)


def test_a_quaternion_is_normalised_within_rounding() -> None:
    given = dict(zip(NAMES, (0.70710678, 0.70710678, 0, 0), strict=True))
    home = BALL.with_home(given).home.q
    assert sum(float(x) ** 2 for x in home.values()) == pytest.approx(1, abs=1e-15)
    assert BALL.with_home(home).home.q == home  # no further rounding
    exact = dict(zip(NAMES, (Fraction(3, 5), Fraction(4, 5), 0, 0), strict=True))
    assert dict(BALL.with_home(exact).home.q) == exact
    for locked in (BALL.lock(given), BALL.lock(exact)):
        A = locked.body("b").joint.rotation
        assert identity(3) == (A @ A.T)  # exactly
    A = BALL.lock(given).body("b").joint.rotation
    assert float(A[2, 1]) == pytest.approx(1, abs=1e-15)


def test_a_quaternion_of_parameters_has_length_1_for_all_of_them() -> None:
    turn = dict(zip(NAMES, ("cos(a/2)", "sin(a/2)", 0, 0), strict=True))
    A = BALL.lock(turn).body("b").joint.rotation
    assert prove_zero(A - eq.revolute("a", axis="x").rotation)
    assert BALL.lock(dict(zip(NAMES, ("sqrt(1/2)", 0, "sqrt(1/2)", 0), strict=True)))
    with pytest.raises(ModelError, match="must have length 1 for all values of the parameters"):
        BALL.lock(dict(zip(NAMES, ("a", "b", 0, 0), strict=True)))
