"""One cube, written in every format, is the same cube; colours, units and transforms are applied."""

from pathlib import Path

import coal
import numpy as np
import pytest

from conftest import WHOLE_SWEEPS
from equamo.robot.formats.meshes.read import read_mesh
from equamo.robot.model.mesh_file import MeshFile
from mesh_files import CORNERS, FACES, binary_stl, dae, obj, read, soup, text_stl
from peer_urdf import FOLDER

pytestmark = pytest.mark.needs("coal", "pinocchio")

CUBE = CORNERS[np.array(FACES)]


def _polylist() -> str:
    squares = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    head = '<input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" offset="0"/>'
    indices = " ".join(f"0 {k}" for s in squares for k in s)
    return f'<polylist material="m">{head}<vcount>{"4 " * 6}</vcount><p>{indices}</p></polylist>'


@pytest.mark.parametrize(("name", "data"), [
    ("a.stl", binary_stl()), ("b.STL", text_stl()), ("c.stl", b"solid" + binary_stl()[5:] + b"more"),
    ("d.obj", obj()), ("e.dae", dae()),
])  # fmt: skip
def test_the_same_cube_in_every_format(tmp_path: Path, name: str, data: bytes) -> None:
    surfaces = read(tmp_path / name, data)
    assert np.array_equal(soup(surfaces), CUBE)
    assert surfaces[0].color == ((1, 0.25, 0) if name.endswith("dae") else None)
    assert not surfaces[0].points.flags.writeable
    assert not surfaces[0].faces.flags.writeable


def test_primitives_of_collada_have_the_area_of_the_cube(tmp_path: Path) -> None:
    head = '<input semantic="VERTEX" source="#v"/>'
    strip = f"<tristrips>{head}<p>0 1 2 3</p><p>4 5 6 7</p></tristrips>"
    fan = f"<trifans>{head}<p>0 1 5 4</p></trifans><lines>{head}<p>0 1</p></lines>"
    polygon = f"<polygons>{head}<p>2 3 7 6</p><p>0 2 6 4</p><p>1 5 7 3</p></polygons>"
    for primitive in (_polylist(), strip + fan + polygon):
        corners = soup(read(tmp_path / "a.dae", dae(primitive=primitive)))
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert len(corners) == 12
        assert np.linalg.norm(normals, axis=1).sum() / 2 == pytest.approx(24)


def test_units_and_transforms_of_collada(tmp_path: Path) -> None:
    """p ↦ 0.001 (t + R S p), in the order of the elements; the up axis is not applied."""
    text = "<translate>1 2 3</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale>"
    corners = soup(read(tmp_path / "a.dae", dae(unit="0.001", transform=text)))
    R = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    expected = 0.001 * (CUBE * [2, 1, 1] @ R.T + [1, 2, 3])
    assert np.abs(corners - expected).max() < 1e-15
    matrix = "<matrix>0 -1 0 1 2 0 0 2 0 0 1 3 0 0 0 1</matrix>"
    assert (
        np.abs(soup(read(tmp_path / "a.dae", dae(unit="1e-3", transform=matrix))) - expected).max()
        < 1e-15
    )


def test_instances_and_nested_nodes_of_collada(tmp_path: Path) -> None:
    again = '<node><translate>0 0 5</translate><instance_node url="#n"/></node>'
    nodes = '<library_nodes><node id="n"><instance_geometry url="#cube"/></node></library_nodes>'
    surfaces = read(tmp_path / "a.dae", dae(more=again, nodes=nodes))
    assert [s.color for s in surfaces] == [(1, 0.25, 0), None]  # only the first has a material
    assert np.array_equal(soup(surfaces)[12:], CUBE + np.array([0, 0, 5]))


def test_collada_without_a_scene_shows_its_geometries(tmp_path: Path) -> None:
    text = dae().replace(b"library_visual_scenes", b"extra").replace(b'url="#s"', b'url="#none"')
    assert np.array_equal(soup(read(tmp_path / "a.dae", text)), CUBE)


def test_colours_of_an_obj_file_come_from_the_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a.mtl").write_text(
        "newmtl grey\nKd 0.5 0.5 0.5\nnewmtl odd\nKd spectral x.rfl 1\n"
    )
    text = (
        b"mtllib a.mtl\nusemtl grey\n"
        + obj().replace(b"usemtl none", b"")
        + b"\nusemtl odd\nf 1 2 3"
    )
    grey, odd = read(tmp_path / "a.obj", text)
    assert (grey.color, odd.color) == ((0.5, 0.5, 0.5), None)
    assert np.array_equal(soup((grey,)), CUBE)
    assert len(read(tmp_path / "a.obj", text.replace(b"a.mtl", b"missing.mtl"))) == 1
    assert (
        read(tmp_path / "a.obj", b"v 0 0 0\nv 1 0 \\\n0\nv 0 1 0\nf -3 -2 -1")[0].points[1, 0] == 1
    )


@pytest.mark.parametrize("suffix", ["dae", "stl", "obj"])
def test_extents_are_those_of_pinocchio(suffix: str) -> None:
    """Its loader (assimp) does not apply the up axis either; the files of example-robot-data."""
    files = [f for f in sorted(FOLDER.rglob("*")) if f.suffix.lower() == f".{suffix}"]
    assert len(files) > 50
    small = [f for f in files if f.stat().st_size < 300_000]
    for f in files if WHOLE_SWEEPS else small[:: len(small) // 4]:
        points = soup(read_mesh(MeshFile(f.name, str(f.resolve()), str(FOLDER.resolve())))).reshape(
            -1, 3
        )
        theirs = coal.MeshLoader().load(str(f), np.ones(3)).vertices()
        gap = np.abs([points.min(0) - theirs.min(0), points.max(0) - theirs.max(0)]).max()
        assert gap < 1e-5 * np.ptp(points, axis=0).max(), f
