"""All URDF files of example-robot-data: our numbers are Pinocchio's, with a fixed and a free base."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import symbol
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.errors import FileFormatError
from equamo.mechanics.certificate import prove
from equamo.mechanics.equations import derive
from equamo.robot.catalog import load
from peer_urdf import FOLDER, Peer, compare, file, files, relative, states

pytestmark = pytest.mark.needs("pinocchio")

TOLERANCE = 1e-10
REFUSED = {"falcon.urdf": r"falcon\.urdf:180: Unknown child link 'Z_propeller'",
           "ur3.urdf": r"ur3\.urdf:6: <robot> must have an attribute 'name'"}  # fmt: skip
READ = [p for p in files() if p.name not in REFUSED]
SAMPLE = (
    "panda.urdf", "ur5_robot.urdf", "double_pendulum_continuous.urdf", "solo12.urdf",
    "anymal_b_simple_description/robots/anymal.urdf", "talos_left_arm.urdf", "so101.urdf", "human.urdf",
)  # fmt: skip
SOME = READ if WHOLE_SWEEPS else [file(n) for n in SAMPLE]
COUNT = 100 if WHOLE_SWEEPS else 5
SMALL = READ if WHOLE_SWEEPS else [file(n) for n in ("ur5_robot.urdf", "panda.urdf", "solo.urdf")]


def name(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


@pytest.mark.parametrize("end", REFUSED)
def test_refused_by_both(end: str) -> None:
    path = file(f"/{end}")
    with pytest.raises(FileFormatError, match=REFUSED[end]):
        load(path)
    with pytest.raises(ValueError, match="model"):
        Peer(path)


def test_all_others_are_read() -> None:
    """And every link has a frame."""
    for path in READ if WHOLE_SWEEPS else READ[::3]:
        links = {e.get("name") for e in ET.parse(path).getroot().findall("link")}
        assert {b.name for b in load(path).bodies} == links - {"world"}


@pytest.mark.sweep(9)
@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("path", SOME, ids=name)
def test_dynamics_and_frames(path: Path, base: str) -> None:
    """As written in every single state; with near quarter turns taken as such over all states."""
    peer = Peer(path, free=base == "free")
    found = compare(derive(load(path, base=base, snap=0)), peer, COUNT).worst_state()
    assert max(found.values(), default=0.0) < TOLERANCE, found
    found = compare(derive(load(path, base=base)), peer, COUNT).worst()
    assert max(found.values(), default=0.0) < TOLERANCE, found


MIMICS = ["panda.urdf", "baxter.urdf", "pr2.urdf", "tiago_pro.urdf", "talos_reduced.urdf"]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("end", MIMICS if WHOLE_SWEEPS else MIMICS[:2])
def test_mimic_follows(end: str, base: str) -> None:
    path = file(f"/{end}")
    eom = derive(load(path, base=base, mimic="follow", snap=0))
    found = compare(eom, Peer(path, free=base == "free", mimic=True), COUNT).worst_state()
    assert max(found.values()) < TOLERANCE, found


@pytest.mark.sweep(1)
@pytest.mark.parametrize("end", ["panda.urdf", "talos_full_v2.urdf", "romeo.urdf"])
def test_mimic_is_a_projection(end: str) -> None:
    """Also where a leader comes later in the tree, which Pinocchio refuses: WᵀMW and Wᵀ(M Ẇv + h)."""
    path = file(f"/{end}")
    eom = derive(load(path, mimic="follow", snap=0))
    robot, tree, peer = eom.robot, load(path, snap=0), Peer(path)
    assert robot.speed_map is not None
    W = np.array([[float(e) for e in row] for row in robot.speed_map.W.rows])  # constant: Ẇ = 0
    order = peer.order(tree)
    q, v = (x[0] for x in states(robot, 1))
    value = dict(zip(robot.q, q, strict=True))
    follow = {symbol(n): evaluate_floats([e], value)[0] for n, e in robot.speed_map.dependent}
    full = peer.arrange(tree, np.array([(value | follow)[x] for x in tree.q]))
    speeds = np.zeros(peer.model.nv)
    speeds[order] = W @ v
    H = np.triu(pin.crba(peer.model, peer.data, full))
    H = (H + np.triu(H, 1).T)[np.ix_(order, order)]
    h = np.array(pin.nonLinearEffects(peer.model, peer.data, full, speeds))[order]
    assert relative(eom.evaluate("mass_matrix", q=q), W.T @ H @ W) < TOLERANCE
    assert relative(eom.evaluate(eom.bias + eom.gravity, q=q, v=v), W.T @ h) < TOLERANCE


@pytest.mark.parametrize("path", SOME if WHOLE_SWEEPS else SOME[:3], ids=name)
def test_symbolic_parameters_have_the_values_of_the_file(path: Path) -> None:
    """With the default values the symbolic robot is the numeric one."""
    numeric, symbolic = (derive(load(path, parameters=p)) for p in ("numeric", "symbolic"))
    q, v = states(numeric.robot, 3)
    for quantity in ("mass_matrix", "gravity"):
        a, b = (eom.evaluate(quantity, q=q) for eom in (numeric, symbolic))
        assert relative(b, a) < 1e-12
    assert relative(symbolic.evaluate("bias", q=q, v=v), numeric.evaluate("bias", q=q, v=v)) < 1e-12


@pytest.mark.sweep(1)
@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("path", SMALL, ids=name)
def test_five_formulations_are_proved(path: Path, base: str) -> None:
    certificate = prove(load(path, base=base), seed=1)
    assert certificate.ok, certificate


def test_euler_base_moves_like_the_quaternion_base() -> None:
    """The same pose and motion: the same kinetic energy."""
    path = file("/double_pendulum.urdf")
    euler, quaternion = (
        derive(load(path, base="free", rotation=r)) for r in ("euler", "quaternion")
    )
    q, v = (x[0] for x in states(euler.robot, 1))
    frame = euler.frame(euler.robot.bodies[0].name)
    A = euler.evaluate(frame.rotation(), q=q)
    w, velocity = np.split(euler.evaluate(frame.velocity(), q=q, v=v), 2)
    x, y, z, s = pin.Quaternion(A).coeffs()
    q2 = np.concatenate([q[:3], [s, x, y, z], q[6:]])
    v2 = np.concatenate([A.T @ velocity, A.T @ w, v[6:]])
    T = quaternion.evaluate("kinetic_energy", q=q2, v=v2)
    assert euler.evaluate("kinetic_energy", q=q, v=v) == pytest.approx(T, rel=1e-12)
