"""KUKA LBR iiwa 14: frames of its URDF against the DH table of its data sheet."""

import numpy as np

from equamo.mechanics.certificate import prove
from equamo.mechanics.certificate.dissipation import dissipation
from equamo.mechanics.equations import derive
from equamo.robot.formats.dh import Row, dh_robot
from equamo.robot.library import load


def test_certificate() -> None:
    assert prove(load("iiwa")).ok


def test_upright_at_home() -> None:
    eom = derive(load("iiwa"))
    assert np.allclose(eom.evaluate(eom.frame("flange").position()), [0, 0, 1.306])
    assert np.allclose(eom.evaluate(eom.frame("flange").rotation()), np.eye(3))


def test_flange_is_where_the_dh_table_has_it() -> None:
    """d = 0.36, 0.42, 0.40, 0.126 and twists ∓90° (KUKA's data sheet, and many papers)."""
    twists = ["-pi/2", "pi/2", "pi/2", "-pi/2", "-pi/2", "pi/2", 0]
    lengths = ["0.36", 0, "0.42", 0, "0.4", 0, "0.126"]
    rows = [
        Row(f"q{i}", d, 0, alpha, mass=1)
        for i, (d, alpha) in enumerate(zip(lengths, twists, strict=True), 1)
    ]
    table, ours = derive(dh_robot("iiwa", rows)), derive(load("iiwa"))
    for q in np.random.default_rng(14).uniform(-2, 2, (5, 7)):
        for part in ("position", "rotation"):
            a = table.evaluate(getattr(table.frame("link7"), part)(), q=q)
            b = ours.evaluate(getattr(ours.frame("flange"), part)(), q=q)
            assert np.allclose(a, b, atol=1e-14), part


def test_damping_is_optional_and_dissipates() -> None:
    assert len(load("iiwa", damping=False).forces) == 7
    eom = derive(load("iiwa"))
    assert all(dissipation(eom, f"damper_q{i}") for i in range(1, 8))


def test_total_mass() -> None:
    robot = load("iiwa")
    assert sum(float(robot.values[f"m{i}"] or 0) for i in range(1, 8)) == 17.5
