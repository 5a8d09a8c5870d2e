"""What a TOML file cannot hold is refused when it is written; round trips are in test_toml."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from equamo.algebra.expr import symbol
from equamo.algebra.expr.matrix import Matrix, identity
from equamo.algebra.expr.printing import text
from equamo.algebra.expr.vector import ZERO3
from equamo.errors import FileFormatError
from equamo.robot.formats.toml import parse_robot
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.model import Body, Robot, constraint, joint_actuator, revolute
from equamo.robot.model.forces import JointDamper
from equamo.robot.model.joints import Revolute
from equamo.robot.model.speeds import SpeedMap


@dataclass(frozen=True)
class Sprung(Revolute):  # type: ignore[misc]
    """A joint of the user's own class."""


@dataclass(frozen=True)
class Brake(JointDamper):  # type: ignore[misc]
    """A force element of the user's own class."""


def arm(**options: object) -> Robot:
    return Robot("arm", [Body("a", revolute("q1"), mass=1)], **options)  # type: ignore[arg-type]


def test_a_robot_without_bodies() -> None:
    written = write_toml(Robot("r", []))
    assert "bodies = []\nforces = []\n" in written
    assert not parse_robot(written).bodies


def test_a_joint_of_another_class() -> None:
    axis = revolute("q1").axis  # type: ignore[attr-defined]
    joint = Sprung(("q1",), ("dq1",), ZERO3, identity(3), "q1", axis=axis)
    with pytest.raises(FileFormatError, match=r"joint of body 'a' cannot be written: .*Sprung"):
        write_toml(Robot("arm", [Body("a", joint, mass=1)]))


def test_a_force_element_of_another_class() -> None:
    with pytest.raises(FileFormatError, match=r"'b' cannot be written: .*class Brake; use one of"):
        write_toml(arm(forces=[Brake("b", "dq1", symbol("d"))]))


def test_a_force_element_without_a_name() -> None:
    forces = [replace(joint_actuator("q1"), name="")]
    with pytest.raises(
        FileFormatError, match="'' cannot be written: it does not read back exactly"
    ):
        write_toml(arm(forces=forces))


def test_a_speed_map_with_constraints_of_unknown_origin() -> None:
    W = Matrix([[1]], ["dq1"], ["dq1"])
    chosen = SpeedMap(("dq1",), W, constraints=(constraint("dq1 = dq1"),))
    with pytest.raises(FileFormatError, match="speeds of robot 'arm' cannot be written"):
        write_toml(arm(speeds=chosen))


def test_an_expression_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "DEFAULT_LIMIT", 50)
    e = sum((symbol(f"m{i}") for i in range(60)), symbol("m"))
    with pytest.raises(FileFormatError, match=r"must fit into a text file, got <Expr: .*>"):
        write_toml(Robot("arm", [Body("a", revolute("q1"), mass=e)]))
