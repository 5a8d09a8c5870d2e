"""Krang with the friction and the rotor inertia of document 001, and StarlETH's support."""

from __future__ import annotations

import pytest

import equamo as eq
from equamo.algebra.expr.vector import Vector
from equamo.robot.library.starleth import support_bias, support_jacobian


def test_off_by_default() -> None:
    plain, full = eq.load("krang"), eq.load("krang", friction=True, rotors=True)
    assert len(plain.forces) == 17 + 2
    assert len(full.forces) == 17 + 2 + 2 * 17
    assert len(full.parameters) == len(plain.parameters) + 4 * 17
    assert all(full.parameter_info[f"{n}_7l"].nonnegative for n in ("Fc", "Fv", "N", "Jm"))


def test_equations_17_and_18() -> None:
    plain, full = (
        eq.derive(eq.load("krang", frames=3, **options))
        for options in ({}, {"friction": True, "rotors": True})
    )
    joints = ("imu", "w", "torso")
    added = full.mass_matrix - plain.mass_matrix
    for i, joint in enumerate(joints):
        for j in range(3):
            assert eq.prove_equal(added[i, j], f"N_{joint}**2*Jm_{joint}" if i == j else 0)  # (18)
        # (17), opposed to the motion
        f = full.forces[f"friction_{joint}"]
        dq = f"dq_{joint}"
        said = [0, 0, 0]
        said[i] = eq.parse(f"-(Fc_{joint}*sign({dq}) + Fv_{joint}*{dq})")  # type: ignore[call-overload]
        assert eq.prove_equal(f, Vector(said))


@pytest.mark.ci
def test_certificate() -> None:
    certificate = eq.prove(eq.load("krang", friction=True, rotors=True))
    assert certificate.ok, str(certificate)


def test_feet_accelerate_with_js_vdot_and_the_support_bias() -> None:
    eom = eq.derive(eq.load("starleth"))
    feet = ("LF", "RH")
    bias = support_bias(eom, feet)
    assert bias.names == ("LF_ax", "LF_ay", "LF_az", "RH_ax", "RH_ay", "RH_az")
    said = support_jacobian(eom, feet) @ Vector(eom.vdot) + bias
    accelerations = [e for leg in feet for e in eom.frame(f"{leg}_Foot").linear_acceleration()]
    assert eq.prove_equal(said, Vector(accelerations))
