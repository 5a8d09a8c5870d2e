"""Robots with 60 joints, as one chain and with branches, compiled and compared with Pinocchio."""

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from conftest import WHOLE_SWEEPS
from equamo.code.jit.compiled import Compiled, compile
from equamo.mechanics.equations import derive
from equamo.robot.catalog import load
from peer_urdf import Peer, states

pytestmark = [pytest.mark.ci, pytest.mark.needs("pinocchio")]

JOINTS, COUNT = 60, 10
LIMIT = 1e-12


def urdf(name: str, branches: int, aligned: bool, seed: int = 4) -> str:
    """Every fifth joint slides. Joints at quarter turns, as most robots have them, or at any angle."""
    rng = np.random.default_rng(seed)
    parts = [f'<robot name="{name}"><link name="b0"/>']
    for i in range(1, JOINTS + 1):
        parent = 0 if (i - 1) % (JOINTS // branches) == 0 else i - 1
        at, axis = rng.uniform(-0.3, 0.3, 3), rng.normal(size=3)
        rpy = rng.integers(-1, 3, 3) * np.pi / 2 if aligned else rng.uniform(-2, 2, 3)
        axis = np.eye(3)[i % 3] if aligned else axis / np.linalg.norm(axis)
        com, mass = rng.uniform(-0.1, 0.1, 3), rng.uniform(0.5, 2)
        (xx, yy, zz), (xy, xz, yz) = rng.uniform(0.02, 0.03, 3), rng.uniform(-2e-3, 2e-3, 3)
        parts.append(f"""
<link name="b{i}"><inertial><origin xyz="{text(com)}"/><mass value="{mass:.3f}"/>
<inertia ixx="{xx:.5f}" ixy="{xy:.5f}" ixz="{xz:.5f}" iyy="{yy:.5f}" iyz="{yz:.5f}" izz="{zz:.5f}"/>
</inertial></link>
<joint name="j{i}" type="{"prismatic" if i % 5 == 0 else "revolute"}">
<parent link="b{parent}"/><child link="b{i}"/>
<origin xyz="{text(at)}" rpy="{text(rpy, 15)}"/><axis xyz="{text(axis)}"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>""")
    return "".join([*parts, "</robot>"])


def text(numbers: np.ndarray, digits: int = 4) -> str:
    return " ".join(f"{x:.{digits}f}" for x in numbers)


def robot(folder: Path, name: str, branches: int, aligned: bool) -> tuple[Compiled, Peer]:
    path = folder / f"{name}.urdf"
    path.write_text(urdf(name, branches, aligned))
    eom = derive(load(path))
    assert len(eom.v) == JOINTS
    peer = Peer(path)
    assert peer.order(eom.robot) == list(range(JOINTS))  # so that no state has to be arranged
    return compile(eom, cache=False), peer


def check_inverse_dynamics(fast: Compiled, peer: Peer) -> None:
    q, v = states(fast.eom.robot, COUNT)
    a = v[::-1].copy()
    tau = fast.function("inverse_dynamics")(q, v, a)
    for k in range(COUNT):
        theirs = np.array(pin.rnea(peer.model, peer.data, q[k], v[k], a[k]))
        assert abs(tau[k] - theirs).max() < LIMIT * abs(theirs).max()


def check_mass_matrix_and_forward_dynamics(fast: Compiled, peer: Peer) -> None:
    q, v = states(fast.eom.robot, COUNT)
    tau = 10 * v[:, ::-1].copy()
    M = fast.function("mass_matrix")(q)
    vdot = fast.function("forward_dynamics")(q, v, tau)
    for k in range(COUNT):
        H = np.triu(pin.crba(peer.model, peer.data, q[k]))
        H = H + np.triu(H, 1).T
        assert abs(M[k] - H).max() < LIMIT * abs(H).max()
        needed = np.array(pin.rnea(peer.model, peer.data, q[k], v[k], vdot[k]))
        rest = np.array(pin.nonLinearEffects(peer.model, peer.data, q[k], v[k]))
        largest = max(abs(H * vdot[k]).max(), abs(rest).max(), abs(tau[k]).max())
        assert abs(needed - tau[k]).max() < LIMIT * largest


def test_60_joints_with_branches(tmp_path: Path) -> None:
    fast, peer = robot(tmp_path, "branches", 4, aligned=not WHOLE_SWEEPS)
    check_inverse_dynamics(fast, peer)
    check_mass_matrix_and_forward_dynamics(fast, peer)


def test_60_joints_in_one_chain_at_any_angle(tmp_path: Path) -> None:
    """Exact numbers that are carried from joint to joint must not grow without end."""
    fast, peer = robot(tmp_path, "chain", 1, aligned=False)
    check_inverse_dynamics(fast, peer)
    if WHOLE_SWEEPS:
        check_mass_matrix_and_forward_dynamics(fast, peer)
