"""Each force element alone: its force, its energy, its power."""

from __future__ import annotations

import pickle

import pytest

import equamo as eq
from equamo.algebra.expr.differentiate import directional
from equamo.algebra.expr.vector import Vector
from equamo.mechanics.equations import FORMULATIONS
from equamo.mechanics.kinematics.force_projection import BodyGeometry
from equamo.robot.model import ForceElement
from equamo.robot.model.storage import robot_from_data, robot_to_data
from force_robots import COEFFICIENTS, arm, one_of_each

ELEMENTS = {f.name: f for f in one_of_each()}


def power(eom: eq.EquationsOfMotion, name: str) -> eq.Expr:
    return Vector(eom.v) @ eom.forces[name]


def rate(eom: eq.EquationsOfMotion, e: eq.Expr) -> eq.Expr:
    q_dot = eom.kinematic_map @ Vector(eom.v)
    return directional([e], dict(zip(eom.q, q_dot, strict=True)))[0]


@pytest.mark.parametrize("element", ELEMENTS.values(), ids=ELEMENTS)
def test_all_formulations_give_the_same_force(element: ForceElement) -> None:
    robot = arm(element)
    first = eq.derive(robot)
    for by in FORMULATIONS:
        other = eq.derive(robot, by=by)
        assert eq.compare(first, other)
        assert eq.prove_equal(first.inverse_dynamics, other.inverse_dynamics)


@pytest.mark.parametrize("element", ELEMENTS.values(), ids=ELEMENTS)
def test_power_is_what_the_element_says(element: ForceElement) -> None:
    robot = arm(element)
    eom = eq.derive(robot, by="kane")
    said = element.power(BodyGeometry(robot))
    stored = eom.forces[element.name].energy
    assert (said is None) or (stored is None)
    if said is not None:
        assert eq.prove_equal(power(eom, element.name), said)
    if stored is not None:
        assert eq.prove_equal(power(eom, element.name), -rate(eom, stored))


@pytest.mark.parametrize("element", ELEMENTS.values(), ids=ELEMENTS)
def test_stored_and_read_back(element: ForceElement) -> None:
    robot = arm(element, limits={"s": (0, "1/2")})
    again = robot_from_data(robot_to_data(robot))
    assert again.forces == robot.forces
    assert again.parameter_info == robot.parameter_info
    assert again.limits == robot.limits
    assert robot_to_data(again) == robot_to_data(robot)
    assert pickle.loads(pickle.dumps(element)) == element


def test_joint_spring() -> None:
    eom = eq.derive(arm(eq.joint_spring("q1", "k1", rest="q0")))
    f = eom.forces["spring_q1"]
    assert f.energy is not None
    assert eq.prove_equal(f.energy, "k1*(q1 - q0)**2/2")
    assert eq.prove_equal(list(f), ["-k1*(q1 - q0)", 0, 0])
    assert f["q1"] is f[0]


def test_a_force_without_energy_says_so_and_pickles() -> None:
    eom = eq.derive(arm(eq.joint_damper("q2", "d2"), eq.joint_spring("q1", "k1")))
    assert eom.forces["damper_q2"].energy is None
    again = pickle.loads(pickle.dumps(eom.forces["spring_q1"]))
    assert again == eom.forces["spring_q1"]
    assert again.energy is eom.forces["spring_q1"].energy
    assert again.names == ("q1", "q2", "s")


def test_spring_energy_is_not_in_the_potential_energy() -> None:
    with_spring = eq.derive(arm(eq.joint_spring("q1", "k1")))
    assert with_spring.potential_energy is eq.derive(arm()).potential_energy


def test_spring_without_rest_length_takes_no_root() -> None:
    eom = eq.derive(arm(eq.spring("rod", "world", "k", at="a 0 0", to_at="0 h 0", name="coil")))
    assert "sqrt" not in str(list(eom.forces["coil"])) + str(eom.forces["coil"].energy)


def test_elements_between_two_bodies_leave_what_carries_both_alone() -> None:
    eom = eq.derive(arm(*one_of_each()), by="kane")
    assert eom.forces["F"][0] is eom.forces["dashpot"][0] is eq.parse("0")


def test_cylinder_is_document_002_with_the_right_quadrant() -> None:
    # Points at distances a and b from the joint, opposite each other at q = 0.
    robot = eq.Robot(
        "lever", [eq.Body("lever", eq.revolute("q"), mass="m", com="c 0 0", inertia="0 0 I")],
        forces=[eq.cylinder("lever", "world", "F", at="a 0 0", to_at="-b 0 0")],
    )  # fmt: skip
    f = eq.derive(robot).forces["F"][0]
    # (2.1), (2.2); there F pulls
    phi = "atan2(a*sin(q), b + a*cos(q))"
    assert eq.prove_equal(f, f"-F*b*sin({phi})")
    length = eq.parse("sqrt(a**2 + b**2 + 2*a*b*cos(q))")
    assert eq.prove_equal(f, eq.parse("F") * length.diff("q"))
    # Behind the joint, b + a cos q < 0, the quotient's arc tangent has the wrong sign.
    state = {"q": [3.0], "inputs": [1.0], "values": {"a": 2, "b": 1, "m": 1, "c": 0, "I": 1}}
    eom = eq.derive(robot)
    ours = eom.evaluate(f, **state)
    assert ours == pytest.approx(eom.evaluate(eq.parse(f"-F*b*sin({phi})"), **state))
    wrong = eq.parse("-F*b*sin(atan(a*sin(q)/(b + a*cos(q))))")
    assert ours == pytest.approx(-eom.evaluate(wrong, **state))


def test_cylinder_pushes_its_points_apart() -> None:
    robot = eq.Robot(
        "piston", [eq.Body("piston", eq.prismatic("s", axis="x"), mass="m")],
        forces=[eq.cylinder("piston", "world", "F")],
    )  # fmt: skip
    assert eq.derive(robot).evaluate("F", q=[0.4], inputs=[3], values={"m": 1}) == pytest.approx(
        [3]
    )


def test_cylinder_is_an_input() -> None:
    eom = eq.derive(arm(*one_of_each()))
    names = [x.name for x in eom.inputs]
    assert "F" in names
    assert eq.prove_equal(
        eom.input_matrix.column(names.index("F")) * eq.parse("F"), eom.forces["F"]
    )


def test_rotor_is_in_the_mass_matrix_and_in_nothing_else() -> None:
    with_rotor, without = (
        eq.derive(arm(*forces)) for forces in ([eq.rotor_inertia("q2", "Jm", ratio="N")], [])
    )
    added = with_rotor.mass_matrix - without.mass_matrix
    assert eq.prove_equal(added, eq.Matrix([[0, 0, 0], [0, "Jm*N**2", 0], [0, 0, 0]]))
    assert eq.prove_equal(with_rotor.kinetic_energy - without.kinetic_energy, "Jm*N**2*dq2**2/2")
    assert eq.prove_equal(with_rotor.bias, without.bias)
    assert eq.prove_equal(
        with_rotor.inverse_dynamics - without.inverse_dynamics, Vector([0, "Jm*N**2*ddq2", 0])
    )
    assert with_rotor.forces["rotor_q2"].is_zero


def test_limits_are_data() -> None:
    robot = arm(limits={"q1": ("-pi/2", "pi/2"), "s": {"lower": 0, "effort": 12}})
    assert str(robot.limits["q1"].upper) == "pi/2"
    assert robot.limits["s"] == eq.Limits(eq.parse("0"), effort=eq.parse("12"))
    assert eq.compare(eq.derive(robot), eq.derive(arm()))
    assert set(robot.lock(q1=0).limits) == {"s"}
    assert set(robot.with_values(m1=2).limits) == {"q1", "s"}


def test_locking_a_joint_takes_its_elements_away() -> None:
    robot = arm(*one_of_each()).lock(q1=0)
    left = {f.name for f in robot.forces}
    assert {"coil", "dashpot", "F", "spring_s"} <= left
    assert not {"spring_q1", "friction_q1", "tau1"} & left
    assert eq.prove(robot).ok


def test_values_change_the_numbers() -> None:
    eom = eq.derive(arm(*one_of_each()))
    q, v = [0.2, 0.5, 0.1], [0.3, -0.4, 0.2]
    k, rest = float(COEFFICIENTS["k1"]), float(COEFFICIENTS["q0"])
    assert eom.evaluate("spring_q1", q=q, v=v) == pytest.approx([-k * (0.2 - rest), 0, 0])
    Fc, Fv = float(COEFFICIENTS["Fc1"]), float(COEFFICIENTS["Fv1"])
    assert eom.evaluate("friction_q1", q=q, v=v) == pytest.approx([-(Fc + Fv * 0.3), 0, 0])


def test_gear() -> None:
    """The force along the joint is gear times the input, in every formulation and in B."""
    robot = arm(eq.joint_actuator("q1", "motor", gear="n"))
    for by in FORMULATIONS:
        eom = eq.derive(robot, by=by)
        assert list(eom.forces["motor"]) == [eq.parse("n*motor"), 0, 0]
        assert eom.input_matrix["q1", "motor"] is eq.parse("n")


def test_a_force_actuator_reacts_on_the_world_by_default() -> None:
    """F along x of the rod at its own point: power F·v, and nothing on another body."""
    push = eq.force_actuator("rod", force="F 0 0", at="1 0 0")
    assert push == eq.force_actuator("rod", "world", "F 0 0", at="1 0 0")
    robot = arm(push)
    eom = eq.derive(robot)
    velocity = eom.frame("rod").linear_velocity("1 0 0", expressed_in="rod")
    assert eq.prove_equal(power(eom, "F"), eq.parse("F") * velocity[0])
    assert eom.body_loads("fore").force.is_zero
