"""Robots as plain data: what `robot_to_data` cannot have written is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from equamo.algebra.expr.matrix import Matrix
from equamo.errors import FileFormatError
from equamo.robot.model import Body, Robot, revolute
from equamo.robot.model.speeds import SpeedMap
from equamo.robot.model.storage import robot_from_data, robot_to_data
from equamo.robot.model.stored_value import decode, encode


def arm(speeds: SpeedMap | None = None) -> Robot:
    bodies = [Body("a", revolute("q1"), mass=1), Body("b", revolute("q2"), mass=1, parent="a")]
    return Robot("arm", bodies, speeds=speeds)


def chosen(dependent: tuple[tuple[str, Any], ...] = ()) -> dict[str, Any]:
    """Data of an arm with one speed v, dq1 = v and dq2 = 2 v."""
    W = Matrix([[1], [2]], ["dq1", "dq2"], ["v"])
    return robot_to_data(arm(SpeedMap(("v",), W, dependent)))


def put(data: dict[str, Any], value: Any, *path: str | int) -> None:
    part: Any = data
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value


W_NAMES = ("speeds", "W", "names")
W_ENTRY = ("speeds", "W", "matrix", 0, 0)
WRONG: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "rows without names": (lambda d: put(d, [None, ["v"]], *W_NAMES), "ValueError"),
    "rows of other names": (lambda d: put(d, [["dq1", "x"], ["v"]], *W_NAMES), "one row per joint"),
    "an eliminated coordinate in W": (lambda d: put(d, "q2", *W_ENTRY), "eliminated coordinates"),
    "a number as gravity": (
        lambda d: put(d, encode(9), "gravity"), "gravity must be of type Vector, got 9",
    ),
    "a missing part": (lambda d: d.pop("name"), "'name' is missing"),
    "a class": (lambda d: put(d, "Popen", "bodies", 0, "joint", "class"), "unknown class 'Popen'"),
    "a field": (lambda d: put(d, "x", "bodies", 0, "joint", "y"), "unknown field 'y' of a Revolute"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_damaged_data(what: str) -> None:
    data = chosen((("q2", 2 * revolute("q1").q[0]),))
    assert robot_from_data(data).name == "arm"
    change, message = WRONG[what]
    change(data)
    with pytest.raises(FileFormatError, match=f"^The stored robot is damaged: .*{message}"):
        robot_from_data(data)


def test_an_eliminated_coordinate_must_be_one_of_a_joint() -> None:
    with pytest.raises(FileFormatError, match=r"must be joint coordinates, got \['zz'\]"):
        robot_from_data(chosen((("zz", revolute("q1").q[0]),)))


def test_data_must_be_a_table() -> None:
    with pytest.raises(FileFormatError, match=r"expected a table, got \[\]"):
        robot_from_data([])


def test_values_of_other_classes_are_not_stored() -> None:
    with pytest.raises(
        FileFormatError, match=r"cannot be stored: its class must be one of .*Revolute"
    ):
        encode(object())
    with pytest.raises(FileFormatError, match="expected a value, got 3"):
        decode(3)
