"""Find built-in robots by name; the module of a robot has a function of the same name."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import PurePath
from typing import Any, Final, NamedTuple

from ...algebra.expr.matrix import Matrix
from ...algebra.identity.rank import independent_columns
from ...errors import EquamoError, UnknownNameError
from ..model import Robot

NAMES: Final = (
    "rr_arm",
    "rp_arm",
    "three_link_arm",
    "three_link_prismatic_arm",
    "starleth",
    "krang",
    "rolling_disc",
    "wheeled_inverted_pendulum",
    "krang_on_wheels",
    "puma560",
    "stanford",
    "rx90",
    "iiwa",
    "four_bar",
    "five_bar",
    "delta",
    "stewart",
    "cassie_leg",
)
FILES: Final = (".urdf", ".xacro", ".sdf", ".toml", ".xml")


class Entry(NamedTuple):
    """Entry of the list of robots."""

    name: str
    description: str
    degrees_of_freedom: int


def load(name: str | os.PathLike[str], **options: Any) -> Robot:
    """Load a built-in robot.

    Args:
        name: Name of the robot.
        **options: Arguments of its function, such as `frames` of krang.

    Returns:
        The robot.

    Raises:
        EquamoError: `name` is a file.
        UnknownNameError: Unknown robot or option.

    >>> print(load("rr_arm"))
    Robot rr_arm: 2 bodies, 2 degrees of freedom, 8 parameters, 2 inputs
    >>> load("krang", frames=3).q
    (q_imu, q_w, q_torso)
    """
    if is_file(name):
        raise EquamoError(
            f"The name of a built-in robot must not be a file, got {os.fspath(name)!r}; use eq.load to "
            f"read files. Valid: {', '.join(NAMES)}."
        )
    make = factory(str(name))
    valid = inspect.signature(make).parameters
    for option in options:
        if option not in valid:
            raise UnknownNameError("option", option, valid, f"load({name!r})")
    return make(**options)


def factory(name: str) -> Callable[..., Robot]:
    """Function that builds a built-in robot; imports its module."""
    if name not in NAMES:
        raise UnknownNameError("robot", name, NAMES)
    return getattr(import_module(f".{name}", __package__), name)


def is_file(name: str | os.PathLike[str]) -> bool:
    """Whether a name is a file: a path, or a name with the suffix of a robot file."""
    if not isinstance(name, str):
        return isinstance(name, os.PathLike)  # pyright: ignore[reportUnnecessaryIsInstance]
    return PurePath(name).suffix.lower() in FILES or PurePath(name).name != name


def names() -> tuple[str, ...]:
    """Names of the built-in robots, simple ones first."""
    return NAMES


def robots() -> list[Entry]:
    """Name, one-line description and degrees of freedom of every built-in robot.

    >>> robots()[0].degrees_of_freedom
    2
    """
    return [Entry(r.name, r.description, _freedom(r)) for r in map(load, NAMES)]


def _freedom(robot: Robot) -> int:
    """Number of independent speeds, after the constraints of closed loops."""
    if not robot.loops:
        return len(robot.v)
    A = Matrix([row.A for row in robot.rows])
    return len(robot.joint_speeds) - len(independent_columns(A, robot.unit_groups))
