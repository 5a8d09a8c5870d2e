"""Lines of the certificate: each is refuted if its statement is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import equamo as eq
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_zero
from equamo.errors import ExpressionError
from equamo.mechanics.certificate import Certificate, kinematics, properties, prove
from equamo.mechanics.certificate.sides import residuals
from equamo.mechanics.certificate.virtual_motion import VirtualMotion
from equamo.mechanics.certificate.virtual_power import has_definition, virtual_power
from equamo.mechanics.equations import derive
from equamo.robot.model import (
    Body,
    Robot,
    custom,
    edits as model_edits,
    joint_damper,
    prismatic,
    revolute,
    spherical,
    unit_vectors,
)
from equamo.robot.model.force import ForceElement, Load, SpeedForce
from force_robots import arm, one_of_each

JOINTS = "joints: A is a rotation, S v its rate"
FORWARD = "M v̇ + C v + g = all forces at ẋ"
ELEMENTS = {f.name: f for f in one_of_each()}


def refuted(certificate: Certificate) -> list[str]:
    return [line.name for line in certificate.lines if not line.proof]


def heavy(joint: Any) -> Body:
    return Body("a", joint, mass=1, com="1 0 0", inertia="1 2 3")


# -- joints --------------------------------------------------------------------------------------------
def test_a_left_handed_rotation_at_the_root_is_refuted() -> None:
    mirror = Matrix([[1, 0, 0], [0, 1, 0], [0, 0, -1]])
    certificate = prove(Robot("mirrored", [heavy(revolute("q", rotation=mirror))]))
    assert JOINTS in refuted(certificate)


def test_an_axis_that_contradicts_its_matrix_is_refuted() -> None:
    wrong = unit_vectors("q", "cos(q) sin(q) 0", "-sin(q) cos(q) 0", "0 0 1", e="0 0 -1")
    certificate = prove(Robot("contradicted", [heavy(wrong)]))
    assert JOINTS in refuted(certificate)
    right = unit_vectors("q", "cos(q) sin(q) 0", "-sin(q) cos(q) 0", "0 0 1", e="0 0 1")
    assert prove(Robot("right", [heavy(right)]))


def test_unit_quaternions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = Robot("ball", [heavy(spherical("s"))])
    assert "N keeps unit quaternions" in [line.name for line in prove(robot).lines]
    assert prove_zero(residuals(kinematics.unit_lengths(robot)), unit=robot.unit_groups)
    grown = robot.kinematic_map + robot.kinematic_map.map(lambda e: [x * x for x in e])
    monkeypatch.setitem(robot.__dict__, "kinematic_map", grown)
    proof = prove_zero(residuals(kinematics.unit_lengths(robot)), unit=robot.unit_groups)
    assert proof.verdict == "refuted"


def test_a_dependent_coordinate_moves_as_the_speeds_say() -> None:
    robot = eq.load("krang_on_wheels")
    assert robot.speed_map is not None
    assert robot.speed_map.dependent
    assert prove_zero(residuals(kinematics.dependent_coordinates(robot)))
    (name, e), *rest = robot.speed_map.dependent
    wrong = replace(robot.speed_map, dependent=((name, e * 2), *rest))
    other = model_edits.copy_with(robot, speeds=wrong)
    assert prove_zero(residuals(kinematics.dependent_coordinates(other))).verdict == "refuted"


# -- forces ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ELEMENTS)
def test_every_element_has_a_definition(name: str) -> None:
    robot = arm(ELEMENTS[name])
    assert has_definition(ELEMENTS[name])
    assert prove_zero(residuals(properties.virtual_powers(derive(robot))))


@pytest.mark.parametrize("name", [n for n in ELEMENTS if n != "rotor_q2"])
def test_a_force_of_the_wrong_sign_is_refuted(name: str) -> None:
    """In every formulation at once, so that all of them agree."""
    eom = derive(arm(*one_of_each()))
    forces = {n: -f if n == name else f for n, f in eom.derivation.forces.items()}
    wrong = replace(eom, derivation=replace(eom.derivation, forces=forces))
    assert prove_zero(residuals(properties.virtual_powers(wrong))).verdict == "refuted"


def test_virtual_power_of_chosen_speeds() -> None:
    """u = W v is put in: on the wheeled pendulum and on Krang on wheels."""
    for name in ("wheeled_inverted_pendulum", "krang_on_wheels"):
        eom = derive(eq.load(name))
        assert eom.robot.forces
        assert prove_zero(residuals(properties.virtual_powers(eom)))
        assert prove_zero(residuals(properties.input_forces(eom)))


def test_an_input_matrix_of_the_wrong_sign_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    eom = derive(arm(*one_of_each()))
    assert prove_zero(residuals(properties.input_forces(eom)))
    monkeypatch.setitem(eom.__dict__, "input_matrix", -eom.input_matrix)
    assert prove_zero(residuals(properties.input_forces(eom))).verdict == "refuted"


class Kick(ForceElement):
    """An element of somebody else."""

    def loads(self, geometry: Any = None) -> tuple[Load, ...]:
        return (SpeedForce("dq1", eq.parse("k")),)


def test_an_element_of_another_kind_is_named() -> None:
    robot = arm(Kick("kick"), *one_of_each())
    assert virtual_power(Kick("kick"), VirtualMotion(robot)) is None
    certificate = prove(robot)
    assert certificate.ok
    assert "w·f of 'kick': the virtual power of Kick is not defined" in certificate.not_applicable


# -- forward dynamics --------------------------------------------------------------------------------
def test_a_wrong_state_derivative_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    eom = derive(eq.load("rr_arm"))
    assert prove_zero(residuals(properties.state_derivative(eom)))
    x_dot = eom.state_derivative
    for k in range(len(x_dot)):
        wrong = Vector([-x if i == k else x for i, x in enumerate(x_dot)], x_dot.names)
        monkeypatch.setitem(eom.__dict__, "state_derivative", wrong)
        assert prove_zero(residuals(properties.state_derivative(eom))).verdict == "refuted", k


def test_a_singular_mass_matrix_has_no_forward_dynamics() -> None:
    """By its zeros, and by two axes that do the same in another form."""
    bodies = [Body("a", revolute("q1")), Body("b", prismatic("q2", axis="x"), parent="a"),
              Body("c", prismatic("q3", axis="cos(a) sin(a) 0"), parent="b"),
              Body("d", prismatic("q4", axis="y"), parent="c", mass="m", com="l 0 0",
                   inertia="1 1 1")]  # fmt: skip
    leaf = Body("e", revolute("q5"), parent="b")
    for robot in (Robot("lines", bodies), Robot("leaf", [*bodies[:2], leaf])):
        certificate = prove(robot)
        assert certificate.ok
        assert f"{FORWARD}: the mass matrix is singular" in certificate.not_applicable


def test_other_errors_are_not_taken_for_a_singular_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(eom: Any) -> None:
        raise ExpressionError("broken")

    monkeypatch.setattr(properties, "state_derivative", broken)
    monkeypatch.setattr(properties, "skew", broken)
    certificate = prove(eq.load("rr_arm"))
    undecided = {x.name: x.proof.reason for x in certificate.lines if not x.proof}
    assert undecided == {FORWARD: "broken", "Ṁ − 2C skew": "broken"}
    assert not certificate.ok


DAMPING = [
    "cos(hip_qw)**2",
    "sin(q/3**300)",
    "atan2(q, 0)",
    "1/q",
    "log(q)*sign(dq)",
    "sin(hip_qw*p)",
]


@pytest.mark.parametrize("damping", DAMPING)
def test_a_legal_robot_has_a_certificate(damping: str) -> None:
    """What the method cannot treat is undecided, with its reason; the other lines are proved."""
    bodies = [Body("a", eq.spherical("hip"), mass=1, com="0 0 1", inertia="1 1 1"),
              Body("b", revolute("q", axis="x"), mass=1, inertia="1 1 1", parent="a")]  # fmt: skip
    robot = Robot("hip", bodies, forces=[joint_damper("q", damping)])
    lines = {x.name: x.proof for x in prove(robot).lines}
    left = {n: p for n, p in lines.items() if not p}
    assert all(p.verdict == "undecided" and p.reason for p in left.values())
    assert len(left) < 6
    assert ("hip_qw" in damping) == ("d/dt (T + U) = v·f" in left)


# -- edits -----------------------------------------------------------------------------------------
def test_a_lock_that_has_no_value_at_rest_is_named() -> None:
    bodies = [heavy(revolute("q1")), Body("b", revolute("q2"), mass=1, inertia="1 1 1", parent="a")]
    certificate = prove(Robot("stiff", bodies, forces=[joint_damper("q2", "d/dq1")]))
    assert certificate.ok
    assert certificate.not_applicable[0].startswith("lock keeps the other equations: ")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ["rr_arm", "starleth", "wheeled_inverted_pendulum"])
def test_edits_are_lines(name: str) -> None:
    lines = [line.name for line in prove(eq.load(name)).lines]
    assert "lock keeps the other equations" in lines
    assert "add_mass adds its energy" in lines


def test_robots_with_nothing_to_lock() -> None:
    for bodies in ([], [heavy(None)], [heavy(custom("q"))]):
        certificate = prove(Robot("small", bodies))
        assert certificate.ok
        assert "lock keeps the other equations" not in [line.name for line in certificate.lines]


def test_findings_on_inertias_are_remarks() -> None:
    robot = Robot("light", [Body("a", revolute("q"), mass=-1, com="1 0 0", inertia="1 1 1")])
    assert any("mass: must be ≥ 0, got" in x for x in prove(robot).remarks)


# -- symmetry ----------------------------------------------------------------------------------------
def test_a_mass_matrix_that_is_not_symmetric_is_refuted() -> None:
    """Found by the comparison of formulations, which includes both triangles."""
    eom = derive(eq.load("rr_arm"), by="kane")
    rows = [list(r) for r in eom.derivation.mass_matrix.rows]
    rows[1][0] = rows[1][0] * 2
    wrong = replace(eom, derivation=replace(eom.derivation, mass_matrix=Matrix(rows)))
    certificate = prove(wrong)
    assert not certificate.ok
    assert {line.name for line in certificate.lines if not line.proof} == {
        f"kane = {by}" for by in ("lagrange", "projected newton euler", "gibbs appell", "recursive")
    } | {"M v̇ + C v + g = inverse dynamics"}
