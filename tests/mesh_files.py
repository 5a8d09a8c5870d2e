"""Mesh files for tests: a cube of edge 2 in every format, and a robot that shows a mesh."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from struct import pack

import numpy as np

from equamo.robot.formats.meshes.read import read_mesh
from equamo.robot.formats.meshes.triangles import Triangles
from equamo.robot.model.mesh_file import MeshFile

CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))
# Two triangles for each face of the cube.
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 7, 5), (4, 6, 7), (0, 5, 1), (0, 4, 5),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip


def binary_stl(count: int | None = None) -> bytes:
    """The cube; `count` is the number of triangles that the file states."""
    rows = b"".join(pack("<12fH", 0, 0, 0, *CORNERS[list(f)].ravel(), 0) for f in FACES)
    return b"\0" * 80 + pack("<I", len(FACES) if count is None else count) + rows


def text_stl() -> bytes:
    lines = ["solid cube"]
    for f in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x:g} {y:e} {z}" for x, y, z in CORNERS[list(f)]]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid cube"]).encode()


def obj() -> bytes:
    points = [f"v {x} {y} {z}" for x, y, z in CORNERS]
    faces = [f"f {a + 1}/1/1 {b + 1}//2 {c - 8}" for a, b, c in FACES]
    return "\n".join([*points, "usemtl none", *faces]).encode()


DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="mm" meter="{unit}"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="red-e"><profile_COMMON><technique sid="c"><phong><diffuse>
<color>1 0.25 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="red"><instance_effect url="#red-e"/></material></library_materials>
<library_geometries><geometry id="cube"><mesh>
<source id="p"><float_array id="pa" count="24">{points}</float_array><technique_common>
<accessor source="#pa" count="8" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
{primitive}</mesh></geometry></library_geometries>
{nodes}
<library_visual_scenes><visual_scene id="s"><node>{transform}
<instance_geometry url="#cube"><bind_material><technique_common>
<instance_material symbol="m" target="#red"/></technique_common></bind_material></instance_geometry>
{more}</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""
TRIANGLES = (
    '<triangles material="m"><input semantic="VERTEX" source="#v" offset="0"/><p>{}</p></triangles>'
)


def dae(**changes: str) -> bytes:
    """The cube in COLLADA; `changes` replace parts of the text."""
    given = {
        "unit": "1",
        "points": " ".join(f"{x:g}" for x in CORNERS.ravel()),
        "primitive": TRIANGLES.format(" ".join(str(k) for f in FACES for k in f)),
        "transform": "", "nodes": "", "more": "",
    }  # fmt: skip
    return DAE.format(**given | changes).encode()


def read(path: Path, data: bytes) -> tuple[Triangles, ...]:
    """The surfaces of a file with this content."""
    path.write_bytes(data)
    return read_mesh(MeshFile(path.name, str(path.resolve()), str(path.parent.resolve())))


def soup(surfaces: tuple[Triangles, ...]) -> np.ndarray:
    """Corners of all triangles, (m, 3, 3)."""
    return np.vstack([s.points[s.faces] for s in surfaces])


URDF = """<robot name="arm"><link name="base"/><link name="hand"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<visual><origin xyz="0 0 0.5" rpy="0 0 1.5707963267948966"/><geometry>
<mesh filename="{name}" scale="{scale}"/></geometry><material name="blue"/></visual>
<collision><geometry><sphere radius="1"/></geometry></collision></link>
<joint name="q" type="continuous"><parent link="base"/><child link="hand"/><axis xyz="0 1 0"/></joint>
<material name="blue"><color rgba="0 0 1 1"/></material></robot>"""


def urdf(folder: Path, name: str, scale: str = "1 1 1") -> Path:
    """A robot file whose second body shows the mesh of this name."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "arm.urdf"
    path.write_text(URDF.format(name=name, scale=scale))
    return path
