"""Built-in robots by name. The module of a robot has a function of the same name."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import PurePath
from typing import Any, Final, NamedTuple

from ..errors import EquamoError, UnknownNameError
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
)
FILES: Final = (".urdf", ".xacro", ".toml", ".xml")


class Entry(NamedTuple):
    """A line of the list of robots."""

    name: str
    description: str
    degrees_of_freedom: int


def load(name: str | os.PathLike[str], **options: Any) -> Robot:
    """A built-in robot; `options` are those of its own function, such as krang's frames.

    >>> print(load("rr_arm"))
    Robot rr_arm: 2 bodies, 2 degrees of freedom, 8 parameters, 2 inputs
    >>> load("krang", frames=3).q
    (q_imu, q_w, q_torso)
    """
    if is_file(name):
        raise EquamoError(
            f"{os.fspath(name)!r} is a file; eq.load reads files, this finds built-in robots. "
            f"Built-in robots: {', '.join(NAMES)}."
        )
    make = factory(str(name))
    known = inspect.signature(make).parameters
    for option in options:
        if option not in known:
            raise UnknownNameError("option", option, known, f"load({name!r})")
    return make(**options)


def factory(name: str) -> Callable[..., Robot]:
    """The function that makes a built-in robot; its module is imported now, not before."""
    if name not in NAMES:
        raise UnknownNameError("robot", name, NAMES)
    return getattr(import_module(f".{name}", __package__), name)


def is_file(name: str | os.PathLike[str]) -> bool:
    """Whether `load` is asked for a file: a path, or a name that ends like a robot file."""
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
    return [Entry(r.name, r.description, len(r.v)) for r in map(load, NAMES)]
