"""The libraries with which equamo is compared, one file each; `LIBRARIES` lists them by name."""

from __future__ import annotations

from typing import Final

from ..library import Library
from .drake import Drake
from .mujoco import MuJoCo
from .pinocchio import Pinocchio
from .pybullet import PyBullet

LIBRARIES: Final[dict[str, type[Library]]] = {
    x.name: x for x in (Pinocchio, MuJoCo, Drake, PyBullet)
}
