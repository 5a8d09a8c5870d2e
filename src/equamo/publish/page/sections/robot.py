"""Robot column beside all sections: 3D canvas, options, and coordinates with limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ....algebra.expr import Expr, as_expr
from ....algebra.expr.evaluate import evaluate_floats
from ....basics.wording import counted
from ....robot.model import Robot
from ....robot.model.body import WORLD
from ..context import Context
from ..markup import Markup, breakable, element

MOST_AXES = 12  # shown at first over meshes
MOST_PROBLEMS = 12  # in the legend
TURN, REACH = math.pi, 1.0  # range of a slider without limits [rad], [m]


def side(robot: Robot, problems: Sequence[str] = ()) -> Markup:
    """Column beside the sections, which the script fills; `problems` are meshes that are not drawn."""
    axes = not robot.meshes or len(robot.v) <= MOST_AXES
    forces = [("forces", "constraint forces", True)] if robot.closure_rows else []
    options = [
        element(
            "label", element("input", type="checkbox", data_option=name, checked=on), f" {label}"
        )
        for name, label, on in (
            ("axes", "joint axes", axes),
            ("coms", "centres of mass", False),
            ("ellipsoids", "inertia", False),
            ("frames", "frames", False),
            ("labels", "names", False),
            ("ground", "ground", True),
            *forces,
        )
    ]
    return element(
        "div",
        element(
            "div",
            element("canvas", id="canvas", tabindex=0, role="img",
                    aria_label="The robot in 3D. Drag or use the arrow keys to rotate, scroll to zoom."),
            element("div", id="over", aria_live="polite"),
            class_="stage",
        ),
        element("div", options, class_="options", id="options"),
        *_not_drawn(problems),
        element("div", id="player", class_="player"),
        element("div", id="coordinates", class_="coordinates"),
        class_="sticky",
    )  # fmt: skip


def _not_drawn(problems: Sequence[str]) -> list[Markup]:
    """Legend of the meshes that could not be drawn, and why."""
    if not problems:
        return []
    title = element("summary", f"{counted(len(problems), 'mesh', 'meshes')} not drawn")
    reasons = element("ul", [element("li", breakable(p)) for p in problems[:MOST_PROBLEMS]])
    more = len(problems) - MOST_PROBLEMS
    rest = [element("p", f"and {more} more")] if more > 0 else []
    return [element("details", title, reasons, *rest, class_="not-drawn", id="not-drawn")]


def data(context: Context) -> dict[str, Any]:
    """Data of bodies, coordinates and speeds with their ranges."""
    robot = context.robot
    index = context.index
    wanted = [x for b in robot.bodies for x in (b.inertia.mass, *_center(b))]
    numbers = iter(_numbers(context, wanted))  # mass and centre of mass of each body
    return {
        "name": robot.name,
        "bodies": [
            {
                "name": b.name,
                "label": " ".join(context.labels[b.name]),
                "parent": -1 if b.parent == WORLD else index[b.parent],
                "joint": type(b.joint).__name__,
                "coordinates": list(b.joint.coordinates),
                "mass": next(numbers),
                "com": [next(numbers), next(numbers), next(numbers)],
            }
            for b in robot.bodies
        ],
        "ranges": [coordinate_range(context, s) for s in robot.q],
        "speeds": [_speed(context, k) for k in range(len(robot.v))],
        "units": [[context.tape[s] for s in group] for group in robot.unit_groups],
    }


def _center(body: Any) -> list[Any]:
    from ....errors import ModelError

    try:
        return list(body.inertia.center)
    except ModelError:  # base parameters do not define a centre of mass
        return [0, 0, 0]


def coordinate_range(context: Context, coordinate: Expr) -> dict[str, Any]:
    """Range of a slider, and whether its ends are limits of the joint."""
    robot = context.robot
    limits = robot.limits.get(coordinate.name)
    home = context.home[coordinate.name]
    unit = context.unit(coordinate)
    reach = REACH if unit == "m" else TURN if unit == "rad" else 1.0
    low, high = home - reach, home + reach
    if any(coordinate in group for group in robot.unit_groups):
        low, high = -1.0, 1.0
    elif unit == "rad" and abs(home) < TURN:
        low, high = -TURN, TURN
    limited = {"lower": False, "upper": False}
    if limits is not None:
        if limits.lower is not None:
            low, limited["lower"] = _finite(_number(context, limits.lower), low), True
        if limits.upper is not None:
            high, limited["upper"] = _finite(_number(context, limits.upper), high), True
    if not low < high:
        low, high = home - reach, home + reach
    return {"low": low, "high": high, "home": home, "unit": unit, **limited}


def _speed(context: Context, k: int) -> dict[str, Any]:
    speed = context.robot.v[k]
    home = context.robot.home.v[speed.name]
    if context.trajectory is not None:
        home = context.trajectory.v[0, k]
    return {"home": float(home), "unit": context.unit(speed)}


def _numbers(context: Context, wanted: Sequence[Any]) -> list[float]:
    """Values of expressions at the parameters' defaults; 0 for those without a value."""
    from ....errors import EquamoError

    known = {s: context.values[s.name] for s in context.robot.parameters}
    try:
        values = evaluate_floats([as_expr(x) for x in wanted], known)
    except (EquamoError, ArithmeticError, ValueError):
        if len(wanted) == 1:
            return [0.0]
        return [x for e in wanted for x in _numbers(context, [e])]
    return [x if math.isfinite(x) else 0.0 for x in values]


def _number(context: Context, e: Any) -> float:
    return _numbers(context, [e])[0]


def _finite(x: float, default: float) -> float:
    return x if math.isfinite(x) and abs(x) < 1e6 else default
