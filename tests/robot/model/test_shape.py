"""Shapes: kinds, sizes and bodies are checked."""

from typing import Any

import pytest

from equamo.algebra.expr.matrix import identity
from equamo.algebra.expr.vector import ZERO3, Vector
from equamo.errors import ModelError, UnknownNameError
from equamo.robot.model import Body, Robot
from equamo.robot.model.shape import KINDS, Shape


def test_kind_and_size() -> None:
    with pytest.raises(UnknownNameError, match=r"Unknown kind of shape 'cone'.*Valid: box, sphere"):
        Shape("cone", Vector([1]))
    with pytest.raises(ModelError, match="size of a cylinder must be radius, length, got 1 number"):
        Shape("cylinder", Vector([1]))


def test_a_shape_is_at_the_origin_of_its_body_unless_it_is_placed() -> None:
    for kind, names in KINDS.items():
        shape = Shape(kind, Vector(range(1, len(names) + 1)))
        assert shape.at == ZERO3
        assert shape.turned == identity(3)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"arn": []}, "Unknown body 'arn' in the shapes of robot 'r'.*'arm'"),
        ({"arm": ["box"]}, "shapes of body 'arm' must be a list of Shape, got 'box' in it"),
    ],
)
def test_shapes_of_a_robot(shapes: Any, message: str) -> None:
    with pytest.raises((ModelError, UnknownNameError), match=message):
        Robot("r", [Body("arm", mass=1)], shapes=shapes)
