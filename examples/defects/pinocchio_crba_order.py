"""Pinocchio 4.1: `crba` is silently wrong if the joints of a subtree are not added one after the other.

Joints a and b are attached to the world, c to a. If they are added in the order a, b, c, the mass matrix
has 0 where a and c are coupled; in the order a, c, b it is right. Inverse dynamics (`rnea`) is right in
both cases, and gives the columns of the mass matrix to compare with. A URDF file is read depth first, so
only models built in code are affected.

    python examples/defects/pinocchio_crba_order.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

PARENTS = {"a": "world", "b": "world", "c": "a"}


def model(order: str) -> Any:
    built, index = pin.Model(), {"world": 0}
    for name in order:
        place = pin.SE3(np.eye(3), np.array([0.1, 0.0, 0.3]))
        joint = built.addJoint(index[PARENTS[name]], pin.JointModelRY(), place, name)
        inertia = pin.Inertia(1.0, np.array([0.0, 0.0, 0.2]), 0.1 * np.eye(3))
        built.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
        index[name] = joint
    return built


def error(order: str) -> float:
    """Largest difference between `crba` and the columns of `rnea`."""
    built, q, rest = model(order), np.array([0.1, 0.2, 0.3]), np.zeros(3)
    data = built.createData()
    upper = np.triu(pin.crba(built, data, q))
    M = upper + np.triu(upper, 1).T
    gravity = pin.rnea(built, data, q, rest, rest).copy()
    columns = [pin.rnea(built, data, q, rest, e) - gravity for e in np.eye(3)]
    return float(np.abs(M - np.array(columns).T).max())


if __name__ == "__main__":
    for order in ("acb", "abc"):
        print(f"joints added as {', '.join(order)}: crba and rnea differ by {error(order):.1e}")
