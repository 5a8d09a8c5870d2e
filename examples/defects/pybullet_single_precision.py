"""PyBullet 3.2: `getLinkState` returns the pose of a link frame as 32-bit floats.

The centre of mass in the same answer has 64 bits. Positions are off by up to 6e-8 of their size,
rotations by about 1e-7.

    python examples/defects/pybullet_single_precision.py
"""

from __future__ import annotations

from math import cos, sin
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pybullet as p

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
TEXT = f"""<robot name="arm"><link name="base"/>
<link name="a"><inertial><mass value="2"/>{INERTIA}</inertial></link>
<link name="b"><inertial><mass value="2"/>{INERTIA}</inertial></link>
<joint name="q" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="fix" type="fixed"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/></joint>
</robot>"""


def positions() -> tuple[np.ndarray, np.ndarray]:
    """Origin of link b, which is its centre of mass: (as link frame, as centre of mass)"""
    client = p.connect(p.DIRECT)
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "arm.urdf"
            path.write_text(TEXT)
            body = p.loadURDF(str(path), useFixedBase=True, physicsClientId=client)
        p.resetJointState(body, 0, 0.3, physicsClientId=client)
        state = p.getLinkState(body, 1, computeForwardKinematics=1, physicsClientId=client)
        return np.array(state[4]), np.array(state[0])
    finally:
        p.disconnect(client)


if __name__ == "__main__":
    expected = np.array([cos(0.3), sin(0.3), 0.0])
    for name, found in zip(("link frame", "centre of mass"), positions(), strict=True):
        print(f"{name}: off by {np.abs(found - expected).max():.1e} m")
