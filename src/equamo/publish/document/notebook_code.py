"""Cells of a notebook that load the robot, repeat the derivation and prove the equations again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...errors import EquamoError
from ...robot.formats.toml_writer import write_toml
from ...robot.library import load
from ...robot.library.registry import NAMES
from ...robot.model.robot import Robot
from ...robot.model.storage import robot_to_data

if TYPE_CHECKING:
    from .paper import Paper


def setup_code(paper: Paper) -> str:
    """Code that creates the robot and its document again, as `robot` and `paper`."""
    return f"import equamo as eq\n\n{_robot_code(paper.robot)}\npaper = eq.paper(robot{_options(paper)})"


def checking_code(numbers: Sequence[int]) -> str:
    """Code that prints equations with their proofs.

    >>> print(checking_code([3, 4]))
    for number in (3, 4):
        print(number, *paper.equation(number).proofs)
    """
    listed = ", ".join(map(str, numbers)) + ("," if len(numbers) == 1 else "")
    return f"for number in ({listed}):\n    print(number, *paper.equation(number).proofs)"


def _options(paper: Paper) -> str:
    methods = paper.formulations
    by = repr(methods[0]) if len(methods) == 1 else repr(tuple(methods))
    return f", by={by}, title={paper.title!r}" + (", short=True" if paper.short else "")


def _robot_code(robot: Robot) -> str:
    """Code for the robot: its name if it is built in, otherwise its TOML text."""
    try:
        if robot.name in NAMES and robot_to_data(load(robot.name)) == robot_to_data(robot):
            return f"robot = eq.load({robot.name!r})"
        text = write_toml(robot, lossy=True)
    except EquamoError:  # a joint or force in Python, which no file can store
        return f"robot = ...  # {robot.name}: define the robot here, as in your own code"
    literal = repr(text) if "'''" in text else f"r'''\n{text}'''"  # no name ends the literal
    return f"from equamo.robot.catalog import load_bytes\n\nrobot = load_bytes({literal}.encode())"
