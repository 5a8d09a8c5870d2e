"""Primitive shapes of URDF links: as Pinocchio reads them, and kept by every edit and file."""

import json
import pickle
import re

import numpy as np
import pinocchio as pin
import pytest

import equamo as eq
from equamo.algebra.expr.vector import Vector
from equamo.errors import ModelError, UnknownNameError
from equamo.robot.formats.urdf import robot_of_urdf
from equamo.robot.formats.urdf_writer import write_urdf
from equamo.robot.model.shape import Shape
from equamo.robot.model.storage import robot_from_data, robot_to_data
from peer_urdf import file as urdf_file

pytestmark = pytest.mark.needs("pinocchio")

MESHES = re.compile(
    r"<(visual|collision)\b[^>]*>(?:(?!</\1>).)*<mesh(?:(?!</\1>).)*</\1>", re.DOTALL
)
LINK = """<robot name="r"><link name="a">
<visual><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>
<geometry><box size="1 2 3"/></geometry></visual>
<visual><geometry><mesh filename="x.stl"/></geometry></visual>
<collision><geometry><sphere radius="5"/></geometry></collision></link>
<link name="b"><collision><geometry>{}</geometry></collision></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
</robot>"""


@pytest.mark.parametrize(
    "name", ["a1.urdf", "laikago.urdf", "go1.urdf", "double_pendulum_simple.urdf"]
)
def test_as_pinocchio_has_them(name: str) -> None:
    path = urdf_file(name)
    robot = eq.load(str(path))
    model = pin.buildModelFromUrdf(str(path))
    text = MESHES.sub("", path.read_text(encoding="utf-8"))  # theirs are to be opened
    peers: dict[tuple[str, str], list[object]] = {}
    for tag, kind in (("visual", pin.VISUAL), ("collision", pin.COLLISION)):
        found = pin.GeometryModel()
        pin.buildGeomFromUrdfString(model, text, kind, found)
        for g in found.geometryObjects:
            peers.setdefault((model.frames[g.parentFrame].name, tag), []).append(g)
    data = model.createData()
    pin.framesForwardKinematics(model, data, pin.neutral(model))
    compared = 0
    for body, shapes in robot.shapes.items():
        theirs = [
            [g for g in peers.get((body, tag), []) if type(g.geometry).__name__ in
             ("Box", "Sphere", "Cylinder", "Capsule")] for tag in ("visual", "collision")
        ]  # fmt: skip
        chosen = theirs[0] or theirs[1]
        assert len(chosen) == len(shapes), body
        frame = model.frames[model.getFrameId(body)]
        for g, shape in zip(chosen, shapes, strict=True):
            place = (frame.placement.inverse() * g.placement).homogeneous
            assert np.abs(np.array([float(x) for x in shape.at]) - place[:3, 3]).max() < 1e-9
            A = np.array([float(x) for x in shape.turned.entries]).reshape(3, 3)
            assert np.abs(A - place[:3, :3]).max() < 2e-6
            size = [float(x) for x in shape.size]
            if shape.kind == "box":
                assert size == pytest.approx(list(2 * g.geometry.halfSide))
            elif shape.kind == "sphere":
                assert size == pytest.approx([g.geometry.radius])
            else:
                assert size == pytest.approx([g.geometry.radius, 2 * g.geometry.halfLength])
            compared += 1
    assert compared >= 3


def test_seen_before_collided_with() -> None:
    robot = robot_of_urdf(LINK.format('<cylinder radius="0.1" length="2"/>'))
    (box,) = robot.shapes["a"]
    assert (box.kind, box.size, box.at) == ("box", Vector([1, 2, 3]), Vector([1, 2, 3]))
    assert box.turned[1, 0].value == 1
    (cylinder,) = robot.shapes["b"]
    assert cylinder.size == Vector(["1/10", 2])
    ignored = [e.text for e in robot.import_report["ignored"]]
    assert ignored[0].startswith("mesh for pictures: not found; ")
    assert ignored[1:] == ["link/collision"]
    used = [e.text for e in robot.import_report["used"]]
    assert "link a: <visual>, for pictures" in used


@pytest.mark.parametrize("bad", [
    "<box/>", '<box size="1 2"/>', '<box size="1 2 x"/>', '<sphere radius="-1"/>',
    '<cylinder radius="1"/>', '<sphere radius="1e400"/>', '<sphere radius="nan"/>',
])  # fmt: skip
def test_damage_is_noted_and_left_out(bad: str) -> None:
    robot = robot_of_urdf(LINK.format(bad))
    assert "b" not in robot.shapes
    assert any("is not a valid shape, ignored" in e.text for e in robot.import_report["suspicious"])


def test_edits_files_and_pickles_keep_them() -> None:
    robot = robot_of_urdf(LINK.format('<capsule radius="0.1" length="2"/>'))
    for kept in (
        robot.lock(j=0),
        robot.add_mass("b", 1),
        pickle.loads(pickle.dumps(robot)),
        robot_from_data(json.loads(json.dumps(robot_to_data(robot)))),
        robot_of_urdf(write_urdf(robot)),
    ):
        assert kept.shapes == robot.shapes
    tool = eq.Robot("t", [eq.Body("tip", mass=1)], shapes={"tip": [Shape("sphere", Vector([1]))]})
    assert set(robot.attach(tool, "b", prefix="p_").shapes) == {"a", "b", "p_tip"}


def test_what_is_no_shape() -> None:
    with pytest.raises(UnknownNameError, match=r"Unknown kind of shape 'cube'.*box"):
        Shape("cube", Vector([1]))
    with pytest.raises(ModelError, match="size of a cylinder must be radius, length"):
        Shape("cylinder", Vector([1]))
    with pytest.raises(UnknownNameError, match="Unknown body 'b'"):
        eq.Robot("r", [eq.Body("a")], shapes={"b": []})
