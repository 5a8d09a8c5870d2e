"""Damaged and hostile mesh files are refused with a message that names the file and the rule."""

import os
from pathlib import Path

import numpy as np
import pytest

import equamo as eq
from equamo.errors import FileFormatError
from equamo.robot.formats.meshes.read import read_mesh
from equamo.robot.model.mesh_file import MeshFile
from mesh_files import CORNERS, TRIANGLES, binary_stl, dae, obj, read, soup, text_stl

LOOP = '<library_nodes><node id="n"><instance_node url="#n"/></node></library_nodes>'
FIRST = '<instance_node url="#n0"/>'
TENFOLD = [f'<node id="n{k}">{FIRST.replace("n0", f"n{k + 1}") * 10}</node>' for k in range(20)]
MANY = f'<library_nodes>{"".join(TENFOLD)}<node id="n20"/></library_nodes>'
BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><COLLADA>&a;</COLLADA>'


ONE = TRIANGLES.format("0 1 2")


def _list(sizes: str) -> str:
    """A polylist of three corners that states these sizes."""
    return ONE.replace("triangles", "polylist").replace("<p>", f"<vcount>{sizes}</vcount><p>")


CASES = [
    # STL
    ("empty.stl", b"", "at least 84 bytes, got 0"),
    ("truncated.stl", binary_stl()[:-7], "must have 684 bytes, got 677; it is truncated or damaged"),
    ("count.stl", binary_stl(13), "of 13 triangles must have 734 bytes"),
    ("huge.stl", binary_stl(2**32 - 1), "at most 3,000,000 triangles, got 4,294,967,295"),
    ("none.stl", binary_stl()[:80] + bytes(4), "from 1 to 3,000,000 triangles, got 0"),
    ("nan.stl", binary_stl()[:96] + b"\xff" * 12 + binary_stl()[108:], "below 1e+09, got nan"),
    ("text.stl", text_stl()[:-20], "end with 'endsolid', got 36 such lines"),
    ("cut.stl", text_stl()[:300], "it is truncated or damaged"),
    ("word.stl", text_stl().replace(b"vertex 1", b"vertex x"), "must be decimal"),
    # OBJ
    ("far.obj", obj().replace(b"v 1.0", b"v 1e300"), "finite numbers below"),
    ("nan.obj", obj().replace(b"v 1.0", b"v nan"), "got nan"),
    ("word.obj", b"v 0 0 zero", r"word.obj:1: a point 'v' must be 3 numbers, got '0 0 zero'"),
    ("face.obj", obj() + b"\nf 1 2 9", "number of one of the 8 points so far, got '9'"),
    ("zero.obj", obj() + b"\nf 0 1 2", "got '0'"),
    ("two.obj", obj() + b"\nf 1 2", "at least three corners, got 2"),
    ("empty.obj", b"", "from 1 to 3,000,000 triangles"),
    # COLLADA
    ("bomb.dae", BOMB, "bomb.dae:1: a COLLADA file must not have a document type"),
    ("cut.dae", dae()[:-30], "must be well-formed XML"),
    ("root.dae", b"<robot/>", "must begin with <COLLADA>, got <robot>"),
    ("unit.dae", dae(unit="-1"), "the unit must be a length in metres greater than 0, got '-1'"),
    ("word.dae", dae(unit="long"), "got 'long'"),
    ("nan.dae", dae(points="nan " * 24), "finite numbers below"),
    ("few.dae", dae(points="0 0 0"), "must have 24 numbers, three or more per point, got 3"),
    ("text.dae", dae(points="one two"), "must be numbers separated by blanks"),
    ("far.dae", dae(primitive=TRIANGLES.format("0 1 8")), "one of the 8 points, got number 9"),
    ("back.dae", dae(primitive=TRIANGLES.format("0 1 -1")), "one of the 8 points, got number 0"),
    ("corner.dae", dae(primitive=TRIANGLES.format("0 1")), "three corners per triangle, got 2"),
    ("input.dae", dae(primitive="<triangles><p>0 1 2</p></triangles>"), "one <input> VERTEX, got 0"),
    ("source.dae", dae(primitive=ONE.replace("#v", "#w")), "a POSITION <source>"),
    ("offset.dae", dae(primitive=ONE.replace('"0"', '"x"')), "whole number 'offset'"),
    ("stride.dae", dae(primitive=ONE.replace('"0"', '"1"')), "2 indices per corner"),
    ("vcount.dae", dae(primitive=_list("9")), "as <vcount> says"),
    ("wrap.dae", dae(primitive=_list(f"{2**63 - 1} {2**63 - 1} 5")), "as <vcount> says"),
    ("less.dae", dae(primitive=_list("-1 4")), "as <vcount> says"),
    ("url.dae", dae(more='<instance_geometry url="#x"/>'), "unknown geometry 'x'"),
    ("node.dae", dae(more='<instance_node url="#x"/>'), "unknown node 'x'"),
    ("loop.dae", dae(nodes=LOOP, more=FIRST.replace("n0", "n")), "nested at most 32 times"),
    ("many.dae", dae(nodes=MANY, more=FIRST), "at most 10,000 nodes"),
    ("skin.dae", dae(more='<instance_controller url="#x"/>'), "<instance_controller> is not supported"),
    ("matrix.dae", dae(transform="<matrix>1 2 3</matrix>"), "<matrix> must be 16 finite numbers"),
    ("inf.dae", dae(transform="<translate>inf 0 0</translate>"), "3 finite numbers"),
    ("letters.dae", dae(transform="<scale>a b c</scale>"), "3 finite numbers"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "message"), CASES, ids=[c[0] for c in CASES])
def test_refused(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    with pytest.raises(FileFormatError) as error:
        read(tmp_path / name, data)
    assert message in str(error.value)
    assert str(tmp_path / name) in str(error.value)


def test_instances_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equamo.robot.formats.meshes.collada.MOST_TRIANGLES", 20)
    with pytest.raises(FileFormatError, match="at most 20 triangles, this one has more"):
        read(tmp_path / "a.dae", dae(more='<instance_geometry url="#cube"/>'))
    monkeypatch.setattr("equamo.robot.formats.meshes.obj.MOST_TRIANGLES", 3)
    with pytest.raises(FileFormatError, match="at most 3 triangles, this one has more"):
        read(tmp_path / "a.obj", obj())
    monkeypatch.undo()
    monkeypatch.setattr("equamo.robot.formats.meshes.triangles.MOST_TRIANGLES", 5)
    with pytest.raises(FileFormatError, match="at most 5 triangles, got 12"):
        read(tmp_path / "a.obj", obj())


def test_lines_that_cost_more_than_their_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equamo.robot.formats.meshes.obj.LONGEST", 100)
    with pytest.raises(FileFormatError, match=r":1: a line must have at most 100 bytes, got 200"):
        read(tmp_path / "a.obj", b"f" + b" 1" * 99 + b"\n")
    with pytest.raises(FileFormatError, match=r":17: .* at most 16 lines 'mtllib'"):
        read(tmp_path / "a.obj", b"mtllib a.mtl\n" * 17 + obj())
    monkeypatch.setattr("equamo.robot.formats.meshes.collada_scene._MOST_WITHIN", 20)
    with pytest.raises(FileFormatError, match="with 20 elements in them"):
        read(tmp_path / "a.dae", dae(more="<x/>" * 20))


def test_only_the_points_that_are_shown_are_kept(tmp_path: Path) -> None:
    """Many colours or instances of one triangle must not copy all points of the file each time."""
    (tmp_path / "a.mtl").write_text("".join(f"newmtl m{k}\nKd 0 0 {k / 9}\n" for k in range(9)))
    faces = "".join(f"usemtl m{k}\nf 1 2 4\n" for k in range(9)).encode()
    many = read(tmp_path / "a.obj", b"mtllib a.mtl\n" + obj().split(b"usemtl")[0] + faces)
    assert [len(s.points) for s in many] == [3] * 9
    (one,) = read(tmp_path / "a.dae", dae(primitive=ONE * 5))
    assert len(one.points) == 15
    assert np.array_equal(one.points[one.faces[4]], CORNERS[:3])


def test_a_long_text_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = soup(read(tmp_path / "a.dae", dae()))
    for size in (1, 2, 7):
        monkeypatch.setattr("equamo.robot.formats.meshes.collada._PIECE", size)
        assert np.array_equal(soup(read(tmp_path / "a.dae", dae())), whole)


@pytest.mark.posix
def test_other_files_are_refused(tmp_path: Path) -> None:
    """A file outside its folder, a pipe, a folder, a missing file, materials elsewhere."""
    inside = tmp_path / "inside"
    inside.mkdir()
    secret = tmp_path / "secret.stl"
    secret.write_bytes(binary_stl())
    link = inside / "link.stl"
    link.symlink_to(secret)
    with pytest.raises(FileFormatError, match="must lie in the folder"):
        read_mesh(MeshFile("link.stl", str(link), str(inside.resolve())))
    os.mkfifo(inside / "pipe.stl")
    with pytest.raises(FileFormatError, match="got a named pipe"):
        read_mesh(MeshFile("pipe.stl", str(inside.resolve() / "pipe.stl"), str(inside.resolve())))
    with pytest.raises(FileFormatError, match="cannot be drawn: not found"):
        read_mesh(MeshFile("x.stl", problem="not found"))
    (tmp_path / "a.mtl").write_text("newmtl a\nKd 1 0 0")
    with pytest.raises(FileFormatError, match="must lie in the folder"):
        read(inside / "a.obj", b"mtllib ../a.mtl\n" + obj())
    (inside / "b.mtl").write_text("newmtl a\nKd 1 0")
    with pytest.raises(FileFormatError, match=r"b\.mtl:2: a colour 'Kd' must be 3 numbers"):
        read(inside / "a.obj", b"mtllib b.mtl\n" + obj())


def test_a_robot_takes_meshes_only() -> None:
    body = eq.Body("a", eq.revolute("q"))
    with pytest.raises(eq.ModelError, match=r"of body .a. must be a list of MeshFile, got"):
        eq.Robot("r", [body], meshes={"a": ["a.stl"]})
    with pytest.raises(eq.UnknownNameError, match="the meshes of robot 'r'"):
        eq.Robot("r", [body], meshes={"b": [MeshFile("a.stl")]})
