"""Stewart platform (Gough platform): six legs of variable length move a platform in all directions.

Source: L.-W. Tsai, Solving the inverse dynamics of a Stewart-Gough manipulator by the principle of
virtual work, ASME J. Mechanical Design 122(1), 2000, with the geometry of E. F. Fichter, A Stewart
platform-based manipulator, Int. J. Robotics Research 5(2), 1986: joints of the legs on base and
platform, masses, moments of inertia and centres of mass of platform, cylinders and pistons.

Leg i has a universal joint on the base (angles ai about x and bi about the new y), a cylinder along its
z and a piston at the distance di, whose end is joined to the platform by a ball joint. The ball joints
are cut; their forces are in the frames of the pistons, so that "leg1 z" is the force along leg 1.

The home is the middle of the motion in the source: the platform at (−1.5, 0, 1), not rotated.
"""

from __future__ import annotations

from fractions import Fraction
from math import asin, atan2, sqrt
from typing import Final

from ..model import Body, Parameter, Robot, free, joint_actuator, loop, prismatic, universal

_PARAMETERS = [
    ("mP", "1.5", "kg", "mass of the platform"),
    ("IP", "0.08", "kg m²", "platform about each axis, at its centre"),
    ("mC", "0.1", "kg", "mass of a cylinder"),
    ("mR", "0.1", "kg", "mass of a piston"),
    ("eC", "0.5", "m", "centre of mass of a cylinder, from the base"),
    ("eR", "0.5", "m", "centre of mass of a piston, from the platform"),
    ("I", "1/160", "kg m²", "cylinder or piston across its length, at its centre of mass"),
    ("g", "9.81", "m/s²", "gravity, along −z"),
]
# Joints of the legs: on the base in the world, and on the platform in its frame [m].
_LEGS: Final = {
    "1": ("-2.120 1.374 0", "0.170 0.595 -0.4"),
    "2": ("-2.380 1.224 0", "-0.600 0.150 -0.4"),
    "3": ("-2.380 -1.224 0", "-0.600 -0.150 -0.4"),
    "4": ("-2.120 -1.374 0", "0.170 -0.595 -0.4"),
    "5": ("0 -0.150 0", "0.430 -0.445 -0.4"),
    "6": ("0 0.150 0", "0.430 0.445 -0.4"),
}
_CENTRE: Final = (-1.5, 0.0, 1.0)  # [m]


def stewart() -> Robot:
    """Build the Stewart platform.

    >>> stewart().inputs, len(stewart().v)
    ((f1, f2, f3, f4, f5, f6), 24)
    """
    bodies = [body for i in _LEGS for body in _leg(i)]
    platform = Body("platform", free("platform"), mass="mP", inertia="IP IP IP")
    return Robot(
        "stewart",
        [*bodies, platform],
        forces=[joint_actuator(f"d{i}", f"f{i}") for i in _LEGS],
        loops=[
            loop(f"leg{i}", body="platform", at=on_platform, to=f"piston{i}", joint="spherical")
            for i, (_, on_platform) in _LEGS.items()
        ],
        parameters=[Parameter(n, Fraction(x), unit, text) for n, x, unit, text in _PARAMETERS],
        home=_middle(),
        description="Stewart platform: six legs of variable length (Fichter, Tsai)",
    )


def _leg(i: str) -> list[Body]:
    foot = universal((f"a{i}", f"b{i}"), at=_LEGS[i][0])
    stroke = prismatic(f"d{i}", axis="z")
    return [
        Body(f"cylinder{i}", foot, mass="mC", com="0 0 eC", inertia="I I 0"),
        Body(
            f"piston{i}", stroke, mass="mR", com="0 0 -eR", inertia="I I 0", parent=f"cylinder{i}"
        ),
    ]


def _middle() -> dict[str, float]:
    home = {f"platform_{c}": x for c, x in zip("xyz", _CENTRE, strict=True)}
    for i, points in _LEGS.items():
        base, top = ([float(x) for x in point.split()] for point in points)
        x, y, z = (c + t - b for c, t, b in zip(_CENTRE, top, base, strict=True))
        length = sqrt(x * x + y * y + z * z)
        home |= {f"a{i}": atan2(-y, z), f"b{i}": asin(x / length), f"d{i}": length}
    return home
