"""Triangle meshes of bodies, for pictures; they do not enter the equations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import ZERO3, Vector

Three = tuple[float, float, float]


@final
@dataclass(frozen=True, slots=True, eq=False)
class MeshFile:
    """Mesh of a body in a file, which is read only when a picture is drawn.

    Attributes:
        name: Its name in the robot file.
        path: Its path; empty if it cannot be used (see `problem`).
        root: Folder that must contain the file and the files to which it refers.
        scale: Factors along the axes of the mesh.
        at: Position of its origin in the body frame [m].
        turned: Its rotation in the body frame.
        color: Colour from the robot file, for meshes without a colour: red, green, blue, from 0 to 1.
        problem: Why it cannot be drawn.
        replaces_shapes: Whether the body's shapes are drawn only if the mesh cannot be drawn.
        surfaces: Surfaces already read by MuJoCo.
    """

    name: str
    path: str = ""
    root: str = ""
    scale: Three = (1.0, 1.0, 1.0)
    at: Vector = ZERO3
    turned: Matrix = field(default=identity(3))
    color: Three | None = None
    problem: str = ""
    replaces_shapes: bool = True
    surfaces: tuple[Any, ...] = ()
