"""Read a mesh file by its suffix: STL, OBJ or COLLADA."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from ....errors import FileFormatError
from ...model.mesh_file import MeshFile
from ..text_file import read_bytes
from .collada import read_collada
from .obj import read_mtl, read_obj
from .stl import read_stl
from .triangles import MOST_BYTES, MOST_TRIANGLES, Color, Triangles


def read_mesh(mesh: MeshFile) -> tuple[Triangles, ...]:
    """Read the surfaces of a mesh, one per colour, before its scale.

    Args:
        mesh: Mesh of a robot.

    Returns:
        The surfaces, at least one.

    Raises:
        FileFormatError: The file is missing, damaged, too large, or outside its folder.
    """
    if mesh.problem:
        raise FileFormatError(f"{mesh.name}: cannot be drawn: {mesh.problem}.")
    if mesh.surfaces:
        return cast(tuple[Triangles, ...], mesh.surfaces)
    path = Path(mesh.path)
    _confined(path, mesh.root)
    data, suffix = read_bytes(path, MOST_BYTES), path.suffix.lower()
    if suffix == ".obj":
        found = read_obj(data, str(path), lambda name: _materials(path, name, mesh.root))
    elif suffix == ".dae":
        found = read_collada(data, str(path))
    else:
        found = read_stl(data, str(path))
    total = sum(map(len, found))
    if not 0 < total <= MOST_TRIANGLES:
        raise FileFormatError(
            f"{path}: a mesh must have from 1 to {MOST_TRIANGLES:,} triangles, got {total:,}."
        )
    return tuple(t for t in found if len(t))


def _confined(path: Path, root: str) -> None:
    """Check again that the file lies in its folder: a link may have changed since it was found."""
    if not Path(os.path.realpath(path)).is_relative_to(root):
        raise FileFormatError(f"{path}: a mesh must lie in the folder {root}.")


def _materials(mesh: Path, name: str, root: str) -> Mapping[str, Color]:
    """Colours of a material file next to a mesh; none if the file does not exist."""
    path = mesh.parent / name
    if "\0" in name or not name or not os.path.isfile(path):
        return {}
    _confined(path, root)
    return read_mtl(read_bytes(path), str(path))
