"""Stäubli RX-90: Khalil and Dombre's table."""

import numpy as np
import pytest

from equamo.mechanics.certificate import prove
from equamo.mechanics.certificate.dissipation import dissipation
from equamo.mechanics.equations import derive
from equamo.robot.library import load


@pytest.mark.parametrize("drives", [False, True])
def test_certificate(drives: bool) -> None:
    assert prove(load("rx90", friction=drives, rotors=drives)).ok


def test_direct_geometric_model() -> None:
    """P_x, P_y, P_z of the wrist (Khalil and Dombre, example 3.1)."""
    eom = derive(load("rx90"))
    D3 = RL4 = 0.45
    for q in np.random.default_rng(90).uniform(-3, 3, (5, 6)):
        c1, s1 = np.cos(q[0]), np.sin(q[0])
        reach = -np.sin(q[1] + q[2]) * RL4 + np.cos(q[1]) * D3
        height = np.cos(q[1] + q[2]) * RL4 + np.sin(q[1]) * D3
        p = eom.evaluate(eom.frame("link6").position(), q=q)
        assert np.allclose(p, [c1 * reach, s1 * reach, height], atol=1e-14)


def test_every_link_has_ten_parameters() -> None:
    robot = load("rx90")
    for j in range(1, 7):
        names = [f"{n}{j}" for n in ("M", "MX", "MY", "MZ", "XX", "XY", "XZ", "YY", "YZ", "ZZ")]
        assert [x.name for x in robot.body(f"link{j}").inertia.ten] == names


def test_gravity_of_the_last_joint() -> None:
    """Q6 in closed form holds the parameters of link 6 only."""
    g6 = derive(load("rx90")).gravity[5]
    assert {x.name for x in g6.symbols()} & {"MX6", "MY6", "MX5"} == {"MX6", "MY6"}


def test_drives() -> None:
    eom = derive(load("rx90", friction=True, rotors=True))
    bare = derive(load("rx90"))
    extra = eom.evaluate("mass_matrix") - bare.evaluate("mass_matrix")
    assert np.allclose(extra, np.diag([3.3, 5.2, 1.6, 0.35, 0.2, 0.1]))
    assert all(dissipation(eom, f"friction_q{j}") for j in range(1, 7))
