"""Loops of MJCF files: MuJoCo's accelerations tend to ours as its constraints become stiff.

MuJoCo satisfies equality constraints softly: with the impedance d the error is of the order 1 − d, and d
is at most 0.9999. It leaves out the term Ȧ v, so the states are at rest. Ours are also tested with the
matrices that MuJoCo computes: J v̇ = 0, and M v̇ + bias − τ = Jᵀ f for some f.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import equamo as eq
from loops_examples import closed_states

pytestmark = pytest.mark.needs("mujoco")

IMPEDANCES = (0.9, 0.99, 0.999, 0.9999)
BAR = '<geom type="capsule" size="0.02" fromto="0 0 0 {} 0 0" mass="{}"/>'
FOUR_BAR = f"""<body name="crank"><joint name="q1" axis="0 1 0"/>{BAR.format(0.2, 0.4)}
  <body name="coupler" pos="0.2 0 0"><joint name="q2" axis="0 1 0"/>{BAR.format(0.5, 0.6)}</body></body>
<body name="rocker" pos="0.4 0 0"><joint name="q3" axis="0 1 0"/>{BAR.format(0.45, 0.5)}</body>"""
BOX = '<geom type="box" size="0.1 0.08 0.09" pos="{} 0.01 0" mass="{}"/>'
HUNG = f"""<body name="plate" pos="0.1 0 -0.5"><freejoint name="base"/>{BOX.format(0.2, 2)}</body>
<body name="rod" euler="0 1.2 0"><joint name="swing" type="ball"/>{BOX.format(0.2, 0.3)}</body>
<body name="arm" pos="0.6 0 0" euler="0 1.8 0.2"><joint name="turn" axis="0 1 0"/>{BOX.format(0.2, 0.4)}
  <body name="hand" pos="0.5 0 0"><joint name="bend" type="ball"/>{BOX.format(0.1, 0.2)}</body></body>"""
CONNECT = '<connect body1="rod" body2="plate" anchor="0.45 0 0"/>'
FILES = {
    "four_bar": (FOUR_BAR, '<connect body1="coupler" body2="rocker" anchor="0.31 0 0.2"/>'),
    "hung": (HUNG, CONNECT),
    "welded": (HUNG, CONNECT + '<weld body1="hand" body2="plate"/>'),
}


@pytest.mark.parametrize("name", FILES)
def test_mujoco_converges_to_ours(name: str, tmp_path: Path) -> None:
    bodies, equality = FILES[name]
    path = tmp_path / f"{name}.xml"
    path.write_text(
        '<mujoco><option timestep="1e-5" tolerance="0" iterations="200"><flag contact="disable"/>'
        f"</option><worldbody>{bodies}</worldbody><equality>{equality}</equality></mujoco>",
        encoding="utf-8",
    )
    robot = eq.load(path)
    fast = eq.compile(eq.derive(robot))
    model = mujoco.MjModel.from_xml_path(str(path))
    model.eq_solref[:] = (1e-3, 1)
    random = np.random.default_rng(1)
    for q, _ in closed_states(robot, 3, seed=1, spread=0.05):
        tau = random.uniform(-1, 1, model.nv)
        ours = fast.forward_dynamics(q, np.zeros(model.nv), tau)
        found = [accelerations(model, q, tau, d) for d in IMPEDANCES]
        errors = [float(abs(a - ours).max() / abs(ours).max()) for a, _ in found]
        if "weld" not in equality:  # its rotation stays soft for any d
            assert all(b < a / 5 for a, b in pairwise(errors)), errors
            limit = (
                10 * found[-1][0] - found[-2][0]
            ) / 9  # without the term of first order in 1 − d
            assert abs(limit - ours).max() / abs(ours).max() < 1e-4
        J, missing = found[-1][1](ours)
        assert max(abs(J @ ours).max(), missing) < 1e-10


def accelerations(model: Any, q: np.ndarray, tau: np.ndarray, d: float) -> tuple[np.ndarray, Any]:
    """MuJoCo's at rest, in our axes (its free joint has world axes), and a test of other ones."""
    data = mujoco.MjData(model)
    model.eq_solimp[:, :2] = d
    data.qpos[:] = q
    T = np.eye(model.nv)
    for j in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE):
        R, k, at = np.zeros(9), model.jnt_dofadr[j], model.jnt_qposadr[j]
        mujoco.mju_quat2Mat(R, q[at + 3 : at + 7])
        T[k : k + 3, k : k + 3] = R.reshape(3, 3)
    data.qfrc_applied[:] = T @ tau
    mujoco.mj_forward(model, data)

    def remainder(a: np.ndarray) -> tuple[np.ndarray, float]:
        """(J, largest part of M v̇ + bias − τ that no constraint force gives)"""
        J = np.array(data.efc_J).reshape(data.nefc, model.nv)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        rest = M @ T @ a + data.qfrc_bias - T @ tau
        force, *_ = np.linalg.lstsq(J.T, rest, rcond=1e-10)
        return J @ T, float(abs(J.T @ force - rest).max())

    return T.T @ data.qacc, remainder
