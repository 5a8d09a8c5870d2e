"""Meshes in the page: corners as whole numbers of 16 bits, and both arrays in base64."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, Final

from ...algebra.arrays import np
from ..picture.meshes import Meshes, MeshSolid
from ..picture.posture import Array

if TYPE_CHECKING:
    from ..picture.simplify import Surface

TRIANGLES: Final = 60_000  # of a page, all meshes together: about 0.8 MB
_STEPS: Final = 65_535  # along the longest edge of the box around a surface


def mesh_data(meshes: Meshes) -> dict[str, Any]:
    """JSON data of the meshes: surfaces, where they are, and what could not be drawn."""
    return {
        "surfaces": [_surface(s) for s in meshes.surfaces],
        "meshes": [_placed(m) for m in meshes.solids],
        "problems": list(meshes.problems),
    }


def _surface(surface: Surface) -> dict[str, Any]:
    """Corner k is low + step · points[k]; the order of triangles is kept."""
    p = surface.points if len(surface.points) else np.zeros((1, 3))
    low: Array = p.min(axis=0)
    step = float(np.ptp(p, axis=0).max()) / _STEPS or 1.0
    numbers = np.round((p - low) / step).astype("<u2")
    kind = "<u2" if len(p) <= _STEPS else "<u4"
    return {
        "low": [float(f"{x:.7g}") for x in low],
        "step": float(f"{step:.7g}"),
        "points": _text(numbers),
        "faces": _text(surface.faces.astype(kind)),
        "wide": kind == "<u4",
    }


def _placed(m: MeshSolid) -> dict[str, Any]:
    return {
        "body": m.body,
        "surface": m.surface,
        "at": [float(f"{x:.7g}") for x in m.at],
        "turned": [float(f"{x:.7g}") for x in m.turned.T.ravel()],
        "color": None if m.color is None else [round(x, 3) for x in m.color],
    }


def _text(numbers: Any) -> str:
    return b64encode(np.ascontiguousarray(numbers).tobytes()).decode("ascii")
