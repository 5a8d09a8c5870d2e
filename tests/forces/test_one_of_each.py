"""A robot that carries one of each force element, in its joint speeds and in chosen ones."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import equamo as eq
from equamo.algebra.expr.differentiate import directional
from equamo.algebra.expr.vector import Vector
from equamo.mechanics.certificate import check_file
from equamo.mechanics.certificate.properties import power
from equamo.mechanics.certificate.sides import residuals
from equamo.mechanics.equations import FORMULATIONS, BodyLoads
from equamo.robot.model import ForceElement
from force_robots import arm, one_of_each


def chosen() -> eq.Robot:
    """The same arm, whose rod is driven by the rotation of its joints, with chosen speeds."""
    return arm(*one_of_each(), speeds="a_1 a_2", rates={
        "dq1": "a_1*cos(q2) + a_2", "dq2": "a_2 - a_1*q1", "ds": "L1*a_1*sin(q1)",
    })  # fmt: skip


@pytest.mark.parametrize("robot", [arm(*one_of_each()), chosen()], ids=["joint speeds", "chosen"])
def test_certificate(robot: eq.Robot) -> None:
    certificate = eq.prove(robot)
    assert certificate.ok, str(certificate)


@pytest.mark.parametrize("robot", [arm(*one_of_each()), chosen()], ids=["joint speeds", "chosen"])
def test_five_formulations_agree(robot: eq.Robot) -> None:
    eoms = [eq.derive(robot, by=by) for by in FORMULATIONS]
    for a, b in combinations(eoms, 2):
        assert eq.compare(a, b)
    for a in eoms[1:]:
        assert eq.prove_equal(a.inverse_dynamics, eoms[0].inverse_dynamics)
        assert eq.prove_equal(a.coriolis_matrix @ Vector(a.v), a.bias)


def test_the_power_balance_misses_no_element() -> None:
    """It fails if the energy of one spring, the power of one damper or the rotor is left out."""
    eom = eq.derive(arm(*one_of_each()))
    balance = residuals(power(eom))
    said = [f.name for f in eom.robot.forces if f.dissipates or f.name == "F"]
    springs = [n for n, f in eom.forces.items() if f.energy is not None]
    assert springs == ["spring_q1", "spring_s", "coil"]
    assert len(balance) == 1 + len(said) + len(springs)
    assert eq.prove_zero(balance)
    # v̇ of the motion: all forces but the springs' do work on T + U + ΣV
    rates = dict(zip(eom.q, eom.v, strict=True)) | dict(zip(eom.v, eom.vdot, strict=True))
    E = eom.kinetic_energy + eom.potential_energy
    for f in eom.forces.values():
        E = E if f.energy is None else E + f.energy
    total = eom.mass_matrix @ Vector(eom.vdot) + eom.bias + eom.gravity
    work = Vector(eom.v) @ total
    for n in springs:
        work = work - Vector(eom.v) @ eom.forces[n]
    assert eq.prove_equal(directional([E], rates)[0], work)
    assert not eq.prove_equal(directional([eom.kinetic_energy], rates)[0], work)


def test_equations_survive_a_file(tmp_path: Path) -> None:
    eom = eq.derive(arm(*one_of_each()))
    eom.save(tmp_path / "arm.eom")
    again = eq.EquationsOfMotion.load(tmp_path / "arm.eom")
    assert again.robot.forces == eom.robot.forces
    for name, f in eom.forces.items():
        assert again.forces[name] == f
        assert again.forces[name].energy == f.energy
    assert again.inverse_dynamics == eom.inverse_dynamics


def test_certificate_survives_a_file(tmp_path: Path) -> None:
    eq.prove(arm(*one_of_each())).save(tmp_path / "arm.json")
    assert check_file(tmp_path / "arm.json").ok


def test_body_loads_are_the_generalized_forces() -> None:
    """Σ J_vᵀ F + J_ωᵀ T over the bodies is the sum of all forces; the weight gives −g."""
    for robot in (arm(*one_of_each()), chosen()):
        eom = eq.derive(robot)
        total = weight = Vector([0] * len(eom.v))
        for b in robot.bodies:
            loads = eom.body_loads(b.name)
            assert isinstance(loads, BodyLoads)
            assert not loads.left_out
            frame = eom.frame(b.name)
            total = total + frame.linear_jacobian(expressed_in=b.name).T @ loads.force
            total = total + frame.angular_jacobian(expressed_in=b.name).T @ loads.torque
            weight = weight + frame.linear_jacobian(at="com").T @ loads.weight
        forces = Vector([0] * len(eom.v))
        for f in eom.forces.values():
            forces = forces + f
        assert eq.prove_equal(total, forces)
        assert eq.prove_equal(weight, -eom.gravity)


def test_body_loads_of_a_joint_of_several_degrees_are_named() -> None:
    motor: ForceElement = eq.joint_actuator("x", "Fx")
    robot = eq.Robot("sled", [eq.Body("sled", eq.planar("x y a"), mass="m")], forces=[motor])
    assert eq.derive(robot).body_loads("sled").left_out == ("Fx",)
