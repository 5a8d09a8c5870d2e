"""Random trees in MuJoCo."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from equamo.algebra.expr import Expr
from equamo.review.referee.placed import mixed_speeds
from equamo.robot.model import Robot
from peers import Dynamics, chain, chart, joint_state, quaternion_of, rotation_of, three
from random_trees import Link, Tree


class MuJoCo:
    """A tree as MJCF; the joints of a chain are joints of one body.

    Its free joint moves the body in the world, from no placement: the position is that of the body in
    the world, the linear velocity is in world axes, the angular velocity in the body's. A screw is a
    hinge and a slide that move together.
    """

    def __init__(self, tree: Tree, robot: Robot) -> None:
        self.tree, self.robot = tree, robot
        children: dict[str, list[Link]] = {}
        for link in tree.links:
            children.setdefault(link.parent, []).append(link)
        text = f"""<mujoco><compiler angle="radian" inertiafromgeom="false" autolimits="false"/>
            <option gravity="{_text(three(tree.gravity))}"/>
            <worldbody>{_bodies("world", children)}</worldbody></mujoco>"""
        self.model = mujoco.MjModel.from_xml_string(text)
        self.data = mujoco.MjData(self.model)

    def place(self, state: dict[Expr, float]) -> tuple[np.ndarray, ...]:
        """(configuration, u, u̇, T, Ṫ v) of MuJoCo at one of our states."""
        model = self.model
        y, T = np.zeros(model.nq), np.zeros((model.nv, len(self.robot.v)))
        T_dot_v = np.zeros(model.nv)
        column = 0
        for link in self.tree.links:
            q, v, _ = joint_state(self.robot, link, state)
            here = chart(link, q, v)
            block, rate, values = here.T, here.T_dot_v, here.y
            if link.kind == "helical":
                pitch = float(link.pitch)
                values, block = np.array([q[0], pitch * q[0]]), np.array([[1], [pitch]])
                rate = np.zeros(2)
            if link.kind == "free quaternion":
                R0, R = link.placement(), rotation_of(*q[3:])
                position = np.array(three(link.at)) + R0 @ q[:3]
                values = np.concatenate([position, quaternion_of(R0 @ R)])
                speeds = mixed_speeds(R0 @ R, v)
                block, rate = speeds.X, speeds.X_dot_nu
            k, m = block.shape
            if k:
                first = model.joint(f"{link.name}.0")
                row, start = int(first.dofadr[0]), int(first.qposadr[0])
                y[start : start + len(values)] = values
                T[row : row + k, column : column + m] = block
                T_dot_v[row : row + k] = rate
            column += m
        v = np.array([state[x] for x in self.robot.v])
        vdot = np.array([state[x] for x in self.robot.vdot])
        return y, T @ v, T @ vdot + T_dot_v, T, T_dot_v

    def dynamics(self, state: dict[Expr, float]) -> Dynamics:
        model, data = self.model, self.data
        q, u, u_dot, T, T_dot_v = self.place(state)
        data.qpos[:], data.qvel[:] = q, u
        mujoco.mj_forward(model, data)
        M, tau = np.zeros((model.nv, model.nv)), np.zeros(model.nv)
        mujoco.mj_fullM(model, data, M)
        both = np.array(data.qfrc_bias)
        data.qacc[:] = u_dot
        mujoco.mj_rne(model, data, 1, tau)
        data.qvel[:] = 0
        mujoco.mj_forward(model, data)
        gravity = np.array(data.qfrc_bias)
        bias = both - gravity
        return Dynamics(T.T @ M @ T, T.T @ (bias + M @ T_dot_v), T.T @ gravity, T.T @ tau)


def _text(numbers: Sequence[float]) -> str:
    return " ".join(repr(float(x)) for x in numbers)


def _bodies(parent: str, children: dict[str, list[Link]]) -> str:
    return "".join(_body(link, children) for link in children.get(parent, []))


def _body(link: Link, children: dict[str, list[Link]]) -> str:
    turned, joints = chain(link)
    if link.kind == "helical":
        _, axis, _ = joints[0]
        joints = [("revolute", axis), ("prismatic", axis)]
    shifts = [np.array(j[1]) if j[0] == "shift" else np.zeros(3) for j in joints]
    origin = np.array(three(link.at)) + turned @ sum(shifts, np.zeros(3))
    text, names = "", 0
    for k, (kind, *rest) in enumerate(joints):
        if kind == "shift":
            continue
        # A joint turns about the point where the body's origin would be without the later shifts.
        anchor = -sum(shifts[k:], np.zeros(3))
        name = f'name="{link.name}.{names}"'
        names += 1
        if kind == "free":
            text += f"<freejoint {name}/>"
        elif kind == "ball":
            text += f'<joint {name} type="ball" pos="{_text(anchor)}"/>'
        else:
            sort = "hinge" if kind == "revolute" else "slide"
            text += f'<joint {name} type="{sort}" axis="{_text(rest[0])}" pos="{_text(anchor)}"/>'
    # Principal moments and axes: exact to rounding, where MuJoCo's own search for them stops early.
    moments, axes = np.linalg.eigh(np.array(link.tensor, float))
    axes = axes * np.linalg.det(axes)
    return (
        f'<body name="{link.name}" pos="{_text(origin)}" quat="{_text(quaternion_of(turned))}">{text}'
        f'<inertial mass="{float(link.mass)!r}" pos="{_text(three(link.com))}" '
        f'quat="{_text(quaternion_of(axes))}" diaginertia="{_text(moments)}"/>'
        f"{_bodies(link.name, children)}</body>"
    )
