"""Puma 560: the table, and agreement with the Robotics Toolbox."""

import numpy as np
import pytest

from equamo.mechanics.certificate import prove
from equamo.mechanics.certificate.dissipation import dissipation
from equamo.mechanics.equations import derive
from equamo.robot.library import load
from equamo.robot.model import check
from peer_toolbox import agrees, toolbox


@pytest.mark.needs("roboticstoolbox")
@pytest.mark.parametrize("full", [False, True])
def test_agrees_with_the_toolbox(full: bool) -> None:
    """Inverse dynamics with rotors and friction, mass matrix with rotors, gravity."""
    agrees(derive(load("puma560", full=full)), toolbox("Puma560"))


def test_certificate() -> None:
    assert prove(load("puma560")).ok


def test_friction_dissipates() -> None:
    eom = derive(load("puma560"))
    for i in range(1, 7):
        assert dissipation(eom, f"friction_q{i}")


def test_options() -> None:
    bare = load("puma560", friction=False, rotors=False)
    assert [type(f).__name__ for f in bare.forces] == ["JointActuator"] * 6
    assert "G1" not in bare.values
    kinds = {type(f).__name__ for f in load("puma560", friction=False).forces}
    assert kinds == {"JointActuator", "RotorInertia"}
    assert len(load("puma560", full=True, friction=False, rotors=False).parameters) == 66


def test_gears_stay_while_motors_or_friction_do() -> None:
    """A rotor adds G² Jm to the diagonal of M, friction G² B: also if the other one is left out."""
    bare = derive(load("puma560", friction=False, rotors=False))
    q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    Jm = np.array([200e-6, 200e-6, 200e-6, 33e-6, 33e-6, 33e-6])
    B = np.array([1.48e-3, 0.817e-3, 1.38e-3, 71.2e-6, 82.6e-6, 36.7e-6])
    G = np.array([62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686])

    rotors = derive(load("puma560", friction=False))
    added = rotors.evaluate("mass_matrix", q=q) - bare.evaluate("mass_matrix", q=q)
    np.testing.assert_allclose(added, np.diag(G**2 * Jm), atol=1e-12)
    assert {f"G{i}" for i in range(1, 7)} <= set(rotors.robot.values)

    rubbing = derive(load("puma560", rotors=False))
    v = np.ones(6)
    torque = sum(rubbing.evaluate(f"friction_q{i}", q=q, v=v) for i in range(1, 7))
    twice = sum(rubbing.evaluate(f"friction_q{i}", q=q, v=2 * v) for i in range(1, 7))
    np.testing.assert_allclose(twice - torque, -(G**2) * B, rtol=1e-12)
    same = rubbing.evaluate("mass_matrix", q=q), bare.evaluate("mass_matrix", q=q)
    np.testing.assert_allclose(*same, atol=1e-12)


def test_what_the_table_lacks_is_found() -> None:
    found = {(f.body, f.entry) for f in check(load("puma560")).findings}
    assert found == {("body1", "mass"), ("body3", "inertia")}


def test_reach_at_home() -> None:
    """Stretched along x: a2 + a3 ahead, d3 aside, d1 + d4 up, from the published lengths."""
    eom = derive(load("puma560"))
    p = eom.evaluate(eom.frame("link6").position())
    assert np.allclose(p, [0.4318 + 0.0203, -0.15005, 0.67183 + 0.4318])


def test_a_gear_ratio_stays_where_friction_or_a_rotor_needs_it() -> None:
    for options in ({"friction": False}, {"rotors": False}):
        assert "G1" in load("puma560", **options).values
