"""RP arm: a rotating and a telescoping link in the vertical x-y plane, gravity along −y.

Source: document 004 (Intro to Robotics, part 2, Dynamics), example 1. The centre of mass of link 1
is at L1/2, that of link 2 at L1 + q2/2: a boom of length q2 whose middle moves at half its speed,
with a constant moment of inertia Iz2.

Corrections of the source:
- U = m g·P is printed with g = (0, −g, 0). Potential energy is −m g·P, so U = +m g y, and gravity
  changes its sign in L, τ_1, τ_2 and G.
- τ_1 has 2 m2 (L1 + q2/2) q̇1 q̇2, in one line with m1. The derivative of (L1 + q2/2)² has a factor
  ½, so the term is m2 (L1 + q2/2) q̇1 q̇2.
- The matrix form lacks Iz2 in its first entry and cos(q1) in the term of m1, and multiplies by q̇
  instead of q̇².
- ∂L/∂q_2 is printed as ∂L/∂q_1 and as a sum; the product in τ_2 is correct. L has Iz2 q̇2² instead of
  the Iz2 q̇1² of T_2, sin(q_2) instead of sin(q_1), and lacks the squares of q̇1 in several lines.
- ω_2 gets a second q̇1 through ⁰R_1 that is then dropped: a prismatic joint adds no rotation.
- The source has one moment of inertia per link, about z; here it is diag(0, Iz, Iz), as for the RR arm.
- The source has no numbers: the default values and the home position are plausible.

Each actuator is conjugate to its coordinate (B = 1): τ_2 is the force along q2, the travel of the tip.
"""

from __future__ import annotations

from fractions import Fraction

from ..model import Body, Parameter, Robot, custom, revolute

_PARAMETERS = [
    ("m1", "1", "kg", "mass of link 1 (plausible)"),
    ("m2", "1", "kg", "mass of link 2 (plausible)"),
    ("L1", "1", "m", "length of link 1 (plausible)"),
    ("Iz1", "1/12", "kg m²", "link 1 about z, at its centre of mass (plausible)"),
    ("Iz2", "1/12", "kg m²", "link 2 about z, at its centre of mass (plausible)"),
    ("g", "9.81", "m/s²", "gravity, along −y"),
]


def rp_arm() -> Robot:
    """Build the arm with a revolute and a prismatic joint in a vertical plane.

    >>> rp_arm().body("link2").joint.position
    Vector([L1 + q2/2, 0, 0])
    """
    link1 = Body("link1", revolute("q1", axis="z"), mass="m1", com="L1/2 0 0", inertia="0 Iz1 Iz1")
    link2 = Body(
        "link2", custom("q2", position=("L1 + q2/2", 0, 0)),
        mass="m2", inertia="0 Iz2 Iz2", parent="link1",
    )  # fmt: skip
    return Robot(
        "rp_arm",
        [link1, link2],
        gravity="0 -g 0",
        parameters=[Parameter(n, Fraction(x), unit, text) for n, x, unit, text in _PARAMETERS],
        home={"q2": Fraction(1, 2)},
        description="planar arm with a revolute and a prismatic joint (Intro to Robotics, part 2)",
    )
