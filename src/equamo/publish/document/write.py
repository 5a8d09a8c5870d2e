"""`eq.paper`: write the derivation for a robot and a method as a document."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ...basics.wording import brief
from ...errors import EquamoError
from ...robot.model.robot import Robot, expect_robot
from .compose import compose
from .paper import Paper, checked_format, file_of


def paper(
    robot: Robot,
    path: str | os.PathLike[str] | None = None,
    by: str | tuple[str, str] = "lagrange",
    title: str | None = None,
    short: bool | None = None,
    letters: str = "MCg",
    quantities: Iterable[str] | None = None,
) -> Paper:
    """Write the derivation of a robot's equations of motion as a document.

    Each line is a recorded step of the derivation. It says from which lines it follows, and is proved:
    the printed formula equals the computed one.

    Args:
        robot: The robot.
        path: File to write, as .pdf (needs the extra `equamo[paper]`), .html, .tex, .ipynb or .typ; None
            to write none.
        by: Method, or two methods to show side by side.
        title: Title of the document; by default made from the robot and the method.
        short: Whether to write s_{1}, c_{12} for sines and cosines of coordinates; by default only if
            the robot is large.
        letters: Letters for mass matrix, Coriolis matrix and gravity, "MCg" or "DCG".
        quantities: Quantities to derive, such as ("M", "g"); by default all.

    Returns:
        The document, with its equations, and with `save` to write it in other formats.

    Raises:
        UnknownNameError: Unknown method, quantity or letters.
        EquamoError: Unknown format, invalid option, or typst is not installed.
        FileFormatError: The file cannot be written.

    >>> from equamo.robot.library import load
    >>> paper(load("rr_arm")).equation(1).standing
    'law'
    """
    expect_robot(robot, "paper")
    _expect("path", path, (str, os.PathLike), "a path or None")
    _expect("title", title, (str,), "text or None")
    _expect("quantities", quantities, (Iterable,), "a list of names or None")
    if path is not None:
        checked_format(file_of(path))  # before the work, not after it
    document = compose(robot, by, title, short, letters, quantities)
    if path is not None:
        document.save(path)
    return document


def _expect(name: str, given: object, kinds: tuple[type, ...], what: str) -> None:
    if given is not None and not isinstance(given, kinds):
        raise EquamoError(f"paper: `{name}` must be {what}, got {brief(given)}.")
