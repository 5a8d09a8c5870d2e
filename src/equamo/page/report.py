"""`eq.report`: the page of a robot, one HTML file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .._version import __version__
from ..certificate import Certificate, prove as prove_robot
from ..claims.report import Audit
from ..equations.derive import derive
from ..equations.equations import EquationsOfMotion
from ..errors import EquamoError
from ..formats.text_file import write_text
from ..model.robot import Robot, expect_robot
from ..motion.trajectory import Trajectory
from ..renamed import renamed
from ..wording import brief, counted
from .context import Context
from .document import Section, document
from .markup import Markup, breakable, element
from .poses import poses_module
from .resample import resampled
from .scene_data import scene_data
from .sections import code, equations, model, motion, proof, robot as robot_section

Progress = Callable[[str], None]
Floats = NDArray[np.float64]


@renamed(proved="prove", simulated="simulate", timed="time")
def report(
    robot: Robot | EquationsOfMotion,
    path: str | Path,
    *,
    trajectory: Trajectory | None = None,
    certificate: Certificate | None = None,
    audit: Audit | Iterable[Audit] = (),
    prove: bool = True,
    simulate: bool = True,
    time: bool = True,
    progress: Progress | None = None,
) -> Path:
    """Write the page of a robot: one HTML file that needs no network; returns its path.

    `trajectory`: the motion it plays; without one, a few seconds are simulated (`simulate=False`: the
    joints sway). `certificate`: as `eq.prove` gives; without one, it is made (`prove=False`: none).
    `audit`: what `eq.audit` gave, one or several. `time=False`: no calls are timed.

    >>> from tempfile import TemporaryDirectory
    >>> from equamo.robots import load
    >>> with TemporaryDirectory() as folder:
    ...     page = report(load("rr_arm"), f"{folder}/rr.html", time=False).read_text("utf-8")
    >>> page[:15], "default-src 'none'" in page or "default-src &#x27;none&#x27;" in page
    ('<!doctype html>', True)
    """
    _check_path(path)
    _check_kinds(trajectory, certificate)
    audits = _audits(audit)
    say = progress or _silent
    say("deriving")
    eom = robot if isinstance(robot, EquationsOfMotion) else derive(expect_robot(robot, "report"))
    if certificate is None and prove:
        say("proving")
        certificate = prove_robot(eom, progress=progress)
    _check(eom, trajectory, certificate)
    said = ""
    if trajectory is None and simulate:
        say("simulating")
        made = motion.default_motion(eom)
        trajectory, said = made or (None, "")
    context = Context(eom, certificate, audits, trajectory, said, time)
    say("writing the page")
    write_text(path, page(context))
    return Path(path)


def _check_path(path: object) -> None:
    text = str(cast(object, path)) if isinstance(path, (str, PathLike)) else ""
    if not text.lower().endswith((".html", ".htm")):
        given = brief(text or cast(object, path))
        raise EquamoError(f"report(): path must be that of a file ending in .html, got {given}.")


def page(context: Context) -> str:
    """The text of the page."""
    side = robot_section.data(context)
    sections = [
        equations.section(context),
        proof.section(context),
        motion.section(context),
        code.section(context),
        model.section(context),
    ]
    # The tape is whole only now that every section has put its expressions on it.
    data = Section("robot", "", Markup(), {
        **side,
        "scene": scene_data(context.robot, context.values, _poses_shown(context)),
        "symbols": context.symbols_data(),
        "names": context.names_data(),
        "tape": context.tape.data(),
    })  # fmt: skip
    name = context.robot.name
    title = f"{name} – equations of motion"
    functions = poses_module(context.robot)
    return document(title, _head(context), robot_section.side(), sections, data, functions)


def _head(context: Context) -> Markup:
    robot, certificate = context.robot, context.certificate
    facts = [
        counted(len(robot.v), "degree of freedom"),
        counted(len(robot.bodies), "body"),
        counted(len(robot.parameters), "parameter"),
        f"derived by {context.eom.by.replace('_', ' ')}",
    ]
    if certificate is not None:
        facts.append("all identities proved" if certificate.ok else "NOT all identities proved")
    return element(
        "div",
        element("h1", breakable(robot.name)),
        element("p", " · ".join(facts), class_="facts"),
        element("p", f"equamo {__version__}", class_="version"),
        class_="title",
    )


def _poses_shown(context: Context) -> Floats:
    """Where the robot comes to in the page: along its motion, or as it sways."""
    trajectory = context.trajectory
    if trajectory is None:
        return motion.swaying(context)
    return resampled(trajectory, motion.RATE_OF_FRAMES, motion.FRAMES).q


def _check_kinds(trajectory: object, certificate: object) -> None:
    """What was given is what it is to be."""
    for what, given, wanted, made in (
        ("trajectory", trajectory, Trajectory, "eq.simulate(…)"),
        ("certificate", certificate, Certificate, "eq.prove(robot)"),
    ):
        if given is not None and not isinstance(given, wanted):
            raise EquamoError(
                f"report(): {what} is a {wanted.__name__} as {made} gives, not {brief(given)}."
            )
    if isinstance(certificate, Certificate) and certificate.code is not None:
        raise EquamoError(
            "report(): certificate must be one of the robot, as eq.prove(robot) gives, got one of "
            "compiled functions."
        )
    if isinstance(trajectory, Trajectory) and not len(trajectory):
        raise EquamoError("report(): the trajectory has no samples; give one with a state in it.")


def _audits(given: object) -> tuple[Audit, ...]:
    """One audit, or several."""
    if isinstance(given, Audit):
        return (given,)
    found: list[Any] = list(cast(Iterable[Any], given)) if isinstance(given, Iterable) else [given]
    for x in found:
        if not isinstance(x, Audit):
            raise EquamoError(
                f"report(): audit is what eq.audit gives, one or several, not {brief(x)}."
            )
    return tuple(found)


def _check(
    eom: EquationsOfMotion, trajectory: Trajectory | None, certificate: Certificate | None
) -> None:
    """What was given is of this robot."""
    wanted = _names(eom.robot)
    for what, given in (("trajectory", trajectory), ("certificate", certificate)):
        if given is None:
            continue
        robot = given.eom.robot if isinstance(given, Trajectory) else given.robot
        if _names(robot) != wanted:
            raise EquamoError(
                f"The {what} is of robot {robot.name!r}, with other bodies, coordinates or parameters "
                f"than {eom.robot.name!r}."
            )


def _names(robot: Robot) -> tuple[list[str], ...]:
    """What tells robots apart."""
    symbols = ((x.name for x in group) for group in (robot.q, robot.parameters))
    return ([b.name for b in robot.bodies], *(list(names) for names in symbols))


def _silent(stage: str) -> None:
    """No progress shown."""
