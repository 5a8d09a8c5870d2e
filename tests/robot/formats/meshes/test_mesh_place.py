"""A robot's meshes are found in given folders, and never outside them; loading does not depend on it."""

import os
import sys
from pathlib import Path

import pytest

import equamo as eq
from equamo.errors import FileFormatError
from equamo.robot.formats.meshes.mesh_place import MeshPlaces
from equamo.robot.model.edits import copy_with
from mesh_files import binary_stl, urdf

pytestmark = pytest.mark.posix


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """share/arm_description with a package.xml, a robot file and a mesh; a mesh outside."""
    package = tmp_path / "share" / "arm_description"
    (package / "meshes").mkdir(parents=True)
    (package / "meshes" / "a b.stl").write_bytes(binary_stl())
    (package / "meshes" / "out.stl").symlink_to(tmp_path / "outside.stl")
    (package / "package.xml").write_text("<package/>")
    (tmp_path / "outside.stl").write_bytes(binary_stl())
    urdf(package / "urdf", "x.stl")
    urdf(tmp_path / "elsewhere", "x.stl")
    return tmp_path


def places(
    folder: Path, file: str = "share/arm_description/urdf/arm.urdf", given: object = None
) -> MeshPlaces:
    return MeshPlaces(str(folder / file), given)


@pytest.mark.parametrize("name", [
    "package://arm_description/meshes/a%20b.stl", "package:///arm_description/meshes/a b.stl",
    "model://arm_description/meshes/a b.stl", "../meshes/a b.stl", "meshes/a b.stl",
    "file://{}/meshes/a%20b.stl", "{}/meshes/a b.stl",
])  # fmt: skip
def test_found_in_the_package_of_the_file(folder: Path, name: str) -> None:
    package = folder / "share" / "arm_description"
    path, root, problem = places(folder).find(name.format(package))
    assert (path, root, problem) == (str(package / "meshes" / "a b.stl"), str(package), "")


@pytest.mark.parametrize(("name", "problem"), [
    ("../../../outside.stl", "must lie in a known folder"),
    ("package://arm_description/../../outside.stl", "must lie in a known folder"),
    ("package://arm_description/%2e%2e/%2e%2e/outside.stl", "must lie in a known folder"),
    ("package://arm_description/meshes/out.stl", "must lie in a known folder"),
    ("file://{}/outside.stl", "must lie in a known folder"),
    ("{}/outside.stl", "must lie in a known folder"),
    ("package://other/meshes/a b.stl", "not found; name its folder"),
    ("package://", "must be a file .stl, .obj or .dae"),
    ("http://example.org/a.stl", "must be a file on this computer"),
    ("/etc/passwd", "must be a file .stl, .obj or .dae"),
    ("a\0.stl", "printable characters"), ("x" * 2000 + ".stl", "printable characters"),
    ("", "printable characters"), ("file://a%00.stl", "not contain %00"),
    ("package://%00/a.stl", "not contain %00"),
])  # fmt: skip
def test_not_found_and_never_outside(folder: Path, name: str, problem: str) -> None:
    path, root, reason = places(folder).find(name.replace("{}", str(folder)))
    assert (path, root) == ("", "")
    assert problem in reason


def test_given_folders(folder: Path) -> None:
    name, far = "package://arm_description/meshes/a b.stl", "elsewhere/arm.urdf"
    found = str(folder / "share" / "arm_description" / "meshes" / "a b.stl")
    assert not places(folder, far).find(name)[0]
    for given in (
        folder / "share",
        [str(folder / "share" / "arm_description")],
        (folder / "share",),
    ):
        assert places(folder, far, given).find(name)[0] == found
    assert not MeshPlaces("<stdin>").find("a.stl")[0]
    assert MeshPlaces("<stdin>", folder / "share").find(name)[0] == found
    with pytest.raises(FileFormatError, match="a list of folders, or False, got 3"):
        places(folder, far, 3)
    for bad in (folder / "nowhere", [4]):
        with pytest.raises(FileFormatError, match="every mesh folder must exist, got"):
            places(folder, far, bad)


def test_load_finds_meshes_and_notes_those_it_does_not(folder: Path) -> None:
    package = folder / "share" / "arm_description"
    file = urdf(package / "urdf", "package://arm_description/meshes/a b.stl", scale="1 2 -3")
    arm = eq.load(file)
    (mesh,) = arm.meshes["hand"]
    assert (mesh.scale, mesh.color, mesh.problem) == ((1, 2, -3), (0, 0, 1), "")
    assert mesh.replaces_shapes
    assert [s.kind for s in arm.shapes["hand"]] == ["sphere"]
    assert [str(x) for x in mesh.at] == ["0", "0", "1/2"]
    assert mesh.turned[1, 0].value == 1
    assert "link hand: <visual>, for pictures" in [e.text for e in arm.import_report["used"]]
    assert copy_with(arm, name="copy").meshes == arm.meshes
    assert not copy_with(arm, bodies=arm.bodies[:1], forces=[], limits={}).meshes
    assert not eq.load(file, meshes=False).meshes
    lost = eq.load(urdf(package / "urdf", "package://x/y.dae"))
    assert "not found" in lost.meshes["hand"][0].problem
    assert any("not found; name" in e.text for e in lost.import_report["ignored"])
    for scale in ("1 0 1", "1 1", "a b c"):
        odd = eq.load(urdf(package / "urdf", "package://arm_description/meshes/a b.stl", scale))
        assert "must be three numbers" in odd.meshes["hand"][0].problem


def test_equations_and_stored_robots_have_no_meshes(folder: Path) -> None:
    """A stored robot names no files, so that a file from elsewhere cannot make us read others."""
    package = folder / "share" / "arm_description"
    arm = eq.load(urdf(package / "urdf", "package://arm_description/meshes/a b.stl"))
    from equamo.robot.model.storage import robot_from_data, robot_to_data

    data = robot_to_data(arm)
    assert "a b.stl" not in repr(data)
    assert not robot_from_data(data).meshes


@pytest.mark.parametrize(
    ("platform", "expected"), [("win32", "C:/x/a.stl"), ("linux", "/C:/x/a.stl")]
)
def test_a_drive_in_a_file_uri(
    folder: Path, platform: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    found = places(folder)._candidates("file", "/C:/x/a.stl")  # pyright: ignore[reportPrivateUsage]
    assert next(found) == os.path.join(places(folder).roots[0], expected)
