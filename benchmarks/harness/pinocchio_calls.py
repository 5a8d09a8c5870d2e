"""Pinocchio in C++, header only, compiled as ours is: rnea, crba, aba and derivatives."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from .build import HERE, NotBuiltError, library
from .models import KINDS, States, Tree

EIGEN = (Path("/usr/include/eigen3"), Path("/usr/local/include/eigen3"))
DEFINES = ("-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
           "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12")  # fmt: skip
ALGORITHMS = {  # of ours: theirs; of two conventions the faster one counts
    "inverse_dynamics": {"rnea": 0},
    "mass_matrix": {"crba local": 1, "crba world": 2},
    "forward_dynamics": {"aba local": 3, "aba world": 4},
}
DERIVATIVES = {
    "inverse_dynamics_derivatives": {"computeRNEADerivatives": 5},
    "forward_dynamics_derivatives": {"computeABADerivatives": 6},
}


def eigen() -> Path:
    """The folder of Eigen's headers."""
    for folder in EIGEN:
        if (folder / "Eigen" / "Core").exists():
            return folder
    raise NotBuiltError("Eigen's headers are missing; type: apt-get install libeigen3-dev")


def eigen_version() -> str:
    macros = (eigen() / "Eigen" / "src" / "Core" / "util" / "Macros.h").read_text()
    parts = ("WORLD", "MAJOR", "MINOR")
    return ".".join(macros.split(f"#define EIGEN_{p}_VERSION ")[1].split()[0] for p in parts)


def headers_library(name: str, *included: str) -> ctypes.CDLL:
    """Library of a C++ file here that includes Pinocchio's headers, and files with the given texts."""
    headers = Path(pin.__file__).parents[4] / "include"
    flags = ("-std=c++17", "-w", "-fvisibility=hidden", *DEFINES, f"-I{eigen()}", f"-I{headers}")
    versions = (pin.__version__, eigen_version(), *included)
    made = library(HERE / f"{name}.cpp", name, flags=flags, versions=versions, limit=1800)
    made.robot_new.restype = ctypes.c_void_p
    made.robot_time.restype = ctypes.c_double
    return made


@cache
def _library() -> ctypes.CDLL:
    return headers_library("pinocchio")


class PinocchioCalls:
    """One robot with its Data, and random states in Pinocchio's convention."""

    name = "Pinocchio C++"

    def __init__(self, tree: Tree, states: States, made: ctypes.CDLL | None = None) -> None:
        self.tree, self.library = tree, made or _library()
        kinds = np.array([KINDS.index(k) for k in tree.kinds], np.int32)
        placements = np.concatenate([tree.rotations.reshape(-1, 9), tree.positions], axis=1)
        inertias = np.concatenate(
            [tree.masses[:, None], tree.centers, tree.tensors.reshape(-1, 9)], axis=1
        )
        arrays = (tree.parents, kinds, placements, tree.axes, inertias, np.array(tree.gravity))
        pointers = [pointer(np.ascontiguousarray(a)) for a in arrays]
        self.robot = ctypes.c_void_p(self.library.robot_new(len(kinds), *pointers))
        self.count, self.q, self.v = states.count, states.pinocchio_q(), states.v
        self.fourth = {"vdot": states.vdot, "tau": states.tau}
        self._given = ""

    def time(self, function: str, passes: int, algorithm: str | None = None) -> float:
        """Seconds for one call; of the fastest convention if none is named."""
        choices = (ALGORITHMS | DERIVATIVES)[function]
        if algorithm is None:
            return min(self.time(function, passes, a) for a in choices)
        self.give("tau" if function.startswith("forward_dynamics") else "vdot")
        n = self.tree.nv
        shape = (n, n) if function == "mass_matrix" else (n,)
        self.result = np.zeros((3, n, n) if function in DERIVATIVES else shape)
        clock = self.library.robot_time(
            self.robot, choices[algorithm], ctypes.c_long(passes), pointer(self.result)
        )
        return clock / (passes * self.count)

    def give(self, what: str) -> None:
        """Hand over the states, with accelerations or generalized forces."""
        if what != self._given:
            x = [pointer(a) for a in (self.q, self.v, self.fourth[what])]
            self.library.robot_states(self.robot, ctypes.c_long(self.count), *x)
            self._given = what

    def __del__(self) -> None:
        if hasattr(self, "robot"):
            self.library.robot_delete(self.robot)


def pointer(array: np.ndarray) -> Any:
    """Address of the first entry; the array must live as long as the call."""
    return array.ctypes.data_as(ctypes.c_void_p)
