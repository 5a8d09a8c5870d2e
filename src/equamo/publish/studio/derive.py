"""`derive`: equations of the model, as data that the page's scripts show and evaluate."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from ...algebra.expr.collector import collector_paused
from ...algebra.expr.count import count
from ...mechanics.equations import FORMULATIONS
from ...robot.model import check
from ..page.context import Context
from ..page.sections import equations, robot as robot_section
from ..page.tape import Tape
from ..picture.transforms import transforms
from .messages import Request, Say
from .model_text import ModelText
from .scene import scene

COUNTED: Final = ("mass_matrix", "bias", "gravity", "inverse_dynamics")


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `derive`: the data of this robot's page, and remarks on the model."""
    by = request.choice("method", FORMULATIONS, "recursive")
    say("the equations of motion")
    eom = model.equations(by)
    say("the data of the page")
    context = Context(eom, None, (), None, "", timed=False)
    with collector_paused():
        side = robot_section.data(context)
        # For a big robot, `closed_form` finds the closed form of an entry on request.
        parts = equations.parts_data(context, closed=len(eom.v) <= equations.SMALL)
        # The tape is complete only now: the parts have added their expressions.
        data = {**side, "symbols": context.symbols_data(), "names": context.names_data(),
                "tape": context.tape.data()}  # fmt: skip
    program = model.program_robot
    return {
        "digest": model.shown,
        "structure": model.structure,
        "method": by,
        "robot": {**data, "scene": scene(model)},
        "parts": parts,
        "is_closed": bool(model.robot.closure_rows),
        "poses": _poses(model),
        "parameters": [s.name for s in program.parameters],
        "numbers": model.numbers,
        "missing": list(model.missing),
        "counts": {n: asdict(count(getattr(eom, n).entries)) for n in COUNTED},
        "findings": _findings(model),
    }


def _poses(model: ModelText) -> dict[str, Any]:
    """Poses of the bodies, 16 numbers each, on a tape of their own.

    Its numbers are inputs, so that the picture follows an edit of a length before the equations do.
    """
    robot = model.program_robot
    symbols = (*robot.q, *robot.parameters)
    tape = Tape(symbols)
    nodes = tape.add(e for T in transforms(robot) for e in T.T.entries)
    return {"tape": tape.data(), "symbols": [s.name for s in symbols], "nodes": nodes}


def _findings(model: ModelText) -> list[dict[str, str]]:
    """What `eq.check` finds: rotations and axes that are proved, inertias at the given values."""
    report = check(model.filled(model.robot))
    rows = [("error", f) for f in report.findings] + [("remark", f) for f in report.remarks]
    return [
        {"severity": severity, "body": f.body, "entry": f.entry, "message": f.problem}
        for severity, f in rows
    ]
