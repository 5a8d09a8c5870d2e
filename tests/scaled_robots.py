"""The same robot in other units, another order, or elsewhere in the world: its motion is the same.

`scaled` multiplies every mass, length and time of a model, by the dimension of each field; a robot with
chosen speeds is scaled by the units of its parameters instead (`scaled_values`). `moved` places a robot
elsewhere, turned; `reordered` declares its parts in another order.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from equamo.algebra.expr import Expr
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.robot.model import Body, Robot
from equamo.robot.model.body import WORLD
from equamo.robot.model.joint import speed_name

Powers = tuple[int, int, int]  # of mass, length and time

MASS, LENGTH, MOMENT, TENSOR = (1, 0, 0), (0, 1, 0), (1, 1, 0), (1, 2, 0)
TORQUE, FORCE = (1, 2, -2), (1, 1, -2)
FIELDS: dict[tuple[str, str], Powers] = {
    ("Inertia", "mass"): MASS, ("Inertia", "first_moment"): MOMENT, ("Inertia", "tensor"): TENSOR,
    ("Inertia", "com"): LENGTH, ("Inertia", "central_tensor"): TENSOR,
    ("Helical", "pitch"): LENGTH, ("Custom", "P"): LENGTH,
    ("Loop", "at"): LENGTH, ("Loop", "to_at"): LENGTH, ("Loop", "length"): LENGTH,
    ("Contact", "at"): LENGTH,
    ("BaseMotion", "w"): (0, 0, -1), ("BaseMotion", "v"): (0, 1, -1),
    ("BaseMotion", "alpha"): (0, 0, -2), ("BaseMotion", "a"): (0, 1, -2),
    ("Spring", "stiffness"): (1, 0, -2), ("Spring", "rest"): LENGTH, ("Damper", "damping"): (1, 0, -1),
    ("RotorInertia", "rotor"): TENSOR,
    # per joint that turns; one that slides has another power of the length
    ("JointSpring", "stiffness"): TORQUE, ("JointSpring", "rest"): (0, 0, 0),
    ("JointDamper", "damping"): (1, 2, -1), ("JointFriction", "viscous"): (1, 2, -1),
    ("JointFriction", "coulomb"): TORQUE, ("JointFriction", "width"): (0, 0, -1),
    ("RotorInertia", "ratio"): (0, 0, 0),
    ("Limits", "lower"): (0, 0, 0), ("Limits", "upper"): (0, 0, 0), ("Limits", "speed"): (0, 0, -1),
    ("Limits", "effort"): TORQUE,
}  # fmt: skip
POINTS = {"at", "point", "other_point", "reaction_point"}  # of joints and force elements
SLIDING = {  # power of the length that differs if a joint slides
    "stiffness": -2, "rest": 1, "damping": -2, "viscous": -2, "coulomb": -1, "width": 1, "ratio": -1,
    "lower": 1, "upper": 1, "speed": 1, "effort": -1,
}  # fmt: skip
UNITS: dict[str, Powers] = {
    "": (0, 0, 0), "rad": (0, 0, 0), "m": LENGTH, "kg": MASS, "kg m": MOMENT, "kg m²": TENSOR,
    "m/s²": (0, 1, -2), "rad/s": (0, 0, -1), "m/s": (0, 1, -1), "N m": TORQUE, "N": FORCE,
    "N m s/rad": (1, 2, -1), "N m/rad": TORQUE, "N/m": (1, 0, -2),
}  # fmt: skip


@dataclass(frozen=True)
class Scaling:
    """Factors of masses, lengths and times."""

    mass: Fraction
    length: Fraction
    time: Fraction

    @staticmethod
    def of(mass: float, length: float, time: float) -> Scaling:
        return Scaling(Fraction(mass), Fraction(length), Fraction(time))

    def factor(self, powers: Powers) -> Fraction:
        m, x, t = powers
        return self.mass**m * self.length**x * self.time**t

    def states(self, robot: Robot, speeds: dict[str, Powers] | None = None) -> np.ndarray:
        """Factors of (q, v); `speeds` has the dimensions of chosen speeds."""
        space = robot.state_space
        units = dict(
            zip((*space.q.names, *space.v.names), (*space.q.units, *space.v.units), strict=True)
        )
        powers = {n: UNITS[u] for n, u in units.items()}
        if robot.speed_map is not None:
            powers |= dict.fromkeys(space.v.names, (0, 0, -1)) | (speeds or {})
        return np.array([float(self.factor(powers[n])) for n in (*space.q.names, *space.v.names)])


def scaled(robot: Robot, by: Scaling) -> Robot:
    """The robot with all masses, lengths and times multiplied; without chosen speeds."""
    assert robot.speed_map is None
    units = dict(zip(robot.state_space.q.names, robot.state_space.q.units, strict=True))
    slides = {n for n, u in units.items() if u == "m"} | {
        speed_name(n) for n, u in units.items() if u == "m"
    }

    def again(x: Any, sliding: bool = False) -> Any:
        if isinstance(x, tuple):
            return tuple(again(y, sliding) for y in x)
        if not is_dataclass(x) or isinstance(x, (Expr, Vector, Matrix)):
            return x
        sliding = sliding or getattr(x, "speed", getattr(x, "coordinate", None)) in slides
        new = object.__new__(type(x))
        for f in fields(x):
            value = getattr(x, f.name)
            m, length, t = FIELDS.get((type(x).__name__, f.name), (0, 0, 0))
            if sliding and (type(x).__name__, f.name) in FIELDS and f.name in SLIDING:
                length += SLIDING[f.name]
            if f.name in POINTS:
                length = 1
            factor = by.factor((m, length, t))
            if isinstance(value, (Expr, Vector, Matrix)):
                value = value if factor == 1 else value * factor
            else:
                value = again(value, sliding)
            object.__setattr__(new, f.name, value)
        return new

    factors = dict(zip(robot.state_space.q.names, by.states(robot), strict=False))
    home = {n: float(x) * factors.get(n, 1.0) for n, x in robot.home.q.items()}
    limits = {n: again(x, n in slides) for n, x in robot.limits.items()}
    return Robot(
        robot.name, again(robot.bodies), robot.gravity * by.factor((0, 1, -2)), again(robot.forces),
        list(robot.parameter_info.values()), again(robot.base), home, limits=limits,
        loops=again(robot.loops), contacts=again(robot.contacts), mode=robot.mode,
    )  # fmt: skip


def scaled_values(robot: Robot, by: Scaling) -> dict[str, float]:
    """Values of the parameters of a robot whose units are known, multiplied."""
    return {
        n: float(p.value * by.factor(UNITS[p.unit]))
        for n, p in robot.parameter_info.items()
        if p.value is not None
    }


def reordered(robot: Robot, seed: int) -> Robot:
    """The robot with its bodies (parents first), force elements and loops in another order."""
    r = random.Random(seed)
    waiting, order, known = list(robot.bodies), list[Body](), {WORLD}
    while waiting:
        b = r.choice([b for b in waiting if b.parent in known])
        waiting.remove(b)
        known.add(b.name)
        order.append(b)
    forces, loops, parameters = (
        r.sample(x, len(x))
        for x in (list(robot.forces), list(robot.loops), list(robot.parameter_info.values()))
    )
    return Robot(
        robot.name, order, robot.gravity, forces, parameters, robot.base,
        dict(robot.home.q), limits=robot.limits, loops=loops, contacts=robot.contacts,
        mode=robot.mode,
    )  # fmt: skip


TURN = Matrix([["2/3", "-1/3", "2/3"], ["2/3", "2/3", "-1/3"], ["-1/3", "2/3", "2/3"]])
SHIFT = Vector(["5/4", "-3/2", "7/8"])


def moved(robot: Robot) -> Robot:
    """The robot turned and shifted, with everything that is attached to the world."""

    def place(name: str, at: Vector) -> Vector:
        return TURN @ at + SHIFT if name == WORLD else at

    def along(name: str, axis: Vector) -> Vector:
        return TURN @ axis if name == WORLD else axis

    def copy(x: Any, **new: Any) -> Any:
        result = object.__new__(type(x))
        for f in fields(x):
            object.__setattr__(result, f.name, new.get(f.name, getattr(x, f.name)))
        return result

    bodies = [
        b
        if b.parent != WORLD
        else Body(
            b.name, copy(b.joint, at=TURN @ b.joint.at + SHIFT, turned=TURN @ b.joint.turned),
            inertia=b.inertia,
        )
        for b in robot.bodies
    ]  # fmt: skip
    forces: list[Any] = []
    for f in robot.forces:
        new = {}
        for body, point in (
            ("body", "point"),
            ("other", "other_point"),
            ("reaction_on", "reaction_point"),
        ):
            if hasattr(f, body) and hasattr(f, point) and not getattr(f, "point_in", None):
                new[point] = place(getattr(f, body), getattr(f, point))
        if getattr(f, "expressed_in", None) == WORLD:
            new |= {"force": TURN @ f.force, "torque": TURN @ f.torque}
        forces.append(copy(f, **new))
    loops = []
    for x in robot.loops:
        ends: dict[str, Any] = {
            "at": place(x.body, x.at), "axis": along(x.body, x.axis),
            "to_at": place(x.to, x.to_at), "to_axis": along(x.to, x.to_axis),
        }  # fmt: skip
        loops.append(copy(x, **ends))
    w, v, alpha, a = (TURN @ getattr(robot.base, n) for n in ("w", "v", "alpha", "a"))
    # The robot stands at SHIFT in frame 0, whose origin must move such that this point moves as before.
    v, a = v - w.cross(SHIFT), a - alpha.cross(SHIFT) - w.cross(w.cross(SHIFT))
    base = copy(robot.base, w=w, v=v, alpha=alpha, a=a)
    return Robot(
        robot.name, bodies, TURN @ robot.gravity, forces, list(robot.parameter_info.values()), base,
        dict(robot.home.q), limits=robot.limits, loops=loops, contacts=robot.contacts,
        mode=robot.mode,
    )  # fmt: skip
