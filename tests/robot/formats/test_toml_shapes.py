"""Shapes in model files: what is written reads back, and what is wrong is named with its place."""

from __future__ import annotations

import pytest

from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.errors import EquamoError
from equamo.robot.formats.toml import parse_robot
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.model.shape import Shape

ARM = """equamo = 1
name = "arm"
[parameters]
L = 2
[[bodies]]
name = "a"
joint = { kind = "revolute", q = "q1" }
[[shapes]]
body = "a"
kind = "cylinder"
size = "0.05 L"
at = "L/2 0 0"
rotation = "0 pi/2 0"
[[shapes]]
body = "world"
kind = "sphere"
size = [0.5]
[[shapes]]
body = "a"
kind = "box"
size = "1 2 3"
"""


def test_shapes_are_read_and_written() -> None:
    robot = parse_robot(ARM)
    turned = Matrix([[0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    assert dict(robot.shapes) == {
        "a": (
            Shape("cylinder", Vector(["1/20", "L"]), Vector(["L/2", 0, 0]), turned),
            Shape("box", Vector([1, 2, 3])),
        ),
        "world": (Shape("sphere", Vector(["1/2"])),),
    }
    assert parse_robot(write_toml(robot)).shapes == robot.shapes


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "box"', 'kind = "cube"', r"Unknown kind of shape 'cube' in text, line 20, shapes"),
        ('size = "1 2 3"', 'size = "1 2"', r"line 21, shapes\[3\]\.size: The size of a box must be"),
        ('size = "1 2 3"', 'size = "1 2 3 4"', r"\.size: expected 1 or 2 or 3 quantities, got 4"),
        ('size = "1 2 3"', 'sizes = "1 2 3"', "Unknown key 'sizes'"),
        ('body = "world"', 'body = "b"', "Unknown body 'b' in the shapes of robot 'arm'"),
        ('size = [0.5]', 'size = [[0.5]]', "shapes"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(old: str, new: str, message: str) -> None:
    assert ARM.count(old) == 1
    with pytest.raises(EquamoError, match=message):
        parse_robot(ARM.replace(old, new))
