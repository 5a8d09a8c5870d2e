"""What holds for every built-in robot."""

import numpy as np
import pytest

from equamo.algebra.expr import symbol
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.algebra.expr.vector import Vector
from equamo.algebra.expr.walk import symbols
from equamo.algebra.identity import prove_all, prove_equal
from equamo.algebra.identity.prove import differences
from equamo.mechanics.equations import FORMULATIONS, derive
from equamo.robot.library import load, names
from equamo.robot.model import check

EVERY = pytest.mark.parametrize("name", names())
# Parameters that are in no equation: the length of a last link, gravity across the plane of motion.
UNUSED = {"three_link_arm": {"l3"}, "three_link_prismatic_arm": {"l3"}, "five_bar": {"gravity"}}

LOOPS = {"four_bar", "five_bar", "delta", "stewart", "cassie_leg"}

# What published tables have that no rigid body has: (body, entry). Their files say so.
FINDINGS = {
    "puma560": {("body1", "mass"), ("body3", "inertia")},
    "stanford": {("body5", "inertia")},
}


@EVERY
def test_check_finds_nothing_but_what_is_known(name: str) -> None:
    report = check(load(name))
    assert {(f.body, f.entry) for f in report.findings} == FINDINGS.get(name, set()), str(report)
    assert {x.entry for x in report.remarks} == UNUSED.get(name, set())


@pytest.mark.sweep(17)
@EVERY
def test_five_formulations_agree(name: str) -> None:
    """M, C v, g and the generalized force of every force element."""
    robot = load(name)
    eoms = {by: derive(robot, by) for by in FORMULATIONS}
    first = eoms.pop("recursive")
    labels, groups = [], []
    for by, eom in eoms.items():
        for part in ("mass_matrix", "bias", "gravity"):
            labels.append(f"{by}: {part}")
            groups.append(differences(getattr(eom, part), getattr(first, part)))
        for force in first.forces:
            labels.append(f"{by}: {force}")
            groups.append(differences(eom.forces[force], first.forces[force]))
    proofs = prove_all(groups, unit=robot.unit_groups)
    wrong = [f"{label}: {p}" for label, p in zip(labels, proofs, strict=True) if not p]
    assert not wrong, "\n".join(wrong)
    assert max(p.bound for p in proofs) <= 2**-100


@EVERY
def test_every_parameter_has_a_value_a_unit_and_a_description(name: str) -> None:
    units = {"kg", "kg/m", "m", "kg m", "kg m²", "m/s²", "rad", "N m", "N m s/rad"}
    for p in load(name).parameter_info.values():
        assert p.value is not None, p
        assert p.unit in units or (not p.unit and p.description.startswith("gear ratio")), p
        assert len(p.description) > 8, p


@EVERY
def test_every_symbol_is_known(name: str) -> None:
    robot = load(name)
    known = {
        *robot.joint_coordinates,
        *robot.joint_speeds,
        *robot.q,
        *robot.v,
        *robot.vdot,
        *robot.inputs,
        *robot.external,
        *robot.parameters,
    }
    assert set(symbols(robot.expressions())) <= known


@EVERY
def test_mass_matrix_is_positive_definite_at_home(name: str) -> None:
    eom = derive(load(name))
    M = eom.evaluate("mass_matrix")
    assert np.array_equal(M, M.T)
    assert np.linalg.eigvalsh(M)[0] > 1e-6


@EVERY
def test_gravity_points_down(name: str) -> None:
    down = "0 -g 0" if name in {"rr_arm", "rp_arm", "four_bar"} else "0 0 -g"
    robot = load(name)
    assert robot.gravity == Vector([{"-g": -symbol("g")}.get(x, x) for x in down.split()])
    assert float(robot.values["g"] or 0) == 9.81


@EVERY
def test_each_input_drives_its_joint(name: str) -> None:
    """B has one 1 a column: an actuator is conjugate to its coordinate."""
    robot = load(name)
    eom = derive(robot)
    if robot.speed_map is not None:  # as its joints see it, by virtual power
        B = derive(robot.tree).input_matrix.subs(dict(robot.speed_map.dependent))
        assert prove_equal(eom.input_matrix, robot.speed_map.W.T @ B)
        return
    B = eom.evaluate("input_matrix")
    driven = np.flatnonzero(B.sum(axis=1))  # not the base of a quadruped, nor passive joints
    assert len(driven) == len(eom.inputs)
    assert np.array_equal(B, np.eye(len(eom.v))[:, driven])


@EVERY
def test_loops_are_closed_at_home(name: str) -> None:
    robot = load(name)
    values = {symbol(n): float(x or 0) for n, x in robot.values.items()}
    values |= {symbol(n): float(x) for n, x in robot.home.q.items()}
    phi = [row.phi for row in robot.rows if row.phi is not None]
    assert (len(phi) > 0) == (name in LOOPS)
    assert max(map(abs, evaluate_floats(phi, values)), default=0) < 1e-15
