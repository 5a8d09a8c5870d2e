"""Base parameters: counts of the literature, combinations, bounds and proofs."""

from __future__ import annotations

import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import parse, symbol
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal
from equamo.robot.library import names
from equamo.robot.library.puma560 import puma560
from equamo.robot.library.rx90 import rx90
from equamo.robot.model.inertia import NAMES, Inertia
from random_trees import random_tree

SEEDS = range(0, 200, 1 if WHOLE_SWEEPS else 25)


def ten(name: str) -> Inertia:
    return Inertia.about_origin([symbol(f"{n}_{name}") for n in NAMES])


def general_arm(joints: int, gravity: str = "gx gy gz") -> eq.Robot:
    """Revolute joints with symbolic offsets and twists; the first axis is z."""
    bodies = [
        eq.Body(
            f"b{k}",
            eq.revolute(f"q{k}", at=f"a{k} 0 d{k}", rotation=f"alpha{k} beta{k} 0" if k > 1 else None),
            inertia=ten(f"b{k}"), parent=f"b{k - 1}" if k > 1 else "world",
        )
        for k in range(1, joints + 1)
    ]  # fmt: skip
    return eq.Robot("general", bodies, gravity=gravity)


def test_puma_560() -> None:
    """36 (Gautier and Khalil 1990; Mayeda, Yoshida and Osuka 1990), 40 with rotors."""
    base = eq.derive(puma560(friction=False, rotors=False)).base_parameters
    assert (base.count, base.rank, base.is_minimal) == (36, 36, True)
    base = eq.derive(puma560()).base_parameters
    # Rotors 1 and 2 are not told from their links; friction has three coefficients per joint.
    assert base.count == base.rank == 40 + 3 * 6
    assert base.is_minimal


def test_rx_90() -> None:
    """40 with four rotor inertias (Khalil and Dombre 2002, table 9.3)."""
    base = eq.derive(rx90(rotors=True)).base_parameters
    assert base.is_minimal
    assert base.count == 40
    assert [n for n in base.names if n.startswith("Ia")] == [f"Ia_rotor_q{k}" for k in (3, 4, 5, 6)]
    links = {
        k: {n.split("_")[0] for n in base.names if n.endswith(f"link{k}")} for k in range(1, 7)
    }
    assert links[1] == {"ZZ"}
    assert links[2] == {"XX", "XY", "XZ", "YZ", "ZZ", "MX", "MY"}
    # Equation 9.38: ZZR1 = IA1 + ZZ1 + YY2 + D3²(M3 + M4 + M5 + M6) + YY3
    combination = base.combinations["ZZ_link1"]
    assert combination.diff("Ia_rotor_q1") is parse("1")
    assert combination.diff("YY_link2") is parse("1")
    assert combination.diff("m_link6").closed_form() is parse("D3**2")
    assert base.combinations["ZZ_link2"].diff("Ia_rotor_q2") is parse("1")


def test_a_general_arm_with_seven_joints() -> None:
    """43 with the first axis along gravity, 45 otherwise; 43 of iiwa, whose axes intersect."""
    for gravity, count in (("0 0 -g", 1 + 6 * 7), ("gx gy gz", 3 + 6 * 7)):
        base = eq.derive(general_arm(7, gravity)).base_parameters
        assert base.is_minimal
        assert base.count == count
    iiwa = eq.derive(eq.load("iiwa")).base_parameters
    assert iiwa.is_minimal
    assert iiwa.count - sum(n.startswith("F") for n in iiwa.names) == 43


@pytest.mark.parametrize("name", names())
def test_robots(name: str) -> None:
    eom = eq.derive(eq.load(name))
    base = eom.base_parameters
    assert base.is_minimal
    tau = base.matrix @ base.values + eom.regressor.remainder
    assert prove_equal(tau, eom.inverse_dynamics, unit=eom.robot.unit_groups)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_trees(seed: int) -> None:
    """All kinds of joints, with numbers and with symbols: the two bounds agree."""
    base = eq.derive(random_tree(seed, speeds=8, forces=False).robot()).base_parameters
    assert base.is_minimal, base.proof
    parts = {*base.names, *base.without_effect, *(n for row in base.terms.values() for n in row)}
    assert parts == set(base.regressor.names)


def test_text() -> None:
    text = str(eq.derive(eq.load("rp_arm")).base_parameters)
    assert text.splitlines() == [
        "6 base parameters of rp_arm (of 20, as many as the rank)",
        "MX_link1", "MY_link1", "ZZ_link1 + ZZ_link2", "m_link2", "MX_link2", "MY_link2",
    ]  # fmt: skip
    assert repr(eq.derive(eq.load("rp_arm")).base_parameters) == (
        "<6 base parameters of robot 'rp_arm'>"
    )


def test_text_of_coefficients() -> None:
    robot = eq.Robot("two", gravity="0 -g 0", bodies=[
        eq.Body("a", eq.revolute("q1"), inertia=ten("a")),
        eq.Body("b", eq.revolute("q2", at="-L-d 1/3 0"), inertia=ten("b"), parent="a"),
        eq.Body("c", eq.revolute("q3", at="0.123456789012 -d 0"), inertia=ten("c"), parent="b"),
    ])  # fmt: skip
    lines = str(eq.derive(robot).base_parameters).splitlines()
    assert "MX_a + (-d - L)*m_b + (-d - L)*m_c" in lines
    assert "MY_a + 1/3*m_b + 1/3*m_c" in lines
    assert "MX_b + 0.123457*m_c" in lines
    assert "MY_b - d*m_c" in lines


def test_a_pendulum_on_a_slide_along_gravity() -> None:
    """A rotor on a slide is told from its mass by the weight, across gravity it is not."""
    for axis, count in (("z", 2), ("x", 1)):
        robot = eq.Robot("slide", [eq.Body("b", eq.prismatic("q", axis), mass="m")],
                         forces=[eq.rotor_inertia("q", "J")])  # fmt: skip
        base = eq.derive(robot).base_parameters
        assert base.is_minimal
        assert base.count == count
    assert base.names == ("m_b",)
    assert base.combinations["m_b"] is parse("m_b + Ia_rotor_q")


def test_relations_of_rolling_wheels_are_interpolated() -> None:
    """YY of a wheel counts as mass YY/R² of the vehicle: no rule knows the constraint."""
    base = eq.derive(eq.load("wheeled_inverted_pendulum")).base_parameters
    assert base.terms["m_heading"]["YY_wheel_L"].closed_form() is parse("1/R**2")
    assert base.terms["ZZ_heading"]["YY_wheel_R"].closed_form() is parse("L**2/(4*R**2)")


def test_subs() -> None:
    """The combinations stay valid; the rank shows that fewer would suffice."""
    eom = eq.derive(eq.load("rr_arm"))
    replaced = eom.subs({"L1": "2*a"}).base_parameters
    assert replaced.terms["ZZ_upper"]["m_fore"].closed_form() is parse("4*a**2")
    assert replaced.is_minimal
    folded = eom.subs({"g": 0}).base_parameters
    assert folded.proof
    assert folded.count == 6
    assert folded.rank == 4
    assert not folded.is_minimal
    assert "rank 4" in str(folded)


def test_values() -> None:
    base = eq.derive(eq.load("rr_arm")).base_parameters
    assert base.values["ZZ_upper"].closed_form() is parse("I1 + Lc1**2*m1 + L1**2*m2").closed_form()
    assert base.values.names == base.names


def test_a_robot_that_does_not_move() -> None:
    base = eq.derive(eq.Robot("block", [eq.Body("b", mass=1)])).base_parameters
    assert base.count == base.rank == 0
    assert base.is_minimal
    assert len(base.without_effect) == 10
    assert base.matrix.shape == (0, 0)
    assert base.combinations == Vector([])


def test_two_dampers_at_one_joint_are_one_parameter() -> None:
    robot = eq.load("rr_arm").with_forces(
        eq.joint_damper("q1", "d1", name="one"), eq.joint_damper("q1", "d2", name="two")
    )
    base = eq.derive(robot).base_parameters
    assert base.is_minimal
    assert base.combinations["Fv_one"] is parse("Fv_one + Fv_two")
    assert base.values["Fv_one"] is parse("d1 + d2")
