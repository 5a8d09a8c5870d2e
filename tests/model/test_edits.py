"""Edits lose nothing silently."""

import numpy as np
import pytest

import equamo as eq
from equamo.errors import EquamoError, ModelError
from equamo.identity import prove_zero

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
    with pytest.raises(ModelError, match="parent 'upper'"):
        ARM.attach(eq.Body("t", mass="mt", parent="upper"), to="fore")
    with pytest.raises(ModelError, match="'m1'"):
        ARM.attach(eq.Robot("t", [eq.Body("c", mass="m1")], parameters={"m1": 99}), to="fore")
    with pytest.raises(ModelError, match="chosen speeds"):
        WIP.attach(eq.Body("t", eq.revolute("qt")), to="body")
    with pytest.raises(EquamoError):
        ARM.attach(None, to="fore")


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
