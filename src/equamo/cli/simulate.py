"""`equamo simulate`: simulate a robot, print its energy ledger, and save its motion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from ..algebra.expr import parse
from ..algebra.expr.evaluate import evaluate_floats
from ..algebra.expr.walk import symbols as symbols_of
from ..basics.wording import brief, counted
from ..errors import EquamoError, EvaluationError, SimulationError
from ..mechanics.equations import derive
from ..motion.simulation.simulate import simulate
from ..motion.simulation.solve import ADAPTIVE
from ..motion.simulation.stepping import FIXED
from ..motion.simulation.trajectory import Trajectory
from ..motion.simulation.trajectory_files import checked_suffix
from .model import Base, Parameters, RobotName, robot_of
from .output import Json, print_json, progress


def run(
    robot: RobotName,
    duration: Annotated[float, typer.Option(help="Seconds.")] = 5.0,
    q: Annotated[
        list[str] | None,
        typer.Option(help="Initial coordinates: q1=1,q2=pi/2. The others are at home."),
    ] = None,
    v: Annotated[list[str] | None, typer.Option(help="Initial speeds: dq1=0.5.")] = None,
    control: Annotated[
        list[str] | None, typer.Option(help="Inputs in q, v and t: 'tau1=-2*dq1 + sin(t)'.")
    ] = None,
    value: Annotated[list[str] | None, typer.Option(help="Parameters: m1=2.")] = None,
    method: Annotated[
        str, typer.Option(help=f"One of {', '.join(ADAPTIVE)}; with --step {', '.join(FIXED)}.")
    ] = "DOP853",
    rtol: Annotated[float, typer.Option(help="Relative tolerance.")] = 1e-9,
    step: Annotated[float | None, typer.Option(help="Fixed step, or largest step [s].")] = None,
    samples: Annotated[
        int | None, typer.Option(help="Number of equidistant samples; default: solver's steps.")
    ] = None,
    stop_at_limits: Annotated[
        bool, typer.Option("--stop-at-limits", help="End the run at the first joint limit.")
    ] = False,
    save: Annotated[
        list[Path] | None, typer.Option(help="Write .csv, .npz or .gif; may be repeated.")
    ] = None,
    base: Base = None,
    parameters: Parameters = None,
    json: Json = False,
) -> None:
    """Simulate a robot and account for its energy.

    Exit code 0 if the run reached its end, 1 if the integration failed, 2 for invalid input.

    \b
    Example:
      equamo simulate rr_arm --duration 5 --q q1=1 --save out.csv
      equamo simulate krang --q q_torso=0.3 --control 'tau_torso=-5*dq_torso' --save krang.gif
    """
    if samples is not None and samples < 2:
        raise EvaluationError(f"--samples must be at least 2, got {samples}.")
    if samples is not None and method in FIXED:
        raise EvaluationError(
            f"--samples can be used only with --method {', '.join(ADAPTIVE)}; {method} has one sample "
            f"per --step."
        )
    for path in save or ():
        checked_suffix(path)  # before the run
    with progress("deriving"):
        eom = derive(robot_of(robot, base, parameters))
    broken = None
    try:
        trajectory = simulate(
            eom,
            numbers("--q", q),
            numbers("--v", v),
            duration=duration,
            control=named_values("--control", control, "expression", str),
            values=numbers("--value", value),
            method=method,
            rtol=rtol,
            step=step,
            t_eval=None if samples is None else np.linspace(0, duration, samples),
            limits="stop" if stop_at_limits else "report",
        )
    except SimulationError as error:
        trajectory, broken = error.trajectory, error
    for path in save or ():
        trajectory.save(path)
    if json:
        print_json(_summary(trajectory, broken))
    else:
        print(_text(trajectory, save or ()))
    if broken is not None:
        print(f"equamo: {broken}", file=sys.stderr)
        raise typer.Exit(1)


def named_values(
    option: str, texts: Sequence[str] | None, kind: str, read: Callable[[str], Any]
) -> Any:
    """{name: read(text)} from "name=text,name=text"; None if the option was not used."""
    pairs: dict[str, Any] = {}
    for text in (part for one in texts or () for part in _split(one)):
        name, equals, rest = text.partition("=")
        if not equals or not name.strip() or not rest.strip():
            raise EvaluationError(f"{option} takes name={kind}, got {brief(text)}.")
        try:
            pairs[name.strip()] = read(rest.strip())
        except EquamoError as error:
            raise EvaluationError(
                f"{option} takes name={kind}, got {brief(text)}: {error}"
            ) from None
    return pairs or None


def _split(text: str) -> list[str]:
    """Split at commas that are not inside parentheses."""
    parts, depth = [""], 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p for p in parts if p.strip()]


def numbers(option: str, texts: Sequence[str] | None) -> dict[str, float] | None:
    """{name: number} from "q1=1,q2=pi/2"; None if the option was not used.

    >>> numbers("--q", ["q1=1,q2=3/2"])
    {'q1': 1.0, 'q2': 1.5}
    """

    def number(text: str) -> float:
        e = parse(text)
        for s in symbols_of([e]):
            raise EvaluationError(
                f"{s.name!r} is not a number; use finite numbers, such as 0.5 or pi/2."
            )
        return evaluate_floats([e], {})[0]

    return named_values(option, texts, "number", number)


def _text(trajectory: Trajectory, saved: Sequence[Path]) -> str:
    eom = trajectory.eom
    lines = [f"{eom.robot.name} by {trajectory.method}: {counted(len(trajectory), 'sample')} to t = "
             f"{trajectory.t[-1]:g} s"]  # fmt: skip
    for symbols, rows in ((eom.q, trajectory.q), (eom.v, trajectory.v)):
        entries = [f"{s.name} = {x:.6g}" for s, x in zip(symbols, rows[-1], strict=True)]
        lines.append("  " + ", ".join(entries[:8]) + ", …" * (len(entries) > 8))
    lines += ["", str(trajectory.energy)]
    worst = [float(np.abs(x).max(initial=0)) for x in trajectory.constraint_violation.values()]
    if worst:
        lines.append(f"largest constraint violation: {max(worst):.2g}")
    if trajectory.stopped_by:
        lines.append(f"stopped by {trajectory.stopped_by}")
    lines += [f"joint limit: {x}" for x in trajectory.limit_violations]
    return "\n".join([*lines, *map(str, saved)])


def _summary(trajectory: Trajectory, broken: SimulationError | None) -> dict[str, Any]:
    eom, energy = trajectory.eom, trajectory.energy
    return {
        "robot": eom.robot.name,
        "method": trajectory.method,
        "samples": len(trajectory),
        "t": float(trajectory.t[-1]),
        "q": {s.name: float(x) for s, x in zip(eom.q, trajectory.q[-1], strict=True)},
        "v": {s.name: float(x) for s, x in zip(eom.v, trajectory.v[-1], strict=True)},
        "energy": {
            "kinetic": float(energy.kinetic[-1]),
            "potential": float(energy.potential[-1]),
            "work": {name: float(x[-1]) for name, x in energy.work.items()},
            "drift": float(np.abs(energy.drift).max()),
        },
        "stopped_by": trajectory.stopped_by,
        "limit_violations": [asdict(x) for x in trajectory.limit_violations],
        "broken": None if broken is None else str(broken),
    }
