"""Lines of Lagrange's method for its readers: they agree with the steps that the method computes."""

from __future__ import annotations

import pytest

import equamo as eq
from equamo import prove_equal
from equamo.algebra.expr.vector import Vector
from equamo.mechanics.kinematics.quantity_name import QuantityName


@pytest.mark.parametrize("robot", ["rr_arm", "three_link_arm"])
def test_energies_at_the_centre_are_those_at_the_origin(robot: str) -> None:
    steps = {s.quantity: s.result for s in eq.derivation(eq.load(robot), by="lagrange").steps}
    for b in eq.load(robot).bodies:
        parts = steps[QuantityName("E_trans", b.name)] + steps[QuantityName("E_rot", b.name)]
        assert prove_equal(parts, steps[QuantityName("E", b.name)])


def test_derivatives_of_the_lagrangian_are_the_equations() -> None:
    robot = eq.load("rr_arm")
    found = eq.derivation(robot, by="lagrange")
    steps = {s.quantity: s.result for s in found.steps}
    for i, v in enumerate(robot.v):
        by = (v.name,)
        left = steps[QuantityName("dL_dv_dot", by=by)] - steps[QuantityName("dL_dq", by=by)]
        row = found.mass_matrix.row(i) @ Vector(robot.vdot) + found.bias[i] + found.gravity[i]
        assert prove_equal(left, row)


def test_squares_of_jacobians_add_up_to_the_mass_matrix() -> None:
    robot = eq.load("rr_arm")
    found = eq.derivation(robot, by="lagrange")
    steps = {s.quantity: s.result for s in found.steps}
    total = found.mass_matrix * 0
    for b in robot.bodies:
        total = total + steps[QuantityName("JJ_v", b.name)] * b.inertia.mass
        total = total + steps[QuantityName("JJ_w", b.name)]
    assert prove_equal(total, found.mass_matrix)


def test_a_body_without_a_given_centre_has_no_such_lines() -> None:
    names = {s.quantity.letter for s in eq.derivation(eq.load("krang"), by="lagrange").steps}
    assert not names & {"r_G", "v_G", "E_trans", "J_v"}
    assert {"dL_dv", "L"} <= names
