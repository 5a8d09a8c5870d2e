"""Equations as text: entries have names by which they are addressed."""

import re

import pytest

import equamo as eq


@pytest.mark.sweep(2)
@pytest.mark.parametrize("robot", ["rr_arm", "rp_arm", "wheeled_inverted_pendulum"])
def test_an_entry_is_printed_by_the_name_that_addresses_it(robot: str) -> None:
    eom = eq.derive(eq.load(robot))
    parts = {"M": eom.mass_matrix, "C": eom.coriolis_matrix, "g": eom.gravity}
    lines = re.findall(r"^([MCg])\[(.*)\] = (.*)$", str(eom), re.MULTILINE)
    assert {letter for letter, _, _ in lines} == set(parts)
    for letter, names, text in lines:
        place = tuple(names.split(", "))
        entry = parts[letter][place if len(place) > 1 else place[0]]  # type: ignore[index]
        assert eq.prove_equal(entry, text)


def cart() -> eq.EquationsOfMotion:
    """Pendulum on a cart: one input for two joints, a damper and a spring."""
    bodies = [
        eq.Body("cart", eq.prismatic("x"), mass="M"),
        eq.Body("rod", eq.revolute("phi"), mass="m", com="0 -l 0", parent="cart"),
    ]
    forces = [
        eq.joint_actuator("x", "F"),
        eq.joint_damper("x", "d", name="bearing"),
        eq.joint_spring("phi", "k", name="hair spring"),
    ]
    return eq.derive(eq.Robot("cart", bodies, gravity="0 -g 0", forces=forces))


def test_inputs_and_every_force_are_printed() -> None:
    text = str(cart()).splitlines()
    assert text[1] == "M(q) v̇ + C(q, v) v + g(q) = B τ + Σ f"
    assert "f = bearing, hair spring" in text
    assert text[-3:] == ["B[x, F] = 1", "bearing[x] = -d*dx", "hair spring[phi] = -k*phi"]
    assert str(eq.derive(eq.load("rr_arm"))).splitlines()[-1] == "B = identity"


def test_kinematic_equations_are_printed_unless_v_is_the_rate_of_q() -> None:
    eom = eq.derive(eq.load("rolling_disc"))
    text = str(eom)
    assert "g(q) = 0,  q̇ = N(q) v" in text
    assert "N[yaw, u3] = 1/cos(lean)" in text
    assert "\nB" not in text  # there are no inputs
    assert "\nN" not in str(eq.derive(eq.load("rr_arm")))


def test_the_length_decides_not_the_number_of_joints() -> None:
    bodies = [
        eq.Body(f"b{k}", eq.prismatic(f"x{k}", axis="xyz"[k % 3]), mass=f"m{k}",
                parent=f"b{k - 1}" if k else "world")
        for k in range(6)
    ]  # fmt: skip
    text = str(eq.derive(eq.Robot("gantry", bodies, gravity="0 0 -g")))
    assert "M[x0, x0] = m0 + m1 + m2 + m3 + m4 + m5" in text
    assert "C = 0" in text
    assert "multiplications" not in text
    assert "multiplications" in str(eq.derive(eq.load("stanford")))
