"""Five-bar robot: two driven arms in the horizontal x-y plane whose forearms meet in one point.

Source: DexTAR (L. Campos, F. Bourbonnais, I. A. Bonev, P. Bigras, Development of a five-bar parallel
robot with large workspace, ASME IDETC 2010; F. Bourbonnais, P. Bigras, I. A. Bonev, Minimum-time
trajectory planning and control of a pick-and-place five-bar parallel robot, IEEE/ASME Trans.
Mechatronics 20(2), 2015): four bars of equal length, 90 mm, on motors that are 118 mm apart. The masses
are plausible: slender aluminium bars.

q1 and q3 are the angles of the arms at the motors, q2 and q4 those of the forearms relative to the arms.
The tip of the right forearm is pinned to that of the left one by a revolute joint in space, so that
three of its five equations are redundant.
"""

from __future__ import annotations

from fractions import Fraction
from math import acos, atan2, cos, hypot, pi, sin

from ..model import Body, Parameter, Robot, joint_actuator, loop, revolute

_PARAMETERS = [
    ("d", "0.118", "m", "distance between the motors"),
    ("l", "0.09", "m", "length of an arm and of a forearm"),
    ("mA", "0.12", "kg", "mass of an arm (plausible)"),
    ("mF", "0.08", "kg", "mass of a forearm (plausible)"),
    ("IA", "0.00012", "kg m²", "arm about z, at its centre of mass (plausible)"),
    ("IF", "0.00008", "kg m²", "forearm about z, at its centre of mass (plausible)"),
    ("g", "9.81", "m/s²", "gravity, along −z"),
]


def five_bar() -> Robot:
    """Build the five-bar robot.

    >>> five_bar().q, five_bar().inputs
    ((q1, q2, q3, q4), (tau1, tau3))
    """
    bodies = [
        _bar("left_arm", "q1", "A", at="-d/2 0 0"),
        _bar("left_forearm", "q2", "F", at="l 0 0", parent="left_arm"),
        _bar("right_arm", "q3", "A", at="d/2 0 0"),
        _bar("right_forearm", "q4", "F", at="l 0 0", parent="right_arm"),
    ]
    tip = loop("tip", body="right_forearm", at="l 0 0", to="left_forearm", to_at="l 0 0")
    return Robot(
        "five_bar",
        bodies,
        forces=[joint_actuator("q1", "tau1"), joint_actuator("q3", "tau3")],
        loops=[tip],
        parameters=[Parameter(n, Fraction(x), unit, text) for n, x, unit, text in _PARAMETERS],
        home=_reaching(0.0, 0.12),
        description="planar five-bar robot with two driven arms (DexTAR)",
    )


def _bar(name: str, q: str, kind: str, at: str, parent: str = "world") -> Body:
    return Body(
        name, revolute(q, axis="z", at=at), mass=f"m{kind}", com="l/2 0 0",
        inertia=f"0 I{kind} I{kind}", parent=parent,
    )  # fmt: skip


def _reaching(x: float, y: float) -> dict[str, float]:
    """Configuration with the tip at (x, y) and both elbows outside."""
    d, l = (float(Fraction(value)) for _, value, _, _ in _PARAMETERS[:2])
    home: dict[str, float] = {}
    for side, (arm, forearm) in ((-1, ("q1", "q2")), (1, ("q3", "q4"))):
        dx = x - side * d / 2
        half = acos(hypot(dx, y) / (2 * l))
        angle = atan2(y, dx) - side * half
        elbow = side * d / 2 + l * cos(angle), l * sin(angle)
        turned = atan2(y - elbow[1], x - elbow[0]) - angle
        home |= {arm: angle, forearm: (turned + pi) % (2 * pi) - pi}
    return home
