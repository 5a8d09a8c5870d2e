"""A robot and a method to a Paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from ..equations.derive import derivation
from ..model.robot import Robot
from .chapters.checks import checks
from .chapters.constraints import constraints
from .chapters.equations import equations
from .chapters.example_state import example_state
from .chapters.gibbs_appell import gibbs_appell
from .chapters.kane import kane
from .chapters.lagrange import lagrange
from .chapters.model import model
from .blocks import Section
from .chapters.loops import loops
from .chapters.projected_newton_euler import projected_newton_euler
from .chapters.recursive import recursive
from .chapters.references import references
from .paper import Paper
from .script import Script
from .style import Style


_METHODS: Final[dict[str, Callable[[Script], list[Section]]]] = {
    "kane": kane,
    "lagrange": lagrange,
    "projected_newton_euler": projected_newton_euler,
    "gibbs_appell": gibbs_appell,
    "recursive": recursive,
}


def compose(
    robot: Robot,
    by: str | tuple[str, str] = "lagrange",
    title: str | None = None,
    short: bool | None = None,
    letters: str = "MCg",
    quantities: Iterable[str] | None = None,
) -> Paper:
    """The derivation of a robot's equations of motion, as a document."""
    methods = (by,) if isinstance(by, str) else tuple(by)
    style = Style.of(robot, short, letters)
    script = Script(style, derivation(robot, methods[0]), methods[0])
    found: list[Section | None] = [model(script), constraints(script), *_METHODS[methods[0]](script), loops(script), equations(script)]
    found += [checks(script), example_state(script), references(script, methods)]
    sections = [x for x in found if x is not None]
    return Paper(
        title or robot.name, robot, methods, "", script.finished(sections), style.notation, style.short
    )
