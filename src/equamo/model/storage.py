"""A Robot as plain data (JSON) and back, exactly: expressions as text, numbers as fractions.

Every class that can occur is in one table; a file names classes of that table only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, Final

from ..errors import EquamoError, FileFormatError
from ..expr import Expr, parse
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..wording import brief
from . import forces, joints
from .base_motion import BaseMotion
from .body import Body
from .constraint import Constraint
from .inertia import Inertia
from .limits import Limits
from .parameter import Parameter
from .robot import Robot
from .shape import Shape
from .speeds import SpeedMap

_CLASSES: Final[dict[str, type]] = {
    c.__name__: c
    for module in (joints, forces)
    for c in vars(module).values()
    if isinstance(c, type) and is_dataclass(c)
} | {c.__name__: c for c in (Inertia, Parameter, BaseMotion, SpeedMap, Constraint, Limits, Shape)}


def robot_to_data(robot: Robot) -> dict[str, Any]:
    """Plain data of a robot: strings, lists and dicts only."""
    return {
        "name": robot.name,
        "description": robot.description,
        "gravity": _encode(robot.gravity),
        "base": _encode(robot.base),
        "bodies": [
            {
                "name": b.name,
                "parent": b.parent,
                "joint": _encode(b.joint),
                "inertia": _encode(b.inertia),
            }
            for b in robot.bodies
        ],
        "forces": [_encode(f) for f in robot.forces],
        "parameters": [_encode(p) for p in robot.parameter_info.values()],
        "home": {n: _encode(x) for part in _home(robot) for n, x in part.items()},
        "notation": dict(robot.notation),
        "speeds": _encode(robot.speed_map),
        "limits": {n: _encode(x) for n, x in robot.limits.items()},
        **({"shapes": {n: _encode(x) for n, x in robot.shapes.items()}} if robot.shapes else {}),
    }


def _home(robot: Robot) -> list[Mapping[str, Any]]:
    return [robot.home.q, robot.home.v, robot.home.inputs]


def robot_from_data(data: Any) -> Robot:
    """The robot of `robot_to_data`; FileFormatError where the data is not that."""
    try:
        return Robot(
            data["name"],
            [
                Body(
                    b["name"],
                    _decode(b["joint"]),
                    inertia=_decode(b["inertia"]),
                    parent=b["parent"],
                )
                for b in data["bodies"]
            ],
            gravity=_decode(data["gravity"]),
            forces=[_decode(f) for f in data["forces"]],
            parameters=[_decode(p) for p in data["parameters"]],
            base=_decode(data["base"]),
            home={n: _decode(x) for n, x in data["home"].items()},
            notation=data["notation"],
            description=data["description"],
            speeds=_decode(data["speeds"]),
            limits={n: _decode(x) for n, x in data["limits"].items()},
            shapes={n: _decode(x) for n, x in data.get("shapes", {}).items()},
        )
    except EquamoError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise FileFormatError(f"The stored robot is damaged: {brief(error)}.") from None


def _encode(x: Any) -> Any:
    if x is None or isinstance(x, (bool, str)):
        return x
    if isinstance(x, Expr):
        return {"expr": str(x)}
    if isinstance(x, (int, Fraction)):
        return {"number": str(x)}
    if isinstance(x, float):
        return {"number": str(Fraction(repr(x)))}
    if isinstance(x, Vector):
        return {"vector": [str(e) for e in x]}
    if isinstance(x, Matrix):
        names = [None if n is None else list(n) for n in (x.row_names, x.column_names)]
        return {"matrix": [[str(e) for e in row] for row in x.rows], "names": names}
    if isinstance(x, tuple):
        return {"tuple": [_encode(e) for e in x]}  # pyright: ignore[reportUnknownVariableType]
    name = type(x).__name__
    if name in _CLASSES:
        return {"class": name, **{f.name: _encode(getattr(x, f.name)) for f in fields(x)}}
    raise FileFormatError(f"{brief(x)} cannot be stored.")


def _decode(x: Any) -> Any:
    if x is None or isinstance(x, (bool, str)):
        return x
    if "expr" in x:
        return parse(x["expr"])
    if "number" in x:
        value = Fraction(x["number"])
        return int(value) if value.denominator == 1 else value
    if "vector" in x:
        return Vector(parse(e) for e in x["vector"])
    if "matrix" in x:
        return Matrix([[parse(e) for e in row] for row in x["matrix"]], *x["names"])
    if "tuple" in x:
        return tuple(_decode(e) for e in x["tuple"])
    if x["class"] not in _CLASSES:
        raise FileFormatError(f"A stored robot names an unknown class {brief(x['class'])}.")
    return _CLASSES[x["class"]](**{k: _decode(v) for k, v in x.items() if k != "class"})
