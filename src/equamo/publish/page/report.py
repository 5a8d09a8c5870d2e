"""`eq.report`: page of a robot as one HTML file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from ..._version import __version__
from ...algebra.arrays import NDArray, np
from ...algebra.expr.collector import collector_paused
from ...basics.arguments import expect_function, flag, items_of
from ...basics.renamed import renamed
from ...basics.wording import brief, counted
from ...errors import EquamoError
from ...mechanics.certificate import Certificate, expect_certificate, prove as prove_robot
from ...mechanics.equations.derive import METHOD_NAMES, derive
from ...mechanics.equations.equations import EquationsOfMotion
from ...review.claims.report import Audit
from ...robot.formats.text_file import write_text
from ...robot.model.robot import Robot, expect_robot
from .context import Context
from .document import Section, document
from .markup import Markup, breakable, element
from .poses import poses_module
from .scene_data import scene_data
from .sections import (
    code,
    derivation,
    equations,
    libraries,
    model,
    motion,
    proof,
    robot as robot_section,
)

if TYPE_CHECKING:  # both need NumPy, which a page without them does not need
    from ...motion.simulation.trajectory import Trajectory
    from ...review.referee.report import RefereeReport

MOST_NAMES: Final = 12  # most parameters listed in a sentence

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
    referee: RefereeReport | None = None,
    prove: bool = True,
    simulate: bool = True,
    time: bool = True,
    progress: Progress | None = None,
) -> Path:
    """Write the page of a robot: one HTML file that needs no network.

    Args:
        robot: Robot, or its equations of motion. Parameters without a value are assumed to be 1, and
            the page says so.
        path: File to write, ending in .html.
        trajectory: Motion to play; if None, a few seconds are simulated.
        certificate: Certificate of exactly these equations from `eq.prove`; if None, they are proved.
        audit: Result of `eq.audit`, or several of them.
        referee: Result of `eq.compare_with`, shown as a section of its own.
        prove: Whether to prove the robot if no certificate is given.
        simulate: Whether to simulate if no trajectory is given; if False, the joints sway.
        time: Whether to time the compiled functions.
        progress: Function that is called with the name of each stage.

    Returns:
        The path of the file.

    Raises:
        EquamoError: An argument has the wrong type or belongs to another robot.
        FileFormatError: The file cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> from equamo.robot.library import load
    >>> with TemporaryDirectory() as folder:
    ...     page = report(load("rr_arm"), f"{folder}/rr.html", time=False).read_text("utf-8")
    >>> page[:15], "default-src 'none'" in page or "default-src &#x27;none&#x27;" in page
    ('<!doctype html>', True)
    """
    _check_path(path)
    _check_kinds(trajectory, certificate, referee)
    audits = _audits(audit)
    if progress is not None and not callable(progress):  # pyright: ignore[reportUnnecessaryComparison]
        raise EquamoError(
            f"report(): progress must be a function that takes a text, got {brief(progress)}."
        )
    if progress is not None:
        expect_function("report(): progress", progress, "text")
    prove, simulate = flag("report(): prove", prove), flag("report(): simulate", simulate)
    time = flag("report(): time", time)
    say = progress or _silent
    say("deriving")
    eom = robot if isinstance(robot, EquationsOfMotion) else derive(expect_robot(robot, "report"))
    if certificate is None and prove:
        say("proving")
        certificate = prove_robot(eom, progress=progress)
    _check(eom, trajectory, certificate, referee)
    description = ""
    assumed = () if trajectory is not None else _without_values(eom.robot)
    if trajectory is None and simulate:
        say("simulating")
        trajectory, description = motion.default_motion(eom, assumed) or (None, "")
    context = Context(eom, certificate, audits, trajectory, description, time, referee, assumed)
    say("writing the page")
    with collector_paused():
        text = page(context)
    write_text(path, text, ".html")
    return Path(path)


def _check_path(path: object) -> None:
    text = str(cast(object, path)) if isinstance(path, (str, PathLike)) else ""
    if not text.lower().endswith((".html", ".htm")):
        value = brief(text or cast(object, path))
        raise EquamoError(f"report(): path must be a file name ending in .html, got {value}.")


def page(context: Context) -> str:
    """Text of the page."""
    side = robot_section.data(context)
    sections = [
        equations.section(context),
        derivation.section(context),
        proof.section(context),
        *libraries.sections(context),
        motion.section(context),
        code.section(context),
        model.section(context),
    ]
    # The tape is complete only after every section has added its expressions.
    scene = scene_data(context.robot, context.values, _poses_shown(context))
    data = Section("robot", "", Markup(), {
        **side,
        "scene": scene,
        "symbols": context.symbols_data(),
        "names": context.names_data(),
        "tape": context.tape.data(),
    })  # fmt: skip
    name = context.robot.name
    title = f"{name} – equations of motion"
    functions = poses_module(context.robot)
    aside = robot_section.side(context.robot, scene["problems"])
    return document(title, _head(context), aside, sections, data, functions)


def _head(context: Context) -> Markup:
    robot, certificate = context.robot, context.certificate
    facts = [
        counted(len(robot.v), "degree of freedom"),
        counted(len(robot.bodies), "body"),
        counted(len(robot.parameters), "parameter"),
        f"derived by {METHOD_NAMES[context.eom.by]}",
    ]
    if certificate is not None:
        facts.append("all identities proved" if certificate.ok else "NOT all identities proved")
    return element(
        "div",
        element("h1", breakable(robot.name)),
        element("p", " · ".join(facts), class_="facts"),
        element("p", f"equamo {__version__}", class_="version"),
        _assumed(context),
        class_="title",
    )


def _assumed(context: Context) -> Markup | None:
    """Sentence about parameters without values."""
    names = context.assumed
    if not names:
        return None
    listed = ", ".join(names[:MOST_NAMES])
    listed += f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return element(
        "p",
        f"No value was given for {listed}: the numbers, picture and motion on this page assume 1 for ",
        "it. " if len(names) == 1 else "each. ",
        element("code", "robot.with_values(…)"),
        " sets values; the formulas do not depend on them.",
        class_="notice",
    )


def _poses_shown(context: Context) -> Floats:
    """Coordinates that the page shows: along the motion, or swaying."""
    trajectory = context.trajectory
    if trajectory is None:
        return motion.swaying(context)
    from .resample import resampled

    return resampled(trajectory, motion.RATE_OF_FRAMES, motion.FRAMES).q


def _check_kinds(trajectory: object, certificate: object, referee: object) -> None:
    """Check the types of trajectory, certificate and comparison."""
    if trajectory is not None:
        from ...motion.simulation.trajectory import Trajectory

        _expect("trajectory", trajectory, Trajectory, "eq.simulate(…)")
    _expect("certificate", certificate, Certificate, "eq.prove(eom)")
    if referee is not None:
        from ...review.referee.report import RefereeReport

        _expect("referee", referee, RefereeReport, "eq.compare_with(…)")
    if trajectory is not None and not len(cast("Trajectory", trajectory)):
        raise EquamoError("report(): the trajectory must have at least one sample, got no samples.")


def _expect(name: str, value: object, kind: type, source: str) -> None:
    if value is not None and not isinstance(value, kind):
        raise EquamoError(
            f"report(): {name} must be a {kind.__name__} from {source}, got {brief(value)}."
        )


def _audits(audit: object) -> tuple[Audit, ...]:
    """Check the argument `audit`: one audit, or several."""
    if isinstance(audit, Audit):
        return (audit,)
    listed = items_of(audit)
    audits: list[Any] = [audit] if listed is None else listed
    for x in audits:
        if not isinstance(x, Audit):
            raise EquamoError(
                f"report(): audit must be an Audit from eq.audit(…), or several, got {brief(x)}."
            )
    return tuple(audits)


def _check(
    eom: EquationsOfMotion,
    trajectory: Trajectory | None,
    certificate: Certificate | None,
    referee: RefereeReport | None,
) -> None:
    """Check that trajectory and comparison belong to this robot, the certificate to these equations."""
    if certificate is not None:
        expect_certificate(certificate, eom, "report()")
    expected = _names(eom.robot)
    robots = {
        "trajectory": None if trajectory is None else trajectory.eom.robot,
        "comparison": None if referee is None else referee.robot,
    }
    for name, robot in robots.items():
        if robot is not None and _names(robot) != expected:
            raise EquamoError(
                f"report(): the {name} must belong to robot {eom.robot.name!r}, got one of robot "
                f"{robot.name!r} with other bodies, coordinates or parameters."
            )


def _without_values(robot: Robot) -> tuple[str, ...]:
    """Parameters without default values, for which the page assumes 1."""
    return tuple(name for name, value in robot.values.items() if value is None)


def _names(robot: Robot) -> tuple[list[str], ...]:
    """Names of bodies, coordinates and parameters, which distinguish robots."""
    symbols = ((x.name for x in group) for group in (robot.q, robot.parameters))
    return ([b.name for b in robot.bodies], *(list(names) for names in symbols))


def _silent(stage: str) -> None:
    """Progress function that does nothing."""
