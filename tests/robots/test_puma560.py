"""Puma 560: the table, and agreement with the Robotics Toolbox."""

import numpy as np
import pytest

from equamo.certificate import prove
from equamo.certificate.dissipation import dissipation
from equamo.formulations import derive
from equamo.model import check
from equamo.robots import load
from peer_toolbox import agrees, toolbox


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
