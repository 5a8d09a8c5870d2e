"""The RP arm against the textbook's equations, corrected (document 004)."""

import pytest

from equamo.algebra.expr.matrix import Matrix, identity
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal
from equamo.mechanics.equations import FORMULATIONS, EquationsOfMotion, derive
from equamo.robot.library import load

d11 = "m1*L1**2/4 + Iz1 + m2*(L1 + q2/2)**2 + Iz2"
b1 = "m2*(L1 + q2/2)*dq1*dq2"
b2 = "-m2/2*(L1 + q2/2)*dq1**2"
g1 = "(m1*L1/2 + m2*(L1 + q2/2))*g*cos(q1)"
g2 = "m2*g/2*sin(q1)"


@pytest.fixture(params=FORMULATIONS)
def eom(request: pytest.FixtureRequest) -> EquationsOfMotion:
    return derive(load("rp_arm"), by=request.param)


def test_names() -> None:
    robot = load("rp_arm")
    assert [p.name for p in robot.parameters] == ["m1", "m2", "L1", "Iz1", "Iz2", "g"]
    assert [x.name for x in (*robot.q, *robot.v)] == ["q1", "q2", "dq1", "dq2"]


def test_inertia_matrix(eom: EquationsOfMotion) -> None:
    assert prove_equal(eom.mass_matrix, Matrix([[d11, 0], [0, "m2/4"]]))


def test_centrifugal_and_coriolis_terms(eom: EquationsOfMotion) -> None:
    assert prove_equal(eom.bias, Vector([b1, b2]))


def test_gravity(eom: EquationsOfMotion) -> None:
    """U = m g y, so that the joint carries the weight."""
    U = "m1*g*L1/2*sin(q1) + m2*g*(L1 + q2/2)*sin(q1)"
    assert prove_equal(eom.gravity, Vector([g1, g2]))
    assert prove_equal(eom.potential_energy, U)


def test_energy(eom: EquationsOfMotion) -> None:
    T1 = "(m1*L1**2/8 + Iz1/2)*dq1**2"
    T2 = "m2/2*((L1 + q2/2)**2*dq1**2 + dq2**2/4) + Iz2/2*dq1**2"
    assert prove_equal(eom.kinetic_energy, f"{T1} + {T2}")


def test_torques(eom: EquationsOfMotion) -> None:
    tau = Vector([f"({d11})*ddq1 + {b1} + {g1}", f"m2/4*ddq2 + {b2} + {g2}"])
    assert prove_equal(eom.inverse_dynamics, tau)


def test_actuators_are_conjugate_to_the_coordinates(eom: EquationsOfMotion) -> None:
    assert eom.input_matrix == identity(2)


def test_centre_of_mass_of_link_2() -> None:
    """At L1 + q2/2 on the turning line, with half the speed of q2."""
    frame = derive(load("rp_arm")).frame("link2")
    place = Vector(["(L1 + q2/2)*cos(q1)", "(L1 + q2/2)*sin(q1)", 0])
    assert prove_equal(frame.position(at="com"), place)
    assert prove_equal(frame.linear_velocity(at="com", expressed_in="link1")[0], "dq2/2")


def test_what_is_printed_wrong_is_refuted() -> None:
    eom = derive(load("rp_arm"))
    wrong = {
        "factor of the Coriolis term": (eom.bias[0], f"2*{b1}"),
        "sign of gravity 1": (eom.gravity[0], f"-{g1}"),
        "sign of gravity 2": (eom.gravity[1], f"-{g2}"),
        "Iz2 lost": (eom.mass_matrix[0, 0], "m1*L1**2/4 + Iz1 + m2*(L1 + q2/2)**2"),
        "cosine lost": (eom.gravity[0], "m1*L1*g/2 + m2*g*(L1 + q2/2)*cos(q1)"),
    }
    for what, (derived, printed) in wrong.items():
        assert prove_equal(derived, printed).verdict == "refuted", what
