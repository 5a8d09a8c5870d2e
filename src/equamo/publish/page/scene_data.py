"""Data of the robot for the page's viewer; poses are computed by generated JavaScript.

Bodies are in tree order, -1 is the world. Points are in metres, in the frame of the body given with
them; matrices are written column by column.
"""

from __future__ import annotations

from typing import Any, Final

from ...algebra.arrays import np
from ...robot.model import Robot
from ..picture.camera import motion_bounds
from ..picture.drawing import skeleton
from ..picture.posture import Array, Posture, Values, coordinates
from ..picture.skeleton import Part, Rod, Skeleton, Solid
from .mesh_data import TRIANGLES, mesh_data

POSES: Final = 120  # number of poses of a motion to which the view is fitted


def scene_data(
    robot: Robot, values: Values | None = None, motion: Array | None = None
) -> dict[str, Any]:
    """JSON data of the scene; the initial view contains the coordinates `motion`, (T, n_q).

    >>> from equamo.robot.library import load
    >>> scene = scene_data(load("rr_arm"))
    >>> [b["name"] for b in scene["bodies"]], scene["coordinates"][0]["unit"]
    (['upper', 'fore'], 'rad')
    """
    model = skeleton(robot, values, TRIANGLES)
    low, high = model.low, model.high
    if motion is not None and motion.size:
        posture = Posture(robot, values)
        some = np.unique(np.linspace(0, len(motion) - 1, POSES).round().astype(int))
        low, high = motion_bounds(
            model, posture(coordinates(robot, values=values)), (posture(q) for q in motion[some])
        )
    return {
        "name": model.name,
        "up": _list(model.up),
        "ground": _short(model.ground),
        "size": _short(model.size),
        "box": [_list(low), _list(high)],
        "view": {"yaw": model.yaw, "pitch": model.pitch},
        "coordinates": [
            {"name": c.name, "unit": c.unit, "lower": c.lower, "upper": c.upper, "home": c.home,
             "limited": c.limited}
            for c in model.coordinates
        ],
        "unitGroups": [list(g) for g in model.unit_groups],
        "bodies": [_body(model, k, p) for k, p in enumerate(model.parts)],
        "rods": [_rod(r) for r in model.rods],
        "solids": [_solid(s) for s in model.solids],
        "tips": [{"body": k, "point": _list(p)} for k, p in model.tips],
        **mesh_data(model.meshes),
    }  # fmt: skip


def _body(model: Skeleton, k: int, part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "parent": part.parent,
        "mass": _short(part.mass),
        "com": _list(part.com),
        "radii": None if part.radii is None else _list(part.radii),
        "principal": _list(part.principal.T),
        "axes": [{"motion": a.motion, "direction": _list(a.direction)} for a in part.axes],
        "shown": any(k in (r.body, r.start[0], r.end[0]) for r in model.rods)
        or any(s.body == k for s in (*model.solids, *model.meshes.solids)),
    }


def _rod(rod: Rod) -> dict[str, Any]:
    (a, p), (b, r) = rod.start, rod.end
    return {"body": rod.body, "from": a, "start": _list(p), "to": b, "end": _list(r),
            "radius": _short(rod.radius)}  # fmt: skip


def _solid(solid: Solid) -> dict[str, Any]:
    return {"body": solid.body, "kind": solid.kind, "role": solid.role, "at": _list(solid.at),
            "size": [_short(x) for x in solid.size], "turned": _list(solid.turned.T)}  # fmt: skip


def _list(numbers: Array) -> list[float]:
    return [_short(x) for x in numbers.ravel().tolist()]


def _short(x: float) -> float:
    """Round to ten digits, enough for a picture, to keep the page small."""
    return float(f"{x:.10g}")
