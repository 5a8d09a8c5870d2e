"""Compose a Paper from a robot and one or two methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, cast

from ...basics.arguments import flag, is_one_of, items_of
from ...basics.wording import brief, counted
from ...errors import EquamoError, ProofError, UnknownNameError
from ...mechanics.equations.derive import FORMULATIONS, METHOD_NAMES, derivation
from ...robot.model.robot import Robot
from .blocks import Equation, Section
from .chapters.checks import checks
from .chapters.constraints import constraints
from .chapters.equations import equations
from .chapters.example_state import example_state
from .chapters.gibbs_appell import gibbs_appell
from .chapters.kane import kane
from .chapters.lagrange import lagrange
from .chapters.loops import loops
from .chapters.model import model
from .chapters.notation import notation
from .chapters.projected_newton_euler import projected_newton_euler
from .chapters.recursive import recursive
from .chapters.references import references
from .compare import compared
from .paper import Paper
from .round_trip import RoundTrip, read_back
from .script import Script
from .style import Style

_METHODS: Final[dict[str, Callable[[Script], list[Section]]]] = {
    "kane": kane,
    "lagrange": lagrange,
    "projected_newton_euler": projected_newton_euler,
    "gibbs_appell": gibbs_appell,
    "recursive": recursive,
}
# Titles of the chapters of a result, by the letter of the result.
QUANTITIES: Final[dict[str, tuple[str, ...]]] = {
    "M": ("Jacobians", "Mass matrix"),
    "C": ("Coriolis and centrifugal terms",),
    "g": ("Gravity",),
    "Q": ("Equations of motion",),
}


def compose(
    robot: Robot,
    by: str | tuple[str, str] = "lagrange",
    title: str | None = None,
    short: bool | None = None,
    letters: str = "MCg",
    quantities: Iterable[str] | None = None,
) -> Paper:
    """The derivation of a robot's equations of motion, as a document.

    Args:
        robot: The robot.
        by: Method, or two methods to compare.
        title: Title; None for one that names the robot and the method.
        short: Whether to write s_{1}, c_{12}; None for large robots only.
        letters: "MCg" or "DCG".
        quantities: Results to show, of M, C, g and Q (forces and equations of motion); None for all.

    Raises:
        UnknownNameError: A method, a quantity or the letters are unknown.
        EquamoError: `by` is neither one method nor two different ones, or another option is invalid.
        ProofError: A printed line, read back, is not what was computed.

    >>> from equamo.robot.library import load
    >>> compose(load("rr_arm"), by="kane").title
    "Equations of motion of rr arm by Kane's method"
    """
    methods = _methods(by)
    short = None if short is None else flag("paper: short", short)
    listed = list(QUANTITIES) if quantities is None else items_of(quantities)
    if listed is None:
        raise EquamoError(f"paper: quantities must be a list of names, got {brief(quantities)}.")
    shown = tuple(listed)
    for quantity in shown:
        if not is_one_of(quantity, QUANTITIES):
            raise UnknownNameError("quantity of a paper", quantity, QUANTITIES)
    left_out = {t for x, titles in QUANTITIES.items() if x not in shown for t in titles}
    style = Style.of(robot, short, letters, methods)
    script, *others = (Script(style, derivation(robot, x), x) for x in methods)
    found: list[Section | None] = [model(script), notation(script, methods), constraints(script)]
    if others:
        other = others[0]
        chapters = (
            [c for c in _METHODS[x.by](x) if c.title not in left_out] for x in (script, other)
        )
        found += compared(script, other, *chapters, names=[METHOD_NAMES[x] for x in methods])
    else:
        found += _METHODS[script.by](script)
    found += [loops(script), equations(script)]
    found += [checks(script), example_state(script), references(script, methods)]
    sections = [x for x in found if x is not None and x.title not in left_out]
    finished = script.finished(sections, others)
    how = " and ".join(METHOD_NAMES[x] for x in methods)
    whole = title or f"Equations of motion of {_plain(robot.name)} by {how}"
    draft = Paper(whole, robot, methods, "", finished, style.notation, style.short)
    trip = read_back(draft)
    read = tuple(x.map(lambda e: _witnessed(e, trip)) for x in finished)
    return replace(draft, abstract=_abstract(robot, how, read, trip), sections=read)


def _methods(by: object) -> tuple[str, ...]:
    """One method, or two different ones."""
    given: tuple[object, ...] = (by,)
    if isinstance(by, (tuple, list)):
        given = tuple(cast(Iterable[object], by))
    for method in given:
        if not isinstance(method, str) or method not in FORMULATIONS:
            raise UnknownNameError("formulation", method, FORMULATIONS)
    methods = tuple(str(x) for x in given)
    if len(methods) not in (1, 2) or len(set(methods)) < len(methods):
        raise EquamoError(
            f"paper: `by` must be one method, or two different ones to compare, got {brief(given)}."
        )
    return methods


def _plain(name: str) -> str:
    """Name of a robot in words."""
    return name.replace("_", " ").strip() or name


def _witnessed(equation: Equation, trip: RoundTrip) -> Equation:
    """An equation whose standing is that of what was read back.

    Raises:
        ProofError: The text says something else than what was computed and proved.
    """
    line = next((x for x in trip.lines if x.number == equation.number), None)
    if line is None or not all(equation.proofs):  # refuted already: it is marked
        return equation
    if line.is_wrong:
        raise ProofError(
            f"paper: equation {equation.left} = {brief(equation.right, 300)} must say what was "
            f"computed, but reading it back gave: {line}. This is an error of equamo; please report it."
        )
    if not line.was_read:
        return replace(equation, standing="not read back")
    return equation if line else replace(equation, standing="undecided")


def _abstract(robot: Robot, how: str, sections: tuple[Section, ...], trip: RoundTrip) -> str:
    """What the paper is about, how many of its lines were read back, and which are not proved."""
    lines = [x for section in sections for x in section.equations()]
    stated = [x for x in lines if x.proofs]
    failed = [f"({x.number})" for x in stated if x.standing in ("refuted", "undecided")]
    unread = [x for x in stated if x.standing == "not read back"]
    general = [x for x in stated if x.value is None and x.left_value is None]
    read = len(trip.lines) - len(unread)
    whole = f"all {read} lines" if not unread else f"{read} of {len(trip.lines)} lines"
    verdict = (
        f"all of them are proved except {', '.join(failed)}, which are marked"
        if failed
        else "each of them is proved: what is printed equals what was computed"
    )
    text = (
        f"The equations of motion of {_plain(robot.name)} are derived step by step by {how}. Of "
        f"{counted(len(lines), 'numbered line')}, {len(stated)} are statements about this robot. The "
        f"LaTeX of {whole} that have a value was read back; {verdict}."
    )
    if unread:
        numbers = ", ".join(f"({x.number})" for x in unread)
        where = [
            x.title for x in sections if any(y.standing == "not read back" for y in x.equations())
        ]
        text += (
            f" The lines {numbers}, in {' and '.join(f'“{x}”' for x in where)}, could not be read "
            "back: of these, only the expressions were proved, not their print."
        )
    if general:
        text += (
            f" For {counted(len(general), 'line')} in general symbols, every instance was proved by "
            "computing it; their text was not read."
        )
    return f"{text} The others are general laws and definitions."
