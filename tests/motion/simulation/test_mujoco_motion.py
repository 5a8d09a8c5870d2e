"""Trajectories against other programs' dynamics and integrators, on five robots each.

The error of the other program's run falls with its step at the order of its integrator, down to ours.
"""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from equamo import derive, load
from equamo.motion.simulation.simulate import simulate
from equamo.robot.model import Robot
from peer_mujoco import MuJoCo
from peer_urdf import Peer, file, states
from random_trees import random_state, random_tree

pytestmark = pytest.mark.needs("mujoco", "pinocchio")

MUJOCO_STEPS, PINOCCHIO_STEPS = (1 / 32, 1 / 64), (1 / 256, 1 / 512)
FOURTH = (12.0, 21.0)  # 2⁴ = 16, with room for the next order
TREES = {
    "arm": ["revolute", "revolute", "prismatic"],
    "crane": ["prismatic", "revolute", "universal", "revolute"],
    "ball": ["spherical quaternion", "revolute", "revolute"],
    "floating": ["free quaternion", "revolute", "revolute", "prismatic"],
    "planar": ["planar", "revolute", "cylindrical", "revolute"],
}


def falls(errors: list[float], low: float, high: float) -> None:
    assert low < errors[0] / errors[1] < high, errors


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", TREES)
def test_mujoco_runge_kutta(name: str) -> None:
    """MuJoCo's RK4 comes to our trajectory with the fourth power of its step."""
    tree = random_tree(
        7 + list(TREES).index(name), bodies=TREES[name], forces=False, free_at_root=True
    )
    robot = tree.robot()
    eom = derive(robot)
    state = random_state(robot, 5)
    q, v = ([state[x] for x in part] for part in (robot.q, robot.v))
    duration = 0.5
    motion = simulate(eom, q, v, duration=duration, rtol=1e-12)
    peer = MuJoCo(tree, robot)
    model, data = peer.model, peer.data
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    end = dict(zip((*robot.q, *robot.v), (*motion.q[-1], *motion.v[-1]), strict=True))
    y, u, *_ = peer.place(state | end)
    errors: list[float] = []
    for h in MUJOCO_STEPS:
        mujoco.mj_resetData(model, data)
        model.opt.timestep = h
        data.qpos[:], data.qvel[:] = peer.place(state)[:2]
        for _ in range(round(duration / h)):
            mujoco.mj_step(model, data)
        errors.append(max(_distance(model, data.qpos, y), float(np.abs(data.qvel - u).max())))
    assert errors[1] < 1e-3 * np.abs(u).max()
    falls(errors, *FOURTH)


def test_mujoco_euler_step_for_step() -> None:
    """MuJoCo's Euler is ours, speeds first: the same states but for rounding."""
    tree = random_tree(7, bodies=TREES["arm"], forces=False)
    robot = tree.robot()
    state = random_state(robot, 5)
    q, v = ([state[x] for x in part] for part in (robot.q, robot.v))
    h = 1 / 256
    motion = simulate(derive(robot), q, v, duration=0.5, method="semi_implicit_euler", step=h)
    peer = MuJoCo(tree, robot)
    model, data = peer.model, peer.data
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_EULER, h
    data.qpos[:], data.qvel[:] = peer.place(state)[:2]
    for k in range(1, len(motion)):
        mujoco.mj_step(model, data)
        np.testing.assert_allclose(motion.q[k], data.qpos, rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(motion.v[k], data.qvel, rtol=1e-9, atol=1e-10)


def _distance(model: mujoco.MjModel, a: np.ndarray, b: np.ndarray) -> float:
    """Of two configurations; a quaternion and its negative are one rotation."""
    difference = np.zeros(model.nv)
    mujoco.mj_differentiatePos(model, difference, 1.0, a, b)
    return float(np.abs(difference).max())


URDF = {
    "ur5_robot.urdf": False,
    "ur10_robot.urdf": False,
    "panda.urdf": False,
    "solo.urdf": True,
    "solo12.urdf": True,
}


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", URDF)
def test_pinocchio_articulated_bodies(name: str) -> None:
    """Pinocchio's ABA, integrated by the classical Runge-Kutta method, comes to our trajectory."""
    free, path = URDF[name], file(name)
    robot = load(str(path), base="free" if free else "fixed")
    eom = derive(robot)
    q, v = (x[0] for x in states(robot, 1, seed=3))
    q, v = q / 3 if not free else q, v / 3
    duration = 0.25
    motion = simulate(eom, q, v, duration=duration, rtol=1e-12, atol=1e-13)
    rates = _rates(robot, Peer(path, free))
    errors = []
    for h in PINOCCHIO_STEPS:
        x = np.concatenate([q, v])
        for _ in range(round(duration / h)):
            k1 = rates(x)
            k2 = rates(x + h / 2 * k1)
            k3 = rates(x + h / 2 * k2)
            k4 = rates(x + h * k3)
            x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        ours = np.concatenate([motion.q[-1], motion.v[-1]])
        errors.append(float(np.abs(x - ours).max()))
    assert errors[1] < 1e-4 * np.abs(motion.v[-1]).max()
    falls(errors, *FOURTH)


def _rates(robot: Robot, peer: Peer) -> Callable[[np.ndarray], np.ndarray]:
    """(q̇, v̇) in our coordinates by Pinocchio; damping, which its ABA leaves out, by its model."""
    order, n = peer.order(robot), len(robot.q)
    damping = np.array(peer.model.damping)

    def rates(x: np.ndarray) -> np.ndarray:
        q, v = x[:n].copy(), x[n:]
        q_dot = v.copy()
        if robot.unit_groups:
            w, r = q[3], q[4:7]
            R = pin.Quaternion(*(q[3:7] / np.linalg.norm(q[3:7]))).matrix()
            turn = np.concatenate([[-r @ v[3:6]], w * v[3:6] + np.cross(r, v[3:6])]) / 2
            q_dot = np.concatenate([R @ v[:3], turn, v[6:]])
            q[3:7] /= np.linalg.norm(q[3:7])
        u = np.zeros(peer.model.nv)
        u[order] = v
        a = pin.aba(peer.model, peer.data, peer.arrange(robot, q), u, -damping * u)
        return np.concatenate([q_dot, np.array(a)[order]])

    return rates
