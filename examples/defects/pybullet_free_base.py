"""PyBullet 3.2: `calculateMassMatrix` of a robot with a free base lacks the mass of the base.

A base of 3 kg carries a link of 2 kg on a hinge. The first diagonal entry of the mass matrix (`flags=1`)
is the total mass, which is 5 kg; PyBullet says 2 kg. The size is 8 × 8 for 7 speeds, because the
quaternion is counted among them.

    python examples/defects/pybullet_free_base.py
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pybullet as p

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
TEXT = f"""<robot name="two"><link name="base"><inertial><mass value="3"/>{INERTIA}</inertial></link>
<link name="arm"><inertial><mass value="2"/>{INERTIA}</inertial></link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
</robot>"""


def mass_matrix() -> np.ndarray:
    client = p.connect(p.DIRECT)
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "two.urdf"
            path.write_text(TEXT)
            body = p.loadURDF(str(path), flags=p.URDF_USE_INERTIA_FROM_FILE, physicsClientId=client)
        q = [0, 0, 0, 0, 0, 0, 1, 0]  # position, quaternion (x, y, z, w), hinge
        return np.array(p.calculateMassMatrix(body, q, flags=1, physicsClientId=client))
    finally:
        p.disconnect(client)


if __name__ == "__main__":
    M = mass_matrix()
    print(f"mass matrix of shape {M.shape}; total mass along x: {M[0, 0]:g} kg, expected 5 kg")
