"""Delta robot: three driven arms and three forearms move a platform without rotating it.

Source: R. Clavel, Delta, a fast robot with parallel geometry, 18th Int. Symp. on Industrial Robots,
1988. Sizes and masses are those of the autonox RL5-1450-6kg, without its wrist: B. Alikoc, V. Sustr,
F. Zitek, J. Rehorik, P. Burget, A. Lomakin, Motion modelling and simulation of a 5-axis industrial Delta
robot, with its public data (github.com/testbedCIIRC/delta-robot-public, RL5_6kg_Inertia_Mass.m).

Leg i rotates by qi about the tangent of the base circle, downwards if qi > 0. A forearm is a
parallelogram of two bars. As long as the platform does not rotate, both bars are parallel, so they are
one slender bar here, between two universal joints with parallel axes (L.-W. Tsai, Robot Analysis, 1999,
section 3.6): ai about the axis of the motor, bi about the axis across it. The universal joints at the
platform are cut; each removes its rotation about one axis.

Remarks on the data:
- The moment of inertia of an arm is 0.208218 kg m² about the axis of its motor in the data, of which
  0.226 kg of pins at the elbow are 0.0398664 kg m²; here the pins are part of the arm. The entry for the
  centre of mass of both, 0.2463 m, contradicts the parts (0.1874 m), which are used here.
- The data have no moment of inertia of the platform, which never rotates; it is plausible here.
- The inertia of motors and gears is omitted.
"""

from __future__ import annotations

from fractions import Fraction
from math import asin, pi, sqrt
from typing import Final

from ..model import Body, Parameter, Robot, free, joint_actuator, loop, revolute, universal
from ..model.loop import Loop

_PARAMETERS = [
    ("rB", "0.330", "m", "radius of the base, to the motors"),
    ("rP", "0.125", "m", "radius of the platform, to the forearms"),
    ("lA", "0.420", "m", "length of an arm"),
    ("lF", "1.055", "m", "length of a forearm"),
    ("mA", "3.696", "kg", "mass of an arm, with its pins"),
    ("sA", "0.1874", "m", "centre of mass of an arm, from its motor"),
    ("IA", "0.07842", "kg m²", "arm about the motor's axis, at its centre of mass"),
    ("mF", "1.05", "kg", "mass of a forearm (two bars)"),
    ("sF", "0.5275", "m", "centre of mass of a forearm, from the elbow"),
    ("IF", "0.086018", "kg m²", "forearm across its length, at its centre of mass"),
    ("mP", "2.916", "kg", "mass of the platform"),
    ("IPx", "0.0114", "kg m²", "platform about x and y, at its centre (plausible)"),
    ("IPz", "0.0228", "kg m²", "platform about z, at its centre (plausible)"),
    ("g", "9.81", "m/s²", "gravity, along −z"),
]
# Leg: turned about z; radial and tangential unit vectors.
_LEGS: Final = {
    "1": ("0", ("1", "0"), ("0", "1")),
    "2": ("alpha", ("cos(alpha)", "sin(alpha)"), ("-sin(alpha)", "cos(alpha)")),
    "3": ("-alpha", ("cos(alpha)", "-sin(alpha)"), ("sin(alpha)", "cos(alpha)")),
}


def delta() -> Robot:
    """Build the Delta robot.

    >>> delta().inputs, len(delta().loops)
    ((tau1, tau2, tau3), 3)
    """
    bodies = [body for i in _LEGS for body in _leg(i)]
    platform = Body("platform", free("platform"), mass="mP", inertia="IPx IPx IPz")
    return Robot(
        "delta",
        [*bodies, platform],
        forces=[joint_actuator(f"q{i}", f"tau{i}") for i in _LEGS],
        loops=[_closed(i) for i in _LEGS],
        parameters=[
            *(Parameter(n, Fraction(x), unit, text) for n, x, unit, text in _PARAMETERS),
            Parameter(
                "alpha", Fraction(2 * pi / 3), "rad", "angle between the first leg and the others"
            ),
        ],
        home=_level(),
        description="Delta robot: three arms, three forearms, a platform (Clavel)",
    )


def _leg(i: str) -> list[Body]:
    """Arm along its x, turning about its y; forearm along its −z, turning about y of the arm first."""
    angle, (x, y), _ = _LEGS[i]
    motor = revolute(f"q{i}", axis="y", at=f"rB*({x}) rB*({y}) 0", rotation=f"0 0 {angle}")
    elbow = universal((f"a{i}", f"b{i}"), at="lA 0 0", rotation="0 0 pi/2")
    return [
        Body(f"arm{i}", motor, mass="mA", com="sA 0 0", inertia="0 IA IA"),
        Body(f"forearm{i}", elbow, mass="mF", com="0 0 -sF", inertia="IF IF 0", parent=f"arm{i}"),
    ]


def _closed(i: str) -> Loop:
    _, (x, y), (tx, ty) = _LEGS[i]
    return loop(
        f"leg{i}", body=f"forearm{i}", at="0 0 -lF", axis="y", to="platform",
        to_at=f"rP*({x}) rP*({y}) 0", to_axis=f"{tx} {ty} 0", joint="universal",
    )  # fmt: skip


def _level() -> dict[str, float]:
    """All arms horizontal, the platform below the centre."""
    rB, rP, lA, lF = (float(Fraction(x)) for _, x, _, _ in _PARAMETERS[:4])
    out = rB + lA - rP
    home = {"platform_z": -sqrt(lF**2 - out**2)}
    return home | {f"a{i}": asin(out / lF) for i in _LEGS}
