"""Four-bar linkage: crank, coupler and rocker in the vertical x-y plane, closed to the ground.

Source: "A four bar linkage" of SymPy's documentation (sympy.physics.mechanics, examples): uniform bars
of lengths l2, l3, l4 and of the density rho per length, in a chain with relative angles q1, q2, q3; the
ground is the bar of length l1, here from the origin to (l1, 0). The crank rotates at its far end, and
the tip of the rocker is pinned to the origin:

    l1 + l2 cos q1 + l3 cos(q1 + q2) + l4 cos(q1 + q2 + q3) = 0, and the same with sines, without l1

Remarks:
- The source has no gravity and no inputs; here gravity is along −y and the crank is driven.
- The source has moments of inertia about z only; here the bars are slender rods, as in `rr_arm`.
- The source has no drawing to scale: the default lengths are plausible, and the crank can make full
turns
  (Grashof: l2 + l1 < l3 + l4).
- The loop is closed by a revolute joint in space, so that three of its five equations are redundant.
"""

from __future__ import annotations

from fractions import Fraction
from math import acos, atan2, cos, hypot, sin

from ..model import Body, Parameter, Robot, joint_actuator, loop, revolute

_PARAMETERS = [
    ("l1", "0.4", "m", "length of the ground bar (plausible)"),
    ("l2", "0.15", "m", "length of the crank (plausible)"),
    ("l3", "0.35", "m", "length of the coupler (plausible)"),
    ("l4", "0.3", "m", "length of the rocker (plausible)"),
    ("rho", "1", "kg/m", "mass per length of the bars (plausible)"),
    ("g", "9.81", "m/s²", "gravity, along −y"),
]


def four_bar() -> Robot:
    """Build the four-bar linkage.

    >>> four_bar().q, [loop.name for loop in four_bar().loops]
    ((q1, q2, q3), ['closure'])
    """
    bodies = [
        _bar("crank", "q1", "l2", "world", "l1"),
        _bar("coupler", "q2", "l3", "crank", "l2"),
        _bar("rocker", "q3", "l4", "coupler", "l3"),
    ]
    return Robot(
        "four_bar",
        bodies,
        gravity="0 -g 0",
        forces=[joint_actuator("q1", "tau1")],
        loops=[loop("closure", body="rocker", at="l4 0 0", joint="revolute")],
        parameters=[Parameter(n, Fraction(x), unit, text) for n, x, unit, text in _PARAMETERS],
        home=_assembled(1.0),
        description="planar four-bar linkage: crank, coupler and rocker (SymPy)",
    )


def _bar(name: str, q: str, length: str, parent: str, before: str) -> Body:
    moment = f"rho*{length}**3/12"
    return Body(
        name, revolute(q, axis="z", at=f"{before} 0 0"), mass=f"rho*{length}", com=f"{length}/2 0 0",
        inertia=f"0 {moment} {moment}", parent=parent,
    )  # fmt: skip


def _assembled(q1: float) -> dict[str, float]:
    """Closed configuration with the joint between coupler and rocker above the line to the origin."""
    l1, l2, l3, l4 = (float(Fraction(x)) for _, x, _, _ in _PARAMETERS[:4])
    x, y = l1 + l2 * cos(q1), l2 * sin(q1)  # tip of the crank
    reach = hypot(x, y)
    coupler = atan2(-y, -x) - acos((l3**2 + reach**2 - l4**2) / (2 * l3 * reach))
    rocker = atan2(-y - l3 * sin(coupler), -x - l3 * cos(coupler))
    return {"q1": q1, "q2": coupler - q1, "q3": rocker - coupler}
