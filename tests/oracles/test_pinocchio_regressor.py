"""Regressors and base parameters of URDF files against Pinocchio's joint torque regressor."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.robot.model.edits import copy_with
from equamo.robot.model.inertia import NAMES
from peer_urdf import Peer, file, files, states

pytestmark = pytest.mark.needs("pinocchio")

REFUSED = ("falcon.urdf", "ur3.urdf")
READ = [p for p in files() if p.name not in REFUSED]
SAMPLE = ("panda", "solo12", "kinova", "double_pendulum")
PATHS = READ if WHOLE_SWEEPS else [file(f"/{n}.urdf") for n in SAMPLE]
TOLERANCE = 1e-10
GAP = 1e3  # between singular values, where the numerical rank is meant
# Pinocchio's order of the ten parameters, in ours.
THEIRS = ("m", "MX", "MY", "MZ", "XX", "XY", "YY", "XZ", "YZ", "ZZ")
# Nearly dependent: with a fixed base the first axis is 10⁻¹³ to 10⁻⁹ off gravity, so that the first
# moments of its link are seen, but less than the gap before them is wide. Exactly, they count.
NEARLY = {
    "anymal-kinova": ["MX_j2s6s200_link_1", "MY_j2s6s200_link_1"],
    "kinova": ["MX_j2s6s200_link_1", "MY_j2s6s200_link_1"],
    "bravo7_gripper": ["MX_link2", "MY_link2"],
    "bravo7_no_ee": ["MX_link2", "MY_link2"],
    "falcon_bravo7_gripper": ["MX_link2", "MY_link2"],
    "falcon_bravo7_no_ee": ["MX_link2", "MY_link2"],
}


@cache
def equations(path: Path, free: bool) -> tuple[eq.EquationsOfMotion, Peer]:
    """The tree without drives (Pinocchio's regressor has none), and Pinocchio's model."""
    robot = copy_with(eq.load(path, base="free" if free else "fixed", snap=0).tree, forces=[])
    return eq.derive(robot), Peer(path, free=free)


def their_columns(eom: eq.EquationsOfMotion, peer: Peer) -> list[tuple[str, int]]:
    """(our column, position of Pinocchio's) for the bodies that move."""
    found: list[tuple[str, int]] = []
    for b in eom.robot.bodies:
        if b.joint.speeds:
            start = 10 * (peer.joint(b.joint) - 1)
            found += [(f"{n}_{b.name}", start + THEIRS.index(n)) for n in NAMES]
    return found


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_regressor(path: Path, free: bool) -> None:
    """Columns of bodies that move are Pinocchio's if no other body is fixed to them."""
    eom, peer = equations(path, free)
    if not eom.v:
        return
    robot, Y = eom.robot, eom.regressor
    count = 100 if WHOLE_SWEEPS else 5
    q, v = states(robot, count)
    vdot = np.random.default_rng(2).uniform(-3, 3, v.shape)
    ours = eom.evaluate(Y.matrix, q=q, v=v, vdot=vdot)
    order, pairs = peer.order(robot), their_columns(eom, peer)
    position = {n: k for k, n in enumerate(Y.names)}
    mine, theirs = [position[n] for n, _ in pairs], [k for _, k in pairs]
    for k in range(count):
        their_v, their_a = np.zeros((2, peer.model.nv))
        their_v[order], their_a[order] = v[k], vdot[k]
        their_q = peer.arrange(robot, q[k])
        found = pin.computeJointTorqueRegressor(peer.model, peer.data, their_q, their_v, their_a)
        wanted = found[np.ix_(order, theirs)]
        scale = max(1.0, np.abs(wanted).max())
        assert np.abs(ours[k][:, mine] - wanted).max() <= TOLERANCE * scale


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_base_parameters(path: Path, free: bool) -> None:
    """Their number is the rank of stacked regressors of Pinocchio, where a gap shows it."""
    eom, peer = equations(path, free)
    if not eom.v:
        return
    base = eom.base_parameters
    assert base.is_minimal
    values = singular_values(peer)
    gaps = values[:-1] / values[1:]
    rank = int(np.argmax(gaps)) + 1
    assert gaps[rank - 1] > GAP
    assert weakest(eom, base, base.count - rank) == ([] if free else NEARLY.get(path.stem, []))


def weakest(eom: eq.EquationsOfMotion, base: eq.BaseParameters, count: int) -> list[str]:
    """Base parameters with the smallest columns."""
    assert count >= 0
    q, v = states(eom.robot, 10)
    columns = eom.evaluate(base.matrix, q=q, v=v, vdot=v[::-1])
    size = np.abs(columns).max(axis=(0, 1))
    return sorted(base.names[k] for k in np.argsort(size)[:count])


def singular_values(peer: Peer) -> np.ndarray:
    """Of regressors at random states, relative to the largest, and one below the noise."""
    rng, model = np.random.default_rng(1), peer.model
    columns = 10 * (model.njoints - 1)
    rows: list[np.ndarray] = []
    for _ in range(max(20, 3 * columns // model.nv)):
        q = pin.integrate(model, pin.neutral(model), rng.uniform(-2, 2, model.nv))
        v, a = rng.uniform(-2, 2, (2, model.nv))
        rows.append(np.array(pin.computeJointTorqueRegressor(model, peer.data, q, v, a)))
    s = np.linalg.svd(np.vstack(rows), compute_uv=False)
    noise = np.finfo(float).eps * s[0]
    return np.append(np.maximum(s, noise), noise) / s[0]
