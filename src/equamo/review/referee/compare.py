"""`eq.compare_with`: compare a robot's numbers with those of other dynamics libraries."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any, Final, cast

import numpy as np

from ...basics.arguments import items_of
from ...basics.wording import brief
from ...errors import EvaluationError, ModelError, UnknownNameError
from ...mechanics.equations.derive import derive
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.catalog import load
from ...robot.model.robot import Robot, expect_robot
from .description import Description, describe
from .difference import Difference, entry_name
from .explain import Explanation
from .libraries import LIBRARIES
from .library import RefusedError, module_of
from .numbers import OurNumbers
from .report import RefereeReport
from .result import LibraryResult, QuantityResult, Unexplained
from .states import States, random_states

TOLERANCE: Final = 1e-9
MOST_STATES: Final = 100_000
Progress = Callable[[str], None]


def compare_with(
    robot: Robot | EquationsOfMotion | str | os.PathLike[str],
    libraries: str | Iterable[str],
    *,
    states: int = 100,
    seed: int = 0,
    tolerance: float = TOLERANCE,
    progress: Progress | None = None,
) -> RefereeReport:
    """Compare a robot's numbers with those of other dynamics libraries at random states.

    Each library reads the robot's URDF file itself; any other robot is written as URDF first.
    Every quantity that a library computes is compared: M, bias, gravity, inverse and forward dynamics,
    poses and Jacobians. A difference above the tolerance is explained by named rules that were applied
    and checked (damping, friction, armature, default inertia …), or reported with entry and state.

    Args:
        robot: Robot, its equations of motion, or an argument of `eq.load`.
        libraries: One or several of "pinocchio", "mujoco", "drake", "pybullet".
        states: Number of random states.
        seed: Seed of the random states.
        tolerance: Difference relative to the largest entry above which an explanation is needed.
        progress: Function to call with the name of each stage.

    Returns:
        The report: a table as text, `.to_data()` for JSON, `.ok` if nothing is unexplained.

    Raises:
        UnknownNameError: Unknown library.
        MissingLibraryError: A library is not installed.
        EquamoError: An argument is not valid.
        ModelError: URDF cannot represent the robot.

    >>> report = compare_with("rr_arm", "pinocchio", states=5)
    >>> report.ok, report["pinocchio"]["mass matrix"].verdict
    (True, 'agrees')
    """
    names = _names(libraries)
    for argument, value in (("states", states), ("seed", seed)):
        least = 1 if argument == "states" else 0
        whole = isinstance(value, int) and not isinstance(value, bool)  # pyright: ignore
        if not whole or not least <= value <= MOST_STATES:
            raise EvaluationError(
                f"compare_with: {argument} must be an integer from {least} to {MOST_STATES}, got "
                f"{brief(value)}."
            )
    if not isinstance(tolerance, (int, float)) or not (isfinite(tolerance) and tolerance > 0):  # pyright: ignore
        raise EvaluationError(
            f"compare_with: tolerance must be a number greater than 0, got {brief(tolerance)}."
        )
    for name in names:
        module_of(LIBRARIES[name])
    say = progress or _silent
    say("deriving")
    eom = _equations(robot)
    description = describe(eom.robot)
    ours = OurNumbers(eom, random_states(eom.robot, states, seed))
    results: list[LibraryResult] = []
    for name in names:
        say(f"comparing with {name}")
        results.append(_compare(name, description, ours, tolerance))
    return RefereeReport(eom.robot, tuple(results), states, seed, tolerance)


def _names(libraries: Any) -> list[str]:
    listed = [libraries] if isinstance(libraries, str) else items_of(libraries)
    if listed is None:
        raise EvaluationError(
            f"compare_with: libraries must be one or several of {', '.join(LIBRARIES)}, got "
            f"{brief(libraries)}."
        )
    names: list[Any] = listed
    if not names:
        raise EvaluationError("compare_with: libraries must name at least one library, got none.")
    for name in names:
        if not isinstance(name, str) or name not in LIBRARIES:
            raise UnknownNameError("library", name, LIBRARIES, "compare_with")
    return list(dict.fromkeys(names))


def _equations(robot: Any) -> EquationsOfMotion:
    if isinstance(robot, EquationsOfMotion):
        eom = robot
    else:
        given = load(cast(str, robot)) if isinstance(robot, (str, os.PathLike)) else robot
        eom = derive(expect_robot(given, "compare_with"))
    if eom.robot.loops or eom.robot.contacts or not len(eom.robot.v):
        raise ModelError(
            f"compare_with: the robot must be a moving tree without loops and contacts, got "
            f"{brief(eom.robot.name)}."
        )
    return eom


def _compare(
    name: str, description: Description, ours: OurNumbers, tolerance: float
) -> LibraryResult:
    try:
        library = LIBRARIES[name](description, ours.eom)
        theirs = library.evaluate(ours.states)
    except RefusedError as error:
        return LibraryResult(name, refused=str(error))
    explanation = Explanation(ours, theirs, library, tolerance)
    quantities = explanation.results()
    unexplained = [_unexplained(ours.eom.robot, ours.states, x) for x in quantities if not x.within]
    return LibraryResult(
        name, library.version, "", tuple(quantities), explanation.texts, tuple(unexplained),
        library.conventions,
    )  # fmt: skip


def _unexplained(robot: Robot, states: States, result: QuantityResult) -> Unexplained:
    found: Difference = result.difference
    k, *entry = found.index
    names = [x.name for group in (robot.q, robot.v, robot.vdot) for x in group]
    names += [f"tau[{x.name}]" for x in robot.v]
    numbers = np.concatenate([states.q[k], states.v[k], states.vdot[k], states.tau[k]])
    state = dict(zip(names, map(float, numbers), strict=True))
    name = entry_name(robot, result.quantity, entry)
    return Unexplained(result.quantity, name, state, found.ours, found.theirs, found.relative)


def _silent(stage: str) -> None:
    """Progress function that does nothing."""
