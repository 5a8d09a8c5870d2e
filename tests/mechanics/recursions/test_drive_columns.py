"""Columns of rotors and friction."""

from __future__ import annotations

import equamo as eq
from equamo.algebra.expr import parse, sign, symbol
from equamo.mechanics.recursions.drive_columns import friction_columns, rotor_columns

ARM = eq.load("rr_arm").with_forces(
    eq.rotor_inertia("q1", "Jm", ratio="N"),
    eq.joint_damper("q2", "d"),
    eq.joint_friction("q1", "Fc", "Fv"),
    eq.joint_friction("q2", "Fs", smoothing="w"),
    eq.joint_spring("q1", "k"),
)
ELEMENT = {f.name: f for f in ARM.forces}


def test_a_rotor_has_one_column_along_its_acceleration() -> None:
    (column,) = rotor_columns(ARM, ARM.vdot)
    assert column == ("Ia", "rotor_q1", parse("N**2*Jm"), 0, symbol("ddq1"))


def test_friction_has_a_column_per_coefficient() -> None:
    assert friction_columns(ARM, ELEMENT["friction_q1"]) == [
        ("Fc", "friction_q1", symbol("Fc"), 0, sign(symbol("dq1"))),
        ("Fv", "friction_q1", symbol("Fv"), 0, symbol("dq1")),
    ]
    assert friction_columns(ARM, ELEMENT["friction_q2"]) == [
        ("Fc", "friction_q2", symbol("Fs"), 1, parse("tanh(dq2/w)")),
    ]
    assert friction_columns(ARM, ELEMENT["damper_q2"]) == [
        ("Fv", "damper_q2", symbol("d"), 1, symbol("dq2")),
    ]


def test_a_spring_has_no_column() -> None:
    assert friction_columns(ARM, ELEMENT["spring_q1"]) is None


def test_coulomb_friction_that_differs_in_the_two_directions_has_two_columns() -> None:
    puma = eq.load("puma560")
    element = next(f for f in puma.forces if f.name == "friction_q1")
    found = friction_columns(puma, element)
    assert found is not None
    assert [x.quantity for x in found] == ["Fcp", "Fcm", "Fv"]
    for value in (
        1,
        -1,
    ):  # forwards the first acts, backwards the second, with the sign of the speed
        entries = [x.entry.subs({"dq1": value}).value for x in found[:2]]
        assert entries == [max(value, 0), min(value, 0)]


def test_friction_that_depends_on_the_state_has_no_column() -> None:
    """Its coefficient is not a parameter."""
    robot = eq.load("rr_arm").with_forces(
        eq.joint_damper("q1", "d*cos(q2)**2", name="along"),
        eq.joint_friction("q1", "Fc*dq1**2", name="fast"),
        eq.joint_friction("q2", "Fc*(1 + sign(dq2))", smoothing="w", name="mixed"),
    )
    for f in robot.forces[-3:]:
        assert friction_columns(robot, f) is None, f.name
    Y = eq.derive(robot).regressor
    assert set(Y.left_out) == {"along", "fast", "mixed"}
    assert Y.proof
