"""MuJoCo in C: the tree as MJCF, and the library of its wheel called from a loop in C."""

from __future__ import annotations

import ctypes
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from .build import HERE, library
from .models import SLIDING, States, Tree

FUNCTIONS = ("inverse_dynamics", "mass_matrix", "forward_dynamics")


def _text(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(numbers))


def mjcf(tree: Tree) -> str:
    """The tree as MJCF, without contacts."""

    def body(i: int) -> str:
        quaternion = np.zeros(4)
        mujoco.mju_mat2Quat(quaternion, tree.rotations[i].ravel())
        J, kind = tree.tensors[i], tree.kinds[i]
        if kind == "FreeFlyer":
            joint = f'<freejoint name="{tree.names[i]}"/>'
        else:
            type = "slide" if kind in SLIDING else "hinge"
            joint = f'<joint name="{tree.names[i]}" type="{type}" axis="{_text(tree.axes[i])}"/>'
        tensor = _text([J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]])
        inside = "".join(body(k) for k in range(len(tree.kinds)) if tree.parents[k] == i)
        return f"""<body pos="{_text(tree.positions[i])}" quat="{_text(quaternion)}">
            <inertial pos="{_text(tree.centers[i])}" mass="{_text(tree.masses[i])}"
            fullinertia="{tensor}"/>
            {joint}{inside}</body>"""

    roots = "".join(body(k) for k in range(len(tree.kinds)) if tree.parents[k] < 0)
    return f"""<mujoco><compiler angle="radian" autolimits="false" balanceinertia="true"/>
        <option gravity="{_text(tree.gravity)}"><flag contact="disable" constraint="disable"/></option>
        <worldbody>{roots}</worldbody></mujoco>"""


def order(tree: Tree) -> list[int]:
    """Joints in the order of MuJoCo: depth first."""
    found: list[int] = []

    def visit(parent: int) -> None:
        for k in range(len(tree.kinds)):
            if tree.parents[k] == parent:
                found.append(k)
                visit(k)

    visit(-1)
    return found


def arrange(states: States) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """q, v, v̇ and τ as MuJoCo has them: the linear velocity of a free base is in the world's axes."""
    tree, q = states.tree, states.q
    v, vdot, tau = (x.copy() for x in (states.v, states.vdot, states.tau))
    for kind, i, k in zip(tree.kinds, tree.first_q, tree.first_v, strict=False):
        if kind == "FreeFlyer":
            spin = np.cross(states.v[:, k + 3 : k + 6], states.v[:, k : k + 3])
            for row in range(states.count):
                R = rotation(q[row, i + 3 : i + 7])
                v[row, k : k + 3] = R @ states.v[row, k : k + 3]
                vdot[row, k : k + 3] = R @ (states.vdot[row, k : k + 3] + spin[row])
                tau[row, k : k + 3] = R @ states.tau[row, k : k + 3]
    at_q = [c for j in order(tree) for c in range(tree.first_q[j], tree.first_q[j + 1])]
    at_v = [c for j in order(tree) for c in range(tree.first_v[j], tree.first_v[j + 1])]
    ours = (q[:, at_q], v[:, at_v], vdot[:, at_v], tau[:, at_v])
    return tuple(np.ascontiguousarray(x) for x in ours)  # pyright: ignore


def rotation(quaternion: np.ndarray) -> np.ndarray:
    """Rotation matrix of a unit quaternion (w, x, y, z)."""
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, quaternion)
    return R.reshape(3, 3)


@cache
def _library() -> ctypes.CDLL:
    folder = Path(mujoco.__file__).parent
    (engine,) = sorted(folder.glob("libmujoco.so*")) or sorted(folder.glob("libmujoco*.dylib"))
    after = (str(engine), f"-Wl,-rpath,{folder}")
    made = library(HERE / "mujoco.c", "mujoco", flags=(f"-I{folder / 'include'}",), after=after,
                   versions=(mujoco.__version__,))  # fmt: skip
    made.robot_new.restype = ctypes.c_void_p
    made.robot_time.restype = ctypes.c_double
    return made


class MujocoCalls:
    """One robot with its mjData, and random states in MuJoCo's convention."""

    name = "MuJoCo C"

    def __init__(self, tree: Tree, states: States) -> None:
        self.library, self.tree = _library(), tree
        self.q, self.v, self.vdot, self.tau = arrange(states)
        data, sizes, error = (
            ctypes.c_void_p(),
            (ctypes.c_int * 2)(),
            ctypes.create_string_buffer(500),
        )
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(mjcf(tree))
            file.flush()
            path = file.name.encode()
            model = self.library.robot_new(path, ctypes.byref(data), sizes, error, len(error))
        assert model, error.value.decode()
        assert tuple(sizes) == (tree.nq, tree.nv)
        self.model, self.data = ctypes.c_void_p(model), data

    def time(self, function: str, passes: int) -> float:
        """Seconds for one call."""
        n, count = self.tree.nv, len(self.q)
        self.result = np.zeros((n, n) if function == "mass_matrix" else n)
        x = self.tau if function == "forward_dynamics" else self.vdot
        q, v, x, result = (
            a.ctypes.data_as(ctypes.c_void_p) for a in (self.q, self.v, x, self.result)
        )
        clock = self.library.robot_time(
            self.model, self.data, FUNCTIONS.index(function), q, v, x,
            ctypes.c_long(count), ctypes.c_long(passes), result,
        )  # fmt: skip
        return clock / (passes * count)

    def __del__(self) -> None:
        if hasattr(self, "data"):
            self.library.robot_delete(self.model, self.data)
