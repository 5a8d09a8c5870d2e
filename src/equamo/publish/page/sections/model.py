"""Model section: tree, parameters, import report and conventions."""

from __future__ import annotations

from typing import Final

from ....basics.wording import counted
from ....robot.formats.import_report import KINDS, ImportReport
from ....robot.model.parameter import Parameter
from ..context import Context
from ..document import Section, paragraph
from ..markup import Markup, dotted, element, table

MOST_ENTRIES: Final = 400  # most entries shown of an import report

CONVENTIONS: Final = (
    "Right-handed frames, SI units, angles in radians; world is the inertial frame.",
    "A_PB maps components in B to components in P.",
    "Spatial vectors: angular first. Quaternions: (w, x, y, z). Euler angles: intrinsic x-y-z.",
    "Inertia tensors about the body frame’s origin, with the tensor’s signs: XY = −∫xy dm.",
    "C is Christoffel’s factorisation: Ṁ − 2C is skew.",
    "External wrenches act on the robot. Friction opposes motion.",
    "Coordinates in tree order; the speed of q1 is dq1, its derivative ddq1.",
)


def section(context: Context) -> Section:
    """Build the section: tree and tables."""
    robot = context.robot
    gravity = ", ".join(str(x) if x.value is None else f"{float(x):g}" for x in robot.gravity)
    parts: list[Markup | None] = [
        paragraph(robot.description) if robot.description else None,
        element("div", id="tree", class_="tree"),
        paragraph(f"Gravity in the world frame: ({gravity}) m/s²."),
        _constraints(context),
        _parameters(context),
        _import_report(robot.import_report),
        element(
            "details",
            element("summary", "Conventions"),
            element("ul", [element("li", dotted(x)) for x in CONVENTIONS]),
        ),
    ]
    return Section("model", "Model", element("div", parts))


def _constraints(context: Context) -> Markup | None:
    chosen = context.robot.speed_map
    if chosen is None or not chosen.constraints:
        return None
    rows = [(c.name, f"{c.equation} = 0") for c in chosen.constraints]
    return element("div", element("h3", "Constraints"), table(("constraint", "equation"), rows))


def _parameters(context: Context) -> Markup | None:
    known = context.robot.parameter_info
    if not known:
        return paragraph("No parameters: all quantities are numbers.")
    assumed = frozenset(context.assumed)
    rows = [(p.name, _value(p, p.name in assumed), p.unit, p.description) for p in known.values()]
    whole = table(("parameter", "value", "unit", "meaning"), rows, class_="parameters")
    if len(rows) <= 12:
        return element("div", element("h3", "Parameters"), whole)
    return element("details", element("summary", counted(len(rows), "parameter")), whole)


def _value(parameter: Parameter, assumed: bool) -> str:
    if parameter.value is None:
        return "1 (assumed)" if assumed else ""
    return f"{float(parameter.value):.6g}"


def _import_report(report: ImportReport | None) -> Markup | None:
    if report is None:
        return None
    counts = ", ".join(f"{n} {kind}" for kind, n in report.counts.items())
    entries = [e for e in report if e.kind != "used"]
    rows = [(e.kind, f"{_file(e.file)}:{e.line}", e.text) for e in entries[:MOST_ENTRIES]]
    more = len(entries) - len(rows)
    return element(
        "details",
        element("summary", f"Import of {_file(report.file)}: {counts}"),
        element("ul", [element("li", f"{k}: {KINDS[k]}") for k in report.counts]),
        table(("", "place", "what"), rows, class_="import") if rows else None,
        paragraph(f"and {more} more: print(robot.import_report)") if more > 0 else None,
    )


def _file(path: str) -> str:
    """Name of a file without its folder."""
    from pathlib import PurePath

    return PurePath(path).name
