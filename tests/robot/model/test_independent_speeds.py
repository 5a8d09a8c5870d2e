"""Choice of independent speeds, and the numbers at which it is made."""

import pytest

from equamo.algebra.expr import parse
from equamo.algebra.expr.matrix import Matrix
from equamo.robot.model import Body, Parameter, Robot, revolute, spherical
from equamo.robot.model.independent_speeds import independent_speeds, numbers_at_home


@pytest.mark.parametrize("as_list", [False, True])
def test_numbers_at_home(as_list: bool) -> None:
    """A unit quaternion without a given state is (1, 0, 0, 0)."""
    bodies = [Body("a", spherical("s"), mass=1), Body("b", revolute("q"), mass=1, parent="a")]
    robot = Robot("r", bodies)
    given = [Parameter("L", 2), Parameter("k")] if as_list else {"L": Parameter("L", 2), "k": None}
    unit = [x.name for x in robot.unit_groups[0]]
    numbers = numbers_at_home(robot, {"q": parse("1/4")}, given)
    assert numbers == dict(zip(unit, [1, 0, 0, 0], strict=True)) | {"q": 0.25, "L": 2}


@pytest.mark.parametrize(
    ("row", "actuated", "kept"),
    [
        (["1", "1", "1"], set(), ["a", "b"]),  # the first joints are kept
        (["1", "1", "1"], {"c"}, ["a", "c"]),  # and those with an actuator
        (["1", "1", "1"], {"a", "b", "c"}, ["a", "b"]),
        (["1", "1", "0.31"], set(), ["a", "b"]),  # a pivot may be smaller than the largest
        (["1", "1", "0.29"], set(), ["a", "c"]),  # but not much
        (["1", "x", "0"], set(), ["b", "c"]),  # x = 0 at the default state
        (["0", "0", "x"], {"c"}, ["a", "b"]),
    ],
)
def test_speeds_that_are_kept(row: list[str], actuated: set[str], kept: list[str]) -> None:
    A = Matrix([[parse(x) for x in row]])
    assert independent_speeds(A, ["a", "b", "c"], actuated, {"x": 0.0}) == kept
